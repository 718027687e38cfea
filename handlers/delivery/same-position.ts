/** Which positions of a sale a position that comes back may be of, the likeliest first; pure. */
import type { StoredItem } from "./stored-order.js";

/** What tells the positions of one order apart. */
export type PositionTraits = Pick<
  StoredItem,
  "goodId" | "position" | "taxId" | "description" | "price" | "markValue" | "markBinaryValue" | "specificities"
>;

export function traitsOf(item: PositionTraits): PositionTraits {
  const { goodId, position, taxId, description, price, markValue, markBinaryValue, specificities } = item;
  return { goodId, position, taxId, description, price, markValue, markBinaryValue, specificities };
}

/** Those of its good; by the mark, the number of the position, the tax, the specificities, the price, else in their order. */
export function closestFirst<T extends { readonly of: PositionTraits | null }>(
  item: PositionTraits,
  candidates: readonly T[],
): readonly T[] {
  return candidates
    .filter(({ of }) => of === null || of.goodId === item.goodId)
    .toSorted((one, other) => compare(likeness(item, other.of), likeness(item, one.of)));
}

function likeness(item: PositionTraits, of: PositionTraits | null): readonly boolean[] {
  if (of === null) return [];
  return [
    markOf(item) !== null && markOf(item) === markOf(of),
    item.position !== null && item.position === of.position,
    // What has no good is named by it.
    item.goodId === null && item.description === of.description,
    item.taxId === of.taxId,
    JSON.stringify(item.specificities) === JSON.stringify(of.specificities),
    item.price === of.price,
  ];
}

function markOf({ markBinaryValue, markValue }: PositionTraits): string | null {
  return markBinaryValue ?? markValue;
}

function compare(one: readonly boolean[], other: readonly boolean[]): number {
  const differs = one.findIndex((is, index) => is !== other[index]);
  return differs === -1 ? 0 : Number(one[differs]) - Number(other[differs] ?? false);
}
