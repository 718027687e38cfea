/**
 * Cash that may have been moved while another database was in use: no document shows it. Until the shift of the loss is
 * over, a site's order to move cash becomes unsure. Pure.
 */
import type { DeviceState, DrawerTotals, ShiftState } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { DrawerLoss } from "../../store/data-loss-store.js";
import type { Job } from "../../store/job.js";
import { shiftAtHand } from "../shift/shift-age.js";

/** Null: by the drawer's counters nothing was moved since the last attempt that is on record. */
export function drawerLossOf(
  last: Attempt | null,
  state: Pick<DeviceState, "fn" | "shift" | "drawer">,
): DrawerLoss | null {
  return isDrawerUntouched(last, state) ? null : { fn: state.fn, shift: shiftAtHand(state.shift) };
}

/** Whether the job moves cash by a site's order: nothing on record tells whether it was done before the loss. */
export function movesCashOfSite({ receipt, source, forced }: Job): boolean {
  return source === "site" && !forced && receipt.lines.some(({ type }) => type === "cash");
}

/** Whether the shift of the loss is still at hand. `shift` null: it is not known. */
export function isLossOpen(
  loss: DrawerLoss | null,
  { fn, shift }: { readonly fn: FnSerial; readonly shift: ShiftState | null },
): boolean {
  return loss?.fn === fn && (shift === null || shiftAtHand(shift) <= loss.shift);
}

function isDrawerUntouched(
  last: Attempt | null,
  { fn, shift, drawer }: Pick<DeviceState, "fn" | "shift" | "drawer">,
): boolean {
  const before = last?.baseline.drawer ?? null;
  if (last === null || before === null || drawer === null) return false;
  const { baseline } = last;
  const isSameShift = baseline.fn === fn && baseline.shift.number === shift.number && baseline.shift.state !== "closed";
  if (!isSameShift || shift.state === "closed") return false;
  const after = drawerAfter(before, last);
  return after !== null && after.cashIn === drawer.cashIn && after.cashOut === drawer.cashOut;
}

function drawerAfter(
  before: DrawerTotals,
  { witness, outcome }: Attempt,
): Pick<DrawerTotals, "cashIn" | "cashOut"> | null {
  if (witness.kind !== "drawer" || outcome === "not-printed") return before;
  if (outcome !== "printed") return null;
  const moved = { in: { in: witness.sum, out: 0 }, out: { in: 0, out: witness.sum } }[witness.direction];
  return { cashIn: kopecks(before.cashIn + moved.in), cashOut: kopecks(before.cashOut + moved.out) };
}
