/** Rules for when an order needs a receipt (54-fz 10). Pure. */
import { isDeepStrictEqual } from "node:util";
import { type Kopecks, kopecks, shareOf, sumKopecks, toRoublesNumber } from "@fiscald/shared/amounts.js";
import { bareCode, markFlaw, markProblems } from "@fiscald/shared/receipt/marking-code.js";
import { findRefusedCharacter } from "@fiscald/shared/receipt/text-hygiene.js";
import type { Problem } from "../http/api-errors.js";
import { itemSum, type OrderCheck, toKopecks, toQuantity } from "./rules.js";
import type { StoredItem, StoredOrder } from "./stored-order.js";

/** A free position needs no receipt, unless it is marked: no marked good may leave without a receipt. */
export function isOnReceipt(item: StoredItem): boolean {
  return itemSum(item) > 0 || markingCodeOf(item) !== null;
}

const DELIVERED = 3;
const DELIVERED_IN_PART = 4;
export const NOT_DELIVERED = 5;
export const RETURNED = 6;

export function isDelivered({ deliveryStatusId }: StoredOrder): boolean {
  return deliveryStatusId === DELIVERED || deliveryStatusId === DELIVERED_IN_PART;
}

/** Nothing more is sold or collected, unless the shop changes the status. */
export function isEnded(order: StoredOrder): boolean {
  return isDelivered(order) || order.deliveryStatusId === NOT_DELIVERED || order.deliveryStatusId === RETURNED;
}

/** An order that costs something without positions counts too, so that the shop is alerted. */
export function hasMoney(order: StoredOrder): boolean {
  return order.goods.length === 0 ? order.amountToPay > 0 : order.goods.some(isOnReceipt);
}

/** Due once paid on the internet, or once delivered and paid or collected; a prepaid order only at delivery. */
export function isSaleDue(order: StoredOrder): boolean {
  if (!hasMoney(order) || order.deliveryStatusId === RETURNED) return false;
  if (isDelivered(order)) return isPaidFor(order) && (order.goods.length === 0 || soldItems(order).some(isOnReceipt));
  return prepaidSum(order) === 0 && isPaidOnline(order);
}

export function isPaidOnline({ isInternetPayment, statusId }: StoredOrder): boolean {
  return isInternetPayment === 1 && statusId === 1;
}

export function prepaidSum(order: StoredOrder): Kopecks {
  return toKopecks(order.prePaymentSum ?? 0);
}

export function isPaidFor(order: StoredOrder): boolean {
  return order.statusId === 1 || isCollected(order);
}

/** Payments of a refund order cover nothing. */
export function isCollected(order: StoredOrder): boolean {
  const collected = collectedSum(order);
  return !order.isRefund && collected >= costToCollect(order) && (collected > 0 || prepaidSum(order) > 0);
}

/** Sets the order to paid once the money covers it, and to not paid when the money no longer does. */
export function followCollection(before: StoredOrder, after: StoredOrder): StoredOrder {
  if (isCollected(after)) return { ...after, statusId: 1 };
  return isUncovered(before, after) ? { ...after, statusId: 0 } : after;
}

/** A courier's money covered the order, and no longer does after a payment back or an edit. */
export function isUncovered(before: StoredOrder, after: StoredOrder): boolean {
  return collectedSum(before) > 0 && isCollected(before) && !isCollected(after);
}

/** A delivered order without any money does not count: its money may be reported later. */
export function isShortOfMoney(order: StoredOrder): boolean {
  const hasSome = collectedSum(order) > 0 || prepaidSum(order) > 0;
  return isDelivered(order) && hasSome && !isPaidFor(order);
}

/** Couriers have money of an order that is over or deleted, and no receipt of that money is due. */
export function isMoneyKept(order: StoredOrder, isHidden: boolean): boolean {
  return (isEnded(order) || isHidden) && collectedSum(order) > 0 && !isSaleDue(order) && !isShortOfMoney(order);
}

export function collectedSum(order: Pick<StoredOrder, "payments">): Kopecks {
  return sumKopecks(order.payments.map((payment) => toKopecks(payment.price)));
}

export function byCouriers({ isRefund, payments }: StoredOrder): StoredOrder["payments"] {
  return isRefund ? payments.filter(({ byCourier }) => byCourier) : payments;
}

export function costToCollect(order: StoredOrder): Kopecks {
  const sold = order.goods.length === 0 ? toKopecks(order.amountToPay) : sumKopecks(soldItems(order).map(itemSum));
  return kopecks(sold - prepaidSum(order));
}

/** Without cancelled parts; money is reduced in proportion. */
export function soldItems(order: Pick<StoredOrder, "goods">): readonly StoredItem[] {
  return order.goods.flatMap((item) => {
    const canceled = canceledCount(item);
    if (canceled <= 0) return [item];
    const left = Number((item.count - canceled).toFixed(6));
    return left <= 0 ? [] : [portionOf(item, left)];
  });
}

export function canceledPortions(order: Pick<StoredOrder, "goods">): readonly StoredItem[] {
  return order.goods
    .filter((item) => canceledCount(item) > 0)
    .map((item) => portionOf(item, Math.min(item.count, canceledCount(item))));
}

function canceledCount({ canceledItems }: StoredItem): number {
  return Number(canceledItems.reduce((sum, part) => sum + part.count, 0).toFixed(6));
}

/** Price and cost are rounded to kopecks separately, so that a part of a free position is free. */
export function portionOf(item: StoredItem, count: number): StoredItem {
  const share = (sum: Kopecks) => shareOf(sum, toQuantity(count), toQuantity(item.count));
  const total = share(toKopecks(item.total));
  const discount = kopecks(share(itemSum(item)) - total);
  return { ...item, count, total: toRoublesNumber(total), discountTotal: toRoublesNumber(discount) };
}

export function goodsSum(order: StoredOrder): Kopecks {
  return sumKopecks((order.isRefund ? order.goods : soldItems(order)).map(itemSum));
}

/** In base64, as on a receipt's line; null for goods without a marking code. */
export function markingCodeOf({ markBinaryValue, markValue }: StoredItem): string | null {
  const mark = markBinaryValue ?? markValue;
  return mark === null ? null : base64(mark);
}

/** The marking code as a receipt has it, without a scanner's prefix and blanks. */
export function bareMarkOf(item: StoredItem): string | null {
  const code = markingCodeOf(item);
  return code === null ? null : bareCode(code);
}

export function markField({ markBinaryValue }: StoredItem): "markValue" | "markBinaryValue" {
  return markBinaryValue === null ? "markValue" : "markBinaryValue";
}

/** Codes and names that no receipt of a sale can carry. A return may print those of its sale instead of its own. */
export function unprintableGoods({ before, after, place }: Omit<OrderCheck, "strictTransitions">): readonly Problem[] {
  if (after.isRefund || isDeepStrictEqual(before?.goods, after.goods)) return [];
  const marks = after.goods.map((item, index) => {
    const code = soldItems({ goods: [item] }).length === 0 ? null : bareMarkOf(item);
    return { code, permit: null, at: () => `${place}goods[${index}].${markField(item)}` };
  });
  const repeated = markProblems(marks, false).map(({ path, message }) => ({ place: path, message }));
  const flaws = [
    ...marks.map(({ code, at }) => ({ place: at(), flaw: code === null ? null : markFlaw(code) })),
    ...after.goods.map(({ goodId, description }, index) => {
      const flaw = goodId === null ? findRefusedCharacter(description ?? "") : null;
      return { place: `${place}goods[${index}].description`, flaw };
    }),
  ];
  return [...repeated, ...flaws.flatMap(({ flaw, ...at }) => (flaw === null ? [] : [{ ...at, message: flaw.en }]))];
}

export function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
