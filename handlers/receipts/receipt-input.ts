/** The whole receipt as a site's developer describes it, for both formats. */
import { type Kopecks, kopecks, parseRoubles, toRoublesNumber } from "@fiscald/shared/amounts.js";
import type { WireHead } from "@fiscald/shared/exchange/head-fields.js";
import { type Decimal, type ItemInput, inputTotal, wireDecimal } from "./item-input.js";

export interface JobInput {
  /** Registration number of the register; default: the one that asks. */
  readonly kkm?: string;
  /** A UUID of this receipt; the kit's own store makes one. */
  readonly receiptId?: string;
}

export interface ReceiptInput extends JobInput {
  readonly orderId: string;
  /** The buyer's e-mail or phone. */
  readonly contact?: string;
  /** Paid through a site: the site's address (tags 1125, 1187). Needs `contact`. */
  readonly internetUrl?: string;
  /** Tag 1187 of a receipt that is not an internet one. */
  readonly settlementPlace?: string;
  readonly cashier?: { readonly name: string; readonly inn?: string };
  /** Tag 1055: 1 OSN, 2 USN income, 4 USN income-expense, 16 ESHN, 32 patent. */
  readonly taxSystem?: number;
}

/** By name, or by the id from the register's `typeClose` list. */
export type PaymentKind = keyof typeof paymentKinds | number;

const paymentKinds = { cash: 0, electronic: 1, prepayment: 2, credit: 3, counterProvision: 4 } as const;

export interface PaymentInput {
  readonly typeClose: number;
  readonly sum: Decimal;
}

export function typeCloseOf(kind: PaymentKind): number {
  return typeof kind === "number" ? kind : paymentKinds[kind];
}

export function wireJobHead({ kkm, receiptId }: JobInput): WireHead {
  return { ...(kkm === undefined ? {} : { kkm }), ...(receiptId === undefined ? {} : { receiptId }) };
}

export function wireReceiptHead(input: ReceiptInput): WireHead {
  const { internetUrl, settlementPlace, cashier, taxSystem } = input;
  return {
    ...wireJobHead(input),
    ...(internetUrl === undefined ? {} : { isInternetPayment: 1, internetPaymentUrl: internetUrl }),
    ...(settlementPlace === undefined ? {} : { paymentPlace: settlementPlace }),
    ...(cashier === undefined ? {} : { cashierName: cashier.name }),
    ...(cashier?.inn === undefined ? {} : { cashierINN: cashier.inn }),
    ...(taxSystem === undefined ? {} : { taxSystem }),
  };
}

/** Payments with their sums as JSON numbers; the rest of the total goes to `rest`. */
export function wirePayments(options: {
  readonly items: readonly ItemInput[];
  readonly payments: readonly PaymentInput[];
  readonly rest: number | null;
}): readonly PaymentInput[] {
  const { items, payments, rest } = options;
  const stated = payments.map(({ typeClose, sum }) => ({ typeClose, sum: wireDecimal(sum, 2) }));
  if (rest === null) return stated;
  const left = amountLeft(items.map(inputTotal), payments);
  return left === null || left <= 0 ? stated : [...stated, { typeClose: rest, sum: toRoublesNumber(left) }];
}

/** Null while some sum makes no sense: the check names it. */
function amountLeft(totals: readonly (Kopecks | string | null)[], payments: readonly PaymentInput[]): Kopecks | null {
  const paid = payments.map(({ sum }) => parseRoubles(sum));
  let left = 0;
  for (const total of totals) {
    if (typeof total !== "number") return null;
    left += total;
  }
  for (const sum of paid) {
    if (sum === null) return null;
    left -= sum;
  }
  return kopecks(left);
}
