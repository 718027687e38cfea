/** Finds receipts of a database, of one shop or of all. */
import { toOrderId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type Kysely, sql } from "kysely";
import type { ReceiptTables } from "../receipt-tables.js";
import { type StoredReceipt, storedReceipt } from "./stored-receipt.js";

type Wanted = { readonly [Name in "resource" | "receiptId" | "orderId" | "state"]?: string | undefined };

/** The receipts that fit, newest first. */
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
