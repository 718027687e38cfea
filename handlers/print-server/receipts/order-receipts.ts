/** The receipts of one order, as the rules for "the same order again" see them. */
import { Fault } from "@fiscald/shared/fault.js";
import { type OrderId, type ReceiptId, toOrderId } from "@fiscald/shared/ids.js";
import { type Kysely, sql, type Transaction } from "kysely";
import { paddedList, prepareQuery } from "../../store/prepared-query.js";
import type { EarlierReceipt } from "./enqueue-rules.js";
import type { ReceiptTables, ShopTables } from "./receipt-tables.js";
import { type ReceiptRow, type StoredReceipt, storedReceipt } from "./stored-receipt.js";

export interface OrderReceipts {
  /** Newest first. */
  readonly rows: readonly ReceiptRow[];
  /** `contentKey`: of the receipt that the row is compared with. */
  toEarlier(row: ReceiptRow, contentKey: string): EarlierReceipt;
}

/**
 * Locks the order: no other transaction adds or changes a receipt of it until this one ends. Taken before any of its
 * rows is locked. Fault `config.invalid` at another isolation level than read committed.
 */
export async function lockOrder(tx: Transaction<ReceiptTables>, orders: ShopTables, orderId: OrderId): Promise<void> {
  await lockOrders(tx, orders, [orderId]);
}

/** The same for many orders. */
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

/** The same for the order of a receipt; null when there is no such receipt or it has no order. */
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
  await lockOrder(tx, orders, orderId);
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

export async function readOrder(
  tx: Transaction<ReceiptTables>,
  { store, resource }: ShopTables,
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
      const sameContent = row.content_key === contentKey;
      return { ...stored, sameContent, shiftClosed: isInClosedShift(stored, closedShifts) };
    },
  };
}

function isInClosedShift({ result }: StoredReceipt, closedShifts: ReadonlyMap<string, number>): boolean {
  if (result === null || result.shiftNumber === null) return false;
  return Number(result.shiftNumber) <= (closedShifts.get(result.fn) ?? 0);
}
