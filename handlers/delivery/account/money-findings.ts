/** What is wrong with the money that the shop and its couriers report of a sale; pure. */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import {
  collectedSum,
  costToCollect,
  goodsSum,
  isMoneyKept,
  isShortOfMoney,
  prepaidSum,
} from "../orders/receipt-policy.js";
import { keyText } from "../orders/rows.js";
import { toKopecks } from "../orders/rules.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { type Account, type AccountEntry, currentOf, isLive, isRegistered, leftOf, offsetIn } from "./entries.js";
import type { CatalogFacts } from "./order-receipt.js";
import { cashlessSum, formsText, isOfCouriers, namedForms, PREPAYMENT_OFFSET } from "./payment-forms.js";
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

/** Finds couriers' money that no receipt contains. Cash above what is sold is change; cashless money is not. */
export function moneyWithoutReceipt(
  { sale, entries, isHidden }: Account,
  facts: CatalogFacts,
): readonly AccountFinding[] {
  const sold = currentOf(entries, "sale");
  if (sold === null && isMoneyKept(sale, isHidden)) {
    const what = `Couriers have ${formatRoubles(collectedSum(sale))}, and no receipt says so`;
    const restore = isHidden ? "bring the deleted order back by /orders/replace, and " : "";
    const remedy = "report what was given back as a negative payment, or change the order to what was sold";
    return [receiptMissing(sale, `${what}: ${restore}${remedy}.`)];
  }
  const cashless = cashlessSum(sale, facts);
  const due = kopecks(sold === null ? Math.max(0, costToCollect(sale)) : sold.total - offsetIn(sold));
  if (cashless <= due) return [];
  const what = `Couriers have ${formatRoubles(cashless)} without cash, and the sale takes ${formatRoubles(due)} of it`;
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
  const what = `Couriers gave back ${formatRoubles(sum)} of the printed sale, and no receipt says so`;
  return [
    receiptMissing(account.sale, `${what}: report the goods that came back as a return, or make a refund order.`),
  ];
}

/** The money that couriers gave back, less what they had above the printed sale and what returns give back. */
export function givenBackBeyondReturns(account: Account, facts: Pick<CatalogFacts, "found">): Kopecks {
  const { sale, entries } = account;
  const sold = printedSale(account);
  const returned = sumKopecks(entries.filter((one) => one.kind === "return" && isLive(one)).map(({ total }) => total));
  // Couriers hold no money of a sale that its status alone calls paid.
  const taken = sold !== null && isOfCouriers(sale, sold.payments, facts) ? sold.total - offsetIn(sold) : 0;
  return kopecks(Math.max(0, taken - collectedSum(sale) - returned));
}

/** The forms of the printed sale, and those of all its money as the shop names it; null where both are equal. */
export function otherNamedForms(account: Account, facts: Pick<CatalogFacts, "found">) {
  const sold = printedSale(account);
  // Couriers' reports of money count before the payments that the shop names.
  if (sold?.by !== "shop" || account.sale.payments.length > 0) return null;
  const taken = sold.payments.filter(({ typeClose }) => typeClose !== PREPAYMENT_OFFSET);
  const named = namedForms(account.sale, facts) ?? [];
  if (sumKopecks(named.map(({ sum }) => sum)) !== sold.total - offsetIn(sold)) return null;
  const [receipt, reported] = [formsText(taken), formsText(named)];
  return receipt === reported ? null : { receipt, reported };
}

/** Finds a printed sale of which the shop names all the money in other forms than its receipt. */
export function namedInOtherForms(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const other = otherNamedForms(account, facts);
  if (other === null) return [];
  const what = `The receipt has ${other.receipt}, and the order's payments report ${other.reported}`;
  return [alertOnly(`${what}: compare them with the receipt, and put right what is wrong.`)];
}

export function printedSale({ entries }: Pick<Account, "entries">): AccountEntry | null {
  const sold = currentOf(entries, "sale");
  return sold !== null && isRegistered(sold) ? sold : null;
}

/** Finds refund orders by which more money went back than their goods cost. */
export function returnedBeyondGoods({ refunds }: Account): readonly AccountFinding[] {
  return refunds.flatMap(({ order }) => {
    const [back, cost] = [collectedSum(order), goodsSum(order)];
    if (!isPaidRefund(order) || back <= cost) return [];
    const what = `By its payments refund order ${order.orderId} gives back ${formatRoubles(back)}, and its goods cost ${formatRoubles(cost)}`;
    return [
      alertOnly(
        `${what}: get back what is too much, and report it as a negative payment of order ${order.orderId} with \`isRefund\` 1.`,
      ),
    ];
  });
}

export function alertOnly(text: string): AccountFinding {
  return { code: UNBALANCED, text, unprinted: null };
}

export function receiptMissing(order: StoredOrder, text: string): AccountFinding {
  return { code: "receipt.payments-mismatch", text, unprinted: keyText(order) };
}
