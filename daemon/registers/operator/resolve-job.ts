/** The operator resolves an unsure job: the answer is checked against the register, or against what is on record. */
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Issuers } from "../../store/issuers.js";
import type { Job } from "../../store/job.js";
import { requireSameDrive } from "../connected-register.js";
import { type JobRecorder, RESOLVED_AS_NOT_PRINTED } from "../job-recorder.js";
import { type Candidate, candidatesOf, doubtOf } from "../recovery/candidates.js";
import { type RegisterTools, readDocuments, sweepAt } from "../recovery/sweep.js";
import type { Stores } from "../register-context.js";
import {
  mismatch,
  type NamedDocument,
  type PaperNumbers,
  requireDrive,
  requireMatch,
  requireNotOlder,
  requireNotPrinted,
  withNumbers,
} from "./document-checks.js";

export interface PrintedAnswer {
  readonly kind: "printed";
  /** The document that is the job's; null for a job that leaves none. */
  readonly fd: number | null;
  /** What its paper says; null = the operator names the number alone. */
  readonly paper: PaperNumbers | null;
  readonly reason: string;
}

export interface NotPrintedAnswer {
  readonly kind: "not-printed";
  /** Unreadable documents that the operator has checked. */
  readonly checked: readonly number[];
  readonly reason: string;
}

export type Resolution = PrintedAnswer | NotPrintedAnswer;

/** What an answer is checked and recorded with. */
export interface ResolveParts {
  readonly stores: Stores;
  readonly issuers: Issuers;
  readonly clock: Pick<Clock, "now">;
  readonly recorder: JobRecorder;
}

/** The document is read on the register that was asked. */
export async function resolveAsPrinted(tools: RegisterTools, answer: PrintedAnswer, job: Job): Promise<void> {
  const { fd, paper } = answer;
  const { stores } = tools.context;
  const { fn } = tools.connected.identity;
  const doubt = doubtOf(stores, job);
  if (fd !== null) requireDrive(stores, job, { fn, fd, paper });
  const document = fd === null ? null : withNumbers(await readDocument(tools, fd, paper), paper);
  settleAsPrinted(partsOf(tools), job, answer, { fn, document, doubt, canBeRead: true });
}

/**
 * No register can answer for the job: its drive was taken out, or the config no longer has its register. What the paper or
 * the OFD's cabinet says must fit the job and what is on record of the document.
 */
export function resolveByPaper(parts: ResolveParts, job: Job, answer: PrintedAnswer): void {
  const { fd, paper } = answer;
  const { stores } = parts;
  const doubt = doubtOf(stores, job);
  if (paper === null) {
    const fn = doubt?.baseline.fn ?? null;
    settleAsPrinted(parts, job, { ...answer, fd: null }, { fn, document: null, doubt, canBeRead: false });
    return;
  }
  const { fn } = paper;
  if (fd === null) throw mismatch("name the receipt's document number");
  requireDrive(stores, job, { fn, fd, paper });
  const document = withNumbers(stores.documents.find(fn, fd)?.document ?? unknownDocument(fd), paper);
  settleAsPrinted(parts, job, answer, { fn, document, doubt, canBeRead: false });
}

function settleAsPrinted(
  { stores, issuers, clock, recorder }: ResolveParts,
  job: Job,
  { fd, paper, reason }: PrintedAnswer,
  { fn, document, doubt, canBeRead }: Omit<NamedDocument, "hasPaper" | "issuers"> & { readonly fn: FnSerial | null },
): void {
  if (fn !== null && fd !== null) requireNotOlder(stores, job, { fn, fd });
  requireMatch(job, { document, hasPaper: paper !== null, doubt, issuers, canBeRead });
  stores.jobs.transaction(() => {
    requireStillInDoubt(stores, job, doubt);
    const { id, register, site } = job;
    const what = paper === null ? "resolved as printed" : "resolved as printed by its paper";
    const details = { reason, fd, ...paper };
    stores.journal.add({ at: clock.now(), actor: "operator", what, job: id, register, site, details });
    // Of a table only the line in doubt is done.
    if (doubt !== undefined) recorder.settledAsPrinted(doubt, { fn: fn ?? doubt.baseline.fn, document }, doubt.fenceFd);
    else recorder.foundPrinted(job, fn === null || document === null ? null : { fn, document }, "the operator said so");
  });
}

/** Behind the fence, after what could be the job's own was read once more on the register that was asked. */
export async function resolveAsNotPrinted(tools: RegisterTools, answer: NotPrintedAnswer, job: Job): Promise<void> {
  const { context, signal } = tools;
  const { stores } = context;
  const request = doubtOf(stores, job)?.baseline.requestId ?? null;
  const requests = request === null ? [] : [request];
  const state = await context.driver.fence({ cancelOpen: false, requests }, signal);
  const end = request === null ? undefined : state.requests?.get(request);
  if (end?.kind === "done") throw mismatch("the print service says that this very job was carried out");
  if (end?.kind === "open") {
    const message = "the print service has not ended this very job and may still carry it out: end it there first";
    throw new Fault("job.being-printed", { message });
  }
  if (state.openReceipt !== null) {
    const message =
      "a receipt stands open on the register and may be this job's own: cancel it there, do not finish it; " +
      "if it was finished by hand, the job is printed";
    throw new Fault("device.receipt-open", { message });
  }
  await readOnceMore(tools, job, state);
  settleAsNotPrinted(partsOf(tools), job, answer, state.fn);
}

/** `driveRead`: null where no register could be asked. */
export function settleAsNotPrinted(
  parts: ResolveParts,
  job: Job,
  answer: NotPrintedAnswer,
  driveRead: FnSerial | null,
): void {
  const { stores, recorder } = parts;
  const doubt = doubtOf(stores, job);
  requireNotPrinted(candidatesNow(stores, job, doubt, driveRead), answer.checked);
  stores.jobs.transaction(() => {
    noteNotPrinted(parts, job, answer);
    // The documents may have shown it just now.
    if (stores.jobs.stateOf(job.id) === "queued") return;
    requireStillInDoubt(stores, job, doubt);
    recorder.requeued(job, doubt?.id ?? null, null, { countTry: false });
  });
}

/**
 * What may be the receipt. Of another drive than the one that was read nothing can be read now: where no document of it is
 * known, the one that came next when the receipt was sent needs the operator's word.
 */
function candidatesNow(
  stores: Stores,
  job: Job,
  doubt: Attempt | undefined,
  driveRead: FnSerial | null,
): readonly Candidate[] {
  const known = candidatesOf(stores, job);
  if (known.length > 0 || doubt?.witness.kind !== "receipt" || doubt.baseline.fn === driveRead) {
    return known.map((one) => ({ ...one, isReadable: one.isReadable && one.fn === driveRead }));
  }
  const { fn, lastFd } = doubt.baseline;
  return [{ fn, fd: lastFd + 1, isReadable: false, isMarked: false }];
}

function partsOf({ context: { stores, issuers, clock }, recorder }: RegisterTools): ResolveParts {
  return { stores, issuers, clock, recorder };
}

/** Documents up to the last one on record of each drive never count for this job again, unless they carry its mark. */
function noteNotPrinted(
  { stores, clock }: Pick<ResolveParts, "stores" | "clock">,
  job: Job,
  { reason, checked }: NotPrintedAnswer,
): void {
  const { id, register, site } = job;
  const candidates = candidatesOf(stores, job).map(({ fn, fd }) => ({ fn, fd }));
  const details = { reason, drives: drivesOnRecord(stores), candidates, checked };
  const what = RESOLVED_AS_NOT_PRINTED;
  stores.journal.add({ at: clock.now(), actor: "operator", what, job: id, register, site, details });
}

/** Up to where each drive was read. */
export function drivesOnRecord({ registers }: Pick<Stores, "registers">): readonly object[] {
  return registers.all().map(({ fn, lastFd }) => ({ fn, lastFd }));
}

/** Reads the documents that could be the job's on the register that has its drive now. */
async function readOnceMore(tools: RegisterTools, job: Job, state: Parameters<typeof sweepAt>[1]): Promise<void> {
  const { stores } = tools.context;
  const doubt = doubtOf(stores, job);
  const isHere = doubt === undefined || doubt.baseline.fn === state.fn;
  const last = doubt === undefined ? 0 : Math.max(doubt.baseline.lastFd, doubt.fenceFd ?? 0);
  if (doubt !== undefined && isHere && state.lastFd < last) {
    const message = `the register shows no document ${last} now, and did before; its last one is ${state.lastFd}`;
    throw new Fault("job.document-left-out", { message, details: { fd: last, lastFd: state.lastFd } });
  }
  const readAgain = candidatesOf(stores, job).flatMap(({ fn, fd }) =>
    fn === state.fn && fd <= state.lastFd ? fd : [],
  );
  const due = doubt !== undefined && isHere ? [doubt] : [];
  await sweepAt(tools, state, { due, readAgain });
  const { state: now, document } = stores.jobs.get(job.id);
  if (now !== "printed") return;
  const message = `it was printed: the register's document ${document?.fd} is this job's own; its site gets a result`;
  throw new Fault("job.already-printed", { message, details: { job: job.id, fd: document?.fd } });
}

/** Another operator at another register may have resolved it meanwhile; it may even be unsure again. */
function requireStillInDoubt(stores: Stores, { id }: Job, doubt: Attempt | undefined): void {
  const { state } = stores.jobs.get(id);
  if (state === "unsure" && doubtOf(stores, { id })?.id === doubt?.id) return;
  throw new Fault("job.wrong-state", {
    message: `job ${id} was resolved meanwhile: it is ${state}`,
    details: { job: id, state },
  });
}

async function readDocument(
  { context, connected, signal }: RegisterTools,
  fd: number,
  paper: PaperNumbers | null,
): Promise<FiscalDocument> {
  const state = await context.driver.readState(signal);
  requireSameDrive(connected, state);
  const documents = await readDocuments(context, fd - 1, fd, signal);
  const document = documents.find((candidate) => candidate.fd === fd);
  // One that the drive does not have looks like one that cannot be read.
  const isThere = paper === null || fd <= state.lastFd;
  if (document === undefined || !isThere) throw mismatch(`the register has no document ${fd}`);
  return document;
}
