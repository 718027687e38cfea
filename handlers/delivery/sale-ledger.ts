/** What of a printed sale went back, by the receipts of the sale and of its refund orders. */
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { totalOf } from "@fiscald/shared/receipt/receipt.js";
import { soldItems } from "./due-receipts.js";
import { type FiscalTask, findTasks, isOnItsWay, isRegistered } from "./fiscal-tasks.js";
import type { Reader } from "./operation.js";
import { itemSum } from "./order-rules.js";
import { findReceipts, loadPrepayment, prepaidTotal } from "./prepayment-ledger.js";
import { findRefunds } from "./refund-rows.js";
import type { StoredOrder } from "./stored-order.js";

export interface SaleLedger {
  readonly sold: Kopecks;
  /** Registered or on its way. What went back of a prepayment is none of the sale. */
  readonly back: Kopecks;
  /** Of that, registered. */
  readonly registered: Kopecks;
}

/** Null while no sale is registered. `except`: a receipt that does not count, being the one in question. */
export async function loadSaleLedger(
  db: Reader,
  resource: number,
  sale: StoredOrder,
  except: string | null = null,
): Promise<SaleLedger | null> {
  const tasks = await findTasks(db, resource, sale);
  const settlement = tasks.find((task) => isRegistered([task], "sale"));
  if (settlement === undefined) return null;
  const prepaid = await loadPrepayment(db, resource, sale);
  const returns = tasks.map((task) => ({ task, order: sale }));
  for (const { order } of await findRefunds(db, resource, sale.orderId)) {
    if (prepaid?.refundsBefore.has(order.orderId) === true) continue;
    for (const task of await findTasks(db, resource, order)) returns.push({ task, order });
  }
  const asked = returns.filter(({ task }) => task.purpose === "return" && task.receiptId !== except);
  const receipts = await findReceipts(db, resource, [settlement, ...asked.map(({ task }) => task)]);
  const moneyOf = (task: FiscalTask, order: StoredOrder) => {
    // A courier's register does not say whether it gave back the prepayment.
    if (task.state === "elsewhere") return prepaid === null ? goodsSum(order) : kopecks(0);
    const receipt = task.state === "waiting" ? undefined : receipts.get(task.receiptId);
    if (receipt === undefined) return goodsSum(order);
    return prepaidTotal(receipt) > 0 ? kopecks(0) : totalOf(receipt);
  };
  const printed = settlement.state === "printed" ? receipts.get(settlement.receiptId) : undefined;
  const sumOf = (wanted: (task: FiscalTask) => boolean) =>
    sumKopecks(asked.filter(({ task }) => wanted(task)).map(({ task, order }) => moneyOf(task, order)));
  return {
    sold: printed === undefined ? goodsSum(sale) : totalOf(printed),
    back: sumOf((task) => isRegistered([task]) || isOnItsWay([task])),
    registered: sumOf((task) => isRegistered([task])),
  };
}

/** What an order's return gives back: a refund order's goods, or what was sold in the end. */
export function goodsSum(order: StoredOrder): Kopecks {
  return sumKopecks((order.isRefund ? order.goods : soldItems(order)).map(itemSum));
}
