/**
 * Sites round the price and not the sum. What was paid is the truth as far as cash cannot explain it, so kopecks between
 * the payments and the lines go to the lines, one each. Pure, and computed from the order alone.
 */
import { formatRoubles, type Kopecks, kopecks, ONE_UNIT, sumKopecks } from "../amounts.js";
import { type OrderWarning, warning } from "../exchange/order-problem.js";
import { type ItemLine, itemsOf, type Payment, type SaleReceipt, totalOf } from "./receipt.js";
import { refusalTexts } from "./texts/refusal-texts.js";

export const CASH = 0;

/** What is paid in all, and the part of it that is not cash. `payments` are netted. */
export function paidSums(payments: readonly Payment[]): { readonly paid: Kopecks; readonly cashless: Kopecks } {
  const sumOf = (some: readonly Payment[]) => sumKopecks(some.map(({ sum }) => sum));
  return { paid: sumOf(payments), cashless: sumOf(payments.filter(({ typeClose }) => typeClose !== CASH)) };
}

/**
 * The receipt with its lines as they were paid, where the difference is at most a kopeck a line; else the same receipt.
 * `path`: where the payments stand.
 */
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

/** The lines that can take a kopeck, first those of pieces without a mark, of these the largest first. */
function takersOf(items: readonly ItemLine[], step: number): readonly ItemLine[] {
  const isBound = ({ markingCode, measure, quantity }: ItemLine) =>
    markingCode !== null || measure !== 0 || quantity % ONE_UNIT !== 0;
  return items
    .filter(({ total }) => total > 0 && total + step > 0)
    .toSorted((one, other) => Number(isBound(one)) - Number(isBound(other)) || other.total - one.total);
}
