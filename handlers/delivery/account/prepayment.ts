/** The money of a prepayment that has a receipt of ours: what is left of it to settle with, and what goes back; pure. */
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { itemSum } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import { canceledPortions, isDelivered, RETURNED, soldItems } from "./due-receipts.js";
import { type GivenLeft, type GivenLine, piecesOf, portionsOf, totalOfLines, withMarksOf } from "./given-lines.js";

/** All by the receipts themselves, not by what the order says since. */
export interface Prepayment {
  /** Registered; 0 while its own receipt is not, or has failed. */
  readonly sum: Kopecks;
  /** Given back before any settlement, or on its way. */
  readonly back: Kopecks;
  /** Of that, by refund orders: the money, and what their goods cost. */
  readonly refunded: { readonly money: Kopecks; readonly goods: Kopecks };
  /** What the settlement has used; null while none is registered. */
  readonly offset: Kopecks | null;
  /** What the sale's positions cost, those too that the courier took back: the prepayment is of all of them. */
  readonly goods: Kopecks;
  /** Of its own receipt, a settlement apart; no lines while that is not registered. */
  readonly left: GivenLeft;
}

const prepaymentMethods: readonly number[] = [1, 2, 3];

/** Of a receipt of a prepayment, or of its return; 0 for one of goods that were handed over. */
export function prepaidTotal(receipt: SaleReceipt | undefined): Kopecks {
  const isOfPrepayment =
    receipt !== undefined && itemsOf(receipt).every(({ method }) => prepaymentMethods.includes(method));
  return isOfPrepayment ? totalOf(receipt) : kopecks(0);
}

export function prepaymentLeft({ sum, back, offset }: Prepayment): Kopecks {
  return kopecks(Math.max(0, sum - back - (offset ?? 0)));
}

/**
 * What goes back of itself: what is left beyond what is sold in the end, and all of it when the order comes back before any
 * settlement, but for positions that refund orders have not given back yet: they give back the rest.
 */
export function prepaymentToReturn(order: StoredOrder, prepayment: Prepayment): Kopecks {
  const left = prepaymentLeft(prepayment);
  if (prepayment.offset !== null) return left;
  const sold = costOf(soldItems(order));
  if (order.deliveryStatusId === RETURNED) {
    const { goods } = prepayment.refunded;
    return goods === 0 ? left : kopecks(Math.max(0, left - Math.max(0, sold - goods)));
  }
  return isDelivered(order) ? kopecks(Math.max(0, left - sold)) : kopecks(0);
}

/**
 * What a refund order gives back of a prepayment that nothing is settled with: the share of its goods. Shares are counted
 * together, so that those of all goods are all of it.
 */
export function shareOfPrepayment(prepayment: Prepayment, part: Kopecks): Kopecks {
  const { sum, goods, refunded } = prepayment;
  if (goods === 0) return kopecks(0);
  const together = Math.min(goods, refunded.goods + part);
  const due = Number((BigInt(sum) * BigInt(together)) / BigInt(goods)) - refunded.money;
  // Of an order that was edited since, the share of what went back before may have been less: that is none of these goods.
  return kopecks(Math.max(0, Math.min(due, part, prepaymentLeft(prepayment))));
}

/** What goes back of itself: of the positions that the courier took back, as far as that is enough. */
export function linesToReturn(order: StoredOrder, prepayment: Prepayment): readonly GivenLine[] {
  const left = prepayment.left.lines;
  const sum = prepaymentToReturn(order, prepayment);
  if (sum === 0 || sum === totalOfLines(left)) return sum === 0 ? [] : left;
  return portionsOf(left, canceledPortions(order).filter(isPaid), sum);
}

/** What a refund order gives back of it. A kopeck that the shares of lines are rounded by stays with its line. */
export function linesOfShare(prepayment: Prepayment, goods: readonly StoredItem[]): readonly GivenLine[] {
  const left = prepayment.left.lines;
  const paid = goods.filter(isPaid);
  const sum = shareOfPrepayment(prepayment, costOf(paid));
  const pieces = piecesOf(left, paid);
  const isRounded = pieces.length > 0 && Math.abs(totalOfLines(pieces) - sum) <= left.length;
  if (sum === 0) return [];
  return withMarksOf(paid, isRounded ? pieces : portionsOf(left, paid, sum));
}

/** What costs nothing is on no receipt of a prepayment: it is no piece of what is sold of the same good beside it. */
function isPaid(item: StoredItem): boolean {
  return itemSum(item) > 0;
}

export function costOf(items: readonly StoredItem[]): Kopecks {
  return sumKopecks(items.map(itemSum));
}
