/** When an order is due for a receipt (domain 8.5 "When the bridge prints", 5.4); pure. */
import { type Kopecks, kopecks, shareOf, sumKopecks, toRoublesNumber } from "@fiscald/shared/amounts.js";
import { itemSum, toKopecks, toQuantity } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import { markingCodeOf } from "./same-position.js";

/**
 * What a receipt of an order is for; an order has at most one of each at a time. `prepayment-return`: what is left of a
 * prepayment that nothing is settled with (prepayment.ts).
 */
export type ReceiptPurpose = "prepayment" | "prepayment-return" | "sale" | "return";

/** Money goes back to the buyer. Of an earlier return of the prepayment too (fiscal-tasks.ts). */
export function isReturnPurpose(purpose: string): boolean {
  return purpose === "return" || purpose.startsWith("prepayment-return");
}

/**
 * Registers take no line of zero (domain 8.3): what costs nothing is on no receipt. What is marked may not be handed over
 * without one: the kit refuses it, and the shop is told.
 */
export function isOnReceipt(item: StoredItem): boolean {
  return itemSum(item) > 0 || markingCodeOf(item) !== null;
}

const DELIVERED = 3;
const DELIVERED_IN_PART = 4;
export const RETURNED = 6;

export function isDelivered({ deliveryStatusId }: StoredOrder): boolean {
  return deliveryStatusId === DELIVERED || deliveryStatusId === DELIVERED_IN_PART;
}

/** What an order may be due for by what it says; what its receipts and refunds have done decides the returns. */
export function duePurposes(
  order: StoredOrder,
  { printPrepaymentReceipt }: { readonly printPrepaymentReceipt: boolean },
): readonly ReceiptPurpose[] {
  if (order.goods.length === 0) return order.amountToPay === 0 ? [] : dueWithoutPositions(order);
  if (!order.goods.some(isOnReceipt)) return [];
  if (order.isRefund) return order.statusId === 1 ? ["return"] : [];
  const rest: readonly ReceiptPurpose[] = prepaidSum(order) > 0 ? ["prepayment-return"] : [];
  if (order.deliveryStatusId === RETURNED) return [...rest, "return"];
  if (isDelivered(order)) return isPaidFor(order) && soldItems(order).some(isOnReceipt) ? ["sale", ...rest] : rest;
  if (prepaidSum(order) === 0) return isPaidOnline(order) ? ["sale"] : [];
  return printPrepaymentReceipt && order.statusId === 1 ? ["prepayment"] : [];
}

/** Without positions no receipt can be made: it is due all the same, so that the shop is told (`receipt.no-items`). */
function dueWithoutPositions(order: StoredOrder): readonly ReceiptPurpose[] {
  if (order.isRefund) return order.statusId === 1 ? ["return"] : [];
  if (order.deliveryStatusId === RETURNED) return [];
  const isDue = isDelivered(order) ? isPaidFor(order) : prepaidSum(order) === 0 && isPaidOnline(order);
  return isDue ? ["sale"] : [];
}

export function isPaidOnline({ isInternetPayment, statusId }: StoredOrder): boolean {
  return isInternetPayment === 1 && statusId === 1;
}

/**
 * The receipts that an order which has them may keep: those that it is due for, what a returned order had sold, and the
 * prepayment of an order that is delivered since.
 */
export function standingPurposes(
  order: StoredOrder,
  rules: { readonly printPrepaymentReceipt: boolean },
): readonly ReceiptPurpose[] {
  const due = duePurposes(order, rules);
  if (order.isRefund || order.goods.length === 0) return due;
  const prepayment: readonly ReceiptPurpose[] = prepaidSum(order) > 0 ? ["prepayment"] : [];
  const sale: readonly ReceiptPurpose[] = order.deliveryStatusId === RETURNED ? ["sale"] : [];
  return [...new Set([...due, ...prepayment, ...sale])];
}

export function prepaidSum(order: StoredOrder): number {
  return toKopecks(order.prePaymentSum ?? 0);
}

/** Paid before, or the courier has collected what was left. */
function isPaidFor(order: StoredOrder): boolean {
  return order.statusId === 1 || isCollected(order);
}

/** What the courier has collected, and what was prepaid, cover what is sold. */
export function isCollected(order: StoredOrder): boolean {
  const collected = collectedSum(order);
  return collected >= costToCollect(order) && (collected > 0 || prepaidSum(order) > 0);
}

/** Delivered, and less was collected than the courier had to collect. */
export function isCollectedInPart(order: StoredOrder): boolean {
  return isDelivered(order) && collectedSum(order) > 0 && !isPaidFor(order);
}

export function collectedSum(order: StoredOrder): Kopecks {
  return sumKopecks(order.payments.map((payment) => toKopecks(payment.price)));
}

export function costToCollect(order: StoredOrder): Kopecks {
  const sold = order.goods.length === 0 ? toKopecks(order.amountToPay) : sumKopecks(soldItems(order).map(itemSum));
  return kopecks(sold - prepaidSum(order));
}

/** The positions as they were really sold: without what the courier took back, money in proportion. */
export function soldItems(order: Pick<StoredOrder, "goods">): readonly StoredItem[] {
  return order.goods.flatMap((item) => {
    const canceled = item.canceledItems.reduce((sum, part) => sum + part.count, 0);
    if (canceled <= 0) return [item];
    const left = Number((item.count - canceled).toFixed(6));
    return left <= 0 ? [] : [portionOf(item, left)];
  });
}

/** What the courier took back of the positions: with `soldItems`, all of them to the kopeck. */
export function canceledPortions(order: Pick<StoredOrder, "goods">): readonly StoredItem[] {
  return order.goods.flatMap((item) => {
    const [kept] = soldItems({ goods: [item] });
    if (kept === undefined) return [item];
    const count = Number((item.count - kept.count).toFixed(6));
    const less = (of: (item: StoredItem) => number) =>
      toRoublesNumber(kopecks(toKopecks(of(item)) - toKopecks(of(kept))));
    return count <= 0
      ? []
      : [{ ...item, count, total: less((one) => one.total), discountTotal: less((one) => one.discountTotal) }];
  });
}

/** A part of a position: its price and what it costs rounded to kopecks, so that a part of what is free is free. */
export function portionOf(item: StoredItem, count: number): StoredItem {
  const share = (sum: Kopecks) => shareOf(sum, toQuantity(count), toQuantity(item.count));
  const total = share(toKopecks(item.total));
  const discount = kopecks(share(itemSum(item)) - total);
  return { ...item, count, total: toRoublesNumber(total), discountTotal: toRoublesNumber(discount) };
}
