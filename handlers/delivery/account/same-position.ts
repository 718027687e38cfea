/** Which positions of a sale a position that comes back may be of, the likeliest first; pure. */
import { itemSum } from "../orders/rules.js";
import type { StoredItem } from "../orders/stored-order.js";

/** What tells the positions of one order apart. */
export type PositionTraits = Pick<
  StoredItem,
  | "goodId"
  | "position"
  | "taxId"
  | "description"
  | "count"
  | "total"
  | "discountTotal"
  | "markValue"
  | "markBinaryValue"
  | "specificities"
>;

export function traitsOf(item: PositionTraits): PositionTraits {
  const { goodId, position, taxId, description, count, total, discountTotal } = item;
  const { markValue, markBinaryValue, specificities } = item;
  return {
    goodId,
    position,
    taxId,
    description,
    count,
    total,
    discountTotal,
    markValue,
    markBinaryValue,
    specificities,
  };
}

/** Those of its good; by the mark, the number of the position, the tax, the specificities, what a piece costs; else in their order. */
export function closestFirst<T extends { readonly of: PositionTraits | null }>(
  item: PositionTraits,
  candidates: readonly T[],
): readonly T[] {
  return candidates
    .filter(({ of }) => of === null || of.goodId === item.goodId)
    .toSorted((one, other) => compare(likeness(item, other.of), likeness(item, one.of)));
}

/** All of them, of whatever good, by the same: those first that are most like one of the items. */
export function mostLike<T extends { readonly of: PositionTraits | null }>(
  items: readonly PositionTraits[],
  candidates: readonly T[],
): readonly T[] {
  const best = ({ of }: T) =>
    items.map((item) => likeness(item, of)).reduce((one, other) => (compare(one, other) < 0 ? other : one), []);
  return candidates.toSorted((one, other) => compare(best(other), best(one)));
}

/** Higher is closer, the first difference decides. */
function likeness(item: PositionTraits, of: PositionTraits | null): readonly number[] {
  if (of === null) return [];
  return [
    hasSameMark(item, of),
    item.position !== null && item.position === of.position,
    // What has no good is named by it.
    item.goodId === null && item.description === of.description,
    item.taxId === of.taxId,
    JSON.stringify(item.specificities) === JSON.stringify(of.specificities),
    -Math.abs(costOfPiece(item) - costOfPiece(of)),
  ].map(Number);
}

/** What the buyer pays for it, roughly: only to be compared. */
function costOfPiece(item: PositionTraits): number {
  return itemSum(item) / item.count;
}

/** A refund order may name the mark as it was scanned, decoded, or both; its sale as often says one of them only. */
export function hasSameMark(item: PositionTraits, of: PositionTraits): boolean {
  const known = marksOf(of);
  return marksOf(item).some((mark) => known.includes(mark));
}

/** The mark as a line carries it, base64; null for what is not marked. */
export function markingCodeOf({ markBinaryValue, markValue }: PositionTraits): string | null {
  const mark = markBinaryValue ?? markValue;
  return mark === null ? null : base64(mark);
}

/** All that the line may carry. */
export function markingCodesOf(item: PositionTraits): readonly string[] {
  return marksOf(item).map(base64);
}

function base64(mark: string): string {
  return Buffer.from(mark, "utf8").toString("base64");
}

function marksOf({ markBinaryValue, markValue }: PositionTraits): readonly string[] {
  return [markBinaryValue, markValue].filter((mark) => mark !== null);
}

function compare(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length) return one.length - other.length;
  const differs = one.findIndex((value, index) => value !== other[index]);
  return differs === -1 ? 0 : (one[differs] ?? 0) - (other[differs] ?? 0);
}
