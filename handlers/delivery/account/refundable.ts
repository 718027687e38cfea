/** What refund orders of a sale are held against. */
import type { StoredOrder } from "../orders/stored-order.js";
import type { Reader } from "../store/delivery-store.js";
import { findTasks, saleStanding } from "./fiscal-tasks.js";
import { loadPrepayment } from "./prepayment-ledger.js";
import { findRefunds } from "./refund-rows.js";

export interface Refundable {
  /** Its positions may come back: while only its prepayment is registered, those too that the courier took back. */
  readonly sale: StoredOrder;
  /** What has come back of it already. Refunds of the prepayment are none of the sale that came after. */
  readonly refunds: readonly StoredOrder[];
}

export async function loadRefundable(db: Reader, resource: number, sale: StoredOrder): Promise<Refundable> {
  const refunds = (await findRefunds(db, resource, sale.orderId)).map(({ order }) => order);
  const standing = saleStanding(await findTasks(db, resource, sale));
  if (standing === "prepaid") {
    return { sale: { ...sale, goods: sale.goods.map((item) => ({ ...item, canceledItems: [] })) }, refunds };
  }
  const before = (await loadPrepayment(db, resource, sale))?.refundsBefore;
  return { sale, refunds: refunds.filter(({ orderId }) => before?.has(orderId) !== true) };
}
