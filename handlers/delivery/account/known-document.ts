/** What a fiscal document is recorded as: it is of one order, and its sale or a return. */
import { invalid } from "../http/api-errors.js";
import { toWireId } from "../http/wire-types.js";
import type { CommitScope } from "../orders/commit.js";
import type { Writer } from "../store/delivery-store.js";
import { jsonObject } from "../store/stored-json.js";
import { idsOfSale } from "./refund-rows.js";

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

/** Whether it is recorded as a return of the sale: as a whole, of a refund order, or kept for the one that is still to come. */
export async function isReturnOf(
  scope: CommitScope,
  saleId: string,
  document: Omit<OwnDocument, "operation">,
): Promise<boolean> {
  const ofSale = await idsOfSale(scope.tx, scope.resource, saleId);
  return isRecordedOf(scope, { ...document, operation: "return" }, ofSale);
}

/** A return of the sale becomes one of its refund order. `document`: its key. */
export async function moveReturn(
  tx: Writer,
  resource: number,
  { document, from, to }: { readonly document: string; readonly from: string; readonly to: string },
): Promise<void> {
  const returns = await tx
    .selectFrom("delivery_order_receipts")
    .select(["id", "fn", "fd_number as fdNumber", "body"])
    .where("resource", "=", resource)
    .where("order_id", "=", from)
    .where("operation", "=", "return")
    .execute();
  const found = returns.find((one) => documentKey(one) === document);
  if (found === undefined) return;
  const body = JSON.stringify({ ...jsonObject(found.body), orderId: toWireId(to) });
  await tx.updateTable("delivery_order_receipts").set({ order_id: to, body }).where("id", "=", found.id).execute();
}

export function documentKey({ fn, fdNumber }: Pick<OwnDocument, "fn" | "fdNumber">): string {
  return `${fn}:${fdNumber}`;
}
