/** A fault in words: what is wrong, and what to do. */
import type { Fault } from "@fiscald/shared/fault.js";
import { type FaultCode, faultCodes } from "@fiscald/shared/fault-codes.js";
import type { Language, Messages } from "../../messages/messages.js";

export interface FaultWords {
  readonly text: string;
  readonly next: string;
}

export function faultTextOf(code: FaultCode, language: Language): string {
  return faultCodes[code].text[language];
}

export function hintOf(code: FaultCode, language: Language): string {
  return faultCodes[code].hint[language];
}

/** What is wrong and what to do, with the number of days where it is known. */
export function faultWords(
  { code, details }: Pick<Fault, "code" | "details">,
  { troubles }: Messages,
  language: Language,
): FaultWords {
  const { days, deviceError, makerError = deviceError } = details;
  if (code === "device.fn-expired" && typeof days === "number") {
    return { text: troubles.driveOver.text({ days }), next: troubles.driveOver.next };
  }
  if (code === "device.ofd-blocked" && typeof days === "number") {
    return { text: troubles.ofdOver.text({ days }), next: troubles.ofdOver.next };
  }
  if (code === "device.unknown-error" && (typeof makerError === "number" || typeof makerError === "string")) {
    return { text: troubles.unknownError.text({ number: makerError }), next: troubles.unknownError.next };
  }
  return { text: faultTextOf(code, language), next: hintOf(code, language) };
}
