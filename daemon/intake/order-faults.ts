/** Why an order that could be read is not accepted. Pure. */
import { Fault } from "@fiscald/shared/fault.js";
import type { Inn, Kkm, RegisterId } from "@fiscald/shared/ids.js";
import { itemsOf, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import { unknownTaxRow } from "@fiscald/shared/receipt/unknown-tax-row.js";
import { rateOfTaxId, type TaxRow } from "@fiscald/shared/receipt/vat.js";

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

/**
 * The order names a number that no register of its site is known to have. `unseen`: a register whose number is not known yet;
 * null = all are known. The site is asked for a register's own orders only when that was identified.
 */
export function unknownKkm(kkm: Kkm | null, unseen: RegisterId | null): Fault {
  if (unseen === null) {
    const message = `no register with kkm ${kkm} is configured for this site`;
    return new Fault("register.unknown-kkm", { message, place: "kkm" });
  }
  const message = `kkm ${kkm} is not known: it may be the one of ${unseen}, which was never connected so far`;
  return new Fault("register.offline", { message, place: "kkm" });
}

export function siteRefusal(read: { readonly resultCode: number; readonly resultInfo: string }): Fault {
  const message = `the site answered resultCode ${read.resultCode}: ${read.resultInfo}`;
  return new Fault("site.bad-answer", { message });
}

/** The order itself is wrong, whatever the daemon did with it: the report goes to the developers' address too. */
export function isMistakeOfSite({ area, code }: Fault): boolean {
  return area === "order" || code === "register.unknown-kkm" || code === "device.tax-unknown";
}
