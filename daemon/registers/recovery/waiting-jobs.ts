/** Compares waiting jobs with receipts without a job, because the daemon may have printed them before a data loss. */
import type { RegisterId } from "@fiscald/shared/ids.js";
import { totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../../store/job.js";
import type { UnownedDocument } from "../../store/unowned-documents.js";
import { EXCLUDES_DOCUMENTS, type JobRecorder } from "../job-recorder.js";
import type { RegisterContext, Stores } from "../register-context.js";
import { shiftAtHand } from "../shift/shift-age.js";
import { waitingDoubtOf } from "./candidates.js";
import { queuedClaim } from "./claims.js";
import { type FoundDocument, type Match, matchDocuments, type QueuedClaim } from "./match-documents.js";

export interface WaitingJob {
  readonly job: Job;
  readonly claim: QueuedClaim;
}

/** Claims of receipts that wait, and of unsure receipts that were not sent to this register. */
export function waitingJobs(context: RegisterContext, sentHere: ReadonlySet<number>): WaitingJob[] {
  const open = context.stores.jobs.unfinished(context.fleet.ids);
  return open.flatMap((job) => {
    const claim = job.state === "printing" || sentHere.has(job.id) ? null : queuedClaim(context, job);
    return claim === null ? [] : [{ job, claim }];
  });
}

export function documentsFor(
  { stores }: Pick<RegisterContext, "stores">,
  { job, claim }: WaitingJob,
): UnownedDocument[] {
  const marked = job.mark === null ? [] : stores.documents.findMarked(claim.receipt.orderId, job.mark);
  const lost = claim.marksOnly ? [] : stores.documents.matchableAfterLoss(totalOf(claim.receipt));
  return [...marked, ...lost, ...claim.earlier.flatMap(({ fn, fd }) => stores.documents.above(fn, fd))];
}

/** Settles a waiting job before the first byte. Afterwards the job is no longer queued if it may be printed already. */
export function settleBeforePrint(context: RegisterContext, recorder: JobRecorder, job: Job): void {
  const { jobs } = context.stores;
  if (mayHaveMovedCash(context, job)) {
    jobs.transaction(() => recorder.foundDoubtful(job, { reason: "no-evidence", candidates: [] }));
    context.log.error("cash may have been moved already: the database was put back or deleted", fieldsOf(job));
    return;
  }
  const claim = queuedClaim(context, job);
  if (claim === null) return;
  const documents = withOwners(context.stores, documentsFor(context, { job, claim }));
  const match = matchDocuments(documents, [claim]).get(claim);
  if (match === undefined || match.kind === "none") return;
  jobs.transaction(() => settleWaiting(context, recorder, { job, claim }, match));
}

/** Whether a site's order to move cash comes in the shift of a data loss. False once the operator has decided. */
function mayHaveMovedCash({ stores, fleet }: RegisterContext, job: Job): boolean {
  if (job.source !== "site" || job.receipt.lines.every(({ type }) => type !== "cash")) return false;
  if (stores.journal.ofJob(job.id).some(({ what }) => EXCLUDES_DOCUMENTS.includes(what))) return false;
  return fleet.ids.some((id) => {
    const record = stores.registers.find(id);
    if (record?.cashLostShift == null || !fleet.couldHavePrinted(job, id)) return false;
    return record.shift === null || shiftAtHand(record.shift) <= record.cashLostShift;
  });
}

/** Call this inside a transaction. */
export function settleWaiting(
  context: RegisterContext,
  recorder: JobRecorder,
  { job, claim }: WaitingJob,
  match: Match,
): void {
  const { log } = context;
  switch (match.kind) {
    case "certain": {
      const { fn, register, document } = match.found;
      const how = "its mark is on a document without a job";
      recorder.foundPrinted(movedTo(context, job, register), { fn, document }, how);
      log.warn("a waiting job was printed already", { ...fieldsOf(job), fd: document.fd });
      return;
    }
    case "unsure": {
      const [first] = match.candidates;
      // The attempt keeps the candidates of a job that was sent, and a held job is compared again before its print.
      if (first === undefined || claim.marksOnly || job.state === "held") return;
      const candidates = match.candidates.map(({ fn, document: { fd } }) => ({ fn, fd }));
      const doubt = { reason: match.reason, candidates };
      const noted = job.state === "unsure" ? waitingDoubtOf(context.stores, job.id) : null;
      if (JSON.stringify(noted) === JSON.stringify(doubt)) return;
      recorder.foundDoubtful(movedTo(context, job, first.register), doubt);
      log.error("a waiting job may be printed already", { ...fieldsOf(job), reason: match.reason });
      return;
    }
    case "none":
      if (isCleared(context, { job, claim })) recorder.requeued(job, null, null, { countTry: false });
  }
}

/** The job moves to the register that printed it, because its numbers are read from that register. */
function movedTo({ stores, fleet, clock }: RegisterContext, job: Job, register: RegisterId): Job {
  if (!["queued", "held"].includes(job.state) || register === job.register || !fleet.ids.includes(register)) return job;
  return stores.jobs.move(job.id, register, clock.now());
}

function isCleared({ stores }: Pick<RegisterContext, "stores">, { job, claim }: WaitingJob): boolean {
  if (job.state !== "unsure" || claim.marksOnly) return false;
  const candidates = waitingDoubtOf(stores, job.id)?.candidates ?? [];
  return candidates.length > 0 && candidates.every(({ fn, fd }) => stores.jobs.findByDocument(fn, fd) !== null);
}

/** Each document once, as it was read last, with the job that owns it. */
export function withOwners({ jobs }: Pick<Stores, "jobs">, documents: readonly UnownedDocument[]): FoundDocument[] {
  const each = new Map(documents.map((one) => [`${one.fn}/${one.document.fd}`, one]));
  return [...each.values()].map((one) => {
    return { ...one, owner: jobs.findByDocument(one.fn, one.document.fd)?.id ?? null };
  });
}

function fieldsOf({ id, orderId }: Job) {
  return { job: id, order: orderId };
}
