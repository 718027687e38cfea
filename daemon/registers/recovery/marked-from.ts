/**
 * From which document on a receipt of ours carries a mark. The setting may have been another one when the documents were made:
 * the database was put back, and `orderMark` was switched on since.
 *
 *   the receipt on record before them had a mark    all of them
 *   it had none, or after a loss nobody knows it    from the first one that carries a mark of ours
 *   none was printed there, and nothing was lost    all of them
 *
 * Before that our receipts are told by their lines, as on a register that writes no marks.
 */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import type { Attempt, AttemptStore } from "../../store/attempt-store.js";

export interface MarkQuestion {
  readonly register: RegisterId;
  readonly fn: FnSerial;
  /** The documents above this number are in question. */
  readonly from: number;
  /** Those, and perhaps others below, ascending. */
  readonly documents: readonly FiscalDocument[];
  /** The database was put back or deleted. */
  readonly lost: boolean;
  /** Whether a receipt of this daemon carries such a mark: another daemon's says nothing of the setting here. */
  readonly isOurs: (mark: string) => boolean;
}

export interface MarkedTime {
  /** Receipts of ours with this number or a higher one carry their mark. */
  readonly from: number;
  /** By the setting, or by a receipt on record: those below are told by their lines. Else it is a guess, and proves nothing. */
  readonly isKnown: boolean;
}

export const NEVER_MARKED: MarkedTime = { from: Number.POSITIVE_INFINITY, isKnown: true };
export const ALWAYS_MARKED: MarkedTime = { from: 0, isKnown: true };

interface Receipts {
  lastReceiptBefore(...place: Parameters<AttemptStore["lastReceiptBefore"]>): Pick<Attempt, "witness"> | null;
}

export function markedFrom(
  { lastReceiptBefore }: Receipts,
  { register, fn, from, documents, lost, isOurs }: MarkQuestion,
): MarkedTime {
  const before = lastReceiptBefore({ register, fn, fd: from + 1 });
  if (before === null && !lost) return ALWAYS_MARKED;
  if (before?.witness.kind === "receipt" && before.witness.mark !== null) return ALWAYS_MARKED;
  const marked = documents.find(({ fd, mark }) => fd > from && mark !== null && isOurs(mark));
  return { from: marked?.fd ?? NEVER_MARKED.from, isKnown: before !== null };
}
