/**
 * What a result does to the task of its order. Results come late and out of order: a receipt that had failed, and was made
 * anew, may turn out to be printed; one that a courier printed on his own register may be printed by ours too.
 */
import type { PrintResult } from "../../print-server/host-callbacks.js";
import type { CommitScope } from "../orders/commit.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { isReturnPurpose } from "./due-receipts.js";
import { addTasks, keepEarlierReceipt, type ReceiptOwner, setTask, type TaskState } from "./fiscal-tasks.js";
import { type TwiceTold, tellTwice } from "./tell-twice.js";

export interface LateResult {
  readonly owner: ReceiptOwner;
  readonly order: StoredOrder;
  readonly receiptId: string;
  readonly result: PrintResult;
}

/** Whether it is news of the order. The task stands for the receipt that is printed, if one is. */
export async function settleTask(scope: CommitScope, late: LateResult): Promise<boolean> {
  const { tx, now } = scope;
  const { owner, receiptId } = late;
  const { outcome } = late.result;
  const { task } = owner;
  if (task?.state === "elsewhere" || (owner.isEarlier && task?.state === "printed")) {
    if (outcome !== "printed") return false;
    await tellTwice(scope, twice(late, "is printed twice"));
    return true;
  }
  if (!owner.isEarlier && task !== null) {
    // Once it is decided that it needs no receipt, its failure does not undo that.
    const isCovered = outcome === "failed" && task.returnOf === "prepayment";
    const state = isCovered ? "covered" : outcome;
    const isNews = task.state !== state;
    if (isNews) await setTask(tx, task.id, { state, now });
    return isNews;
  }
  if (outcome === "failed") return false;
  if (task === null) {
    await addTasks(tx, scope, [{ key: owner.key, purpose: owner.purpose, state: outcome, receiptId }]);
    return true;
  }
  if (await isOutAgain(scope, owner)) {
    await tellTwice(scope, twice(late, "was handed out once more and may be printed twice"));
    if (outcome === "unknown") return true;
  }
  await keepEarlierReceipt(tx, scope.resource, owner.key, task);
  await setTask(tx, task.id, { state: outcome, receiptId, now });
  return true;
}

const givenUp: readonly string[] = ["failed", "refused", "covered"] satisfies TaskState[];

/** It had been given up, and something else may have been made of that: it is printed after all, or may be. */
export function isLifted({ task, isEarlier }: ReceiptOwner, { outcome }: PrintResult): boolean {
  return outcome !== "failed" && (isEarlier || givenUp.includes(task?.state ?? ""));
}

/** The receipt that took this one's place cannot be taken back any more. */
async function isOutAgain({ backend, tx, resource }: CommitScope, { task }: ReceiptOwner): Promise<boolean> {
  if (task?.state === "unknown") return true;
  if (task?.state !== "queued") return false;
  return !((await backend.bridge?.withdrawReceipt(tx, resource, task)) ?? false);
}

function twice({ owner, order, receiptId }: LateResult, what: string): TwiceTold {
  return { order, operation: isReturnPurpose(owner.purpose) ? "return" : "sale", receiptId, what };
}
