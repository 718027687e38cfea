/** An order as the receipt that is due for it (domain 5.1, 5.4 to 5.6, 8.5); pure. Taxes are codes of tag 1199 here. */

import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { parseContact } from "@fiscald/shared/receipt/contact.js";
import type { Payment, SaleReceipt, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import type { FoundRecords } from "../catalog/references.js";
import { toKopecks } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { textField } from "../store/stored-json.js";
import { formsOf, PREPAYMENT } from "./payment-forms.js";
import { type CatalogFacts, linesOf, prepaidLines } from "./receipt-lines.js";
import { soldItems } from "./receipt-policy.js";
import { type GivenLine, totalOfLines } from "./refundable-lines.js";

const CASH = 0;
const ELECTRONIC = 1;

/** Lines and payments of a receipt, as an account entry stores them. */
export interface ReceiptContent {
  readonly lines: readonly GivenLine[];
  readonly payments: readonly Payment[];
  /** Tag 1055. */
  readonly taxSystem: TaxSystem | null;
}

/** The receipt of a prepayment. */
export function prepaymentContent(order: StoredOrder, facts: CatalogFacts): ReceiptContent {
  const lines = prepaidLines(order, facts);
  return { lines, payments: moneyPayments(order, [], totalOfLines(lines), facts.found), taxSystem: facts.taxSystem };
}

/** `offset`: what the prepayment pays of it. */
export function saleContent(order: StoredOrder, offset: Kopecks, facts: CatalogFacts): ReceiptContent {
  const lines = linesOf(soldItems(order), order, facts);
  const total = totalOfLines(lines);
  const used = kopecks(Math.min(total, offset));
  const payments = [
    { typeClose: PREPAYMENT, sum: used },
    ...moneyPayments(order, order.payments, total - used, facts.found),
  ]
    .filter(({ sum }) => sum > 0)
    .toSorted((one, other) => one.typeClose - other.typeClose);
  return { lines, payments, taxSystem: facts.taxSystem };
}

/** In the forms in which it was paid; the refund order's payments only choose among several. */
export function returnContent(
  order: StoredOrder,
  lines: readonly GivenLine[],
  { forms, taxSystem }: { readonly forms: readonly Payment[]; readonly taxSystem: TaxSystem | null },
  { found }: CatalogFacts,
): ReceiptContent {
  const total = totalOfLines(lines);
  const asked = moneyPayments(order, order.isRefund ? order.payments : [], total, found);
  return { lines, payments: formsOf(total, forms, asked), taxSystem };
}

/** Fault "receipt.no-items" for an order without positions: what was paid for, and at which rate, is unknown. */
export function orderReceipt(
  order: StoredOrder,
  operation: "sale" | "return",
  { lines, payments, taxSystem }: ReceiptContent,
  { found }: CatalogFacts,
): SaleReceipt {
  if (order.goods.length === 0) throw new Fault("receipt.no-items", { place: "goods" });
  const contact = contactOf(order, found);
  const isInternet = order.isInternetPayment === 1 && order.internetPaymentUrl !== null;
  return {
    kind: "receipt",
    orderId: toOrderId(order.orderId),
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    operation,
    lines: partsOf(lines).map(({ line }) => line),
    payments,
    contact,
    // An internet settlement has no paper (domain 5.5); without a contact the check of the receipt refuses it.
    printDoc: !(isInternet && contact !== null),
    internet: isInternet ? { url: order.internetPaymentUrl ?? "" } : null,
    settlementPlace: null,
    cashier: null,
    taxSystem,
    expectedInn: null,
    cancelledByOrder: false,
  };
}

/** What a receipt says besides its money: contact, paper, internet address. */
export function detailsOf({ contact, printDoc, internet }: SaleReceipt): string {
  return JSON.stringify([contact, printDoc, internet]);
}

/** The lines as the register gets them. Of many pieces for a few kopecks some have no price: those are left out. */
export function partsOf(given: readonly GivenLine[]): readonly GivenLine[] {
  return given
    .flatMap(({ line, of }) => splitLine(line).map((part) => ({ line: part, of })))
    .filter(({ line }) => line.total > 0 || line.markingCode !== null);
}

/** The collected payments, cashless first, up to the wanted sum; the rest by the order's own payment type. */
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

/** Sums by type: a negative payment reduces its type. Cashless types first. */
function collectedByType(collected: StoredOrder["payments"], found: FoundRecords): readonly [number, number][] {
  const byType = new Map<number, number>();
  for (const { paymentTypeId, price } of collected) {
    const type = closeTypeOf(paymentTypeId, found);
    byType.set(type, (byType.get(type) ?? 0) + toKopecks(price));
  }
  return [...byType].sort(([one], [other]) => other - one);
}

/** The register's payment type of a shop's payment type; electronic where the shop names none. */
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

/** The payment type that the answers show: the order's own, of a return the one by which most money went back. */
export function usedPaymentId(
  order: StoredOrder,
  sale: StoredOrder,
  { kind, payments }: { readonly kind: string; readonly payments: readonly Payment[] },
  found: FoundRecords,
): string {
  if (kind !== "return") return order.paymentId;
  const ids = [order, sale].flatMap(({ paymentId, payments: paid, originalPaymentId }) => [
    paymentId,
    ...paid.map(({ paymentTypeId }) => paymentTypeId),
    originalPaymentId,
  ]);
  const forms = payments.toSorted((one, other) => other.sum - one.sum);
  const used = forms.flatMap(({ typeClose }) => ids.find((id) => closeTypeOf(id, found) === typeClose) ?? []);
  return used[0] ?? order.paymentId;
}
