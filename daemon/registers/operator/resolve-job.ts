/** The operator resolves an unsure job: the register checks the answer as far as it can. */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import { RESOLVED_AS_NOT_PRINTED } from "../job-recorder.js";
import { candidatesOf, doubtOf } from "../recovery/candidates.js";
import { readDocuments, requireSameDrive, sweepAt } from "../recovery/sweep.js";
import type { Stores } from "../register-context.js";
import {
  mismatch,
  type PaperNumbers,
  requireDrive,
  requireMatch,
  requireNotOlder,
  requireNotPrinted,
  withNumbers,
} from "./document-checks.js";
import type { RegisterTools } from "./register-tools.js";

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

export async function resolveAsPrinted(
  tools: RegisterTools,
  { fd, paper, reason }: PrintedAnswer,
  job: Job,
): Promise<void> {
  const { context, recorder, connected } = tools;
  const { stores, issuers } = context;
  const { fn } = connected.identity;
  const doubt = doubtOf(stores, job);
  if (fd !== null) {
    requireDrive(stores, job, { fn, fd, paper });
    requireNotOlder(stores, job, { fn, fd });
  }
  const document = fd === null ? null : withNumbers(await readDocument(tools, fd, paper), paper);
  requireMatch(job, { document, hasPaper: paper !== null, doubt, issuers });
  stores.jobs.transaction(() => {
    requireStillInDoubt(stores, job, doubt);
    const { id, register, site } = job;
    const at = context.clock.now();
    const what = "resolved as printed";
    stores.journal.add({ at, actor: "operator", what, job: id, register, site, details: { reason, fd } });
    if (doubt !== undefined) recorder.settledAsPrinted(doubt, { fn, document }, doubt.fenceFd);
    else if (document !== null) recorder.foundPrinted(job, fn, document, "the operator named it");
    else recorder.saidPrinted(job, null);
  });
}

/** `drivesRead`: drives in other registers that were read for this answer. */
export async function resolveAsNotPrinted(
  tools: RegisterTools,
  answer: NotPrintedAnswer & { readonly drivesRead: readonly FnSerial[] },
  job: Job,
): Promise<void> {
  const { context, recorder, signal } = tools;
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
  const doubt = doubtOf(stores, job);
  const drivesRead = [...answer.drivesRead, state.fn];
  const candidates = candidatesOf(stores, job);
  requireNotPrinted(
    candidates.map((one) => ({ ...one, isReadable: one.isReadable && drivesRead.includes(one.fn) })),
    answer.checked,
  );
  stores.jobs.transaction(() => {
    noteNotPrinted(context, job, answer);
    // The documents may have shown it just now.
    if (stores.jobs.stateOf(job.id) === "queued") return;
    requireStillInDoubt(stores, job, doubt);
    recorder.requeued(job, doubt?.id ?? null, null, { countTry: false });
  });
}

/** Documents up to the last one on record of each drive never count for this job again, unless they carry its mark. */
export function noteNotPrinted(
  { stores, clock }: { readonly stores: Stores; readonly clock: Pick<Clock, "now"> },
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
export async function readOnceMore(
  tools: RegisterTools,
  job: Job,
  state: Parameters<typeof sweepAt>[1],
): Promise<void> {
  const { context, isFirst } = tools;
  const { stores } = context;
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
  const end = await sweepAt(tools, state, { due, isFirst, readAgain });
  if (end.kind === "blocked") throw end.fault;
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
