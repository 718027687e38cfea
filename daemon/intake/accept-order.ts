/**
 * One answer of a site's order handler becomes a job, a known repeat, or a refusal with its event: one transaction, from
 * whose commit on "exactly once" holds.
 */
import { createHash } from "node:crypto";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Inn, Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { type ReadOrder, type ReadOrderOptions, readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { markDigits, type OrderKey, orderKey } from "@fiscald/shared/receipt/order-key.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { hasComeBack, TRIED_AGAIN } from "../registers/recovery/come-back.js";
import type { FormatErrorReport, OrderRefusal } from "../sites/site-events.js";
import type { Job } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import { decideSameOrder, type SameOrderDecision } from "./duplicate-policy.js";
import { findSameKey, findTwin, isTaken } from "./find-duplicates.js";
import { isMistakeOfSite, orderFault, siteRefusal, taxFault, unknownKkm } from "./order-faults.js";
import { createUnreadAnswers, type PolledAnswer } from "./rejected-answers.js";
import { type Offer, taxesOfNow } from "./retry-taxes.js";
import { TtlSet } from "./ttl-set.js";

export interface OrderIntakeOptions {
  readonly site: SiteId;
  /** Its part of the order mark, 8 hex. */
  readonly issuer: string;
  /** All others that this database knows, also those that are configured no longer. */
  otherSites(): readonly SiteId[];
  isConfigured(site: SiteId): boolean;
  /** Another one only for the fault campaign. */
  readonly orderKey?: typeof orderKey;
  readonly jobs: JobStore;
  readonly journal: Journal;
  readonly events: OrderEvents;
  readonly read: Omit<ReadOrderOptions, "taxes" | "today">;
  /** Tax rows of a register; empty = not known. */
  taxesOf(register: RegisterId): readonly TaxRow[];
  /** Whether they were read more than once: else what they say against an order is for the register to find out again. */
  areTaxesChecked(register: RegisterId): boolean;
  /** Id of the configured register that has this number; null = none of ours. */
  findRegister(kkm: Kkm): RegisterId | null;
  /** A register of this site whose number is not known yet, because it was never connected; null = all are known. */
  unseenRegister(): RegisterId | null;
  /** The database was lost, and not every register's documents have been read since. */
  isForgetful(): boolean;
  innOf(register: RegisterId): Inn | null;
  /** Whether this shift of this fiscal drive is the one that the job's register has open now. */
  isInOpenShift(job: Job): boolean;
  /** Whether a half-done service job can go on where it stopped: same register, drive and shift. */
  isWhereItStopped(job: Job): boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** There is something to print. */
  wake(): void;
}

/** The outbox as intake needs it; every method runs inside the caller's transaction. */
export interface OrderEvents {
  /** A result with the fault's code; `printed` = the earlier job whose numbers go with it. */
  addRefusal(refusal: OrderRefusal): void;
  /** To the site's error address, where one is set. */
  addFormatError(report: FormatErrorReport): void;
  /** Arms the stored result of the job once more. */
  resendResult(job: Job): void;
  /** When the job's result was delivered; null = not yet. */
  resultDeliveredAt(job: Job): number | null;
  /** When the site was told of its registers' tax rows as they are now; null = not yet, 0 = it is told of none. */
  tablesToldAt(site: SiteId): number | null;
}

export type AcceptResult =
  | { readonly kind: "empty" }
  | { readonly kind: "order"; readonly job: Job }
  | { readonly kind: "repeat"; readonly job: Job | null }
  | { readonly kind: "refused"; readonly fault: Fault }
  | { readonly kind: "site-error"; readonly fault: Fault };

export interface OrderIntake {
  /** Throws a `store.*` fault when the transaction could not be committed; then nothing of it is there. */
  accept(answer: PolledAnswer): AcceptResult;
}

/** A repeated order is noted in its story at most this often. */
const NOTE_MS = 10 * 60_000;
/** A repeated order has its stored result sent again at most this often. */
const RESEND_MS = 60_000;

export function createOrderIntake(options: OrderIntakeOptions): OrderIntake {
  const { site, jobs, journal, events, clock, log, orderKey: keyOf = orderKey } = options;
  const unread = createUnreadAnswers(options);
  const resentJobs = new TtlSet<number>(RESEND_MS, clock);
  const notedJobs = new TtlSet<number>(NOTE_MS, clock);

  function accept(answer: PolledAnswer): AcceptResult {
    const hash = createHash("sha256").update(answer.body).digest("hex");
    const known = unread.known(hash);
    if (known !== null) return known;
    if (answer.problem !== undefined) {
      const fault = new Fault("order.unreadable", { message: answer.problem });
      return unread.refuse(answer, hash, { fault, orderId: null, kkm: null, isOrder: false });
    }
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const read = readOrder(answer.body, { ...options.read, taxes: options.taxesOf(answer.register), today });
    switch (read.kind) {
      case "empty":
        return { kind: "empty" };
      case "unknown":
        return unread.reportUnknown(answer, hash, read);
      case "refusal":
        if (read.receiptWithheld) unread.keepWithheld(answer, hash, read.resultInfo);
        return { kind: "site-error", fault: siteRefusal(read) };
      case "broken":
        return unread.refuse(answer, hash, read);
      case "receipt":
        try {
          return acceptReceipt(answer, hash, read);
        } catch (error) {
          const fault = toFault(error, "internal");
          if (fault.area === "store") throw fault;
          // A mistake of ours must cost one order its print, never the shop its poller.
          return unread.refuse(answer, hash, {
            fault,
            orderId: read.receipt.orderId,
            kkm: read.receipt.kkm,
            isOrder: true,
          });
        }
    }
  }

  function acceptReceipt(answer: PolledAnswer, hash: string, read: ReceiptRead): AcceptResult {
    const { receipt, warnings } = read;
    const register = receipt.kkm === null ? answer.register : options.findRegister(receipt.kkm);
    const key = keyOf({ site, receipt });
    const fault =
      register === null
        ? unknownKkm(receipt.kkm, options.unseenRegister())
        : orderFault(receipt, options.innOf(register));
    const incoming = { answer, hash, receipt, warnings, key, register: register ?? answer.register };
    if (fault !== null) return refuse(incoming, { fault, printed: null });
    const sameOrder = receipt.orderId === null ? [] : jobs.findByOrder(site, receipt.orderId);
    const sameKey = findSameKey({ site, jobs, keyOf }, key, sameOrder);
    const twin = sameKey.some(isTaken) ? null : findTwin({ receipt, jobs, keyOf }, options.otherSites());
    if (twin !== null) return ignoreTwin(twin);
    const decision = decideSameOrder({
      receipt,
      sameKey,
      sameOrder,
      isInOpenShift: options.isInOpenShift,
      isWhereItStopped: options.isWhereItStopped,
      resultDeliveredAt: (job) => events.resultDeliveredAt(job),
      hasComeBack: (job) => hasComeBack(journal, job),
      askedAt: answer.askedAt,
      now: clock.now(),
    });
    return act(incoming, decision);
  }

  function act(incoming: Incoming, decision: SameOrderDecision): AcceptResult {
    switch (decision.action) {
      case "accept": {
        // Not asked of an order that was printed: the register's rows may have changed since.
        const { register } = incoming;
        const fault = options.areTaxesChecked(register) ? taxFault(incoming.receipt, options.taxesOf(register)) : null;
        if (fault !== null) return refuse(incoming, { fault, printed: null });
        return insert(incoming, decision.cancel, decision.reason);
      }
      case "ignore":
        return ignore(decision.job, decision.reason);
      case "resend":
        return resend(decision.job, decision.reason);
      case "retry":
        return retry(incoming, decision.job, decision.reason);
      case "refuse":
        return refuse(incoming, {
          fault: new Fault(decision.code, { message: decision.message }),
          printed: decision.printed,
        });
    }
  }

  function insert(incoming: Incoming, cancel: readonly Job[], reason: string): AcceptResult {
    const job = jobs.transaction(() => {
      for (const old of cancel) {
        const message = "the site sent the order again with other content";
        jobs.cancel(old.id, { code: "job.replaced", message }, clock.now());
        note("order replaced", { job: old, reason: message });
      }
      const inserted = jobs.insertJob({ ...newJob(incoming), state: "queued", fault: null });
      note("order accepted", { job: inserted, reason });
      return inserted;
    });
    for (const { path, message } of incoming.warnings) {
      log.warn("an order is odd", { job: job.id, order: job.orderId, path, problem: message });
    }
    const { id, orderId: order, register, total } = job;
    log.info("accepted an order", { job: id, order, register, sum: total, reason });
    options.wake();
    return { kind: "order", job };
  }

  function refuse(incoming: Incoming, why: { readonly fault: Fault; readonly printed: Job | null }): AcceptResult {
    const { receipt, register, answer } = incoming;
    const { fault } = why;
    const told = jobs.findByKey(site, incoming.key.key, incoming.key.version)[0];
    if (told?.state === "refused" && told.fault?.code === fault.code) return resend(told, fault.message);
    jobs.transaction(() => {
      const job = jobs.insertJob({ ...newJob(incoming), state: "refused", fault });
      note("order refused", { job, reason: fault.message, code: fault.code });
      // After data loss a register that was not identified yet may have printed it: "not printed" can be said of no order then.
      if (fault.code === "register.offline" && options.isForgetful()) return;
      const { orderId } = receipt;
      const told = { site, register, kkm: receipt.kkm ?? answer.kkm, fault };
      if (orderId !== null) events.addRefusal({ ...told, orderId, job, printed: why.printed });
      if (orderId === null || isMistakeOfSite(fault)) {
        events.addFormatError({ ...told, orderId, body: answer.body, receivedAt: clock.now() });
      }
    });
    log.warn("refused an order", { order: receipt.orderId, register, fault });
    options.wake();
    return { kind: "refused", fault };
  }

  function ignore(job: Job, reason: string): AcceptResult {
    // Common while an order is on its way: a receipt that goes well has three lines at the level of every day.
    log.debug("known order, nothing to do", { job: job.id, order: job.orderId, reason });
    // A site may repeat it at every poll: its story needs to say so once in a while.
    if (!notedJobs.has(job.id)) {
      jobs.transaction(() => note("order repeated, nothing to do", { job, reason }));
      notedJobs.add(job.id);
    }
    return { kind: "repeat", job };
  }

  function ignoreTwin(job: Job): AcceptResult {
    const isTold = job.site !== null && options.isConfigured(job.site);
    const told = isTold
      ? "which is told of it: both sites lead to one store"
      : `which is configured no longer, so nobody is told of it: if ${site} is that site, say "renamedFrom": "${job.site}" there`;
    const reason = `this very receipt came from the site ${job.site}, ${told}`;
    if (!notedJobs.has(job.id))
      log.warn("an order is not taken a second time", { job: job.id, order: job.orderId, reason });
    return ignore(job, reason);
  }

  function resend(job: Job, reason: string): AcceptResult {
    if (!resentJobs.has(job.id) && events.resultDeliveredAt(job) !== null) {
      jobs.transaction(() => {
        events.resendResult(job);
        note("order repeated, result sent again", { job, reason });
      });
      log.info("a known order came again: its result is sent again", { job: job.id, order: job.orderId, reason });
      resentJobs.add(job.id);
      options.wake();
    }
    return { kind: "repeat", job };
  }

  function retry(incoming: Incoming, job: Job, reason: string): AcceptResult {
    const isTold = isToldOf(job, incoming.answer);
    // By its rows of before it would fail again, and use up its tries before the site can name others.
    if (!isTold && job.fault?.code === "device.tax-unknown")
      return resend(job, "the site has yet to hear of the tax rows");
    jobs.transaction(() => {
      const taxesOf = isTold ? taxesOfNow(incoming, job) : null;
      jobs.requeueFailed(job.id, clock.now(), { taxesOf });
      note(TRIED_AGAIN, { job, reason });
    });
    log.info("a failed order came again: it is tried again", { job: job.id, order: job.orderId, reason });
    options.wake();
    return { kind: "order", job };
  }

  /** What is offered without a look at the failure, or at the rows there are now, still has the ids of before. */
  function isToldOf(job: Job, { askedAt }: PolledAnswer): boolean {
    return [events.resultDeliveredAt(job), events.tablesToldAt(site)].every((at) => at !== null && at < askedAt);
  }

  function newJob({ answer, hash, receipt, key, register }: Incoming) {
    const now = clock.now();
    const raw = jobs.insertRaw({ site, polledKkm: answer.kkm, receivedAt: now, hash, body: answer.body });
    const names = { source: "site", site, raw, polledKkm: answer.kkm, register } as const;
    const mark = { issuer: options.issuer, digits: markDigits(receipt) };
    return { ...names, receipt, key, mark, forced: false, now };
  }

  function note(
    what: string,
    { job, ...details }: { readonly job: Job; readonly reason: string; readonly code?: string },
  ) {
    const { id, register, raw } = job;
    journal.add({ at: clock.now(), actor: "daemon", what, job: id, register, site, raw, details });
  }

  return { accept };
}

type ReceiptRead = Extract<ReadOrder, { kind: "receipt" }>;

interface Incoming extends Offer {
  readonly answer: PolledAnswer;
  readonly hash: string;
  readonly warnings: ReceiptRead["warnings"];
  readonly key: OrderKey;
}
