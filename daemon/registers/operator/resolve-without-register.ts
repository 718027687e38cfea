/**
 * The operator resolves an unsure job that no register can answer for: the fiscal drive was taken out, or the config
 * no longer has the register. The numbers from the paper, or from the OFD's cabinet, are accepted as far as they fit
 * the job.
 */
import type { DocumentNumbers } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import { RESOLVED_AS_NOT_PRINTED } from "../job-recorder.js";
import type { Stores } from "../register-context.js";
import type { SiteEventSink } from "../site-event-sink.js";

/** The numbers on a receipt's paper beside its document number. */
export type PaperNumbers = Omit<DocumentNumbers, "fd">;

export interface ResolveParts {
  readonly stores: Stores;
  readonly facts: Pick<SiteEventSink, "result">;
  readonly clock: Clock;
}

/** The run whose outcome is not known; undefined for a job that waited and may have been printed before. */
export function doubtOf({ attempts }: Pick<Stores, "attempts">, job: Pick<Job, "id">): Attempt | undefined {
  return attempts.ofJob(job.id).findLast(({ outcome }) => outcome === "unsure");
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

/** Queued again, for `move`: the register that had it is gone. */
export function resolveAsNotPrintedWithoutRegister({ stores, clock }: ResolveParts, job: Job, reason: string): Job {
  const { jobs, attempts, journal } = stores;
  const { id, register, site } = job;
  const doubt = doubtOf(stores, job);
  return jobs.transaction(() => {
    const at = clock.now();
    const details = { reason, asked: null };
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
