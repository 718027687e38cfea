/** Finds the line of a printed receipt that a return's position means, and what is left of it (54-fz 9). Pure. */
import { type Kopecks, kopecks, parseQuantity, quantity, spreadDiscount, sumKopecks } from "@fiscald/shared/amounts.js";
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";
import { markingCodeOf } from "../orders/receipt-policy.js";
import { itemSum } from "../orders/rules.js";
import type { StoredItem } from "../orders/stored-order.js";

/** Candidates of the same good, the most alike first: position, marking code, price, tax, then enough left. */
export function closestFirst<T extends { readonly of: StoredItem }>(
  item: StoredItem,
  candidates: readonly T[],
  hasEnough: (candidate: T) => boolean = () => true,
): readonly T[] {
  const likeness = (one: T) =>
    16 * Number(item.position !== null && item.position === one.of.position) +
    8 * Number(hasSameMark(item, one.of)) +
    4 * Number(hasSamePrice(item, one.of)) +
    2 * Number(item.taxId !== null && item.taxId === one.of.taxId) +
    Number(hasEnough(one));
  return candidates.filter(({ of }) => isSameGood(item, of)).toSorted((one, other) => likeness(other) - likeness(one));
}

function hasSamePrice(item: StoredItem, of: StoredItem): boolean {
  return Math.round(itemSum(item) / item.count) === Math.round(itemSum(of) / of.count);
}

/** A position without a good is compared by its description. */
export function isSameGood(item: StoredItem, of: StoredItem): boolean {
  return of.goodId === item.goodId && (item.goodId !== null || of.description === item.description);
}

/** An order may name a marking code as scanned, decoded, or both. */
export function hasSameMark(item: StoredItem, of: StoredItem): boolean {
  const known = marksOf(of);
  return marksOf(item).some((mark) => known.includes(mark));
}

function marksOf({ markBinaryValue, markValue }: StoredItem): readonly string[] {
  return [markBinaryValue, markValue].filter((mark) => mark !== null);
}

/** A line of a receipt before it is split for the register, and the order's position that it was made of. */
export interface GivenLine {
  readonly line: ItemLine;
  readonly of: StoredItem;
}

/** `quantity` and `total`: what is left of the line, or taken from it. */
interface Share extends GivenLine {
  quantity: number;
  total: number;
}

/** The last piece of an indivisible line takes the rest of the line's money. */
export function linesLeft(given: readonly GivenLine[], returned: readonly GivenLine[]): readonly GivenLine[] {
  const left = given.map(({ line, of }): Share => ({ line, of, quantity: line.quantity, total: line.total }));
  for (const one of returned) takeOff(left, one);
  return toLines(left);
}

export function portionsOfEach(given: readonly GivenLine[], wanted: readonly StoredItem[]) {
  const portions: GivenLine[] = [];
  let left = given;
  for (const item of wanted) {
    const ofGood = left.filter(({ of }) => isSameGood(item, of));
    const part = portionsOf(ofGood, [item], itemSum(item));
    if (totalOfGiven(part) !== itemSum(item)) return null;
    left = linesLeft(left, part);
    portions.push(...withMarkOf(item, part));
  }
  return portions;
}

/** The wanted pieces at exactly `sum`: first from their own lines, then from others, never more than is left. */
export function portionsOf(
  left: readonly GivenLine[],
  wanted: readonly StoredItem[],
  sum: Kopecks,
): readonly GivenLine[] {
  const shares = sharesOf(left, wanted);
  const totals = shares.map(({ total }) => kopecks(total));
  const excess = sumKopecks(totals) - sum;
  if (excess > 0) {
    const less = spreadDiscount(totals, kopecks(excess));
    return toLines(shares.map((share, index) => ({ ...share, total: share.total - (less[index] ?? 0) })));
  }
  let missing = -excess;
  for (const share of shares.toSorted((one, other) => Number(other.quantity > 0) - Number(one.quantity > 0))) {
    const more = Math.min(missing, share.line.total - share.total);
    share.total += more;
    missing -= more;
  }
  return toLines(shares);
}

/** A marking code that only the refund order knows replaces the first marking code of the lines. */
function withMarkOf(item: StoredItem, portions: readonly GivenLine[]): readonly GivenLine[] {
  const markingCode = markingCodeOf(item);
  if (markingCode === null || portions.some(({ of }) => hasSameMark(item, of))) return portions;
  const marked = portions.find(({ line }) => line.markingCode !== null);
  return portions.map((one) => (one === marked ? { ...one, line: { ...one.line, markingCode } } : one));
}

/** The sum by which returns exceed the receipt in single tax rates. */
export function beyondRates(given: readonly GivenLine[], returned: readonly GivenLine[]): Kopecks {
  const left = new Map<number | null, number>();
  for (const { line } of given) left.set(line.tax, (left.get(line.tax) ?? 0) + line.total);
  for (const { line } of returned) left.set(line.tax, (left.get(line.tax) ?? 0) - line.total);
  return kopecks([...left.values()].reduce((sum, rest) => sum + Math.max(0, -rest), 0));
}

export function totalOfGiven(lines: readonly GivenLine[]): Kopecks {
  return sumKopecks(lines.map(({ line }) => line.total));
}

function sharesOf(left: readonly GivenLine[], wanted: readonly StoredItem[]): readonly Share[] {
  const shares = left.map((given): Share => ({ ...given, quantity: 0, total: 0 }));
  const freeOf = (share: Share) => share.line.quantity - share.quantity;
  for (const item of wanted) {
    let count: number = parseQuantity(item.count) ?? 0;
    const hasEnough = (share: Share) => freeOf(share) >= count && share.line.total >= itemSum(item);
    for (const share of closestFirst(item, shares, hasEnough)) {
      const pieces = Math.min(count, freeOf(share));
      share.quantity += pieces;
      count -= pieces;
    }
  }
  for (const share of shares) {
    const { quantity: pieces, total } = share.line;
    share.total = Number((BigInt(total) * BigInt(share.quantity)) / BigInt(pieces));
  }
  return shares;
}

/** Takes a return off its own line; if too little is left there, off similar lines, then off any line. */
function takeOff(left: readonly Share[], { line, of }: GivenLine): void {
  const rest = { quantity: Number(line.quantity), total: Number(line.total) };
  const origin = JSON.stringify(of);
  const isLike = (one: Share) => identityOf(one.line) === identityOf(line);
  const isOfSame = (one: Share) => JSON.stringify(one.of) === origin;
  for (const isMeant of [(one: Share) => isLike(one) && isOfSame(one), isLike, isOfSame, () => true]) {
    for (const one of left.filter(isMeant)) {
      if (rest.total === 0 && line.total > 0) return;
      const [pieces, total] = [Math.min(one.quantity, rest.quantity), Math.min(one.total, rest.total)];
      one.quantity -= pieces;
      one.total -= total;
      rest.quantity -= pieces;
      rest.total -= total;
    }
  }
}

function identityOf({ quantity: _pieces, total: _total, price: _price, ...tags }: ItemLine): string {
  return JSON.stringify(tags);
}

function toLines(shares: readonly Share[]): readonly GivenLine[] {
  return shares
    .filter(({ line, quantity: pieces, total }) => total > 0 || (line.total === 0 && pieces > 0))
    .map(({ line, of, quantity: pieces, total }) => ({
      of,
      line: { ...line, quantity: pieces > 0 ? quantity(pieces) : line.quantity, total: kopecks(total) },
    }));
}
