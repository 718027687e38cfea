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
import type { MigrationContext, MigrationSet } from "../store/migrate.js";
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
    (context) => context.run(firstTables(context)),
    async ({ db, text, run }) => {
      await run(`create table print_namespace (uuid ${text} not null)`);
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
    ({ text, run }) =>
      run(`
        alter table print_receipts add column warnings ${text} not null default '[]';
        alter table print_receipts add column shop_key ${text};`),
  ],
};

function firstTables({ text, counted }: MigrationContext): string {
  return `
create table print_receipts (
  seq ${counted}, receipt_id ${text} not null unique, resource ${text} not null, order_id ${text}, kkm ${text},
  content_key ${text} not null, receipt ${text} not null, state ${text} not null, holder ${text},
  offers integer not null, offer_due bigint not null, result ${text}, messages ${text} not null,
  created_at bigint not null, finished_at bigint, forced integer not null default 0
);
create index print_receipts_by_state on print_receipts (resource, state, seq);
create index print_receipts_by_order on print_receipts (resource, order_id);
create table print_shifts (
  resource ${text} not null, fn ${text} not null, closed_shift integer not null,
  constraint print_shifts_key primary key (resource, fn)
);
create table print_callers (
  resource ${text} not null, holder ${text} not null, kkm ${text} not null, polled_at bigint not null,
  constraint print_callers_key primary key (resource, holder, kkm)
);
create table print_runs (
  seq ${counted}, resource ${text} not null, daemon ${text} not null, run ${text} not null,
  first_sent_at bigint not null, returned_at bigint,
  constraint print_runs_of_daemon unique (resource, daemon, run)
);
create table print_polls (
  resource ${text} not null, webhook_id ${text} not null, taken_at bigint not null,
  constraint print_polls_key primary key (resource, webhook_id)
);
create index print_polls_by_time on print_polls (resource, taken_at);
create table print_events (
  resource ${text} not null, event ${text} not null, claimed_at bigint not null, handled integer not null,
  constraint print_events_key primary key (resource, event)
);
create index print_events_by_time on print_events (claimed_at);
`;
}
