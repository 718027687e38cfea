/** What is wrong with the money that the shop and its couriers report of a sale; pure. */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { collectedSum, costToCollect, isMoneyKept, isShortOfMoney, prepaidSum } from "../orders/receipt-policy.js";
import { keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import {
  type Account,
  type AccountEntry,
  currentOf,
  isLive,
  isOut,
  isRegistered,
  leftOf,
  offsetIn,
  returnsOf,
} from "./entries.js";
import type { CatalogFacts } from "./order-receipt.js";
import {
  CASH,
  collectedForms,
  formsLeft,
  formsText,
  hasAll,
  isOfCouriers,
  largerForms,
  moneyParts,
  namedForms,
  partNamed,
  salePayments,
  sumOfForms,
} from "./payment-forms.js";
import { isPaidRefund } from "./plan.js";

/** The code of findings that name no missing receipt, in the shop's register log. */
export const UNBALANCED = "account.unbalanced";

/** The code of the finding that a whole shop may have at each of its prepaid orders: it is alerted once a day. */
export const REST_UNREPORTED = "account.rest-unreported";

export interface AccountFinding {
  readonly code: string;
  readonly text: string;
  /** The order (`keyText`) that lacks a receipt: its frReceiptStatusId becomes 2. Null where no receipt is missing. */
  readonly unprinted: string | null;
  /** Payments that were reported cause it: the answer to the report says it too. */
  readonly isOfReports?: true;
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

/** Finds a sale of which only a prepayment is reported: that the rest was paid too, the order's status alone says. */
export function paidByStatusAlone({ sale, entries }: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const sold = currentOf(entries, "sale");
  if (sold?.by !== "shop" || offsetIn(sold) === 0 || leftOf(entries, sold).total <= 0) return [];
  const reported = sumOfForms(largerForms(collectedForms(sale, facts), partNamed(sale, facts).rest));
  const rest = kopecks(sold.total - offsetIn(sold));
  if (rest <= reported) return [];
  const what = `A prepayment pays ${formatRoubles(offsetIn(sold))} of the sale, and its status alone calls the other ${formatRoubles(rest)} paid`;
  const remedy = "report the payment, as a courier or in the order's payments";
  return [{ code: REST_UNREPORTED, text: `${what}: ${remedy}.`, unprinted: null }];
}

/** Finds couriers' money of an order that is over, or deleted, and that no receipt contains. */
export function moneyWithoutReceipt({ sale, entries, isHidden }: Account): readonly AccountFinding[] {
  if (currentOf(entries, "sale") !== null || !isMoneyKept(sale, isHidden)) return [];
  const what = `Couriers have ${formatRoubles(collectedSum(sale))}, and no receipt says so`;
  const restore = isHidden ? "bring the deleted order back by /orders/replace, and " : "";
  const remedy = "report what was given back as a negative payment, or change the order to what was sold";
  return [receiptMissing(sale, `${what}: ${restore}${remedy}.`)];
}

/** What the shop and its couriers report otherwise than our receipts say. */
export function reportedOtherwise(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const found = [
    ...paidOtherwise(account, facts),
    ...returnedOtherwise(account, facts),
    ...returnedBeyondForms(account),
  ];
  return found.map((one) => ({ ...one, isOfReports: true }));
}

/**
 * Finds a form in which more is reported than the receipts of the sale and its prepayment take: by couriers, who take
 * what no prepayment pays, or by the shop. Before our sale is out, couriers' money is compared with what it will take.
 * Cash that exceeds the whole cost is change.
 */
function paidOtherwise(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const { sale, entries } = account;
  const [current, first] = [currentOf(entries, "sale"), currentOf(entries, "prepayment")];
  if (moneyWithoutReceipt(account).length > 0) return [];
  const isSold = current?.by === "shop" && isOut(current);
  const rest = kopecks(current === null ? Math.max(0, costToCollect(sale)) : current.total - offsetIn(current));
  const taken = isSold ? moneyParts(current.payments) : salePayments(sale, rest, kopecks(0), facts);
  const prepaid = first !== null && isOut(first) ? first.payments : [];
  const collected = collectedForms(sale, facts);
  const change = Math.max(0, sumOfForms(collected) - (current?.total ?? rest + prepaidSum(sale)));
  const couriers = moneyParts(formsLeft(collected, [{ typeClose: CASH, sum: kopecks(change) }]));
  const parts = partNamed(sale, facts);
  const ofPrepayment = prepaid.length > 0 || (isSold && offsetIn(current) === 0) ? parts.first : [];
  const named = moneyParts([...ofPrepayment, ...(isSold ? parts.rest : [])]);
  if (hasAll(taken, couriers) && hasAll([...prepaid, ...(isSold ? taken : [])], named)) return [];
  const receipts = formsText(formsLeft([...prepaid, ...taken], []));
  const what = `Its payments are reported as ${formsText(largerForms(collected, named))}, and its receipts take ${receipts}`;
  const remedy = "give back what is too much, and report that by a negative payment or in the order's payments";
  return [alertOnly(`${what}: ${remedy}; put a wrong form right where it stands.`)];
}

/** Finds money that couriers gave back although no return says so, or although they took nothing. */
export function givenBackWithoutReceipt(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const sum = givenBackBeyondReturns(account, facts);
  if (sum <= 0) return [];
  if (printedSale(account) === null) {
    const what = `Couriers gave back ${formatRoubles(sum)} more than they took of order ${account.saleId}, which is not sold`;
    return [receiptMissing(account.sale, `${what}: report what they took, or what they get back, as a payment.`)];
  }
  const what = `Couriers gave back ${formatRoubles(sum)} of the printed sale, and no receipt says so`;
  return [
    receiptMissing(account.sale, `${what}: report the goods that came back as a return, or make a refund order.`),
  ];
}

/** What couriers gave back, by negative payments and by refund orders, beyond what they had too much and what returns give back. */
export function givenBackBeyondReturns(account: Account, facts: Pick<CatalogFacts, "found">): Kopecks {
  const { sale, refunds, entries } = account;
  const sold = printedSale(account);
  const returns = entries.filter((one) => one.kind === "return" && isLive(one));
  // What a refund order gives back otherwise than its return is a finding of its own.
  const byRefunds = refunds.map(({ order }) => {
    const back = returns.find(({ refundId }) => refundId === order.orderId);
    return kopecks(Math.min(back?.total ?? 0, collectedSum(order)));
  });
  // Couriers hold no money of a sale that its status alone calls paid.
  const taken = sold !== null && isOfCouriers(sale, sold.payments, facts) ? sold.total - offsetIn(sold) : 0;
  const back = Math.max(0, taken - collectedSum(sale));
  return kopecks(Math.max(0, back + sumKopecks(byRefunds) - sumKopecks(returns.map(({ total }) => total))));
}

export function printedSale({ entries }: Pick<Account, "entries">): AccountEntry | null {
  const sold = currentOf(entries, "sale");
  return sold !== null && isRegistered(sold) ? sold : null;
}

/** Finds refund orders whose payments are not those of their return. */
function returnedOtherwise({ sale, refunds, entries }: Account, facts: CatalogFacts): readonly AccountFinding[] {
  return refunds.flatMap(({ order, isActive }) => {
    // A refund order of an earlier version holds among couriers' payments what the shop has named.
    if (order.namedPayments === undefined) return [];
    const back = entries.find((one) => one.refundId === order.orderId && isLive(one));
    const reported = largerForms(collectedForms(order, facts), namedForms(order, facts));
    const collected = collectedSum(order);
    const what = `By its payments refund order ${order.orderId} gives back`;
    if (back === undefined) {
      if (isPaidRefund(order) || collected === 0) return [];
      const how = isActive ? "set its statusId 1" : "it is deleted: make a refund order";
      const text = `${what} ${formatRoubles(collected)} without being paid, and no receipt says so: ${how}, or report what the courier got back as a negative payment.`;
      return [receiptMissing(isActive ? order : sale, text)];
    }
    const paid = moneyParts(back.payments);
    const beyond = sumOfForms(formsLeft(reported, paid));
    // A courier's document names no forms; what another program took may go back in any.
    const isOtherwise =
      back.by === "courier" ? sumOfForms(reported) > back.total : !hasAll(reported, paid) || beyond > offsetIn(back);
    const remedy = `put right what is wrong; get back what is too much, and report it as a negative payment of order ${order.orderId} with \`isRefund\` 1`;
    const otherwise = `${what} ${formsText(reported)}, and its receipt has ${formsText(back.payments)}: ${remedy}.`;
    return isOtherwise && (reported.length > 0 || collected !== 0) ? [alertOnly(otherwise)] : [];
  });
}

/** Finds money that our returns give back in a form in which their sale or prepayment took less. */
function returnedBeyondForms({ entries }: Account): readonly AccountFinding[] {
  return (["prepayment", "sale"] as const).flatMap((kind) => {
    const basis = currentOf(entries, kind);
    if (basis?.by !== "shop") return [];
    const back = returnsOf(entries, kind).flatMap(({ by, payments }) => (by === "shop" ? payments : []));
    const beyond = formsLeft(moneyParts(back), leftOf(entries, basis).taken);
    if (beyond.length === 0) return [];
    const what = `The returns give back ${formsText(beyond)} beyond what the ${kind} took in that form`;
    return [alertOnly(`${what}: compare their receipts with the money that went back.`)];
  });
}

export function alertOnly(text: string): AccountFinding {
  return { code: UNBALANCED, text, unprinted: null };
}

export function receiptMissing(order: StoredOrder, text: string): AccountFinding {
  return { code: "receipt.payments-mismatch", text, unprinted: keyText(order) };
}
