/** Makes the receipt that is due for an order (54-fz 9, 10, 11, 12, 15); pure. Taxes are codes of tag 1199 here. */

import { type Kopecks, kopecks, spreadDiscount, sumKopecks } from "@fiscald/shared/amounts.js";
import { faultOfProblems, type OrderProblem, problem } from "@fiscald/shared/exchange/order-problem.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toInn, toOrderId } from "@fiscald/shared/ids.js";
import { parseContact, parsePhones } from "@fiscald/shared/receipt/buyer-contact.js";
import { defaultMethod, itemName } from "@fiscald/shared/receipt/formats/item-line.js";
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import type { Agent, ItemLine, Payment, SaleReceipt, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import { calculatedRate, isVatCode, rateFlaw, type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import { isPhones } from "../catalog/catalog-table.js";
import { numberField, textField } from "../catalog/records.js";
import type { FoundRecords } from "../catalog/references.js";
import { vatOfTax } from "../catalog/tax-rates.js";
import { parseApiTime } from "../http/wire-types.js";
import { base64, collectedSum, isOnReceipt, markingCodeOf, prepaidSum, soldItems } from "../orders/receipt-policy.js";
import { itemSum, orderTotal, toKopecks, toQuantity } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import { asOrdered, CASH, ELECTRONIC, formsOf, moneyPayments, otherForms, salePayments } from "./payment-forms.js";
import { type GivenLine, totalOfGiven } from "./refundable.js";

/** What a receipt needs besides its order, read once for many orders. */
export interface CatalogFacts {
  readonly found: FoundRecords;
  readonly taxSystem: TaxSystem | null;
  /** The bit of tag 1222 (kind of agent) for orders with a supplier; null: the shop has not set it. */
  readonly agentType: number | null;
}

/** Value of tag 1214 (payment method): an advance for goods that are not known yet. */
const ADVANCE = 3;
export interface ReceiptContent {
  readonly lines: readonly GivenLine[];
  readonly payments: readonly Payment[];
  readonly total: Kopecks;
  /** Tag 1055 (tax system); null = the register's own. */
  readonly taxSystem: TaxSystem | null;
}

export function prepaymentContent(order: StoredOrder, facts: CatalogFacts): ReceiptContent {
  const lines = prepaidLines(order, facts);
  const total = totalOfGiven(lines);
  // A prepayment on the internet is electronic, and `paymentId` is the form of the rest (54-fz 10).
  const online = order.isInternetPayment === 1 ? [{ typeClose: ELECTRONIC, sum: total }] : null;
  const payments = online ?? moneyPayments(asOrdered(order), [], total, facts.found);
  return { lines, payments, total, taxSystem: facts.taxSystem };
}

type OneReceipt = Pick<ReceiptContent, "lines"> & { readonly kind: string };

/** Null: no rate is odd. Calculated rates (22/122) belong to prepayments, plain rates to their sales. */
export function oddRate({ kind, lines }: OneReceipt): string | null {
  for (const { line } of lines) {
    if (line.tax === null || !isVatCode(line.tax)) continue;
    const [{ title, calculated }, due] = [vatRates[line.tax], calculatedRate(line.tax)];
    if (kind === "prepayment" && due !== line.tax)
      return `has the rate ${title}, and a prepayment of a VAT payer has ${vatRates[due].title}`;
    if (kind === "sale" && calculated && line.method > ADVANCE)
      return `has the rate ${title}, which is one of prepayments`;
  }
  return null;
}

/** `offset`: the part that a prepayment pays. */
export function saleContent(order: StoredOrder, offset: Kopecks, facts: CatalogFacts): ReceiptContent {
  const lines = linesOf(soldItems(order), order, facts);
  const total = totalOfGiven(lines);
  return { lines, payments: salePayments(order, total, offset, facts), total, taxSystem: facts.taxSystem };
}

interface TakenMoney {
  readonly forms: readonly Payment[];
  readonly taken: readonly Payment[];
  readonly taxSystem: TaxSystem | null;
}

/** Money goes back in the forms in which the buyer paid, or in the form of the refund order's payment type. */
export function returnContent(
  order: StoredOrder,
  sale: StoredOrder,
  lines: readonly GivenLine[],
  { forms, taken, taxSystem }: TakenMoney,
  { found }: CatalogFacts,
): ReceiptContent {
  const total = totalOfGiven(lines);
  const asked = moneyPayments(order, order.isRefund ? order.payments : [], total, found);
  const others = order.isRefund ? otherForms(order, sale, taken, found) : [];
  return { lines, payments: formsOf(total, forms, asked, others), total, taxSystem };
}

/** `free`: positions of 0.00, which no account counts. Fault "receipt.no-items" for an order without positions. */
export function orderReceipt(
  order: StoredOrder,
  operation: "sale" | "return",
  { lines, payments, taxSystem }: ReceiptContent,
  { found }: CatalogFacts,
  free: readonly ItemLine[] = [],
): { readonly receipt: SaleReceipt; readonly details: string } {
  if (order.goods.length === 0 && lines.length === 0) throw new Fault("receipt.no-items", { place: "goods" });
  const contact = contactOf(order, found);
  const isCashless = payments.every(({ typeClose }) => typeClose !== CASH);
  const isInternet =
    order.isInternetPayment === 1 && order.internetPaymentUrl !== null && isCashless && !isAtDoor(order, lines);
  // A receipt paid on the internet has no paper (54-fz 11); without a contact the check of the receipt refuses it.
  const printDoc = !(isInternet && contact !== null);
  const internet = isInternet ? { url: order.internetPaymentUrl ?? "" } : null;
  const receipt: SaleReceipt = {
    kind: "receipt",
    orderId: toOrderId(order.orderId),
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    operation,
    lines: [...partsOf(lines).map(({ line }) => line), ...free],
    payments,
    contact,
    printDoc,
    internet,
    settlementPlace: null,
    cashier: null,
    taxSystem,
    expectedInn: null,
    cancelledByOrder: false,
    ...(operation === "sale" ? paidAtOf(order) : {}),
  };
  return { receipt, details: JSON.stringify([contact, printDoc, internet, ...free]) };
}

/** When the order's last money came, by couriers, else by the shop. A daemon holds back old sales (54-fz 18). */
function paidAtOf({ payments, namedPayments = [] }: StoredOrder): Pick<SaleReceipt, "paidAt"> {
  const taken = (payments.length > 0 ? payments : namedPayments).filter(({ price }) => price > 0);
  const times = taken.flatMap(({ paidIn }) => parseApiTime(paidIn) ?? []);
  return times.length === 0 ? {} : { paidAt: Math.max(...times) };
}

/** A courier took money for the sale face to face. Prepayments (methods 1 and 2) are never paid at the door. */
function isAtDoor(order: StoredOrder, lines: readonly GivenLine[]): boolean {
  return !order.isRefund && collectedSum(order) > 0 && lines.some(({ line }) => line.method >= ADVANCE);
}

const NO_RATE = "is required: neither the position nor its good or its supplier has a rate";

/** `day`: such as `2026-11-20`. The fault names each paid line whose rate is missing or not in force. */
export function withRatesInForce(receipt: SaleReceipt, day: string): SaleReceipt | Fault {
  if (receipt.operation === "return") return receipt;
  const paid = receipt.lines.find((line) => line.type === "item" && line.total > 0);
  const paidRate = paid?.type === "item" ? paid.tax : null;
  const problems: OrderProblem[] = [];
  const lines = receipt.lines.map((line, position) => {
    if (line.type !== "item") return line;
    const flaw = line.tax === null || !isVatCode(line.tax) ? null : rateFlaw(line.tax, day, false);
    // A line that costs nothing has no VAT.
    if (line.total === 0) return line.tax === null || flaw !== null ? { ...line, tax: paidRate } : line;
    if (line.tax === null) problems.push(problem("order.wrong-value", `lines[${position}].tax`, NO_RATE));
    if (flaw !== null) problems.push(problem("order.wrong-value", `lines[${position}].tax`, flaw));
    return line;
  });
  const [first, ...others] = problems;
  return first === undefined ? { ...receipt, lines } : faultOfProblems([first, ...others]);
}

/** Free positions are on the receipt as 0.00, and no return gives them back. */
export function freeLines(order: StoredOrder, facts: CatalogFacts): readonly ItemLine[] {
  const free = soldItems(order).filter((item) => !isOnReceipt(item));
  return free.flatMap((item) => splitLine(itemLine(item, order, facts)));
}

/** Lines as the register gets them. If many pieces cost a few kopecks, pieces at 0.00 are left out. */
export function partsOf(given: readonly GivenLine[]): readonly GivenLine[] {
  return given
    .flatMap(({ line, of }) => splitLine(line).map((part) => ({ line: part, of })))
    .filter(({ line }) => line.total > 0 || line.markingCode !== null);
}

/** Fault "receipt.agent" for an unknown kind of agent, or a supplier's phone that cannot be read. */
export function requireAgent({ supplierId }: StoredOrder, { found, agentType }: CatalogFacts): void {
  if (supplierId === null) return;
  const supplier = found.get("suppliers")?.get(supplierId)?.body;
  if (agentType !== null && isPhones(textField(supplier, "phone"))) return;
  const message =
    agentType === null
      ? `it sells for supplier ${supplierId}: which agent is it? Set agent.type in /partnerOnlineSettings`
      : `the phone of supplier ${supplierId} cannot be read: set it in /suppliers`;
  throw new Fault("receipt.agent", { place: "supplierId", message });
}

/** An e-mail address goes before a phone (54-fz 11). */
function contactOf(order: StoredOrder, found: FoundRecords): string | null {
  const client = order.clientId === null ? undefined : found.get("clients")?.get(order.clientId)?.body;
  const ofRecord = [textField(client, "email"), order.phone, textField(client, "phone")];
  const candidates = order.clientId === null ? [order.client?.email, ...ofRecord] : [...ofRecord, order.client?.email];
  for (const candidate of candidates) {
    const contact = parseContact(candidate ?? "");
    if (contact !== null) return contact;
  }
  return null;
}

/** The prepaid part of each position, with method (tag 1214) 1 when all is prepaid, else 2. */
function prepaidLines(order: StoredOrder, facts: CatalogFacts): readonly GivenLine[] {
  const whole = linesOf(order.goods, order, facts);
  const prepaid = prepaidSum(order);
  const method = prepaid >= orderTotal(order) ? 1 : 2;
  const totals = whole.map(({ line }) => line.total);
  const later = spreadDiscount(totals, kopecks(Math.max(0, sumKopecks(totals) - prepaid)));
  return whole
    .map(({ line, of }, index) => ({ of, line: { ...line, method, total: kopecks(line.total - (later[index] ?? 0)) } }))
    .filter(({ line }) => line.total > 0);
}

export function linesOf(items: readonly StoredItem[], order: StoredOrder, facts: CatalogFacts): readonly GivenLine[] {
  return items.filter(isOnReceipt).map((item) => ({ line: itemLine(item, order, facts), of: item }));
}

function itemLine(item: StoredItem, order: StoredOrder, facts: CatalogFacts): ItemLine {
  const good = item.goodId === null ? undefined : facts.found.get("goods")?.get(item.goodId)?.body;
  const unit = (item.unit ?? textField(good, "unit")) || null;
  const markingCode = markingCodeOf(item);
  const subject = subjectOf(numberField(good, "calcId"), markingCode !== null);
  const rate = taxOf(item, order, facts.found);
  // A certificate or an advance is money without goods: method (tag 1214) 3, and a calculated VAT rate such as 22/122.
  const method = defaultMethod(subject);
  return {
    type: "item",
    name: itemName([nameOf(item, textField(good, "title")), ...specificityTexts(item, facts.found)].join(", ")),
    price: toKopecks(item.price),
    quantity: toQuantity(item.count),
    total: itemSum(item),
    tax: method === ADVANCE && rate !== null ? calculatedRate(rate) : rate,
    department: 0,
    subject,
    method,
    unit,
    measure: measureOf(unit),
    agent: agentOf(order, facts),
    goodsCode: item.vedCode === null ? null : base64(item.vedCode),
    markingCode,
    countryCode: item.countryCode,
    customsDeclaration: item.customDeclarationCode,
    printSum: false,
  };
}

function nameOf(item: StoredItem, title: string | null): string {
  return title ?? item.description ?? `Товар ${item.goodId ?? item.position ?? ""}`.trim();
}

function specificityTexts(item: StoredItem, found: FoundRecords): readonly string[] {
  return item.specificities.flatMap(({ specificityId }) => {
    const specificity = found.get("specificities")?.get(specificityId)?.body;
    const text = [textField(specificity, "title"), textField(specificity, "value")].filter(Boolean).join(" ");
    return text === "" ? [] : [text];
  });
}

/** The position's rate, else its supplier's. Null: neither has a rate, and a sale gets no receipt. */
function taxOf(item: StoredItem, order: StoredOrder, found: FoundRecords): VatCode | null {
  const supplier = order.supplierId === null ? undefined : found.get("suppliers")?.get(order.supplierId)?.body;
  const taxId = item.taxId ?? textField(supplier, "taxId");
  const tax = taxId === null ? undefined : found.get("taxes")?.get(taxId)?.body;
  return tax === undefined ? null : vatOfTax(tax);
}

/** Tag 1212. A position with a marking code is marked goods: 31 if excisable, else 33. */
function subjectOf(calcId: number | null, isMarked: boolean): number {
  const subject = calcId ?? 1;
  if (!isMarked) return subject;
  return subject === 2 || subject === 31 ? 31 : 33;
}

function agentOf(order: StoredOrder, { found, agentType }: CatalogFacts): Agent | null {
  if (order.supplierId === null) return null;
  const supplier = found.get("suppliers")?.get(order.supplierId)?.body;
  const inn = textField(supplier, "inn");
  return {
    // We print no receipt with an agent of kind 0. Only a courier's own document is stored with kind 0.
    type: agentType ?? 0,
    supplierName: textField(supplier, "title"),
    supplierPhones: parsePhones(textField(supplier, "phone") ?? "") ?? [],
    supplierInn: inn === null || inn.trim() === "" ? null : toInn(inn),
  };
}
