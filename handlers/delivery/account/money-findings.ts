/** What is wrong with the money that the shop and its couriers report of a sale; pure. */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import {
  canceledAfterPayment,
  collectedSum,
  costToCollect,
  goodsSum,
  isDelivered,
  isMoneyKept,
  isShortOfMoney,
  prepaidSum,
  reportsOf,
} from "../orders/receipt-policy.js";
import { keyText } from "../orders/rows.js";
import { toKopecks } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { type Account, type AccountEntry, currentOf, isLive, isRegistered, leftOf, offsetIn } from "./entries.js";
import type { CatalogFacts } from "./order-receipt.js";
import { CASH, formsLeft, formsOfPayments, formsText, isOfCouriers, PREPAYMENT_OFFSET } from "./payment-forms.js";

/** The code of findings that name no missing receipt, in the shop's register log. */
export const UNBALANCED = "account.unbalanced";

/** The code of the finding that a whole shop may have at each of its prepaid orders: it is alerted once a day. */
export const REST_UNREPORTED = "account.rest-unreported";

export interface AccountFinding {
  readonly code: string;
  readonly text: string;
  /** The order (`keyText`) that lacks a receipt: its frReceiptStatusId becomes 2. Null where no receipt is missing. */
  readonly unprinted: string | null;
}

/** Finds a delivered order whose money is too little for its sum, so that it has no receipt, or only a courier's. */
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

/** Finds a sale of which only a prepayment is reported, while the order's status alone says that the rest was paid. */
export function paidByStatusAlone({ sale, entries }: Account): readonly AccountFinding[] {
  const sold = currentOf(entries, "sale");
  if (sold?.by !== "shop" || offsetIn(sold) === 0 || leftOf(entries, sold).total <= 0) return [];
  const named = (sale.namedPayments ?? []).map(({ price }) => toKopecks(price));
  // One of the named payments may be the prepayment itself.
  const ofPrepayment = named.find((sum) => sum === prepaidSum(sale)) ?? 0;
  const reported = collectedSum(sale) + sumKopecks(named) - ofPrepayment;
  const rest = kopecks(sold.total - offsetIn(sold));
  if (rest <= reported) return [];
  const what = `A prepayment pays ${formatRoubles(offsetIn(sold))} of the sale, and its status alone calls the other ${formatRoubles(rest)} paid`;
  const remedy = "report the payment, as a courier or in the order's payments";
  return [{ code: REST_UNREPORTED, text: `${what}: ${remedy}.`, unprinted: null }];
}

/** Finds a sale that is smaller than the order that its shop had called paid, because a courier cancelled a part. */
export function paidAndCanceled(account: Account): readonly AccountFinding[] {
  const { sale } = account;
  const unsold = kopecks(canceledAfterPayment(sale) + collectedSum(sale));
  if (sale.statusId === 0 || collectedSum(sale) > 0 || unsold <= 0) return [];
  if (!isDelivered(sale) && printedSale(account) === null) return [];
  const what = `It was called paid before its courier cancelled ${formatRoubles(unsold)} of it, and its sale is ${formatRoubles(goodsSum(sale))}`;
  return [alertOnly(`${what}: give the difference back, then edit the order to the goods that are sold.`)];
}

/** Finds couriers' money that no receipt contains. Cash above what is sold is change, unless a prepayment pays all. */
export function moneyWithoutReceipt(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const { sale, entries, isHidden } = account;
  const sold = currentOf(entries, "sale");
  if (sold === null && isMoneyKept(sale, isHidden)) {
    const what = `Couriers have ${formatRoubles(collectedSum(sale))}, and no receipt says so`;
    const restore = isHidden ? "bring the deleted order back by /orders/replace, and " : "";
    const remedy = "report what was given back as a negative payment, or change the order to what was sold";
    return [receiptMissing(sale, `${what}: ${restore}${remedy}.`)];
  }
  const due = kopecks(sold === null ? Math.max(0, costToCollect(sale)) : sold.total - offsetIn(sold));
  const prepaid = sold !== null && due === 0 ? (currentOf(entries, "prepayment")?.payments ?? sold.payments) : null;
  const kept = formsOfPayments(sale.payments, facts).filter(({ typeClose }) => prepaid !== null || typeClose !== CASH);
  if (sumKopecks(kept.map(({ sum }) => sum)) <= due) return [];
  const beside = prepaid === null ? "" : ` beside a prepayment of ${formsText(prepaid)}`;
  const what = `Couriers have ${formsText(kept)}, and the sale takes ${formatRoubles(due)} of it${beside}`;
  return [alertOnly(`${what}: give back the rest, and report it as a negative payment.`)];
}

/** Finds money that couriers gave back although no return says so, or although they took nothing. */
export function givenBackWithoutReceipt(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const sum = givenBackBeyondReturns(account, facts);
  if (sum <= 0) return [];
  if (printedSale(account) === null) {
    const what = `Couriers gave back ${formatRoubles(sum)} more than they took of order ${account.saleId}, which is not sold`;
    return [receiptMissing(account.sale, `${what}: report what they took, or what they get back, as a payment.`)];
  }
  const what = `Couriers gave back ${formatRoubles(sum)} of the printed sale beyond what its returns say`;
  const remedy = "report the goods that came back as a return, make a refund order, or get it back as a payment";
  return [receiptMissing(account.sale, `${what}: ${remedy}.`)];
}

/** The money of the sale that couriers gave back, less what they had above it and what they owe by returns. */
export function givenBackBeyondReturns(account: Account, facts: Pick<CatalogFacts, "found">): Kopecks {
  const { sale, refunds, entries } = account;
  const sold = printedSale(account);
  const returns = entries.filter((one) => one.kind === "return" && isLive(one));
  // What a refund order's own payments report is given back already.
  const owed = returns.map(({ refundId, total }) => {
    const refund = refunds.find(({ order }) => order.orderId === refundId)?.order;
    return kopecks(Math.max(0, total - collectedSum({ payments: reportsOf(refund?.payments) })));
  });
  // Couriers hold no money of a sale that its status alone calls paid.
  const taken = sold !== null && isOfCouriers(sale, sold.payments, facts) ? sold.total - offsetIn(sold) : 0;
  return kopecks(Math.max(0, taken - collectedSum(sale) - sumKopecks(owed) - canceledAfterPayment(sale)));
}

/** Finds a printed sale of which the shop names all the money in other forms than its receipt. */
export function namedInOtherForms({ sale, entries }: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const sold = printedSale({ entries });
  if (sold?.by !== "shop") return [];
  const taken = formsLeft(sold.payments, [{ typeClose: PREPAYMENT_OFFSET, sum: offsetIn(sold) }]);
  // Couriers' reports of money count before what the shop named before the receipt.
  const named = [sale.payments.length > 0 ? [] : sale.namedPayments, reportsOf(sale.namedPayments)];
  const other = named
    .filter((payments = []) => collectedSum({ payments }) === sold.total - offsetIn(sold))
    .map((payments) => formsOfPayments(payments, facts))
    .find((forms) => forms.length > 0 && formsText(forms) !== formsText(taken));
  if (other === undefined) return [];
  const what = `The receipt has ${formsText(taken)}, and the order's payments report ${formsText(other)}`;
  return [alertOnly(`${what}: compare them with the receipt, and put right what is wrong.`)];
}

export function printedSale({ entries }: Pick<Account, "entries">): AccountEntry | null {
  const sold = currentOf(entries, "sale");
  return sold !== null && isRegistered(sold) ? sold : null;
}

/** Finds refund orders that give back more than their goods cost, in another form than printed, or without being paid. */
export function refundedOtherwise({ refunds, entries }: Account, facts: CatalogFacts): readonly AccountFinding[] {
  return refunds.flatMap(({ order }) => {
    const own = entries.filter((one) => one.refundId === order.orderId && isLive(one));
    const printed = own.flatMap((one) => (isRegistered(one) && one.by === "shop" ? one.payments : []));
    const reports = reportsOf(order.payments);
    const [forms, sum] = [formsOfPayments(reports, facts), collectedSum({ payments: reports })];
    const remedy = `get back what is too much, and report it as a negative payment of order ${order.orderId} with \`isRefund\` 1`;
    if (order.statusId === 0 && own.length === 0) {
      if (sum <= 0) return [];
      const what = `Refund order ${order.orderId} is not paid, and couriers gave back ${formsText(forms) || formatRoubles(sum)} by it`;
      return [receiptMissing(order, `${what}: set its statusId to 1, or ${remedy}.`)];
    }
    // Earlier versions did not tell reports from links.
    const payments = reports.length > 0 ? reports : order.payments;
    const isOther = printed.length > 0 && formsLeft(forms, printed).length > 0;
    if (!isOther && collectedSum({ payments }) <= goodsSum(order)) return [];
    const receipt =
      printed.length > 0 ? `receipt has ${formsText(printed)}` : `goods cost ${formatRoubles(goodsSum(order))}`;
    const what = `By its payments refund order ${order.orderId} gives back ${formsText(formsOfPayments(payments, facts))}, and its ${receipt}`;
    return [alertOnly(`${what}: ${remedy}.`)];
  });
}

export function alertOnly(text: string): AccountFinding {
  return { code: UNBALANCED, text, unprinted: null };
}

export function receiptMissing(order: StoredOrder, text: string): AccountFinding {
  return { code: "receipt.payments-mismatch", text, unprinted: keyText(order) };
}
