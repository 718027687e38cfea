/** The receipt store's tables: receipts, their holders and their outcomes. */
import { randomUUID } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { createTaskQueue, type TaskQueue } from "@fiscald/shared/task-queue.js";
import { type Generated, type Kysely, sql, type Transaction } from "kysely";
import { type CallersTransaction, hasQueries, inSavepoint, ofKysely, readsInt8 } from "../store/callers-transaction.js";
import type { MigrationSet } from "../store/migrate.js";
import type { Store } from "../store/open-store.js";

export interface ShopReceipts {
  readonly store: Store<ReceiptTables>;
  readonly resource: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type ShopTables = Pick<ShopReceipts, "store" | "resource">;
export type ReceiptTx = Transaction<ReceiptTables>;

export function selectReceipts(db: Kysely<ReceiptTables>, { resource }: Pick<ShopTables, "resource">) {
  return db.selectFrom("print_receipts").where("resource", "=", resource);
}

export function inTransaction<T>(
  { store }: Pick<ShopTables, "store">,
  within: CallersTransaction | undefined,
  work: (tx: ReceiptTx) => Promise<T>,
): Promise<T> {
  if (within === undefined) return store.transaction(work);
  const inTurn = turns.get(within) ?? createTaskQueue();
  turns.set(within, inTurn);
  return inTurn.add(() => {
    if (!hasQueries(within)) {
      return work(ofKysely(within).withoutPlugins().withPlugin(numbers).withTables<ReceiptTables>());
    }
    if (store.kind === "postgres") return inSavepoint(within, numbers, work);
    const message = "On SQLite `within` must be a transaction of the kit's own `openStore`.";
    throw new Fault("config.invalid", { message, place: "within" });
  });
}

const numbers = readsInt8(["seq", "offer_due", "created_at", "finished_at"]);

/** Parallel calls in one transaction take turns, because each has to see what the one before it has written. */
const turns = new WeakMap<object, TaskQueue>();

/**
 * `queued`: never handed out. `handed`: a print server has the receipt, until it is `printed`, `failed` or `unknown`.
 * `replaced`: newer content has replaced a queued receipt, or a queued or failed one was withdrawn.
 */
export const receiptStates = ["queued", "handed", "printed", "failed", "unknown", "replaced"] as const;
export type ReceiptState = (typeof receiptStates)[number];

export const NEVER = Number.MAX_SAFE_INTEGER;

export type ReceiptTables = {
  print_receipts: {
    seq: Generated<number>;
    receipt_id: string;
    /** "" for a site of one shop. */
    resource: string;
    /** Without invisible characters, as order numbers are compared. */
    order_id: string | null;
    /** Null = any register may print the receipt. */
    kkm: string | null;
    /** The id that the kit makes of the content. It is the receipt's id too if the caller gave none. */
    content_key: string;
    receipt: string;
    /** A JSON list of `OrderWarning`. */
    warnings: Generated<string>;
    shop_key: Generated<string | null>;
    state: ReceiptState;
    /** The only caller that may get the receipt: it has the receipt, or had an earlier one of the order. Null = any. */
    holder: string | null;
    offers: number;
    /** Time of the next offer, ms. `NEVER` = another receipt of the order has replaced this one. */
    offer_due: number;
    result: string | null;
    /** The `webhook-id`s of the results so far, as a JSON list: a late repeat must not undo a newer result. */
    messages: string;
    created_at: number;
    /** 1 = enqueued with `printAnyway` or `beyondSold`, whatever other receipts the order has. */
    forced: Generated<number>;
    finished_at: number | null;
  };
  /** One row: the namespace (a UUID) of the ids that this database makes. */
  print_namespace: { uuid: string };
  /** The last poll of each caller, ms, exact to half a minute. */
  print_callers: { resource: string; holder: string; kkm: string; polled_at: number };
  /** The starts of each daemon, in the order in which they first asked. */
  print_runs: {
    seq: Generated<number>;
    resource: string;
    daemon: string;
    run: string;
    /** Time in the signature of the first poll of this start, ms. */
    first_sent_at: number;
    /** The time (ms) at which this start asked again after a later start: two machines have one daemon id. */
    returned_at: number | null;
  };
  /** Events that the site has handled (`handled` 1), or that a node handles since `claimed_at` (ms). */
  print_events: { resource: string; event: string; claimed_at: number; handled: number };
  /** The signed polls that got a receipt, stored for as long as their signatures are valid. */
  print_polls: { resource: string; webhook_id: string; taken_at: number };
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
        .addColumn("forced", "integer", (column) => column.notNull().defaultTo(0))
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
      await db.schema
        .createTable("print_callers")
        .addColumn("resource", text, (column) => column.notNull())
        .addColumn("holder", text, (column) => column.notNull())
        .addColumn("kkm", text, (column) => column.notNull())
        .addColumn("polled_at", bigint, (column) => column.notNull())
        .addPrimaryKeyConstraint("print_callers_key", ["resource", "holder", "kkm"])
        .execute();
      await db.schema
        .createTable("print_runs")
        .addColumn("seq", bigint, countedKey)
        .addColumn("resource", text, (column) => column.notNull())
        .addColumn("daemon", text, (column) => column.notNull())
        .addColumn("run", text, (column) => column.notNull())
        .addColumn("first_sent_at", bigint, (column) => column.notNull())
        .addColumn("returned_at", bigint)
        .addUniqueConstraint("print_runs_of_daemon", ["resource", "daemon", "run"])
        .execute();
      await db.schema
        .createTable("print_polls")
        .addColumn("resource", text, (column) => column.notNull())
        .addColumn("webhook_id", text, (column) => column.notNull())
        .addColumn("taken_at", bigint, (column) => column.notNull())
        .addPrimaryKeyConstraint("print_polls_key", ["resource", "webhook_id"])
        .execute();
      await db.schema.createIndex("print_polls_by_time").on("print_polls").columns(["resource", "taken_at"]).execute();
      await db.schema
        .createTable("print_events")
        .addColumn("resource", text, (column) => column.notNull())
        .addColumn("event", text, (column) => column.notNull())
        .addColumn("claimed_at", bigint, (column) => column.notNull())
        .addColumn("handled", "integer", (column) => column.notNull())
        .addPrimaryKeyConstraint("print_events_key", ["resource", "event"])
        .execute();
      await db.schema.createIndex("print_events_by_time").on("print_events").column("claimed_at").execute();
    },
    async ({ db, text }) => {
      await db.schema
        .createTable("print_namespace")
        .addColumn("uuid", text, (column) => column.notNull())
        .execute();
      await sql`insert into print_namespace (uuid) values (${randomUUID()})`.execute(db);
    },
    async ({ db }) => {
      const read = sql<{ seq: number; order_id: string }>`
        select seq, order_id from print_receipts where order_id is not null`;
      for (const { seq, order_id } of (await read.execute(db)).rows) {
        const compared = identityOf(toOrderId(order_id));
        if (compared === order_id) continue;
        await sql`update print_receipts set order_id = ${compared} where seq = ${seq}`.execute(db);
      }
    },
    // The key of a stored result's sum now names its unit.
    async ({ db }) => {
      await sql`update print_receipts set result = replace(result, '"total":', '"totalKopecks":')
        where result is not null`.execute(db);
    },
    async ({ db, text }) => {
      const receipts = db.schema.alterTable("print_receipts");
      await receipts.addColumn("warnings", text, (column) => column.notNull().defaultTo("[]")).execute();
      await receipts.addColumn("shop_key", text).execute();
    },
  ],
};
