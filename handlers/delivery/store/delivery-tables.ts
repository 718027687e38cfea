import type { TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import type { Generated, Selectable } from "kysely";

/** Times are milliseconds since the epoch; columns like `body` are JSON text; flags are 0 and 1. */
export type DeliveryTables = {
  /** A row is a shop. The number 0 is the cabinet, whose records all shops share. */
  delivery_resources: {
    id: Generated<number>;
    name: string;
    handler_secret: string;
    callback_secret: string;
    created_at: number;
  };
  delivery_tokens: {
    id: Generated<number>;
    resource: number;
    name: string;
    hash: string;
    created_at: number;
    revoked_at: number | null;
  };
  delivery_settings: { name: string; value: string };
  delivery_records: {
    owner: number;
    kind: string;
    record_id: string;
    /** Sorts ids that are numbers by value, before other ids. */
    sort_key: string;
    is_active: number;
    body: string;
    updated_at: number;
  };
  delivery_orders: {
    resource: number;
    order_id: string;
    is_refund: number;
    sort_key: string;
    is_active: number;
    courier_id: string | null;
    body: string;
    /** How many order-change callbacks were sent about the order so far: `X-Order-Sequence`. */
    callback_sequence: number;
    updated_at: number;
  };
  delivery_journal: {
    id: Generated<number>;
    resource: number;
    order_id: string;
    is_refund: number;
    event: string;
    source: string;
    courier_id: string | null;
    before_item: string | null;
    after_item: string | null;
    created_at: number;
  };
  delivery_status_changes: {
    id: Generated<number>;
    resource: number;
    order_id: string;
    is_refund: number;
    status_id: number;
    return_reason_id: string | null;
    longitude: string | null;
    latitude: string | null;
    accuracy: number | null;
    created_at: number;
  };
  delivery_refunds: { resource: number; refund_id: string; sale_id: string };
  /** Payments that couriers took. A refund order finds its sale by a payment's id. */
  delivery_payments: { resource: number; payment_id: string; order_id: string };
  delivery_locations: {
    id: Generated<number>;
    /** The shop that sees the entry: the order's shop, else the courier's. */
    resource: number;
    owner: number;
    courier_id: string;
    /** Whole minutes since the epoch; one point a minute is stored. */
    minute: number;
    body: string;
    created_at: number;
  };
  delivery_feed_records: {
    id: Generated<number>;
    resource: number;
    kind: string;
    record_id: string;
    courier_id: string | null;
    order_id: string | null;
    body: string;
    created_at: number;
  };
  delivery_order_receipts: {
    id: Generated<number>;
    resource: number;
    order_id: string;
    operation: string;
    fn: string;
    fd_number: string;
    body: string;
    created_at: number;
  };
  delivery_permissions: {
    resource: number;
    role_id: string;
    action_id: string;
    is_allowed: number;
    updated_at: number;
  };
  delivery_online_settings: { resource: number; setting_id: string; body: string; updated_at: number };
  delivery_sessions: {
    id: Generated<number>;
    owner: number;
    courier_id: string;
    device_id: string;
    device_title: string;
    /** SHA-256 of the session's token in hex. */
    token_hash: string;
    started_at: number;
    finished_at: number | null;
  };
  delivery_callbacks: { resource: number; kind: string; url: string; is_active: number };
  /** Callbacks to deliver. A lane has one `fresh` row, which collects changes until it is first tried. */
  delivery_outbox: {
    id: Generated<number>;
    resource: number;
    kind: string;
    lane: string;
    /** `fresh` until the first try, then `sending` with a fixed body, at last `delivered` or `dead` (no more tries). */
    state: string;
    subject: string;
    webhook_id: string | null;
    sequence: number | null;
    body: string | null;
    attempts: number;
    due_at: number;
    claimed_until: number;
    last_error: string | null;
    created_at: number;
    /** The ids of the requests that caused the callback, separated by commas. */
    causes: string | null;
  };
  delivery_idempotency: {
    resource: number;
    idempotency_key: string;
    request_hash: string;
    status: number;
    body: string | null;
    created_at: number;
  };
  /** The money of each sale (account/entries.ts): one row for each receipt of the sale and of its refund orders. */
  account_entries: {
    resource: number;
    sale_id: string;
    seq: number;
    kind: "prepayment" | "sale" | "return";
    basis_seq: number | null;
    refund_id: string | null;
    issued_by: "shop" | "courier" | "operator";
    state: "queued" | "handed" | "registered" | "failed" | "unknown" | "void";
    receipt_id: string | null;
    fn: string | null;
    fd: string | null;
    lines: string;
    payments: string;
    total: number;
    tax_system: TaxSystem | null;
    is_assumed: number;
    /** What our receipt says besides its money. A queued receipt that would now say something else is withdrawn. */
    details: string | null;
    created_at: number;
  };
  /** The last alert for each account that does not balance. */
  account_alerts: { resource: number; sale_id: string; findings: string; codes: string; alerted_at: number };
  delivery_register_tables: { resource: number; kkm: string; body: string; updated_at: number };
};
export type OutboxRow = Selectable<DeliveryTables["delivery_outbox"]>;
export type SessionRow = Selectable<DeliveryTables["delivery_sessions"]>;
