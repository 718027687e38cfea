/** Money goes back in the forms in which receipts of ours took it (domain 5.1); pure. */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import type { Payment } from "@fiscald/shared/receipt/receipt.js";

/** Tag 1215. */
export const PREPAYMENT = 2;

/** The payments that have not gone back, by form. */
export function formsLeft(given: readonly Payment[], returned: readonly Payment[]): readonly Payment[] {
  const sums = new Map<number, number>();
  for (const { typeClose, sum } of given) sums.set(typeClose, (sums.get(typeClose) ?? 0) + sum);
  for (const { typeClose, sum } of returned) sums.set(typeClose, (sums.get(typeClose) ?? 0) - sum);
  return paymentsOf(sums);
}

/** The prepaid part of a settlement as it was taken: it goes back in that form. */
export function withoutOffset(payments: readonly Payment[], prepaid: readonly Payment[]): readonly Payment[] {
  const [taken] = prepaid;
  if (taken === undefined) return payments;
  return formsLeft(
    payments.map((payment) =>
      payment.typeClose === PREPAYMENT ? { ...payment, typeClose: taken.typeClose } : payment,
    ),
    [],
  );
}

/**
 * The forms of a return: the wanted ones up to what was taken in them, then the others, cashless first and a prepayment of
 * another program last. What exceeds all of that goes back in the wanted forms.
 */
export function formsOf(total: Kopecks, left: readonly Payment[], asked: readonly Payment[]): readonly Payment[] {
  const sums = new Map<number, number>();
  const free = new Map(left.map(({ typeClose, sum }) => [typeClose, Number(sum)]));
  let missing: number = total;
  const take = (typeClose: number, most: number) => {
    const sum = Math.min(most, missing);
    sums.set(typeClose, (sums.get(typeClose) ?? 0) + sum);
    free.set(typeClose, (free.get(typeClose) ?? 0) - sum);
    missing -= sum;
  };
  for (const { typeClose, sum } of asked) take(typeClose, Math.min(sum, free.get(typeClose) ?? 0));
  for (const typeClose of [...free.keys()].toSorted(cashlessFirst)) take(typeClose, free.get(typeClose) ?? 0);
  for (const { typeClose, sum } of asked) take(typeClose, sum);
  return paymentsOf(sums);
}

function cashlessFirst(one: number, other: number): number {
  return Number(one === PREPAYMENT) - Number(other === PREPAYMENT) || other - one;
}

/** Ascending, without zeros. */
function paymentsOf(sums: ReadonlyMap<number, number>): readonly Payment[] {
  return [...sums]
    .filter(([, sum]) => sum > 0)
    .toSorted(([one], [other]) => one - other)
    .map(([typeClose, sum]) => ({ typeClose, sum: kopecks(sum) }));
}
