/** A piece with a mark comes back as a whole (domain 9: one code is one piece); what is measured comes back in parts too. */
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import type { Reader } from "./operation.js";
import { orderReferences } from "./order-rules.js";
import { loadReferences } from "./references.js";
import type { RefundExcess } from "./refund-limits.js";
import { closestFirst, markingCodeOf } from "./same-position.js";
import { textField } from "./stored-json.js";
import type { StoredItem, StoredOrder } from "./stored-order.js";

/** The first position of the refund that no receipt could be made of; null for none. */
export async function findBrokenPiece(
  db: Reader,
  resource: number,
  sale: StoredOrder,
  refund: StoredOrder,
): Promise<RefundExcess | null> {
  const sold = sale.goods.map((of) => ({ of }));
  for (const [index, item] of refund.goods.entries()) {
    const of = closestFirst(item, sold)[0]?.of ?? item;
    if (Number.isInteger(item.count) || (markingCodeOf(item) ?? markingCodeOf(of)) === null) continue;
    if (measureOf(await unitOf(db, resource, of)) === 0)
      return { field: `goods[${index}].count`, message: "must be whole: one marking code is one piece" };
  }
  return null;
}

async function unitOf(db: Reader, resource: number, item: StoredItem): Promise<string | null> {
  const { goodId, unit } = item;
  if (unit || goodId === null) return unit;
  const found = await loadReferences(db, resource, orderReferences({ goods: [{ goodId }] }, ""));
  return textField(found.get("goods")?.get(goodId)?.body, "unit");
}
