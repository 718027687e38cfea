/** Which position of a sale comes back: by its good, then its number, then its mark; pure. */
import type { StoredItem } from "../orders/stored-order.js";

/** The fields that distinguish the positions of one order. */
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

/** The candidates of the same good, best match first; among equal ones those that have enough left. */
export function closestFirst<T extends { readonly of: PositionTraits }>(
  item: PositionTraits,
  candidates: readonly T[],
  hasEnough: (candidate: T) => boolean = () => true,
): readonly T[] {
  const likeness = (one: T) =>
    4 * Number(item.position !== null && item.position === one.of.position) +
    2 * Number(hasSameMark(item, one.of)) +
    Number(hasEnough(one));
  return candidates.filter(({ of }) => isSameGood(item, of)).toSorted((one, other) => likeness(other) - likeness(one));
}

/** A position without a good is named by its description. */
export function isSameGood(item: PositionTraits, of: PositionTraits): boolean {
  return of.goodId === item.goodId && (item.goodId !== null || of.description === item.description);
}

/** A refund order, and its sale too, may name the mark as it was scanned, decoded, or both. */
export function hasSameMark(item: PositionTraits, of: PositionTraits): boolean {
  const known = marksOf(of);
  return marksOf(item).some((mark) => known.includes(mark));
}

/** The mark as a line carries it, base64; null for what is not marked. */
export function markingCodeOf({ markBinaryValue, markValue }: PositionTraits): string | null {
  const mark = markBinaryValue ?? markValue;
  return mark === null ? null : base64(mark);
}

/** Both forms of the mark, as a line may carry them. */
export function markingCodesOf(item: PositionTraits): readonly string[] {
  return marksOf(item).map(base64);
}

export function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

function marksOf({ markBinaryValue, markValue }: PositionTraits): readonly string[] {
  return [markBinaryValue, markValue].filter((mark) => mark !== null);
}
