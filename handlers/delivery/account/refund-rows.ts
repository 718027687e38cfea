/** Which refund orders a sale has, in the database. */
import { MAX_ID_LENGTH } from "../http/wire-types.js";
import { findOrders, type KnownOrder, keyText, type OrderKey } from "../orders/rows.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import { type FiscalTask, findTasks, isOnItsWay, keptDocument } from "./fiscal-tasks.js";

/** The refunds of a sale that have given, or will give, money back: a deleted one counts once it was paid, or printed, or may be. */
export async function findRefunds(db: Reader, resource: number, saleId: string): Promise<readonly KnownOrder[]> {
  const rows = await db
    .selectFrom("delivery_refunds")
    .select("refund_id")
    .where("resource", "=", resource)
    .where("sale_id", "=", saleId)
    .orderBy("refund_id")
    .execute();
  const ids = rows.map((row) => row.refund_id);
  const known = await findOrders(db, resource, ids);
  const counted: KnownOrder[] = [];
  for (const orderId of ids) {
    const found = known.get(keyText({ orderId, isRefund: true }));
    if (found === undefined) continue;
    const { statusId, receiptStatusId } = found.order;
    const isCounted = found.isActive || statusId === 1 || receiptStatusId === 1;
    if (isCounted || isOnItsWay(await findTasks(db, resource, found.order))) counted.push(found);
  }
  return counted;
}

/** The sale and its refund orders. */
export async function keysOfSale(db: Reader, resource: number, orderId: string): Promise<readonly OrderKey[]> {
  const refunds = await findRefunds(db, resource, orderId);
  return [{ orderId, isRefund: false }, ...refunds.map(({ order }) => order)];
}

/** Of the sale and of its refund orders. */
export async function idsOfSale(db: Reader, resource: number, saleId: string): Promise<readonly string[]> {
  return [...new Set((await keysOfSale(db, resource, saleId)).map(({ orderId }) => orderId))];
}

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
 * parts that come back. No other sale's: fiscal documents are told apart by their order's id.
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

/** The sale's return receipt of the courier's own register that came before its return (courier-return-receipt.ts); null for none. */
export async function findKeptReturn(db: Reader, resource: number, saleId: string): Promise<FiscalTask | null> {
  const tasks = await findTasks(db, resource, { orderId: saleId, isRefund: false });
  return tasks.find(({ purpose }) => keptDocument(purpose) !== null) ?? null;
}
