import { wrongValue } from "@fiscald/shared/command-line.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Config } from "../config/config-schema.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw wrongValue(commandReasons.wholeNumber);
  return value;
}

/** Parses the id of a job or event. Throws `usage.wrong`. */
export function idNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw wrongValue(commandReasons.noNumber(text));
  return value;
}

/** Throws `usage.wrong` with the configured names if the config does not have this one. */
export function requireKnown(
  config: Pick<Config, "sites" | "registers">,
  kind: "site" | "register",
  name: string,
): void {
  const known: readonly string[] = (kind === "site" ? config.sites : config.registers).map(({ id }) => id);
  if (known.includes(name)) return;
  const message = (kind === "site" ? commandReasons.noSite : commandReasons.noRegister)(name, known.join(", "));
  throw new Fault("usage.wrong", { message });
}
