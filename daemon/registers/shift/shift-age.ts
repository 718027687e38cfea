import type { DeviceState, ShiftState } from "@fiscald/drivers/fiscal-driver.js";
import { addSeconds, type LocalTime, parseLocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import type { RecordedShift, RegisterRecord } from "../../store/register-store.js";

/** A shift of this age is closed before the next job. At 24 hours the register would take only the closing. */
const LONGEST_SHIFT_SECONDS = 24 * 3600 - 600;

/** A shift of unknown age is closed when it is seen this soon after a closing time. */
const CLOSING_TIME_SECONDS = 600;

export type ShiftClock = Pick<DeviceState, "shift" | "shiftOpenedAt" | "clock">;
/** Finds the shift on record, for registers that do not report when their shift was opened. */
type FindShift = () => Pick<RecordedShift, "number" | "openedAt"> | null;

/** Judged by the register's own clock. A shift on record with another number says nothing about this shift's age. */
export function mustCloseShift(state: ShiftClock, findShift: FindShift): boolean {
  if (state.shift.state === "expired") return true;
  const opened = openedAt(state, findShift);
  if (opened === null || state.clock === null) return false;
  return secondsBetween(opened, state.clock) >= LONGEST_SHIFT_SECONDS;
}

/** Whether a closing time (`HH:MM`) has passed since the shift was opened, by the clock that dated the opening. */
export function missedClosing(state: ShiftClock, findShift: FindShift, closeShiftAt: string): boolean {
  const { clock } = state;
  const opened = openedAt(state, findShift);
  const today = clock === null ? null : parseLocalTime(`${clock.slice(0, 10)}T${closeShiftAt}:00`);
  if (state.shift.state !== "open" || clock === null || today === null) return false;
  const last = secondsBetween(today, clock) >= 0 ? today : addSeconds(today, -24 * 3600);
  return opened === null ? secondsBetween(last, clock) < CLOSING_TIME_SECONDS : secondsBetween(opened, last) > 0;
}

/** When the open shift is closed, by the clock that dated its opening. Null: no shift is open, or no time is known. */
export function nextClosing(
  { shift, shiftOpenedAt, clock }: ShiftClock,
  closeShiftAt: string | null,
): LocalTime | null {
  if (shift.state !== "open" || clock === null) return null;
  const today = closeShiftAt === null ? null : parseLocalTime(`${clock.slice(0, 10)}T${closeShiftAt}:00`);
  const timed = today !== null && today <= clock ? addSeconds(today, 24 * 3600) : today;
  const latest = shiftOpenedAt === null ? null : addSeconds(shiftOpenedAt, LONGEST_SHIFT_SECONDS);
  return [timed, latest].flatMap((at) => at ?? []).sort()[0] ?? null;
}

/** The number of the open shift, or of the next shift when none is open. */
export function shiftAtHand({ number, state }: ShiftState): number {
  return state === "closed" ? number + 1 : number;
}

/** Null when no shift is open or its opening time is unknown. */
function openedAt({ shift, shiftOpenedAt }: ShiftClock, findShift: FindShift): LocalTime | null {
  if (shift.state !== "open") return null;
  if (shiftOpenedAt !== null) return shiftOpenedAt;
  const recorded = findShift();
  return recorded?.number === shift.number ? recorded.openedAt : null;
}

/** A shift that is on record keeps its opening time. */
export function shiftToRecord(
  record: Pick<RegisterRecord, "fn" | "shift"> | null,
  { fn, shift, shiftOpenedAt }: Pick<DeviceState, "fn" | "shift" | "shiftOpenedAt">,
): RecordedShift {
  const isOnRecord = record?.fn === fn && record.shift?.number === shift.number;
  return { ...shift, openedAt: shiftOpenedAt ?? (isOnRecord ? (record.shift?.openedAt ?? null) : null) };
}
