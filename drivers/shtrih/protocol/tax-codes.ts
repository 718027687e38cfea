/** Rows of the tax table (table 6): the byte for FF46h, item (Shtrih-M protocol, 8.5), and the rate of the row. */
import { findVatCode, type VatCode } from "@fiscald/shared/receipt/vat.js";
import type { ShtrihOptions } from "../options.js";

const FIRST_ROWS = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20];
const LATER_ROWS = [0x81, 0x82, 0x84, 0x88];
const ROW_7_OF_107 = 10;
const ROW_22 = 11;
const ROW_22_OF_122 = 12;
const NO_VAT_ROW = 4;
const CALCULATED_ROWS = [5, 6, 9, ROW_7_OF_107, ROW_22_OF_122];

export function taxCodeOf(row: number, options: Pick<ShtrihOptions, "nanoTaxCodes" | "tax7of107As90">): number | null {
  if (options.nanoTaxCodes && row === ROW_22) return 0x90;
  if (options.nanoTaxCodes && row === ROW_22_OF_122) return 0xa0;
  if (options.tax7of107As90 && row === ROW_7_OF_107) return 0x90;
  if (row >= ROW_22 && row <= 0x3f) return 0xc0 + row;
  return [...FIRST_ROWS, ...LATER_ROWS][row - 1] ?? null;
}

/**
 * The rate's code in tag 1199. The firmware fixes the form of a row (plain, calculated, without VAT). The percentage is
 * read from the table, since registers change row 1 from 20 to 22 %.
 */
export function vatCodeOf(row: number, rateHundredths: number): VatCode | null {
  if (row === NO_VAT_ROW) return 6;
  return findVatCode(rateHundredths / 100, CALCULATED_ROWS.includes(row));
}
