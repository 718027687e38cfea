/** Rules for a whole receipt in either format. The formats' schemas have the rules for single values. */
import { formatRoubles, type Kopecks, kopecks, MAX_SUM, ONE_UNIT } from "../amounts.js";
import { type OrderProblem, type OrderWarning, problem, throwIfAny, warning } from "../exchange/order-problem.js";
import type { FaultText } from "../fault-codes/fault-row.js";
import { barcodeFlaw } from "./barcode-data.js";
import { asPaid, paidSums } from "./paid-kopecks.js";
import { itemsOf, type Line, type Payment, type Receipt, type SaleReceipt, totalOf } from "./receipt.js";
import { findRefusedCharacter, withoutUnseen } from "./text-hygiene.js";
import { refusalTexts } from "./texts/refusal-texts.js";

export interface ReceiptRules {
  /** A receipt that is paid on the internet needs the buyer's contact (tag 1008). */
  readonly requireContactForInternet: boolean;
  /** Paper is left out only for a receipt with a contact, or one that is paid on the internet. */
  readonly strictPaper: boolean;
  /** Sales of today at 20 % are allowed, for goods that were shipped before 2026. */
  readonly allow20?: boolean;
  /** A marked piece is sold only with the answer of the marking system (tag 1260, industry property). */
  readonly requirePermit?: boolean;
  /** Corrections are read, because the caller has a person approve each of them. Default: corrections are refused. */
  readonly corrections?: boolean;
  /** The zone of a `paidAt` without an offset. Absent: such a time cannot be read. */
  readonly timeZone?: string;
}

export const defaultRules: ReceiptRules = { requireContactForInternet: true, strictPaper: true };

/** Names of a receipt's parts in the form in which it came: a problem names what the author wrote. */
export interface ReceiptPlaces {
  /** The place of the data (the name) of `receipt.lines[position]`. */
  readonly lineData: (position: number) => string;
  readonly lines: string;
  readonly payments: string;
  readonly contact: string;
  readonly orderId: string;
  readonly internetUrl: string;
}

const receiptPlaces: ReceiptPlaces = {
  lineData: (position) => `lines[${position}].data`,
  lines: "lines",
  payments: "payments",
  contact: "contact",
  orderId: "orderId",
  internetUrl: "internet.url",
};

/** All broken rules; an empty list when the receipt may be printed. */
export function checkReceipt(
  receipt: Receipt,
  rules: ReceiptRules = defaultRules,
  places: ReceiptPlaces = receiptPlaces,
): readonly OrderProblem[] {
  const ofLines = textProblems(receipt, places);
  if (receipt.kind === "service") return ofLines;
  // A receipt that is cancelled by its own order is never registered, so it may be unfinished.
  const ofSums = receipt.cancelledByOrder
    ? []
    : [...sumProblems(receipt, places), ...contactProblems(receipt, rules, places)];
  return [...orderIdProblems(receipt, places), ...ofLines, ...ofSums];
}

export interface FoundProblems {
  readonly lines: readonly OrderProblem[];
  readonly contact: readonly OrderProblem[];
  readonly cashier: readonly OrderProblem[];
  /** The total that the order states; null = the order states none. */
  readonly total: { readonly path: string; readonly sum: Kopecks } | null;
}

/** Throws one fault with every problem, those of lines first. */
export function completeReceipt(
  read: SaleReceipt,
  rules: ReceiptRules,
  places: ReceiptPlaces,
  { lines, contact, cashier, total }: FoundProblems,
): ReturnType<typeof decidePaper> {
  const paid =
    lines.length > 0 || read.cancelledByOrder ? { receipt: read, warnings: [] } : asPaid(read, places.payments);
  const { receipt } = paid;
  const isRefused = contact.length > 0 && receipt.contact === null && receipt.internet !== null;
  const checked = isRefused ? { ...rules, requireContactForInternet: false } : rules;
  const ofReceipt =
    lines.length > 0
      ? orderIdProblems(receipt, places)
      : [...checkReceipt(receipt, checked, places), ...totalProblems(read, receipt, total)];
  throwIfAny([...lines, ...(isRefused ? contact : []), ...cashier, ...ofReceipt]);
  const onPaper = decidePaper(receipt, rules, places, contact);
  return { receipt: onPaper.receipt, warnings: [...paid.warnings, ...onPaper.warnings] };
}

/** A stated total must be the sum of the positions, as they are written or as they were paid. */
function totalProblems(read: SaleReceipt, paid: SaleReceipt, stated: FoundProblems["total"]): readonly OrderProblem[] {
  const sums = [read, paid].map(totalOf);
  if (stated === null || sums.includes(stated.sum)) return [];
  const message = refusalTexts.totalOfItems(formatRoubles(stated.sum), formatRoubles(totalOf(read)));
  return [problem("receipt.total-mismatch", stated.path, message)];
}

function orderIdProblems(receipt: SaleReceipt, { orderId }: ReceiptPlaces): readonly OrderProblem[] {
  return withoutUnseen(receipt.orderId) === ""
    ? [problem("order.missing-value", orderId, refusalTexts.orderNumberMissing)]
    : [];
}

/** Refuses characters that no document may contain, in every text of the receipt. */
function textProblems(receipt: Receipt, places: ReceiptPlaces): readonly OrderProblem[] {
  const ofLines = receipt.lines.flatMap((line, position) =>
    textsOf(line).map((text) => [places.lineData(position), text] as const),
  );
  return [...ofLines, ...textsOfHead(receipt, places)].flatMap(([path, text]) => {
    const flaw = text === null ? null : findRefusedCharacter(text);
    return flaw === null ? [] : [problem("order.wrong-value", path, flaw)];
  });
}

function textsOfHead(receipt: Receipt, places: ReceiptPlaces): readonly (readonly [string, string | null])[] {
  if (receipt.kind === "service") return [];
  const { buyer = {}, additional = null, operating, userProperty } = receipt.requisites ?? {};
  return [
    [places.orderId, receipt.orderId],
    [places.contact, receipt.contact],
    [places.internetUrl, receipt.internet?.url ?? null],
    ["paymentPlace", receipt.settlementPlace],
    ["cashierName", receipt.cashier?.name ?? null],
    ["buyerName", buyer.name ?? null],
    ["buyerDocumentData", buyer.documentData ?? null],
    ["buyerAddress", buyer.address ?? null],
    ["additionalCheckProps", additional],
    ["operatingCheckProps", operating?.id ?? null],
    ["operatingCheckProps", operating?.data ?? null],
    ["additionalUserProps", userProperty?.name ?? null],
    ["additionalUserProps", userProperty?.value ?? null],
  ];
}

/** An image is left out: the name of its file is not printed and never stops a paid receipt. */
function textsOf(line: Line): readonly string[] {
  return line.type === "image" ? [] : textsIn(line);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A barcode that cannot be made is left out of the print, because it never stops a paid receipt. */
export function barcodeWarnings(lines: readonly Line[], places: ReceiptPlaces): readonly OrderWarning[] {
  return lines.flatMap((line, position) => {
    const flaw = line.type === "barcode" ? barcodeFlaw(line.symbology, line.data) : null;
    return flaw === null ? [] : [warning(places.lineData(position), flaw)];
  });
}

function sumProblems(receipt: SaleReceipt, places: ReceiptPlaces): readonly OrderProblem[] {
  if (itemsOf(receipt).length === 0) return [problem("receipt.no-items", places.lines, refusalTexts.noItems)];
  const unpriced = priceProblems(receipt, places);
  if (unpriced.length > 0) return unpriced;
  const total = totalOf(receipt);
  if (total === 0) return [problem("receipt.total-mismatch", places.lines, refusalTexts.totalZero)];
  if (total > MAX_SUM) {
    return [problem("receipt.total-mismatch", places.lines, refusalTexts.totalAbove(formatRoubles(MAX_SUM)))];
  }
  return paymentProblems(receipt, total, places.payments);
}

/** Refuses a tiny quantity of a large sum, because a register would get a price that is too large for it. */
function priceProblems(receipt: SaleReceipt, places: ReceiptPlaces): readonly OrderProblem[] {
  return receipt.lines.flatMap((line, position) => {
    if (line.type !== "item" || line.total / line.quantity <= MAX_SUM / ONE_UNIT) return [];
    const message = refusalTexts.priceAbove(formatRoubles(MAX_SUM));
    return [problem("order.wrong-value", places.lineData(position), message)];
  });
}

function contactProblems(receipt: SaleReceipt, rules: ReceiptRules, places: ReceiptPlaces): readonly OrderProblem[] {
  if (receipt.internet === null) return [];
  const problems: OrderProblem[] = [];
  if (receipt.internet.url === "") {
    problems.push(problem("receipt.internet", places.internetUrl, refusalTexts.internetUrlMissing));
  }
  if (receipt.contact === null && rules.requireContactForInternet) {
    problems.push(problem("receipt.internet", places.contact, refusalTexts.internetContactMissing));
  }
  return problems;
}

/** Leaves the paper out only for a buyer with an address. `unreadable`: problems of contacts that cannot be read. */
function decidePaper(
  receipt: SaleReceipt,
  rules: ReceiptRules,
  places: ReceiptPlaces,
  unreadable: readonly OrderProblem[],
): { readonly receipt: SaleReceipt; readonly warnings: readonly OrderWarning[] } {
  const isLost = receipt.contact === null && unreadable.length > 0;
  const consequence = isLost ? refusalTexts.contactLeftOut : refusalTexts.otherContact;
  const warnings = unreadable.map(({ path }) => warning(path, consequence));
  if (isLost) return { receipt: { ...receipt, printDoc: true }, warnings };
  const mayBeElectronic = receipt.contact !== null || receipt.internet !== null;
  if (receipt.printDoc || mayBeElectronic || !rules.strictPaper) return { receipt, warnings };
  return {
    receipt: { ...receipt, printDoc: true },
    warnings: [warning(places.contact, refusalTexts.paperWithoutContact)],
  };
}

/** One sum per `typeClose`, ascending, without zero sums. A negative payment reduces an earlier payment of its kind. */
export function netPayments(payments: readonly Payment[]): readonly Payment[] {
  const sums = new Map<number, Kopecks>();
  for (const { typeClose, sum } of payments) sums.set(typeClose, kopecks((sums.get(typeClose) ?? 0) + sum));
  return [...sums]
    .map(([typeClose, sum]) => ({ typeClose, sum }))
    .filter(({ sum }) => sum !== 0)
    .sort((a, b) => a.typeClose - b.typeClose);
}

/** Cashless <= total <= payments; the excess of cash is change. */
function paymentProblems(receipt: SaleReceipt, total: Kopecks, path: string): readonly OrderProblem[] {
  const { payments } = receipt;
  const wrong = (text: FaultText) => [problem("receipt.payments-mismatch", path, text)];
  const below = payments.find(({ sum }) => sum < 0);
  if (below !== undefined) return wrong(refusalTexts.negativePayment(below.typeClose, formatRoubles(below.sum)));
  if (payments.length === 0) return [problem("receipt.no-payments", path, refusalTexts.noPayments)];
  const { paid, cashless } = paidSums(payments);
  // A correction says only what was paid, because change was given on the day of the settlement.
  if (receipt.correction !== undefined && paid > total && cashless <= total) return wrong(refusalTexts.changeCorrected);
  const isPaid = paid >= total;
  if (isPaid && cashless <= total) return [];
  const sum = isPaid ? cashless : paid;
  const text = isPaid ? refusalTexts.cashlessOf : refusalTexts.paidOf;
  return wrong(text(formatRoubles(sum), formatRoubles(total), formatRoubles(kopecks(Math.abs(sum - total)))));
}
