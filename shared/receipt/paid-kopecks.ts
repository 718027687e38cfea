/**
 * Moves kopecks between lines and payments, because sites round the price and not the sum. The sum that was paid
 * counts: the lines take the missing kopecks, one each, unless change in cash explains the difference. Pure.
 */
import { formatRoubles, type Kopecks, kopecks, ONE_UNIT, sumKopecks } from "../amounts.js";
import { type OrderWarning, warning } from "../exchange/order-problem.js";
import { type ItemLine, itemsOf, type Payment, type SaleReceipt, totalOf } from "./receipt.js";
import { refusalTexts } from "./texts/refusal-texts.js";

export const CASH = 0;

export function paidSums(payments: readonly Payment[]): { readonly paid: Kopecks; readonly cashless: Kopecks } {
  const sumOf = (some: readonly Payment[]) => sumKopecks(some.map(({ sum }) => sum));
  return { paid: sumOf(payments), cashless: sumOf(payments.filter(({ typeClose }) => typeClose !== CASH)) };
}

/** Change is given in cash, so it is taken off the cash payment. */
export function withoutChange(receipt: SaleReceipt): readonly Payment[] {
  const change = paidSums(receipt.payments).paid - totalOf(receipt);
  return receipt.payments
    .map(({ typeClose, sum }) => ({ typeClose, sum: kopecks(typeClose === CASH ? sum - change : sum) }))
    .filter(({ sum }) => sum !== 0);
}

/** The receipt with its lines as they were paid, if that changes each line by a kopeck at most. */
export function asPaid(
  receipt: SaleReceipt,
  path: string,
): { readonly receipt: SaleReceipt; readonly warnings: readonly OrderWarning[] } {
  const total = totalOf(receipt);
  const { paid, cashless } = paidSums(receipt.payments);
  const difference = cashless > total ? cashless - total : Math.min(0, paid - total);
  const step = Math.sign(difference);
  const takers = takersOf(itemsOf(receipt), step).slice(0, Math.abs(difference));
  if (difference === 0 || takers.length < Math.abs(difference) || paid <= 0) return { receipt, warnings: [] };
  const lines = receipt.lines.map((line) =>
    line.type === "item" && takers.includes(line) ? { ...line, total: kopecks(line.total + step) } : line,
  );
  const text = refusalTexts.kopecksMoved(formatRoubles(kopecks(total + difference)), formatRoubles(total));
  return { receipt: { ...receipt, lines }, warnings: [warning(path, text)] };
}

/** Lines of whole pieces without a marking code come first, and among equals the largest sums. */
function takersOf(items: readonly ItemLine[], step: number): readonly ItemLine[] {
  const isBound = ({ markingCode, measure, quantity }: ItemLine) =>
    markingCode !== null || measure !== 0 || quantity % ONE_UNIT !== 0;
  return items
    .filter(({ total }) => total > 0 && total + step > 0)
    .toSorted((one, other) => Number(isBound(one)) - Number(isBound(other)) || other.total - one.total);
}
