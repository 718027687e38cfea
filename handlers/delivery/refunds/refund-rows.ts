/** Stores the sale of each refund order, and the payments by which a refund order finds its sale. */
import { insertRows } from "../../store/insert-rows.js";
import { inChunks } from "../catalog/records.js";
import { MAX_ID_LENGTH } from "../http/wire-types.js";
import { findOrders, keyText, saleIdOf } from "../orders/rows.js";
import type { StoredOrder, StoredPayment } from "../orders/stored-order.js";
import type { Reader, Writer } from "../store/delivery-store.js";

export async function saveRefunds(tx: Writer, resource: number, refunds: readonly StoredOrder[]): Promise<void> {
  const sales = refunds.map((refund) => ({ resource, refund_id: refund.orderId, sale_id: saleIdOf(refund) }));
  const known = { key: ["resource", "refund_id"], replace: ["sale_id"] } as const;
  await insertRows({ tx, table: "delivery_refunds", rows: sales, known });
}

/** The sale's own id, then `1042-2`, `1042-3`. Never another sale's id: fiscal documents are found by it. */
export async function nextRefundId(db: Reader, resource: number, saleId: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `-${number}`;
    const orderId = `${saleId.slice(0, MAX_ID_LENGTH - suffix.length)}${suffix}`;
    const known = await findOrders(db, resource, [orderId]);
    const isSale = orderId !== saleId && known.has(keyText({ orderId, isRefund: false }));
    if (!isSale && !known.has(keyText({ orderId, isRefund: true }))) return orderId;
  }
}

export async function savePayments(
  tx: Writer,
  resource: number,
  saleId: string,
  payments: readonly Pick<StoredPayment, "paymentId">[],
): Promise<void> {
  await tx
    .insertInto("delivery_payments")
    .values(payments.map(({ paymentId }) => ({ resource, payment_id: paymentId, order_id: saleId })))
    // A refund order with the id of its sale may name the sale's payments.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const NOBODY = "";

/** Several orders have named this payment, so it belongs to none. */
export async function disownPayment(
  tx: Writer,
  resource: number,
  { paymentId }: Pick<StoredPayment, "paymentId">,
): Promise<void> {
  await tx
    .updateTable("delivery_payments")
    .set({ order_id: NOBODY })
    .where((is) => is.and({ resource, payment_id: paymentId }))
    .execute();
}

export async function forgetPayments(
  tx: Writer,
  resource: number,
  saleId: string,
  payments: readonly Pick<StoredPayment, "paymentId">[],
): Promise<void> {
  if (payments.length === 0) return;
  const ids = payments.map(({ paymentId }) => paymentId);
  await tx
    .deleteFrom("delivery_payments")
    .where((is) => is.and({ resource, order_id: saleId }))
    .where("payment_id", "in", ids)
    .execute();
}

/** Ids of orders by the ids of their payments. */
export async function ordersOfPayments(
  db: Reader,
  resource: number,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const orders = new Map<string, string>();
  for (const ids of inChunks([...new Set(paymentIds)])) {
    const rows = await db
      .selectFrom("delivery_payments")
      .select(["payment_id", "order_id"])
      .where("resource", "=", resource)
      .where("payment_id", "in", ids)
      .where("order_id", "!=", NOBODY)
      .execute();
    for (const row of rows) orders.set(row.payment_id, row.order_id);
  }
  return orders;
}
