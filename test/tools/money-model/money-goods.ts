/** The goods of the money model's orders, and their cost. */
import type { Extra, Piece } from "./money-steps.js";
import { tea } from "./money-world.js";

export interface Good {
  readonly goodId: number;
  readonly count: number;
  readonly price: number;
  readonly total: number;
  readonly discountTotal: number;
  readonly taxId?: number;
}

/** Three for 100.00: no piece costs a whole number of kopecks. */
const bread = (count: number): Good => ({
  goodId: 502,
  count,
  price: 33.33,
  total: Math.round((count * 10_000) / 3) / 100,
  discountTotal: 0,
});
/** The same good, sold at the rate of the bread. */
const otherTea = (count: number): Good => tea(count, { taxId: 2, price: 200, total: count * 200 });
/** Sold by weight, with a discount: 120.00. */
const cheese: Good = { goodId: 503, count: 0.333, price: 370.72, total: 123.45, discountTotal: -3.45 };
const someCheese: Good = { ...cheese, count: 0.1, total: 37.07, discountTotal: -1.04 };

const more: Readonly<Record<Extra, readonly Good[]>> = {
  none: [],
  "tea at another rate": [otherTea(1)],
  "weighed cheese": [cheese],
};

export function goodsOf({ teas, breads, extra }: { teas: number; breads: number; extra: Extra }): readonly Good[] {
  return [...(teas > 0 ? [tea(teas)] : []), ...(breads > 0 ? [bread(breads)] : []), ...more[extra]];
}

/** Returned goods as a refund order names them; of weighed goods only a part. */
export function pieceOf(piece: Piece, count: number): Good {
  if (piece === "weighed cheese") return someCheese;
  if (piece === "bread") return bread(count);
  return piece === "tea" ? tea(count) : otherTea(count);
}

export function costOf(goods: readonly Pick<Good, "total" | "discountTotal">[]): number {
  return goods.reduce((sum, { total, discountTotal }) => sum + Math.round(total * 100 + discountTotal * 100), 0);
}

/** In roubles, without discounts, as an order's `amountToPay`. */
export function grossOf(goods: readonly Good[]): number {
  return goods.reduce((sum, { total }) => sum + Math.round(total * 100), 0) / 100;
}
