/** An order as the receipt that is due for it (domain 5.1, 5.4 to 5.6, 8.5); pure. Taxes are codes of tag 1199 here. */

import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { parseContact } from "@fiscald/shared/receipt/contact.js";
import type { Payment, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import type { FoundRecords } from "../catalog/references.js";
import { toKopecks } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { textField } from "../store/stored-json.js";
import { isReturnPurpose, prepaidSum, type ReceiptPurpose } from "./due-receipts.js";
import type { GivenLeft, GivenLine } from "./given-lines.js";
import { formsOf } from "./payment-forms.js";
import { prepaymentLeft } from "./prepayment.js";
import { isOfPrepayment, type ReceiptFacts, receiptLines } from "./receipt-lines.js";

const CASH = 0;
const ELECTRONIC = 1;
const PREPAYMENT = 2;

/** Fault "receipt.no-items" for an order without positions: nobody knows what was paid for, and at which rate. */
export function orderReceipt(order: StoredOrder, purpose: ReceiptPurpose, facts: ReceiptFacts): SaleReceipt {
  if (order.goods.length === 0) throw new Fault("receipt.no-items", { place: "goods" });
  const given = receiptLines(order, purpose, facts);
  const lines = given.map(({ line }) => line);
  const total = sumKopecks(lines.map((line) => line.total));
  const contact = contactOf(order, facts.found);
  const isInternet = order.isInternetPayment === 1 && order.internetPaymentUrl !== null;
  const origin = originOf(order, purpose, facts);
  return {
    kind: "receipt",
    orderId: toOrderId(order.orderId),
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    operation: isReturnPurpose(purpose) ? "return" : "sale",
    lines: partsOf(given).map(({ line }) => line),
    payments: origin === null ? paymentsOf(order, purpose, total, facts) : formsBack(order, total, origin, facts),
    contact,
    // An internet settlement has no paper (domain 5.5); without a contact the check of the receipt refuses it.
    printDoc: !(isInternet && contact !== null),
    internet: isInternet ? { url: order.internetPaymentUrl ?? "" } : null,
    settlementPlace: null,
    cashier: null,
    taxSystem: origin === null ? facts.taxSystem : origin.taxSystem,
    expectedInn: null,
    cancelledByOrder: false,
  };
}

/** The lines as the register is given them. Of many pieces for a few kopecks some have no price: those are left out. */
export function partsOf(given: readonly GivenLine[]): readonly GivenLine[] {
  return given
    .flatMap(({ line, of }) => splitLine(line).map((part) => ({ line: part, of })))
    .filter(({ line }) => line.total > 0 || line.markingCode !== null);
}

/** The receipt of ours that a return gives back of; null for what is given, and for a return of what was sold elsewhere. */
function originOf(order: StoredOrder, purpose: ReceiptPurpose, { prepayment, sold }: ReceiptFacts): GivenLeft | null {
  if (purpose === "prepayment-return") return prepayment?.left ?? null;
  if (purpose !== "return") return null;
  return isOfPrepayment(order, prepayment) ? prepayment.left : sold;
}

/** As it was paid; what a refund order says of its payments, and its own type, only tells which of several forms is meant. */
function formsBack(
  order: StoredOrder,
  total: Kopecks,
  { forms }: GivenLeft,
  { found }: ReceiptFacts,
): readonly Payment[] {
  return formsOf(total, forms, moneyPayments(order, order.isRefund ? order.payments : [], total, found));
}

function paymentsOf(
  order: StoredOrder,
  purpose: ReceiptPurpose,
  total: Kopecks,
  facts: ReceiptFacts,
): readonly Payment[] {
  const offset = Math.min(total, offsetOf(order, purpose, facts));
  const collected = purpose === "prepayment" ? [] : order.payments;
  return [
    { typeClose: PREPAYMENT, sum: kopecks(offset) },
    ...moneyPayments(order, collected, total - offset, facts.found),
  ]
    .filter((payment) => payment.sum > 0)
    .sort((one, other) => one.typeClose - other.typeClose);
}

/**
 * What of the price is neither taken nor given back in money: with a receipt of ours what is left of the prepayment settles
 * the sale; without one it was taken elsewhere, and a return has it in the same form.
 */
function offsetOf(order: StoredOrder, purpose: ReceiptPurpose, { prepayment }: ReceiptFacts): Kopecks {
  if (purpose === "prepayment" || order.isRefund) return kopecks(0);
  if (prepayment === null) return kopecks(prepaidSum(order));
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
export function closeTypeOf(paymentTypeId: string, found: FoundRecords): number {
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
