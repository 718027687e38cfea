/**
 * The table of all faults: the meaning of each, whether a retry helps, the site's resultCode (print-server protocol),
 * and what a person should do, in both languages. There is one table for each area; codes begin with the area.
 */
import { apiFaults, callFaults } from "./fault-codes/call.js";
import { configFaults } from "./fault-codes/config.js";
import { deviceFaults } from "./fault-codes/device.js";
import { type FaultRow, type FaultText, givenUp } from "./fault-codes/fault-row.js";
import { jobFaults } from "./fault-codes/job.js";
import { linkFaults } from "./fault-codes/link.js";
import { programFaults } from "./fault-codes/program.js";
import { orderFaults, receiptFaults } from "./fault-codes/receipt.js";
import { registerFaults } from "./fault-codes/register.js";
import { siteFaults } from "./fault-codes/site.js";
import { logFaults, storeFaults } from "./fault-codes/store.js";

export type { FaultRow, FaultText, ResultCode, RetryClass } from "./fault-codes/fault-row.js";

export const faultCodes = {
  ...linkFaults,
  ...deviceFaults,
  ...registerFaults,
  ...jobFaults,
  ...orderFaults,
  ...receiptFaults,
  ...siteFaults,
  ...callFaults,
  ...apiFaults,
  ...storeFaults,
  ...logFaults,
  ...configFaults,
  ...programFaults,
} as const satisfies Record<string, FaultRow>;

/** The hint for a job that this fault has ended for good, after which nothing retries the job automatically. */
export function hintOfGivenUp(code: FaultCode): FaultText {
  const { hint, retry, hintGoesOn } = faultCodes[code];
  if (retry === "never" || retry === "unsure") return hint;
  const [en, ru] = givenUp;
  return hintGoesOn ? { en, ru } : { en: `${hint.en} ${en}`, ru: `${hint.ru} ${ru}` };
}

export type FaultCode = keyof typeof faultCodes;

export type FaultArea = FaultCode extends infer Code ? (Code extends `${infer Area}.${string}` ? Area : Code) : never;

export function faultArea(code: FaultCode): FaultArea {
  const [area] = code.split(".");
  return area as FaultArea;
}

export function isFaultCode(value: string): value is FaultCode {
  return Object.hasOwn(faultCodes, value);
}
