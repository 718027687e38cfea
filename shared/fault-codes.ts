/**
 * Every fault there is: what it means, whether trying again helps, what the site is told (resultCode of the
 * print-server protocol), and what a person should do, in both languages. A table for each area that codes begin with.
 */
import { apiFaults } from "./fault-codes/api.js";
import { callFaults } from "./fault-codes/call.js";
import { configFaults } from "./fault-codes/config.js";
import { deviceFaults } from "./fault-codes/device.js";
import type { FaultRow } from "./fault-codes/fault-row.js";
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

export type FaultCode = keyof typeof faultCodes;

export function isFaultCode(value: string): value is FaultCode {
  return Object.hasOwn(faultCodes, value);
}
