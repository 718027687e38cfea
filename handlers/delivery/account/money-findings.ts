/** What is wrong with the money that the shop and its couriers report of a sale; pure. */
import { formatRoubles, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
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
import { type Account, type AccountEntry, currentOf, isLive, isRegistered, leftOf, offsetOf } from "./entries.js";
import type { CatalogFacts } from "./order-receipt.js";
import {
  CASH,
  formsGivenBack,
  formsLeft,
  formsPaid,
  formsText,
  isOfCouriers,
  namedCloseType,
  PREPAYMENT_OFFSET,
  salePayments,
  UNNAMED,
} from "./payment-forms.js";
import { isPaidRefund } from "./plan.js";

/** The code, in the shop's register log, of findings that name no missing receipt. */
export const UNBALANCED = "account.unbalanced";

/** A shop may have this finding at each of its prepaid orders, so it is alerted once a day. */
export const REST_UNREPORTED = "account.rest-unreported";

const COMPARE = "compare them with the receipt, and put right what is wrong";

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
  if (sold?.by !== "shop" || offsetOf(sold, sale) === 0 || leftOf(entries, sold).total <= 0) return [];
  const named = (sale.namedPayments ?? []).map(({ price }) => toKopecks(price));
  // One of the named payments may be the prepayment itself.
  const ofPrepayment = named.find((sum) => sum === prepaidSum(sale)) ?? 0;
  const reported = collectedSum(sale) + sumKopecks(named) - ofPrepayment;
  const rest = kopecks(sold.total - offsetOf(sold, sale));
  if (rest <= Math.max(0, reported)) return [];
  const text = `A prepayment pays ${formatRoubles(offsetOf(sold, sale))} of the sale, and its status alone calls the other ${formatRoubles(rest)} paid: report the payment, as a courier or in the order's payments.`;
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
  const due = kopecks(sold === null ? Math.max(0, costToCollect(sale)) : sold.total - offsetOf(sold, sale));
  const prepaid = sold !== null && due === 0 ? (currentOf(entries, "prepayment")?.payments ?? sold.payments) : null;
  const kept = formsPaid(sale.payments, facts).filter(({ typeClose }) => prepaid !== null || typeClose !== CASH);
  if (sumKopecks(kept.map(({ sum }) => sum)) <= due) return [];
  const what = `Couriers have ${formsText(kept)}, and the sale takes ${formatRoubles(due)} of it${prepaid === null ? "" : ` beside a prepayment of ${formsText(prepaid)}`}`;
  return [alertOnly(`${what}: give back the rest, and report it as a negative payment.`)];
}

export function givenBackWithoutReceipt(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const { sum, otherwise } = givenBackOf(account, facts);
  if (otherwise.length > 0) {
    const what = `Couriers gave back ${formsText(otherwise)} of order ${account.saleId} beyond what its returns have in that form`;
    return [alertOnly(`${what}: ${COMPARE}.`)];
  }
  if (sum <= 0) return [];
  if (printedSale(account) === null) {
    const what = `Couriers gave back ${formatRoubles(sum)} more than they took of order ${account.saleId}, which is not sold`;
    return [receiptMissing(account.sale, `${what}: report what they took, or what they get back, as a payment.`)];
  }
  const text = `Couriers gave back ${formatRoubles(sum)} of the printed sale, not by a refund order, beyond what its returns say: report the goods that came back as a return, make a refund order, or get it back as a payment.`;
  return [receiptMissing(account.sale, text)];
}

/** The sale's money that couriers gave back, less what they had above it and what they owe by returns; and its forms. */
export function givenBackOf(account: Account, facts: Pick<CatalogFacts, "found">) {
  const { sale, refunds, entries } = account;
  const sold = printedSale(account);
  const returns = entries.filter((one) => one.kind === "return" && isLive(one));
  // What couriers report by a refund order is given back already.
  const owed = returns.map(({ refundId, total, payments: forms }) => {
    const payments = refunds.flatMap(({ order }) => (order.orderId === refundId ? byCouriers(order) : []));
    const sum = kopecks(Math.max(0, total - collectedSum({ payments })));
    return { sum, forms: formsLeft(forms, formsPaid(payments, facts)) };
  });
  // Couriers hold no money of a sale that its status alone calls paid, and give back what they cancelled.
  const isTaken = sold !== null && isOfCouriers(sale, withoutOffset(sold, sale), facts);
  const canceled = isTaken ? 0 : (sale.canceledPaid ?? 0);
  const held = isTaken ? withoutOffset(sold, sale) : [];
  const given = sumKopecks(held.map(({ sum }) => sum)) - canceled - collectedSum(sale);
  const sum = kopecks(Math.max(0, given - sumKopecks(owed.map((one) => one.sum))));
  const byForm = formsGivenBack(held, sale.payments, facts);
  const owedForms = owed.flatMap(({ forms }) => forms);
  const beyond = formsLeft(byForm, owedForms).filter(({ typeClose }) => typeClose !== UNNAMED);
  // What a courier cancelled may go back in any form. Of returns that others printed the forms are only assumed.
  const isOther = sumKopecks(beyond.map((one) => one.sum)) > canceled && returns.every(({ by }) => by === "shop");
  return { sum, otherwise: isOther && given > 0 && sum === 0 ? beyond : [] };
}

/** What the shop itself says of its money: the answer to its request has a warning too. */
export function saidOtherwise(account: Account, facts: CatalogFacts) {
  return [...namedInOtherForms(account, facts), ...guessedElectronic(account, facts)];
}

/**
 * The payments that the shop names are compared with the sale only if they are all of its money, and no courier reports
 * any. The payment of the prepayment is compared with the receipt of the prepayment.
 */
function namedInOtherForms({ sale, entries }: Account, facts: CatalogFacts) {
  const named = sale.namedPayments ?? [];
  if (formsPaid(named, facts).some(({ typeClose }) => typeClose === UNNAMED)) return [];
  const [first, sold] = [currentOf(entries, "prepayment"), currentOf(entries, "sale")];
  const ofSale = (payments: StoredOrder["payments"]) =>
    sale.payments.length > 0 ? [] : inOtherForms(sold, payments, { sale, facts });
  const isBeside = sold !== null && offsetOf(sold, sale) > 0;
  // One of the named payments may be the prepayment itself, and several may have its sum.
  const prepaid = named.filter(({ price }) => toKopecks(price) === prepaidSum(sale));
  const ways = prepaid.map((one) => [
    ...inOtherForms(first, [one], { sale, facts }),
    ...ofSale(isBeside ? named.filter((other) => other !== one) : named),
  ]);
  // Where the prepayment is half of the money, the only named payment may be the other half.
  const isRest = sold !== null && formsText(withoutOffset(sold, sale)) === formsText(formsPaid(named, facts));
  return isRest || ways.some((found) => found.length === 0) ? [] : (ways[0] ?? ofSale(named));
}

function inOtherForms(
  entry: AccountEntry | null,
  reported: StoredOrder["payments"],
  { sale, facts }: { readonly sale: StoredOrder; readonly facts: CatalogFacts },
) {
  if (entry?.by !== "shop" || !isRegistered(entry)) return [];
  if (collectedSum({ payments: reported }) !== entry.total - offsetOf(entry, sale)) return [];
  const [receipt, other] = [formsText(withoutOffset(entry, sale)), formsText(formsPaid(reported, facts))];
  if (other === receipt) return [];
  const of = entry.kind === "prepayment" ? "prepayment's receipt" : "receipt";
  const message = `are in another form than the printed receipt: receipt ${receipt}, reported ${other}`;
  const told = alertOnly(`The ${of} has ${receipt}, and the order's payments report ${other}: ${COMPARE}.`);
  return [{ ...told, warning: { path: "payments", message } }];
}

/** Once the payment type has a form, the receipt's form is compared with it until the whole receipt is returned. */
function guessedElectronic({ sale, entries }: Account, facts: CatalogFacts) {
  const printed = currentOf(entries, "sale") ?? currentOf(entries, "prepayment");
  if (printed?.by !== "shop" || sale.payments.length > 0 || sale.isInternetPayment !== 1) return [];
  const isNamed = namedCloseType(sale.paymentId, facts.found) !== null;
  const is = formsText(printed.payments);
  const due = formsText(salePayments(sale, printed.total, offsetOf(printed, sale), facts));
  // A prepayment on the internet is electronic, because the payment type is the form of the rest.
  const isRight = printed.kind === "prepayment" || is === due || leftOf(entries, printed).total <= 0;
  if (isNamed && isRight) return [];
  const guess = "is of a type without closeTypeId: what is paid on the internet is printed as electronic";
  const message = isNamed ? `says ${due}, and its receipt has ${is}` : guess;
  const text = `Its paymentId ${message}. Set its closeTypeId in /paymentTypes, and put the receipt right if it is wrong.`;
  return [{ code: "receipt.payment-type", text, unprinted: null, warning: { path: "paymentId", message } }];
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

export function givenBackOtherwise(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const { sale, refunds, entries } = account;
  // Money that went back by negative payments of the sale covers each refund order's receipt once.
  const negative = sale.payments.filter(({ price }) => price < 0);
  let ofSale = formsPaid(
    negative.map((one) => ({ ...one, price: -one.price })),
    facts,
  );
  return refunds.flatMap(({ order }) => {
    const reports = byCouriers(order);
    const payments = reports.length > 0 ? reports : order.payments;
    const sum = collectedSum({ payments });
    const printed = entries.find((one) => one.refundId === order.orderId && one.by === "shop" && isRegistered(one));
    // The shop's own payments may only link the order to its sale, unless they are all that its receipt gives back.
    const isAll = reports.length > 0 || (printed !== undefined && sum === printed.total - offsetOf(printed, sale));
    const beyond = printed === undefined || !isAll ? [] : formsLeft(formsPaid(payments, facts), printed.payments);
    // Only cash has no other way back than by couriers, who report it of the refund order or of the sale.
    const due = formsLeft(printed?.payments ?? [], formsPaid(reports, facts));
    const isShort = formsLeft(due, ofSale).some(({ typeClose }) => typeClose === CASH);
    // Where couriers report nothing of a refund order, the sale's negative payments count only if they cover its cash.
    if (reports.length > 0 || !isShort) ofSale = formsLeft(ofSale, due);
    const isPart = reports.length > 0 && sum > 0 && sum < (printed?.total ?? 0);
    const isOther = (isPart && isShort) || beyond.some(({ typeClose }) => typeClose !== UNNAMED);
    const isTooMuch = sum > goodsSum(order);
    if (!isPaidRefund(order) || (!isOther && !isTooMuch)) return [];
    const cost = `goods cost ${formatRoubles(goodsSum(order))}`;
    const receipt = isOther ? `receipt has ${formsText(printed?.payments ?? [])}` : cost;
    const back = `get back what is too much, and report it as a negative payment of order ${order.orderId} with \`isRefund\` 1`;
    const remedy = isTooMuch ? back : COMPARE;
    const text = `By its payments refund order ${order.orderId} gives back ${formsText(formsPaid(payments, facts))}, and its ${receipt}: ${remedy}.`;
    return [alertOnly(text)];
  });
}

export function withoutOffset(entry: AccountEntry, sale: StoredOrder) {
  return formsLeft(entry.payments, [{ typeClose: PREPAYMENT_OFFSET, sum: offsetOf(entry, sale) }]);
}

export function alertOnly(text: string): AccountFinding {
  return { code: UNBALANCED, text, unprinted: null };
}

export function receiptMissing(order: StoredOrder, text: string): AccountFinding {
  return { code: "receipt.payments-mismatch", text, unprinted: keyText(order) };
}
