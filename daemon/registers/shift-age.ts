import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { secondsBetween } from "@fiscald/shared/local-time.js";
import type { RecordedShift } from "../store/register-store.js";

/** A shift of this age is closed before the next job; at 24 hours the register would take nothing but the closing. */
const LONGEST_SHIFT_SECONDS = 24 * 3600 - 600;

/**
 * Whether the open shift has come to its end, by the register's own clock. `recorded`: the shift on record, for registers
 * that do not tell when theirs was opened. Another one than the open shift says nothing of its age.
 */
export function mustCloseShift(
  state: Pick<DeviceState, "shift" | "shiftOpenedAt" | "clock">,
  recorded: Pick<RecordedShift, "number" | "openedAt"> | null,
): boolean {
  if (state.shift.state === "expired") return true;
  const opened = state.shiftOpenedAt ?? (recorded?.number === state.shift.number ? recorded.openedAt : null);
  if (state.shift.state !== "open" || opened === null || state.clock === null) return false;
  return secondsBetween(opened, state.clock) >= LONGEST_SHIFT_SECONDS;
}
