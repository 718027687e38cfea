import type { ItemLine, ReceiptLine, SaleReceipt } from "./receipt.js";
import type { RegisterTables, TaxRow } from "./vat.js";

/**
 * The receipt with tax ids of register `from` as ids of register `to`, by the meaning of the rows. Null when a row has
 * no counterpart or its meaning is not known: such a receipt stays where it is.
 */
export function mapTaxes(options: {
  readonly receipt: SaleReceipt;
  readonly from: RegisterTables;
  readonly to: RegisterTables;
}): SaleReceipt | null {
  const { receipt, from, to } = options;
  const lines: ReceiptLine[] = [];
  for (const line of receipt.lines) {
    const mapped = line.type === "item" ? mapItem(line, from.taxes, to.taxes) : line;
    if (mapped === null) return null;
    lines.push(mapped);
  }
  return { ...receipt, lines };
}

function mapItem(item: ItemLine, from: readonly TaxRow[], to: readonly TaxRow[]): ItemLine | null {
  if (item.tax === null) return item;
  const vat = from.find(({ id }) => id === item.tax)?.vat ?? null;
  if (vat === null) return null;
  const rows = to.filter((row) => row.vat === vat);
  const row = rows.find(({ id }) => id === item.tax) ?? rows[0];
  return row === undefined ? null : { ...item, tax: row.id };
}
