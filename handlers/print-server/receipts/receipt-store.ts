/** The ready-made receipt store. It offers each receipt to one print server until its result comes. */
import { type Clock, systemClock } from "@fiscald/shared/clock.js";
import { toReceiptId } from "@fiscald/shared/ids.js";
import { consoleLogger } from "@fiscald/shared/logger.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import { openStore, type Store } from "../../store/open-store.js";
import type { NoTables } from "../../store/opened-database.js";
import { type SiteLogger, toLogger } from "../../store/site-logger.js";
import { aClock, aDatabase, aLogger, checkReceiptId, throwIfWrongOptions } from "../check-options.js";
import { createHandledEvents } from "../handled-events.js";
import type { HostCallbacks, OrderPoll, PrintResult } from "../host-callbacks.js";
import type { OrderAnswer } from "../order-body.js";
import { callersChannel, createPrintCallers } from "../print-callers.js";
import type { HandleOnce } from "../print-events.js";
import { type ReceiptState, type ReceiptTables, receiptMigrations, receiptStates } from "../receipt-tables.js";
import { createEnqueueMany, type EnqueuedMany } from "./bulk-enqueue.js";
import { createEnqueue, type Enqueued, type EnqueueOptions, type OwnTransaction } from "./enqueue-receipt.js";
import { findReceipts } from "./list-receipts.js";
import { type FitReceipt, ReceiptOffers, type ReleaseOutcome } from "./receipt-offers.js";
import { createReceiptResults, type RecordedResult } from "./receipt-results.js";
import { changeChannel } from "./receipt-signals.js";
import type { StoredReceipt } from "./stored-receipt.js";
import { watchWaiting } from "./watch-waiting.js";
import { createWithdraw } from "./withdraw-receipt.js";

export interface ReceiptStoreOptions {
  /** Path of an SQLite file, `postgres://...`, or an open store, which then stays open. */
  readonly database: string | SharedStore;
  /** Separates shops in one database: a receipt of one shop is never offered to another. */
  readonly resource?: string;
  /** The daemon's site settings `requireContactForInternet` and `strictPaper`, where they differ from the default. */
  readonly rules?: ReceiptRules;
  /** Refuses an order with an unknown key, or with a position without a rate. Default: only a warning. */
  readonly strict?: boolean;
  /** For tests of times. Default: the machine's clock. */
  readonly clock?: Clock;
  /** `console`, or an object with its methods. Default: warnings and errors on the console. */
  readonly logger?: SiteLogger;
}

export type SharedStore = Pick<Store<NoTables>, "withTables">;

export interface ReceiptStore extends Required<Pick<HostCallbacks, "onAnswerLost">> {
  /** `fit` converts the receipt for the caller, or leaves it to other callers. */
  nextReceipt(poll: OrderPoll, fit?: FitReceipt): Promise<Receipt | null>;
  /**
   * Queues a receipt (from a builder, or a body in either format). A receipt that is queued already is found; one that
   * failed or was withdrawn is queued again. Faults: those of `check-receipt`, and `job.already-printed`,
   * `job.being-printed`, `job.return-exceeds-sale`, `receipt.id-reused`.
   */
  enqueue(order: OrderAnswer, options?: EnqueueOptions): Promise<Enqueued>;
  /** Queues each receipt, and lists the refused ones. Throws only for wrong options and a failing database. */
  enqueueMany(orders: readonly OrderAnswer[], options?: OwnTransaction): Promise<EnqueuedMany>;
  /**
   * Offers a handed receipt to other print servers. Use it only when the holder certainly has not printed the receipt
   * and never will, and no result of it is on its way. Queued receipts that are reserved for the same holder become
   * free too. A receipt that another one of its order has replaced is not offered again: it is withdrawn when the other
   * is printed. Faults: `job.not-found`, `job.wrong-state`, and `job.being-printed` while the other is unsure.
   */
  release(receiptId: string): Promise<ReleaseOutcome>;
  /** Withdraws a queued or failed receipt. False when a print server has it, or when it has another result. */
  withdraw(receiptId: string, options?: OwnTransaction): Promise<boolean>;
  recordResult(result: PrintResult): Promise<RecordedResult>;
  /** Runs the router's events. A handled event is not handled again, on any node. */
  readonly handleOnce: HandleOnce;
  readonly holdsPolls: true;
  findByReceiptId(receiptId: string): Promise<StoredReceipt | null>;
  /** Oldest first. */
  findByOrder(orderId: string): Promise<readonly StoredReceipt[]>;
  /** Newest first: 50, or as many as `limit` says. A failed one with `replacedBy` is mended. */
  list(options?: ListOptions): Promise<readonly StoredReceipt[]>;
  /**
   * Calls back with the id of each receipt that has changed, on any node. Null = changes may have been missed, because
   * the connection to the database was lost, or another process has changed the SQLite file. The returned function ends
   * the subscription.
   */
  onChange(listener: (receiptId: string | null) => void): () => void;
  close(): Promise<void>;
}

export interface ListOptions {
  readonly state?: ReceiptState;
  /** Only receipts enqueued or finished at this time or later; a number is milliseconds since the epoch. */
  readonly since?: Date | number;
  readonly limit?: number;
}

const listOptions = z
  .strictObject({
    state: z.enum(receiptStates),
    since: z.union([z.number(), z.date()], { error: "must be a Date, or milliseconds since the epoch" }),
    limit: z.number(),
  } satisfies Record<keyof ListOptions, z.ZodType>)
  .partial();

/** Options are checked strictly, because a misspelt `resource` would mix the receipts of two shops. */
const storeOptions = z
  .strictObject({ resource: z.string(), rules: z.unknown(), strict: z.boolean(), clock: aClock, logger: aLogger })
  .partial()
  .extend({ database: aDatabase } satisfies Partial<Record<keyof ReceiptStoreOptions, z.ZodType>>);

/** Opens the database, makes its tables, and watches for receipts that no caller asks for. Faults `store.*`. */
export async function openReceiptStore(options: ReceiptStoreOptions): Promise<ReceiptStore> {
  throwIfWrongOptions(storeOptions, options);
  const { database, resource = "", rules = defaultRules, strict = false, clock = systemClock } = options;
  const logger = toLogger(options.logger ?? consoleLogger);
  const opened = typeof database === "string" ? await openStore({ address: database, logger }) : database;
  const store = opened.withTables<ReceiptTables>();
  const closeOwn = async () => (typeof database === "string" ? store.close() : undefined);
  await store.migrate(receiptMigrations).catch(async (error: unknown) => {
    await closeOwn();
    throw error;
  });
  const shop = { store, resource, clock, logger };
  const enqueue = createEnqueue({ ...shop, rules, strict });
  const callers = createPrintCallers(shop);
  const offers = new ReceiptOffers(shop, callers);
  const results = createReceiptResults(shop);
  const watch = watchWaiting(shop, callers);
  // These signals change the version of the store, so that what was known before is queried again.
  const listening = [changeChannel, callersChannel].map((channel) => store.signals.subscribe(channel, () => {}));

  return {
    enqueue,
    enqueueMany: createEnqueueMany(enqueue),
    nextReceipt: (poll, fit) => offers.next(poll, fit),
    async onAnswerLost(answer, poll) {
      if ("receiptId" in answer && answer.receiptId != null) await offers.makeDue(toReceiptId(answer.receiptId), poll);
    },
    release: async (receiptId) => offers.release(checkReceiptId(receiptId)),
    withdraw: createWithdraw(shop),
    recordResult: results.record,
    holdsPolls: true,
    handleOnce: createHandledEvents(shop),
    async findByReceiptId(receiptId) {
      const [found] = await findReceipts(store.db, { resource, receiptId: checkReceiptId(receiptId) });
      return found ?? null;
    },
    findByOrder: async (orderId) => (await findReceipts(store.db, { resource, orderId })).toReversed(),
    async list(asked = {}) {
      throwIfWrongOptions(listOptions, asked);
      const { state, since, limit = 50 } = asked;
      const wanted = { resource, state, since: since === undefined ? since : Number(since) };
      const found = await findReceipts(store.db, wanted, limit + 1);
      if (found.length > limit && asked.limit === undefined) logger.warn("list has older receipts: give it a `limit`");
      return found.slice(0, limit);
    },
    onChange: (listener) =>
      store.signals.subscribe(changeChannel, (payload) => listener(payload === "" ? null : toReceiptId(payload))),
    async close() {
      for (const stopListening of listening) stopListening();
      await watch.stop();
      await closeOwn();
    },
  };
}

export class ShopStores {
  readonly #opened = new Map<number, Promise<ReceiptStore>>();

  constructor(
    private readonly options: Omit<ReceiptStoreOptions, "resource">,
    private readonly resourceOf: (shop: number) => string,
  ) {}

  of(shop: number): Promise<ReceiptStore> {
    const known = this.#opened.get(shop);
    if (known !== undefined) return known;
    const opening = openReceiptStore({ ...this.options, resource: this.resourceOf(shop) });
    this.#opened.set(shop, opening);
    opening.catch(() => this.#opened.delete(shop));
    return opening;
  }

  async close(): Promise<void> {
    for (const opening of this.#opened.values()) await (await opening).close();
  }
}
