/** Hands out receipts. The first caller gets a queued receipt, and nobody else gets it until its result comes. */
import { Fault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toOrderId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { ExpressionBuilder, Kysely } from "kysely";
import { ofKysely } from "../../store/callers-transaction.js";
import type { NoTables } from "../../store/opened-database.js";
import { Unchanged } from "../../store/unchanged.js";
import type { OrderPoll } from "../host-callbacks.js";
import { holderOf, type PrintCallers } from "../print-callers.js";
import {
  NEVER,
  type ReceiptState,
  type ReceiptTables,
  type ReceiptTx,
  type ShopReceipts,
  selectReceipts,
} from "../receipt-tables.js";
import { lockReceipt, receiptsOfOrder } from "./order-receipts.js";
import { changeReceipt, wakePolls, watchWakes } from "./receipt-signals.js";
import { type ReceiptRow, receiptOf } from "./stored-receipt.js";
import { isSecond } from "./withdraw-superseded.js";

/** An offer that surely arrived is repeated at growing intervals, in case the caller has lost the receipt. */
const FIRST_REPEAT_MS = 10_000;
const LONGEST_REPEAT_MS = 600_000;
/** Shortest pause between two queries of a waiting caller: another node may be handing out the due receipt. */
const LEAST_PAUSE_MS = 100;
/** A waiting caller queries again for a receipt that it did not get: another transaction may give it up silently. */
const GIVEN_UP_MS = 10_000;
/** How long a poll that found nothing before may overlook a receipt from another process (SQLite). */
const OTHERS_UNSEEN_MS = 100;

/** `queued`: the next caller gets the receipt. `replaced`: it was withdrawn, as another one of its order is printed. */
export type ReleaseOutcome = Extract<ReceiptState, "queued" | "replaced">;

/** Converts a receipt for the caller; null = only others can print it. A fault leaves the receipt unchanged. */
export type FitReceipt = (receipt: Receipt, db: Kysely<NoTables>) => Promise<Receipt | null>;

type OfferedState = Extract<ReceiptState, "queued" | "handed">;
type Candidate = Pick<ReceiptRow, "seq" | "receipt" | "offers" | "offer_due"> & { readonly state: OfferedState };

export class ReceiptOffers {
  private readonly empty = new Unchanged();
  /** Polls that wait after its end are no longer woken. */
  readonly wakes: ReturnType<typeof watchWakes>;

  constructor(
    private readonly shop: ShopReceipts,
    private readonly callers: PrintCallers,
  ) {
    this.wakes = watchWakes(shop);
  }

  async next(poll: OrderPoll, fit: FitReceipt = async (receipt) => receipt): Promise<Receipt | null> {
    await this.callers.admit(poll);
    return poll.waitMs > 0 ? this.awaitNext(poll, fit) : (await this.look(poll, fit)).receipt;
  }

  private async awaitNext(poll: OrderPoll, fit: FitReceipt): Promise<Receipt | null> {
    const { clock } = this.shop;
    const until = clock.monotonic() + poll.waitMs;
    const wakes = this.wakes.of(poll.kkm);
    try {
      while (!poll.signal.aborted) {
        const { receipt, dueMs } = await this.look(poll, fit);
        if (receipt !== null || clock.monotonic() >= until) return receipt;
        await wakes.next(Math.min(until - clock.monotonic(), dueMs), poll.signal);
      }
      return null;
    } finally {
      wakes.end();
    }
  }

  /** Skips a query that could find nothing new. `dueMs`: after this time a waiting caller queries again. */
  private async look(poll: OrderPoll, fit: FitReceipt) {
    const caller = `${holderOf(poll)}\n${poll.kkm}`;
    const version = this.shop.store.version(OTHERS_UNSEEN_MS);
    if (this.empty.has(caller, version)) return { receipt: null, dueMs: Number.POSITIVE_INFINITY };
    // Most polls find nothing, so they must not cost a write lock.
    const found = await this.candidate(this.shop.store.db, poll);
    if (found === null) this.empty.keep(caller, version);
    const earlyMs = found === null ? Number.POSITIVE_INFINITY : this.msUntilDue(found, poll);
    if (earlyMs > 0) return { receipt: null, dueMs: Math.max(LEAST_PAUSE_MS, earlyMs) };
    return { receipt: poll.signal.aborted ? null : await this.claim(poll, fit), dueMs: GIVEN_UP_MS };
  }

  /** A long poll gets a handed receipt only when its next offer is due, or else it would return at once each time. */
  private msUntilDue({ state, offer_due }: Pick<Candidate, "state" | "offer_due">, poll: OrderPoll): number {
    return state === "handed" && poll.waitMs > 0 ? Number(offer_due) - this.shop.clock.now() : 0;
  }

  private async claim(poll: OrderPoll, fit: FitReceipt): Promise<Receipt | null> {
    const now = this.shop.clock.now();
    return this.shop.store.transaction(async (tx) => {
      const passed: Candidate[] = [];
      for (;;) {
        const found = await this.candidate(tx, poll, passed);
        if (found === null || this.msUntilDue(found, poll) > 0) return null;
        passed.push(found);
        const fitting = await fit(receiptOf(found), ofKysely(tx));
        if (fitting === null && found.state === "queued") continue;
        if (!(await this.lock(tx, poll, found))) continue;
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

  /** False when another caller took the receipt. SQLite needs no lock, because it runs one transaction at a time. */
  private async lock(tx: ReceiptTx, poll: OrderPoll, { seq, state, receipt }: Candidate): Promise<boolean> {
    if (this.shop.store.kind !== "postgres") return true;
    // The shop may have enqueued newer content meanwhile; this wakes the poll once more.
    const same = this.meantFor(tx, poll, state).where((is) => is.and({ seq, receipt }));
    const locked = await same.select("offer_due").forUpdate().skipLocked().executeTakeFirst();
    return locked !== undefined && this.msUntilDue({ state, ...locked }, poll) <= 0;
  }

  private async candidate(db: Kysely<ReceiptTables>, poll: OrderPoll, passed: readonly Candidate[] = []) {
    for (const state of ["queued", "handed"] as const) {
      const seqs = passed.filter((row) => row.state === state).map(({ seq }) => seq);
      const row = await this.meantFor(db, poll, state)
        .select(["seq", "receipt", "offers", "offer_due"])
        .$if(state === "handed", (query) => query.orderBy("offer_due"))
        // Queued receipts that did not fit are skipped by one number, because there may be thousands of them.
        .$if(state === "queued" && seqs.length > 0, (query) => query.where("seq", ">", Math.max(...seqs.slice(-1))))
        .$if(state === "handed" && seqs.length > 0, (query) => query.where("seq", "not in", seqs))
        .orderBy("seq")
        .limit(1)
        .executeTakeFirst();
      if (row !== undefined) return { ...row, state };
    }
    return null;
  }

  private meantFor(db: Kysely<ReceiptTables>, poll: OrderPoll, state: OfferedState) {
    return (
      selectReceipts(db, this.shop)
        .where("state", "=", state)
        .where((where) => where.or([where("kkm", "is", null), where("kkm", "=", poll.kkm)]))
        .$if(state === "queued", (query) => query.where((where) => this.hasNoUnsure(db, where)))
        // `NEVER` marks a receipt that another receipt of its order has replaced.
        .where("offer_due", "<", NEVER)
        .where((where) => {
          const own = where("holder", "=", holderOf(poll));
          // A queued receipt may be reserved for the holder of an earlier one of its order.
          return state === "handed" ? own : where.or([where("holder", "is", null), own]);
        })
    );
  }

  /** The outcome of an unsure receipt decides about the order's further receipts. Service jobs decide about none. */
  private hasNoUnsure(db: Kysely<ReceiptTables>, where: ExpressionBuilder<ReceiptTables, "print_receipts">) {
    const unsure = selectReceipts(db, this.shop)
      .select("order_id")
      .where("state", "=", "unknown")
      .where("receipt", "not like", '%"kind":"service"%');
    return where.or([
      where("forced", "=", 1),
      where("order_id", "is", null),
      where("order_id", "not in", unsure.where("order_id", "is not", null)),
    ]);
  }

  /** The answer was not sent completely, so that the holder may get the receipt again at once. */
  makeDue(receiptId: ReceiptId, poll: OrderPoll): Promise<void> {
    return this.shop.store.transaction(async (tx) => {
      await tx
        .updateTable("print_receipts")
        .set({ offer_due: this.shop.clock.now() })
        .where((is) => is.and({ receipt_id: receiptId, state: "handed", holder: holderOf(poll) }))
        .where("offer_due", "<", NEVER)
        .execute();
      await wakePolls(tx, this.shop, [poll.kkm]);
    });
  }

  /** Takes a receipt from its holder. Faults `job.not-found`, `job.wrong-state`, `job.being-printed`. */
  release(receiptId: ReceiptId): Promise<ReleaseOutcome> {
    return this.shop.store.transaction(async (tx) => {
      const row = await lockReceipt(tx, this.shop, receiptId);
      if (row === undefined) throw new Fault("job.not-found", { message: `There is no receipt ${receiptId}.` });
      const isReserved = row.state === "queued" && row.holder !== null;
      if (row.state !== "handed" && !isReserved) {
        throw new Fault("job.wrong-state", { message: `Receipt ${receiptId} is ${row.state}, not handed out.` });
      }
      const rows = row.order_id === null ? [] : await receiptsOfOrder(tx, this.shop, toOrderId(row.order_id));
      const state = row.offer_due === NEVER ? stateOfWithheld(row, rows) : "queued";
      await changeReceipt(tx, this.shop, row, { state, holder: null, offers: 0, offer_due: 0 });
      const successors = rows.filter((other) => other.state === "queued" && other.holder === row.holder);
      for (const { seq } of successors) {
        await tx.updateTable("print_receipts").set({ holder: null }).where("seq", "=", seq).execute();
      }
      await wakePolls(tx, this.shop, [row.kkm, ...successors.map(({ kkm }) => kkm)]);
      return state;
    });
  }
}

/** An earlier receipt of the order has replaced this one. Fault `job.being-printed` while the earlier one is unsure. */
function stateOfWithheld(row: ReceiptRow, rows: readonly ReceiptRow[]): ReleaseOutcome {
  const doubtful = rows.find(({ seq, state }) => seq < row.seq && state === "unknown");
  if (doubtful === undefined) return isSecond(row, rows) ? "replaced" : "queued";
  const { receipt_id, state } = doubtful;
  throw new Fault("job.being-printed", {
    message: `Receipt ${receipt_id} of the same order is unknown: settle that one first.`,
    details: { receiptId: receipt_id, state },
  });
}
