/**
 * What a result does to the task of its order. Results come late and out of order: a receipt that had failed, and was made
 * anew, may turn out to be printed; one that a courier printed on his own register may be printed by ours too.
 */
import type { PrintResult } from "../print-server/host-callbacks.js";
import { addTasks, keepEarlierReceipt, type ReceiptOwner, setTask } from "./fiscal-tasks.js";
import type { CommitScope } from "./order-commit.js";
import { recordRegisterLog } from "./register-log.js";
import type { StoredOrder } from "./stored-order.js";

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
    await tellTwice(scope, late, "is printed twice");
    return true;
  }
  if (!owner.isEarlier && task !== null) {
    await setTask(tx, task.id, { state: outcome, now });
    return task.state !== outcome;
  }
  if (outcome === "failed") return false;
  if (task === null) {
    await addTasks(tx, scope, [{ key: owner.key, purpose: owner.purpose, state: outcome, receiptId }]);
    return true;
  }
  if (await isOutAgain(scope, owner)) {
    await tellTwice(scope, late, "was handed out once more and may be printed twice");
    if (outcome === "unknown") return true;
  }
  await keepEarlierReceipt(tx, scope.resource, owner.key, task);
  await setTask(tx, task.id, { state: outcome, receiptId, now });
  return true;
}

/** The receipt that took this one's place cannot be taken back any more. */
async function isOutAgain({ backend, tx, resource }: CommitScope, { task }: ReceiptOwner): Promise<boolean> {
  if (task?.state === "unknown") return true;
  if (task?.state !== "queued") return false;
  return !((await backend.bridge?.withdrawReceipt(tx, resource, task)) ?? false);
}

/** A person has to look: in the log, and for the shop in its register log. */
async function tellTwice(scope: CommitScope, { order, receiptId }: LateResult, what: string): Promise<void> {
  const { backend, tx, resource, now } = scope;
  const text = `A receipt of order ${order.orderId} ${what}.`;
  backend.logger.error(text, { resource, order: order.orderId, receipt: receiptId });
  const refusal = { code: "job.already-printed", text };
  await recordRegisterLog(tx, { resource, now, frId: `twice:${receiptId}`, order, result: null, refusal });
}
