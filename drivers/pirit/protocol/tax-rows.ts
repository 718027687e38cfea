/** The rows of the tax table (reference, section 8) and the rate that each means. */
import { type TaxRow, type VatCode, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";

export const NO_VAT_ROW = 3;
/** Rows that the firmware calculates, whatever their titles. */
const calculatedRows: readonly number[] = [4, 5];
/** Numbers that are used in the field though the manual does not list them; 8 and 9 are unconfirmed. */
const unlisted: readonly (readonly [row: number, vat: VatCode])[] = [
  [6, 7],
  [7, 8],
  [8, 9],
  [9, 10],
];

/** `name` and `percent` as settings 40 and 41 have them. A percent that no rate has leaves the row without a meaning. */
export function taxRowOf(row: number, name: string, percent: string): TaxRow {
  if (row === NO_VAT_ROW) return { id: row, title: name || vatRates[6].title, vat: 6 };
  const calculated = calculatedRows.includes(row) || /\d\s*\/\s*\d/.test(name);
  const vat = vatCodes.find((code) => isRate(code, calculated, Number(percent))) ?? null;
  return { id: row, title: name || (vat === null ? `${percent}%` : vatRates[vat].title), vat };
}

export function unlistedTaxRows(listed: readonly TaxRow[]): readonly TaxRow[] {
  return unlisted
    .filter(([row]) => !listed.some(({ id }) => id === row))
    .map(([row, vat]) => ({ id: row, title: vatRates[vat].title, vat }));
}

/** A calculated rate may be given as its plain percent (20) or as its result (16.67). */
function isRate(code: VatCode, calculated: boolean, percent: number): boolean {
  const rate = vatRates[code];
  if (rate.percent === null || rate.calculated !== calculated) return false;
  const comesTo = (100 * rate.percent) / (100 + rate.percent);
  return percent === rate.percent || (calculated && Math.abs(percent - comesTo) < 0.01);
}
