import type { ShiftState } from "@fiscald/drivers/fiscal-driver.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { JobDocument } from "../store/job.js";

interface ShiftOfDrive {
  readonly fn: FnSerial;
  readonly shift: ShiftState | null;
}

export interface KnownShift {
  /** As our own jobs left it; null = the register was never seen. */
  readonly record: ShiftOfDrive | null;
  /** As it was read last; null = not in this run. It shows what somebody did at the register itself. */
  readonly state: ShiftOfDrive | null;
}

/** Whether a document belongs to the shift that its register has open now. */
export function isInOpenShift(
  document: Pick<JobDocument, "fn" | "shift"> | null,
  { record, state }: KnownShift,
): boolean {
  if (document === null || record === null) return false;
  return [record, state ?? record].every(
    ({ fn, shift }) => shift?.state === "open" && fn === document.fn && shift.number === document.shift,
  );
}
