/** Refund orders of a prepaid sale that are of what the courier took back, and so of no sale that his own register prints. */
import { kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { itemSum } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Reader } from "../store/delivery-store.js";
import { canceledPortions, soldItems } from "./due-receipts.js";
import { findTasks, isOnItsWay } from "./fiscal-tasks.js";
import { prepaidTotal } from "./prepayment.js";
import { loadPrepayment } from "./prepayment-ledger.js";
import { findReceipts } from "./receipt-rows.js";
import { findExcess } from "./refund-limits.js";
import { findRefunds } from "./refund-rows.js";

/**
 * The ids of those whose share of the prepayment is on its way, in their order: as far as the goods are those that were
 * taken back, and the prepayment has the money besides all that is sold.
 */
export async function sharesOfCanceled(db: Reader, resource: number, sale: StoredOrder): Promise<ReadonlySet<string>> {
  const goods = canceledPortions(sale).map((item) => ({ ...item, canceledItems: [] }));
  const ledger = goods.length === 0 ? null : await loadPrepayment(db, resource, sale);
  if (ledger === null) return new Set();
  const shares = await sharesOnTheirWay(db, resource, sale);
  const { sum, back } = ledger.prepayment;
  const onTheirWay = sumKopecks(shares.map(({ money }) => money));
  let room = sum - (back - onTheirWay) - sumKopecks(soldItems(sale).map(itemSum));
  const kept: StoredOrder[] = [];
  for (const { refund, money } of shares) {
    if (money > room || findExcess({ ...sale, goods }, kept, refund) !== null) continue;
    room -= money;
    kept.push(refund);
  }
  return new Set(kept.map(({ orderId }) => orderId));
}

async function sharesOnTheirWay(db: Reader, resource: number, sale: StoredOrder) {
  const shares = [];
  for (const { order: refund } of await findRefunds(db, resource, sale.orderId)) {
    const tasks = (await findTasks(db, resource, refund)).filter((task) => isOnItsWay([task], "return"));
    const receipts = await findReceipts(db, resource, tasks);
    const money = kopecks(sumKopecks([...receipts.values()].map(prepaidTotal)));
    if (money > 0) shares.push({ refund, money });
  }
  return shares;
}
