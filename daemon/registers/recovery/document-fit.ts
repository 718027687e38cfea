/** How well a fiscal document fits a receipt of ours: the one comparison that recovery and the gap check share. */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { compareLines } from "./compare-lines.js";
import { isSameMark } from "./order-mark.js";

/** `marked`: it carries the job's own mark, and its direction and total do not contradict. `equal`: same direction, total and lines. `possible`: it cannot be excluded. */
export type DocumentFit = "marked" | "equal" | "possible" | "other";

export interface FitQuestion {
  readonly receipt: SaleReceipt;
  /** The mark that its document carries; null = it was sent without one. */
  readonly mark: string | null;
}

/** A receipt may be rounded off below one rouble. */
const TOTAL_TOLERANCE_KOPECKS = 100;

/** Shift documents, reports and confirmations are no one's receipt. */
export function countsAsReceipt(document: FiscalDocument): boolean {
  return document.type === "receipt" || document.type === "correction" || document.type === "unknown";
}

export function fitOf(document: FiscalDocument, { receipt, mark }: FitQuestion): DocumentFit {
  if (!countsAsReceipt(document)) return "other";
  if (document.mark !== null) {
    if (mark === null || !isSameMark(document.mark, mark, receipt)) return "other";
    // The mark alone proves nothing against the sum or the direction on paper.
    return hasOurHead(document, receipt) ? "marked" : "possible";
  }
  if (!hasOurHead(document, receipt)) return "other";
  if (document.body !== "full") return "possible";
  // Whole and without the mark that ours would carry.
  if (mark !== null) return "other";
  const lines = compareLines(receipt, document.items);
  if (lines === "unclear" || lines === "respelt") return "possible";
  return lines === "same" ? "equal" : "other";
}

/** Direction and total agree as far as they could be read. */
function hasOurHead({ operation, total }: FiscalDocument, receipt: SaleReceipt): boolean {
  if (operation !== null && operation !== receipt.operation) return false;
  return total === null || Math.abs(total - totalOf(receipt)) <= TOTAL_TOLERANCE_KOPECKS;
}
