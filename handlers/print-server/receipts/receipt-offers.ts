/**
 * Hands out receipts: a queued receipt goes to the first caller, and from then on only to that one, again and again
 * until its result has come. New receipts go before repeated offers, so that one failing receipt delays no other.
 */
import { Fault } from "@fiscald/shared/fault.js";
import type { OrderId, ReceiptId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { Kysely, Transaction } from "kysely";
import { type NoTables, plainTransaction } from "../../store/open-store.js";
import { Unchanged } from "../../store/unchanged.js";
import type { OrderPoll } from "../host-callbacks.js";
import { holderOf, type PrintCallers } from "../print-callers.js";
import { lockOrderOf, readOrder } from "./order-receipts.js";
import { tellChanges, wakePolls, watchWakes } from "./receipt-signals.js";
import { NEVER, type ReceiptState, type ReceiptTables, type ShopReceipts } from "./receipt-tables.js";
import { type ReceiptRow, receiptOf } from "./stored-receipt.js";
import { isSecond } from "./withdraw-superseded.js";

/** An offer that surely arrived is repeated more and more seldom, in case its receiver has lost it. */
const FIRST_REPEAT_MS = 10_000;
const LONGEST_REPEAT_MS = 600_000;
/** Another node may be handing out a due receipt at this moment. */
const LEAST_PAUSE_MS = 100;

/**
 * `queued`: the next caller gets it. `replaced`: it was withdrawn, because another receipt of its order is printed.
 */
export type ReleaseOutcome = Extract<ReceiptState, "queued" | "replaced">;

/**
 * A receipt in a form that the caller can print; null = this caller cannot print it, and others may. Runs in the
 * transaction that hands out (`db`): a fault leaves the receipt unchanged.
 */
export type FitReceipt = (receipt: Receipt, db: Kysely<NoTables>) => Promise<Receipt | null>;

const asItIs: FitReceipt = async (receipt) => receipt;

export class ReceiptOffers {
  /** Callers for which no receipt was waiting at the last query. */
  private readonly empty: Unchanged;

  constructor(
    private readonly shop: ShopReceipts,
    private readonly callers: PrintCallers,
  ) {
    this.empty = new Unchanged(shop);
  }

  /** The receipt for the answer; an empty answer is delayed for `poll.waitMs` until there is one. */
  async next(poll: OrderPoll, fit: FitReceipt = asItIs): Promise<Receipt | null> {
    await this.callers.admit(poll);
    const until = this.shop.clock.monotonic() + poll.waitMs;
    const wakes = watchWakes(this.shop, poll.kkm);
    try {
      while (!poll.signal.aborted) {
        const { receipt, dueMs } = await this.look(poll, fit);
        if (receipt !== null || this.shop.clock.monotonic() >= until) return receipt;
        await wakes.next(Math.min(until - this.shop.clock.monotonic(), dueMs), poll.signal);
      }
      return null;
    } finally {
      wakes.end();
    }
  }

  /** No query where nothing waited for the caller and nothing has changed since. */
  private async look(poll: OrderPoll, fit: FitReceipt): Promise<Look> {
    const caller = `${holderOf(poll)}\n${poll.kkm}`;
    const version = this.empty.version();
    const knownMs = this.empty.leftMs(caller, version);
    if (knownMs > 0) return { receipt: null, dueMs: knownMs };
    // Most polls find nothing: they must not cost a write lock.
    const found = await this.candidate(this.shop.store.db, poll, { dueBy: this.dueBy(poll), passed: [] });
    const receipt = found === null ? null : await this.claim(poll, fit);
    if (receipt !== null) return { receipt, dueMs: 0 };
    const dueMs = await this.msUntilDue(poll);
    if (found === null && dueMs === Number.POSITIVE_INFINITY) this.empty.keep(caller, version);
    return { receipt, dueMs };
  }

  /** Milliseconds until a waiting caller may get its present receipt again; Infinity when it has none. */
  private async msUntilDue(poll: OrderPoll): Promise<number> {
    if (poll.waitMs === 0) return Number.POSITIVE_INFINITY;
    const { due } = await this.meantFor(this.shop.store.db, poll, "handed")
      .select(({ fn }) => fn.min("offer_due").as("due"))
      .executeTakeFirstOrThrow();
    return due === null ? Number.POSITIVE_INFINITY : Math.max(LEAST_PAUSE_MS, Number(due) - this.shop.clock.now());
  }

  /** A long poll gets a handed receipt only when its next offer is due: else it would return at once each time. */
  private dueBy(poll: OrderPoll): number | null {
    return poll.waitMs === 0 ? null : this.shop.clock.now();
  }

  private async claim(poll: OrderPoll, fit: FitReceipt): Promise<Receipt | null> {
    const now = this.shop.clock.now();
    const dueBy = this.dueBy(poll);
    return this.shop.store.transaction(async (tx) => {
      const passed: Candidate[] = [];
      for (;;) {
        const found = await this.candidate(tx, poll, { dueBy, passed });
        if (found === null) return null;
        passed.push(found);
        const fitting = await fit(receiptOf(found), plainTransaction(tx));
        if (fitting === null && found.state === "queued") continue;
        if (!(await this.lock(tx, poll, { found, dueBy }))) continue;
        if (fitting !== null) await this.callers.takeOnce(tx, poll);
        const { seq, offers } = found;
        const repeatMs = Math.min(FIRST_REPEAT_MS * 2 ** offers, LONGEST_REPEAT_MS);
        await tx
          .updateTable("print_receipts")
          .set({ state: "handed", holder: holderOf(poll), offers: offers + 1, offer_due: now + repeatMs })
          .where("seq", "=", seq)
          .execute();
        if (fitting !== null) return fitting;
      }
    });
  }

  /**
   * Only the receipt that is handed out is locked, not the candidates: another caller may read the same one at this
   * moment. False when that caller took it. SQLite has one transaction at a time.
   */
  private async lock(
    tx: Transaction<ReceiptTables>,
    poll: OrderPoll,
    { found, dueBy }: { readonly found: Candidate; readonly dueBy: number | null },
  ): Promise<boolean> {
    if (this.shop.store.kind !== "postgres") return true;
    const row = await this.dueFor(tx, poll, { state: found.state, dueBy })
      .select("seq")
      .where("seq", "=", found.seq)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    return row !== undefined;
  }

  private async candidate(db: Kysely<ReceiptTables>, poll: OrderPoll, among: Among): Promise<Candidate | null> {
    return (await this.firstOf(db, poll, "queued", among)) ?? (await this.firstOf(db, poll, "handed", among)) ?? null;
  }

  private async firstOf(
    db: Kysely<ReceiptTables>,
    poll: OrderPoll,
    state: OfferedState,
    { dueBy, passed }: Among,
  ): Promise<Candidate | undefined> {
    const seqs = passed.filter((row) => row.state === state).map(({ seq }) => seq);
    const row = await this.dueFor(db, poll, { state, dueBy })
      .select(["seq", "receipt", "offers"])
      .$if(state === "handed", (query) => query.orderBy("offer_due"))
      // Queued ones are passed in the order of their numbers: there may be thousands of them.
      .$if(state === "queued" && seqs.length > 0, (query) => query.where("seq", ">", Math.max(...seqs.slice(-1))))
      .$if(state === "handed" && seqs.length > 0, (query) => query.where("seq", "not in", seqs))
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? undefined : { ...row, state };
  }

  private dueFor(
    db: Kysely<ReceiptTables>,
    poll: OrderPoll,
    { state, dueBy }: { readonly state: OfferedState; readonly dueBy: number | null },
  ) {
    return this.meantFor(db, poll, state).$if(state === "handed" && dueBy !== null, (query) =>
      query.where("offer_due", "<=", dueBy),
    );
  }

  private meantFor(db: Kysely<ReceiptTables>, poll: OrderPoll, state: OfferedState) {
    return (
      db
        .selectFrom("print_receipts")
        .where("resource", "=", this.shop.resource)
        .where("state", "=", state)
        .where((where) => where.or([where("kkm", "is", null), where("kkm", "=", poll.kkm)]))
        // Not a receipt that another one of its order has replaced.
        .where("offer_due", "<", NEVER)
        .where((where) => {
          const own = where("holder", "=", holderOf(poll));
          // The successor of a handed receipt waits for the holder of that receipt.
          return state === "handed" ? own : where.or([where("holder", "is", null), own]);
        })
    );
  }

  /** The answer was not sent completely, so the receipt is due for its holder at once. */
  makeDue(receiptId: ReceiptId, poll: OrderPoll): Promise<void> {
    return this.shop.store.transaction(async (tx) => {
      await tx
        .updateTable("print_receipts")
        .set({ offer_due: this.shop.clock.now() })
        .where("receipt_id", "=", receiptId)
        .where("state", "=", "handed")
        .where("holder", "=", holderOf(poll))
        .where("offer_due", "<", NEVER)
        .execute();
      await wakePolls(tx, this.shop, [poll.kkm]);
    });
  }

  /** Faults `job.not-found`, `job.wrong-state`, `job.being-printed`. */
  release(receiptId: ReceiptId): Promise<ReleaseOutcome> {
    return this.shop.store.transaction(async (tx) => {
      const order = await lockOrderOf(tx, this.shop, receiptId);
      const row = await tx
        .selectFrom("print_receipts")
        .selectAll()
        .where("resource", "=", this.shop.resource)
        .where("receipt_id", "=", receiptId)
        .$if(this.shop.store.kind === "postgres", (query) => query.forUpdate())
        .executeTakeFirst();
      if (row === undefined) throw new Fault("job.not-found", { message: `There is no receipt ${receiptId}.` });
      const isReserved = row.state === "queued" && row.holder !== null;
      if (row.state !== "handed" && !isReserved) {
        throw new Fault("job.wrong-state", { message: `Receipt ${receiptId} is ${row.state}, not handed out.` });
      }
      const isWithheld = row.offer_due === NEVER && order !== null;
      const state = isWithheld ? await this.stateOfWithheld(tx, row, order) : "queued";
      await tx
        .updateTable("print_receipts")
        .set({ state, holder: null, offers: 0, offer_due: 0 })
        .where("seq", "=", row.seq)
        .execute();
      if (order !== null) await this.releaseSuccessors(tx, row, order);
      await tellChanges(tx, this.shop, [row.receipt_id]);
      await wakePolls(tx, this.shop, [row.kkm]);
      return state;
    });
  }

  private async releaseSuccessors(tx: Transaction<ReceiptTables>, row: ReceiptRow, order: OrderId): Promise<void> {
    await tx
      .updateTable("print_receipts")
      .set({ holder: null })
      .where("resource", "=", this.shop.resource)
      .where("order_id", "=", order)
      .where("state", "=", "queued")
      .where("holder", "=", row.holder)
      .execute();
  }

  /** Another receipt of its order has replaced it: while that one is unsure, whether this one is needed is unknown. */
  private async stateOfWithheld(
    tx: Transaction<ReceiptTables>,
    row: ReceiptRow,
    orderId: OrderId,
  ): Promise<ReleaseOutcome> {
    const rows = await readOrder(tx, this.shop, orderId);
    const doubtful = rows.find(({ seq, state }) => seq < row.seq && state === "unknown");
    if (doubtful !== undefined) {
      throw new Fault("job.being-printed", {
        message: `Receipt ${doubtful.receipt_id} of the same order is unsure: settle that one first.`,
        details: { receiptId: doubtful.receipt_id, state: doubtful.state },
      });
    }
    return isSecond(row, rows) ? "replaced" : "queued";
  }
}

interface Look {
  readonly receipt: Receipt | null;
  /** Milliseconds after which a waiting caller queries again, even without a signal. */
  readonly dueMs: number;
}

type OfferedState = Extract<ReceiptState, "queued" | "handed">;
type Candidate = Pick<ReceiptRow, "seq" | "receipt" | "offers"> & { readonly state: OfferedState };

interface Among {
  /** Of the handed receipts those that are due at this time; null = all. */
  readonly dueBy: number | null;
  /** What did not fit, oldest first. */
  readonly passed: readonly Candidate[];
}
