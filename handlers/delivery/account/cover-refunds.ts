/** Refund orders whose share of a prepayment has gone back with something else: they have no receipt, and that is told. */

import type { CommitScope } from "../orders/commit.js";
import { findOrders, keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { findTasks, type OrderTask, orderTasks, setOfPrepayment, setTask } from "./fiscal-tasks.js";
import { loadReceiptFacts } from "./receipt-facts.js";
import { isOfPrepayment, receiptLines } from "./receipt-lines.js";
import { findRefunds, idsOfSale } from "./refund-rows.js";
import { goodsSum } from "./sale-ledger.js";
import { tellCovered } from "./tell-twice.js";

const lost = { failed: ["failed", "refused"], undecided: ["failed", "refused", "waiting"] } as const;

/**
 * Before a sale is made, or known: what had failed, and has no share any more, is no return of that sale. `undecided`: nor is
 * what waits, where that was for no sale.
 */
export async function coverLost(scope: CommitScope, saleId: string, which: keyof typeof lost): Promise<void> {
  const states: readonly string[] = lost[which];
  const { tx, resource } = scope;
  for (const { order } of await findRefunds(tx, resource, saleId)) {
    for (const task of orderTasks(await findTasks(tx, resource, order))) {
      if (task.purpose !== "return" || !states.includes(task.state)) continue;
      const facts = await loadReceiptFacts(tx, resource, [order], task.receiptId);
      if (!isOfPrepayment(order, facts.prepayment) || receiptLines(order, "return", facts).length > 0) continue;
      await cover(scope, order, task);
    }
  }
}

/** What it gives back of the prepayment went back before, with something else: nobody but a person knows whether that was of this part. */
export async function cover(scope: CommitScope, refund: StoredOrder, task: OrderTask): Promise<void> {
  const { tx, resource, now } = scope;
  await setTask(tx, task.id, { state: "covered", now });
  await setOfPrepayment(tx, task);
  const saleKey = { orderId: refund.originalOrderId ?? refund.orderId, isRefund: false };
  const sale = (await findOrders(tx, resource, [saleKey.orderId])).get(keyText(saleKey));
  if (sale === undefined || goodsSum(refund) === 0) return;
  const orderIds = await idsOfSale(tx, resource, saleKey.orderId);
  await tellCovered(scope, { order: sale.order, orderIds, receiptId: task.receiptId, refundId: refund.orderId });
}
