import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "../amounts.js";
import { type OrderProblem, problem } from "../exchange/order-problem.js";
import type { Payment } from "./receipt.js";

const CASH = 0;

/** One sum per `typeClose`, ascending, zero sums left out: a negative payment takes back an earlier one of its kind. */
export function netPayments(payments: readonly Payment[]): readonly Payment[] {
  const sums = new Map<number, Kopecks>();
  for (const { typeClose, sum } of payments) sums.set(typeClose, kopecks((sums.get(typeClose) ?? 0) + sum));
  return [...sums]
    .map(([typeClose, sum]) => ({ typeClose, sum }))
    .filter(({ sum }) => sum !== 0)
    .sort((a, b) => a.typeClose - b.typeClose);
}

/** cashless <= total <= payments; the excess of cash is change. `payments` are netted. */
export function paymentProblems(payments: readonly Payment[], total: Kopecks, path: string): readonly OrderProblem[] {
  const wrong = (message: string) => [problem("receipt.payments-mismatch", path, message)];
  const below = payments.find(({ sum }) => sum < 0);
  if (below !== undefined) return wrong(`payments of type ${below.typeClose} come to ${formatRoubles(below.sum)}`);
  if (payments.length === 0) return total === 0 ? [] : [problem("receipt.no-payments", path, "there is no payment")];
  const paid = sumKopecks(payments.map(({ sum }) => sum));
  const cashless = sumKopecks(payments.filter(({ typeClose }) => typeClose !== CASH).map(({ sum }) => sum));
  if (paid < total) return wrong(`${formatRoubles(paid)} is paid of ${formatRoubles(total)}`);
  if (cashless > total) return wrong(`${formatRoubles(cashless)} is paid cashless of ${formatRoubles(total)}`);
  return [];
}
