/** What earlier refund orders have left of a sale limits the next refund order (54-fz 9). Pure. */
import { formatRoubles, kopecks, parseQuantity, quantity, shareOf } from "@fiscald/shared/amounts.js";
import { hasSameMark, isSameGood } from "../account/refundable.js";
import type { Problem } from "../http/api-errors.js";
import { markingCodeOf, soldItems } from "../orders/receipt-policy.js";
import { itemSum } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";

/**
 * The first position that gives back more than the `earlier` refunds have left; null: none does. Goods are compared by
 * id, else by description. A `position` or marking code that the refund names is a further limit if the sale has it.
 */
export function findExcess(
  sale: StoredOrder,
  earlier: readonly StoredOrder[],
  refund: Pick<StoredOrder, "goods">,
): Problem | null {
  const sold = soldItems(sale);
  const back = earlier.flatMap(({ goods }) => goods);
  const unpaid = earlier.flatMap(({ orderId, statusId }) => (statusId === 0 ? [orderId] : [])).join(", ");
  for (const [index, item] of refund.goods.entries()) {
    const field = `goods[${index}]`;
    const isSame = (one: StoredItem) => isSameGood(item, one);
    const soldOfGood = sold.filter(isSame);
    const name = item.goodId === null ? "description" : "goodId";
    if (soldOfGood.length === 0) {
      return {
        place: `${field}.${name}`,
        message: `${JSON.stringify(item[name])} was not sold in order ${sale.orderId}`,
      };
    }
    const limits = [{ of: `order ${sale.orderId}`, isHere: isSame }, ...narrower(item, sale.orderId, isSame)];
    for (const { of, isHere } of limits) {
      const soldHere = sold.filter(isHere);
      const excess = soldHere.length === 0 ? null : excessOf(soldHere, back.filter(isHere), item);
      if (excess === null) continue;
      const what = `is more than is left of ${of} after its refunds, which is ${excess.left}`;
      return {
        place: `${field}.${excess.name}`,
        message: `${what}${unpaid === "" ? "" : `; not paid yet: ${unpaid}`}`,
      };
    }
    back.push(item);
  }
  return null;
}

function narrower(item: StoredItem, orderId: string, isSame: (one: StoredItem) => boolean) {
  const { position } = item;
  const isMarked = (one: StoredItem) => isSame(one) && hasSameMark(item, one);
  const isThere = (one: StoredItem) => isSame(one) && one.position === position;
  return [
    { value: markingCodeOf(item), of: `the mark of order ${orderId}`, isHere: isMarked },
    { value: position, of: `position ${position} of order ${orderId}`, isHere: isThere },
  ].filter(({ value }) => value !== null);
}

/** `name`: whether the pieces or their money exceed the sale; `left`: how much of it is left. */
function excessOf(sold: readonly StoredItem[], before: readonly StoredItem[], item: StoredItem) {
  const pieces = sumOf(before, millionths);
  const left = sumOf(sold, millionths) - pieces;
  if (millionths(item) > left) return { name: "count", left: String(Math.max(0, left) / 1_000_000) };
  const sum = dearest(sold, pieces + millionths(item)) - sumOf(before, itemSum);
  return itemSum(item) > sum ? { name: "total", left: formatRoubles(kopecks(Math.max(0, sum))) } : null;
}

/** The most that these pieces can have cost, in kopecks. One refund may round each piece up to a kopeck. */
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
