/** The receipts of one order, as the rules for "the same order again" see them. */
import type { OrderId } from "@fiscald/shared/ids.js";
import { sql, type Transaction } from "kysely";
import type { Store } from "../store/open-store.js";
import type { EarlierReceipt } from "./enqueue-rules.js";
import type { ReceiptTables } from "./receipt-tables.js";
import { type ReceiptRow, type StoredReceipt, storedReceipt } from "./stored-receipt.js";

export interface Earlier extends EarlierReceipt {
  readonly stored: StoredReceipt;
}

export interface OrderReceipts {
  /** Newest first. */
  readonly rows: readonly ReceiptRow[];
  /** `contentKey`: of the receipt that the row is compared with. */
  toEarlier(row: ReceiptRow, contentKey: string): Earlier;
}

interface OrdersOf {
  readonly store: Store<ReceiptTables>;
  readonly resource: string;
}

/** Nobody else adds or changes a receipt of the order until the transaction ends. Taken before any of its rows is locked. */
export async function lockOrder(
  tx: Transaction<ReceiptTables>,
  { store, resource }: OrdersOf,
  orderId: OrderId,
): Promise<void> {
  if (store.kind !== "postgres") return;
  const order = JSON.stringify([resource, orderId]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${order}, 0))`.execute(tx);
}

export async function readOrder(
  tx: Transaction<ReceiptTables>,
  { store, resource }: OrdersOf,
  orderId: OrderId,
): Promise<OrderReceipts> {
  const rows = await tx
    .selectFrom("print_receipts")
    .selectAll()
    .where("resource", "=", resource)
    .where("order_id", "=", orderId)
    .orderBy("seq", "desc")
    .$if(store.kind === "postgres", (query) => query.forUpdate())
    .execute();
  const shifts = await tx.selectFrom("print_shifts").selectAll().where("resource", "=", resource).execute();
  const closedShifts = new Map(shifts.map((shift) => [shift.fn, shift.closed_shift]));
  return {
    rows,
    toEarlier(row, contentKey) {
      const stored = storedReceipt(row);
      return {
        stored,
        state: row.state,
        receipt: stored.receipt,
        sameContent: row.content_key === contentKey,
        shiftClosed: isInClosedShift(stored, closedShifts),
        finishedAt: row.finished_at,
      };
    },
  };
}

function isInClosedShift({ result }: StoredReceipt, closedShifts: ReadonlyMap<string, number>): boolean {
  if (result === null || result.shiftNumber === null) return false;
  return Number(result.shiftNumber) <= (closedShifts.get(result.fn) ?? 0);
}
