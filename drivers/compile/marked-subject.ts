import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";

/** Tag 1212 by what plain goods and excisable goods become when a position carries a marking code (domain 9). */
const markedSubjects: Readonly<Record<number, number>> = { 1: 33, 2: 31 };

/** Tag 1212 as the fiscal document has it: an order may name the subject of plain goods for marked ones. */
export function subjectOf({ subject, markingCode }: Pick<ItemLine, "subject" | "markingCode">): number {
  return markingCode === null ? subject : (markedSubjects[subject] ?? subject);
}
