/** Whether a readable receipt fits the register that it is for: its taxpayer and its tax rows. Pure. */
import { Fault } from "../fault.js";
import type { Inn } from "../ids.js";
import { type ItemLine, itemsOf, type Receipt } from "./receipt.js";
import { rateInWords, ratesOf } from "./tax-meaning.js";
import { rateOfTaxId, type TaxRow } from "./vat.js";

/** Why a well-formed receipt cannot be accepted; null = it can. `inn`: taxpayer of its register. */
export function orderFault(receipt: Receipt, inn: Inn | null): Fault | null {
  if (receipt.kind !== "receipt") return null;
  if (receipt.cancelledByOrder) return new Fault("job.cancelled-by-order");
  const { expectedInn } = receipt;
  if (expectedInn === null || inn === null || expectedInn === inn) return null;
  const message = `the order is for taxpayer ${expectedInn}, the register belongs to taxpayer ${inn}`;
  return new Fault("order.wrong-inn", { message, place: "service.inn" });
}

/** The first position that names a tax row which is in none of the lists; no list = they are not known. */
export function taxFault(receipt: Receipt, lists: readonly (readonly TaxRow[])[]): Fault | null {
  const rows = lists.flat();
  if (receipt.kind !== "receipt" || rows.length === 0) return null;
  const isKnown = (tax: number | null) =>
    tax === null || rateOfTaxId(tax) !== null || rows.some(({ id }) => id === tax);
  const unknown = itemsOf(receipt).find(({ tax }) => !isKnown(tax));
  return unknown === undefined ? null : unknownTaxRow(unknown, lists[0] ?? []);
}

/** The first position whose tax id means different rates in two lists that the site may have. */
export function taxConflict(receipt: Receipt, lists: readonly (readonly TaxRow[])[]): Fault | null {
  if (receipt.kind !== "receipt") return null;
  for (const { name, tax } of itemsOf(receipt)) {
    const rates = tax === null ? [] : ratesOf(tax, lists);
    if (rates.length < 2) continue;
    const message = `"${name}": tax row ${tax} is ${rates.map(rateInWords).join(", and was ")}`;
    return new Fault("device.tax-changed", { message, place: name });
  }
  return null;
}

/** The fault of a position that names a row which is not among those of the register. */
export function unknownTaxRow({ name, tax }: Pick<ItemLine, "name" | "tax">, rows: readonly TaxRow[]): Fault {
  const known = rows.map(({ id }) => id).join(", ");
  return new Fault("device.tax-unknown", {
    message: `"${name}": there is no tax row ${tax}, only ${known}`,
    place: name,
  });
}
