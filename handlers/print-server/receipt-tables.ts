/** The receipt store's tables: what was enqueued, who holds it, and what became of it. */
import type { Generated } from "kysely";
import type { MigrationSet } from "../store/migrate.js";

/**
 * `queued` (never handed out) -> `handed` (a print server has it) -> `printed | failed | unknown`; `replaced` by newer
 * content, or withdrawn, while it was queued.
 */
export const receiptStates = ["queued", "handed", "printed", "failed", "unknown", "replaced"] as const;
export type ReceiptState = (typeof receiptStates)[number];

/** An `offer_due` that does not come. */
export const NEVER = Number.MAX_SAFE_INTEGER;

export type ReceiptTables = {
  print_receipts: {
    /** The order of handing out. */
    seq: Generated<number>;
    receipt_id: string;
    /** Whose receipts these are; "" for a site of one shop. */
    resource: string;
    order_id: string | null;
    /** The register that the receipt names; null = any. */
    kkm: string | null;
    /** Equal keys mean the same receipt (domain 7.3). */
    content_key: string;
    /** The domain receipt as JSON. */
    receipt: string;
    state: ReceiptState;
    /** Who alone may get it again: a daemon, or the callers for one kkm. */
    holder: string | null;
    offers: number;
    /** From when on it is worth offering again, ms; `NEVER` = another receipt of its order stands in its place. */
    offer_due: number;
    /** The result that stands, as JSON. */
    result: string | null;
    /** `webhook-id`s of its results so far, as a JSON list: a late repeat must not undo a newer result. */
    messages: string;
    created_at: number;
    /** 1 = enqueued by name (`printAnyway`), whatever else its order has. */
    forced: Generated<number>;
    /** When the result that stands came, ms. */
    finished_at: number | null;
  };
  /** The last shift known to be closed, by fiscal drive. */
  print_shifts: { resource: string; fn: string; closed_shift: number };
};

export const receiptMigrations: MigrationSet = {
  name: "print-server",
  migrations: [
    async ({ db, text, bigint, countedKey }) => {
      await db.schema
        .createTable("print_receipts")
        .addColumn("seq", bigint, countedKey)
        .addColumn("receipt_id", text, (column) => column.notNull().unique())
        .addColumn("resource", text, (column) => column.notNull())
        .addColumn("order_id", text)
        .addColumn("kkm", text)
        .addColumn("content_key", text, (column) => column.notNull())
        .addColumn("receipt", text, (column) => column.notNull())
        .addColumn("state", text, (column) => column.notNull())
        .addColumn("holder", text)
        .addColumn("offers", "integer", (column) => column.notNull())
        .addColumn("offer_due", bigint, (column) => column.notNull())
        .addColumn("result", text)
        .addColumn("messages", text, (column) => column.notNull())
        .addColumn("created_at", bigint, (column) => column.notNull())
        .addColumn("finished_at", bigint)
        .execute();
      await db.schema
        .createIndex("print_receipts_by_state")
        .on("print_receipts")
        .columns(["resource", "state", "seq"])
        .execute();
      await db.schema
        .createIndex("print_receipts_by_order")
        .on("print_receipts")
        .columns(["resource", "order_id"])
        .execute();
      await db.schema
        .createTable("print_shifts")
        .addColumn("resource", text, (column) => column.notNull())
        .addColumn("fn", text, (column) => column.notNull())
        .addColumn("closed_shift", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("print_shifts_key", ["resource", "fn"])
        .execute();
    },
    async ({ db }) => {
      await db.schema
        .alterTable("print_receipts")
        .addColumn("forced", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  ],
};
