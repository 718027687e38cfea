/** Finds what is wrong with an account (a sale's receipts), and says what the shop can do about it; pure. */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { groupBy } from "../catalog/records.js";
import {
  collectedSum,
  goodsSum,
  isDelivered,
  isEnded,
  isPaidFor,
  NOT_DELIVERED,
  prepaidSum,
  RETURNED,
  soldItems,
} from "../orders/receipt-policy.js";
import { keyText } from "../orders/rows.js";
import { itemSum } from "../orders/rules.js";
import type { StoredItem, StoredOrder } from "../orders/stored-order.js";
import {
  type Account,
  type AccountEntry,
  basisOf,
  currentOf,
  isLive,
  isOpenEntry,
  isOut,
  isPrepaidHere,
  isRegistered,
  isReturnOfWhole,
  isUnnamed,
  leftOf,
  offsetOf,
  returnedAtTill,
  returnsOf,
  sumsByTax,
  usedOf,
} from "./entries.js";
import {
  type AccountFinding,
  alertOnly,
  givenBackOtherwise,
  givenBackUnpaid,
  givenBackWithoutReceipt,
  moneyWithoutReceipt,
  paidAndCanceled,
  paidByStatusAlone,
  receiptMissing,
  saidOtherwise,
  unpaid,
  withoutOffset,
} from "./money-findings.js";
import { type CatalogFacts, oddRate } from "./order-receipt.js";
import { formsLeft, formsText, isOfCouriers, salePayments } from "./payment-forms.js";
import {
  type DueReceipt,
  failedOf,
  isGivingBack,
  isOfWhole,
  isPaidRefund,
  type Plan,
  refundPortions,
  refundsOfSale,
} from "./plan.js";

/** `impossible`: receipts that the plan could not make; `wanted`: due receipts. */
export function findingsOf(
  account: Account,
  { impossible, wanted }: { readonly impossible: Plan["impossible"]; readonly wanted: readonly DueReceipt[] },
  facts: CatalogFacts,
): readonly AccountFinding[] {
  return [
    ...impossible.map(({ wanted: { order }, fault }) => ({
      code: fault.code,
      text: `No receipt can be made of order ${order.orderId}: ${fault.message}`,
      unprinted: keyText(order),
    })),
    ...wanted.flatMap((one) => failed(account, one)),
    ...unpaid(account),
    ...paidByStatusAlone(account),
    ...paidAndCanceled(account),
    ...moneyWithoutReceipt(account, facts),
    ...givenBackWithoutReceipt(account, facts),
    ...saidOtherwise(account, facts),
    ...printedTwice(account),
    ...returnsExceedBasis(account),
    ...courierAssumptions(account),
    ...returnedAtTill(account).map(alertOnly),
    ...contradictsOrder(account, facts),
    ...settledAtCalculatedRate(account),
    ...prepaymentTakenElsewhere(account),
    ...refundsWithoutReceipt(account),
    ...cancelledAfterReceipt(account),
    ...returnedBeyondForms(account),
    ...givenBackUnpaid(account, facts),
    ...givenBackOtherwise(account, facts),
  ];
}

function failed(account: Account, wanted: DueReceipt): readonly AccountFinding[] {
  const entry = failedOf(account, wanted);
  if (entry === null) return [];
  const { order, kind } = wanted;
  const why = entry.failure === undefined ? "" : `: ${entry.failure}`;
  const text = `The ${kind} of ${formatRoubles(entry.total)} of order ${order.orderId} has failed${why}; edit the order, and it is printed again.`;
  return [alertOnly(text)];
}

/** A sale has one receipt, one prepayment, and one return for each refund order. */
function printedTwice({ sale, entries }: Account): readonly AccountFinding[] {
  const receipts = groupBy(entries.filter(isOut), ({ kind, refundId }) => {
    if (kind !== "return") return `A ${kind} receipt of order ${sale.orderId}`;
    return refundId === null ? "" : `A return receipt of refund order ${refundId}`;
  });
  return [...receipts].flatMap(([receipt, printed]) => {
    if (receipt === "" || printed.length < 2) return [];
    const is = printed.filter(isRegistered).length > 1 ? "is" : "may be";
    return [alertOnly(`${receipt} ${is} printed twice: put one of them right at its register.`)];
  });
}

function returnsExceedBasis({ entries }: Account): readonly AccountFinding[] {
  return (["prepayment", "sale"] as const).flatMap((kind) => {
    const basis = currentOf(entries, kind);
    const returned = sumKopecks(returnsOf(entries, kind).map(({ total }) => total));
    const back = formatRoubles(returned);
    if (basis === null) {
      if (returned === 0 || kind === "prepayment") return [];
      const what = `${back} are given back, and no receipt of a sale is known`;
      return [alertOnly(`${what}: add the sale, or put the return right at its register.`)];
    }
    const left = leftOf(entries, basis);
    if (left.total < 0) {
      const used = formatRoubles(kind === "prepayment" ? usedOf(entries) : kopecks(0));
      const what = `The ${kind} of ${formatRoubles(basis.total)}, used ${used}, returned ${back} is exceeded by`;
      const excess = formatRoubles(kopecks(-left.total));
      return [
        alertOnly(`${what} ${excess}: nothing more of it is given back. Put what is too much right at its register.`),
      ];
    }
    if (left.beyondRates === 0) return [];
    const what = `The returns of the ${kind} are ${formatRoubles(left.beyondRates)} more in one tax rate than it`;
    return [alertOnly(`${what}: nothing more of it is given back. Put one of them right at its register.`)];
  });
}

/** A courier reports no lines, so what a courier's document contains is only assumed. */
function courierAssumptions({ entries }: Account): readonly AccountFinding[] {
  const live = entries.filter(isLive);
  const isSaleAssumed = live.some(({ kind, isAssumed }) => kind === "sale" && isAssumed);
  const isReturnedByUs = live.some(({ kind, by }) => kind === "return" && by === "shop");
  const isShare = returnsOf(entries, "prepayment").some(({ by, refundId }) => by === "courier" && refundId !== null);
  const isEmpty = ({ kind, by, total, isAssumed }: AccountEntry) =>
    kind === "return" && by === "courier" && total === 0 && !isAssumed;
  const found = [
    live.some(isEmpty) &&
      "The courier's register has printed a return, and nothing was left to give back: put one of the returns right at its register.",
    entries.some(isUnnamed) &&
      "The courier's register has printed a return that no refund order names: nothing more is given back until one does. Make the refund order.",
    isSaleAssumed &&
      isReturnedByUs &&
      "The courier's register has printed the sale, whose lines are assumed to be the order's: compare the returns with its document.",
    isShare &&
      "The courier's register has given back a part of the prepayment, whose sum is assumed to be the refund order's: compare it with its document.",
  ];
  return found.flatMap((text) => (text === false ? [] : [alertOnly(text)]));
}

/** The order contradicts its receipt when the receipt is printed late, or when the order is delivered again. */
function contradictsOrder(account: Account, facts: CatalogFacts): readonly AccountFinding[] {
  const { sale, refunds, entries } = account;
  const contradicted = ({ orderId }: StoredOrder, { kind, total }: AccountEntry) =>
    alertOnly(
      `The ${kind} receipt of ${formatRoubles(total)} that is printed of order ${orderId} says otherwise than the order does: change the order to it, or put it right at its register.`,
    );
  const found: AccountFinding[] = [];
  const sold = currentOf(entries, "sale");
  // A sale that came back whole needs no money any more.
  const isUnpaid = sold?.by === "shop" && !isPaidFor(sale) && leftOf(entries, sold).total > 0;
  const isOtherwise = (one: AccountEntry) =>
    isUnpaid || isOfOtherGoods(one, soldItems(sale)) || isOfOtherForms(account, one, facts);
  if (sold !== null && isRegistered(sold) && isOtherwise(sold)) found.push(contradicted(sale, sold));
  const prepaid = currentOf(entries, "prepayment");
  // Once a courier has collected money, status 0 (not paid) means the rest of the sum, not the prepayment.
  const isUnpaidNow = sale.statusId === 0 && collectedSum(sale) <= 0;
  if (prepaid !== null && isRegistered(prepaid) && (prepaid.total !== prepaidSum(sale) || isUnpaidNow)) {
    found.push(contradicted(sale, prepaid));
  }
  for (const { order } of refunds) {
    const back = entries.find((one) => one.refundId === order.orderId && isRegistered(one) && one.by === "shop");
    if (back === undefined) continue;
    if (order.statusId === 0 || isOtherReturn(account, back, order)) found.push(contradicted(order, back));
  }
  const whole = returnsOf(entries, "sale").find(isReturnOfWhole);
  if (isDelivered(sale) && sold !== null && whole !== undefined && isRegistered(whole)) {
    const what = `Order ${sale.orderId} is delivered although its sale was given back`;
    found.push(alertOnly(`${what}: nothing more is printed of it. Make a new order.`));
  }
  return found;
}

function isOtherReturn(account: Account, back: AccountEntry, refund: StoredOrder): boolean {
  const sold = currentOf(account.entries, "sale");
  if (basisOf(account.entries, back) !== "sale") return false;
  if (back.total !== goodsSum(refund)) return true;
  const due = sold === null || !refund.isEdited ? null : refundPortions(account, sold, refund);
  return due !== null && hasOtherSums(back, sumsByTax(due));
}

function isOfOtherGoods(entry: AccountEntry, items: readonly StoredItem[]): boolean {
  const sums = new Map<string | null, Kopecks>();
  for (const item of items) sums.set(item.taxId, kopecks((sums.get(item.taxId) ?? 0) + itemSum(item)));
  return hasOtherSums(entry, sums);
}

function isOfOtherForms({ sale, entries }: Account, sold: AccountEntry, facts: CatalogFacts): boolean {
  if (sold.by !== "shop" || sale.payments.length === 0 || leftOf(entries, sold).total <= 0) return false;
  // Couriers that report less than the sale took have given money back, in the forms of the returns.
  const isBack =
    collectedSum(sale) < sold.total - offsetOf(sold, sale) && isOfCouriers(sale, withoutOffset(sold, sale), facts);
  if (isBack) return false;
  return JSON.stringify(salePayments(sale, sold.total, offsetOf(sold, sale), facts)) !== JSON.stringify(sold.payments);
}

function hasOtherSums(entry: AccountEntry, sums: ReadonlyMap<string | null, Kopecks>): boolean {
  const own = sumsByTax(entry);
  return [...own.keys(), ...sums.keys()].some((taxId) => (own.get(taxId) ?? 0) !== (sums.get(taxId) ?? 0));
}

/** The part that the sale does not use of a prepayment that another program took. */
function prepaymentTakenElsewhere({ sale, entries }: Account): readonly AccountFinding[] {
  const sold = currentOf(entries, "sale");
  if (sold === null || !isRegistered(sold) || sold.by === "courier" || isPrepaidHere(entries)) return [];
  const rest = prepaidSum(sale) - offsetOf(sold, sale);
  if (rest <= 0) return [];
  const what = `Of the prepayment of ${formatRoubles(prepaidSum(sale))} the sale uses ${formatRoubles(offsetOf(sold, sale))}`;
  return [alertOnly(`${what}: give back the other ${formatRoubles(kopecks(rest))} where the prepayment was taken.`)];
}

function refundsWithoutReceipt(account: Account): readonly AccountFinding[] {
  const { sale, refunds, entries } = account;
  const found = refunds.flatMap(({ order: refund }) => {
    const why = isWithoutReturn(account, refund) ? whyNotReturned(account, refund) : null;
    const what = `Refund order ${refund.orderId} of ${formatRoubles(goodsSum(refund))} has no receipt`;
    return why === null ? [] : [receiptMissing(refund, `${what}: ${why}`)];
  });
  const basis = currentOf(entries, "sale");
  const returns = returnsOf(entries, "sale");
  const left = basis === null || !isRegistered(basis) ? 0 : Math.max(0, leftOf(entries, basis).total);
  if (sale.deliveryStatusId !== RETURNED || left === 0) return found;
  const other = formatRoubles(kopecks(left));
  // A return at the till was in doubt when the whole return was made, and has failed since.
  if (returns.some((one) => isReturnOfWhole(one) && one.by === "shop" && isRegistered(one))) {
    const text = `It has come back as a whole, and its return is without ${other} of it: return them at the till.`;
    return [...found, receiptMissing(sale, text)];
  }
  const isOfRefunds =
    refundsOfSale(account).some((refund) => isGivingBack(account, refund)) && !returns.some(isReturnOfWhole);
  if (!isOfRefunds) return found;
  const what = "It has come back as a whole, and refund orders have given back a part of it";
  const rest = `no receipt gives back the other ${other}. Make a refund order for the rest.`;
  return [...found, receiptMissing(sale, `${what}: ${rest}`)];
}

function isWithoutReturn({ entries }: Account, refund: StoredOrder): boolean {
  return isPaidRefund(refund) && !entries.some((one) => one.refundId === refund.orderId && isLive(one));
}

/** Why a paid refund order has no return yet. Null: the return exists, or has failed. */
export function whyReturnWaits(account: Account, refund: StoredOrder): string | null {
  if (!isWithoutReturn(account, refund)) return null;
  const given = currentOf(account.entries, "sale") ?? currentOf(account.entries, "prepayment");
  const isOpen = given !== null && isOpenEntry(given);
  return (
    whyNotReturned(account, refund) ?? (isOpen ? `the ${given.kind} that it gives back is not printed yet.` : null)
  );
}

function cancelledAfterReceipt({ sale, isHidden, entries }: Account): readonly AccountFinding[] {
  const printed = currentOf(entries, "sale") ?? currentOf(entries, "prepayment");
  const isDeleted = isHidden && !isEnded(sale);
  if (!(isDeleted || sale.deliveryStatusId === NOT_DELIVERED) || printed === null || !isRegistered(printed)) return [];
  const left = leftOf(entries, printed).total;
  if (left <= 0) return [];
  const what = `It is ${isDeleted ? "deleted" : "cancelled"}, and ${formatRoubles(kopecks(left))} of its printed ${printed.kind} have not gone back`;
  const remedy = isHidden ? "Make a refund order" : "Set delivery status 6, or make a refund order";
  return [receiptMissing(sale, `${what}: a return is due. ${remedy}.`)];
}

function returnedBeyondForms({ entries }: Account): readonly AccountFinding[] {
  return (["prepayment", "sale"] as const).flatMap((kind) => {
    const basis = currentOf(entries, kind);
    // More than the whole is found by `returnsExceedBasis`.
    if (basis?.by !== "shop" || leftOf(entries, basis).total < 0) return [];
    const back = returnsOf(entries, kind).flatMap(({ by, payments }) => (by === "shop" ? payments : []));
    const beyond = formsLeft(back, leftOf(entries, basis).taken);
    if (beyond.length === 0) return [];
    const what = `The returns give back ${formsText(beyond)} beyond what the ${kind} took in that form`;
    return [alertOnly(`${what}: compare their receipts with the money that went back.`)];
  });
}

/** Calculated rates, such as 22/122, belong to prepayments. */
function settledAtCalculatedRate({ entries }: Account): readonly AccountFinding[] {
  const sold = currentOf(entries, "sale");
  const odd = sold?.by === "shop" ? oddRate(sold) : null;
  return odd === null ? [] : [alertOnly(`The sale ${odd}. Put it right at its register.`)];
}

/** Null: the return is on its way, or has failed and is tried again. */
function whyNotReturned(account: Account, refund: StoredOrder): string | null {
  const { sale, entries } = account;
  const [basis, prepaid] = [currentOf(entries, "sale"), currentOf(entries, "prepayment")];
  if (entries.some(isUnnamed)) return "a return of the courier's register has no refund order yet.";
  const left = prepaid === null ? 0 : leftOf(entries, prepaid).total;
  if (basis === null) {
    const isOfPrepayment = left > 0 && isOfWhole(refund, sale);
    const isNothing = prepaid === null && collectedSum(sale) <= 0;
    if (sale.deliveryStatusId === NOT_DELIVERED && isNothing)
      return `order ${sale.orderId} is cancelled and was never sold: nothing to give back.`;
    return isOfPrepayment ? null : "no receipt of the sale is registered. It is printed after the sale.";
  }
  if (basis.state === "unknown") return "the receipt of the sale is in doubt. It is printed after the sale.";
  if (!isRegistered(basis)) return null;
  if (left < 0) return "more of the prepayment is used than there was. Put that right at the register first.";
  if (refundPortions(account, basis, refund) !== null) return null;
  const rest = formatRoubles(kopecks(Math.max(0, leftOf(entries, basis).total)));
  return `too little is left of its goods, ${rest} of the sale. Put the returns right at the register.`;
}
