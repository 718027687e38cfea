/** Changes of the delivery API's tables since they were made first, in their order. */
import { sql } from "kysely";
import type { MigrationContext } from "../../store/migrate.js";
import { formatWireTime } from "../http/wire-time.js";
import { toWireId } from "../http/wire-types.js";
import { jsonObject } from "./stored-json.js";

/** For forgetting old callbacks. */
export async function addOutboxAge({ db }: MigrationContext): Promise<void> {
  await db.schema
    .createIndex("delivery_outbox_by_age")
    .on("delivery_outbox")
    .columns(["state", "created_at"])
    .execute();
}

/** Which refund orders a sale has: their sums are held against what was sold. */
export async function addRefundLinks({ db, kind, text }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("delivery_refunds")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("refund_id", text, (column) => column.notNull())
    .addColumn("sale_id", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_refunds_key", ["resource", "refund_id"])
    .execute();
  await db.schema
    .createIndex("delivery_refunds_of_sale")
    .on("delivery_refunds")
    .columns(["resource", "sale_id"])
    .execute();
  const saleId =
    kind === "postgres" ? sql`body::json ->> 'originalOrderId'` : sql`json_extract(body, '$.originalOrderId')`;
  await sql`insert into delivery_refunds (resource, refund_id, sale_id)
    select resource, order_id, ${saleId} from delivery_orders where is_refund = 1 and ${saleId} is not null`.execute(
    db,
  );
}

/** Receipts that an order has had for the same thing before: what becomes of them late is still the order's. */
export async function addEarlierReceipts({ db, text }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("delivery_earlier_receipts")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("receipt_id", text, (column) => column.notNull())
    .addColumn("order_id", text, (column) => column.notNull())
    .addColumn("is_refund", "integer", (column) => column.notNull())
    .addColumn("purpose", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_earlier_receipts_key", ["resource", "receipt_id"])
    .execute();
}

/** Whose courier a point is of (0 = the cabinet's): one a minute is kept of each, for whichever shop it is. */
export async function addLocationOwners({ db }: MigrationContext): Promise<void> {
  await db.schema
    .alterTable("delivery_locations")
    .addColumn("owner", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update delivery_locations set owner = resource`.execute(db);
  await db.schema
    .createIndex("delivery_locations_per_courier")
    .unique()
    .on("delivery_locations")
    .columns(["owner", "courier_id", "minute"])
    .execute();
}

/** What receipts gave, line by line: what goes back is a part of that, whatever the catalog says then. */
export async function addReceiptLines({ db, text }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("delivery_receipt_lines")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("receipt_id", text, (column) => column.notNull())
    .addColumn("lines", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_receipt_lines_key", ["resource", "receipt_id"])
    .execute();
}

/** By which payments refund orders name their sale: those of the orders that there are, too. */
export async function addRefundPayments({ db, kind, text }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("delivery_refund_payments")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("refund_id", text, (column) => column.notNull())
    .addColumn("payment_id", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_refund_payments_key", ["resource", "refund_id", "payment_id"])
    .execute();
  await db.schema
    .createIndex("delivery_refund_payments_by_payment")
    .on("delivery_refund_payments")
    .columns(["resource", "payment_id"])
    .execute();
  const isPostgres = kind === "postgres";
  const payments = isPostgres ? sql`json_array_elements(body::json -> 'payments')` : sql`json_each(body, '$.payments')`;
  const paymentId = isPostgres ? sql`payment.value ->> 'paymentId'` : sql`json_extract(payment.value, '$.paymentId')`;
  // Of the deleted ones, those that were paid: their money went back.
  const statusId = isPostgres ? sql`body::json ->> 'statusId' = '1'` : sql`json_extract(body, '$.statusId') = 1`;
  await sql`insert into delivery_refund_payments (resource, refund_id, payment_id)
    select distinct resource, order_id, ${paymentId} from delivery_orders, ${payments} as payment
    where is_refund = 1 and (is_active = 1 or ${statusId})`.execute(db);
}

/** Of a sale or of its refund with the same id: rows of ids that are both's already may be of either. */
export async function addJournalKind({ db }: MigrationContext): Promise<void> {
  await db.schema.alterTable("delivery_journal").addColumn("is_refund", "integer").execute();
  await sql`update delivery_journal set is_refund = (
    select case when count(*) = 1 then max(o.is_refund) end from delivery_orders o
    where o.resource = delivery_journal.resource and o.order_id = delivery_journal.order_id)`.execute(db);
}

/**
 * A return receipt of a courier's register that came before its return is kept as one of its sale: it stood under the id that the
 * sale's next refund order would have, its own (`1042`) or, after the first one, `1042-2`. Where that may be of two sales it stays
 * as it was, and the shop is told: it counts for the refund order of that id.
 */
export async function moveKeptReturns({ db }: MigrationContext): Promise<void> {
  const kept = await sql<{ id: number; resource: number; next: string }>`select id, resource, order_id as next
    from delivery_fiscal_tasks t where is_refund = 1 and purpose = 'return' and state = 'elsewhere' and not exists (
      select 1 from delivery_orders o where o.resource = t.resource and o.order_id = t.order_id and o.is_refund = 1)`.execute(
    db,
  );
  for (const { id, resource, next } of kept.rows) {
    const first = next.replace(/-\d+$/, "");
    const sales = await sql<{ orderId: string }>`select order_id as "orderId" from delivery_orders
      where resource = ${resource} and order_id in (${first}, ${next})
      group by order_id having min(is_refund) = 0 and (max(is_refund) = 1 or order_id = ${next})
      order by length(order_id)`.execute(db);
    const documents = await sql<KeptDocument>`
      select id, fn, fd_number as "fdNumber", body, created_at as "createdAt" from delivery_order_receipts
      where resource = ${resource} and order_id = ${next} and operation = 'return' order by id desc`.execute(db);
    const [[sale, other], [found]] = [sales.rows, documents.rows];
    if (sale === undefined || found === undefined) continue;
    if (other !== undefined) {
      await tellOfTwoSales(db, { resource, next, orderIds: [sale.orderId, other.orderId], document: found });
      continue;
    }
    await sql`update delivery_fiscal_tasks set order_id = ${sale.orderId}, is_refund = 0,
      purpose = ${`kept-return:${found.fn}:${found.fdNumber}`} where id = ${id}`.execute(db);
    const body = JSON.stringify({ ...jsonObject(found.body), orderId: toWireId(sale.orderId) });
    await sql`update delivery_order_receipts set order_id = ${sale.orderId}, body = ${body} where id = ${found.id}`.execute(
      db,
    );
  }
}

interface KeptDocument {
  readonly id: number;
  readonly fn: string;
  readonly fdNumber: string;
  readonly body: string;
  readonly createdAt: number;
}

/** In the shop's register log (register-log.ts). */
async function tellOfTwoSales(
  db: MigrationContext["db"],
  {
    resource,
    next,
    orderIds,
    document: { fn, fdNumber, createdAt },
  }: {
    readonly resource: number;
    readonly next: string;
    readonly orderIds: readonly string[];
    readonly document: KeptDocument;
  },
): Promise<void> {
  const frId = `twice:${fn}:${fdNumber}:of two sales`;
  const text = `FD ${fdNumber} of drive ${fn}, a return, may be of order ${orderIds.join(" or of order ")}: it is taken for the receipt of refund order ${next} when that comes. If it is of the other order, what is wrong is to be put right at its register.`;
  const body = JSON.stringify({
    frId,
    courierId: null,
    errorCode: "job.already-printed",
    errorText: text,
    serialNumber: null,
    amount: null,
    orderId: toWireId(next),
    commandExecutedAt: formatWireTime(Number(createdAt)),
  });
  await sql`insert into delivery_feed_records (resource, kind, record_id, order_id, body, created_at)
    values (${resource}, 'register', ${frId}, ${next}, ${body}, ${createdAt}) on conflict do nothing`.execute(db);
}

/**
 * What a return without a receipt of ours is of. Until then the made-up number of a courier's register told it of a prepayment's
 * share, the purpose of its whole return, and the times of one of the sale: it came after that.
 */
export async function addReturnOf({ db, text }: MigrationContext): Promise<void> {
  await db.schema.alterTable("delivery_fiscal_tasks").addColumn("return_of", text).execute();
  await sql`update delivery_fiscal_tasks set return_of = 'prepayment' where state = 'covered'
    or (state = 'elsewhere' and (receipt_id like 'none:prepaid:%' or purpose like 'prepayment-return%'))`.execute(db);
  await sql`update delivery_fiscal_tasks set return_of = 'sale' where return_of is null and state = 'elsewhere'
    and (purpose = 'return' or purpose like 'kept-return:%') and exists (
      select 1 from delivery_fiscal_tasks s where s.resource = delivery_fiscal_tasks.resource and s.is_refund = 0
      and s.purpose = 'sale' and s.state in ('printed', 'elsewhere') and s.updated_at < delivery_fiscal_tasks.updated_at
      and s.order_id = case when delivery_fiscal_tasks.is_refund = 0 then delivery_fiscal_tasks.order_id else (
        select sale_id from delivery_refunds r where r.resource = delivery_fiscal_tasks.resource
        and r.refund_id = delivery_fiscal_tasks.order_id) end)`.execute(db);
}
