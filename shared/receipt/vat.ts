import type { FaultText } from "../fault-codes/fault-row.js";
import { localTimeAt } from "../local-time.js";
import { prepaidPart, type SaleReceipt } from "./receipt.js";
import { refusalTexts } from "./texts/refusal-texts.js";

interface VatRate {
  readonly title: string;
  /** The percentage; null: without VAT. */
  readonly percent: number | null;
  /** Whether the rate is a part of the gross sum (20/120). */
  readonly calculated: boolean;
  /** The first day on which sales have the rate; absent: the rate is older than any receipt of ours. */
  readonly from?: string;
  /** From this day the rate is right only for refunds and later payments of what was sold before. */
  readonly until?: string;
}

/** The day on which the main rate became 22 %. */
const NEW_MAIN_RATE = "2026-01-01";

/** Rates of VAT by their code of tag 1199. All makers' rows are mapped to these codes (FNS order ED-7-20/1050@). */
export const vatRates = {
  1: { title: "НДС 20%", percent: 20, calculated: false, until: NEW_MAIN_RATE },
  2: { title: "НДС 10%", percent: 10, calculated: false },
  3: { title: "НДС 20/120", percent: 20, calculated: true, until: NEW_MAIN_RATE },
  4: { title: "НДС 10/110", percent: 10, calculated: true },
  5: { title: "НДС 0%", percent: 0, calculated: false },
  6: { title: "Без НДС", percent: null, calculated: false },
  7: { title: "НДС 5%", percent: 5, calculated: false },
  8: { title: "НДС 7%", percent: 7, calculated: false },
  9: { title: "НДС 5/105", percent: 5, calculated: true },
  10: { title: "НДС 7/107", percent: 7, calculated: true },
  11: { title: "НДС 22%", percent: 22, calculated: false, from: NEW_MAIN_RATE },
  12: { title: "НДС 22/122", percent: 22, calculated: true, from: NEW_MAIN_RATE },
} as const satisfies Readonly<Record<number, VatRate>>;

export type VatCode = keyof typeof vatRates;

export const vatCodes: readonly VatCode[] = Object.keys(vatRates).map(Number).filter(isVatCode);

export function isVatCode(code: number): code is VatCode {
  return Object.hasOwn(vatRates, code);
}

/** Null: there is no such rate. `calculated`: the tax is a part of the sum (20/120). */
export function findVatCode(percent: number, calculated: boolean): VatCode | null {
  const found = vatCodes.find((code) => vatRates[code].percent === percent && vatRates[code].calculated === calculated);
  return found ?? null;
}

/** The main rate and its calculated form of 2025, each with the rate that replaced it in 2026. */
export const successors: Readonly<Partial<Record<VatCode, VatCode>>> = { 1: 11, 3: 12 };

/** The form of a rate for money before goods: 22/122 for 22 %. A rate without such a form stays. */
export function calculatedRate(code: VatCode): VatCode {
  const { percent } = vatRates[code];
  return percent === null ? code : (findVatCode(percent, true) ?? code);
}

/** Tags 1102 to 1107 by the rate's code: sums of tax, at 0 % and without VAT the turnover. */
export const vatSumTags: Readonly<Partial<Record<VatCode, number>>> = {
  1: 1102,
  2: 1103,
  5: 1104,
  6: 1105,
  3: 1106,
  4: 1107,
};
/** The tag of the sums at all other rates. `DocumentTags` has them as one text: `11=1967,12=300`. */
export const VAT_SUMS = 1115;

/** The names of the rates in the bodies of cloud receipt services and of ATOL's print service. */
export const rateWords: Readonly<Record<VatCode, string>> = {
  1: "vat20",
  2: "vat10",
  3: "vat120",
  4: "vat110",
  5: "vat0",
  6: "none",
  7: "vat5",
  8: "vat7",
  9: "vat105",
  10: "vat107",
  11: "vat22",
  12: "vat122",
};

/** Null: the rate is in force on the day. `isOfBefore`: the receipt is a refund or a later payment. */
export function rateFlaw(code: VatCode, day: string, isOfBefore: boolean): FaultText | null {
  const { percent, from, until }: VatRate = vatRates[code];
  if (from !== undefined && day < from) return refusalTexts.rateNotYet(percent ?? 0, from);
  if (until === undefined || day < until || isOfBefore) return null;
  return refusalTexts.rateOver(percent ?? 0, until);
}

/** The fields that decide on which day the rates of a receipt have to be in force. */
export type RateSign = Pick<SaleReceipt, "operation" | "correction" | "settledOn">;

/** Whether the rates are of an earlier settlement: of a refund, or of what corrects a day before 2026. */
export function isOfBefore({ operation, correction, settledOn }: RateSign): boolean {
  const day = correction?.date ?? settledOn;
  return day === undefined ? operation === "return" : day < NEW_MAIN_RATE;
}

/**
 * The day of a sale that was paid before 2026 and has no receipt: its correction has the rates of that day. Empty: the
 * rates are those of today, as for the offset of a prepayment. A time before 2017 is a mistake (54-fz 18).
 */
export function missedDayOf(receipt: SaleReceipt, timeZone = "Europe/Moscow"): Pick<SaleReceipt, "settledOn"> {
  const { operation, paidAt } = receipt;
  if (operation !== "sale" || paidAt === undefined || prepaidPart(receipt) > 0) return {};
  const settledOn = localTimeAt(paidAt, timeZone).slice(0, 10);
  return "2017" <= settledOn && settledOn < NEW_MAIN_RATE ? { settledOn } : {};
}

/** `today` null: any day. A receipt that corrects an earlier day has the rates of that day. */
export function rateFlawIn(
  sign: RateSign,
  code: VatCode,
  { method, today, allow20 }: { readonly method: number; readonly today: string | null; readonly allow20: boolean },
): FaultText | null {
  const { correction, settledOn } = sign;
  const isPaidLater = method === LATER_PAYMENT;
  const day = correction?.date ?? settledOn;
  if (day !== undefined) return correction?.rateConfirmed === true ? null : rateFlaw(code, day, isPaidLater);
  return today === null ? null : rateFlaw(code, today, allow20 || isOfBefore(sign) || isPaidLater);
}

/** An offset above all row numbers that an order may name (0 to 255). */
const NAMED_RATES = 1000;

/** Tax id of a position whose rate the order gives in words, which means the same on every register. */
export function taxIdOfRate(code: VatCode): number {
  return NAMED_RATES + code;
}

/** The rate of such a tax id; null: the id is the number of a register's row. */
export function rateOfTaxId(id: number | null): VatCode | null {
  const code = (id ?? 0) - NAMED_RATES;
  return isVatCode(code) ? code : null;
}

export interface TaxRow {
  /** The value that orders pass as `tax`. */
  readonly id: number;
  readonly title: string;
  /** Null: a row whose meaning we do not know; it can be used by id but not mapped to another register. */
  readonly vat: VatCode | null;
  /** What the row means in a sale of today, on a register that registers another rate in its place. */
  readonly inSale?: VatCode | undefined;
}

/** Value of tag 1214 (method): a later payment of what was sold before. */
export const LATER_PAYMENT = 7;

export function meaningOfRow(
  { vat, inSale }: Pick<TaxRow, "vat" | "inSale">,
  sign: RateSign,
  method: number,
): VatCode | null {
  return isOfBefore(sign) || method === LATER_PAYMENT ? vat : (inSale ?? vat);
}

export interface PaymentTypeRow {
  /** The value that orders pass as `typeClose`: 0 cash, 1 electronic, 2 prepayment, 3 credit, 4 counter-provision. */
  readonly id: number;
  readonly title: string;
}

export interface RegisterTables {
  readonly taxes: readonly TaxRow[];
  readonly paymentTypes: readonly PaymentTypeRow[];
}
