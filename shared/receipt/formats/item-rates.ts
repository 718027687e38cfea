/** The rules for the rate of a position, whether the order names it in words or by the register's row. Pure. */
import { type OrderProblem, type OrderWarning, problem, warning } from "../../exchange/order-problem.js";
import type { ReceiptRules } from "../check-receipt.js";
import { refusalTexts } from "../texts/refusal-texts.js";
import { meaningOfRow, type RateSign, rateFlawIn, rateOfTaxId, type TaxRow, type VatCode, vatRates } from "../vat.js";

export interface RateSurroundings {
  /** The register's tax rows, if they are known for certain. */
  readonly taxes: readonly TaxRow[];
  /** Tax rows that only cause warnings, because an earlier reading of them may be wrong. Default: `taxes`. */
  readonly lastTaxes?: readonly TaxRow[];
  /** The day of the sale, `2026-11-20`; null = it is not checked whether rates are in force. */
  readonly today: string | null;
}

export interface GivenRate {
  /** The number of a row of the register, or `taxIdOfRate` of a rate in words. */
  readonly tax: number | undefined;
  /** Tag 1214 (method of payment). */
  readonly method: number;
  readonly sign: RateSign;
  readonly path: string;
}

const FULL_PAYMENT = 4;

/**
 * Refuses a rate that is not in force on the day, or on the day that is corrected. A site may be allowed sales at 20 %.
 */
export function rateProblems(
  given: GivenRate,
  { taxes, today }: RateSurroundings,
  { allow20 = false }: ReceiptRules,
): readonly OrderProblem[] {
  const { method, sign, path } = given;
  const code = codeOf(given, taxes);
  const flaw = code === null ? null : rateFlawIn(sign, code, { method, today, allow20 });
  return flaw === null ? [] : [problem("order.wrong-value", path, flaw)];
}

export function rateWarnings(given: GivenRate, rows: RateSurroundings): readonly OrderWarning[] {
  const code = codeOf(given, rows.lastTaxes ?? rows.taxes);
  if (code === null || !vatRates[code].calculated || given.method !== FULL_PAYMENT) return [];
  return [warning(given.path, refusalTexts.prepaymentRate(vatRates[code].title))];
}

function codeOf(given: GivenRate, taxes: readonly TaxRow[]): VatCode | null {
  const row = taxes.find(({ id }) => id === given.tax);
  return rateOfTaxId(given.tax ?? null) ?? (row === undefined ? null : meaningOfRow(row, given.sign, given.method));
}
