/** What a part of a receipt's line costs, from the texts that the daemon tells. Pure. */
import { type Kopecks, kopecks, parseQuantity, parseRoubles, shareOf } from "@fiscald/shared/amounts.js";

/** Texts like "1.5" and "465.00"; the part is a quantity too. 0 kopecks where a text cannot be read or is too much. */
export function costOfPart(line: { readonly quantity: string; readonly total: string }, part: string): Kopecks {
  const [whole, total, wanted] = [parseQuantity(line.quantity), parseRoubles(line.total), parseQuantity(part)];
  if (whole === null || total === null || wanted === null || wanted <= 0 || wanted > whole) return kopecks(0);
  return shareOf(total, wanted, whole);
}
