import { Fault } from "../fault.js";
import type { ItemLine } from "./receipt.js";
import type { TaxRow } from "./vat.js";

/** The fault of a position that names a row which is not among those of the register. */
export function unknownTaxRow({ name, tax }: Pick<ItemLine, "name" | "tax">, rows: readonly TaxRow[]): Fault {
  const known = rows.map(({ id }) => id).join(", ");
  return new Fault("device.tax-unknown", {
    message: `"${name}": there is no tax row ${tax}, only ${known}`,
    place: name,
  });
}
