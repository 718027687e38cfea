/** The receipts of every shop in a database, for the operators. */
import type { ReceiptId } from "@fiscald/shared/ids.js";
import type { SharedStore } from "./receipt-store.js";
import type { ReceiptState, ReceiptTables } from "./receipt-tables.js";
import { type StoredReceipt, storedReceipt } from "./stored-receipt.js";

export interface ReceiptOfShop {
  /** `ReceiptStoreOptions.resource` */
  readonly resource: string;
  readonly receipt: StoredReceipt;
}

/** Newest first; only those in one state where asked for. */
export async function listAllReceipts(
  store: SharedStore,
  { state, limit = 50 }: { readonly state?: ReceiptState | undefined; readonly limit?: number },
): Promise<readonly ReceiptOfShop[]> {
  const rows = await store
    .withTables<ReceiptTables>()
    .db.selectFrom("print_receipts")
    .selectAll()
    .$if(state !== undefined, (query) => query.where("state", "=", state ?? "queued"))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ resource: row.resource, receipt: storedReceipt(row) }));
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

/** Whose receipt it is; null for an unknown one. */
export async function resourceOfReceipt(store: SharedStore, receiptId: ReceiptId): Promise<string | null> {
  const row = await store
    .withTables<ReceiptTables>()
    .db.selectFrom("print_receipts")
    .select("resource")
    .where("receipt_id", "=", receiptId)
    .executeTakeFirst();
  return row?.resource ?? null;
}
