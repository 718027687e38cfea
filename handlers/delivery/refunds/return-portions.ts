/** What of a sale a courier may still give back: the rest of each position, to the kopeck. Pure. */
import { kopecks, parseQuantity, quantity, shareOf, toQuantityNumber } from "@fiscald/shared/amounts.js";
import { closestFirst } from "../account/refundable.js";
import { soldItems } from "../orders/receipt-policy.js";
import { itemSum, toKopecks } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";

/** Names a position by its good, its number, or both. Without a number any position of the good is meant. */
export interface ItemPointer {
  readonly goodId?: string | null | undefined;
  readonly position?: number | null | undefined;
}

/** `count` is in millionths of a piece, sums are in kopecks. */
interface Left {
  readonly item: StoredItem;
  readonly sold: Amounts;
  count: number;
  total: number;
  /** The cost with its discount. It is shared apart from `total`, so that a part of a free position is free. */
  paid: number;
}

/** A sale's positions without their cancelled parts and earlier refunds. */
export class PositionsLeft {
  readonly #left: readonly Left[];

  constructor(sale: StoredOrder, refunds: readonly StoredOrder[]) {
    this.#left = soldItems(sale).map((item) => {
      const sold = { count: parseQuantity(item.count) ?? 0, total: toKopecks(item.total), paid: itemSum(item) };
      return { item, sold, ...sold };
    });
    for (const { goods } of refunds) for (const item of goods) this.#takeOff(item);
  }

  names(pointer: ItemPointer): boolean {
    return this.#left.some(({ item }) => isMeant(item, pointer));
  }

  /** Null: less is left. The last piece takes the rest of the money; no earlier piece costs more than its price. */
  take(pointer: ItemPointer, count: number): readonly StoredItem[] | null {
    let wanted = parseQuantity(count) ?? 0;
    const portions: StoredItem[] = [];
    for (const left of this.#left) {
      const taken = Math.min(left.count, wanted);
      if (taken === 0 || !isMeant(left.item, pointer)) continue;
      const total = portionOf(left, "total", taken);
      const paid = portionOf(left, "paid", taken);
      reduce(left, { count: taken, total, paid });
      wanted -= taken;
      portions.push({
        ...left.item,
        count: toQuantityNumber(quantity(taken)),
        total: total / 100,
        discountTotal: (paid - total) / 100,
      });
    }
    return wanted === 0 ? portions : null;
  }

  /** A refund order's own sums may differ from the shares of its pieces. */
  #takeOff(refunded: StoredItem): void {
    const rest = {
      count: parseQuantity(refunded.count) ?? 0,
      total: toKopecks(refunded.total),
      paid: itemSum(refunded),
    };
    const candidates = this.#left.map((left) => ({ of: left.item, left }));
    const hasEnough = ({ left }: { left: Left }) => left.count >= rest.count && left.paid >= rest.paid;
    for (const { left } of closestFirst(refunded, candidates, hasEnough)) {
      const count = Math.min(left.count, rest.count);
      if (count === 0) continue;
      const total = share(rest.total, count, rest.count);
      const paid = share(rest.paid, count, rest.count);
      reduce(left, { count, total, paid });
      reduce(rest, { count, total, paid });
    }
  }
}

export function isMeant(item: StoredItem, { goodId, position }: ItemPointer): boolean {
  return (goodId ?? item.goodId) === item.goodId && (position ?? item.position) === item.position;
}

type Amounts = Pick<Left, "count" | "total" | "paid">;

function reduce(from: Amounts, by: Amounts): void {
  from.count -= by.count;
  from.total -= by.total;
  from.paid -= by.paid;
}

function portionOf(left: Left, sum: "total" | "paid", taken: number): number {
  const ofRest = share(left[sum], taken, left.count);
  return taken === left.count ? ofRest : Math.min(ofRest, ceilingShare(left.sold[sum], taken, left.sold.count));
}

/** A share in whole kopecks, rounded up: when three pieces cost 1.00, the dearest costs 0.34. */
function ceilingShare(sum: number, part: number, whole: number): number {
  const [all, wanted] = [BigInt(whole), BigInt(sum) * BigInt(part)];
  return Number((wanted + all - 1n) / all);
}

function share(sum: number, part: number, whole: number): number {
  return shareOf(kopecks(sum), quantity(part), quantity(whole));
}
