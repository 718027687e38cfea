import { toOrderId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { type Kysely, sql } from "kysely";
import type { ReceiptTables } from "../receipt-tables.js";
import { isAnonymous } from "./receipt-ids.js";
import { differingFields, type ReceiptRow, type StoredReceipt, storedReceipt } from "./stored-receipt.js";

const changedAt = sql<number>`coalesce(finished_at, created_at)`;

type Wanted = { readonly [Name in "resource" | "receiptId" | "orderId" | "state"]?: string | undefined } & {
  readonly since?: number | undefined;
};

/** Newest first. `byChange`: the earliest change first. */
export async function findReceipts(
  db: Kysely<ReceiptTables>,
  { resource, receiptId, orderId, state, since }: Wanted,
  limit?: number,
  byChange = false,
): Promise<readonly StoredReceipt[]> {
  const order = orderId === undefined ? undefined : identityOf(toOrderId(orderId));
  const wanted = Object.entries({ resource, receipt_id: receiptId, order_id: order, state });
  const all = db.selectFrom("print_receipts").selectAll();
  let query = byChange ? all.orderBy(changedAt).orderBy("seq") : all.orderBy("seq", "desc");
  for (const [column, value] of wanted) if (value !== undefined) query = query.where(sql.ref(column), "=", value);
  if (since !== undefined) query = query.where(changedAt, ">=", since);
  if (limit !== undefined) query = query.limit(limit);
  return withSuccessors(db, await query.execute());
}

/** Adds to each failed receipt the one that replaced it. A failed receipt without one still has to be mended. */
async function withSuccessors(db: Kysely<ReceiptTables>, rows: readonly ReceiptRow[]) {
  const orders = rows.flatMap(({ state, order_id }) => (state === "failed" && order_id !== null ? [order_id] : []));
  if (orders.length === 0) return rows.map((row) => storedReceipt(row));
  const others = db
    .selectFrom("print_receipts")
    .selectAll()
    .where("resource", "in", [...new Set(rows.map(({ resource }) => resource))])
    .where("order_id", "in", [...new Set(orders)]);
  const later = await others.where("state", "not in", ["failed", "replaced"]).execute();
  return rows.map((row) => storedReceipt(row, later.find((other) => isSuccessor(other, row))?.receipt_id));
}

/**
 * An order has one whole sale, but any number of prepayments, settlements and returns, where another sum means another
 * receipt. A return with an id of its caller is replaced under that id alone, and a service job only by an equal one.
 */
function isSuccessor(other: ReceiptRow, row: ReceiptRow): boolean {
  if (row.state !== "failed" || other.seq <= row.seq) return false;
  if (other.resource !== row.resource || other.order_id !== row.order_id) return false;
  const [next, failed] = [storedReceipt(other), storedReceipt(row)];
  if (next.operation !== failed.operation) return false;
  if (failed.operation === null) {
    return !differingFields(next.receipt, failed.receipt).some((field) => field === "lines" || field === "kkm");
  }
  const isEqual = next.stage === failed.stage && next.totalKopecks === failed.totalKopecks;
  if (failed.operation === "return") return isEqual && isAnonymous(row);
  return isEqual || (next.stage === "whole" && other.forced === 0);
}
