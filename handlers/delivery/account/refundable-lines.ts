/**
 * A return has lines of the receipt that it gives back, with all their tags (domain 5.1). The refund order only says which
 * of the lines come back, and how much; pure.
 */
import { type Kopecks, kopecks, parseQuantity, quantity, spreadDiscount, sumKopecks } from "@fiscald/shared/amounts.js";
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";
import { itemSum } from "../orders/rules.js";
import {
  closestFirst,
  hasSameMark,
  isSameGood,
  markingCodeOf,
  markingCodesOf,
  type PositionTraits,
} from "./match-item.js";

/** A line of a receipt before it is split for the register, and the order's position that it was made of. */
export interface GivenLine {
  readonly line: ItemLine;
  readonly of: PositionTraits;
}

interface Left {
  readonly given: GivenLine;
  quantity: number;
  total: number;
}

/** The lines less what has gone back. The last piece of an indivisible line takes the rest of its money. */
export function linesLeft(given: readonly GivenLine[], returned: readonly GivenLine[]): readonly GivenLine[] {
  const left = given.map((one): Left => ({ given: one, quantity: one.line.quantity, total: one.line.total }));
  for (const one of returned) takeOff(left, one);
  return toLines(left);
}

/**
 * Each position takes its own sum of lines of its good that the positions before it have left; null where too little is
 * left.
 */
export function portionsOfEach(given: readonly GivenLine[], wanted: readonly PositionTraits[]) {
  const portions: GivenLine[] = [];
  let left = given;
  for (const item of wanted) {
    const ofGood = left.filter(({ of }) => isSameGood(item, of));
    const part = portionsOf(ofGood, [item], itemSum(item));
    if (totalOfLines(part) !== itemSum(item)) return null;
    left = linesLeft(left, part);
    portions.push(...withMarksOf([item], part));
  }
  return portions;
}

/** The pieces that come back for that sum: less of each line, or more, and at last of the other lines; never more than is left. */
export function portionsOf(
  left: readonly GivenLine[],
  wanted: readonly PositionTraits[],
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
    const more = Math.min(missing, share.given.line.total - share.total);
    share.total += more;
    missing -= more;
  }
  return toLines(shares);
}

/** Marks that no line has go onto marked lines without a match: only the refund order knows them. */
export function withMarksOf(wanted: readonly PositionTraits[], portions: readonly GivenLine[]): readonly GivenLine[] {
  const unknown = wanted.filter(
    (item) => markingCodeOf(item) !== null && !portions.some((portion) => isMarkedAs(item, portion)),
  );
  return portions.map((portion) => {
    const { line, of } = portion;
    if (line.markingCode === null || wanted.some((item) => isMarkedAs(item, portion))) return portion;
    const item = unknown.shift();
    return item === undefined ? portion : { of, line: { ...line, markingCode: markingCodeOf(item) } };
  });
}

function isMarkedAs(item: PositionTraits, { line: { markingCode }, of }: GivenLine): boolean {
  if (hasSameMark(item, of)) return true;
  return markingCode !== null && markingCodesOf(item).includes(markingCode);
}

/** What the returns exceed the receipt by in single tax rates. */
export function beyondRates(given: readonly GivenLine[], returned: readonly GivenLine[]): Kopecks {
  const left = new Map<number | null, number>();
  for (const { line } of given) left.set(line.tax, (left.get(line.tax) ?? 0) + line.total);
  for (const { line } of returned) left.set(line.tax, (left.get(line.tax) ?? 0) - line.total);
  return kopecks([...left.values()].reduce((sum, rest) => sum + Math.max(0, -rest), 0));
}

export function totalOfLines(lines: readonly GivenLine[]): Kopecks {
  return sumKopecks(lines.map(({ line }) => line.total));
}

function sharesOf(left: readonly GivenLine[], wanted: readonly PositionTraits[]): readonly Left[] {
  const shares = left.map((given): Left => ({ given, quantity: 0, total: 0 }));
  const freeOf = (share: Left) => share.given.line.quantity - share.quantity;
  for (const item of wanted) {
    let count: number = parseQuantity(item.count) ?? 0;
    const candidates = shares.map((share) => ({ of: share.given.of, share }));
    for (const { share } of closestFirst(item, candidates, (one) => hasEnough(one.share, item, count))) {
      const pieces = Math.min(count, freeOf(share));
      share.quantity += pieces;
      count -= pieces;
    }
  }
  function hasEnough(share: Left, item: PositionTraits, count: number): boolean {
    return freeOf(share) >= count && share.given.line.total >= itemSum(item);
  }

  for (const share of shares) {
    const { quantity: pieces, total } = share.given.line;
    share.total = Number((BigInt(total) * BigInt(share.quantity)) / BigInt(pieces));
  }
  return shares;
}

/** From the line that it was a part of; if too little is left of that, from lines like it, at last from any. */
function takeOff(left: readonly Left[], { line, of }: GivenLine): void {
  const rest = { quantity: Number(line.quantity), total: Number(line.total) };
  const origin = JSON.stringify(of);
  const isLike = (one: Left) => identityOf(one.given.line) === identityOf(line);
  const isOfSame = (one: Left) => JSON.stringify(one.given.of) === origin;
  for (const isMeant of [(one: Left) => isLike(one) && isOfSame(one), isLike, isOfSame, () => true]) {
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

function toLines(shares: readonly Left[]): readonly GivenLine[] {
  return shares
    .filter(({ given: { line }, quantity: pieces, total }) => total > 0 || (line.total === 0 && pieces > 0))
    .map(({ given: { line, of }, quantity: pieces, total }) => ({
      of,
      line: { ...line, quantity: pieces > 0 ? quantity(pieces) : line.quantity, total: kopecks(total) },
    }));
}
