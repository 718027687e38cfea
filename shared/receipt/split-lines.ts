import { type Kopecks, kopecks, multiply, ONE_UNIT, splitPosition } from "../amounts.js";
import { Fault } from "../fault.js";
import type { ItemLine } from "./receipt.js";

/** Registers accept a sum that differs from price x quantity by so many kopecks. */
const REGISTER_TOLERANCE = 1;

export function countPositions(items: readonly ItemLine[]): number {
  return items.reduce((count, item) => count + (item.markingCode === null ? splitLine(item).length : 1), 0);
}

export function hasExactPrice({ quantity, total, price }: ItemLine): boolean {
  return splitPosition(quantity, total, price).length === 1;
}

/**
 * The positions that a register gets for a line, one or two: the price is after the discount, and price x quantity is
 * exactly the total. A marked line is never split, and may be one kopeck off if its quantity is a fraction. Fault
 * `receipt.total-mismatch` where a marked line cannot be brought that close.
 */
export function splitLine(item: ItemLine): readonly ItemLine[] {
  const parts = splitPosition(item.quantity, item.total, item.price);
  if (parts.length === 1 || item.markingCode === null) {
    return parts.map(({ quantity, price, sum }) => ({ ...item, quantity, price, total: sum }));
  }
  return [{ ...item, price: nearestPrice(item) }];
}

function nearestPrice({ quantity, total, name }: ItemLine): Kopecks {
  const floor = kopecks(Number((BigInt(total) * BigInt(ONE_UNIT)) / BigInt(quantity)));
  const fits = [floor, kopecks(floor + 1)].find(
    (price) => Math.abs(multiply(price, quantity) - total) <= REGISTER_TOLERANCE,
  );
  if (fits !== undefined) return fits;
  throw new Fault("receipt.total-mismatch", { message: `no price of the marked position "${name}" gives its total` });
}
