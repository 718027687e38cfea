/** Records what became of a job, in one transaction. Some methods must be called inside that of the sweep. */

import type { DocumentTags, FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { DocumentNumbers, RunOutcome, ShiftTotals } from "@fiscald/drivers/fiscal-driver.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import { doneInWords } from "../messages/done-parts.js";
import type { JournalWord } from "../messages/messages.js";
import type { Attempt, Doubt, DoubtReason } from "../store/attempt-store.js";
import { isForSite, type Job, type JobDocument } from "../store/job.js";
import type { JobFault, ReportedOutcome } from "../store/job-store.js";
import { FAILED, HELD, PRINT_ANYWAY, PRINTED_ODDLY } from "../store/journal.js";
import type { RegisterContext, Stores } from "./register-context.js";

/** A running program, which prints one part of a job, with its committed attempt. */
export interface BegunPart extends Pick<Attempt, "part" | "parts" | "witness" | "baseline" | "shiftTotals"> {
  readonly job: Job;
  readonly attempt: number;
}

export interface NewPart extends Omit<BegunPart, "attempt"> {
  /** The tags that the receipt's document should hold, for the comparison after the print. */
  readonly sent?: DocumentTags | undefined;
}

/** A document as it was read, or as its paper shows it. */
type NumberedDocument = Pick<FiscalDocument, "fd" | "fiscalSign" | "shift" | "receiptNumber" | "time">;

type Printed = Pick<Extract<RunOutcome, { readonly kind: "printed" }>, "document" | "warnings">;

export type DocumentPlace = Pick<DocumentNumbers, "fn" | "fd">;

/** Why a waiting job may be printed already, and the documents that may be its receipt. */
export interface WaitingDoubt {
  readonly reason: DoubtReason;
  readonly candidates: readonly DocumentPlace[];
}

export const RESOLVED_AS_NOT_PRINTED = "resolved as not printed";
/** Journal entries with which the operator says that no document up to the numbers in `drives` is the job's own. */
export const EXCLUDES_DOCUMENTS: readonly string[] = [RESOLVED_AS_NOT_PRINTED, PRINT_ANYWAY];
/** Journal entry of a waiting job, with the documents that may be its own. */
export const MAY_BE_PRINTED = "may be printed already";
export const NOTHING_TO_CLOSE = { code: "device.shift-closed", message: "no shift is open" } as const;
const NOT_CLOSED = "shift not closed yet";

/** `register` is the id of the jobs' register, which the config may no longer have. */
export interface RecorderOptions extends Pick<RegisterContext, "stores" | "events" | "clock" | "log"> {
  readonly register: RegisterId;
}

export class JobRecorder {
  private readonly jobs: Stores["jobs"];
  private readonly attempts: Stores["attempts"];
  private readonly registers: Stores["registers"];
  private readonly journal: Stores["journal"];
  private readonly events: RecorderOptions["events"];
  private readonly clock: RecorderOptions["clock"];
  private readonly register: RegisterId;

  constructor(private readonly options: RecorderOptions) {
    const { stores, events, clock, register } = options;
    this.jobs = stores.jobs;
    this.attempts = stores.attempts;
    this.registers = stores.registers;
    this.journal = stores.journal;
    this.events = events;
    this.clock = clock;
    this.register = register;
  }

  note(what: JournalWord, job: number | null, details: Readonly<Record<string, unknown>> = {}): void {
    this.journal.add({ at: this.clock.now(), actor: "daemon", what, job, register: this.register, details });
  }

  private reportToSite(job: Job, outcome: ReportedOutcome, place: string | null = null): void {
    if (!isForSite(job)) return;
    // A site that did not order the receipt need not know that it was never printed.
    if (outcome === "failed" && job.source !== "site" && this.jobs.reportedOutcome(job.id) === null) return;
    if (outcome === "unknown" && this.jobs.reportedOutcome(job.id) === "unknown") return;
    this.jobs.setReportedOutcome(job.id, outcome);
    this.events.result(job, outcome, place);
  }

  /** Commits the attempt before the first byte is sent. Returns null when the job is no longer queued. */
  begin(part: NewPart): BegunPart | null {
    const begun = this.jobs.transaction(() => this.recordBegin(part));
    if (begun !== null) this.attempts.noteBegun(begun.attempt);
    return begun;
  }

  private recordBegin(part: NewPart): BegunPart | null {
    const now = this.clock.now();
    const job = part.job.state === "printing" ? part.job : this.jobs.claim(part.job.id, this.register, now);
    if (job === null) return null;
    const { witness, baseline, parts, sent } = part;
    if (sent !== undefined) this.options.stores.checks.sends(job.id, this.register, sent);
    const attempt = this.attempts.begin({ ...part, job: job.id, register: this.register, now });
    this.note("attempt began", job.id, {
      attempt,
      part: `${part.part + 1}/${parts}`,
      witness: witness.kind,
      fn: baseline.fn,
      lastFd: baseline.lastFd,
      shift: baseline.shift.number,
    });
    return { ...part, job, attempt };
  }

  /** The part was printed now or found printed by recovery. */
  private recordPart(
    part: Omit<BegunPart, "baseline">,
    fn: FnSerial,
    shift: number,
    document: JobDocument | null,
  ): Job {
    const now = this.clock.now();
    // The program only opened the shift, which is no part of the job.
    if (part.witness.kind === "shift-open") {
      this.registers.saveShift(
        this.register,
        { number: document?.shift ?? shift, state: "open", openedAt: document?.time ?? null },
        now,
      );
      return this.jobs.get(part.job.id);
    }
    const job = this.jobs.addDonePart(part.job.id, { parts: part.parts, document }, now);
    if (part.witness.kind === "shift-close") {
      this.registers.saveShift(this.register, { number: shift, state: "closed", openedAt: null }, now);
      const sums = part.shiftTotals?.shift === shift ? part.shiftTotals : this.jobs.sumOfShift(fn, shift);
      this.events.shiftClosed({ register: this.register, job, fn, shift, sales: sums.sales, returns: sums.returns });
      this.note("shift closed", job.id, { shift, sales: sums.sales, returns: sums.returns });
    }
    if (job.state === "printed") this.reportToSite(job, "printed");
    return job;
  }

  /** After the last part the job is printed. */
  partPrinted(part: BegunPart, { document, warnings }: Printed): Job {
    const told = warnings.flatMap(({ place, message, ru }) =>
      ru === null ? [] : [{ path: place ?? "", text: { en: message, ru } }],
    );
    return this.jobs.transaction(() => {
      const now = this.clock.now();
      // The result, which is written with the part, has the warnings that are in the journal by then.
      if (told.length > 0) this.note(PRINTED_ODDLY, part.job.id, { warnings: told });
      const { baseline, attempt } = part;
      this.attempts.end(attempt, "printed", null, now);
      const job = this.recordPart(part, baseline.fn, baseline.shift.number, document);
      // If a document that is not ours lies between the number on record and this document, the number stays, so that
      // the next sweep reads that document.
      const isNext = this.registers.find(this.register)?.lastFd === baseline.lastFd;
      if (document !== null && document.fd === baseline.lastFd + 1 && isNext)
        this.registers.saveLastFd(this.register, document.fd, now);
      this.note(part.witness.kind === "shift-open" ? "shift opened" : "printed", job.id, { attempt, ...document });
      return job;
    });
  }

  /** The job must be proven not registered. */
  requeued(job: Job, attempt: number | null, fault: JobFault | null, { countTry }: { countTry: boolean }): Job {
    return this.jobs.transaction(() => {
      if (attempt !== null) this.attempts.end(attempt, "not-printed", fault, this.clock.now());
      this.note("not printed, queued again", job.id, { attempt, code: fault?.code, reason: fault?.message });
      if (job.source === "schedule" && fault !== null) this.tellNotClosed(job, fault);
      return this.jobs.requeue(job.id, { fault, countTry }, this.clock.now());
    });
  }

  /** The sites hear of each cause only once, because a failed closing is tried again each minute. */
  private tellNotClosed(job: Job, fault: JobFault): void {
    const isTold = this.journal
      .ofJob(job.id)
      .some(({ what, details }) => what === NOT_CLOSED && details.code === fault.code);
    if (isTold) return;
    const shift = this.registers.find(this.register)?.shift?.number ?? 0;
    this.events.shiftNotClosed({ register: this.register, job, shift, fault });
    this.note(NOT_CLOSED, job.id, { code: fault.code, reason: fault.message });
    this.options.log.error("the shift is not closed yet; it is tried each minute", { job: job.id, shift, fault });
  }

  /** Records why the register cannot begin a scheduled closing that waits. */
  closingHindered(id: number, fault: JobFault): void {
    this.jobs.transaction(() => {
      const job = this.jobs.find(id);
      // The register's shift is closed already, so a register that is offline misses no closing.
      if (job?.state !== "queued" || this.registers.find(this.register)?.shift?.state === "closed") return;
      this.tellNotClosed(job, fault);
    });
  }

  /** Puts a job on hold before any program of it has begun. The site hears nothing. */
  held(job: Job, fault: JobFault): void {
    this.jobs.transaction(() => {
      this.jobs.hold(job.id, fault, this.clock.now());
      this.note(HELD, job.id, { code: fault.code, reason: fault.message });
    });
  }

  /** The job must be proven not registered, and a retry must be useless. */
  failed(job: Job, attempt: number | null, fault: JobFault & Partial<Pick<Fault, "place">>): Job {
    return this.jobs.transaction(() => {
      if (attempt !== null) this.attempts.end(attempt, "not-printed", fault, this.clock.now());
      const after = this.jobs.markFailed(job.id, fault, this.clock.now());
      const { receipt, doneParts } = after;
      const done = receipt.kind === "service" && doneParts > 0 ? { done: doneInWords(receipt, doneParts) } : {};
      const { code, message: reason, ru } = fault;
      this.note(FAILED, job.id, { attempt, code, reason, ru: ru ?? undefined, ...done });
      this.reportToSite(after, "failed", fault.place);
      return after;
    });
  }

  /** Ends a closing that finds no open shift. A scheduled closing is cancelled, any other closing fails. */
  nothingToClose(job: Job, attempt: number | null): Job {
    const why = NOTHING_TO_CLOSE;
    if (job.source !== "schedule") return this.failed(job, attempt, why);
    return this.jobs.transaction(() => {
      const now = this.clock.now();
      if (attempt !== null) this.attempts.end(attempt, "not-printed", why, now);
      this.note("nothing to close", job.id, { attempt });
      // Only a queued job can be cancelled.
      this.jobs.requeue(job.id, { fault: why, countTry: false }, now);
      return this.jobs.cancel(job.id, why, now);
    });
  }

  doubted(job: Job, attempt: number, fault: JobFault): Job {
    return this.jobs.transaction(() => {
      this.attempts.end(attempt, "unsure", fault, this.clock.now());
      this.note("outcome unknown", job.id, { attempt, code: fault.code, reason: fault.message });
      return this.jobs.markUnsure(job.id, fault, this.clock.now());
    });
  }

  /** Records that recovery found a begun job printed. Call this inside a transaction. */
  settledAsPrinted(
    attempt: Attempt,
    { fn, document }: { readonly fn: FnSerial; readonly document: NumberedDocument | null },
    fenceFd: number | null,
  ): Job {
    const { shift } = attempt.baseline;
    const job = this.jobs.get(attempt.job);
    this.attempts.setFence(attempt.id, fenceFd, null);
    this.attempts.end(attempt.id, "printed", attempt.fault, this.clock.now());
    const part = { ...attempt, job, attempt: attempt.id, shiftTotals: this.totalsWithOurs(attempt) };
    const after = this.recordPart(part, fn, shift.number, document === null ? null : numbersOf(fn, document));
    this.note("found printed", job.id, { attempt: attempt.id, fd: document?.fd ?? null });
    // A job with further parts goes on with its next part.
    return after.state === "printed"
      ? after
      : this.jobs.requeue(job.id, { fault: null, countTry: false }, this.clock.now());
  }

  /** Our own sums count where they are higher, because receipts may have been added until the attempt was settled. */
  private totalsWithOurs({ shiftTotals, baseline: { fn } }: Attempt): ShiftTotals | null {
    if (shiftTotals === null) return null;
    const ours = this.jobs.sumOfShift(fn, shiftTotals.shift);
    const [sales, returns] = [Math.max(shiftTotals.sales, ours.sales), Math.max(shiftTotals.returns, ours.returns)];
    return { ...shiftTotals, sales: kopecks(sales), returns: kopecks(returns) };
  }

  /** Stores why recovery could not decide, and tells the site "unknown". Call this inside a transaction. */
  settledAsUnsure(attempt: Attempt, doubt: Doubt, fenceFd: number | null): void {
    this.attempts.setFence(attempt.id, fenceFd, doubt);
    if (attempt.doubt?.reason === doubt.reason) return;
    const candidates = doubt.candidates.map(({ fd, total }) => ({ fd, total }));
    this.note("cannot be settled", attempt.job, { attempt: attempt.id, reason: doubt.reason, candidates });
    this.reportToSite(this.jobs.get(attempt.job), "unknown");
  }

  /** `found` is null when the job leaves no document. Null is returned when the document's numbers are unknown. */
  foundPrinted(
    job: Job,
    found: { readonly fn: FnSerial; readonly document: NumberedDocument } | null,
    how: string,
  ): Job | null {
    const numbers = found === null ? null : numbersOf(found.fn, found.document);
    if (found !== null && numbers === null) return null;
    const printed = this.jobs.markPrinted(job.id, numbers, this.clock.now());
    this.note("found printed", job.id, { how, fn: numbers?.fn ?? null, fd: numbers?.fd ?? null });
    this.reportToSite(printed, "printed");
    return printed;
  }

  /** Ends a job that has no program: a task table (the print-server format) that only cancels a receipt. */
  nothingToPrint(job: Job): Job {
    return this.jobs.transaction(() => {
      const printed = this.jobs.markPrinted(job.id, null, this.clock.now());
      this.note("nothing to print", job.id);
      this.reportToSite(printed, "printed");
      return printed;
    });
  }

  /** Records new documents that may be the receipt of a waiting job. Call this inside a transaction. */
  foundDoubtful(job: Job, { reason, candidates }: WaitingDoubt): void {
    const message =
      candidates.length > 0
        ? `documents ${placesInWords(candidates)} may be this receipt`
        : "the database was put back or deleted, and no document tells whether this was done";
    const after = this.jobs.markUnsure(job.id, { code: "job.outcome-unknown", message }, this.clock.now());
    this.note(MAY_BE_PRINTED, job.id, { reason, candidates });
    this.reportToSite(after, "unknown");
  }
}

/** As "3, 4 of drive X; 3 of drive Y". */
export function placesInWords(places: readonly DocumentPlace[]): string {
  const drives = [...new Set(places.map(({ fn }) => fn))];
  const numbersOn = (drive: FnSerial) => places.flatMap(({ fn, fd }) => (fn === drive ? fd : [])).join(", ");
  return drives.map((drive) => `${numbersOn(drive)} of drive ${drive}`).join("; ");
}

/** Null: one of the document's numbers is unknown. */
function numbersOf(fn: FnSerial, document: NumberedDocument): DocumentNumbers | null {
  const { fd, fiscalSign, shift, receiptNumber, time } = document;
  return shift === null || time === null ? null : { fn, fd, fiscalSign, shift, receiptNumber, time };
}
