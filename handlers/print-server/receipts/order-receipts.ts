/** The receipts of one order, as the rules for "the same order again" see them. */
import { Fault } from "@fiscald/shared/fault.js";
import { type OrderId, type ReceiptId, toOrderId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { EarlierReceipt } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { type Kysely, sql, type Transaction } from "kysely";
import { paddedList, prepareQuery } from "../../store/prepared-query.js";
import { isAnonymous } from "./receipt-ids.js";
import type { ReceiptTables, ShopTables } from "./receipt-tables.js";
import { type ReceiptRow, receiptOf, resultOf } from "./stored-receipt.js";

/** A row as the rules of repeats see it. */
export interface EarlierRow extends EarlierReceipt {
  readonly row: ReceiptRow;
}

/**
 * Locks the orders: no other transaction adds or changes a receipt of them until this one ends. Taken before any of
 * their rows is locked. Fault `config.invalid` at another isolation level than read committed.
 */
export async function lockOrders(
  tx: Transaction<ReceiptTables>,
  { store, resource }: ShopTables,
  orderIds: readonly OrderId[],
): Promise<void> {
  if (store.kind !== "postgres") return;
  const orders = orderIds.map((orderId) => JSON.stringify([resource, orderId]));
  const each = sql`unnest(${orders}::text[]) as each_order`;
  const lock = sql`pg_advisory_xact_lock(hashtextextended(each_order, 0))`;
  const level = sql`current_setting('transaction_isolation') as level`;
  const { rows } = await sql<{ readonly level: string }>`select ${lock}, ${level} from ${each}`.execute(tx);
  const other = rows.find((row) => row.level !== "read committed");
  if (other !== undefined) throw wrongLevel(other.level);
}

function wrongLevel(level: string): Fault {
  const message =
    `\`within\` must be a transaction of the isolation level read committed: in one of ${level} the order's newest ` +
    'receipts do not show, and it could get a second one. Begin it with `.setIsolationLevel("read committed")`.';
  return new Fault("config.invalid", { message, place: "within" });
}

/** Locks the order of a receipt; null when there is no such receipt or it has no order. */
export async function lockOrderOf(
  tx: Transaction<ReceiptTables>,
  orders: ShopTables,
  receiptId: ReceiptId,
): Promise<OrderId | null> {
  const row = await tx
    .selectFrom("print_receipts")
    .select("order_id")
    .where("resource", "=", orders.resource)
    .where("receipt_id", "=", receiptId)
    .executeTakeFirst();
  if (row === undefined || row.order_id === null) return null;
  const orderId = toOrderId(row.order_id);
  await lockOrders(tx, orders, [orderId]);
  return orderId;
}

const idsWithReceipts = prepareQuery((db: Kysely<ReceiptTables>, resource: string, orderIds: readonly string[]) =>
  db
    .selectFrom("print_receipts")
    .select("order_id")
    .distinct()
    .where("resource", "=", resource)
    .where("order_id", "in", orderIds),
);

/** The given orders that have a receipt, in any state. */
export async function ordersWithReceipts(
  tx: Transaction<ReceiptTables>,
  resource: string,
  orderIds: readonly OrderId[],
): Promise<ReadonlySet<string>> {
  if (orderIds.length === 0) return new Set();
  const rows = await idsWithReceipts(tx, resource, paddedList(orderIds));
  return new Set(rows.flatMap((row) => row.order_id ?? []));
}

/** The receipts of an order, newest first. */
export function readOrder(
  tx: Transaction<ReceiptTables>,
  { store, resource }: ShopTables,
  orderId: OrderId,
): Promise<readonly ReceiptRow[]> {
  return tx
    .selectFrom("print_receipts")
    .selectAll()
    .where("resource", "=", resource)
    .where("order_id", "=", orderId)
    .orderBy("seq", "desc")
    .$if(store.kind === "postgres", (query) => query.forUpdate())
    .execute();
}

/** Equal service tables for two registers are two: each has a drawer and a shift of its own. */
export function earlierRows(offered: Receipt, rows: readonly ReceiptRow[]): readonly EarlierRow[] {
  return rows
    .filter(({ state }) => state !== "replaced")
    .map((row) => earlierRow(row, offered))
    .filter(({ receipt: { kind, kkm } }) => offered.kind !== "service" || kind !== "service" || kkm === offered.kkm);
}

const states = {
  queued: "queued",
  handed: "printing",
  unknown: "unsure",
  printed: "printed",
  failed: "failed",
  replaced: "cancelled",
} as const;

export function earlierRow(row: ReceiptRow, offered: Pick<Receipt, "receiptId">): EarlierRow {
  const { receipt_id, state } = row;
  const receipt = receiptOf(row);
  const fd = resultOf(row)?.fdNumber ?? null;
  return {
    row,
    id: row.seq,
    // A caller may give back the id that the kit has made.
    receipt: isAnonymous(row) && receipt_id !== offered.receiptId ? { ...receipt, receiptId: null } : receipt,
    state: states[state],
    told: state === "printed" || state === "failed" ? "yes" : "no",
    name: `receipt ${receipt_id}${fd === null ? "" : ` (FD ${fd})`}`,
    tries: 0,
    doneParts: 0,
    // The site does not know of shifts: an equal sale of its order is the same one in each.
    isInOpenShift: () => true,
    isStillInItsShift: () => false,
    wasTriedAgain: () => false,
  };
}
