/** What a fiscal document is recorded as: it is of one order, and its sale or a return. */
import { invalid } from "./api-errors.js";
import type { Writer } from "./operation.js";
import type { CommitScope } from "./order-commit.js";
import { findOrders } from "./order-rows.js";
import { idsOfSale, nextRefundId } from "./refund-rows.js";
import { jsonObject } from "./stored-json.js";
import { toWireId } from "./wire-types.js";

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

/** The last return recorded under an id that no order has becomes the other order's. Its number with its drive's; null for none. */
export async function moveReturn(
  tx: Writer,
  resource: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string | null> {
  const isOfAnOrder = from !== to && (await findOrders(tx, resource, [from])).size > 0;
  if (isOfAnOrder) return null;
  const found = await tx
    .selectFrom("delivery_order_receipts")
    .select(["id", "fn", "fd_number", "body"])
    .where("resource", "=", resource)
    .where("order_id", "=", from)
    .where("operation", "=", "return")
    .orderBy("id", "desc")
    .executeTakeFirst();
  if (found === undefined) return null;
  const body = JSON.stringify({ ...jsonObject(found.body), orderId: toWireId(to) });
  await tx.updateTable("delivery_order_receipts").set({ order_id: to, body }).where("id", "=", found.id).execute();
  return documentKey({ fn: found.fn, fdNumber: found.fd_number });
}

export function documentKey({ fn, fdNumber }: Pick<OwnDocument, "fn" | "fdNumber">): string {
  return `${fn}:${fdNumber}`;
}
