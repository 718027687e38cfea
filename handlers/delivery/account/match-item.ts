/** Which position of a sale a position that comes back is of: by its good, then its number, then its mark; pure. */
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

/** Those of its good. Of several that are alike the first one that `hasEnough` left. */
export function closestFirst<T extends { readonly of: PositionTraits }>(
  item: PositionTraits,
  candidates: readonly T[],
  hasEnough: (candidate: T) => boolean = () => true,
): readonly T[] {
  const likeness = (one: T) => [
    item.position !== null && item.position === one.of.position,
    hasSameMark(item, one.of),
    hasEnough(one),
  ];
  return candidates
    .filter(({ of }) => isSameGood(item, of))
    .toSorted((one, other) => compare(likeness(other), likeness(one)));
}

/** What has no good is named by its description. */
export function isSameGood(item: PositionTraits, of: PositionTraits): boolean {
  return of.goodId === item.goodId && (item.goodId !== null || of.description === item.description);
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

/** The first difference decides. */
function compare(one: readonly boolean[], other: readonly boolean[]): number {
  const differs = one.findIndex((value, index) => value !== other[index]);
  return differs === -1 ? 0 : Number(one[differs]) - Number(other[differs]);
}
