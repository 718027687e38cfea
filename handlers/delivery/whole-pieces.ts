/** A piece with a mark is sold, and comes back, as a whole (domain 9: one code is one piece); what is measured is in parts too. */
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import type { Reader } from "./operation.js";
import { orderReferences } from "./order-rules.js";
import { loadReferences } from "./references.js";
import type { RefundExcess } from "./refund-limits.js";
import { closestFirst, markingCodeOf } from "./same-position.js";
import { textField } from "./stored-json.js";
import type { StoredItem, StoredOrder } from "./stored-order.js";

export const PART_OF_PIECE = "must be whole: one marking code is one piece";

/** Tells of a position, and of how much of it, whether that would break a marked piece. `items`: those that it is asked of. */
export async function loadBreaks(
  db: Reader,
  resource: number,
  items: readonly StoredItem[],
): Promise<(item: StoredItem, count: number) => boolean> {
  const references = orderReferences({ goods: items.filter(isMarked) }, "").filter(({ kind }) => kind === "goods");
  const goods = (await loadReferences(db, resource, references)).get("goods");
  const unitOf = ({ unit, goodId }: StoredItem) => unit || textField(goods?.get(goodId ?? "")?.body, "unit");
  return (item, count) => isMarked(item) && !Number.isInteger(count) && measureOf(unitOf(item)) === 0;
}

/** The first position of the refund that no receipt could be made of; null for none. */
export async function findBrokenPiece(
  db: Reader,
  resource: number,
  sale: StoredOrder,
  refund: StoredOrder,
): Promise<RefundExcess | null> {
  const breaks = await loadBreaks(db, resource, [...sale.goods, ...refund.goods]);
  const sold = sale.goods.map((of) => ({ of }));
  const index = refund.goods.findIndex((item) => {
    const of = closestFirst(item, sold)[0]?.of ?? item;
    return breaks(of, item.count) || breaks({ ...item, unit: item.unit ?? of.unit }, item.count);
  });
  return index === -1 ? null : { field: `goods[${index}].count`, message: PART_OF_PIECE };
}

function isMarked(item: StoredItem): boolean {
  return markingCodeOf(item) !== null;
}
