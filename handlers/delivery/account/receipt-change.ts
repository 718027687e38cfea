/** What a change of an order changes of a receipt that it has already; pure. */
import { isFault } from "@fiscald/shared/fault.js";
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { prepaidSum, type ReceiptPurpose } from "./due-receipts.js";
import { orderReceipt } from "./order-receipt.js";
import { costOf, prepaidTotal, shareOfPrepayment } from "./prepayment.js";
import type { ReceiptFacts } from "./receipt-lines.js";

/** `wording`: whom it is for, how it is handed over. `money`: what was sold, for how much, how it was paid. */
export type ReceiptEffect = "none" | "wording" | "money";

export interface ReceiptChange {
  readonly before: StoredOrder;
  readonly after: StoredOrder;
  readonly purpose: ReceiptPurpose;
  /** Of both orders: what changed in the catalog since is no change of the order. */
  readonly facts: ReceiptFacts;
  /** Printed by the courier's own register: how it was paid is told before or after, only the positions are settled. */
  readonly isElsewhere: boolean;
}

export function effectOn({ before, after, purpose, facts, isElsewhere }: ReceiptChange): ReceiptEffect {
  const was = contentOf(before, purpose, facts);
  const is = contentOf(after, purpose, facts);
  if (was.lines !== is.lines || (!isElsewhere && was.payments !== is.payments)) return "money";
  return was.rest === is.rest ? "none" : "wording";
}

/**
 * The same for a receipt that nobody can take back any more. A prepayment is settled with its sum: the goods and the means
 * of payment are those of the settlement.
 */
export function effectOnRegistered(change: ReceiptChange): ReceiptEffect {
  if (change.purpose !== "prepayment" && change.purpose !== "prepayment-return") return effectOn(change);
  return prepaidSum(change.before) === prepaidSum(change.after) ? "none" : "money";
}

/** The order itself says what these are of; what goes back of a sale's own is of what is registered. */
export type SaidPurpose = "sale" | "prepayment" | "return";

export function isSaidBy({ isRefund }: StoredOrder, purpose: string): purpose is SaidPurpose {
  return isRefund ? purpose === "return" : purpose === "sale" || purpose === "prepayment";
}

/** Whether a registered receipt is of the money that the order says: its positions, or the sum that was prepaid. */
export function isOfOrder(
  order: StoredOrder,
  purpose: SaidPurpose,
  { receipt, facts }: { readonly receipt: SaleReceipt; readonly facts: ReceiptFacts },
): boolean {
  if (purpose === "prepayment") return totalOf(receipt) === prepaidSum(order);
  if (purpose === "return") return isOfRefund(order, receipt, facts);
  // Names and rates may have changed in the catalog since.
  const moneyOf = (one: SaleReceipt) => itemsOf(one).map(({ price, quantity, total }) => [price, quantity, total]);
  try {
    return JSON.stringify(moneyOf(receipt)) === JSON.stringify(moneyOf(orderReceipt(order, purpose, facts)));
  } catch (error) {
    if (!isFault(error)) throw error;
    return false;
  }
}

/** A share of a prepayment is rounded by its lines, and is another one where the sale was edited since: that is no edit of the refund. */
function isOfRefund(refund: StoredOrder, receipt: SaleReceipt, { prepayment }: ReceiptFacts): boolean {
  const cost = costOf(refund.goods);
  if (prepaidTotal(receipt) === 0) return totalOf(receipt) === cost;
  if (!refund.isEdited || prepayment === null) return true;
  const share = shareOfPrepayment({ ...prepayment, offset: null }, cost);
  return Math.abs(totalOf(receipt) - share) <= receipt.lines.length;
}

/** The first field of the request that a receipt's money comes from and that differs. */
export function changedField(before: StoredOrder, after: StoredOrder): string {
  return moneyFields.find((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])) ?? "orderId";
}

const moneyFields = [
  "goods",
  "prePaymentSum",
  "payments",
  "paymentId",
  "isInternetPayment",
  "supplierId",
] as const satisfies readonly (keyof StoredOrder)[];

function contentOf(order: StoredOrder, purpose: ReceiptPurpose, facts: ReceiptFacts) {
  try {
    const { lines, payments, ...rest } = orderReceipt(order, purpose, facts);
    return { lines: JSON.stringify(lines), payments: JSON.stringify(payments), rest: JSON.stringify(rest) };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { lines: error.code, payments: "", rest: "" };
  }
}
