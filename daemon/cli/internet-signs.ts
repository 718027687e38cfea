/** Whether a register's documents were found to carry tag 1125 (internet receipt). Reads only the database. */
import type { Config } from "../config/config-schema.js";
import { type FeatureProof, proofText, signPlace } from "../console/how-set/how-set.js";
import { hasUnconfirmedSign, proofOfSign } from "../console/how-set/set-facts.js";
import type { Language } from "../messages/messages.js";
import { readStateIfAny } from "./stored-state.js";

export interface SignProof {
  readonly register: string;
  readonly proof: FeatureProof;
}

export function signProofs(config: Config): readonly SignProof[] {
  const asked = config.registers.filter(({ driver }) => hasUnconfirmedSign(driver));
  // Options of two makers' drivers switch the internet sign off.
  const isOn = ({ options }: (typeof asked)[number]) =>
    options["internetFlag"] !== null && options["internetByParameter"] !== false;
  const stored = readStateIfAny(config, ({ checks, registers }) =>
    asked.map((register): SignProof => {
      const { id, driver: maker } = register;
      const identity = registers.find(id)?.identity ?? null;
      const model = identity === null ? null : { maker, model: identity.model, firmware: identity.firmware };
      return { register: id, proof: proofOfSign(checks, { register: id, model, isOn: isOn(register) }) };
    }),
  );
  return stored ?? asked.map((register) => ({ register: register.id, proof: isOn(register) ? "unconfirmed" : "off" }));
}

export function signLines(config: Config, language: Language): readonly string[] {
  return signProofs(config)
    .filter(({ proof }) => proof !== "confirmed")
    .map(({ register, proof }) => `${register}: ${signPlace[language]}. ${proofText(proof, register)[language]}`);
}
