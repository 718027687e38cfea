import { sql } from "kysely";
import type { MigrationContext, MigrationSet } from "../../store/migrate.js";

/** Once released, a migration is never changed: a change of the tables is a further one. */
export const deliveryMigrations: MigrationSet = {
  name: "delivery",
  migrations: [
    async (context) => {
      await createAccessTables(context);
      await createOrderTables(context);
      await createRefundTables(context);
      await createFeedTables(context);
      await createQueueTables(context);
      await createReceiptTables(context);
    },
  ],
};

async function createAccessTables({ db, text, bigint, countedKey }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("delivery_resources")
    .addColumn("id", bigint, countedKey)
    .addColumn("name", text, (column) => column.notNull().unique())
    .addColumn("handler_secret", text, (column) => column.notNull())
    .addColumn("callback_secret", text, (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("delivery_tokens")
    .addColumn("id", bigint, countedKey)
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema
    .createTable("delivery_settings")
    .addColumn("name", text, (column) => column.primaryKey())
    .addColumn("value", text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("delivery_records")
    .addColumn("owner", "integer", (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("record_id", text, (column) => column.notNull())
    .addColumn("sort_key", text, (column) => column.notNull())
    .addColumn("is_active", "integer", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_records_key", ["owner", "kind", "record_id"])
    .execute();
  await db.schema
    .createIndex("delivery_records_in_order")
    .on("delivery_records")
    .columns(["owner", "kind", "is_active", "sort_key"])
    .execute();
  await db.schema
    .createTable("delivery_permissions")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("role_id", text, (column) => column.notNull())
    .addColumn("action_id", text, (column) => column.notNull())
    .addColumn("is_allowed", "integer", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_permissions_key", ["resource", "role_id", "action_id"])
    .execute();
  await db.schema
    .createTable("delivery_online_settings")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("setting_id", text, (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_online_settings_key", ["resource", "setting_id"])
    .execute();
}

async function createOrderTables({ db, text, bigint, countedKey }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("delivery_orders")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("order_id", text, (column) => column.notNull())
    .addColumn("is_refund", "integer", (column) => column.notNull())
    .addColumn("sort_key", text, (column) => column.notNull())
    .addColumn("is_active", "integer", (column) => column.notNull())
    .addColumn("courier_id", text)
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("callback_sequence", "integer", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_orders_key", ["resource", "order_id", "is_refund"])
    .execute();
  await db.schema
    .createIndex("delivery_orders_in_order")
    .on("delivery_orders")
    .columns(["resource", "is_active", "sort_key", "is_refund"])
    .execute();
  await db.schema
    .createIndex("delivery_orders_of_courier")
    .on("delivery_orders")
    .columns(["courier_id", "is_active", "resource", "sort_key", "is_refund"])
    .execute();
  await db.schema
    .createTable("delivery_journal")
    .addColumn("id", bigint, countedKey)
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("order_id", text, (column) => column.notNull())
    .addColumn("is_refund", "integer", (column) => column.notNull())
    .addColumn("event", text, (column) => column.notNull())
    .addColumn("source", text, (column) => column.notNull())
    .addColumn("courier_id", text)
    .addColumn("before_item", "text")
    .addColumn("after_item", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("delivery_journal_of_order")
    .on("delivery_journal")
    .columns(["resource", "order_id", "id"])
    .execute();
  await db.schema
    .createTable("delivery_status_changes")
    .addColumn("id", bigint, countedKey)
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("order_id", text, (column) => column.notNull())
    .addColumn("is_refund", "integer", (column) => column.notNull())
    .addColumn("status_id", "integer", (column) => column.notNull())
    .addColumn("return_reason_id", text)
    .addColumn("longitude", text)
    .addColumn("latitude", text)
    .addColumn("accuracy", "double precision")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("delivery_status_changes_of_order")
    .on("delivery_status_changes")
    .columns(["resource", "order_id", "is_refund", "id"])
    .execute();
  await db.schema
    .createIndex("delivery_status_changes_by_status")
    .on("delivery_status_changes")
    .columns(["resource", "status_id", "created_at"])
    .execute();
  await db.schema
    .createTable("delivery_payments")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("payment_id", text, (column) => column.notNull())
    .addColumn("order_id", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_payments_key", ["resource", "payment_id"])
    .execute();
}

/** Which refund orders a sale has, and by which payments they name it. */
async function createRefundTables({ db, text }: MigrationContext): Promise<void> {
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
}

async function createFeedTables({ db, text, bigint, countedKey }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("delivery_sessions")
    .addColumn("id", bigint, countedKey)
    .addColumn("owner", "integer", (column) => column.notNull())
    .addColumn("courier_id", text, (column) => column.notNull())
    .addColumn("device_id", text, (column) => column.notNull())
    .addColumn("device_title", text, (column) => column.notNull())
    .addColumn("token_hash", text, (column) => column.notNull().unique())
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("finished_at", "bigint")
    .execute();
  await db.schema
    .createIndex("delivery_sessions_open")
    .on("delivery_sessions")
    .columns(["finished_at", "owner", "device_id"])
    .execute();
  await db.schema
    .createTable("delivery_locations")
    .addColumn("id", bigint, countedKey)
    // Whose courier it is; 0 = the cabinet's.
    .addColumn("owner", "integer", (column) => column.notNull())
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("courier_id", text, (column) => column.notNull())
    .addColumn("minute", "bigint", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("delivery_locations_per_minute", ["owner", "courier_id", "minute"])
    .execute();
  await db.schema
    .createTable("delivery_feed_records")
    .addColumn("id", bigint, countedKey)
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("record_id", text, (column) => column.notNull())
    .addColumn("courier_id", text)
    .addColumn("order_id", text)
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("delivery_feed_records_once", ["resource", "kind", "record_id"])
    .execute();
  await db.schema
    .createIndex("delivery_feed_records_of_order")
    .on("delivery_feed_records")
    .columns(["resource", "order_id", "kind", "id"])
    .execute();
  await db.schema
    .createTable("delivery_order_receipts")
    .addColumn("id", bigint, countedKey)
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("order_id", text, (column) => column.notNull())
    .addColumn("operation", text, (column) => column.notNull())
    .addColumn("fn", text, (column) => column.notNull())
    .addColumn("fd_number", text, (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("delivery_order_receipts_once", ["resource", "fn", "fd_number"])
    .execute();
  await db.schema
    .createIndex("delivery_order_receipts_of_order")
    .on("delivery_order_receipts")
    .columns(["resource", "order_id", "operation", "id"])
    .execute();
}

async function createQueueTables({ db, text, bigint, countedKey }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("delivery_callbacks")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("url", text, (column) => column.notNull())
    .addColumn("is_active", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_callbacks_key", ["resource", "kind"])
    .execute();
  await db.schema
    .createTable("delivery_outbox")
    .addColumn("id", bigint, countedKey)
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("lane", text, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("subject", text, (column) => column.notNull())
    .addColumn("webhook_id", text)
    .addColumn("sequence", "integer")
    .addColumn("body", "text")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("due_at", "bigint", (column) => column.notNull())
    .addColumn("claimed_until", "bigint", (column) => column.notNull())
    .addColumn("last_error", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("delivery_outbox_one_fresh")
    .unique()
    .on("delivery_outbox")
    .column("lane")
    .where(sql<boolean>`state = 'fresh'`)
    .execute();
  await db.schema
    .createIndex("delivery_outbox_waiting")
    .on("delivery_outbox")
    .columns(["state", "lane", "id"])
    .execute();
  await db.schema
    .createIndex("delivery_outbox_by_age")
    .on("delivery_outbox")
    .columns(["state", "created_at"])
    .execute();
  await db.schema
    .createTable("delivery_idempotency")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("idempotency_key", text, (column) => column.notNull())
    .addColumn("request_hash", text, (column) => column.notNull())
    .addColumn("status", "integer", (column) => column.notNull())
    .addColumn("body", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_idempotency_key", ["resource", "idempotency_key"])
    .execute();
  await db.schema.createIndex("delivery_idempotency_by_age").on("delivery_idempotency").column("created_at").execute();
}

/** The money of each sale (account/): entries are added, and only their states change. */
async function createReceiptTables({ db, text }: MigrationContext): Promise<void> {
  await db.schema
    .createTable("account_entries")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("sale_id", text, (column) => column.notNull())
    .addColumn("seq", "integer", (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("basis_seq", "integer")
    .addColumn("refund_id", text)
    .addColumn("issued_by", text, (column) => column.notNull())
    .addColumn("state", text, (column) => column.notNull())
    .addColumn("receipt_id", text)
    .addColumn("fn", text)
    .addColumn("fd", text)
    .addColumn("lines", "text", (column) => column.notNull())
    .addColumn("payments", "text", (column) => column.notNull())
    .addColumn("total", "bigint", (column) => column.notNull())
    .addColumn("tax_system", "integer")
    .addColumn("is_assumed", "integer", (column) => column.notNull())
    .addColumn("details", text)
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("account_entries_key", ["resource", "sale_id", "seq"])
    .execute();
  await db.schema
    .createIndex("account_entries_one_queued")
    .unique()
    .on("account_entries")
    .expression(sql`resource, sale_id, kind, coalesce(basis_seq, 0), coalesce(refund_id, '')`)
    .where(sql<boolean>`state = 'queued'`)
    .execute();
  await db.schema
    .createIndex("account_entries_document")
    .unique()
    .on("account_entries")
    .columns(["resource", "fn", "fd"])
    .where(sql<boolean>`fd is not null and state <> 'void'`)
    .execute();
  await db.schema
    .createIndex("account_entries_receipt")
    .on("account_entries")
    .columns(["resource", "receipt_id"])
    .execute();
  await db.schema
    .createTable("account_alerts")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("sale_id", text, (column) => column.notNull())
    .addColumn("findings", "text", (column) => column.notNull())
    .addColumn("alerted_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("account_alerts_key", ["resource", "sale_id"])
    .execute();
  await db.schema
    .createTable("delivery_register_tables")
    .addColumn("resource", "integer", (column) => column.notNull())
    .addColumn("kkm", text, (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("delivery_register_tables_key", ["resource", "kkm"])
    .execute();
}
