/** Whose the receipt is that stands open on a register (design.md 5, rule 6). Pure. */
import type { DeviceState, OpenReceipt } from "@fiscald/drivers/fiscal-driver.js";
import type { Attempt } from "../../store/attempt-store.js";

/**
 * A cash document is ours only where the doubt is about cash. While a doubt of ours was not fenced yet, what stands open is taken for its receipt, unless it cannot be: another
 * direction, or more in it than we ever sent.
 */
export function couldBeOurs(open: OpenReceipt, doubts: readonly Attempt[]): boolean {
  return doubts.some(({ witness }) => {
    if (open.document === "cash") return witness.kind === "drawer";
    if (witness.kind !== "receipt") return false;
    const sameDirection = open.operation === null || open.operation === witness.operation;
    return sameDirection && (open.subtotal === null || open.subtotal <= witness.total);
  });
}

/**
 * An "open receipt" of ours that the register executed only after its link had been given up and the fence was passed:
 * empty, and nothing has been registered since that attempt.
 */
export function isLateOpening(state: DeviceState, last: Attempt | null): boolean {
  const { openReceipt } = state;
  if (openReceipt === null || last === null || last.outcome !== "not-printed") return false;
  const inDoubt = last.fenceFd !== null || last.fault?.code.startsWith("link.") === true;
  const lastFd = last.fenceFd ?? last.baseline.lastFd;
  const untouched = state.fn === last.baseline.fn && state.lastFd === lastFd;
  return inDoubt && untouched && isEmpty(openReceipt) && couldBeOurs(openReceipt, [last]);
}

function isEmpty({ document, itemCount, subtotal }: OpenReceipt): boolean {
  // Whatever is in it: nothing of it counts before it is closed, which was not sent.
  if (document === "cash") return true;
  if (itemCount !== null && itemCount > 0) return false;
  if (subtotal !== null && subtotal > 0) return false;
  return itemCount !== null || subtotal !== null;
}
