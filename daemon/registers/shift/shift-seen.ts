import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { RecordedShift, RegisterRecord } from "../../store/register-store.js";

/** The shift as it was read, for the record; a shift that is on record keeps its opening time. */
export function shiftToRecord(
  record: Pick<RegisterRecord, "fn" | "shift"> | null,
  { fn, shift, shiftOpenedAt }: Pick<DeviceState, "fn" | "shift" | "shiftOpenedAt">,
): RecordedShift {
  const isOnRecord = record?.fn === fn && record.shift?.number === shift.number;
  return { ...shift, openedAt: shiftOpenedAt ?? (isOnRecord ? (record.shift?.openedAt ?? null) : null) };
}
