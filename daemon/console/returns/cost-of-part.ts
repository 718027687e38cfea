import { type Kopecks, kopecks, parseQuantity, parseRoubles, shareOf } from "@fiscald/shared/amounts.js";

/** The texts look like "1.5" and "465.00"; `part` is a quantity. Returns 0 for a text or part that is wrong. */
export function costOfPart(line: { readonly quantity: string; readonly total: string }, part: string): Kopecks {
  const [whole, total, wanted] = [parseQuantity(line.quantity), parseRoubles(line.total), parseQuantity(part)];
  if (whole === null || total === null || wanted === null || wanted <= 0 || wanted > whole) return kopecks(0);
  return shareOf(total, wanted, whole);
}
