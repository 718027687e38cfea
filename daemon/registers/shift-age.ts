import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";

/** A shift of this age is closed before the next job; at 24 hours the register would take nothing but the closing. */
const LONGEST_SHIFT_SECONDS = 24 * 3600 - 600;

/**
 * Whether the open shift has come to its end, by the register's own clock. `openedAt`: as recorded at its opening, for
 * registers that do not tell.
 */
export function mustCloseShift(state: DeviceState, openedAt: LocalTime | null): boolean {
  if (state.shift.state === "expired") return true;
  const opened = state.shiftOpenedAt ?? openedAt;
  if (state.shift.state !== "open" || opened === null || state.clock === null) return false;
  return secondsBetween(opened, state.clock) >= LONGEST_SHIFT_SECONDS;
}
