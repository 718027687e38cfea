/** The money of an order's receipts: what was sold, returned, prepaid and given on credit. Kopecks. */
import { itemsOf, prepaidPart, type Receipt, type SaleReceipt, totalOf } from "../receipt.js";

/** Tag 1214: the goods were handed over on credit before. */
const PAYING_OFF = 7;
/** Payment "on credit", tag 1216. */
const ON_CREDIT = 3;

/** Tag 1214: 1 full prepayment, 2 partial prepayment, 3 advance. */
export function isPrepayment(receipt: SaleReceipt): boolean {
  return itemsOf(receipt).every(({ method }) => isPrepaid(method));
}

export function paysOffCredit(receipt: SaleReceipt): boolean {
  return itemsOf(receipt).every(({ method }) => method === PAYING_OFF);
}

/** What the sales come to. A settlement counts whole, a prepayment as far as no settlement has used it. */
export function soldBy(receipts: readonly Receipt[]): number {
  const sales = receipts.filter(isSale);
  return sum(sales.map(totalOf)) - Math.min(sum(sales.map(prepaidPart)), sum(sales.map(prepaidBy)));
}

/** The money that the returns give back. */
export function returnedBy(receipts: readonly Receipt[]): number {
  return sum(receipts.filter(isReturn).map(moneyOf));
}

/** A part that goes back into a prepayment is no money. */
export function moneyOf(receipt: SaleReceipt): number {
  return totalOf(receipt) - prepaidPart(receipt);
}

/** One kopeck a line is tolerance. */
export function isReturnedWhole(receipts: readonly Receipt[]): boolean {
  const lines = sum(receipts.filter(isReturn).map((receipt) => itemsOf(receipt).length));
  return lines > 0 && returnedBy(receipts) + lines >= soldBy(receipts);
}

/**
 * `printed`: the prepayments among them count, and what returns put back; `live`, printed or open: settlements have used
 * their part, and returned prepayments are gone.
 */
export function unspentPrepayment(printed: readonly Receipt[], live: readonly Receipt[]): number {
  const given = sum(printed.filter(isSale).map(prepaidBy)) + sum(printed.filter(isReturn).map(prepaidPart));
  return given - sum(live.filter(isSale).map(prepaidPart)) - sum(live.filter(isReturn).map(prepaidBy));
}

/** What returns put back into prepayments beyond what the sales have used of them. */
export function putBackBeyondUse(receipts: readonly Receipt[]): number {
  return sum(receipts.filter(isReturn).map(prepaidPart)) - sum(receipts.filter(isSale).map(prepaidPart));
}

/** Sold on credit, and not paid off yet. */
export function unpaidCredit(printed: readonly Receipt[]): number {
  const sales = printed.filter(isSale);
  const given = sales.flatMap(({ payments }) => payments.filter(({ typeClose }) => typeClose === ON_CREDIT));
  const paid = sales.flatMap(itemsOf).filter(({ method }) => method === PAYING_OFF);
  return sum(given.map((payment) => payment.sum)) - sum(paid.map(({ total }) => total));
}

export function isSale(receipt: Receipt): receipt is SaleReceipt {
  return receipt.kind === "receipt" && receipt.operation === "sale";
}

export function isReturn(receipt: Receipt): receipt is SaleReceipt {
  return receipt.kind === "receipt" && receipt.operation === "return";
}

function prepaidBy(receipt: SaleReceipt): number {
  return sum(itemsOf(receipt).map(({ method, total }) => (isPrepaid(method) ? total : 0)));
}

function isPrepaid(method: number): boolean {
  return method >= 1 && method <= 3;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
