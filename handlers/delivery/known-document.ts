/** What a fiscal document is recorded as: it is of one order, and its sale or a return. */
import { invalid } from "./api-errors.js";
import type { CommitScope } from "./order-commit.js";
import { idsOfSale, nextRefundId } from "./refund-rows.js";

export interface OwnDocument {
  readonly operation: "sale" | "return";
  readonly fn: string;
  readonly fdNumber: string;
}

/**
 * Whether the document is recorded as one of these orders. Fault "api.invalid" where it is another one's, or the other operation
 * of the order: it would stand for this one's receipt, which nobody would print.
 */
export async function isRecordedOf(
  { tx, resource }: CommitScope,
  { operation, fn, fdNumber }: OwnDocument,
  orderIds: readonly string[],
): Promise<boolean> {
  const known = await tx
    .selectFrom("delivery_order_receipts")
    .select(["order_id", "operation"])
    .where("resource", "=", resource)
    .where("fn", "=", fn)
    .where("fd_number", "=", fdNumber)
    .executeTakeFirst();
  if (known === undefined) return false;
  if (!orderIds.includes(known.order_id)) throw invalid("receipt.fdNumber", `is a document of order ${known.order_id}`);
  if (known.operation !== operation) {
    throw invalid("receipt.fdNumber", `is a ${known.operation} of order ${known.order_id}`);
  }
  return true;
}

/** Whether it is recorded as a return of the sale: as a whole, of a refund order, or of the one that is still to come. */
export async function isReturnOf(
  scope: CommitScope,
  saleId: string,
  document: Omit<OwnDocument, "operation">,
): Promise<boolean> {
  const { tx, resource } = scope;
  const ofSale = [...(await idsOfSale(tx, resource, saleId)), await nextRefundId(tx, resource, saleId)];
  return isRecordedOf(scope, { ...document, operation: "return" }, ofSale);
}
