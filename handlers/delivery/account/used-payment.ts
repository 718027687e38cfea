/** The payment type that stands for the money of a printed receipt (`frUsedPaymentId`). */
import { loadReferences } from "../catalog/references.js";
import { findOrders, keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Reader } from "../store/delivery-store.js";
import { isReturnPurpose } from "./due-receipts.js";
import { closeTypeOf } from "./order-receipt.js";
import { findReceipts } from "./receipt-rows.js";

/** The order's own; of a return the one of the form that most of it went back in, where the order or its sale names one. */
export async function usedPaymentId(
  db: Reader,
  resource: number,
  order: StoredOrder,
  { purpose, receiptId }: { readonly purpose: string; readonly receiptId: string },
): Promise<string> {
  const [receipt] = (await findReceipts(db, resource, [{ receiptId }])).values();
  if (!isReturnPurpose(purpose) || receipt === undefined) return order.paymentId;
  const ids = await paymentTypesOf(db, resource, order);
  const named = await loadReferences(
    db,
    resource,
    ids.map((id) => ({ kind: "paymentTypes", id, place: "" })),
  );
  const forms = receipt.payments.toSorted((one, other) => other.sum - one.sum);
  const used = forms.flatMap(({ typeClose }) => ids.find((id) => closeTypeOf(id, named) === typeClose) ?? []);
  return used[0] ?? order.paymentId;
}

/** The return's own first, then those of its sale. */
async function paymentTypesOf(db: Reader, resource: number, order: StoredOrder): Promise<readonly string[]> {
  const saleKey = { orderId: order.originalOrderId ?? order.orderId, isRefund: false };
  const sale = (await findOrders(db, resource, [saleKey.orderId])).get(keyText(saleKey))?.order ?? order;
  return [order, sale].flatMap(({ paymentId, payments, originalPaymentId }) => [
    paymentId,
    ...payments.map(({ paymentTypeId }) => paymentTypeId),
    originalPaymentId,
  ]);
}
