/** No position is registered at a VAT rate that is not in force on the day of the print. Pure. */
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { taxFault } from "@fiscald/shared/receipt/register-fit.js";
import type { ReceiptWithRows, RegisterRows, TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { meaningOfRow, rateFlawIn, type TaxRow } from "@fiscald/shared/receipt/vat.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";

export interface RateDay {
  /** `2026-11-20` by the register's clock, which dates the receipt. This computer's clock may be wrong. */
  readonly today: string;
  /** The site may still sell at 20 % VAT. */
  readonly allows20: boolean;
}

/** Gives positions without a tax the default rate of the day on which the order was accepted, while it is in force. */
export function withDefaultInForce(
  receipt: SaleReceipt,
  meanings: readonly TaxMeaning[],
  day: RateDay,
): readonly TaxMeaning[] {
  return meanings.map((meaning) => {
    if (meaning.id !== null || meaning.vat === null) return meaning;
    const isOutdated = itemsOf(receipt).some(
      ({ tax, method }) => tax === null && flawOf(meaning, method, receipt, day) !== null,
    );
    return isOutdated ? { ...meaning, vat: null, title: null } : meaning;
  });
}

/**
 * A tax row may be printed in a sale at another rate than its own (`inSale`). The other rate counts only when no
 * position was accepted at the row's own rate. Otherwise the row's own rate must be sent, or nobody would see that the
 * register substitutes it.
 */
export function rowsAsAccepted(taxes: readonly TaxRow[], meanings: readonly TaxMeaning[]): readonly TaxRow[] {
  const accepted = new Set(meanings.map(({ vat }) => vat));
  return taxes.map((row) => {
    if (accepted.has(row.vat)) return { ...row, inSale: undefined };
    // A register without the licence for 22 % has no own row for it, so a return of such a sale needs this row.
    const { vat, inSale = vat } = row;
    return accepted.has(inSale) && taxes.every((other) => other.vat !== inSale) ? { ...row, vat: inSale } : row;
  });
}

/**
 * Throws `device.tax-unknown` for a row that is missing or has no lawful rate, and `order.wrong-value` for a rate out
 * of force. Throws `register.setting-wrong` for the default rate, which the shop sets; the receipt waits until that
 * rate is right. `withRows` is made by `withRowsOf`.
 */
export function requireLawfulRates(
  receipt: SaleReceipt,
  withRows: ReceiptWithRows,
  { taxes, defaultTax }: RegisterRows,
  day: RateDay,
): void {
  const misfit = taxFault(withRows.receipt, [taxes]);
  if (misfit !== null) throw misfit;
  const rows = itemsOf(withRows.receipt).map(({ tax }) => taxes.find(({ id }) => id === (tax ?? withRows.defaultTax)));
  for (const [index, { name, tax, method }] of itemsOf(receipt).entries()) {
    const row = rows[index];
    if (row === undefined) continue;
    const isDefault = tax === null;
    const flaw = row.vat === null ? orderReasons.notLawful : flawOf(row, method, receipt, day);
    if (flaw === null) continue;
    const place = `items[${index}].tax`;
    if (!isDefault)
      throw new Fault("order.wrong-value", { message: orderReasons.rateFlaw({ name, title: row.title, flaw }), place });
    throw new Fault("register.setting-wrong", {
      message: orderReasons.defaultTax({ tax: defaultTax ?? 0, title: row.title, flaw }),
    });
  }
}

function flawOf(
  row: Pick<TaxRow, "vat" | "inSale">,
  method: number,
  receipt: SaleReceipt,
  { today, allows20: allow20 }: RateDay,
): FaultText | null {
  const code = meaningOfRow(row, receipt, method);
  return code === null ? null : rateFlawIn(receipt, code, { method, today, allow20 });
}
