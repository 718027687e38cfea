/**
 * What became of a job, written down: each method is one transaction of state, attempt, event and journal, so that a
 * crash leaves either all of it or nothing.
 */

import { doneInWords } from "@fiscald/drivers/compile/service-parts.js";
import type { Baseline, DocumentNumbers, FiscalDocument, ShiftTotals } from "@fiscald/drivers/fiscal-driver.js";
import type { Witness } from "@fiscald/drivers/program.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { Attempt, Doubt, DoubtReason } from "../store/attempt-store.js";
import type { Job, JobDocument } from "../store/job.js";
import type { JobFault, ReportedOutcome } from "../store/job-store.js";
import type { RegisterContext } from "./register-context.js";

/** A program run in hand. `attempt` is null only where the campaign switched the journal off. */
export interface BegunPart {
  readonly job: Job;
  readonly attempt: number | null;
  readonly part: number;
  readonly parts: number;
  /** Its outcome does not count as a part of the job: the shift is only opened on the way. */
  readonly preparing: boolean;
  readonly witness: Witness;
  readonly baseline: Baseline;
  readonly shiftTotals: ShiftTotals | null;
}

export type NewPart = Omit<BegunPart, "attempt">;

export interface JobRecorder {
  /** Committed before the first byte. Null when the job is not queued any more. */
  begin(part: NewPart): BegunPart | null;
  /** One part is done, and with the last one the job. */
  partPrinted(part: BegunPart, document: JobDocument | null): Job;
  /** Proven not registered: queued again. */
  requeued(job: Job, attempt: number | null, fault: JobFault | null, options: { readonly countTry: boolean }): Job;
  /** A scheduled closing waits, and this keeps the register from it. */
  closingHindered(job: number, fault: JobFault): void;
  /** Proven not registered, and it is no use to try again. */
  failed(job: Job, attempt: number | null, fault: JobFault): Job;
  /** Nobody knows yet. */
  doubted(job: Job, attempt: number | null, fault: JobFault): Job;
  /** The register was read: a job that began turned out as printed. Call it inside a transaction. */
  settledAsPrinted(attempt: Attempt, document: FiscalDocument | null, fenceFd: number | null): Job;
  /** The register was read and the doubt remains. Call it inside a transaction. */
  settledAsUnsure(attempt: Attempt, doubt: Doubt, fenceFd: number | null): void;
  /** A document on a register turned out to be the receipt of a job that waits. Call it inside a transaction. */
  foundPrinted(job: Job, fn: FnSerial, document: FiscalDocument, how: string): Job | null;
  /** Documents were found that may be the receipt of a job that waits. Call it inside a transaction. */
  foundDoubtful(job: Job, fn: FnSerial | null, doubt: Doubt): void;
  /** The operator says so of a job that leaves no document. Call it inside a transaction. */
  saidPrinted(job: Job): Job;
  /** The job has no program at all: a table that only cancels what stands open. */
  nothingToPrint(job: Job): Job;
  /** The site has waited long enough for a register that cannot be asked. */
  tellUnknown(job: Job, reason: string): void;
  note(what: string, job: number | null, details?: Readonly<Record<string, unknown>>): void;
}

/** What the journal says of a job whose doubt the operator has ended so. */
export const RESOLVED_AS_NOT_PRINTED = "resolved as not printed";
/** What it says of a job that waited, with the documents that may be its own. */
export const MAY_BE_PRINTED = "may be printed already";
/** What it says of a job that is queued again, proven not registered. */
export const QUEUED_AGAIN = "not printed, queued again";
const NOT_CLOSED = "shift not closed yet";

export function createJobRecorder(context: RegisterContext): JobRecorder {
  const { settings, stores, facts, safety, clock, log } = context;
  const { jobs, attempts, registers, journal } = stores;
  const register = settings.id;

  function note(what: string, job: number | null, details: Readonly<Record<string, unknown>> = {}): void {
    journal.add({ at: clock.now(), actor: "daemon", what, job, register, details });
  }

  function tell(job: Job, outcome: ReportedOutcome): void {
    if (job.source !== "site") return;
    if (outcome === "unknown" && jobs.reportedOutcome(job.id) === "unknown") return;
    jobs.setReportedOutcome(job.id, outcome);
    facts.result(job, outcome);
  }

  function begin(part: NewPart): BegunPart | null {
    if (!safety.journal) return { ...part, attempt: null };
    return jobs.transaction(() => {
      const now = clock.now();
      const job = part.job.state === "printing" ? part.job : jobs.claim(part.job.id, register, now);
      if (job === null) return null;
      const { witness, baseline, shiftTotals, parts } = part;
      const attempt = attempts.begin({
        job: job.id,
        part: part.part,
        parts,
        register,
        witness,
        baseline,
        shiftTotals,
        now,
      });
      note("attempt began", job.id, {
        attempt,
        part: `${part.part + 1}/${parts}`,
        witness: witness.kind,
        fn: baseline.fn,
        lastFd: baseline.lastFd,
        shift: baseline.shift.number,
      });
      return { ...part, job, attempt };
    });
  }

  /** The part's own consequences, whether it was seen to be done or found done afterwards. */
  function recordPart(
    part: Omit<BegunPart, "baseline">,
    fn: FnSerial,
    shift: number,
    document: JobDocument | null,
  ): Job {
    const now = clock.now();
    if (part.preparing) {
      registers.saveShift(
        register,
        { number: document?.shift ?? shift, state: "open", openedAt: document?.time ?? null },
        now,
      );
      return jobs.get(part.job.id);
    }
    const job = jobs.addDonePart(part.job.id, { parts: part.parts, document }, now);
    if (part.witness.kind === "shift-close") {
      registers.saveShift(register, { number: shift, state: "closed", openedAt: null }, now);
      const sums = part.shiftTotals?.shift === shift ? part.shiftTotals : jobs.sumOfShift(fn, shift);
      facts.shiftClosed({ register, job, fn, shift, sales: sums.sales, returns: sums.returns });
      note("shift closed", job.id, { shift, sales: sums.sales, returns: sums.returns });
    }
    if (job.state === "printed") tell(job, "printed");
    return job;
  }

  function partPrinted(part: BegunPart, document: JobDocument | null): Job {
    return jobs.transaction(() => {
      const now = clock.now();
      const { baseline, attempt } = part;
      if (attempt !== null) attempts.end(attempt, "printed", null, now);
      const job = recordPart(part, baseline.fn, baseline.shift.number, document);
      // A document in between is none of ours: the record stays, and the next gap check reads it.
      if (document !== null && document.fd === baseline.lastFd + 1) registers.saveLastFd(register, document.fd, now);
      note(part.preparing ? "shift opened" : "printed", job.id, { attempt, ...document });
      return job;
    });
  }

  function requeued(
    job: Job,
    attempt: number | null,
    fault: JobFault | null,
    { countTry }: { countTry: boolean },
  ): Job {
    return jobs.transaction(() => {
      if (attempt !== null) attempts.end(attempt, "not-printed", fault, clock.now());
      note(QUEUED_AGAIN, job.id, { attempt, code: fault?.code, reason: fault?.message });
      if (job.source === "schedule" && fault !== null) tellNotClosed(job, fault);
      return jobs.requeue(job.id, { fault, countTry }, clock.now());
    });
  }

  /** Once per closing and cause: it is tried each minute. */
  function tellNotClosed(job: Job, fault: JobFault): void {
    const isTold = journal
      .ofJob(job.id)
      .some(({ what, details }) => what === NOT_CLOSED && details.code === fault.code);
    if (isTold) return;
    const shift = registers.find(register)?.shift?.number ?? 0;
    facts.shiftNotClosed({ register, job, shift, fault });
    note(NOT_CLOSED, job.id, { code: fault.code, reason: fault.message });
    log.error("the shift is not closed yet; it is tried each minute", { job: job.id, shift, fault });
  }

  function closingHindered(id: number, fault: JobFault): void {
    jobs.transaction(() => {
      const job = jobs.find(id);
      // A register that is away with its shift closed misses nothing.
      if (job?.state !== "queued" || registers.find(register)?.shift?.state === "closed") return;
      tellNotClosed(job, fault);
    });
  }

  function failed(job: Job, attempt: number | null, fault: JobFault): Job {
    return jobs.transaction(() => {
      if (attempt !== null) attempts.end(attempt, "not-printed", fault, clock.now());
      const after = jobs.markFailed(job.id, fault, clock.now());
      const { receipt, doneParts } = after;
      const done = receipt.kind === "service" && doneParts > 0 ? { done: doneInWords(receipt, doneParts) } : {};
      note("failed", job.id, { attempt, code: fault.code, reason: fault.message, ...done });
      tell(after, "failed");
      return after;
    });
  }

  function doubted(job: Job, attempt: number | null, fault: JobFault): Job {
    if (attempt === null) return job;
    return jobs.transaction(() => {
      attempts.end(attempt, "unsure", fault, clock.now());
      note("outcome in doubt", job.id, { attempt, code: fault.code, reason: fault.message });
      return jobs.markUnsure(job.id, fault, clock.now());
    });
  }

  function settledAsPrinted(attempt: Attempt, document: FiscalDocument | null, fenceFd: number | null): Job {
    const { fn, shift } = attempt.baseline;
    const job = jobs.get(attempt.job);
    attempts.setFence(attempt.id, fenceFd, null);
    attempts.end(attempt.id, "printed", attempt.fault, clock.now());
    const preparing = attempt.witness.kind === "shift-open";
    const part = { ...attempt, job, attempt: attempt.id, preparing };
    const after = recordPart(part, fn, shift.number, document === null ? null : numbersOf(fn, document));
    note("found printed", job.id, { attempt: attempt.id, fd: document?.fd ?? null });
    // Further parts of it are still to be done.
    return after.state === "printed" ? after : jobs.requeue(job.id, { fault: null, countTry: false }, clock.now());
  }

  function settledAsUnsure(attempt: Attempt, doubt: Doubt, fenceFd: number | null): void {
    attempts.setFence(attempt.id, fenceFd, doubt);
    if (attempt.doubt?.reason === doubt.reason) return;
    const candidates = doubt.candidates.map(({ fd, total }) => ({ fd, total }));
    note("cannot be settled", attempt.job, { attempt: attempt.id, reason: doubt.reason, candidates });
    tell(jobs.get(attempt.job), "unknown");
  }

  function foundPrinted(job: Job, fn: FnSerial, document: FiscalDocument, how: string): Job | null {
    const numbers = numbersOf(fn, document);
    if (numbers === null) return null;
    const printed = jobs.markPrinted(job.id, numbers, clock.now());
    note("found printed", job.id, { how, fn, fd: document.fd });
    tell(printed, "printed");
    return printed;
  }

  function saidPrinted(job: Job): Job {
    const printed = jobs.markPrinted(job.id, null, clock.now());
    tell(printed, "printed");
    return printed;
  }

  function nothingToPrint(job: Job): Job {
    return jobs.transaction(() => {
      const printed = jobs.markPrinted(job.id, null, clock.now());
      note("nothing to print", job.id);
      tell(printed, "printed");
      return printed;
    });
  }

  function foundDoubtful(job: Job, fn: FnSerial | null, doubt: Doubt): void {
    const fds = doubt.candidates.map(({ fd }) => fd);
    const message = doubtOf(fn, doubt.reason, fds);
    const after = jobs.markUnsure(job.id, { code: "job.outcome-unknown", message }, clock.now());
    note(MAY_BE_PRINTED, job.id, { fn, reason: doubt.reason, candidates: fds });
    tell(after, "unknown");
  }

  return {
    begin,
    partPrinted,
    requeued,
    closingHindered,
    failed,
    doubted,
    settledAsPrinted,
    settledAsUnsure,
    foundPrinted,
    foundDoubtful,
    saidPrinted,
    nothingToPrint,
    tellUnknown: (job, reason) =>
      jobs.transaction(() => {
        if (jobs.reportedOutcome(job.id) === "unknown") return;
        note("told as unknown", job.id, { reason });
        tell(job, "unknown");
      }),
    note,
  };
}

function doubtOf(fn: FnSerial | null, reason: DoubtReason, fds: readonly number[]): string {
  if (fds.length > 0) return `documents ${fds.join(", ")} of drive ${fn} may be this receipt`;
  return reason === "drive-changed"
    ? `drive ${fn} was taken out while another database was in use: this receipt may be on it`
    : "the database was put back or deleted, and no document tells whether this was done";
}

/** Null when the document does not tell all of its numbers. */
export function numbersOf(fn: FnSerial, document: FiscalDocument): DocumentNumbers | null {
  const { fd, fiscalSign, shift, receiptNumber, time } = document;
  return shift === null || time === null ? null : { fn, fd, fiscalSign, shift, receiptNumber, time };
}
