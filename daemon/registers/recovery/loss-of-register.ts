/**
 * What of a register's lost time no document can tell: the database was put back or deleted, and this is the register's
 * first look at it. Pure.
 */
import type { DeviceState, DrawerTotals } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Loss } from "../../store/data-loss-store.js";
import type { RegisterRecord } from "../../store/register-store.js";

export interface LossFacts {
  /** As the database that is in use now has it. */
  readonly record: RegisterRecord | null;
  readonly lastAttempt: Attempt | null;
  readonly state: Pick<DeviceState, "fn" | "shift" | "drawer">;
}

/** Null: the documents tell it all. */
export function lossOfRegister({ record, lastAttempt, state }: LossFacts): Loss | null {
  const drive = record === null || record.fn === state.fn ? null : record.fn;
  const drawer = !isDrawerUntouched(lastAttempt, state);
  return drive === null && !drawer ? null : { drive, drawer };
}

/** In the shift of the last attempt that is known, and by its counters nobody has moved cash since. */
function isDrawerUntouched(last: Attempt | null, { fn, shift, drawer }: LossFacts["state"]): boolean {
  const before = last?.baseline.drawer ?? null;
  if (last === null || before === null || drawer === null) return false;
  const { baseline } = last;
  const sameShift = baseline.fn === fn && baseline.shift.number === shift.number && baseline.shift.state !== "closed";
  if (!sameShift || shift.state === "closed") return false;
  const after = afterAttempt(before, last);
  return after !== null && after.cashIn === drawer.cashIn && after.cashOut === drawer.cashOut;
}

function afterAttempt(
  before: DrawerTotals,
  { witness, outcome }: Attempt,
): Pick<DrawerTotals, "cashIn" | "cashOut"> | null {
  if (witness.kind !== "drawer" || outcome === "not-printed") return before;
  if (outcome !== "printed") return null;
  const moved = { in: { in: witness.sum, out: 0 }, out: { in: 0, out: witness.sum } }[witness.direction];
  return { cashIn: kopecks(before.cashIn + moved.in), cashOut: kopecks(before.cashOut + moved.out) };
}
