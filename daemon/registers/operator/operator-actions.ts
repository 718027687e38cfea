/**
 * The operator's actions on jobs and registers. Each writes a journal line with its reason, in its own transaction.
 * Faults: `job.not-found`, `job.wrong-state`, `job.already-printed`, `job.being-printed`, `job.document-mismatch`,
 * `job.document-left-out`, `register.no-register`, `register.offline`, `register.no-open-shift`, `register.fixed-kkm`.
 * An order that stays refused throws its own fault.
 */

import { Fault, saidBy } from "@fiscald/shared/fault.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { ServiceJob } from "@fiscald/shared/receipt/receipt.js";
import type { JournalWord } from "../../messages/messages.js";
import { inState } from "../../messages/reasons/job-states.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import { orderReasons } from "../../messages/reasons/order-reasons.js";
import type { Acceptance, CheckStore } from "../../store/document-checks.js";
import { isForSite, isUnfinished, type Job } from "../../store/job.js";
import type { NewPlace } from "../../store/job-store.js";
import { APPROVED, ODD_ORDER, PRINT_ANYWAY, questionOf, RETRIED, repairOf, SET_ASIDE } from "../../store/journal.js";
import { foreignDevices, isRuledOut } from "../foreign-identity.js";
import { findMoveObstacle } from "../printing/move-obstacle.js";
import type { Stores } from "../register-context.js";
import type { RegisterSnapshot } from "../register-snapshot.js";
import { queueOwnJob, reportJob } from "../shift/queue-shift-close.js";
import { printWaiting } from "./accept-loss.js";
import { correctionOf, freeText } from "./as-correction.js";
import type { PaperNumbers } from "./document-checks.js";
import { requireBefore, requireGivenUp, requireRoom, requireUnprinted } from "./may-be-printed.js";
import { printCopy } from "./print-copy.js";
import { answerOfSite, placeOfRefused } from "./refused-order.js";
import {
  drivesOnRecord,
  type ResolveOptions,
  resolveAsNotPrinted,
  resolveAsPrinted,
  wrongJobState,
} from "./resolve-job.js";
import { requireFree, testSlip } from "./test-slip.js";

export interface OperatorActionsOptions extends ResolveOptions {
  wake(): void;
  /** Whether the site uses our kit, which itself checks receipts for repeats. */
  hasKit(site: SiteId): boolean;
  /** 8 random hex digits, which give a forced print an order mark of its own. */
  newDigits(): string;
}

type ServiceNote = "x report asked for" | "z report asked for" | "test slip asked for";

export class OperatorActions {
  private readonly jobs: Stores["jobs"];
  private readonly journal: Stores["journal"];

  constructor(private readonly options: OperatorActionsOptions) {
    this.jobs = options.stores.jobs;
    this.journal = options.stores.journal;
  }

  /**
   * `fd` is null for a job without a document (cash in, cash out). `paper` has the numbers on the paper, for a drive
   * that no register has or a document that cannot be read in full.
   */
  async resolvePrinted(id: number, fd: number | null, reason: string, paper: PaperNumbers | null = null): Promise<Job> {
    await resolveAsPrinted(this.options, id, { fd, paper, reason });
    return this.resolved(id);
  }

  /**
   * The job is queued again after the fence, or without a fence when the config lacks its register. `checked`: the
   * unreadable documents that may be the job's own and that the operator has checked.
   */
  async resolveNotPrinted(id: number, reason: string, checked: readonly number[] = []): Promise<Job> {
    await resolveAsNotPrinted(this.options, id, { checked, reason });
    return this.resolved(id);
  }

  private resolved(id: number): Job {
    this.options.wake();
    return this.jobs.get(id);
  }

  /** Throws `register.no-open-shift` for an X report while no shift is open, because the register would refuse it. */
  report(register: RegisterId, report: "x" | "z", reason: string): Job {
    const { state } = this.options.fleet.get(register).snapshot();
    if (report === "x" && state?.shift.state === "closed") {
      const message = orderReasons.shiftClosed({ shift: state.shift.number });
      throw new Fault("register.no-open-shift", { message, place: register });
    }
    return this.queueService(register, reportJob(report), `${report} report asked for`, reason);
  }

  /** Prints at once or not at all. Throws `register.busy`, or the fault that keeps the register from printing. */
  testSlip(register: RegisterId, reason: string): Job {
    const snapshot = this.options.fleet.get(register).snapshot();
    requireFree(snapshot);
    return this.queueService(register, testSlip(snapshot), "test slip asked for", reason);
  }

  private queueService(register: RegisterId, receipt: ServiceJob, what: ServiceNote, reason: string): Job {
    const job = this.jobs.transaction(() => {
      const queued = queueOwnJob(this.jobs, { source: "operator", register, receipt }, this.options.clock.now());
      this.note(what, queued, reason);
      return queued;
    });
    this.options.wake();
    return job;
  }

  /** The register takes no order until `resume`, even after a restart. Its running job and closings go on. */
  pause(register: RegisterId, reason: string): void {
    this.setPause(register, true, reason);
  }

  /** Without a pause, the register is tried again: a person says that what blocks it is over. */
  resume(register: RegisterId, reason: string): void {
    const actor = this.options.fleet.get(register);
    if (actor.snapshot().pausedSince !== null) {
      this.setPause(register, false, reason);
      return;
    }
    if (actor.snapshot().fault === null) return;
    const at = this.options.clock.now();
    this.journal.add({ at, actor: "operator", what: "tried again", register, details: { reason } });
    actor.tryAgain();
    this.options.wake();
  }

  private setPause(register: RegisterId, isPaused: boolean, reason: string): void {
    const actor = this.options.fleet.get(register);
    // A second request changes nothing, because the register has been paused since the first.
    if ((actor.snapshot().pausedSince !== null) === isPaused) return;
    const at = this.options.clock.now();
    const since = isPaused ? at : null;
    this.jobs.transaction(() => {
      this.options.stores.registers.savePause(register, since, at);
      const what = isPaused ? "paused by the operator" : "resumed by the operator";
      this.journal.add({ at, actor: "operator", what, register, details: { reason } });
    });
    actor.pause(since);
  }

  /** A person accepts what the documents of this register hold in place of what was sent. */
  acceptDifferences(register: RegisterId, accepted: Acceptance, reason: string): void {
    const what = "differences accepted by the operator";
    this.endDifferences(register, what, { reason, ...accepted }, (checks, at) => checks.accept(register, accepted, at));
  }

  /** A person says that documents agree again. The register's next receipts are compared once more. */
  differencesMended(register: RegisterId, reason: string): void {
    const what = "differences mended, says the operator";
    this.endDifferences(register, what, { reason }, (checks) => checks.mended(register));
  }

  private endDifferences(
    register: RegisterId,
    what: JournalWord,
    details: object,
    end: (checks: CheckStore, at: number) => number,
  ): void {
    this.options.fleet.get(register);
    this.jobs.transaction(() => {
      const at = this.options.clock.now();
      const count = end(this.options.stores.checks, at);
      this.journal.add({ at, actor: "operator", what, register, details: { ...details, count } });
    });
    this.options.wake();
  }

  /**
   * Accepts the connected device as the right one; what it holds from before no longer counts. `orders` waited because
   * of lost data and are now printed, because none of the documents is theirs (accept-loss.ts). Throws
   * `register.fixed-kkm` when the config names another device.
   */
  acceptIdentity(register: RegisterId, reason: string, orders: readonly number[] = []): void {
    const actor = this.options.fleet.get(register);
    const { settings, fault } = actor.snapshot();
    if (fault !== null && isRuledOut(foreignDevices(fault)?.found ?? null, settings.expectKkm)) {
      throw new Fault("register.fixed-kkm", { message: saidBy(fault), place: register });
    }
    this.jobs.transaction(() => {
      printWaiting(this.options, register, { orders, reason });
      actor.acceptIdentity(reason);
    });
  }

  private note(what: JournalWord, job: Job, reason: string, details: Readonly<Record<string, unknown>> = {}): void {
    const { id, register, site } = job;
    const at = this.options.clock.now();
    this.journal.add({ at, actor: "operator", what, job: id, register, site, details: { reason, ...details } });
  }

  private act(
    what: JournalWord,
    id: number,
    reason: string,
    details: Readonly<Record<string, unknown>>,
    change: (job: Job) => Job,
  ): Job {
    const after = this.jobs.transaction(() => {
      const changed = change(this.jobs.get(id));
      this.note(what, changed, reason, details);
      return changed;
    });
    this.options.wake();
    return after;
  }

  /**
   * Tries a failed or refused job again, or the cancelled second document of a pair, if the order's other receipts
   * allow it. A refused job goes to the register that it names, or stays refused with its fault.
   */
  retry(id: number, reason: string): Job {
    return this.act(RETRIED, id, reason, {}, (job) => {
      const [, second = null] = repairOf(this.journal, job)?.jobs ?? [];
      const isGivenUp = job.state === "cancelled" && second === id;
      if (job.state !== "failed" && job.state !== "refused" && !isGivenUp) throw wrongJobState(job);
      requireBefore(job, this.options);
      if (second !== null && second !== id && this.jobs.get(second).state === "cancelled") {
        throw new Fault("job.wrong-state", { message: operatorReasons.secondGivenUp({ job: second }) });
      }
      requireRoom(job, this.options);
      return this.jobs.requeueByOperator(id, { markDigits: null, place: this.placeOf(job) }, this.options.clock.now());
    });
  }

  /** The order's other receipts must still allow the print. */
  approve(id: number, reason: string): Job {
    return this.act(APPROVED, id, reason, {}, (job) => {
      if (job.state !== "held") throw wrongJobState(job);
      requireBefore(job, this.options);
      requireRoom(job, this.options);
      return this.jobs.approve(id, this.options.clock.now());
    });
  }

  /** Has a held, failed or refused sale printed as a correction of the day on which it was paid. */
  asCorrection(id: number, date: string | null, reason: string): Job {
    const now = this.options.clock.now();
    const before = this.jobs.get(id);
    const receipt = correctionOf(before, date, { snapshots: this.options.fleet.snapshots(), now });
    const what = before.state === "held" ? APPROVED : RETRIED;
    const leftOut = before.receipt.kind === "receipt" ? freeText(before.receipt) : null;
    return this.act(what, id, reason, { asCorrectionOf: receipt.correction?.date }, (job) => {
      requireUnprinted(job, this.options);
      const corrected = this.jobs.replaceReceipt(id, receipt, now);
      if (leftOut !== null) {
        const warning = { path: "additionalCheckProps", text: operatorReasons.textLeftOut({ text: leftOut }) };
        this.note(ODD_ORDER, job, reason, { leftOut, warnings: [warning] });
      }
      requireRoom(corrected, this.options);
      if (job.state === "held") return this.jobs.approve(id, now);
      return this.jobs.requeueByOperator(id, { markDigits: null, place: this.placeOf(job) }, now);
    });
  }

  /** No person is asked about the failed, refused or held job any more. A held job is cancelled. */
  setAside(id: number, reason: string): Job {
    return this.act(SET_ASIDE, id, reason, {}, (job) => {
      if (job.state === "held") return this.cancelled(id, reason);
      if (job.state !== "failed" && job.state !== "refused") throw wrongJobState(job);
      requireGivenUp(job, this.options);
      return job;
    });
  }

  /** Answers a refused job's question: the job is the return printed earlier, whose result its site gets again. */
  sameReceipt(id: number, reason: string): Job {
    return this.act(SET_ASIDE, id, reason, {}, (job) => {
      const question = questionOf(this.journal, job);
      if (job.state !== "refused" || question?.asks !== "return-again") throw wrongJobState(job);
      this.requireUnanswered(job);
      const printed = this.jobs.get(question.earlier);
      this.options.events.resendInPlaceOf(job, printed);
      this.note("result sent again by the operator", printed, reason);
      return job;
    });
  }

  /** Prints a refused, cancelled or printed job although its order was printed before. */
  printAnyway(id: number, reason: string): Job {
    const drives = drivesOnRecord(this.options.stores);
    return this.act(PRINT_ANYWAY, id, reason, { drives }, (job) => {
      this.requireUnanswered(job);
      requireBefore(job, this.options);
      if (job.state === "refused" || job.state === "cancelled" || this.waitsForPerson(job)) {
        const how = { markDigits: this.options.newDigits(), place: this.placeOf(job) };
        return this.jobs.requeueByOperator(id, how, this.options.clock.now());
      }
      if (job.state !== "printed") throw wrongJobState(job);
      // Two requests, by two people or two clicks, print the job once more, not twice.
      const again =
        job.site === null || job.key === null ? [] : this.jobs.findByKey(job.site, job.key.key, job.key.version);
      const pending = again.find(({ state }) => isUnfinished(state));
      if (pending !== undefined) {
        throw new Fault("job.being-printed", {
          message: operatorReasons.sameOrder({ job: pending.id, state: inState(pending.state) }),
        });
      }
      const mark = job.mark === null ? null : { ...job.mark, digits: this.options.newDigits() };
      const now = this.options.clock.now();
      return this.jobs.insertJob({ ...job, mark, taxes: job, forced: true, state: "queued", fault: null, now });
    });
  }

  private requireUnanswered(job: Job): void {
    const since = answerOfSite(job, { jobs: this.jobs, journal: this.journal });
    if (since === undefined) return;
    throw new Fault("job.already-printed", {
      message: operatorReasons.cameAfter({ job: since.id, state: inState(since.state) }),
    });
  }

  private placeOf(job: Job): NewPlace | null {
    return job.state === "refused" ? placeOfRefused(job, this.options.fleet.snapshots(), this.options.stores) : null;
  }

  /** The job would set the register's clock to another day, which only the operator may allow. */
  private waitsForPerson({ state, fault }: Job): boolean {
    return state === "failed" && fault?.code === "device.clock-jump";
  }

  cancel(id: number, reason: string): Job {
    return this.act("cancelled by the operator", id, reason, {}, () => this.cancelled(id, reason));
  }

  private cancelled(id: number, reason: string): Job {
    requireGivenUp(this.jobs.get(id), this.options);
    const job = this.jobs.cancel(id, { code: "job.cancelled", message: reason }, this.options.clock.now());
    if (!isForSite(job) || (job.source !== "site" && this.jobs.reportedOutcome(id) === null)) return job;
    this.jobs.setReportedOutcome(id, "failed");
    this.options.events.result(job, "failed");
    return job;
  }

  /**
   * Prints the receipt once more on the register that has its drive. Throws `job.wrong-state`, `register.offline`,
   * `device.no-copy`, or the fault that keeps the register from printing.
   */
  async copy(id: number, reason: string): Promise<Job> {
    const job = this.jobs.get(id);
    if (job.state !== "printed" || job.document === null) throw wrongJobState(job);
    const { fn, fd } = job.document;
    const holder = this.options.fleet
      .snapshots()
      .find((register) => register.identity?.fn === fn && register.isConnected);
    if (holder === undefined) {
      throw new Fault("register.offline", { message: orderReasons.noDrive({ fn }), place: job.register });
    }
    await this.options.fleet.get(holder.settings.id).perform((tools) => printCopy(tools, { fn, fd }));
    this.jobs.transaction(() => this.note("copy printed", job, reason, { register: holder.settings.id, fd }));
    return job;
  }

  move(id: number, register: RegisterId, reason: string): Job {
    return this.act("moved by the operator", id, reason, {}, (job) => {
      if (job.state !== "queued") throw wrongJobState(job);
      const to = this.options.fleet.get(register).snapshot();
      const own = this.options.fleet.snapshots().find(({ settings }) => settings.id === job.register);
      // A job that its register has begun is not moved, because that register would still print it.
      if (own?.jobInHand === id) {
        throw new Fault("job.being-printed", {
          message: operatorReasons.aboutToPrint({ register: job.register, job: id }),
        });
      }
      const [from, there] = own === undefined ? this.inPlaceOf(job.register, to) : [own, to];
      const obstacle = findMoveObstacle({ job, from, to: there });
      if (obstacle !== null) throw new Fault("register.no-register", { message: obstacle.reason, place: register });
      return this.jobs.move(id, register, this.options.clock.now());
    });
  }

  /** Stands in for a register that the config no longer has, because its taxpayer and tax rows on record still bind. */
  private inPlaceOf(id: RegisterId, to: RegisterSnapshot): readonly [from: RegisterSnapshot, to: RegisterSnapshot] {
    const there = { ...to, settings: { ...to.settings, group: "in its place" } };
    const record = this.options.stores.registers.find(id);
    const identity = record?.identity ?? to.identity;
    return [{ ...there, settings: { ...there.settings, id }, identity, tables: record?.tables ?? null }, there];
  }
}
