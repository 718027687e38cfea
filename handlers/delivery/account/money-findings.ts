/** What is wrong with the money that the shop and its couriers report of a sale; pure. */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import {
  byCouriers,
  canceledPortions,
  collectedSum,
  costToCollect,
  goodsSum,
  isDelivered,
  isMoneyKept,
  isShortOfMoney,
  prepaidSum,
} from "../orders/receipt-policy.js";
import { keyText } from "../orders/rows.js";
import { toKopecks } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { type Account, type AccountEntry, currentOf, isLive, isRegistered, leftOf, offsetIn } from "./entries.js";
import type { CatalogFacts } from "./order-receipt.js";
import { CASH, formsLeft, formsPaid, formsText, isOfCouriers, PREPAYMENT_OFFSET, UNNAMED } from "./payment-forms.js";
import { isPaidRefund } from "./plan.js";

/** The code, in the shop's register log, of findings that name no missing receipt. */
export const UNBALANCED = "account.unbalanced";

/** A shop may have this finding at each of its prepaid orders, so it is alerted once a day. */
export const REST_UNREPORTED = "account.rest-unreported";

export interface AccountFinding {
  readonly code: string;
  readonly text: string;
  /** The order (`keyText`) that lacks a receipt: its frReceiptStatusId becomes 2. Null: no receipt is missing. */
  readonly unprinted: string | null;
}

export function unpaid({ sale, entries }: Account): readonly AccountFinding[] {
  const sold = currentOf(entries, "sale");
  if (sale.goods.length === 0 || !isShortOfMoney(sale)) return [];
  const [collected, cost] = [formatRoubles(collectedSum(sale)), formatRoubles(costToCollect(sale))];
  if (sold?.by === "courier") {
    const what = `The courier's register has sold ${formatRoubles(sold.total)}, and payments of ${collected} are reported for ${cost}`;
    return [alertOnly(`${what}: compare them with its document.`)];
  }
  if (sold !== null) return [];
  const text = `It is delivered, and the payments of ${collected} do not cover the ${cost} that are to be paid: no receipt is printed. Add the missing payment, or change the order.`;
  return [receiptMissing(sale, text)];
}

export function paidByStatusAlone({ sale, entries }: Account): readonly AccountFinding[] {
  const sold = currentOf(entries, "sale");
  if (sold?.by !== "shop" || offsetIn(sold) === 0 || leftOf(entries, sold).total <= 0) return [];
  const named = (sale.namedPayments ?? []).map(({ price }) => toKopecks(price));
  // One of the named payments may be the prepayment itself.
  const ofPrepayment = named.find((sum) => sum === prepaidSum(sale)) ?? 0;
  const reported = collectedSum(sale) + sumKopecks(named) - ofPrepayment;
  const rest = kopecks(sold.total - offsetIn(sold));
  if (rest <= Math.max(0, reported)) return [];
  const text = `A prepayment pays ${formatRoubles(offsetIn(sold))} of the sale, and its status alone calls the other ${formatRoubles(rest)} paid: report the payment, as a courier or in the order's payments.`;
  return [{ code: REST_UNREPORTED, text, unprinted: null }];
}

export function paidAndCanceled({ sale, entries, isHidden }: Account): readonly AccountFinding[] {
  const canceled = kopecks(sale.canceledPaid ?? 0);
  // Money that couriers gave back is a negative sum.
  const left = kopecks(canceled + collectedSum(sale));
  const isOpen = sale.statusId === 1 && collectedSum(sale) <= 0 && canceledPortions(sale).length > 0;
  const isSold = isDelivered(sale) || printedSale({ entries }) !== null;
  if (!isOpen || !isSold || left <= 0) return [];
  const what = `Its courier cancelled ${formatRoubles(canceled)} of it after it was called paid, and ${formatRoubles(left)} of that are not reported as given back`;
  const restore = isHidden ? "bring the deleted order back by /orders/replace, " : "";
  const remedy = `${restore}give them back, and report a negative payment or edit the order to what is sold`;
  return [alertOnly(`${what}: ${remedy}.`)];
}

/** Cash above what is sold is change, unless a prepayment pays all. */
export function moneyWithoutReceipt(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const { sale, entries, isHidden } = account;
  const sold = currentOf(entries, "sale");
  if (sold === null && isMoneyKept(sale, isHidden)) {
    const what = `Couriers have ${formatRoubles(collectedSum(sale))}, and no receipt says so`;
    const restore = isHidden ? "bring the deleted order back by /orders/replace, and " : "";
    const text = `${what}: ${restore}report what was given back as a negative payment, or change the order to what was sold.`;
    return [receiptMissing(sale, text)];
  }
  const due = kopecks(sold === null ? Math.max(0, costToCollect(sale)) : sold.total - offsetIn(sold));
  const prepaid = sold !== null && due === 0 ? (currentOf(entries, "prepayment")?.payments ?? sold.payments) : null;
  const kept = formsPaid(sale.payments, facts).filter(({ typeClose }) => prepaid !== null || typeClose !== CASH);
  if (sumKopecks(kept.map(({ sum }) => sum)) <= due) return [];
  const what = `Couriers have ${formsText(kept)}, and the sale takes ${formatRoubles(due)} of it${prepaid === null ? "" : ` beside a prepayment of ${formsText(prepaid)}`}`;
  return [alertOnly(`${what}: give back the rest, and report it as a negative payment.`)];
}

export function givenBackWithoutReceipt(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const sum = givenBackBeyondReturns(account, facts);
  if (sum <= 0) return [];
  if (printedSale(account) === null) {
    const what = `Couriers gave back ${formatRoubles(sum)} more than they took of order ${account.saleId}, which is not sold`;
    return [receiptMissing(account.sale, `${what}: report what they took, or what they get back, as a payment.`)];
  }
  const text = `Couriers gave back ${formatRoubles(sum)} of the printed sale, not by a refund order, beyond what its returns say: report the goods that came back as a return, make a refund order, or get it back as a payment.`;
  return [receiptMissing(account.sale, text)];
}

/** The sale's money that couriers gave back, less what they had above it and what they owe by returns. */
export function givenBackBeyondReturns(account: Account, facts: Pick<CatalogFacts, "found">): Kopecks {
  const { sale, refunds, entries } = account;
  const sold = printedSale(account);
  const returns = entries.filter((one) => one.kind === "return" && isLive(one));
  // What couriers report by a refund order is given back already.
  const owed = returns.map(({ refundId, total }) => {
    const payments = refunds.flatMap(({ order }) => (order.orderId === refundId ? byCouriers(order) : []));
    return kopecks(Math.max(0, total - collectedSum({ payments })));
  });
  // Couriers hold no money of a sale that its status alone calls paid, and give back what they cancelled.
  const isTaken = sold !== null && isOfCouriers(sale, sold.payments, facts);
  const taken = isTaken ? sold.total - offsetIn(sold) : -(sale.canceledPaid ?? 0);
  return kopecks(Math.max(0, taken - collectedSum(sale) - sumKopecks(owed)));
}

/** Found only where the shop names all the money of the sale, and no courier reports any. */
export function namedInOtherForms({ sale, entries }: Account, facts: CatalogFacts) {
  const sold = printedSale({ entries });
  if (sold?.by !== "shop" || sale.payments.length > 0) return [];
  const receipt = formsText(sold.payments.filter(({ typeClose }) => typeClose !== PREPAYMENT_OFFSET));
  const named = sale.namedPayments ?? [];
  // One of the named payments may be the prepayment itself, and several may have its sum.
  const prepaid = offsetIn(sold) > 0 ? named.filter(({ price }) => toKopecks(price) === prepaidSum(sale)) : [];
  const reported = (prepaid.length > 0 ? prepaid : [null])
    .map((left) => named.filter((one) => one !== left))
    .filter((payments) => collectedSum({ payments }) === sold.total - offsetIn(sold))
    .map((payments) => formsText(formsPaid(payments, facts)));
  const isUnnamed = formsPaid(named, facts).some(({ typeClose }) => typeClose === UNNAMED);
  const [other = receipt] = reported;
  if (isUnnamed || other === receipt || reported.includes(receipt)) return [];
  const what = `The receipt has ${receipt}, and the order's payments report ${other}`;
  const warning = `are in another form than the printed receipt: receipt ${receipt}, reported ${other}`;
  return [{ ...alertOnly(`${what}: compare them with the receipt, and put right what is wrong.`), warning }];
}

export function printedSale({ entries }: Pick<Account, "entries">): AccountEntry | null {
  const sold = currentOf(entries, "sale");
  return sold !== null && isRegistered(sold) ? sold : null;
}

export function givenBackUnpaid({ refunds, entries }: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const basis = currentOf(entries, "sale") ?? currentOf(entries, "prepayment");
  if (basis !== null && leftOf(entries, basis).total <= 0) return [];
  return refunds.flatMap(({ order }) => {
    const payments = byCouriers(order);
    const isPrinted = entries.some((one) => one.refundId === order.orderId && isLive(one));
    if (order.statusId === 1 || isPrinted || collectedSum({ payments }) <= 0) return [];
    const text = `Refund order ${order.orderId} is not paid, and couriers gave back ${formsText(formsPaid(payments, facts))} by it: set its statusId to 1, or get the money back and report it as a negative payment of order ${order.orderId} with \`isRefund\` 1, or delete the refund order if nothing was given.`;
    return [receiptMissing(order, text)];
  });
}

export function givenBackOtherwise({ refunds, entries }: Account, facts: CatalogFacts): readonly AccountFinding[] {
  return refunds.flatMap(({ order }) => {
    const reports = byCouriers(order);
    const payments = reports.length > 0 ? reports : order.payments;
    const printed = entries.find((one) => one.refundId === order.orderId && one.by === "shop" && isRegistered(one));
    const beyond = printed === undefined ? [] : formsLeft(formsPaid(reports, facts), printed.payments);
    const isOther = beyond.some(({ typeClose }) => typeClose !== UNNAMED);
    if (!isPaidRefund(order) || (!isOther && collectedSum({ payments }) <= goodsSum(order))) return [];
    const cost = `goods cost ${formatRoubles(goodsSum(order))}`;
    const receipt = isOther ? `receipt has ${formsText(printed?.payments ?? [])}` : cost;
    const text = `By its payments refund order ${order.orderId} gives back ${formsText(formsPaid(payments, facts))}, and its ${receipt}: get back what is too much, and report it as a negative payment of order ${order.orderId} with \`isRefund\` 1.`;
    return [alertOnly(text)];
  });
}

export function alertOnly(text: string): AccountFinding {
  return { code: UNBALANCED, text, unprinted: null };
}

export function receiptMissing(order: StoredOrder, text: string): AccountFinding {
  return { code: "receipt.payments-mismatch", text, unprinted: keyText(order) };
}
