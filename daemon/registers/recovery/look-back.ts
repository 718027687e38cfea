/** What a register is asked about once more, because it could not tell before, and how far back. */
import type { DeviceState, FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Stores } from "../register-context.js";
import { isUnwitnessedClosing, saysSoAgain } from "./unwitnessed-closing.js";

/** How much of the past of a register that is seen for the first time is read: a lost database's orders are in it. */
export const FIRST_SIGHT_DOCUMENTS = 100;
/** A doubt that could not be settled before is looked at again while no more than this lies above it. */
export const LOOK_BACK_DOCUMENTS = 500;

/** Numbers of documents near the end of the drive. */
export function recentUnreadable(
  { documents }: Pick<Stores, "documents">,
  at: Pick<DeviceState, "fn" | "lastFd">,
): number[] {
  return documents.unreadableOf(at.fn).filter((fd) => fd > at.lastFd - FIRST_SIGHT_DOCUMENTS);
}

/**
 * Whether a look between two receipts may settle what documents that could not be read left open. Not while many lie above
 * them: these are read too, and meanwhile the register prints nothing.
 */
export function worthLookingAgain(
  stores: Stores,
  { fn, lastFd, register }: Pick<DeviceState, "fn" | "lastFd"> & { readonly register: RegisterId },
): boolean {
  const isUnread = (attempt: Attempt) => attempt.doubt?.reason === "unreadable" && isNear(attempt, { fn, lastFd });
  return recentUnreadable(stores, { fn, lastFd }).length > 0 || stores.attempts.doubtsOf(register).some(isUnread);
}

export function isNear({ baseline }: Attempt, at: Pick<DeviceState, "fn" | "lastFd">): boolean {
  return baseline.fn === at.fn && at.lastFd - baseline.lastFd <= FIRST_SIGHT_DOCUMENTS;
}

/**
 * Of these doubts, in the order in which they lay claim to a document: a closing that is looked for once more stands behind
 * one that has just begun. Asks the register once more only where one answer is not enough.
 */
export async function settleableNow(
  driver: Pick<FiscalDriver, "readState">,
  doubts: readonly Attempt[],
  state: DeviceState,
  signal: AbortSignal,
): Promise<readonly Attempt[]> {
  const open = doubts.filter((doubt) => canBeSettledNow(doubt, state));
  const closings = open.filter(isUnwitnessedClosing);
  if (closings.length === 0) return open;
  const others = open.filter((doubt) => !isUnwitnessedClosing(doubt));
  return (await saysSoAgain(driver, state, signal)) ? [...others, ...closings] : others;
}

/** Not looked at yet, or the register could not tell before and may now. */
function canBeSettledNow({ witness, fenceFd, doubt, baseline }: Attempt, state: DeviceState): boolean {
  if (doubt === null) return true;
  if (baseline.fn !== state.fn) return false;
  if (fenceFd === null) return true;
  // What was there, and is not shown now, may be the job's own: a drive that says so was accepted as it is.
  if (state.lastFd < fenceFd) return false;
  const worthIt =
    doubt.reason === "unreadable" || doubt.reason === "unproven" || isUnwitnessedClosing({ witness, doubt });
  return worthIt && state.lastFd - baseline.lastFd <= LOOK_BACK_DOCUMENTS;
}
