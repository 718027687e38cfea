/** How far the content of a fiscal document agrees with a receipt of ours, and when two order marks (tag 1084) are equal. */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { formatMark, markedOrderId, parseMark } from "@fiscald/shared/receipt/order-mark.js";
import { type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../../store/job.js";
import { compareLines } from "./compare-lines.js";

/**
 * - `equal`: a receipt that was read in full, with the same direction, total and lines.
 * - `similar`: read in full; nothing contradicts, and something leaves it open: names cut short, another contact.
 * - `unread`: what could be read agrees, and the rest could not be read.
 * - `other`: it contradicts, or it is no receipt at all.
 */
export type Agreement = "equal" | "similar" | "unread" | "other";

/** A receipt may be rounded off below one rouble. */
export const TOTAL_TOLERANCE_KOPECKS = 100;

/** Shift documents, reports and confirmations are no order's receipt. */
export function countsAsReceipt({ type }: Pick<FiscalDocument, "type">): boolean {
  return type === "receipt" || type === "correction" || type === "unknown";
}

export function compareDocument(document: FiscalDocument, receipt: SaleReceipt): Agreement {
  if (!countsAsReceipt(document) || contradictsHead(document, receipt)) return "other";
  if (document.body !== "full") return "unread";
  switch (compareLines(receipt, document.items)) {
    case "other":
      return "other";
    case "same":
      if (document.type !== "receipt" || hasOtherContact(document, receipt)) return "similar";
      return hasNumbers(document) ? "equal" : "unread";
    case "respelt":
    case "unclear":
      return "similar";
  }
}

/** Its content contradicts the receipt, or its order mark names another order. */
export function isOfAnotherOrder(document: FiscalDocument, receipt: SaleReceipt): boolean {
  const namesAnother = document.mark !== null && issuerOfOrder(document.mark, receipt) === undefined;
  return namesAnother || compareDocument(document, receipt) === "other";
}

/** Another direction, or another total, as far as they could be read. */
export function contradictsHead(
  { operation, total }: Pick<FiscalDocument, "operation" | "total">,
  receipt: SaleReceipt,
): boolean {
  if (operation !== null && operation !== receipt.operation) return true;
  return total !== null && Math.abs(total - totalOf(receipt)) > TOTAL_TOLERANCE_KOPECKS;
}

/** Whether shift and time, which the result to the site contains, could be read. */
export function hasNumbers({ shift, time }: Pick<FiscalDocument, "shift" | "time">): boolean {
  return shift !== null && time !== null;
}

/** A register may write a contact differently, so another contact makes a match uncertain, not impossible. */
function hasOtherContact({ contact }: FiscalDocument, receipt: SaleReceipt): boolean {
  if (contact === null || receipt.contact === null) return false;
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\d@.]/gu, "");
  return plain(contact) !== plain(receipt.contact);
}

/** The value of tag 1086 of this job's receipt; null for service jobs, which leave no receipt, and without a site's order. */
export function markTextOf({ receipt, mark }: Pick<Job, "receipt" | "mark">): string | null {
  return receipt.kind === "receipt" && mark !== null ? formatMark(receipt.orderId, mark) : null;
}

/**
 * Issuer and digits are equal; the order id before them is for people. A receipt with the kit's `receiptId` is known by its
 * digits alone: the kit may offer it at several addresses.
 */
export function isSameMark(found: string, own: string, { receiptId }: Pick<SaleReceipt, "receiptId">): boolean {
  const [one, other] = [parseMark(found), parseMark(own)];
  if (one === null || other === null || one.issuer === null || other.issuer === null) return false;
  return one.digits === other.digits && (one.issuer === other.issuer || receiptId !== null);
}

/** The issuer in a mark with the receipt's order id, null = the former form; undefined: it names another order, or none. */
export function issuerOfOrder(found: string, receipt: Pick<SaleReceipt, "orderId">): string | null | undefined {
  const mark = parseMark(found);
  return mark === null || mark.orderId !== markedOrderId(receipt.orderId) ? undefined : mark.issuer;
}
