import { Fault } from "@fiscald/shared/fault.js";
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";
import { unknownTaxRow } from "@fiscald/shared/receipt/unknown-tax-row.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import type { CompileContext } from "../fiscal-driver.js";

/**
 * The register's row for a position, or its `defaultTax` where the order names none. Faults: `device.tax-unknown` when the
 * order names a row that is not there; `config.default-tax` when the register's own setting is missing or wrong.
 */
export function requireTaxRow(
  { tax, name }: Pick<ItemLine, "tax" | "name">,
  { tables, defaultTax }: Pick<CompileContext, "tables" | "defaultTax">,
): TaxRow {
  const wanted = tax ?? defaultTax;
  const row = tables.taxes.find(({ id }) => id === wanted);
  if (row !== undefined) return row;
  if (tax !== null) throw unknownTaxRow({ name, tax }, tables.taxes);
  const setting = defaultTax === null ? "the register has no default one" : `there is no default row ${defaultTax}`;
  throw new Fault("config.default-tax", { message: `"${name}" names no tax and ${setting}`, place: name });
}
