/** The receipts of one order in the form that the rules for repeated orders (`decideRepeat`) need. */
import { Fault } from "@fiscald/shared/fault.js";
import { type OrderId, type ReceiptId, toOrderId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { isSameOrder } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { EarlierReceipt } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { repeatTexts } from "@fiscald/shared/receipt/repeats/repeat-texts.js";
import { type Kysely, sql } from "kysely";
import { paddedList, prepareQuery } from "../../store/prepared-query.js";
import { type ReceiptTables, type ReceiptTx, type ShopTables, selectReceipts } from "../receipt-tables.js";
import { isAnonymous } from "./receipt-ids.js";
import { type ReceiptRow, receiptOf, resultOf } from "./stored-receipt.js";

export interface EarlierRow extends EarlierReceipt {
  readonly row: ReceiptRow;
}

/**
 * Until this transaction ends, no other one adds or changes receipts of these orders. Lock orders before any of their
 * rows. Fault `config.invalid` at another isolation level than read committed.
 */
export async function lockOrders(tx: ReceiptTx, { store, resource }: ShopTables, orderIds: readonly OrderId[]) {
  if (store.kind !== "postgres") return;
  const orders = orderIds.map((orderId) => JSON.stringify([resource, orderId]));
  const each = sql`unnest(${orders}::text[]) as each_order`;
  // Some libraries cannot read the type void.
  const lock = sql`pg_advisory_xact_lock(hashtextextended(each_order, 0))::text`;
  const level = sql`current_setting('transaction_isolation') as level`;
  const { rows } = await sql<{ readonly level: string }>`select ${lock}, ${level} from ${each}`.execute(tx);
  const other = rows.find((row) => row.level !== "read committed");
  if (other === undefined) return;
  const message =
    `\`within\` must be a transaction of the isolation level read committed: in one of ${other.level} the order's newest ` +
    'receipts do not show, and it could get a second one. Begin it with `.setIsolationLevel("read committed")`.';
  throw new Fault("config.invalid", { message, place: "within" });
}

/** Locks the receipt's order too. */
export async function lockReceipt(tx: ReceiptTx, shop: ShopTables, id: ReceiptId): Promise<ReceiptRow | undefined> {
  const find = selectReceipts(tx, shop).selectAll().where("receipt_id", "=", id);
  const order = (await find.executeTakeFirst())?.order_id ?? null;
  if (order !== null) await lockOrders(tx, shop, [toOrderId(order)]);
  return find.$if(shop.store.kind === "postgres", (query) => query.forUpdate()).executeTakeFirst();
}

const idsWithReceipts = prepareQuery((db: Kysely<ReceiptTables>, resource: string, orderIds: readonly string[]) =>
  selectReceipts(db, { resource }).select("order_id").distinct().where("order_id", "in", orderIds),
);

export async function ordersWithReceipts(tx: ReceiptTx, { resource }: ShopTables, orderIds: readonly OrderId[]) {
  const rows = orderIds.length === 0 ? [] : await idsWithReceipts(tx, resource, paddedList(orderIds));
  return new Set(rows.map((row) => row.order_id));
}

export function receiptsOfOrder(tx: ReceiptTx, shop: ShopTables, orderId: OrderId): Promise<readonly ReceiptRow[]> {
  return selectReceipts(tx, shop)
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("seq", "desc")
    .$if(shop.store.kind === "postgres", (query) => query.forUpdate())
    .execute();
}

/**
 * The order's receipts that count for an offered one. Replaced and withdrawn ones do not, unless another order offers
 * the id of one. Equal service jobs for two registers are two jobs: each register has its own drawer and shift.
 */
export function earlierRows(offered: Receipt, rows: readonly ReceiptRow[]): readonly EarlierRow[] {
  return rows
    .map((row) => earlierRow(row, offered))
    .filter(({ row, receipt }) => {
      if (row.state === "replaced") return row.receipt_id === offered.receiptId && !isSameOrder(offered, receipt);
      if (offered.kind !== "service" || receipt.kind !== "service") return true;
      return receipt.kkm === offered.kkm || row.receipt_id === offered.receiptId;
    });
}

const states = {
  queued: "queued",
  handed: "printing",
  unknown: "unsure",
  printed: "printed",
  failed: "failed",
  replaced: "cancelled",
} as const;

function earlierRow(row: ReceiptRow, offered: Receipt): EarlierRow {
  const { receipt_id, state } = row;
  const receipt = receiptOf(row);
  const result = resultOf(row);
  return {
    row,
    id: row.seq,
    // An id that the kit made counts as none, unless the caller passes that id.
    receipt: isAnonymous(row) && receipt_id !== offered.receiptId ? { ...receipt, receiptId: null } : receipt,
    state: states[state],
    told: state === "printed" || state === "failed" ? "yes" : "no",
    name: repeatTexts.receipt(receipt_id, result?.fdNumber ?? null),
    fiscalSign: result?.fiscalSign ?? null,
    tries: 0,
    doneParts: 0,
    // The site does not know shifts, so an equal sale of the order is the same sale in any shift.
    isInOpenShift: () => true,
    isStillInItsShift: () => false,
    wasTriedAgain: () => false,
  };
}
