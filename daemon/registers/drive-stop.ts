/**
 * What stops a fiscal drive, as the register's state shows it. A refusal alone proves nothing, because error 05h of a
 * Shtrih-M register means both "lifetime over" and "wrong parameters".
 */
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import { secondsBetween } from "@fiscald/shared/local-time.js";

export type DriveFacts = Pick<DeviceState, "fnDaysLeft" | "fnDocumentsLeft" | "fnWarnings" | "unsent" | "clock">;

/** A drive accepts no document while its oldest unsent document has waited for the OFD longer than this. */
export const OFD_DAYS = 30;
/** Bits of the drive's warnings: its term, keys or memory will soon run out, or it has failed. */
const ENDING_FLAGS = 0x01 | 0x02 | 0x04 | 0x80;

/** Null: nothing stops the drive. `details.days` says for how long the term is over or documents have waited. */
export function driveStop(state: DriveFacts): Fault | null {
  const { fnDaysLeft, fnDocumentsLeft } = state;
  if (fnDaysLeft !== null && fnDaysLeft < 0) {
    const days = -fnDaysLeft;
    return new Fault("device.fn-expired", { message: `the fiscal drive ended ${days} days ago`, details: { days } });
  }
  if (fnDocumentsLeft === 0) {
    return new Fault("device.fn-expired", { message: "the fiscal drive has no room for a document" });
  }
  const waited = unsentDays(state) ?? 0;
  if (waited <= OFD_DAYS) return null;
  const days = Math.floor(waited);
  return new Fault("device.ofd-blocked", { message: `documents wait for the OFD for ${days} days`, details: { days } });
}

/** For how many days the oldest document has waited for the OFD, by the register's clock; null = unknown. */
export function unsentDays({ unsent, clock }: Pick<DriveFacts, "unsent" | "clock">): number | null {
  if (unsent?.count === 0) return 0;
  return unsent?.firstAt == null || clock === null ? null : secondsBetween(unsent.firstAt, clock) / 86_400;
}

/** Whether the refusal is about the drive. The register's state must then confirm the refusal. */
export function isOfDrive({ code }: Pick<Fault, "code">): boolean {
  return code === "device.fn-expired" || code === "device.ofd-blocked";
}

/** Whether the state after a refusal says that the drive is well. The refusal is then about the job. */
export function deniesStop({ code }: Pick<Fault, "code">, state: DriveFacts): boolean {
  if (driveStop(state) !== null) return false;
  const waited = unsentDays(state);
  // The drive may round the time differently, so a day's tolerance is allowed.
  if (code === "device.ofd-blocked") return waited !== null && waited < OFD_DAYS - 1;
  const { fnDaysLeft, fnDocumentsLeft, fnWarnings } = state;
  // A drive that does not report its free room may be full.
  const isTold = fnDaysLeft !== null && fnDocumentsLeft !== null;
  return code === "device.fn-expired" && isTold && (fnWarnings & ENDING_FLAGS) === 0;
}
