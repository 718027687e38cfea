/**
 * The operator resolves an unsure job that no register can answer for: the fiscal drive was taken out, or the config
 * no longer has the register. The numbers from the paper, or from the OFD's cabinet, are accepted as far as they fit
 * the job and what is on record of the document.
 */
import type { DocumentNumbers } from "@fiscald/drivers/fiscal-driver.js";
import type { Issuers } from "../../store/issuers.js";
import type { Job } from "../../store/job.js";
import { JobRecorder, type RecorderOptions } from "../job-recorder.js";
import { candidatesOf, doubtOf } from "../recovery/candidates.js";
import { allSafety } from "../register-settings.js";
import { mismatch, requireMatch, requireNotOlder, requireNotPrinted, withNumbers } from "./document-checks.js";
import { type NotPrintedAnswer, noteNotPrinted } from "./resolve-job.js";

export interface ResolveParts extends Omit<RecorderOptions, "register" | "safety"> {
  readonly issuers: Issuers;
}

/** Fault `job.document-mismatch` for numbers that cannot be this job's, or are another job's. */
export function resolveByPaper(parts: ResolveParts, job: Job, numbers: DocumentNumbers, reason: string): Job {
  const { stores, issuers } = parts;
  const { fn, fd } = numbers;
  const doubt = doubtOf(stores, job);
  if (job.kind !== "receipt") throw mismatch("only a receipt leaves a paper with these numbers");
  if (doubt !== undefined && doubt.baseline.fn !== fn) {
    throw mismatch(`the job was sent to drive ${doubt.baseline.fn}, the paper names ${fn}`);
  }
  requireNotOlder(stores, job, numbers);
  const onRecord = stores.documents.find(fn, fd)?.document;
  if (onRecord !== undefined) {
    requireMatch(job, { document: withNumbers(onRecord, numbers), hasPaper: true, doubt, issuers });
  }
  return settleAsPrinted(parts, job, numbers, reason);
}

/** A job that leaves no document: cash in or out, text. */
export function resolveWithoutDocument(parts: ResolveParts, job: Job, reason: string): Job {
  if (job.kind === "receipt")
    throw mismatch("name what the receipt's paper says: drive, document, sign, shift and time");
  return settleAsPrinted(parts, job, null, reason);
}

/** Queued again, for `move`: the register that had it is gone, and its documents cannot be read. */
export function resolveAsNotPrintedWithoutRegister(
  parts: Pick<ResolveParts, "stores" | "clock">,
  job: Job,
  answer: NotPrintedAnswer,
): Job {
  const { stores, clock } = parts;
  const { jobs, attempts } = stores;
  // None of them can be read now.
  requireNotPrinted(
    candidatesOf(stores, job).map((candidate) => ({ ...candidate, isReadable: false })),
    answer.checked,
  );
  const doubt = doubtOf(stores, job);
  return jobs.transaction(() => {
    const at = clock.now();
    noteNotPrinted(parts, job, answer);
    if (doubt !== undefined) attempts.end(doubt.id, "not-printed", null, at);
    return jobs.requeue(job.id, { fault: null, countTry: false }, at);
  });
}

/** Of a table only the line in doubt is done: its other lines wait to be moved or cancelled. */
function settleAsPrinted(parts: ResolveParts, job: Job, document: DocumentNumbers | null, reason: string): Job {
  const { stores, clock } = parts;
  const { id, register, site } = job;
  const doubt = doubtOf(stores, job);
  const recorder = new JobRecorder({ ...parts, register, safety: allSafety });
  return stores.jobs.transaction(() => {
    const what = "resolved as printed by its paper";
    const details = { reason, ...document };
    stores.journal.add({ at: clock.now(), actor: "operator", what, job: id, register, site, details });
    if (doubt === undefined) return recorder.saidPrinted(job, document);
    return recorder.settledAsPrinted(doubt, { fn: document?.fn ?? doubt.baseline.fn, document }, doubt.fenceFd);
  });
}
