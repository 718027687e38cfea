import { type FoundMark, formatMark, markedOrderId, parseMark } from "@fiscald/shared/receipt/order-mark.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { Issuers } from "../../store/issuers.js";
import type { Job } from "../../store/job.js";

/** The value of tag 1086 of this job's receipt; null for service jobs, which leave no receipt, and where no site ordered it. */
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

/** What a document's mark says of a job's order, when it is not the job's own mark. */
export type ForeignMark =
  /** An issuer that the job's site has or had, and the job's order id: the order was printed with other content. */
  | "same-order"
  /** The job's order id of nobody that is known here: a site of before, or another shop. */
  | "unknown-issuer"
  /** Another order, another site of this config, or another program's text. */
  | "other";

export function foreignMark(found: string, { site, receipt }: Job, issuers: Issuers): ForeignMark {
  const mark = parseMark(found);
  if (mark === null || receipt.kind !== "receipt" || !namesOrder(mark, receipt)) return "other";
  const kind = issuers.kindOf(mark.issuer, site);
  if (kind === "another-site") return "other";
  return kind === "own" ? "same-order" : "unknown-issuer";
}

function namesOrder({ orderId }: FoundMark, receipt: SaleReceipt): boolean {
  return orderId === markedOrderId(receipt.orderId);
}

/** Whether a receipt of this daemon carries it. */
export function isOurMark(text: string, issuers: Issuers): boolean {
  const mark = parseMark(text);
  return mark !== null && issuers.isOurs(mark.issuer);
}
