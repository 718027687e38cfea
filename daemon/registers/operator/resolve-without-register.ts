/**
 * The operator resolves an unsure job that no register can answer for: the fiscal drive was taken out, or the config
 * no longer has the register. The numbers from the paper, or from the OFD's cabinet, are accepted as far as they fit
 * the job.
 */
import type { DocumentNumbers } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { Job } from "../../store/job.js";
import { RESOLVED_AS_NOT_PRINTED } from "../job-recorder.js";
import { type Candidate, candidatesOf, doubtOf } from "../recovery/candidates.js";
import type { Stores } from "../register-context.js";
import type { SiteEventSink } from "../site-event-sink.js";

/** The numbers on a receipt's paper beside its document number. */
export type PaperNumbers = Omit<DocumentNumbers, "fd">;

export interface ResolveParts {
  readonly stores: Stores;
  readonly facts: Pick<SiteEventSink, "result">;
  readonly clock: Clock;
}

/** Up to where each drive was read: documents of before are excluded by the operator's answer. */
export function drivesOnRecord({ registers }: Pick<Stores, "registers">): readonly Place[] {
  return registers.all().map(({ fn, lastFd }) => ({ fn, lastFd }));
}

interface Place {
  readonly fn: FnSerial;
  readonly lastFd: number;
}

/**
 * The job's own mark counts more than a person's answer, and each unreadable document needs an answer of its own. Faults:
 * `job.document-mismatch`, `job.document-unread`.
 */
export function requireNotPrinted(candidates: readonly Candidate[], checked: readonly number[]): void {
  const marked = candidates.filter(({ isMarked }) => isMarked).map(({ fd }) => fd);
  if (marked.length > 0) {
    throw mismatch(
      `document ${marked.join(", ")} carries the mark of this very job: it was printed, name that document`,
    );
  }
  const unreadable = candidates.filter(({ isReadable }) => !isReadable).map(({ fd }) => fd);
  const open = unreadable.filter((fd) => !checked.includes(fd));
  if (open.length === 0) return;
  const message =
    `document ${open.join(", ")} may be this receipt and cannot be read now: look at its paper or in the OFD's cabinet, ` +
    `and if it is another receipt say so with ${open.map((fd) => `--checked ${fd}`).join(" ")}`;
  throw new Fault("job.document-unread", { message, details: { documents: open } });
}

/** Fault `job.document-mismatch` for a document that was on the drive before the job's first attempt. */
export function requireNotOlder(
  { attempts }: Pick<Stores, "attempts">,
  { id }: Pick<Job, "id">,
  { fn, fd }: Pick<DocumentNumbers, "fn" | "fd">,
): void {
  const before = attempts.ofJob(id).find(({ baseline }) => baseline.fn === fn)?.baseline;
  if (before === undefined || fd > before.lastFd) return;
  throw mismatch(`document ${fd} is older than the job: the drive was at ${before.lastFd} before it`);
}

/** Fault `job.document-mismatch` for numbers that cannot be this job's, or are another job's. */
export function resolveByPaper(parts: ResolveParts, job: Job, document: DocumentNumbers, reason: string): Job {
  const before = doubtOf(parts.stores, job)?.baseline;
  if (job.kind !== "receipt") throw mismatch("only a receipt leaves a paper with these numbers");
  if (before !== undefined && before.fn !== document.fn) {
    throw mismatch(`the job was sent to drive ${before.fn}, the paper names ${document.fn}`);
  }
  requireNotOlder(parts.stores, job, document);
  return settleAsPrinted(parts, job, document, reason);
}

/** A job that leaves no document: cash in or out, text. */
export function resolveWithoutDocument(parts: ResolveParts, job: Job, reason: string): Job {
  if (job.kind === "receipt")
    throw mismatch("name what the receipt's paper says: drive, document, sign, shift and time");
  return settleAsPrinted(parts, job, null, reason);
}

/** Queued again, for `move`: the register that had it is gone, and its documents cannot be read. */
export function resolveAsNotPrintedWithoutRegister(
  { stores, clock }: ResolveParts,
  job: Job,
  { reason, checked = [] }: { readonly reason: string; readonly checked?: readonly number[] },
): Job {
  const { jobs, attempts, journal } = stores;
  const candidates = candidatesOf(stores, job);
  // None of them can be read now.
  requireNotPrinted(
    candidates.map((candidate) => ({ ...candidate, isReadable: false })),
    checked,
  );
  const { id, register, site } = job;
  const doubt = doubtOf(stores, job);
  return jobs.transaction(() => {
    const at = clock.now();
    const drives = drivesOnRecord(stores);
    const details = { reason, asked: null, drives, candidates: candidates.map(({ fd }) => fd), checked };
    journal.add({ at, actor: "operator", what: RESOLVED_AS_NOT_PRINTED, job: id, register, site, details });
    if (doubt !== undefined) attempts.end(doubt.id, "not-printed", null, at);
    return jobs.requeue(id, { fault: null, countTry: false }, at);
  });
}

function settleAsPrinted(
  { stores, facts, clock }: ResolveParts,
  job: Job,
  document: DocumentNumbers | null,
  reason: string,
): Job {
  const { jobs, attempts, journal } = stores;
  const { id, register, site } = job;
  const doubt = doubtOf(stores, job);
  return jobs.transaction(() => {
    const at = clock.now();
    const printed = jobs.markPrinted(id, document, at);
    if (doubt !== undefined) attempts.end(doubt.id, "printed", doubt.fault, at);
    const what = "resolved as printed by its paper";
    journal.add({ at, actor: "operator", what, job: id, register, site, details: { reason, ...document } });
    if (job.source === "site") {
      jobs.setReportedOutcome(id, "printed");
      facts.result(printed, "printed");
    }
    return printed;
  });
}

function mismatch(message: string): Fault {
  return new Fault("job.document-mismatch", { message });
}
