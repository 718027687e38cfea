/** What comes back has the VAT rates of the receipt that it was sold or prepaid by (domain 2.3, 5.1); pure. */
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";
import { soldItems } from "./due-receipts.js";
import { itemSum } from "./order-rules.js";
import type { StoredItem, StoredOrder } from "./stored-order.js";

export interface SoldSale {
  readonly sale: StoredOrder;
  readonly lines: readonly ItemLine[];
}

/**
 * The goods may be others since: the rate of the prepaid position of the same name, or the only one that there is. Where
 * neither is plain, that of now.
 */
export function atPrepaidRates(lines: readonly ItemLine[], prepaid: readonly ItemLine[]): readonly ItemLine[] {
  return lines.map((line): ItemLine => {
    const named = prepaid.filter(({ name }) => name === line.name);
    const [tax, ...others] = new Set((named.length > 0 ? named : prepaid).map((one) => one.tax));
    return tax === undefined || others.length > 0 ? line : { ...line, tax };
  });
}

/**
 * The rates are those of the sale's own receipt (domain 5.1): a tax may have another rate since. A refund's positions are those
 * of the same good (without one: of the same description), of the same position or tax where the sale has several.
 */
export function atSoldRates(
  order: StoredOrder,
  lines: readonly ItemLine[],
  { sale, lines: printed }: SoldSale,
): readonly ItemLine[] {
  const rates = ratesOf(sale, printed);
  if (rates === null) return lines;
  const items = order.isRefund ? order.goods : soldItems(order);
  return lines.map((line, index): ItemLine => {
    const item = items[index];
    const ofGood = rates.filter((one) => item !== undefined && one.item.goodId === item.goodId);
    const described = ofGood.filter((one) => item?.goodId === null && one.item.description === item.description);
    const sold = described.length > 0 ? described : ofGood;
    const own = sold.find((one) => one.item.position !== null && one.item.position === item?.position);
    const found = own ?? sold.find((one) => one.item.taxId === item?.taxId) ?? sold[0];
    return found === undefined ? line : { ...line, tax: found.tax };
  });
}

/** The printed rate of every position that was sold; null when the receipt is of other positions than the order has now. */
function ratesOf(sale: StoredOrder, printed: readonly ItemLine[]) {
  const rates: { item: StoredItem; tax: ItemLine["tax"] }[] = [];
  let from = 0;
  for (const item of soldItems(sale)) {
    const sum = itemSum(item);
    const start = from;
    let found = 0;
    while (from < printed.length && (from === start || found < sum)) {
      found += printed[from]?.total ?? 0;
      from += 1;
    }
    if (found !== sum) return null;
    rates.push({ item, tax: printed[start]?.tax ?? null });
  }
  return from === printed.length ? rates : null;
}
