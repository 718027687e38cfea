import { systemClock } from "@fiscald/shared/clock.js";
import { sql } from "kysely";
import type { MigrationContext, MigrationSet } from "../../store/migrate.js";
import type { DeliveryTables } from "./delivery-tables.js";

/** Once released, a migration is never changed: a change of the tables is a new migration. */
export const deliveryMigrations: MigrationSet = {
  name: "delivery",
  migrations: [
    (context) => context.run(firstTables(context)),
    nameCloseTypes,
    nameAlertCodes,
    ({ run }) => run("alter table delivery_outbox add column causes text"),
    // Without these indexes, lists by courier and by kind read whole tables. So does the sender while a receiver is
    // down.
    ({ run }) =>
      run(`
        create index delivery_outbox_due on delivery_outbox (due_at, id) where state in ('fresh', 'sending');
        create index delivery_locations_of_courier on delivery_locations (resource, courier_id, created_at, id);
        create index delivery_feed_records_of_kind on delivery_feed_records (resource, kind, id);
        create index delivery_feed_records_of_courier on delivery_feed_records (resource, kind, courier_id, id);`),
    // A refund order finds its sale by the sale's own payments, not by payments of other refund orders.
    ({ run }) => run("drop table if exists delivery_refund_payments"),
    // This index holds waiting callbacks alone. The sender reads it at each callback, however many were delivered.
    ({ run }) =>
      run(`
        create index delivery_outbox_lanes on delivery_outbox (lane, id) where state in ('fresh', 'sending');
        drop index delivery_outbox_waiting;`),
    // These indexes serve each print result, each login, and each callback while a receiver is down.
    ({ run }) =>
      run(`
        create index delivery_outbox_results on delivery_outbox (webhook_id) where sequence is null;
        create index delivery_sessions_of_device on delivery_sessions (courier_id, device_id);
        create index delivery_callbacks_by_url on delivery_callbacks (url);`),
    // Only the sender's list can use this index and no other one. Before, PostgreSQL read the index whole for each lane,
    // and SQLite sorted all waiting callbacks.
    ({ run }) =>
      run(`
        drop index delivery_outbox_due;
        create index delivery_outbox_due on delivery_outbox (due_at, id)
          where state not in ('delivered', 'dead') and due_at > 0;`),
  ],
};

/** Adds to each alert the codes of its findings, separated by blanks. */
function nameAlertCodes({ run }: MigrationContext): Promise<void> {
  return run(`
    alter table account_alerts add column codes text not null default '';
    update account_alerts set codes = 'receipt.payment-type' where findings like '%has no closeTypeId%';`);
}

/** Payment types without `closeTypeId` were electronic before. Now they say so, and each shop's log lists them. */
async function nameCloseTypes({ db }: MigrationContext): Promise<void> {
  const records = await sql<Pick<DeliveryTables["delivery_records"], "owner" | "record_id" | "body">>`
    select owner, record_id, body from delivery_records where kind = 'paymentTypes' order by owner, sort_key`.execute(
    db,
  );
  const changed = records.rows.filter(({ body }) => (JSON.parse(body).closeTypeId ?? null) === null);
  if (changed.length === 0) return;
  for (const { owner, record_id: id, body } of changed) {
    await sql`update delivery_records set body = ${JSON.stringify({ ...JSON.parse(body), closeTypeId: "1" })}
      where owner = ${owner} and kind = 'paymentTypes' and record_id = ${id}`.execute(db);
  }
  const now = systemClock.now();
  const commandExecutedAt = new Date(now).toISOString().slice(0, 19).replace("T", " ");
  const shops = await sql<{ readonly id: number }>`select id from delivery_resources`.execute(db);
  for (const { id: resource } of shops.rows) {
    const own = changed.filter(({ owner }) => owner === resource || owner === cabinet).map((type) => type.record_id);
    if (own.length === 0) continue;
    const text = `Payment types without closeTypeId are electronic (1) as before: ${own.join(", ")}. Set what is right in /paymentTypes; a new type without it has no receipts.`;
    const frId = "close-types";
    const body = { ...logEntry, frId, errorText: text, commandExecutedAt };
    await sql`insert into delivery_feed_records (resource, kind, record_id, body, created_at)
      values (${resource}, 'register', ${frId}, ${JSON.stringify(body)}, ${now})`.execute(db);
  }
}

/** The owner number of the records that all shops share. */
const cabinet = 0;

const logEntry = {
  courierId: null,
  errorCode: "receipt.payment-type",
  serialNumber: null,
  amount: null,
  orderId: null,
};

function firstTables({ text, counted }: MigrationContext): string {
  return `
create table delivery_resources (
  id ${counted}, name ${text} not null unique,
  handler_secret ${text} not null, callback_secret ${text} not null, created_at bigint not null
);
create table delivery_tokens (
  id ${counted}, resource integer not null, name ${text} not null, hash ${text} not null unique,
  created_at bigint not null, revoked_at bigint
);
create table delivery_settings (name ${text} primary key, value ${text} not null);

create table delivery_records (
  owner integer not null, kind ${text} not null, record_id ${text} not null, sort_key ${text} not null,
  is_active integer not null, body text not null, updated_at bigint not null,
  primary key (owner, kind, record_id)
);
create index delivery_records_in_order on delivery_records (owner, kind, is_active, sort_key);
create table delivery_permissions (
  resource integer not null, role_id ${text} not null, action_id ${text} not null,
  is_allowed integer not null, updated_at bigint not null,
  primary key (resource, role_id, action_id)
);
create table delivery_online_settings (
  resource integer not null, setting_id ${text} not null, body text not null, updated_at bigint not null,
  primary key (resource, setting_id)
);

create table delivery_orders (
  resource integer not null, order_id ${text} not null, is_refund integer not null, sort_key ${text} not null,
  is_active integer not null, courier_id ${text}, body text not null, callback_sequence integer not null,
  updated_at bigint not null,
  primary key (resource, order_id, is_refund)
);
create index delivery_orders_in_order on delivery_orders (resource, is_active, sort_key, is_refund);
create index delivery_orders_of_courier on delivery_orders (courier_id, is_active, resource, sort_key, is_refund);
create table delivery_journal (
  id ${counted}, resource integer not null, order_id ${text} not null, is_refund integer not null,
  event ${text} not null, source ${text} not null, courier_id ${text}, before_item text, after_item text,
  created_at bigint not null
);
create index delivery_journal_of_order on delivery_journal (resource, order_id, id);
create table delivery_status_changes (
  id ${counted}, resource integer not null, order_id ${text} not null, is_refund integer not null,
  status_id integer not null, return_reason_id ${text},
  longitude ${text}, latitude ${text}, accuracy double precision, created_at bigint not null
);
create index delivery_status_changes_of_order on delivery_status_changes (resource, order_id, is_refund, id);
create index delivery_status_changes_by_status on delivery_status_changes (resource, status_id, created_at);
create table delivery_payments (
  resource integer not null, payment_id ${text} not null, order_id ${text} not null,
  primary key (resource, payment_id)
);
create table delivery_refunds (
  resource integer not null, refund_id ${text} not null, sale_id ${text} not null,
  primary key (resource, refund_id)
);
create index delivery_refunds_of_sale on delivery_refunds (resource, sale_id);
create table delivery_refund_payments (
  resource integer not null, refund_id ${text} not null, payment_id ${text} not null,
  primary key (resource, refund_id, payment_id)
);
create index delivery_refund_payments_by_payment on delivery_refund_payments (resource, payment_id);

create table delivery_sessions (
  id ${counted}, owner integer not null, courier_id ${text} not null,
  device_id ${text} not null, device_title ${text} not null, token_hash ${text} not null unique,
  started_at bigint not null, finished_at bigint
);
create index delivery_sessions_open on delivery_sessions (finished_at, owner, device_id);
create table delivery_locations (
  id ${counted}, owner integer not null, resource integer not null, courier_id ${text} not null,
  minute bigint not null, body text not null, created_at bigint not null,
  unique (owner, courier_id, minute)
);
create table delivery_feed_records (
  id ${counted}, resource integer not null, kind ${text} not null, record_id ${text} not null,
  courier_id ${text}, order_id ${text}, body text not null, created_at bigint not null,
  unique (resource, kind, record_id)
);
create index delivery_feed_records_of_order on delivery_feed_records (resource, order_id, kind, id);
create table delivery_order_receipts (
  id ${counted}, resource integer not null, order_id ${text} not null, operation ${text} not null,
  fn ${text} not null, fd_number ${text} not null, body text not null, created_at bigint not null,
  unique (resource, fn, fd_number)
);
create index delivery_order_receipts_of_order on delivery_order_receipts (resource, order_id, operation, id);

create table delivery_callbacks (
  resource integer not null, kind ${text} not null, url ${text} not null, is_active integer not null,
  primary key (resource, kind)
);
create table delivery_outbox (
  id ${counted}, resource integer not null, kind ${text} not null, lane ${text} not null, state ${text} not null,
  subject ${text} not null, webhook_id ${text}, sequence integer, body text,
  attempts integer not null, due_at bigint not null, claimed_until bigint not null, last_error text,
  created_at bigint not null
);
create unique index delivery_outbox_one_fresh on delivery_outbox (lane) where state = 'fresh';
create index delivery_outbox_waiting on delivery_outbox (state, lane, id);
create index delivery_outbox_by_age on delivery_outbox (state, created_at);
create table delivery_idempotency (
  resource integer not null, idempotency_key ${text} not null, request_hash ${text} not null,
  status integer not null, body text, created_at bigint not null,
  primary key (resource, idempotency_key)
);
create index delivery_idempotency_by_age on delivery_idempotency (created_at);

create table account_entries (
  resource integer not null, sale_id ${text} not null, seq integer not null, kind ${text} not null,
  basis_seq integer, refund_id ${text}, issued_by ${text} not null, state ${text} not null, receipt_id ${text},
  fn ${text}, fd ${text}, lines text not null, payments text not null, total bigint not null, tax_system integer,
  is_assumed integer not null, details ${text}, created_at bigint not null,
  primary key (resource, sale_id, seq)
);
create unique index account_entries_one_queued
  on account_entries (resource, sale_id, kind, coalesce(basis_seq, 0), coalesce(refund_id, '')) where state = 'queued';
create unique index account_entries_document
  on account_entries (resource, fn, fd) where fd is not null and state <> 'void';
create index account_entries_receipt on account_entries (resource, receipt_id);
create table account_alerts (
  resource integer not null, sale_id ${text} not null, findings text not null, alerted_at bigint not null,
  primary key (resource, sale_id)
);
create table delivery_register_tables (
  resource integer not null, kkm ${text} not null, body text not null, updated_at bigint not null,
  primary key (resource, kkm)
);
`;
}
