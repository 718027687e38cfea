/** Finds receipts of a database, of one shop or of all. */
import { toOrderId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type Kysely, sql } from "kysely";
import { type ReceiptTables, selectReceipts } from "../receipt-tables.js";
import { type StoredReceipt, storedReceipt } from "./stored-receipt.js";

/** The receipts of a shop that have changed since a time (ms), the earliest change first. */
export async function findChanged(
  db: Kysely<ReceiptTables>,
  { resource, state, since }: { readonly resource: string; readonly state?: string; readonly since: number },
  limit: number,
): Promise<readonly StoredReceipt[]> {
  const changed = sql<number>`coalesce(finished_at, created_at)`;
  let query = selectReceipts(db, { resource }).selectAll().where(changed, ">=", since);
  if (state !== undefined) query = query.where(sql.ref("state"), "=", state);
  return (await query.orderBy(changed).orderBy("seq").limit(limit).execute()).map(storedReceipt);
}

type Wanted = { readonly [Name in "resource" | "receiptId" | "orderId" | "state"]?: string | undefined };

export async function findReceipts(
  db: Kysely<ReceiptTables>,
  { resource, receiptId, orderId, state }: Wanted,
  limit?: number,
): Promise<readonly StoredReceipt[]> {
  const order = orderId === undefined ? undefined : identityOf(toOrderId(orderId));
  const wanted = Object.entries({ resource, receipt_id: receiptId, order_id: order, state });
  let query = db.selectFrom("print_receipts").selectAll().orderBy("seq", "desc");
  for (const [column, value] of wanted) if (value !== undefined) query = query.where(sql.ref(column), "=", value);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(storedReceipt);
}
