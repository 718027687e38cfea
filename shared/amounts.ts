/**
 * Money and quantities as exact integers: products go through BigInt, and no sum is computed as a fractional double.
 * Rounding is half up on exact rationals (tags 1043, sum of a line, 1079, price, and 1023, quantity).
 */
declare const amountBrand: unique symbol;

/** Integer kopecks; a difference or a reversal may be negative. Safe range: |x| <= 2^48. */
export type Kopecks = number & { readonly [amountBrand]: "kopecks" };
/** Integer millionths of a unit: 1.5 kg = 1_500_000. */
export type Quantity = number & { readonly [amountBrand]: "quantity" };

/** Largest sum that a receipt can carry: 8 digits of roubles and 2 of kopecks. */
export const MAX_SUM = 9_999_999_999 as Kopecks;
export const ONE_UNIT = 1_000_000 as Quantity;
const QUANTITY_SCALE = 1_000_000n;

export function kopecks(value: number): Kopecks {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not an integer number of kopecks: ${value}`);
  return (value === 0 ? 0 : value) as Kopecks;
}

export function quantity(millionths: number): Quantity {
  if (!Number.isSafeInteger(millionths)) throw new RangeError(`not an integer number of millionths: ${millionths}`);
  return (millionths === 0 ? 0 : millionths) as Quantity;
}

export function sumKopecks(values: Iterable<Kopecks>): Kopecks {
  let total = 0;
  for (const value of values) total += value;
  return kopecks(total);
}

/** `parseRoubles("10.50")` and `parseRoubles(10.5)` are 1050; null for other text and for more than 2 decimals. */
export function parseRoubles(value: string | number): Kopecks | null {
  const scaled = parseScaled(value, 2);
  return scaled === null ? null : kopecks(scaled);
}

/** A quantity to millionths: `parseQuantity(1.237)` is 1_237_000. Null for other text and for more than 6 decimals. */
export function parseQuantity(value: string | number): Quantity | null {
  const scaled = parseScaled(value, 6);
  return scaled === null ? null : quantity(scaled);
}

/** How far a JSON number may be from the decimal number that it means: sites add up sums as doubles. */
const NOISE = 1e-6;

/** Decimal text to an integer scaled by 10^decimals; null when it is not exact, not a number or out of safe range. */
export function parseScaled(value: string | number, decimals: number): number | null {
  const exact = parseExact(value, decimals);
  if (exact !== null || typeof value === "string") return exact;
  const scaled = value * 10 ** decimals;
  const nearest = Math.round(scaled);
  return Number.isSafeInteger(nearest) && nearest !== 0 && Math.abs(scaled - nearest) < NOISE ? nearest : null;
}

/** Up to this scaled integer a double can mean only one decimal number. */
const MAX_EXACT = 2 ** 48;

function parseExact(value: string | number, decimals: number): number | null {
  if (typeof value === "number") {
    const nearest = Math.round(value * 10 ** decimals);
    // Dividing gives the same double back, so this integer is the one that is meant, and no digits have to be counted.
    if (nearest / 10 ** decimals === value && Math.abs(nearest) <= MAX_EXACT) return nearest === 0 ? 0 : nearest;
  }
  const text = typeof value === "number" ? plainText(value) : value.trim();
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = ""] = match;
  if (whole === "" && fraction === "") return null;
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > decimals) return null;
  const scaled = Number(`${whole === "" ? "0" : whole}${significant.padEnd(decimals, "0")}`);
  if (!Number.isSafeInteger(scaled)) return null;
  return sign === "-" && scaled !== 0 ? -scaled : scaled;
}

/** The number as text without an exponent (`1e21` and `1e-7` have one), so that its digits can be counted. */
function plainText(value: number): string {
  const text = String(value);
  if (!/e/i.test(text)) return text;
  return Number.isFinite(value) ? value.toFixed(20).replace(/0+$/, "") : "NaN";
}

/** Kopecks as roubles: 152000 is "1520.00", -5 is "-0.05". */
export function formatRoubles(value: Kopecks): string {
  const digits = String(Math.abs(value)).padStart(3, "0");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns the double nearest to the sum in roubles, which JSON prints with two decimals at most. */
export function toRoublesNumber(value: Kopecks): number {
  return value / 100;
}

/** Millionths as a decimal number: 1_500_000 is "1.5", 3_000_000 is "3". */
export function formatQuantity(value: Quantity): string {
  const digits = String(Math.abs(value)).padStart(7, "0");
  const fraction = digits.slice(-6).replace(/0+$/, "");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -6)}${fraction === "" ? "" : `.${fraction}`}`;
}

export function toQuantityNumber(value: Quantity): number {
  return value / ONE_UNIT;
}

export function multiply(price: Kopecks, count: Quantity): Kopecks {
  return divideHalfUp(BigInt(price) * BigInt(count), QUANTITY_SCALE);
}

/** What `part` costs when `whole` costs `sum`, rounded half up. */
export function shareOf(sum: Kopecks, part: Quantity, whole: Quantity): Kopecks {
  if (whole <= 0) throw new RangeError(`cannot take a share of ${whole} millionths`);
  return divideHalfUp(BigInt(sum) * BigInt(part), BigInt(whole));
}

/** VAT inside a gross sum, rounded half up: 1000.00 at 22 % contains 180.33. */
export function vatInside(sum: Kopecks, ratePercent: number): Kopecks {
  return divideHalfUp(BigInt(sum) * BigInt(ratePercent), BigInt(100 + ratePercent));
}

function divideHalfUp(numerator: bigint, denominator: bigint): Kopecks {
  const twice = 2n * numerator + denominator;
  const divisor = 2n * denominator;
  const quotient = twice / divisor;
  const floored = twice % divisor < 0n ? quotient - 1n : quotient;
  return kopecks(Number(floored));
}

export interface PricedPart {
  readonly quantity: Quantity;
  readonly price: Kopecks;
  readonly sum: Kopecks;
}

/**
 * Splits one position with the wanted total into one or two positions whose price x quantity is exact. A register
 * counts the sum itself and tolerates at most one kopeck (54-fz 3). The order's price stays if it gives the total.
 */
export function splitPosition(count: Quantity, total: Kopecks, price: Kopecks): readonly PricedPart[] {
  if (count <= 0 || total < 0) throw new RangeError(`cannot split ${total} kopecks over ${count} millionths`);
  if (multiply(price, count) === total) return [{ quantity: count, price, sum: total }];
  const scaledTotal = BigInt(total) * QUANTITY_SCALE;
  const floorPrice = kopecks(Number(scaledTotal / BigInt(count)));
  const ceilPrice = kopecks(floorPrice + (scaledTotal % BigInt(count) === 0n ? 0 : 1));
  const nearestFirst =
    scaledTotal % BigInt(count) >= BigInt(count) / 2n ? [ceilPrice, floorPrice] : [floorPrice, ceilPrice];
  for (const near of nearestFirst) {
    if (multiply(near, count) === total) return [{ quantity: count, price: near, sum: total }];
  }
  return splitInTwo(count, total, floorPrice, 1) ?? splitInTwo(count, total, ceilPrice, -1) ?? fail(count, total);
}

/** `rest` whole units get a price one kopeck off the base price, so that both sums add up to the total. */
function splitInTwo(count: Quantity, total: Kopecks, basePrice: Kopecks, step: 1 | -1): readonly PricedPart[] | null {
  const rest = (total - multiply(basePrice, count)) * step;
  const restQuantity = rest * ONE_UNIT;
  if (rest <= 0 || restQuantity > count || basePrice + step < 0) return null;
  const firstPrice = kopecks(basePrice + step);
  const first = {
    quantity: quantity(restQuantity),
    price: firstPrice,
    sum: multiply(firstPrice, quantity(restQuantity)),
  };
  if (restQuantity === count) return first.sum === total ? [first] : null;
  const otherQuantity = quantity(count - restQuantity);
  const second = { quantity: otherQuantity, price: basePrice, sum: multiply(basePrice, otherQuantity) };
  return first.sum + second.sum === total ? [first, second] : null;
}

function fail(count: Quantity, total: Kopecks): never {
  throw new RangeError(`no exact split of ${total} kopecks over ${count} millionths`);
}

/** Spreads a whole-order discount over line totals by largest remainder; no share exceeds its line (54-fz 4). */
export function spreadDiscount(lines: readonly Kopecks[], discount: Kopecks): readonly Kopecks[] {
  const total = sumKopecks(lines);
  if (discount < 0 || discount > total) throw new RangeError(`discount ${discount} does not fit the total ${total}`);
  if (total === 0) return lines.map(() => kopecks(0));
  const exact = lines.map((line) => BigInt(discount) * BigInt(line));
  const shares = exact.map((value) => Number(value / BigInt(total)));
  let left = discount - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((value, position) => ({ position, remainder: value % BigInt(total) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.position - b.position : a.remainder > b.remainder ? -1 : 1));
  for (const { position } of byRemainder) {
    if (left === 0) break;
    shares[position] = (shares[position] ?? 0) + 1;
    left -= 1;
  }
  return shares.map((share) => kopecks(share));
}
