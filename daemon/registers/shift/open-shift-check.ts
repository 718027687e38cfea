import type { ShiftState } from "@fiscald/drivers/fiscal-driver.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { JobDocument } from "../../store/job.js";

interface ShiftOfDrive {
  readonly fn: FnSerial;
  readonly shift: ShiftState | null;
}

export interface KnownShift {
  /** The shift as our own last job left it; null = the register was never read. */
  readonly record: ShiftOfDrive | null;
  /** The shift as it was read last, which shows changes made at the register itself; null = not read in this run. */
  readonly state: ShiftOfDrive | null;
}

/** Whether the register is still in the shift, on the same drive, in which this last attempt began. */
export function isStillInShiftOf(last: Attempt | undefined, { record, state }: KnownShift): boolean {
  const now = state ?? record;
  if (last === undefined || now?.shift == null) return false;
  const { fn, shift } = last.baseline;
  return (
    now.fn === fn && now.shift.number === shift.number && (now.shift.state === "closed") === (shift.state === "closed")
  );
}

/** A shift older than 24 hours goes on until it is closed. */
export function isInOpenShift(
  document: Pick<JobDocument, "fn" | "shift"> | null,
  { record, state }: KnownShift,
): boolean {
  if (document === null || record === null) return false;
  // A higher shift number is newer. The record does not know a shift that a person opened at the register.
  const isNewer = state?.fn === record.fn && (state.shift?.number ?? 0) > (record.shift?.number ?? 0);
  const known = isNewer ? [state] : [record, state ?? record];
  return known.every(
    ({ fn, shift }) =>
      fn === document.fn && shift !== null && shift.state !== "closed" && shift.number === document.shift,
  );
}
