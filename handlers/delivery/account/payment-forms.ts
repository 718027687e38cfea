/** The forms in which a receipt is paid (tag 1031 and others), and in which money can go back (54-fz 5, 9); pure. */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Payment } from "@fiscald/shared/receipt/receipt.js";
import { textField } from "../catalog/records.js";
import type { FoundRecords } from "../catalog/references.js";
import { prepaidSum } from "../orders/receipt-policy.js";
import { orderTotal, reportedPayments, toKopecks } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";

export const CASH = 0;
const ELECTRONIC = 1;

interface PaymentFacts {
  readonly found: FoundRecords;
}

/** `typeClose` of a payment by an earlier prepayment (tag 1215). */
export const PREPAYMENT_OFFSET = 2;

/** The payments of a sale's receipt. The rest beside a prepayment is not paid on the internet (54-fz 10). */
export function salePayments(
  order: StoredOrder,
  total: Kopecks,
  offset: Kopecks,
  facts: PaymentFacts,
): readonly Payment[] {
  const used = kopecks(Math.min(total, offset));
  const money = used > 0 ? { ...asOrdered(order), isInternetPayment: 0 as const } : asOrdered(order);
  const named = used > 0 ? partNamed(order, facts).rest : namedForms(order, facts);
  return paymentsOf([{ typeClose: PREPAYMENT_OFFSET, sum: used }, ...moneyPayments(money, named, total - used, facts)]);
}

/** A prepayment is paid as the shop says: couriers take the rest. */
export function prepaymentPayments(order: StoredOrder, total: Kopecks, facts: PaymentFacts): readonly Payment[] {
  return moneyPayments({ ...asOrdered(order), payments: [] }, partNamed(order, facts).first, total, facts);
}

/** The forms in which a return is asked for: by the payments of its refund order, else by the order's payment type. */
export function askedPayments(order: StoredOrder, total: Kopecks, facts: PaymentFacts): readonly Payment[] {
  if (!order.isRefund) return moneyPayments({ ...order, payments: [] }, [], total, facts);
  return moneyPayments({ ...order, isInternetPayment: 0 }, namedForms(order, facts), total, facts);
}

/** The order with the payment type that the shop named: a courier's payment has changed `paymentId` to its own. */
export function asOrdered(order: StoredOrder): StoredOrder {
  const isCouriers = order.payments.at(-1)?.paymentTypeId === order.paymentId;
  return isCouriers ? { ...order, paymentId: order.originalPaymentId } : order;
}

/** Forms in which the sale took nothing, and that payments of the refund order name, or a type that is none of the sale's. */
export function otherForms(
  refund: StoredOrder,
  sale: StoredOrder,
  taken: readonly Payment[],
  { found }: PaymentFacts,
): readonly number[] {
  const ofSale = [sale.paymentId, sale.originalPaymentId, ...typesOf(sale)];
  const named = [...typesOf(refund), ...(ofSale.includes(refund.paymentId) ? [] : [refund.paymentId])];
  const known = named.filter((id) => namedCloseType(id, found) !== null).map((id) => closeTypeOf(id, found));
  return known.filter((form) => form <= ELECTRONIC && !taken.some(({ typeClose }) => typeClose === form));
}

/** The payment types of the payments that the shop names or couriers report. */
export function typesOf(order: StoredOrder): readonly string[] {
  return reportedPayments(order).map(({ paymentTypeId }) => paymentTypeId);
}

/** Couriers' money, then what the shop names beyond it, cashless first, up to the wanted sum; the rest by the order's type. */
function moneyPayments(
  order: StoredOrder,
  named: readonly Payment[],
  wanted: number,
  facts: PaymentFacts,
): readonly Payment[] {
  const collected = collectedForms(order, facts);
  const used = upTo(wanted, [...collected.toReversed(), ...formsLeft(named, collected).toReversed()]);
  const typeClose = order.isInternetPayment === 1 ? ELECTRONIC : closeTypeOf(order.paymentId, facts.found);
  return paymentsOf([...used, { typeClose, sum: kopecks(wanted - sumOfForms(used)) }]);
}

/** The payments in their turn, as far as the sum goes. */
export function upTo(most: number, payments: readonly Payment[]): readonly Payment[] {
  let left = most;
  return payments.flatMap(({ typeClose, sum }) => {
    const part = kopecks(Math.max(0, Math.min(sum, left)));
    left -= part;
    return part === 0 ? [] : [{ typeClose, sum: part }];
  });
}

/** What couriers hold, by the form; a negative payment reduces its form. */
export function collectedForms({ payments }: StoredOrder, { found }: PaymentFacts): readonly Payment[] {
  return paymentsOf(formsIn(payments, found));
}

function formsIn(payments: StoredOrder["payments"], found: FoundRecords): readonly Payment[] {
  return payments.map((one) => ({ typeClose: closeTypeOf(one.paymentTypeId, found), sum: toKopecks(one.price) }));
}

/** Whether couriers took all of the receipt's money, whatever of it they have given back. */
export function isOfCouriers(order: StoredOrder, receipt: readonly Payment[], facts: PaymentFacts): boolean {
  const payments = order.payments.filter(({ price }) => price > 0);
  return hasAll(collectedForms({ ...order, payments }, facts), moneyParts(receipt));
}

/** The payments of a receipt without the offset of a prepayment, which moves no money. */
export function moneyParts(payments: readonly Payment[]): readonly Payment[] {
  return payments.filter(({ typeClose }) => typeClose !== PREPAYMENT_OFFSET);
}

/** The forms that the shop's payments name; none where it has not said which payment of the register a type is. */
export function namedForms({ namedPayments = [] }: StoredOrder, { found }: PaymentFacts): readonly Payment[] {
  const isKnown = namedPayments.every(({ paymentTypeId }) => namedCloseType(paymentTypeId, found) !== null);
  return isKnown ? formsIn(namedPayments, found) : [];
}

/** The payments that the shop names of its prepayment: the one of that very sum, else what exceeds the rest; and the others. */
export function partNamed(order: StoredOrder, facts: PaymentFacts) {
  const [named, prepaid] = [namedForms(order, facts), prepaidSum(order)];
  const exact = named.find(({ sum }) => sum === prepaid);
  const beyondRest = sumOfForms(named) - (orderTotal(order) - prepaid);
  const first = exact === undefined ? upTo(Math.min(prepaid, beyondRest), named) : [exact];
  return { first, rest: formsLeft(named, first) };
}

const formNames = ["in cash", "electronic", "prepaid", "on credit", "in another form"];

export function formsText(payments: readonly Payment[]): string {
  const parts = payments.map(({ typeClose, sum }) => `${formatRoubles(sum)} ${formNames[typeClose]}`);
  return parts.join(" and ") || "nothing";
}

export function sumOfForms(payments: readonly Payment[]): Kopecks {
  return sumKopecks(payments.map(({ sum }) => sum));
}

/**
 * Fault "receipt.payment-type" where the shop has not said which payment of the register a payment type is: a receipt
 * never guesses it. Money paid on the internet is electronic. The rest beside a prepayment is paid by the order's own
 * type.
 */
export function requireCloseTypes(order: StoredOrder, payments: readonly Payment[], { found }: PaymentFacts): void {
  const isOfInternet =
    order.isInternetPayment === 1 && payments.every(({ typeClose }) => typeClose !== PREPAYMENT_OFFSET);
  const used = isOfInternet
    ? typesOf({ ...order, namedPayments: [] })
    : [asOrdered(order).paymentId, ...typesOf(order)];
  const unknown = used.find((id) => namedCloseType(id, found) === null);
  if (unknown === undefined) return;
  const message = `payment type ${unknown} has no closeTypeId: which payment of the register is it? Set it in /paymentTypes`;
  throw new Fault("receipt.payment-type", { place: "paymentId", message });
}

function namedCloseType(paymentTypeId: string, found: FoundRecords): string | null {
  return textField(found.get("paymentTypes")?.get(paymentTypeId)?.body, "closeTypeId");
}

/** The register's payment type; electronic where the shop names none, so that a courier's document is stored. */
function closeTypeOf(paymentTypeId: string, found: FoundRecords): number {
  const closeType = namedCloseType(paymentTypeId, found);
  return closeType === null ? ELECTRONIC : Number(closeType) || CASH;
}

/** The payment type that answers show: the order's own; for a return the one by which most money went back. */
export function usedPaymentId(
  order: StoredOrder,
  sale: StoredOrder,
  { kind, payments }: { readonly kind: string; readonly payments: readonly Payment[] },
  found: FoundRecords,
): string {
  if (kind !== "return") return order.paymentId;
  const ids = [order, sale].flatMap((one) => [one.paymentId, ...typesOf(one), one.originalPaymentId]);
  const forms = payments.toSorted((one, other) => other.sum - one.sum);
  const used = forms.flatMap(({ typeClose }) => ids.find((id) => closeTypeOf(id, found) === typeClose) ?? []);
  return used[0] ?? order.paymentId;
}

/** What is given in each form beyond what is taken in it. */
export function formsLeft(given: readonly Payment[], taken: readonly Payment[]): readonly Payment[] {
  return paymentsOf([...given, ...taken.map(({ typeClose, sum }) => ({ typeClose, sum: kopecks(-sum) }))]);
}

export function hasAll(taken: readonly Payment[], reported: readonly Payment[]): boolean {
  return formsLeft(reported, taken).length === 0;
}

/** The larger sum of each form: two reports may tell of the same money. */
export function largerForms(one: readonly Payment[], other: readonly Payment[]): readonly Payment[] {
  return paymentsOf([...one, ...formsLeft(other, one)]);
}

/**
 * The forms in which a return is paid: the wanted ones up to what was taken in them, then the others, cashless ones
 * first and a prepayment of another program last. What exceeds all of these goes back in the wanted forms. `named`:
 * wanted forms that hold although nothing was taken in them.
 */
export function formsOf(
  total: Kopecks,
  left: readonly Payment[],
  asked: readonly Payment[],
  named: readonly number[],
): readonly Payment[] {
  const used: Payment[] = [];
  const free = new Map(left.map(({ typeClose, sum }) => [typeClose, Number(sum)]));
  let missing: number = total;
  const take = (typeClose: number, most: number) => {
    const sum = kopecks(Math.min(Math.max(0, most), missing));
    used.push({ typeClose, sum });
    free.set(typeClose, (free.get(typeClose) ?? 0) - sum);
    missing -= sum;
  };
  for (const { typeClose, sum } of asked)
    take(typeClose, named.includes(typeClose) ? sum : Math.min(sum, free.get(typeClose) ?? 0));
  for (const typeClose of [...free.keys()].toSorted(cashlessFirst)) take(typeClose, free.get(typeClose) ?? 0);
  for (const { typeClose, sum } of asked) take(typeClose, sum);
  return paymentsOf(used);
}

function cashlessFirst(one: number, other: number): number {
  return Number(one === PREPAYMENT_OFFSET) - Number(other === PREPAYMENT_OFFSET) || other - one;
}

/** One payment for each form of which something is left, in the order of the forms. */
function paymentsOf(payments: readonly Payment[]): readonly Payment[] {
  const sums = new Map<number, number>();
  for (const { typeClose, sum } of payments) sums.set(typeClose, (sums.get(typeClose) ?? 0) + sum);
  return [...sums]
    .filter(([, sum]) => sum > 0)
    .toSorted(([one], [other]) => one - other)
    .map(([typeClose, sum]) => ({ typeClose, sum: kopecks(sum) }));
}
