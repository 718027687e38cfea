/** The fence: after it no command of ours can still take effect. Also decides whether an open receipt is ours. */
import type { FencedState, OpenReceipt } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { RegisterContext } from "../register-context.js";

/**
 * Passes the fence. Returns the register's state, or the fault that stopped it: an open receipt that is not ours, or
 * a register that cannot go on. `unfenced`: our programs with an unknown end; without one only the state is read.
 */
export async function passFence(
  { driver, stores }: Pick<RegisterContext, "driver" | "stores">,
  unfenced: readonly Attempt[],
  signal: AbortSignal,
): Promise<FencedState | Fault> {
  const before = await driver.readState(signal);
  if (unfenced.length === 0) return before;
  if (before.openReceipt !== null && !couldBeOurs(before.openReceipt, unfenced)) {
    return new Fault("device.receipt-open");
  }
  try {
    const cancelOpen = unfenced.some(({ witness }) => witness.kind === "receipt" || witness.kind === "drawer");
    const requests = unfenced.flatMap(({ baseline }) => baseline.requestId ?? []);
    const confirmDate = unfenced.some(({ job }) =>
      stores.jobs.get(job).receipt.lines.some(({ type }) => type === "sync-time"),
    );
    return await driver.fence({ cancelOpen, requests, confirmDate }, signal);
  } catch (error) {
    if (isFault(error) && error.area === "device") return error;
    throw error;
  }
}

/**
 * Whether the open receipt could be that of one of these programs of ours: the same direction, and no more in it than was
 * sent. An open document of cash is ours only where the program moves cash.
 */
function couldBeOurs(open: OpenReceipt, programs: readonly Pick<Attempt, "witness">[]): boolean {
  return programs.some(({ witness }) => {
    if (open.document === "cash") return witness.kind === "drawer";
    if (witness.kind !== "receipt") return false;
    const isSameDirection = open.operation === null || open.operation === witness.operation;
    return isSameDirection && (open.subtotal === null || open.subtotal <= witness.total);
  });
}
