/** Computes the money of an order's receipts in kopecks: what was sold, returned, prepaid and given on credit. */
import { itemsOf, prepaidPart, type Receipt, type SaleReceipt, totalOf } from "../receipt.js";

/** Value of tag 1214 (method): payment for goods that were handed over on credit. */
const PAYING_OFF = 7;
/** `typeClose` of a payment on credit (tag 1216). */
const ON_CREDIT = 3;

/** Whether all positions are prepayments (tag 1214: 1 full prepayment, 2 partial prepayment, 3 advance). */
export function isPrepayment(receipt: SaleReceipt): boolean {
  return itemsOf(receipt).every(({ method }) => isPrepaid(method));
}

export function paysOffCredit(receipt: SaleReceipt): boolean {
  return itemsOf(receipt).every(({ method }) => method === PAYING_OFF);
}

/** Money that is in a prepayment and in its offset counts once. */
export function soldBy(receipts: readonly Receipt[]): number {
  const sales = receipts.filter(isSale);
  return withoutPayOffs(sales) - Math.min(sum(sales.map(prepaidPart)), sum(sales.map(prepaidBy)));
}

/** A part that goes back into a known prepayment is returned with that prepayment, so it does not count. */
export function returnedBy(receipts: readonly Receipt[]): number {
  const returns = receipts.filter(isReturn);
  const known = sum(receipts.filter(isSale).map(prepaidBy));
  return withoutPayOffs(returns) - Math.min(sum(returns.map(prepaidPart)), known);
}

/** Whether the buyer has kept nothing of the sales. One kopeck a line is tolerance. */
export function isReturnedWhole(receipts: readonly Receipt[]): boolean {
  const returns = receipts.filter(isReturn);
  const twice = Math.min(sum(returns.map(prepaidPart)), sum(returns.map(prepaidBy)));
  const lines = sum(returns.map((receipt) => itemsOf(receipt).length));
  return lines > 0 && withoutPayOffs(returns) - twice + lines >= soldBy(receipts);
}

/** All receipts have one direction. Money that was on credit and then paid off counts once. */
function withoutPayOffs(receipts: readonly SaleReceipt[]): number {
  return sum(receipts.map(totalOf)) - Math.min(sum(receipts.map(onCredit)), sum(receipts.map(paidOffBy)));
}

/**
 * The prepaid money that an offset may still use, never more than the order still has. `printed`: receipts whose
 * prepayments, and money that returns put back into them, count. `live` (printed or open): receipts whose offsets and
 * returns of prepayments have used that money.
 */
export function unspentPrepayment(printed: readonly Receipt[], live: readonly Receipt[]): number {
  const used = sum(live.filter(isSale).map(prepaidPart));
  const putBack = sum(printed.filter(isReturn).map(prepaidPart));
  const given = sum(printed.filter(isSale).map(prepaidBy)) - sum(live.filter(isReturn).map(prepaidBy));
  return Math.min(given, soldBy(live) - returnedBy(live)) - used + putBack;
}

/** What returns put back into prepayments beyond what sales have used of them, or beyond the money that is left. */
export function putBackBeyondUse(receipts: readonly Receipt[]): number {
  const putBack = sum(receipts.filter(isReturn).map(prepaidPart));
  const beyondUse = putBack - sum(receipts.filter(isSale).map(prepaidPart));
  return Math.max(beyondUse, unspentBeyondMoney(receipts));
}

function unspentBeyondMoney(receipts: readonly Receipt[]): number {
  const [sales, returns] = [receipts.filter(isSale), receipts.filter(isReturn)];
  const kept = (of: readonly SaleReceipt[]) => sum(of.map(prepaidBy)) - sum(of.map(prepaidPart));
  return kept(sales) - kept(returns) - (soldBy(receipts) - returnedBy(receipts));
}

/** The sum that was sold on credit and is neither paid off nor returned. */
export function unpaidCredit(printed: readonly Receipt[]): number {
  const [sales, returns] = [printed.filter(isSale), printed.filter(isReturn)];
  const open = (receipts: readonly SaleReceipt[]) => sum(receipts.map(onCredit)) - sum(receipts.map(paidOffBy));
  return open(sales) - open(returns);
}

export function isSale(receipt: Receipt): receipt is SaleReceipt {
  return receipt.kind === "receipt" && receipt.operation === "sale";
}

export function isReturn(receipt: Receipt): receipt is SaleReceipt {
  return receipt.kind === "receipt" && receipt.operation === "return";
}

export function isCorrection(receipt: Receipt): receipt is SaleReceipt {
  return receipt.kind === "receipt" && receipt.correction !== undefined;
}

function prepaidBy(receipt: SaleReceipt): number {
  return sum(itemsOf(receipt).map(({ method, total }) => (isPrepaid(method) ? total : 0)));
}

function onCredit({ payments }: SaleReceipt): number {
  return sum(payments.map((payment) => (payment.typeClose === ON_CREDIT ? payment.sum : 0)));
}

function paidOffBy(receipt: SaleReceipt): number {
  return sum(itemsOf(receipt).map(({ method, total }) => (method === PAYING_OFF ? total : 0)));
}

function isPrepaid(method: number): boolean {
  return method >= 1 && method <= 3;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
