import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { RecordedShift, RegisterRecord } from "../../store/register-store.js";

/** The shift as it was read, for the record: of one that is on record already it is known when it was opened. */
export function shiftSeen(
  record: Pick<RegisterRecord, "fn" | "shift"> | null,
  { fn, shift, shiftOpenedAt }: Pick<DeviceState, "fn" | "shift" | "shiftOpenedAt">,
): RecordedShift {
  const isOnRecord = record?.fn === fn && record.shift?.number === shift.number;
  return { ...shift, openedAt: shiftOpenedAt ?? (isOnRecord ? (record.shift?.openedAt ?? null) : null) };
}
