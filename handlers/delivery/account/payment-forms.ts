/** The forms in which a receipt is paid (tag 1031 and others), and in which money can go back (54-fz 5, 9); pure. */
import { formatRoubles, type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Payment } from "@fiscald/shared/receipt/receipt.js";
import { textField } from "../catalog/records.js";
import type { FoundRecords } from "../catalog/references.js";
import { toKopecks } from "../orders/rules.js";
import type { StoredOrder, StoredPayment } from "../orders/stored-order.js";

export const CASH = 0;
export const ELECTRONIC = 1;
export const UNNAMED = 5;

interface PaymentFacts {
  readonly found: FoundRecords;
}

/** `typeClose` of a payment by an earlier prepayment (tag 1215). */
export const PREPAYMENT_OFFSET = 2;

export function salePayments(
  order: StoredOrder,
  total: Kopecks,
  offset: Kopecks,
  { found }: PaymentFacts,
): readonly Payment[] {
  const used = kopecks(Math.min(total, offset));
  const ordered = asOrdered(order);
  return [
    { typeClose: PREPAYMENT_OFFSET, sum: used },
    // The rest is paid by `paymentId`. What was paid on the internet is the prepayment (54-fz 10).
    ...moneyPayments(used > 0 ? { ...ordered, isInternetPayment: 0 } : ordered, order.payments, total - used, found),
  ]
    .filter(({ sum }) => sum > 0)
    .toSorted((one, other) => one.typeClose - other.typeClose);
}

/** A courier's payment has changed `paymentId` to its own type. This restores the type that the shop named. */
export function asOrdered(order: StoredOrder): StoredOrder {
  const isCouriers = order.payments.at(-1)?.paymentTypeId === order.paymentId;
  return isCouriers ? { ...order, paymentId: order.originalPaymentId } : order;
}

/** Forms that the refund order's own payment types name, and in which the sale took nothing. */
export function otherForms(
  refund: StoredOrder,
  sale: StoredOrder,
  taken: readonly Payment[],
  found: FoundRecords,
): readonly number[] {
  // The sale took no money by a payment type with which couriers only gave money back.
  const took = sale.payments.filter(({ price }) => price > 0).map((one) => one.paymentTypeId);
  const ofSale = [asOrdered(sale).paymentId, sale.originalPaymentId, ...took];
  const own = refund.isInternetPayment === 1 ? [] : [refund.paymentId];
  const named = [...own, ...refund.payments.map((one) => one.paymentTypeId)].filter((id) => !ofSale.includes(id));
  const known = named.filter((id) => namedCloseType(id, found) !== null).map((id) => closeTypeOf(id, found));
  return known.filter((form) => form <= ELECTRONIC && !taken.some(({ typeClose }) => typeClose === form));
}

/** Takes collected payments, cashless first, up to `wanted`. The order's own payment type pays the rest. */
export function moneyPayments(
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
  const own = closeTypeOf(order.paymentId, found);
  // What is paid on the internet is never cash, whatever was planned at the door.
  if (left > 0) add(order.isInternetPayment === 1 ? Math.max(ELECTRONIC, own) : own, left);
  return [...sums].map(([typeClose, sum]) => ({ typeClose, sum: kopecks(sum) }));
}

/** Sums by form of payment, cashless first. A negative payment reduces the sum of its form. */
function collectedByType(collected: readonly StoredPayment[], found: FoundRecords, unnamed = ELECTRONIC) {
  const byType = new Map<number, number>();
  for (const { paymentTypeId, price } of collected) {
    const type = closeTypeOf(paymentTypeId, found, unnamed);
    byType.set(type, (byType.get(type) ?? 0) + toKopecks(price));
  }
  return [...byType].sort(([one], [other]) => other - one);
}

/** Whether couriers once had all of `due`. A payment that undoes a negative payment adds nothing. */
export function isOfCouriers(order: StoredOrder, due: readonly Payment[], { found }: PaymentFacts): boolean {
  return order.payments.some((_last, index, all) => {
    const had = paymentsOf(new Map(collectedByType(all.slice(0, index + 1), found)));
    return formsLeft(due, had).length === 0;
  });
}

/** By form what couriers gave back of what they `held`, and beyond it. */
export function formsGivenBack(held: readonly Payment[], payments: StoredOrder["payments"], { found }: PaymentFacts) {
  const moved = collectedByType(payments, found, UNNAMED).map(([typeClose, sum]) => ({ typeClose, sum: kopecks(sum) }));
  return formsLeft(held, moved);
}

/** `UNNAMED` where the shop has not said which form a payment type is. */
export function formsPaid(payments: StoredOrder["payments"], { found }: PaymentFacts): readonly Payment[] {
  return paymentsOf(new Map(collectedByType(payments, found, UNNAMED)));
}

const formNames = ["in cash", "electronic", "prepaid", "on credit", "in another form"];

export function formsText(payments: readonly Payment[]): string {
  const nameOf = (form: number) => formNames[form] ?? "in a form that its shop has not named";
  return payments.map(({ typeClose, sum }) => `${formatRoubles(sum)} ${nameOf(typeClose)}`).join(" and ");
}

/**
 * Fault "receipt.payment-type" where the shop has not named the form of a payment type: no receipt guesses it. Money
 * paid on the internet is electronic then. The order's own payment type pays the rest beside a prepayment.
 */
export function requireCloseTypes(order: StoredOrder, payments: readonly Payment[], { found }: PaymentFacts): void {
  const isOfInternet =
    order.isInternetPayment === 1 && payments.every(({ typeClose }) => typeClose !== PREPAYMENT_OFFSET);
  const own = isOfInternet ? [] : [asOrdered(order).paymentId];
  const used = [...own, ...order.payments.map(({ paymentTypeId }) => paymentTypeId)];
  const unknown = used.find((id) => namedCloseType(id, found) === null);
  if (unknown === undefined) return;
  const message = `payment type ${unknown} has no closeTypeId: which payment of the register is it? Set it in /paymentTypes`;
  throw new Fault("receipt.payment-type", { place: "paymentId", message });
}

export function namedCloseType(paymentTypeId: string, found: FoundRecords): string | null {
  return textField(found.get("paymentTypes")?.get(paymentTypeId)?.body, "closeTypeId");
}

/** Electronic where the shop names no form, so that a courier's document can be stored. */
function closeTypeOf(paymentTypeId: string, found: FoundRecords, unnamed = ELECTRONIC): number {
  const closeType = namedCloseType(paymentTypeId, found);
  return closeType === null ? unnamed : Number(closeType) || CASH;
}

/** Answers show the order's own payment type; for a return, the type by which most money went back. */
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

export function formsLeft(given: readonly Payment[], returned: readonly Payment[]): readonly Payment[] {
  const sums = new Map<number, number>();
  for (const { typeClose, sum } of given) sums.set(typeClose, (sums.get(typeClose) ?? 0) + sum);
  for (const { typeClose, sum } of returned) sums.set(typeClose, (sums.get(typeClose) ?? 0) - sum);
  return paymentsOf(sums);
}

/**
 * Pays a return in the wanted forms up to what was taken in them, then in other forms: cashless forms first, a
 * prepayment of another program last. What is still missing goes back in the wanted forms. `named`: wanted forms that
 * hold although nothing was taken in them.
 */
export function formsOf(
  total: Kopecks,
  left: readonly Payment[],
  asked: readonly Payment[],
  named: readonly number[],
): readonly Payment[] {
  const sums = new Map<number, number>();
  const free = new Map(left.map(({ typeClose, sum }) => [typeClose, Number(sum)]));
  let missing: number = total;
  const take = (typeClose: number, most: number) => {
    const sum = Math.min(Math.max(0, most), missing);
    sums.set(typeClose, (sums.get(typeClose) ?? 0) + sum);
    free.set(typeClose, (free.get(typeClose) ?? 0) - sum);
    missing -= sum;
  };
  for (const { typeClose, sum } of asked)
    take(typeClose, named.includes(typeClose) ? sum : Math.min(sum, free.get(typeClose) ?? 0));
  for (const typeClose of [...free.keys()].toSorted(cashlessFirst)) take(typeClose, free.get(typeClose) ?? 0);
  for (const { typeClose, sum } of asked) take(typeClose, sum);
  return paymentsOf(sums);
}

function cashlessFirst(one: number, other: number): number {
  return Number(one === PREPAYMENT_OFFSET) - Number(other === PREPAYMENT_OFFSET) || other - one;
}

function paymentsOf(sums: ReadonlyMap<number, number>): readonly Payment[] {
  return [...sums]
    .filter(([, sum]) => sum > 0)
    .toSorted(([one], [other]) => one - other)
    .map(([typeClose, sum]) => ({ typeClose, sum: kopecks(sum) }));
}
