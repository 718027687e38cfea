/** What one sweep (the comparison of documents with open jobs) decides and writes down, in one transaction. */

import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { FencedState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, saidBy } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import { parseMark } from "@fiscald/shared/receipt/order-mark.js";
import type { Attempt } from "../../store/attempt-store.js";
import { PRINTED_AFTER_ALL, PRINTED_TWICE } from "../../store/journal.js";
import type { RegisterRecord } from "../../store/register-store.js";
import type { FoundWhen, UnownedDocument } from "../../store/unowned-documents.js";
import { type RegisterTools, writesMarks } from "../connected-register.js";
import { shiftAtHand, shiftToRecord } from "../shift/shift-age.js";
import { sentClaim } from "./claims.js";
import { countsAsReceipt } from "./compare-document.js";
import { type Claim, type FoundDocument, type Match, matchDocuments, type SentClaim } from "./match-documents.js";
import { recordNotPrinted } from "./record-not-printed.js";
import { type KnownHistory, requestEndOf, type SweepScope } from "./sweep-scope.js";
import { documentsFor, settleWaiting, type WaitingJob, waitingJobs, withOwners } from "./waiting-jobs.js";
import { settleByWitness, type Verdict } from "./witnesses.js";

export interface SweepFacts extends SweepScope {
  readonly record: RegisterRecord | null;
  readonly history: KnownHistory;
  /** The database was put back or deleted, and the register was not read since. */
  readonly isLoss: boolean;
}

export interface Settled {
  readonly doubt: Attempt;
  readonly verdict: Verdict;
}

/** `claim` is null when the program makes no receipt. */
interface SentAttempt {
  readonly attempt: Attempt;
  readonly claim: SentClaim | null;
}

export class SweepRecord {
  private readonly context: RegisterTools["context"];
  private readonly stores: RegisterTools["context"]["stores"];
  private readonly register: RegisterTools["context"]["settings"]["id"];

  constructor(
    private readonly tools: RegisterTools,
    private readonly state: FencedState,
    private readonly facts: SweepFacts,
  ) {
    this.context = tools.context;
    this.stores = this.context.stores;
    this.register = this.context.settings.id;
  }

  settle(documents: readonly FiscalDocument[]): readonly Settled[] {
    // A register that is new here is recorded first, because results about its documents need its numbers.
    if (this.facts.record === null) this.saveSeen();
    if (this.facts.isLoss) this.keepCashLoss();
    const { fn } = this.state;
    const found = withOwners(
      this.stores,
      documents.map((document) => {
        return { fn, register: this.register, document, foundWhen: this.whenFound(fn, document) };
      }),
    );
    const news = this.keepReceipts(found);
    const sent = this.openDoubts().map((attempt) => {
      return { attempt, claim: sentClaim(this.context, this.tools.connected, attempt, this.state) };
    });
    const sentHere = new Set(sent.flatMap(({ claim }) => claim?.job ?? []));
    // Waiting jobs are compared as well, because an equal order that waits makes the content ambiguous.
    const waiting = waitingJobs(this.context, sentHere);
    const claims = [...sent.flatMap(({ claim }) => claim ?? []), ...waiting.map(({ claim }) => claim)];
    const matches = matchDocuments(withOwners(this.stores, this.candidatesToMatch(found, sent, waiting)), claims);
    const matchOf = (claim: Claim | null) => (claim === null ? null : (matches.get(claim) ?? null));
    const settled = sent.flatMap(({ attempt, claim }) => this.settleDoubt(attempt, matchOf(claim), found) ?? []);
    // Certain matches are settled first, so that the documents they own make no other order unsure.
    const isCertain = ({ claim }: WaitingJob) => Number(matches.get(claim)?.kind === "certain");
    for (const one of waiting.toSorted((first, second) => isCertain(second) - isCertain(first))) {
      const match = matches.get(one.claim);
      if (match !== undefined) settleWaiting(this.context, this.tools.recorder, one, match);
    }
    this.noteReceipts(news);
    this.recordRegister();
    return settled;
  }

  /** The unsure attempts are read again, because the operator may have settled one while the register was read. */
  private openDoubts(): readonly Attempt[] {
    // A due attempt may be another register's, when that register's drive is in this register now.
    const due = new Set(this.facts.due.map(({ id }) => id));
    const registers = new Set([this.register, ...this.facts.due.map(({ register }) => register)]);
    const open = [...registers].flatMap((register) => this.stores.attempts.doubtsOf(register));
    // Attempts that were never compared go first, because two attempts may be closings of one shift.
    return open
      .filter(({ id, register }) => register === this.register || due.has(id))
      .toSorted((one, other) => Number(one.doubt !== null) - Number(other.doubt !== null));
  }

  /**
   * After an unclean end the database may be an older copy that was put back unnoticed. A new document without an order
   * mark then counts for orders of its content, unless an unsure program of ours explains it.
   */
  private whenFound(fn: FnSerial, { fd, mark }: FiscalDocument): FoundWhen {
    const { history, due, isLoss } = this.facts;
    const before = this.stores.documents.find(fn, fd);
    // A person may have accepted the document since, so what is on record stays.
    if (before !== null) return before.foundWhen;
    if (fd <= history.lastKnownFd) return "running";
    if (isLoss) return "afterLoss";
    if (history.isUnknown) return "newRegister";
    const hasMark = mark !== null && parseMark(mark) !== null;
    if (!this.tools.isFirst || hasMark || this.context.memory.remembersAll) return "running";
    // A program that was cut off leaves at most the last two documents: the opening of the shift and its own.
    const isExplained = due.some(
      ({ baseline }) => baseline.fn === fn && fd > baseline.lastFd && this.state.lastFd - fd < 2,
    );
    return isExplained ? "running" : "afterCrash";
  }

  /** Stores receipts without a job, for orders that come later. Returns the new receipts. */
  private keepReceipts(found: readonly FoundDocument[]): readonly FoundDocument[] {
    const free = found.filter(({ document, owner }) => owner === null && countsAsReceipt(document));
    for (const receipt of free) this.stores.documents.keep(receipt, this.context.clock.now());
    // A document that was unreadable before may turn out not to be a receipt.
    const others = found.filter(({ document }) => !countsAsReceipt(document));
    for (const { fn, document } of others) this.stores.documents.remove(fn, document.fd);
    return free.filter(({ document: { fd } }) => fd > this.facts.history.lastKnownFd);
  }

  /** Earlier documents that may match, then those that this sweep read. */
  private candidatesToMatch(
    found: readonly FoundDocument[],
    sent: readonly SentAttempt[],
    waiting: readonly WaitingJob[],
  ): readonly UnownedDocument[] {
    const ofWaiting = waiting.flatMap((one) => documentsFor(this.context, one));
    const before = sent.flatMap(({ attempt }) => this.candidatesBefore(attempt));
    const nearby = sent.flatMap(({ attempt, claim }) => (claim?.isMarked === false ? this.ofItsShift(attempt) : []));
    return [...before, ...nearby, ...ofWaiting, ...found];
  }

  private candidatesBefore({ baseline: { fn }, doubt, register }: Attempt): UnownedDocument[] {
    return (doubt?.candidates ?? []).map((document) => {
      return { fn, register, document, foundWhen: this.stores.documents.find(fn, document.fd)?.foundWhen ?? "running" };
    });
  }

  /** Documents without a job around the attempt's shift. A receipt of another program makes equal content no proof. */
  private ofItsShift({ baseline: { fn, shift } }: Attempt): UnownedDocument[] {
    const { documents } = this.stores;
    return [...documents.ofShift(fn, shift.number), ...documents.ofShift(fn, shift.number + 1)];
  }

  /** Null when nothing changes. */
  private settleDoubt(doubt: Attempt, match: Match | null, found: readonly FoundDocument[]): Settled | null {
    const { stores, state } = this;
    const { fn, lastFd } = doubt.baseline;
    const isHere = fn === state.fn;
    const fenceFd = doubt.fenceFd ?? state.lastFd;
    // A shift is closed once, so its closing document counts even when it came after the fence.
    const until = doubt.witness.kind === "shift-close" ? state.lastFd : fenceFd;
    const since = isHere ? found.filter(({ document: { fd } }) => fd > lastFd && fd <= until) : [];
    const free = since.filter(({ owner }) => owner === null).map(({ document }) => document);
    const task = requestEndOf(doubt, state);
    const verdict = settleByWitness({
      ...{ witness: doubt.witness, before: doubt.baseline, after: state, documents: free, task, match },
      fault: doubt.fault,
      isClosedByAnother: stores.attempts.isClosedByAnother(doubt),
    });
    const isDue = this.facts.due.some(({ id }) => id === doubt.id);
    if (!isDue && !this.isProvenNow(match)) return null;
    this.apply(doubt, verdict, isHere && task?.kind !== "open" ? fenceFd : null);
    return { doubt, verdict };
  }

  /** A print service was not asked again, so no match on its registers is certain now. */
  private isProvenNow(match: Match | null): boolean {
    return match?.kind === "certain" && this.tools.connected.capabilities.exchange !== "whole";
  }

  private apply(attempt: Attempt, verdict: Verdict, fenceFd: number | null): void {
    const { recorder } = this.tools;
    switch (verdict.kind) {
      case "printed":
        recorder.settledAsPrinted(attempt, verdict, fenceFd);
        return;
      case "unsure":
        recorder.settledAsUnsure(attempt, verdict.doubt, fenceFd);
        return;
      case "nothing-to-close":
        this.stores.attempts.setFence(attempt.id, fenceFd, null);
        recorder.nothingToClose(this.stores.jobs.get(attempt.job), attempt.id);
        return;
      case "not-printed":
        this.notPrinted(attempt, fenceFd);
    }
  }

  private notPrinted({ id, job: jobId, fault }: Attempt, fenceFd: number | null): void {
    const job = this.stores.jobs.get(jobId);
    this.stores.attempts.setFence(id, fenceFd, null);
    if (job.receipt.kind === "receipt" && job.receipt.correction !== undefined) {
      // Each correction is one person's decision, so one that stopped without a clean answer is not tried again.
      const cause = fault === null ? {} : { message: saidBy(fault) };
      this.tools.recorder.failed(job, id, new Fault("job.correction-stopped", cause));
      return;
    }
    // No fault means that the daemon's end cut the attempt off: neither the job nor the register is to blame.
    if (fault === null) this.tools.recorder.requeued(job, id, null, { countTry: false });
    else
      recordNotPrinted(this.tools, {
        job,
        attempt: id,
        fault: new Fault(fault.code, { message: saidBy(fault) }),
        state: this.state,
      });
  }

  /** No document shows cash, so cash orders of this shift are unsure until all registers were read. */
  private keepCashLoss(): void {
    const { fn } = this.state;
    const shift = shiftAtHand(this.state.shift);
    if (this.stores.registers.find(this.register)?.cashLostShift === shift) return;
    this.stores.registers.saveCashLoss(this.register, shift, this.context.clock.now());
    this.tools.recorder.note("cash movements unknown since the database was lost", null, { fn, shift });
    this.context.log.error("the lost database may have moved cash: orders to move cash become unsure in this shift", {
      shift,
    });
  }

  private noteReceipts(news: readonly FoundDocument[]): void {
    const { context, state } = this;
    const { fn } = state;
    const free = news.filter(({ document: { fd } }) => this.stores.jobs.findByDocument(fn, fd) === null);
    for (const { document } of free) this.warnOfDouble(document);
    if (news.length === 0) return;
    const { isUnknown } = this.facts.history;
    if (isUnknown && !this.facts.isLoss && !writesMarks(this.tools.connected, context)) {
      const message = "the register has receipts from before it was known here, and its receipts carry no order mark";
      const fields = { fn, receipts: news.length };
      context.log.warn(`${message}: an order that another daemon printed on it is not recognised`, fields);
    }
    const receipts = news.map(({ document: { fd, operation, total, mark } }) => ({ fd, operation, total, mark }));
    this.tools.recorder.note("documents compared", null, {
      ...{ fn, from: news.at(0)?.document.fd, to: news.at(-1)?.document.fd },
      receipts: receipts.slice(0, 20),
      firstSight: isUnknown,
    });
  }

  /** Warns of an order mark whose job has another document, or is recorded as not printed. */
  private warnOfDouble({ fd, mark }: FiscalDocument): void {
    const job = mark === null ? null : this.stores.jobs.findFinishedByMark(mark);
    if (job === null) return;
    const fields = { job: job.id, order: job.orderId, fn: this.state.fn, fd };
    const { log } = this.context;
    if (job.state === "printed") {
      const printed = job.document?.fd ?? null;
      this.tools.recorder.note(PRINTED_TWICE, job.id, { fn: this.state.fn, fd, printed });
      log.error("an order was printed twice", { ...fields, printed, fault: new Fault("job.printed-twice") });
    } else {
      this.tools.recorder.note(PRINTED_AFTER_ALL, job.id, { fn: this.state.fn, fd });
      log.error("an order that ended as not printed has a receipt", fields);
    }
  }

  private recordRegister(): void {
    const { identity, tables } = this.tools.connected;
    const { record } = this.facts;
    this.saveSeen();
    const isAsBefore =
      record !== null && JSON.stringify([record.identity, record.tables]) === JSON.stringify([identity, tables]);
    if (!isAsBefore) this.context.events.tablesChanged(this.register);
  }

  private saveSeen(): void {
    const { stores, clock } = this.context;
    const { identity, tables } = this.tools.connected;
    const shift = shiftToRecord(this.facts.record, this.state);
    stores.registers.save({ id: this.register, identity, tables, lastFd: this.state.lastFd, shift }, clock.now());
  }
}
