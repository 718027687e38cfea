import type { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, faultCodes } from "@fiscald/shared/fault-codes.js";
import type { Language, Messages } from "./messages.js";

export interface FaultWords {
  readonly text: string;
  readonly next: string;
}

interface Row<Given> {
  readonly text: (given: Given) => string;
  readonly next: string | ((given: Given) => string);
}

export function filled<Given>({ text, next }: Row<Given>, given: Given): FaultWords {
  return { text: text(given), next: typeof next === "string" ? next : next(given) };
}

export function faultTextOf(code: FaultCode, language: Language): string {
  return faultCodes[code].text[language];
}

export function hintOf(code: FaultCode, language: Language): string {
  return faultCodes[code].hint[language];
}

/** The words contain the number of days, and the register's id in a command, where these are known. */
export function faultWords(
  { code, details }: Pick<Fault, "code" | "details">,
  { troubles }: Messages,
  language: Language,
  register = "",
): FaultWords {
  const { days, deviceError, makerError = deviceError } = details;
  if (code === "device.fn-expired") {
    const { text, next } = troubles.driveOver;
    // The fault of a full drive has no number of days.
    const said = typeof days === "number" ? text({ days }) : faultTextOf(code, language);
    return { text: said, next: next({ register }) };
  }
  if (code === "device.ofd-blocked" && typeof days === "number") {
    return filled(troubles.ofdOver, { days });
  }
  if (code === "device.unknown-error" && (typeof makerError === "number" || typeof makerError === "string")) {
    return filled(troubles.unknownError, { number: makerError });
  }
  return { text: faultTextOf(code, language), next: hintOf(code, language) };
}
