/**
 * One answer of a site's order handler becomes a job, a known repeat, or a refusal with its event: one transaction, from
 * whose commit on "exactly once" holds.
 */
import { createHash } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { type ReadOrder, type ReadOrderOptions, readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { markDigits, type OrderKey, orderKey } from "@fiscald/shared/receipt/order-key.js";
import { itemsOf, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import { orderFault, taxConflict, taxFault } from "@fiscald/shared/receipt/register-fit.js";
import { meaningOfTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import type { SiteEvents } from "../sites/site-events.js";
import type { Job, Taxpayer } from "../store/job.js";
import type { JobStore, JobTaxes } from "../store/job-store.js";
import { type Journal, TRIED_AGAIN, wasRetried } from "../store/journal.js";
import { type DuplicateDecision, decideDuplicate } from "./duplicate-policy.js";
import { findFromOtherSite, findSameKey, isOfAnotherRegister, isTaken } from "./find-duplicates.js";
import {
  createRejectedAnswers,
  isMistakeOfSite,
  type PolledAnswer,
  type RejectedAnswer,
  siteRefusal,
  unknownKkm,
} from "./rejected-answers.js";
import { TtlSet } from "./ttl-set.js";

export interface OrderIntakeOptions {
  readonly site: SiteId;
  /** The issuer part of the order mark, 8 hex. */
  readonly issuer: string;
  /** All other sites that this database knows, also those that the config no longer has. */
  otherSites(): readonly SiteId[];
  isConfigured(site: SiteId): boolean;
  /** Another one only for the fault campaign. */
  readonly orderKey?: typeof orderKey;
  readonly jobs: JobStore;
  readonly journal: Journal;
  /** Every method runs inside the caller's transaction. */
  readonly events: OrderEvents;
  readonly read: Omit<ReadOrderOptions, "taxes" | "today">;
  /**
   * The tax rows of the register with this number as the site may have known them at its answer, the newest list first;
   * else as the register has them. None = not known.
   */
  taxListsOf(kkm: Kkm, askedAt: number): readonly (readonly TaxRow[])[];
  /** The register's row for positions without a tax id; null = none. */
  defaultRowOf(register: RegisterId): TaxRow | null;
  /** Whether the tax rows were read more than once. */
  areTaxesChecked(register: RegisterId): boolean;
  /** Whether they were just read again for an order that names another row: a misread row must not refuse an order. */
  areRowsConfirmed(register: RegisterId): boolean;
  /** Id of the configured register that has this number; null = none of ours. */
  findRegister(kkm: Kkm): RegisterId | null;
  /** A register of this site whose number is not known yet, because it was never connected; null = all are known. */
  unseenRegister(): RegisterId | null;
  /** The database was lost, and not every register's documents have been read since. */
  isForgetful(): boolean;
  taxpayerOf(register: RegisterId): Taxpayer | null;
  /** Whether the job's document belongs to the open shift of its register, on the same fiscal drive. */
  isInOpenShift(job: Job): boolean;
  /** Whether a half-done service job can go on where it stopped: same register, drive and shift. */
  isStillInShiftOf(job: Job): boolean;
  /** The day at the register's place, `2026-11-20`. */
  dayAt(register: RegisterId): string;
  readonly clock: Clock;
  readonly log: Logger;
  /** There is something to print. */
  wake(): void;
}

type OrderEvents = Pick<
  SiteEvents,
  "addRefusal" | "addFormatError" | "resendResult" | "resultDeliveredAt" | "tablesToldAt"
>;

export type AcceptResult =
  | { readonly kind: "empty" }
  | { readonly kind: "order"; readonly job: Job }
  | { readonly kind: "repeat"; readonly job: Job | null }
  | RejectedAnswer;

/** A repeated order is noted in its story at most this often. */
const NOTE_MS = 10 * 60_000;
/** A repeated order has its stored result sent again at most this often. */
const RESEND_MS = 60_000;

export class OrderIntake {
  private readonly site: OrderIntakeOptions["site"];
  private readonly jobs: OrderIntakeOptions["jobs"];
  private readonly journal: OrderIntakeOptions["journal"];
  private readonly events: OrderIntakeOptions["events"];
  private readonly clock: OrderIntakeOptions["clock"];
  private readonly log: OrderIntakeOptions["log"];
  private readonly keyOf: typeof orderKey;
  private readonly rejected: ReturnType<typeof createRejectedAnswers>;
  private readonly resentJobs: TtlSet<number>;
  private readonly notedJobs: TtlSet<number>;

  constructor(private readonly options: OrderIntakeOptions) {
    this.site = options.site;
    this.jobs = options.jobs;
    this.journal = options.journal;
    this.events = options.events;
    this.clock = options.clock;
    this.log = options.log;
    this.keyOf = options.orderKey ?? orderKey;
    this.rejected = createRejectedAnswers(options);
    this.resentJobs = new TtlSet<number>(RESEND_MS, this.clock);
    this.notedJobs = new TtlSet<number>(NOTE_MS, this.clock);
  }

  /** Throws a `store.*` fault when the transaction could not be committed; then nothing was stored. */
  accept(answer: PolledAnswer): AcceptResult {
    const hash = createHash("sha256").update(answer.body).digest("hex");
    const known = this.rejected.known(hash);
    if (known !== null) return known;
    if (answer.problem !== undefined) {
      const fault = new Fault("order.unreadable", { message: answer.problem });
      return this.rejected.refuse(answer, hash, { fault, orderId: null, kkm: null, isOrder: false });
    }
    let read: ReadOrder | null = null;
    try {
      read = this.read(answer);
      switch (read.kind) {
        case "empty":
          return { kind: "empty" };
        case "unknown":
          return this.rejected.reportUnknown(answer, hash, read);
        case "refusal":
          if (read.receiptWithheld) this.rejected.keepWithheld(answer, hash, read.resultInfo);
          return { kind: "site-error", fault: siteRefusal(read) };
        case "broken":
          return this.rejected.refuse(answer, hash, read);
        case "receipt":
          return this.acceptReceipt(answer, hash, read);
      }
    } catch (error) {
      const fault = toFault(error, "internal");
      if (fault.area === "store") throw fault;
      // A mistake of ours must cost one order its print, never the shop its poller.
      const { orderId, kkm } = read?.kind === "receipt" ? read.receipt : { orderId: null, kkm: null };
      return this.rejected.refuse(answer, hash, { fault, orderId, kkm, isOrder: true });
    }
  }

  /** With the rows and the day of the register that the order names. */
  private read(answer: PolledAnswer): ReadOrder {
    const readFor = (register: RegisterId, kkm: Kkm) => {
      const isCertain = this.options.areTaxesChecked(register);
      const [taxes = []] = isCertain ? this.options.taxListsOf(kkm, answer.askedAt) : [];
      return readOrder(answer.body, { ...this.options.read, taxes, today: this.options.dayAt(register) });
    };
    const read = readFor(answer.register, answer.kkm);
    const kkm = read.kind === "broken" ? read.kkm : read.kind === "receipt" ? read.receipt.kkm : null;
    const named = kkm === null ? null : this.options.findRegister(kkm);
    return kkm === null || named === null || named === answer.register ? read : readFor(named, kkm);
  }

  private acceptReceipt(answer: PolledAnswer, hash: string, read: ReceiptRead): AcceptResult {
    const { receipt, warnings } = read;
    const register = receipt.kkm === null ? answer.register : this.options.findRegister(receipt.kkm);
    const key = this.keyOf({ site: this.site, receipt });
    const fault =
      register === null
        ? unknownKkm(receipt.kkm, this.options.unseenRegister())
        : orderFault(receipt, this.options.taxpayerOf(register)?.inn ?? null);
    const incoming = { answer, hash, receipt, warnings, key, register: register ?? answer.register };
    const isRival = (job: Job) => !isOfAnotherRegister(job, receipt, register);
    const sameOrder = receipt.orderId === null ? [] : this.jobs.findByOrder(this.site, receipt.orderId).filter(isRival);
    const sameKey = findSameKey({ site: this.site, jobs: this.jobs, keyOf: this.keyOf }, key, sameOrder).filter(
      isRival,
    );
    const earlier = sameKey.some(isTaken)
      ? null
      : findFromOtherSite({ receipt, jobs: this.jobs, keyOf: this.keyOf }, this.options.otherSites());
    if (earlier !== null) return this.ignoreFromOtherSite(earlier);
    const decision = decideDuplicate({
      receipt,
      sameKey,
      sameOrder,
      isInOpenShift: this.options.isInOpenShift,
      isStillInShiftOf: this.options.isStillInShiftOf,
      resultDeliveredAt: (job) => this.events.resultDeliveredAt(job),
      wasRetried: (job) => wasRetried(this.journal, job),
      askedAt: answer.askedAt,
      now: this.clock.now(),
    });
    // Not asked of an order that was printed, or may be: its register may be another one since.
    const isNew = decision.action === "accept" || decision.action === "retry";
    if (isNew && fault !== null) return this.refuse(incoming, { fault, printed: null });
    return this.act(incoming, decision);
  }

  private act(incoming: Incoming, decision: DuplicateDecision): AcceptResult {
    switch (decision.action) {
      case "accept": {
        // Not asked of an order that was printed: the register's rows may have changed since.
        const { register } = incoming;
        const lists = this.listsFor(incoming);
        const unknown = this.options.areRowsConfirmed(register) ? taxFault(incoming.receipt, lists) : null;
        const fault = unknown ?? taxConflict(incoming.receipt, lists);
        if (fault !== null) return this.refuse(incoming, { fault, printed: null });
        return this.insert(incoming, decision.cancel, decision.reason);
      }
      case "ignore":
        return this.ignore(decision.job, decision.reason);
      case "resend":
        return this.resend(decision.job, decision.reason);
      case "retry":
        return this.retry(incoming, decision.job, decision.reason);
      case "refuse":
        return this.refuse(incoming, {
          fault: new Fault(decision.code, { message: decision.message }),
          printed: decision.printed,
        });
    }
  }

  private insert(incoming: Incoming, cancel: readonly Job[], reason: string): AcceptResult {
    const job = this.jobs.transaction(() => {
      for (const old of cancel) {
        const message = "the site sent the order again with other content";
        this.jobs.cancel(old.id, { code: "job.replaced", message }, this.clock.now());
        this.note("order replaced", { job: old, reason: message });
      }
      const inserted = this.jobs.insertJob({ ...this.newJob(incoming), state: "queued", fault: null });
      this.note("order accepted", { job: inserted, reason });
      return inserted;
    });
    for (const { path, message } of incoming.warnings) {
      this.log.warn("an order is odd", { job: job.id, order: job.orderId, path, problem: message });
    }
    const { id, orderId: order, register, total } = job;
    this.log.info("accepted an order", { job: id, order, register, sum: total, reason });
    this.options.wake();
    return { kind: "order", job };
  }

  private refuse(incoming: Incoming, why: { readonly fault: Fault; readonly printed: Job | null }): AcceptResult {
    const { receipt, register, answer } = incoming;
    const { fault } = why;
    const earlier = this.jobs.findByKey(this.site, incoming.key.key, incoming.key.version)[0];
    if (earlier?.state === "refused" && earlier.fault?.code === fault.code) return this.resend(earlier, fault.message);
    this.jobs.transaction(() => {
      const job = this.jobs.insertJob({ ...this.newJob(incoming), state: "refused", fault });
      this.note("order refused", { job, reason: fault.message, code: fault.code });
      // After data loss a register that was not identified yet may have printed it: the site must not hear "not
      // printed".
      if (fault.code === "register.offline" && this.options.isForgetful()) return;
      const { orderId } = receipt;
      const refusal = { site: this.site, register, kkm: receipt.kkm ?? answer.kkm, fault };
      if (orderId !== null) this.events.addRefusal({ ...refusal, orderId, job, printed: why.printed });
      if (orderId === null || isMistakeOfSite(fault)) {
        this.events.addFormatError({ ...refusal, orderId, body: answer.body, receivedAt: this.clock.now() });
      }
    });
    this.log.warn("refused an order", { order: receipt.orderId, register, fault });
    this.options.wake();
    return { kind: "refused", fault };
  }

  private ignore(job: Job, reason: string): AcceptResult {
    // Debug only, because repeats are common: a receipt without trouble has three lines at the level `info`.
    this.log.debug("known order, nothing to do", { job: job.id, order: job.orderId, reason });
    // A site may repeat it at every poll: the job's story notes that once in a while.
    if (!this.notedJobs.has(job.id)) {
      this.jobs.transaction(() => this.note("order repeated, nothing to do", { job, reason }));
      this.notedJobs.add(job.id);
    }
    return { kind: "repeat", job };
  }

  private ignoreFromOtherSite(job: Job): AcceptResult {
    const hasSite = job.site !== null && this.options.isConfigured(job.site);
    const result = hasSite
      ? "whose site gets the result: both sites lead to one store"
      : `which the config no longer has, so no site gets its result: if ${this.site} is that site, write "renamedFrom": "${job.site}" there`;
    const reason = `this very receipt came from the site ${job.site}, ${result}`;
    if (!this.notedJobs.has(job.id))
      this.log.warn("an order is not taken a second time", { job: job.id, order: job.orderId, reason });
    return this.ignore(job, reason);
  }

  private resend(job: Job, reason: string): AcceptResult {
    if (!this.resentJobs.has(job.id) && this.events.resultDeliveredAt(job) !== null) {
      this.jobs.transaction(() => {
        this.events.resendResult(job);
        this.note("order repeated, result sent again", { job, reason });
      });
      this.log.info("a known order came again: its result is sent again", { job: job.id, order: job.orderId, reason });
      this.resentJobs.add(job.id);
      this.options.wake();
    }
    return { kind: "repeat", job };
  }

  private retry(incoming: Incoming, job: Job, reason: string): AcceptResult {
    const isTold = this.isToldOf(job, incoming.answer);
    // With the old rows it would fail again and use up its tries before the site can name the new rows.
    if (!isTold && job.fault?.code === "device.tax-unknown")
      return this.resend(job, "the site has yet to hear of the tax rows");
    this.jobs.transaction(() => {
      const taxes = isTold ? this.newTaxesFor(job, incoming) : null;
      this.jobs.requeueFailed(job.id, this.clock.now(), { taxes });
      this.note(TRIED_AGAIN, { job, reason });
    });
    this.log.info("a failed order came again: it is tried again", { job: job.id, order: job.orderId, reason });
    this.options.wake();
    return { kind: "order", job };
  }

  /**
   * A retried job gets the meaning that its tax ids have now, like a new order's; null = it keeps its own. The offer must
   * name the same ids, because the key of a receipt of the kit does not contain them. Raw ids are those of one register, and
   * an offer for a register of another taxpayer says nothing of this job.
   */
  private newTaxesFor(job: Job, offer: Incoming): JobTaxes | null {
    if (taxIdsOf(offer.receipt) !== taxIdsOf(job.receipt)) return null;
    const now = this.taxesFor(offer);
    if (offer.register === job.register) return now;
    const isRaw = now.taxes.some(({ vat }) => vat === null);
    const isSameTaxpayer =
      now.taxpayer?.inn === job.taxpayer?.inn && now.taxpayer?.taxSystems === job.taxpayer?.taxSystems;
    return isRaw || !isSameTaxpayer ? null : now;
  }

  /** A register may have been exchanged since the poll: the number that the site was asked for counts. */
  private listsFor({ receipt, answer }: Pick<Incoming, "receipt" | "answer">): readonly (readonly TaxRow[])[] {
    const isOurs = receipt.kkm !== null && this.options.findRegister(receipt.kkm) !== null;
    return this.options.taxListsOf(isOurs ? receipt.kkm : answer.kkm, answer.askedAt);
  }

  private taxesFor({ receipt, register, answer }: Pick<Incoming, "receipt" | "register" | "answer">): JobTaxes {
    const lists = this.listsFor({ receipt, answer });
    const taxes = meaningOfTaxes(receipt, { lists, defaultRow: this.options.defaultRowOf(register) });
    return { taxes, taxpayer: this.options.taxpayerOf(register) };
  }

  /**
   * The site offered the order after it received the failure and the present tax rows: its tax ids are the new ones.
   */
  private isToldOf(job: Job, { askedAt }: PolledAnswer): boolean {
    return [this.events.resultDeliveredAt(job), this.events.tablesToldAt(this.site)].every(
      (at) => at !== null && at < askedAt,
    );
  }

  private newJob({ answer, hash, receipt, key, register }: Incoming) {
    const now = this.clock.now();
    const raw = this.jobs.insertRaw({
      site: this.site,
      polledKkm: answer.kkm,
      receivedAt: now,
      hash,
      body: answer.body,
    });
    const names = { source: "site", site: this.site, raw, polledKkm: answer.kkm, register } as const;
    const mark = { issuer: this.options.issuer, digits: markDigits(receipt) };
    const taxes = this.taxesFor({ receipt, register, answer });
    return { ...names, receipt, key, mark, taxes, forced: false, now };
  }

  private note(
    what: string,
    { job, ...details }: { readonly job: Job; readonly reason: string; readonly code?: string },
  ) {
    const { id, register, raw } = job;
    this.journal.add({ at: this.clock.now(), actor: "daemon", what, job: id, register, site: this.site, raw, details });
  }
}

type ReceiptRead = Extract<ReadOrder, { kind: "receipt" }>;

function taxIdsOf(receipt: Receipt): string {
  return JSON.stringify(receipt.kind === "receipt" ? itemsOf(receipt).map(({ tax }) => tax) : []);
}

interface Incoming {
  readonly receipt: Receipt;
  /** The register that the order names, else the one that was polled for. */
  readonly register: RegisterId;
  readonly answer: PolledAnswer;
  readonly hash: string;
  readonly warnings: ReceiptRead["warnings"];
  readonly key: OrderKey;
}
