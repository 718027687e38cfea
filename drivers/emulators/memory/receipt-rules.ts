import {
  type Kopecks,
  kopecks,
  MAX_SUM,
  multiply,
  ONE_UNIT,
  type Quantity,
  sumKopecks,
  vatInside,
} from "@fiscald/shared/amounts.js";
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import type { CoreOperation, StoredLine, StoredPayment } from "./documents.js";
import type { FiscalTag } from "./fiscal-tag.js";
import { type CoreAnswer, done, refused } from "./refusals.js";
import type { TaxTableRow } from "./registration.js";

export const MAX_LINES = 500;

export interface LineInput {
  readonly name: string;
  readonly price: Kopecks;
  readonly quantity: Quantity;
  /** Null: the register multiplies price and quantity. */
  readonly sum: Kopecks | null;
  readonly tax: number;
  readonly department?: number;
  /** Tag 1212 (subject), default 1. */
  readonly subject?: number;
  /** Tag 1214 (method), default 4. */
  readonly method?: number;
  readonly tags?: readonly FiscalTag[];
}

/** A given sum may differ from price x quantity by at most one kopeck. */
export function checkLine(input: LineInput, taxes: readonly TaxTableRow[]): CoreAnswer<StoredLine> {
  const row = taxes.find((candidate) => candidate.row === input.tax);
  if (row === undefined) return refused("tax-unknown");
  if (input.quantity <= 0 || input.price < 0 || input.price > MAX_SUM) return refused("value-out-of-range");
  // Floating-point numbers are compared first: the exact product of two absurd numbers would not fit an integer.
  if ((input.price * input.quantity) / ONE_UNIT > 2 * MAX_SUM) return refused("value-out-of-range");
  const computed = multiply(input.price, input.quantity);
  const sum = input.sum ?? computed;
  if (Math.abs(sum - computed) > 1) return refused("sum-mismatch");
  if (sum < 0 || sum > MAX_SUM) return refused("value-out-of-range");
  const { percent } = vatRates[row.vat];
  return done({
    name: input.name,
    price: input.price,
    quantity: input.quantity,
    sum,
    tax: row.row,
    vat: row.vat,
    vatSum: percent === null ? kopecks(0) : vatInside(sum, percent),
    department: input.department ?? 0,
    subject: input.subject ?? 1,
    method: input.method ?? 4,
    tags: input.tags ?? [],
    mark: null,
  });
}

export function totalOfLines(lines: readonly StoredLine[]): Kopecks {
  return sumKopecks(lines.map((line) => line.sum));
}

export interface PaymentInput {
  readonly typeClose: 0 | 1 | 2 | 3 | 4;
  readonly row: number;
  readonly sum: Kopecks;
}

export interface PaidReceipt {
  readonly payments: readonly StoredPayment[];
  readonly change: Kopecks;
}

/** Payments must cover the total; only cash may exceed it. */
export function pay(total: Kopecks, payments: readonly PaymentInput[]): CoreAnswer<PaidReceipt> {
  const given = payments.filter((payment) => payment.sum > 0);
  const cashless = sumKopecks(given.filter((payment) => payment.typeClose !== 0).map((payment) => payment.sum));
  const all = sumKopecks(given.map((payment) => payment.sum));
  if (cashless > total) return refused("cashless-above-total");
  if (all < total) return refused("payments-below-total");
  const change = kopecks(all - total);
  return done({
    change,
    payments: given.map(({ typeClose, row, sum }) => ({
      typeClose,
      row,
      sum: typeClose === 0 ? kopecks(sum - change) : sum,
      given: sum,
    })),
  });
}

export function cashEffect(operation: CoreOperation, payments: readonly StoredPayment[]): Kopecks {
  const cash = sumKopecks(payments.filter((payment) => payment.typeClose === 0).map((payment) => payment.sum));
  return operation === "sale" || operation === "purchase-return" ? cash : kopecks(-cash);
}

/** Sums for tags 1102 to 1107 and 1119 by VAT code; 0 % and without VAT have turnovers. */
export function vatTotals(lines: readonly StoredLine[]): ReadonlyMap<number, Kopecks> {
  const totals = new Map<number, Kopecks>();
  for (const line of lines) {
    const amount = line.vat === 5 || line.vat === 6 ? line.sum : line.vatSum;
    totals.set(line.vat, kopecks((totals.get(line.vat) ?? 0) + amount));
  }
  return totals;
}
