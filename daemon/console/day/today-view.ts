import { formatRoubles } from "@fiscald/shared/amounts.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import { nextClosing } from "../../registers/shift/shift-age.js";
import type { ConsoleParts } from "../console-parts.js";
import { dayBoundsAt, zoneOf } from "./day-receipts.js";

export type TodayView = ReturnType<typeof todayView>;

export function todayView({ jobs, snapshots, clock }: Pick<ConsoleParts, "jobs" | "snapshots" | "clock">) {
  const now = clock.now();
  const registers = snapshots();
  const { sales, returns, saleCount, returnCount } = jobs.sumOfDay(dayBoundsAt(now, zoneOf(registers)));
  return {
    sales: { count: saleCount, sum: formatRoubles(sales) },
    returns: { count: returnCount, sum: formatRoubles(returns) },
    isShiftOpen: registers.some(({ state }) => state !== null && state.shift.state !== "closed"),
    nextClosing: firstClosing(registers, now),
  };
}

/** The earliest closing of an open shift, by its register's clock; null: unknown. */
function firstClosing(registers: readonly RegisterSnapshot[], now: number) {
  const closings = registers.flatMap(({ settings: { title, closeShiftAt, timeZone }, state }) => {
    if (state === null) return [];
    const at = nextClosing({ ...state, clock: state.clock ?? localTimeAt(now, timeZone) }, closeShiftAt);
    return at === null ? [] : [{ register: title, at }];
  });
  return closings.sort((one, other) => one.at.localeCompare(other.at))[0] ?? null;
}
