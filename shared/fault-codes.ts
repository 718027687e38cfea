/**
 * Every fault there is: what it means, whether trying again helps, what the site is told (resultCode of the
 * print-server protocol), and what a person should do, in both languages. A table for each area that codes begin with.
 */
import { apiFaults } from "./fault-codes/api.js";
import { callFaults } from "./fault-codes/call.js";
import { configFaults } from "./fault-codes/config.js";
import { deviceFaults } from "./fault-codes/device.js";
import type { FaultRow, FaultText } from "./fault-codes/fault-row.js";
import { givenUp } from "./fault-codes/hints.js";
import { jobFaults } from "./fault-codes/job.js";
import { linkFaults } from "./fault-codes/link.js";
import { logFaults } from "./fault-codes/log.js";
import { orderFaults } from "./fault-codes/order.js";
import { programFaults } from "./fault-codes/program.js";
import { receiptFaults } from "./fault-codes/receipt.js";
import { registerFaults } from "./fault-codes/register.js";
import { siteFaults } from "./fault-codes/site.js";
import { storeFaults } from "./fault-codes/store.js";

export type { FaultRow, FaultText, ResultCode, RetryClass } from "./fault-codes/fault-row.js";

/** In the order of FAULTS.md. */
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

/** What to do about a job that failed with this fault: nothing is tried again by itself any more. */
export function hintOfGivenUp(code: FaultCode): FaultText {
  const { hint, retry } = faultCodes[code];
  if (retry === "never" || retry === "unsure") return hint;
  const [en, ru] = givenUp;
  return /by itself/.test(hint.en) ? { en, ru } : { en: `${hint.en} ${en}`, ru: `${hint.ru} ${ru}` };
}

export type FaultCode = keyof typeof faultCodes;

/** Which part of the product a fault comes from: what stands before the dot of its code. */
export type FaultArea = FaultCode extends infer Code ? (Code extends `${infer Area}.${string}` ? Area : Code) : never;

export function faultArea(code: FaultCode): FaultArea {
  const [area] = code.split(".");
  return area as FaultArea;
}

export function isFaultCode(value: string): value is FaultCode {
  return Object.hasOwn(faultCodes, value);
}
