/**
 * What goes back is a part of what a receipt of ours gave (domain 5.1): its lines with all their tags. What an order and the
 * catalog say now only tells which of them come back, and how much; pure.
 */
import { type Kopecks, kopecks, parseQuantity, quantity, spreadDiscount, sumKopecks } from "@fiscald/shared/amounts.js";
import type { ItemLine, Payment, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { itemSum } from "../orders/rules.js";
import {
  closestFirst,
  hasSameMark,
  markingCodeOf,
  markingCodesOf,
  mostLike,
  type PositionTraits,
} from "./same-position.js";

/** A line of a receipt before it is split for the register, and the order's position that it was made of. */
export interface GivenLine {
  readonly line: ItemLine;
  /** Null where nothing tells it: such a line may be of any position. */
  readonly of: PositionTraits | null;
}

/** What of a receipt of ours has not gone back. */
export interface GivenLeft {
  readonly lines: readonly GivenLine[];
  /** How it was paid. */
  readonly forms: readonly Payment[];
  /** Tag 1055 of that receipt. */
  readonly taxSystem: TaxSystem | null;
}

interface Left {
  readonly given: GivenLine;
  quantity: number;
  total: number;
}

/** What of the lines has not gone back. Money that is left of a line without pieces is of all its pieces. */
export function linesLeft(given: readonly GivenLine[], returned: readonly GivenLine[]): readonly GivenLine[] {
  const left = given.map((one): Left => ({ given: one, quantity: one.line.quantity, total: one.line.total }));
  for (const one of returned) takeOff(left, one);
  return left
    .filter(({ given: { line }, quantity: pieces, total }) => total > 0 || (line.total === 0 && pieces > 0))
    .map((one) => withAmounts(one.given, one));
}

/** The share of the pieces that come back: the last piece of a line takes all that is left of its money. */
export function piecesOf(left: readonly GivenLine[], wanted: readonly PositionTraits[]): readonly GivenLine[] {
  return toLines(sharesOf(left, wanted));
}

/**
 * The same for a sum that is settled otherwise: less of each line, or more of them, and at last of the others, those first
 * that are most like what comes back; never more than what is left.
 */
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
  for (const share of restFirst(shares, wanted)) {
    const more = Math.min(missing, share.given.line.total - share.total);
    share.total += more;
    missing -= more;
  }
  return toLines(shares);
}

/** Where the money is that is missing: of goods that no line is of (the order was changed since) in the lines most like them. */
function restFirst(shares: readonly Left[], wanted: readonly PositionTraits[]): readonly Left[] {
  const candidates = shares.map((share) => ({ of: share.given.of, share }));
  const strangers = wanted.filter((item) => closestFirst(item, candidates).length === 0);
  const likeFirst = mostLike(strangers.length > 0 ? strangers : wanted, candidates).map(({ share }) => share);
  if (strangers.length > 0) return likeFirst;
  return [...shares.filter((share) => share.quantity > 0), ...likeFirst.filter((share) => share.quantity === 0)];
}

/** Each position with its own sum, out of what the ones before it leave. */
export function portionsOfEach(given: readonly GivenLine[], wanted: readonly PositionTraits[]): readonly GivenLine[] {
  let left = given;
  return wanted.flatMap((item) => {
    const portions = portionsOf(left, [item], itemSum(item));
    left = linesLeft(left, portions);
    return withMarksOf([item], portions);
  });
}

/** Marked pieces whose marks no line has as they are named: nobody but the refund order says which ones they are. */
export function withMarksOf(wanted: readonly PositionTraits[], portions: readonly GivenLine[]): readonly GivenLine[] {
  const unknown = wanted.filter(
    (item) => markingCodeOf(item) !== null && !portions.some((portion) => isMarkedAs(item, portion)),
  );
  return portions.map((portion) => {
    const { line, of } = portion;
    if (line.markingCode === null || wanted.some((item) => isMarkedAs(item, portion))) return portion;
    const index = unknown.findIndex(({ goodId }) => of === null || of.goodId === goodId);
    const [item] = index === -1 ? [] : unknown.splice(index, 1);
    return item === undefined ? portion : { of, line: { ...line, markingCode: markingCodeOf(item) } };
  });
}

function isMarkedAs(item: PositionTraits, { line: { markingCode }, of }: GivenLine): boolean {
  if (of !== null && hasSameMark(item, of)) return true;
  return markingCode !== null && markingCodesOf(item).includes(markingCode);
}

/**
 * What goes back of a tax rate more than was given of it, which is null where no receipt of ours gave it. Of which lines a
 * return is was decided by what was known then: one that had failed may be printed after another one took its line.
 */
export function beyondRates(given: readonly GivenLine[] | null, returned: readonly GivenLine[]): Kopecks {
  if (given === null) return kopecks(0);
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
  for (const item of wanted) {
    let count: number = parseQuantity(item.count) ?? 0;
    for (const { share } of closestFirst(
      item,
      shares.map((share) => ({ of: share.given.of, share })),
    )) {
      const pieces = Math.min(count, share.given.line.quantity - share.quantity);
      share.quantity += pieces;
      count -= pieces;
    }
  }
  for (const share of shares) {
    const { quantity: pieces, total } = share.given.line;
    share.total = Number((BigInt(total) * BigInt(share.quantity)) / BigInt(pieces));
  }
  return shares;
}

/** From the line that it was a part of; should that have less left, from lines like it, and at last from any. */
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
    .map((share) => withAmounts(share.given, share));
}

function withAmounts(
  { line, of }: GivenLine,
  { quantity: pieces, total }: Pick<Left, "quantity" | "total">,
): GivenLine {
  return { of, line: { ...line, quantity: pieces > 0 ? quantity(pieces) : line.quantity, total: kopecks(total) } };
}
