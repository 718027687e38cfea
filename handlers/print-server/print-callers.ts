/**
 * Records who asks for receipts. Two machines with one daemon id (a cloned till PC) get none: both would print them.
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { Insertable, Selectable, Transaction } from "kysely";
import { insertRows } from "../store/insert-rows.js";
import type { Store } from "../store/open-store.js";
import type { NoTables } from "../store/opened-database.js";
import { Unchanged } from "../store/unchanged.js";
import type { OrderPoll } from "./host-callbacks.js";
import type { ReceiptTables, ShopReceipts } from "./receipt-tables.js";

/** Signals that a daemon has started, or asks from two machines. The payload is the resource (the shop). */
export const callersChannel = "fiscald_callers";

const ROWS_AT_ONCE = 1000;
/** Ids of messages are kept longer than a signature is valid (five minutes before and after its time). */
const REPLAYS_KEPT_MS = 15 * 60_000;
const RUNS_KEPT_MS = 90 * 86_400_000;

type Run = Selectable<ReceiptTables["print_runs"]>;

export function createPrintCallers({ store, resource, clock, logger }: ShopReceipts) {
  /** The last polls that are not written yet, by caller. */
  const polled = new Map<string, Insertable<ReceiptTables["print_callers"]>>();
  let hasWritten = false;
  const admitted = new Unchanged();

  /** Call this before anything is offered. Faults `call.copied-daemon`, `call.repeated`. */
  async function admit(poll: OrderPoll): Promise<void> {
    const holder = holderOf(poll);
    polled.set(`${holder}\n${poll.kkm}`, { resource, holder, kkm: poll.kkm, polled_at: clock.now() });
    // A sandbox refuses a database that a print server has asked.
    if (!hasWritten) await writePolled();
    const run = poll.signed?.run ?? null;
    if (poll.daemonId !== null && run !== null && poll.signed !== undefined) {
      await admitRun({ daemon: poll.daemonId, run, sentAt: poll.signed.sentAt });
    }
  }

  /** Writes the times of the polls since the last call. */
  async function writePolled(): Promise<void> {
    // Two nodes that write the same rows in two orders would wait for each other.
    const rows = [...polled.keys()].toSorted().flatMap((key) => polled.get(key) ?? []);
    polled.clear();
    const known = { key: ["resource", "holder", "kkm"], replace: ["polled_at"] } as const;
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const some = rows.slice(at, at + ROWS_AT_ONCE);
      // After `store.transaction` every poll would query again, while these rows offer nothing to anybody.
      await store.db.transaction().execute((tx) => insertRows({ tx, table: "print_callers", rows: some, known }));
      hasWritten = true;
    }
  }

  async function admitRun(asking: { readonly daemon: string; readonly run: string; readonly sentAt: number }) {
    const { daemon, run, sentAt } = asking;
    const version = store.version();
    if (admitted.has(`${daemon}\n${run}`, version)) return;
    const runs = await runsOf(daemon);
    const newest = runs.at(-1);
    const mine = runs.find((known) => known.run === run);
    if (mine === undefined) await addRun(asking);
    else if (newest !== undefined && newest.seq !== mine.seq && mine.returned_at === null) {
      // The poll is older than the daemon's newest start: it was delayed, or somebody replays it.
      if (sentAt <= Number(newest.first_sent_at)) {
        throw new Fault("call.repeated", { message: "The poll is of an earlier start of the daemon." });
      }
      await addReturn(daemon, mine);
      throw copiedDaemon(daemon);
    }
    if (runs.some(({ returned_at }) => returned_at !== null)) throw copiedDaemon(daemon);
    admitted.keep(`${daemon}\n${run}`, version);
  }

  function runsOf(daemon: string): Promise<readonly Run[]> {
    return store.db
      .selectFrom("print_runs")
      .selectAll()
      .where("resource", "=", resource)
      .where("daemon", "=", daemon)
      .orderBy("seq")
      .execute();
  }

  async function addRun(start: { readonly daemon: string; readonly run: string; readonly sentAt: number }) {
    const { daemon, run, sentAt } = start;
    await store.transaction(async (tx) => {
      await tx
        .deleteFrom("print_runs")
        .where("resource", "=", resource)
        .where("daemon", "=", daemon)
        .where("first_sent_at", "<", clock.now() - RUNS_KEPT_MS)
        .where("returned_at", "is", null)
        .execute();
      await tx
        .insertInto("print_runs")
        .values({ resource, daemon, run, first_sent_at: sentAt, returned_at: null })
        .onConflict((conflict) => conflict.columns(["resource", "daemon", "run"]).doNothing())
        .execute();
      await store.notifyAtCommit(tx, callersChannel, resource);
    });
  }

  async function addReturn(daemon: string, { seq }: Run): Promise<void> {
    await store.transaction(async (tx) => {
      await tx.updateTable("print_runs").set({ returned_at: clock.now() }).where("seq", "=", seq).execute();
      await store.notifyAtCommit(tx, callersChannel, resource);
    });
    logger.error("two machines ask with the id of one daemon: neither is offered anything", {
      daemon,
      hint: adviceForCopiedDaemon(daemon),
    });
  }

  /** Call this where a receipt is handed out. Fault `call.repeated`: a signed poll gets one receipt only. */
  async function takeOnce(tx: Transaction<ReceiptTables>, { signed }: OrderPoll): Promise<void> {
    if (signed === undefined) return;
    const now = clock.now();
    await tx
      .deleteFrom("print_polls")
      .where("resource", "=", resource)
      .where("taken_at", "<", now - REPLAYS_KEPT_MS)
      .execute();
    const added = await tx
      .insertInto("print_polls")
      .values({ resource, webhook_id: signed.messageId, taken_at: now })
      .onConflict((conflict) => conflict.columns(["resource", "webhook_id"]).doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows === 0n) throw new Fault("call.repeated");
  }

  return { admit, takeOnce, writePolled };
}

export type PrintCallers = ReturnType<typeof createPrintCallers>;

export function holderOf(poll: Pick<OrderPoll, "daemonId" | "kkm">): string {
  return poll.daemonId === null ? `kkm:${poll.kkm}` : `daemon:${poll.daemonId}`;
}

export function adviceForCopiedDaemon(daemon: string): string {
  return (
    "stop the copy, delete its database with all files beside it, " +
    `and run \`fiscald-site receipts admit ${daemon}\` at the site`
  );
}

function copiedDaemon(daemon: string): Fault {
  const message = `Two machines ask with the id of daemon ${daemon} (a copied till PC?), and neither is offered anything`;
  return new Fault("call.copied-daemon", {
    message: `${message}: ${adviceForCopiedDaemon(daemon)}.`,
    details: { daemon },
  });
}

/** Daemon ids that ask from two machines. Nothing is offered to them. */
export async function copiedDaemons(store: Pick<Store<NoTables>, "withTables">): Promise<readonly string[]> {
  const rows = await store
    .withTables<ReceiptTables>()
    .db.selectFrom("print_runs")
    .select("daemon")
    .distinct()
    .where("returned_at", "is not", null)
    .execute();
  return rows.map(({ daemon }) => daemon);
}

/** Allows a copied daemon id again, for the machine that asks next. False for a daemon that never asked. */
export function admitDaemon(store: Pick<Store<NoTables>, "withTables">, daemon: string): Promise<boolean> {
  return store.withTables<ReceiptTables>().transaction(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom("print_runs").where("daemon", "=", daemon).executeTakeFirst();
    return numDeletedRows > 0n;
  });
}
