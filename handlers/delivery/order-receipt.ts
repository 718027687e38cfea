/** An order as the receipt that is due for it (domain 5.4 to 5.6, 8.5); pure. Taxes are codes of tag 1199 here. */
import { type Kopecks, kopecks, spreadDiscount, sumKopecks } from "@fiscald/shared/amounts.js";
import { toInn, toOrderId } from "@fiscald/shared/ids.js";
import { parseContact } from "@fiscald/shared/receipt/contact.js";
import { itemName } from "@fiscald/shared/receipt/item-line.js";
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import type { Agent, ItemLine, Payment, SaleReceipt, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import {
  canceledPortions,
  isReturnPurpose,
  prepaidSum,
  RETURNED,
  type ReceiptPurpose,
  soldItems,
} from "./due-receipts.js";
import { itemSum, orderTotal, toKopecks, toQuantity } from "./order-rules.js";
import { type Prepayment, prepaymentLeft, prepaymentToReturn, shareOfPrepayment } from "./prepayment.js";
import type { FoundRecords } from "./references.js";
import { atPrepaidRates, atSoldRates, type SoldSale } from "./returned-rates.js";
import { numberField, textField } from "./stored-json.js";
import type { StoredItem, StoredOrder } from "./stored-order.js";
import { vatOfTax } from "./tax-rates.js";

export interface ReceiptFacts {
  /** Goods, taxes, payment types, supplier, client, specificities that the order names. */
  readonly found: FoundRecords;
  readonly taxSystem: TaxSystem | null;
  /** Bit of tag 1222 for orders with a supplier. */
  readonly agentType: number;
  /** What became of the sale's prepayment; null when it has no receipt of ours: then all of it was taken elsewhere. */
  readonly prepayment: Prepayment | null;
  /** Of a return: the sale as our receipt of it says; null when there is none. */
  readonly sold: SoldSale | null;
}

const CASH = 0;
const ELECTRONIC = 1;
const PREPAYMENT = 2;

export function orderReceipt(order: StoredOrder, purpose: ReceiptPurpose, facts: ReceiptFacts): SaleReceipt {
  const whole = wholeLines(order, purpose, facts);
  const prepaid = prepaidPart(order, purpose, whole, facts);
  const lines = prepaid === null ? whole : prepaymentLines(whole, prepaid, { order, purpose, facts });
  const total = sumKopecks(lines.map((line) => line.total));
  const contact = contactOf(order, facts.found);
  const isInternet = order.isInternetPayment === 1 && order.internetPaymentUrl !== null;
  return {
    kind: "receipt",
    orderId: toOrderId(order.orderId),
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    operation: isReturnPurpose(purpose) ? "return" : "sale",
    lines: lines.flatMap(splitLine),
    payments:
      prepaid === null ? paymentsOf(order, purpose, total, facts) : prepaidPayments(order, purpose, total, facts),
    contact,
    // An internet settlement has no paper (domain 5.5); without a contact the check of the receipt refuses it.
    printDoc: !(isInternet && contact !== null),
    internet: isInternet ? { url: order.internetPaymentUrl ?? "" } : null,
    settlementPlace: null,
    cashier: null,
    taxSystem: facts.taxSystem,
    expectedInn: null,
    cancelledByOrder: false,
  };
}

/** What the receipt is about, before a prepaid part is made of it. */
function wholeLines(order: StoredOrder, purpose: ReceiptPurpose, facts: ReceiptFacts): readonly ItemLine[] {
  const { prepayment } = facts;
  const isOfAll = purpose === "prepayment-return" && order.deliveryStatusId === RETURNED;
  // It goes back as it was taken (domain 5.1): the order may have other goods since, at other rates.
  if (isOfAll && prepayment?.offset === null && prepayment.lines.length > 0) return prepayment.lines;
  const lines = itemsFor(order, purpose).map((item) => itemLine(item, order, facts));
  return purpose === "return" && facts.sold !== null ? atSoldRates(order, lines, facts.sold) : lines;
}

/** A prepayment is of all positions: what the courier takes back goes back of it. */
function itemsFor(order: StoredOrder, purpose: ReceiptPurpose): readonly StoredItem[] {
  if (order.isRefund || purpose === "prepayment") return order.goods;
  return purpose === "prepayment-return" ? canceledPortions(order) : soldItems(order);
}

function itemLine(item: StoredItem, order: StoredOrder, facts: ReceiptFacts): ItemLine {
  const good = item.goodId === null ? undefined : facts.found.get("goods")?.get(item.goodId)?.body;
  const unit = item.unit || textField(good, "unit") || null;
  const mark = item.markBinaryValue ?? item.markValue;
  return {
    type: "item",
    name: itemName([nameOf(item, textField(good, "title")), ...specificityTexts(item, facts.found)].join(", ")),
    price: toKopecks(item.price),
    quantity: toQuantity(item.count),
    total: itemSum(item),
    tax: taxOf(item, order, facts.found),
    department: 0,
    subject: subjectOf(numberField(good, "calcId"), mark !== null),
    method: 4,
    unit,
    measure: measureOf(unit),
    agent: agentOf(order, facts),
    goodsCode: item.vedCode === null ? null : base64(item.vedCode),
    markingCode: mark === null ? null : base64(mark),
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

/** The position's rate, else the supplier's; null = the register's own default. */
function taxOf(item: StoredItem, order: StoredOrder, found: FoundRecords): VatCode | null {
  const supplier = order.supplierId === null ? undefined : found.get("suppliers")?.get(order.supplierId)?.body;
  const taxId = item.taxId ?? textField(supplier, "taxId");
  const tax = taxId === null ? undefined : found.get("taxes")?.get(taxId)?.body;
  return tax === undefined ? null : vatOfTax(tax);
}

/** A marked position is marked goods: 31 where it is excisable, else 33. */
function subjectOf(calcId: number | null, isMarked: boolean): number {
  const subject = calcId ?? 1;
  if (!isMarked) return subject;
  return subject === 2 || subject === 31 ? 31 : 33;
}

function agentOf(order: StoredOrder, { found, agentType }: ReceiptFacts): Agent | null {
  if (order.supplierId === null) return null;
  const supplier = found.get("suppliers")?.get(order.supplierId)?.body;
  const phone = parseContact(textField(supplier, "phone") ?? "");
  const inn = textField(supplier, "inn");
  return {
    type: agentType,
    supplierName: textField(supplier, "title"),
    supplierPhones: phone?.startsWith("+") ? [phone] : [],
    supplierInn: inn === null || inn.trim() === "" ? null : toInn(inn),
  };
}

/** What a receipt of a prepayment, or of its return, is about; null for one of goods that were handed over. */
function prepaidPart(
  order: StoredOrder,
  purpose: ReceiptPurpose,
  lines: readonly ItemLine[],
  { prepayment }: ReceiptFacts,
): Kopecks | null {
  if (purpose === "prepayment") return kopecks(prepaidSum(order));
  if (purpose === "sale" || prepayment === null) return null;
  if (purpose === "prepayment-return") return prepaymentToReturn(order, prepayment);
  if (!order.isRefund || prepayment.offset !== null || prepayment.sum === 0) return null;
  return shareOfPrepayment(prepayment, sumKopecks(lines.map((line) => line.total)));
}

/** Method 1 when all is prepaid, else 2; what goes back of it has its own method again. */
function methodOfPrepayment(order: StoredOrder, purpose: ReceiptPurpose, { prepayment }: ReceiptFacts): number {
  const [taken] = prepayment?.lines ?? [];
  if (isReturnPurpose(purpose) && taken !== undefined) return taken.method;
  return prepaidSum(order) >= orderTotal(order) ? 1 : 2;
}

/** The prepaid part of every position. */
function prepaymentLines(
  whole: readonly ItemLine[],
  prepaid: Kopecks,
  {
    order,
    purpose,
    facts,
  }: { readonly order: StoredOrder; readonly purpose: ReceiptPurpose; readonly facts: ReceiptFacts },
): readonly ItemLine[] {
  const method = methodOfPrepayment(order, purpose, facts);
  const lines = isReturnPurpose(purpose) ? atPrepaidRates(whole, facts.prepayment?.lines ?? []) : whole;
  const totals = lines.map((line) => line.total);
  const total = sumKopecks(totals);
  const left = spreadDiscount(totals, kopecks(Math.max(0, total - prepaid)));
  return lines
    .map((line, position) => ({ ...line, method, total: kopecks(line.total - (left[position] ?? 0)) }))
    .filter((line) => line.total > 0);
}

function paymentsOf(
  order: StoredOrder,
  purpose: ReceiptPurpose,
  total: Kopecks,
  facts: ReceiptFacts,
): readonly Payment[] {
  const { prepayment } = facts;
  const offset = Math.min(total, prepayment === null ? offsetElsewhere(order) : offsetOf(purpose, prepayment));
  const money = moneyPayments(order, order.payments, total - offset, facts.found);
  return [{ typeClose: PREPAYMENT, sum: kopecks(offset) }, ...money]
    .filter((payment) => payment.sum > 0)
    .sort((one, other) => one.typeClose - other.typeClose);
}

/** What goes back by itself is given back as it was paid (domain 5.1); a refund order says how it gives back. */
function prepaidPayments(
  order: StoredOrder,
  purpose: ReceiptPurpose,
  total: Kopecks,
  { prepayment, found }: ReceiptFacts,
): readonly Payment[] {
  const [taken] = purpose === "prepayment-return" ? (prepayment?.payments ?? []) : [];
  if (taken === undefined || total === 0) return moneyPayments(order, [], total, found);
  return [{ ...taken, sum: total }];
}

/** Prepaid without a receipt of ours: that part of the price is neither taken nor given back here. */
function offsetElsewhere(order: StoredOrder): Kopecks {
  return kopecks(order.isRefund ? 0 : prepaidSum(order));
}

/** Prepaid with a receipt of ours: a sale is settled with what is left of it, a return gives back all of the money. */
function offsetOf(purpose: ReceiptPurpose, prepayment: Prepayment): Kopecks {
  return purpose === "sale" ? prepaymentLeft(prepayment) : kopecks(0);
}

/** What was collected, cashless first, as far as it is needed; the rest by the order's own payment type. */
function moneyPayments(
  order: StoredOrder,
  collected: StoredOrder["payments"],
  wanted: number,
  found: FoundRecords,
): readonly Payment[] {
  const sums = new Map<number, number>();
  const add = (typeClose: number, sum: number) => sums.set(typeClose, (sums.get(typeClose) ?? 0) + sum);
  let left = wanted;
  for (const [type, sum] of collectedByType(collected, found)) {
    const used = Math.max(0, Math.min(sum, left));
    add(type, used);
    left -= used;
  }
  if (left > 0) add(order.isInternetPayment === 1 ? ELECTRONIC : closeTypeOf(order.paymentId, found), left);
  return [...sums].map(([typeClose, sum]) => ({ typeClose, sum: kopecks(sum) }));
}

/** Netted: a payment that was taken back (a negative one) is none. Cashless types first. */
function collectedByType(collected: StoredOrder["payments"], found: FoundRecords): readonly [number, number][] {
  const byType = new Map<number, number>();
  for (const { paymentTypeId, price } of collected) {
    const type = closeTypeOf(paymentTypeId, found);
    byType.set(type, (byType.get(type) ?? 0) + toKopecks(price));
  }
  return [...byType].sort(([one], [other]) => other - one);
}

/** The register's payment type that a shop's payment type stands for; electronic unless the shop says otherwise. */
function closeTypeOf(paymentTypeId: string, found: FoundRecords): number {
  const closeType = textField(found.get("paymentTypes")?.get(paymentTypeId)?.body, "closeTypeId");
  return closeType === null ? ELECTRONIC : Number(closeType) || CASH;
}

/** E-mail before phone (domain 5.5). */
function contactOf(order: StoredOrder, found: FoundRecords): string | null {
  const client = order.clientId === null ? undefined : found.get("clients")?.get(order.clientId)?.body;
  const candidates = [order.client?.email, textField(client, "email"), order.phone, textField(client, "phone")];
  for (const candidate of candidates) {
    const contact = parseContact(candidate ?? "");
    if (contact !== null) return contact;
  }
  return null;
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
