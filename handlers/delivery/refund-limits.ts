/** What is left of a sale after its refunds (domain 5.1: the buyer gets back what he paid, once); pure. */
import { parseQuantity } from "@fiscald/shared/amounts.js";
import { soldItems } from "./due-receipts.js";
import { itemSum } from "./order-rules.js";
import type { StoredItem, StoredOrder } from "./stored-order.js";

/** Of one good: millionths and kopecks. */
interface Portion {
  readonly count: number;
  readonly sum: number;
}

export interface RefundExcess {
  /** Below the refund order: `goods[1].count`. */
  readonly field: string;
  readonly message: string;
}

/**
 * The first position of the refund that gives back more than is left after the `earlier` refunds; null when all of it was
 * sold. Goods are told apart by their id; what has none counts as one good.
 */
export function findExcess(
  sale: StoredOrder,
  earlier: readonly StoredOrder[],
  refund: Pick<StoredOrder, "goods">,
): RefundExcess | null {
  const left = new Map<string | null, Portion>();
  for (const item of soldItems(sale)) add(left, item, 1);
  for (const { goods } of earlier) for (const item of goods) add(left, item, -1);
  for (const [position, item] of refund.goods.entries()) {
    if (!left.has(item.goodId)) return { field: `goods[${position}].goodId`, message: notSold(sale, item) };
    const { count, sum } = add(left, item, -1);
    if (count < 0) return { field: `goods[${position}].count`, message: tooMuch(sale) };
    if (sum < 0) return { field: `goods[${position}].total`, message: tooMuch(sale) };
  }
  return null;
}

function add(portions: Map<string | null, Portion>, item: StoredItem, sign: 1 | -1): Portion {
  const known = portions.get(item.goodId) ?? { count: 0, sum: 0 };
  const portion = {
    count: known.count + sign * (parseQuantity(item.count) ?? 0),
    sum: known.sum + sign * itemSum(item),
  };
  portions.set(item.goodId, portion);
  return portion;
}

function notSold(sale: StoredOrder, item: StoredItem): string {
  return `${JSON.stringify(item.goodId)} was not sold in order ${sale.orderId}`;
}

function tooMuch(sale: StoredOrder): string {
  return `is more than is left of order ${sale.orderId} after its refunds`;
}
