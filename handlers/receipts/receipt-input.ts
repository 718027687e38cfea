import type { WireHead } from "@fiscald/shared/exchange/head-fields.js";
import { isObject, shownAsSent, showValue } from "@fiscald/shared/exchange/lenient-fields.js";
import { type OrderProblem, problem } from "@fiscald/shared/exchange/order-problem.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { parseInstant } from "@fiscald/shared/local-time.js";
import type { ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { givenFields } from "@fiscald/shared/receipt/receipt.js";
import { builderTexts } from "./builder-texts.js";
import { codeOf, unknownOptions, wordFlaw } from "./item-input.js";

export interface JobInput {
  /** Registration number of the register. Default: the register that asks. */
  readonly kkm?: string;
  /** A UUID. If it is absent, the kit's store makes one. */
  readonly receiptId?: string;
}

export interface ReceiptInput extends JobInput {
  readonly orderId: string;
  /** The buyer's e-mail or phone. */
  readonly contact?: string;
  /** The site's address, if the receipt is paid there (tags 1125, internet, and 1187, place). Needs `contact`. */
  readonly internetUrl?: string;
  /** Prints no paper. Needs `contact` or `internetUrl`. */
  readonly electronicOnly?: boolean;
  /** Tag 1187 (place of payment) of a receipt that is not paid on the internet. */
  readonly settlementPlace?: string;
  /** INN of the taxpayer that the register must belong to. */
  readonly inn?: string;
  readonly cashier?: { readonly name: string; readonly inn?: string };
  /** Tag 1055 (tax system) by name or number. */
  readonly taxSystem?: keyof typeof taxSystems | number;
  /** Tags 1227 and 1228 (the buyer's name and INN), in FFD 1.2 the fields of tag 1256. */
  readonly buyer?: BuyerInput;
  /** The fiscal sign of the receipt that this one puts right, 1 to 10 digits. It becomes tag 1192. */
  readonly fixes?: { readonly fp: string };
  /** Tag 1192 (additional property of the receipt) that is no fiscal sign, up to 16 characters. */
  readonly additionalCheckProps?: string;
  /** Tag 1084 (user's property), in place of the order number. Name up to 64 characters, value up to 256. */
  readonly additionalUserProps?: NonNullable<WireHead["additionalUserProps"]>;
  /** Tag 1270 (operational property, FFD 1.2). */
  readonly operatingCheckProps?: NonNullable<WireHead["operatingCheckProps"]>;
  /** When the buyer paid, `2026-11-20T14:05:00+03:00`. For an old payment the daemon asks a person before it prints. */
  readonly paidAt?: string;
}

/** A correction is a document of a settlement that was made without the register, or whose document is wrong. */
export interface CorrectionInput {
  /** The day of the settlement, `2026-07-14`. Rates of VAT of this day count. */
  readonly of: string;
  /** The number of the tax office's order. Absent = the taxpayer corrects of their own accord. */
  readonly by?: { readonly order: string };
  /** Whether the settlement was a sale or a return. FFD 1.05 has no correction of a return. Default: "sale". */
  readonly direction?: "sale" | "return";
  /** Confirms rates that were not in force on the day `of`. */
  readonly rateConfirmed?: boolean;
}

export const correctionOptions: readonly string[] = ["of", "by", "direction", "rateConfirmed"];

export function correctionFlaws({ by, direction }: CorrectionInput): readonly OrderProblem[] {
  return [
    ...(by === undefined ? [] : unknownOptions(by, ["order"], "by")),
    ...wordFlaw(direction, { sale: 1, return: 2 }, "direction", builderTexts.direction),
  ];
}

export function wireCorrection({ of, by, rateConfirmed = false }: CorrectionInput): WireHead {
  const basis =
    by === undefined ? ({ type: "self" } as const) : { type: "instruction" as const, base_number: by.order };
  return { correctionInfo: { ...basis, base_date: of, ...(rateConfirmed ? { rate_confirmed: 1 } : {}) } };
}

export interface BuyerInput {
  readonly name?: string;
  readonly inn?: string;
  /** dd.mm.yyyy. */
  readonly birthDate?: string;
  /** Three digits of the classifier OKSM. */
  readonly citizenship?: string;
  /** Kind of the identity document, two digits. */
  readonly documentCode?: string;
  readonly documentData?: string;
  readonly address?: string;
}

const buyerFields = {
  name: "buyerName",
  inn: "buyerINN",
  birthDate: "buyerBirthDate",
  citizenship: "buyerCitizenship",
  documentCode: "buyerDocumentCode",
  documentData: "buyerDocumentData",
  address: "buyerAddress",
} as const satisfies Readonly<Record<keyof BuyerInput, keyof WireHead>>;

export const buyerPlaces: readonly (readonly [wire: string, own: string])[] = Object.entries(buyerFields).map(
  ([own, wire]) => [wire, `buyer.${own}`],
);

const receiptOptions = [
  ...["kkm", "receiptId", "orderId", "contact", "internetUrl", "electronicOnly", "settlementPlace", "inn", "cashier"],
  ...["taxSystem", "buyer", "fixes", "additionalCheckProps", "additionalUserProps", "operatingCheckProps"],
  "paidAt",
];

const taxSystems = { osn: 1, usn_income: 2, usn_income_outcome: 4, esn: 16, patent: 32 } as const;

/** How money is paid: by name, or by the id from the register's `typeClose` list. */
export type PaymentKind = keyof typeof paymentKinds | number;

const paymentKinds = { cash: 0, electronic: 1, prepayment: 2, credit: 3, counterProvision: 4 } as const;
export const PREPAYMENT = paymentKinds.prepayment;

export function paymentFlaw(kind: PaymentKind, place: string): readonly OrderProblem[] {
  const numbers: readonly unknown[] = Object.values(paymentKinds);
  return numbers.includes(kind)
    ? []
    : wordFlaw(typeof kind === "string" ? kind : showValue(kind), paymentKinds, place, builderTexts.payment);
}

export function typeCloseOf(kind: PaymentKind): number {
  return codeOf(kind, paymentKinds);
}

export function receiptFlaws(
  input: ReceiptInput,
  rules: ReceiptRules,
  more: readonly string[],
): readonly OrderProblem[] {
  if (!isObject(input)) return unknownOptions(input, receiptOptions, "receipt");
  const { electronicOnly = false, contact, internetUrl, cashier } = input;
  const flaws = [
    ...unknownOptions(input, [...receiptOptions, ...more], "receipt"),
    ...(cashier === undefined ? [] : unknownOptions(cashier, ["name", "inn"], "cashier")),
    ...(input.buyer === undefined ? [] : unknownOptions(input.buyer, Object.keys(buyerFields), "buyer")),
    ...fixesFlaws(input),
    ...paidAtFlaws(input),
    ...wordFlaw(input.taxSystem, taxSystems, "taxSystem", builderTexts.taxSystem),
    ...(contact === undefined || typeof contact === "string"
      ? []
      : [problem("order.wrong-value", "contact", builderTexts.notText(shownAsSent(contact)))]),
  ];
  if (!electronicOnly || !rules.strictPaper || contact !== undefined || internetUrl !== undefined) return flaws;
  return [...flaws, problem("order.missing-value", "electronicOnly", builderTexts.paperless)];
}

function paidAtFlaws({ paidAt }: ReceiptInput): readonly OrderProblem[] {
  if (paidAt === undefined || (typeof paidAt === "string" && parseInstant(paidAt) !== null)) return [];
  return [problem("order.wrong-value", "paidAt", builderTexts.noPaidAt(shownAsSent(paidAt)))];
}

function fixesFlaws({ fixes, additionalCheckProps }: ReceiptInput): readonly OrderProblem[] {
  if (fixes === undefined) return [];
  const wrong = (message: FaultText) => [problem("order.wrong-value", "fixes.fp", message)];
  if (additionalCheckProps !== undefined) return wrong(builderTexts.fixesTwice);
  const isSign = typeof fixes.fp === "string" && /^\d{1,10}$/.test(fixes.fp);
  const unknown = unknownOptions(fixes, ["fp"], "fixes");
  return isSign ? unknown : [...unknown, ...wrong(builderTexts.noSign(shownAsSent(fixes.fp)))];
}

export function inputJobHead({ kkm, receiptId }: JobInput): WireHead {
  return givenFields({ kkm, receiptId });
}

export function inputReceiptHead(input: ReceiptInput): WireHead {
  const { internetUrl, settlementPlace, inn, cashier, taxSystem } = input;
  const { fixes, additionalCheckProps = fixes?.fp, additionalUserProps, operatingCheckProps } = input;
  return {
    ...inputJobHead(input),
    ...(internetUrl === undefined ? {} : { isInternetPayment: 1, internetPaymentUrl: internetUrl }),
    ...(inn === undefined ? {} : { service: { inn } }),
    ...givenFields({ paymentPlace: settlementPlace, cashierName: cashier?.name, cashierINN: cashier?.inn }),
    ...(taxSystem === undefined ? {} : { taxSystem: codeOf(taxSystem, taxSystems) }),
    ...wireBuyer(input.buyer),
    ...givenFields({ additionalCheckProps, additionalUserProps, operatingCheckProps, paidAt: input.paidAt }),
  };
}

function wireBuyer(buyer: BuyerInput = {}): Pick<WireHead, (typeof buyerFields)[keyof BuyerInput]> {
  const values: Readonly<Record<string, string | undefined>> = { ...buyer };
  return givenFields(Object.fromEntries(Object.entries(buyerFields).map(([own, wire]) => [wire, values[own]])));
}

/** The day in this machine's zone. Rates of VAT that are not in force on this day are refused. */
export function today(now = Date.now()): string {
  return new Date(now).toLocaleDateString("sv");
}
