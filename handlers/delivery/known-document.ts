/** Which order a fiscal document is recorded of: a document is of one order. */
import { invalid } from "./api-errors.js";
import type { CommitScope } from "./order-commit.js";

/**
 * Whether the document is recorded as one of these orders. Fault "api.invalid" where it is another one's: that one's receipt
 * would stand for this one's, which nobody would print.
 */
export async function isRecordedOf(
  { tx, resource }: CommitScope,
  { fn, fdNumber }: { readonly fn: string; readonly fdNumber: string },
  orderIds: readonly string[],
): Promise<boolean> {
  const known = await tx
    .selectFrom("delivery_order_receipts")
    .select("order_id")
    .where("resource", "=", resource)
    .where("fn", "=", fn)
    .where("fd_number", "=", fdNumber)
    .executeTakeFirst();
  if (known === undefined) return false;
  if (!orderIds.includes(known.order_id)) throw invalid("receipt.fdNumber", `is a document of order ${known.order_id}`);
  return true;
}
