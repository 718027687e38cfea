/** What refunds have left of a sale (54-fz 9: the buyer gets back what he paid, once). Pure. */
import { kopecks, parseQuantity, quantity, shareOf } from "@fiscald/shared/amounts.js";
import { hasSameMark, isSameGood } from "../account/refundable.js";
import type { Problem } from "../http/api-errors.js";
import { markingCodeOf, soldItems } from "../orders/receipt-policy.js";
import { itemSum } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";

/**
 * The first position of the refund that gives back more than the `earlier` refunds have left; null when all of it was
 * sold. Goods are compared by id, positions without a good by their description. Where the refund names a `position` in
 * which the sale has the good, that position is a limit too; a marking code is one as well.
 */
export function findExcess(
  sale: StoredOrder,
  earlier: readonly StoredOrder[],
  refund: Pick<StoredOrder, "goods">,
): Problem | null {
  const sold = soldItems(sale);
  const back = earlier.flatMap(({ goods }) => goods);
  for (const [index, item] of refund.goods.entries()) {
    const field = `goods[${index}]`;
    back.push(item);
    const isSame = (one: StoredItem) => isSameGood(item, one);
    const soldOfGood = sold.filter(isSame);
    const name = item.goodId === null ? "description" : "goodId";
    if (soldOfGood.length === 0) {
      return {
        place: `${field}.${name}`,
        message: `${JSON.stringify(item[name])} was not sold in order ${sale.orderId}`,
      };
    }
    const ofGood = excessOf(soldOfGood, back.filter(isSame));
    if (ofGood !== null) return { place: `${field}.${ofGood}`, message: tooMuch(`order ${sale.orderId}`) };
    for (const { name, isHere } of narrower(item)) {
      const isThere = (one: StoredItem) => isSame(one) && isHere(one);
      const soldHere = sold.filter(isThere);
      const here = soldHere.length === 0 ? null : excessOf(soldHere, back.filter(isThere));
      if (here !== null) return { place: `${field}.${here}`, message: tooMuch(`${name} of order ${sale.orderId}`) };
    }
  }
  return null;
}

function narrower(item: StoredItem) {
  const { position } = item;
  return [
    { value: markingCodeOf(item), name: "the mark", isHere: (one: StoredItem) => hasSameMark(item, one) },
    { value: position, name: `position ${position}`, isHere: (one: StoredItem) => one.position === position },
  ].filter(({ value }) => value !== null);
}

/** What exceeds the sale: the number of pieces, or the money for that many pieces. */
function excessOf(sold: readonly StoredItem[], back: readonly StoredItem[]): "count" | "total" | null {
  const pieces = sumOf(back, millionths);
  if (pieces > sumOf(sold, millionths)) return "count";
  return sumOf(back, itemSum) > dearest(sold, pieces) ? "total" : null;
}

/** The most that so many pieces can have cost, in kopecks. One refund may round each piece up to a kopeck. */
function dearest(sold: readonly StoredItem[], pieces: number): number {
  let left = pieces;
  let sum = 0;
  for (const item of sold.toSorted((one, other) => unitCost(other) - unitCost(one))) {
    const taken = Math.min(left, millionths(item));
    left -= taken;
    const share = shareOf(itemSum(item), quantity(taken), quantity(millionths(item)));
    sum += Math.min(itemSum(item), kopecks(share + Math.ceil(taken / 1_000_000)));
  }
  return sum;
}

function unitCost(item: StoredItem): number {
  return itemSum(item) / item.count;
}

function millionths(item: StoredItem): number {
  return parseQuantity(item.count) ?? 0;
}

function sumOf(items: readonly StoredItem[], of: (item: StoredItem) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function tooMuch(what: string): string {
  return `is more than is left of ${what} after its refunds`;
}
