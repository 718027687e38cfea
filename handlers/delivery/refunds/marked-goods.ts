/** A piece with a marking code is sold and comes back whole (54-fz 17). Measured goods may be in parts. */
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import { closestFirst } from "../account/refundable.js";
import { textField } from "../catalog/records.js";
import { loadReferences } from "../catalog/references.js";
import { invalid } from "../http/api-errors.js";
import type { CommitScope } from "../orders/order-change.js";
import { markingCodeOf } from "../orders/receipt-policy.js";
import { orderReferences } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import type { Reader } from "../store/delivery-store.js";

export const PART_OF_PIECE = "must be whole: one marking code is one piece";

/** Returns a check: would this count of a position split a piece that has a marking code? */
export async function loadBreaks(
  db: Reader,
  resource: number,
  items: readonly StoredItem[],
): Promise<(item: StoredItem, count: number) => boolean> {
  const references = orderReferences({ goods: items.filter(isMarked) }, "").filter(({ kind }) => kind === "goods");
  const goods = (await loadReferences(db, resource, references)).get("goods");
  const unitOf = ({ unit, goodId }: StoredItem) => unit ?? textField(goods?.get(goodId ?? "")?.body, "unit");
  return (item, count) => isMarked(item) && !Number.isInteger(count) && measureOf(unitOf(item)) === 0;
}

/** No receipt can be made of a part of a marked piece. */
export async function refuseBroken(
  { tx, resource }: CommitScope,
  sale: StoredOrder,
  { after: refund, place }: { readonly after: StoredOrder; readonly place: string },
): Promise<void> {
  const breaks = await loadBreaks(tx, resource, [...sale.goods, ...refund.goods]);
  const sold = sale.goods.map((of) => ({ of }));
  const index = refund.goods.findIndex((item) => {
    const of = closestFirst(item, sold)[0]?.of ?? item;
    if (item.count === of.count) return false;
    return breaks(of, item.count) || breaks({ ...item, unit: item.unit ?? of.unit }, item.count);
  });
  if (index !== -1) throw invalid(`${place}goods[${index}].count`, PART_OF_PIECE);
}

function isMarked(item: StoredItem): boolean {
  return markingCodeOf(item) !== null;
}
