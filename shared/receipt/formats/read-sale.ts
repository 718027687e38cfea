/** Reads what both formats have, by the same rules: positions with their rates and codes, head and contact. */
import { formatRoubles, type Kopecks, MAX_SUM, type Quantity } from "../../amounts.js";
import type { HeadExtensions } from "../../exchange/head-fields.js";
import type { ItemExtensions } from "../../exchange/item-fields.js";
import { type OrderProblem, type OrderWarning, problem } from "../../exchange/order-problem.js";
import {
  barcodeWarnings,
  completeReceipt,
  type FoundProblems,
  netPayments,
  type ReceiptPlaces,
  type ReceiptRules,
} from "../check-receipt.js";
import { markProblems } from "../marking-code.js";
import type { ItemLine, PaperLine, Payment, Receipt, SaleReceipt } from "../receipt.js";
import { refusalTexts } from "../texts/refusal-texts.js";
import { missedDayOf } from "../vat.js";
import { grossOf, itemLine, itemName, itemProblems, itemWarnings, methodOf } from "./item-line.js";
import { type GivenRate, type RateSurroundings, rateProblems, rateWarnings } from "./item-rates.js";
import { cashierProblems, contactOf, correctionProblems, paidAtOf, receiptHead } from "./receipt-head.js";

export interface ReadReceipt {
  readonly receipt: Receipt;
  readonly warnings: readonly OrderWarning[];
  readonly taxPlaces: readonly string[];
}

export interface GivenItem {
  readonly type: "given";
  readonly name: string;
  /** `tax`: the number of a row of the register, or `taxIdOfRate` of a rate in words. */
  readonly fields: ItemExtensions & { readonly price: Kopecks; readonly quantity: Quantity };
  readonly printSum: boolean;
  readonly at: (field: string) => string;
  readonly rateField: "tax" | "vat";
  /** Problems that only one format has. */
  readonly flaws: readonly OrderProblem[];
  /** The amount to pay; `gross` is price x quantity. */
  readonly total: (gross: Kopecks) => Kopecks | OrderProblem;
}

export interface GivenSale {
  readonly receipt: Pick<
    SaleReceipt,
    "orderId" | "receiptId" | "kkm" | "format" | "cancelFirst" | "operation" | "printDoc" | "cancelledByOrder"
  >;
  readonly isCorrection: boolean;
  readonly lines: readonly (GivenItem | PaperLine)[];
  readonly payments: readonly Payment[];
  readonly head: HeadExtensions;
  readonly contacts: Parameters<typeof contactOf>[0];
  readonly places: ReceiptPlaces;
  /** Problems of the whole receipt; they precede those of its lines. */
  readonly flaws: readonly OrderProblem[];
  readonly total: FoundProblems["total"];
}

export function readSale(given: GivenSale, rules: ReceiptRules, surroundings: RateSurroundings): ReadReceipt {
  const { head, places, total } = given;
  const isRefund = given.receipt.operation === "return";
  const ofHead = receiptHead(head);
  const ofPayment = paidAtOf(head, rules);
  const sign = { ...given.receipt, ...ofHead };
  const items = given.lines.filter((line) => line.type === "given");
  const read = given.lines.map((line) => (line.type === "given" ? readItem(line) : { line, problems: [] }));
  const rates = items.map(({ fields, at, rateField }) => {
    return { tax: fields.tax, method: methodOf(fields), sign, path: at(rateField) };
  });
  const marks = items.map(({ fields: { markingCode: code = null, industryProps: permit }, at }) => ({
    code,
    permit,
    at,
  }));
  const { contact, unreadable, warnings: ofContact } = contactOf(given.contacts);
  const receipt: SaleReceipt = {
    ...given.receipt,
    kind: "receipt",
    lines: read.flatMap(({ line }) => line ?? []),
    payments: netPayments(given.payments),
    contact,
    ...ofHead,
    ...ofPayment.paidAt,
    expectedInn: head.service?.inn ?? null,
  };
  // A person may make this order the correction of a past day. As a sale of today it is not printed at such a rate.
  const ofItsDay = { ...missedDayOf(receipt, rules.timeZone), ...sign };
  const onItsDay = (rate: GivenRate) => rateProblems({ ...rate, sign: ofItsDay }, surroundings, rules);
  const flaws = [
    ...given.flaws,
    ...correctionProblems(head, {
      isCorrection: given.isCorrection,
      today: surroundings.today,
      isRead: rules.corrections === true,
    }),
    ...read.flatMap(({ problems }) => problems),
    ...rates.filter((rate) => rateProblems(rate, surroundings, rules).length > 0).flatMap(onItsDay),
    ...markProblems(marks, rules.requirePermit === true && !isRefund),
  ];
  const found = { lines: flaws, contact: unreadable, cashier: cashierProblems(head), total };
  const completed = completeReceipt(receipt, rules, places, found);
  const warnings = [
    ...completed.warnings,
    ...ofContact,
    ...ofPayment.warnings,
    ...items.flatMap(({ name, fields, at }) => itemWarnings(name, fields, at)),
    ...rates.flatMap((rate) => rateWarnings(rate, surroundings)),
    ...barcodeWarnings(receipt.lines, places),
  ];
  return { receipt: completed.receipt, warnings, taxPlaces: rates.map(({ path }) => path) };
}

function readItem({ name: text, fields, printSum, at, flaws, total: totalOf }: GivenItem): {
  readonly line: ItemLine | null;
  readonly problems: readonly OrderProblem[];
} {
  const { price, quantity } = fields;
  const name = itemName(text);
  const problems = [...itemProblems({ name, quantity, extensions: fields }, at), ...flaws];
  const gross = grossOf(price, quantity);
  const total =
    gross === null
      ? problem("order.wrong-value", at("price"), refusalTexts.productAbove(formatRoubles(MAX_SUM)))
      : totalOf(gross);
  if (typeof total !== "number") return { line: null, problems: [...problems, total] };
  return { line: itemLine({ name, price, quantity, total, printSum, extensions: fields }), problems };
}
