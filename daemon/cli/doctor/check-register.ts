/** The findings of `fiscald doctor` about a register, from the register's own answers or from the running daemon. */
import { Fault } from "@fiscald/shared/fault.js";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import { z } from "zod";
import { lacksDefaultTax } from "../../config/cross-checks.js";
import type { RegisterConfig } from "../../config/register-schema.js";
import { type SetRow, setChecks, setLevels } from "../../console/how-set/state-rows.js";
import { inEveryLanguage } from "../../messages/messages.js";
import { faultFinding, type SetupFinding, troubleFinding, wellFinding } from "../../setup/finding.js";
import { bothLanguages } from "../terminal/causes.js";

const setRow: z.ZodType<SetRow> = z.object({
  check: z.enum(setChecks),
  place: bothLanguages,
  value: bothLanguages,
  right: bothLanguages.nullable(),
  level: z.enum(setLevels),
  effect: bothLanguages.nullable(),
});

/** What `status` and `doctor` read of a register, as the API shows it (console/views.ts, `registerView`). */
export const registerHead = {
  id: z.string(),
  phase: z.string(),
  settings: z.array(setRow).default([]),
};
export const registerStatus = z.object({
  ...registerHead,
  identity: z.object({ model: z.string(), kkm: z.string(), fn: z.string().default("") }).nullable(),
  fault: z.object({ code: z.string(), message: z.string(), text: bothLanguages, hint: bothLanguages }).nullable(),
  paper: z.string().nullable(),
  coverOpen: z.boolean().optional(),
});
export type RegisterStatus = z.output<typeof registerStatus>;

export function registerFindings(facts: RegisterStatus, register: RegisterConfig): readonly SetupFinding[] {
  const found: readonly SetupFinding[] = [
    ...connectionFindings(facts, register),
    ...trialDriveFindings(facts, register),
    ...paperFindings(facts),
    ...facts.settings.map((row) => setFinding(facts.id, row)),
    ...defaultTaxFindings(register),
  ];
  // The fault of a register and its state may tell one cause, such as paper that has run out.
  return found.filter(({ text }, index) => found.findIndex((other) => other.text.ru === text.ru) === index);
}

function connectionFindings({ id, fault, identity, phase }: RegisterStatus, { connection }: RegisterConfig) {
  const register = { check: "register", about: id } as const;
  const port = { check: "port", about: `${id} ${placeOf(connection)}` } as const;
  if (fault !== null) {
    const isLink = fault.code.startsWith("link.");
    return [
      ...(isLink ? [] : [wellFinding(port, (words) => words.port.opens)]),
      faultFinding(isLink ? port : register, fault),
    ];
  }
  if (connection.kind === "emulator") {
    return [troubleFinding(register, "warning", (words) => [words.register.emulator, words.register.emulatorNext])];
  }
  if (identity === null || !["ready", "finishing", "busy"].includes(phase)) {
    return [troubleFinding(register, "warning", (words) => [words.register.starting, words.register.startingNext])];
  }
  const { model, kkm } = identity;
  return [
    wellFinding(port, (words) => words.port.opens),
    wellFinding(register, (words) => words.register.answers({ model, kkm })),
  ];
}

/** The beginning of the numbers of drives that makers sell for trials, whose documents reach no tax service. */
const TRIAL_DRIVE = "9999";

/** A register that is in trouble prints on such a drive as soon as the trouble is over. */
function trialDriveFindings({ id, identity }: RegisterStatus, { connection }: RegisterConfig) {
  const { fn = "" } = identity ?? {};
  if (connection.kind === "emulator" || !fn.startsWith(TRIAL_DRIVE)) return [];
  const place = { check: "drive", about: id } as const;
  return [troubleFinding(place, "warning", ({ drive }) => [drive.trial({ fn }), drive.trialNext])];
}

function placeOf(connection: RegisterConfig["connection"]): string {
  switch (connection.kind) {
    case "serial":
      return connection.path;
    case "tcp":
      return `${connection.host}:${connection.port}`;
    case "http":
      return connection.url;
    case "emulator":
      return "emulator";
  }
}

function paperFindings({ id, paper, coverOpen = false }: RegisterStatus): readonly SetupFinding[] {
  const place = { check: "register", about: id } as const;
  const low = (part: "text" | "next") => inEveryLanguage(({ troubles }) => troubles.paperLow[part]);
  return [
    ...(coverOpen ? [faultFinding(place, new Fault("device.cover-open"))] : []),
    ...(paper === "out" ? [faultFinding(place, new Fault("device.paper-out"))] : []),
    ...(paper === "low"
      ? [{ ...place, level: "warning" as const, text: low("text"), next: low("next"), detail: null }]
      : []),
  ];
}

/** The finding about a register's configuration, clock, drive and queue to the OFD (fiscal data operator). */
export function setFinding(
  about: string,
  { check, place, value, level, effect }: RegisterStatus["settings"][number],
): SetupFinding {
  const isSetting = check === "settings";
  const own = (language: "en" | "ru") => (isSetting ? `${place[language]}: ${value[language]}.` : value[language]);
  // A wrong setting keeps some receipts waiting, and a drive whose term is over keeps all of them.
  const levels = {
    ok: "ok",
    note: "ok",
    unproven: "warning",
    look: "warning",
    wrong: isSetting ? "warning" : "bad",
  } as const;
  const isNote = level === "note" && effect !== null;
  const text = (language: "en" | "ru") => (isNote ? `${own(language)} ${effect[language]}` : own(language));
  const next = isNote ? null : effect;
  return { check, about, level: levels[level], text: { en: text("en"), ru: text("ru") }, next, detail: null };
}

function defaultTaxFindings(register: RegisterConfig): readonly SetupFinding[] {
  if (!lacksDefaultTax(register)) return [];
  const { text, hint } = faultCodes["config.default-tax"];
  return [{ check: "settings", about: register.id, level: "warning", text, next: hint, detail: null }];
}
