/** What is told of an order while its receipt is made: that there can be none, or that its own sum is another. */
import { randomUUID } from "node:crypto";
import { formatRoubles, kopecks } from "@fiscald/shared/amounts.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { type CommitScope, commitOrders } from "../orders/commit.js";
import type { OrderChange } from "../orders/journal.js";
import { recordRegisterLog } from "../orders/register-log.js";
import { toKopecks } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { collectedSum, costToCollect, isCollectedInPart, RETURNED } from "./due-receipts.js";
import { type FiscalTask, findTasks, isOnItsWay, isRegistered, setTask } from "./fiscal-tasks.js";
import { loadSaleLedger } from "./sale-ledger.js";

/** The shop reads why in its register log, and its order says that there is an error. */
export async function refuseReceipt(
  scope: CommitScope,
  change: OrderChange,
  task: FiscalTask,
  fault: Fault,
): Promise<void> {
  const { backend, tx, resource, now } = scope;
  const { after: order } = change;
  backend.store.afterCommit(tx, () =>
    backend.logger.warn("no receipt can be made of an order", { resource, order: order.orderId, fault }),
  );
  await setTask(tx, task.id, { state: "refused", now });
  await recordRegisterLog(tx, {
    resource,
    now,
    frId: `refused:${randomUUID()}`,
    order,
    result: null,
    refusal: { code: fault.code, text: fault.message },
  });
  await showRefused(scope, change);
}

/** Money that no receipt carries: what was collected is less than what was delivered, or a whole return meets refund orders. */
export async function alertMoneyWithoutReceipt(scope: CommitScope, change: OrderChange): Promise<void> {
  const { after: order } = change;
  if (order.isRefund || order.goods.length === 0) return;
  const alert = isCollectedInPart(order) ? await ofPart(scope, order) : await ofWholeReturn(scope, order);
  if (alert === null) return;
  const { backend, tx, resource, now } = scope;
  const refusal = { code: "receipt.payments-mismatch", text: alert.text };
  const isNews = await recordRegisterLog(tx, { resource, now, frId: alert.key, order, result: null, refusal });
  if (!isNews) return;
  backend.store.afterCommit(tx, () => backend.logger.error(alert.text, { resource, order: order.orderId }));
  await showRefused(scope, change);
}

interface Alert {
  /** One alert of each: a further payment that still does not cover the order is news. */
  readonly key: string;
  readonly text: string;
}

async function ofPart({ tx, resource }: CommitScope, order: StoredOrder): Promise<Alert | null> {
  const tasks = await findTasks(tx, resource, order);
  if (isRegistered(tasks, "sale") || isOnItsWay(tasks, "sale")) return null;
  const collected = formatRoubles(collectedSum(order));
  const text = `Order ${order.orderId} is delivered, and the payments of ${collected} do not cover the ${formatRoubles(costToCollect(order))} that are to be paid: no receipt is printed. The missing payment is to be added, or the order is to be changed.`;
  return { key: `unpaid:${order.orderId}:${collected}`, text };
}

async function ofWholeReturn({ tx, resource }: CommitScope, order: StoredOrder): Promise<Alert | null> {
  if (order.deliveryStatusId !== RETURNED || !order.isReturned) return null;
  const ledger = await loadSaleLedger(tx, resource, order);
  const left = ledger === null ? 0 : ledger.sold - ledger.back;
  const tasks = await findTasks(tx, resource, order);
  if (left <= 0 || isRegistered(tasks, "return") || isOnItsWay(tasks, "return")) return null;
  const text = `Order ${order.orderId} has come back as a whole, and refund orders have given back a part of it: no receipt gives back the other ${formatRoubles(kopecks(left))}. A refund order for the rest is to be made.`;
  return { key: `unreturned:${order.orderId}:${left}`, text };
}

async function showRefused(scope: CommitScope, { after: order, isHidden = false }: OrderChange): Promise<void> {
  if (order.frReceiptStatusId === 2) return;
  const refused: OrderChange = { before: order, after: { ...order, frReceiptStatusId: 2 }, isHidden };
  await commitOrders({ ...scope, isResult: true }, [refused]);
}

/** The receipt goes by the positions (domain 3.4); in `amountToPay` the discount is not applied. */
export function warnOfOtherAmount({ backend, tx }: CommitScope, order: StoredOrder): void {
  const gross = order.goods.reduce((sum, item) => sum + toKopecks(item.total), 0);
  if (gross === toKopecks(order.amountToPay)) return;
  const { orderId, amountToPay } = order;
  backend.store.afterCommit(tx, () =>
    backend.logger.warn("amountToPay differs from the positions", { order: orderId, amountToPay, total: gross / 100 }),
  );
}
