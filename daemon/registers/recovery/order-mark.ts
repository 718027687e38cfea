import { formatMark, markedOrderId, parseMark } from "@fiscald/shared/receipt/order-mark.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../../store/job.js";

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
