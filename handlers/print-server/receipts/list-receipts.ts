/** Receipts of a database, of one shop or of all, and the daemons that are offered none. */
import { toOrderId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type Kysely, sql } from "kysely";
import type { SharedStore } from "./receipt-store.js";
import type { ReceiptState, ReceiptTables } from "./receipt-tables.js";
import { type StoredReceipt, storedReceipt } from "./stored-receipt.js";

export interface WantedReceipts {
  readonly resource?: string;
  readonly receiptId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly state?: ReceiptState | undefined;
}

/** Newest first. */
export async function findReceipts(
  db: Kysely<ReceiptTables>,
  { resource, receiptId, orderId, state }: WantedReceipts,
  limit?: number,
): Promise<readonly StoredReceipt[]> {
  const order = orderId === undefined ? undefined : identityOf(toOrderId(orderId));
  const wanted = Object.entries({ resource, receipt_id: receiptId, order_id: order, state });
  let query = db.selectFrom("print_receipts").selectAll().orderBy("seq", "desc");
  for (const [column, value] of wanted) if (value !== undefined) query = query.where(sql.ref(column), "=", value);
  if (limit !== undefined) query = query.limit(limit);
  return (await query.execute()).map(storedReceipt);
}

/** Daemons whose id asks from two machines: nothing is offered to them. */
export async function copiedDaemons(store: SharedStore): Promise<readonly string[]> {
  const rows = await store
    .withTables<ReceiptTables>()
    .db.selectFrom("print_runs")
    .select("daemon")
    .distinct()
    .where("returned_at", "is not", null)
    .execute();
  return rows.map(({ daemon }) => daemon);
}

/** Only one machine has the id from now on: whichever asks next. False for a daemon that never asked. */
export function admitDaemon(store: SharedStore, daemon: string): Promise<boolean> {
  return store.withTables<ReceiptTables>().transaction(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom("print_runs").where("daemon", "=", daemon).executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
