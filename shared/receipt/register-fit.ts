/** Checks whether a readable receipt fits its register: the register's taxpayer and tax rows. Pure. */
import { Fault } from "../fault.js";
import type { Inn } from "../ids.js";
import { type ItemLine, itemsOf, type Receipt } from "./receipt.js";
import { rateInWords, ratesOf } from "./tax-meaning.js";
import { refusalTexts } from "./texts/refusal-texts.js";
import { rateOfTaxId, type TaxRow } from "./vat.js";

/** Null = the receipt can be accepted. `inn`: that of the register's taxpayer. */
export function orderFault(receipt: Receipt, inn: Inn | null): Fault | null {
  if (receipt.kind !== "receipt") return null;
  if (receipt.cancelledByOrder) return new Fault("job.cancelled-by-order");
  const { expectedInn } = receipt;
  if (expectedInn === null || inn === null || expectedInn === inn) return null;
  const message = refusalTexts.otherTaxpayer(expectedInn, inn);
  return new Fault("order.wrong-inn", { message, place: "service.inn" });
}

/** Finds the first position whose tax row is in none of the lists. An empty list of lists: the rows are not known. */
export function unknownTaxFault(
  receipt: Receipt,
  lists: readonly (readonly TaxRow[])[],
  places: readonly string[] = [],
): Fault | null {
  const rows = lists.flat();
  if (rows.length === 0) return null;
  const unknown = itemsWithRow(receipt, places).find(({ tax }) => rows.every(({ id }) => id !== tax));
  return unknown === undefined ? null : unknownTaxRow(unknown, lists[0] ?? [], unknown.place);
}

/** Finds the first position whose row is unknown or has no lawful rate. `places`: the fields that name rates. */
export function taxFault(
  receipt: Receipt,
  lists: readonly (readonly TaxRow[])[],
  places: readonly string[] = [],
): Fault | null {
  const unknown = unknownTaxFault(receipt, lists, places);
  if (unknown !== null) return unknown;
  for (const item of itemsWithRow(receipt, places)) {
    const [row, ...others] = lists.flat().filter(({ id }) => id === item.tax);
    if (row !== undefined && [row, ...others].every(({ vat }) => vat === null)) return unlawfulRow(item, row);
  }
  return null;
}

interface PlacedRow extends Pick<ItemLine, "name" | "tax"> {
  readonly place: string;
}

function itemsWithRow(receipt: Receipt, places: readonly string[]): readonly PlacedRow[] {
  if (receipt.kind !== "receipt") return [];
  return itemsOf(receipt)
    .map(({ name, tax }, index) => ({ name, tax, place: places[index] ?? `items[${index}].tax` }))
    .filter(({ tax }) => tax !== null && rateOfTaxId(tax) === null);
}

/** The row's title shows the row's name and the rate that the register counts. */
function unlawfulRow({ name, tax, place }: PlacedRow, { title }: TaxRow): Fault {
  const message = refusalTexts.unlawfulRow(name, tax ?? 0, title);
  return new Fault("device.tax-unknown", { message, place });
}

/** Finds the first position whose tax id means different rates in two lists that the site may have. */
export function taxConflict(receipt: Receipt, lists: readonly (readonly TaxRow[])[], places: readonly string[]) {
  for (const { name, tax, place } of itemsWithRow(receipt, places)) {
    const rates = tax === null ? [] : ratesOf(tax, lists);
    if (rates.length < 2) continue;
    const message = refusalTexts.changedRow(name, tax ?? 0, rates.map(rateInWords));
    return new Fault("device.tax-changed", { message, place });
  }
  return null;
}

export function unknownTaxRow(
  { name, tax }: Pick<ItemLine, "name" | "tax">,
  rows: readonly TaxRow[],
  place: string,
): Fault {
  const known = rows.map(({ id }) => id).join(", ");
  return new Fault("device.tax-unknown", { message: refusalTexts.noTaxRow(name, tax ?? 0, known), place });
}
