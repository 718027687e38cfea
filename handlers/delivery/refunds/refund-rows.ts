/** Which refund orders a sale has, in the database. */
import { MAX_ID_LENGTH } from "../http/wire-types.js";
import { findOrders, keyText } from "../orders/rows.js";
import type { Reader, Writer } from "../store/delivery-store.js";

export async function saveRefundLinks(
  tx: Writer,
  resource: number,
  links: readonly { readonly refundId: string; readonly saleId: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await tx
    .insertInto("delivery_refunds")
    .values(links.map(({ refundId, saleId }) => ({ resource, refund_id: refundId, sale_id: saleId })))
    .onConflict((conflict) =>
      conflict
        .columns(["resource", "refund_id"])
        .doUpdateSet((expression) => ({ sale_id: expression.ref("excluded.sale_id") })),
    )
    .execute();
}

/**
 * The id of the sale's next refund order: the sale's own, which is the document's way, then `1042-2`, `1042-3` for further
 * parts that come back. Never the id of another sale: fiscal documents are found by it.
 */
export async function nextRefundId(db: Reader, resource: number, saleId: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `-${number}`;
    const orderId = `${saleId.slice(0, MAX_ID_LENGTH - suffix.length)}${suffix}`;
    const known = await findOrders(db, resource, [orderId]);
    const isSale = orderId !== saleId && known.has(keyText({ orderId, isRefund: false }));
    if (!isSale && !known.has(keyText({ orderId, isRefund: true }))) return orderId;
  }
}
