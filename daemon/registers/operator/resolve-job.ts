/** The operator resolves an unsure job: the register checks the answer as far as it can. */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Issuers } from "../../store/issuers.js";
import type { Job } from "../../store/job.js";
import { RESOLVED_AS_NOT_PRINTED } from "../job-recorder.js";
import { type Candidate, candidatesOf, doubtOf } from "../recovery/candidates.js";
import { contradictsHead } from "../recovery/compare-document.js";
import { isSameMark, issuerOfOrder, markTextOf } from "../recovery/order-mark.js";
import { readDocuments, sweepAt } from "../recovery/sweep.js";
import type { Stores } from "../register-context.js";
import type { RegisterTools } from "./register-tools.js";
import { drivesOnRecord, requireNotOlder, requireNotPrinted } from "./resolve-without-register.js";

export interface Resolution {
  readonly kind: "printed" | "not-printed";
  /** The document that is the job's; null for a job that leaves none. */
  readonly fd: number | null;
  readonly reason: string;
  /** For "not printed": unreadable documents that the operator has checked. */
  readonly checked?: readonly number[];
}

export async function resolveAsPrinted(tools: RegisterTools, { fd, reason }: Resolution, job: Job): Promise<void> {
  const { context, recorder, connected } = tools;
  const { jobs } = context.stores;
  const { fn } = connected.identity;
  const doubt = doubtOf(context.stores, job);
  if (fd !== null && doubt !== undefined && doubt.baseline.fn !== fn) {
    const message = `the job was sent to drive ${doubt.baseline.fn}, the register now has ${fn}`;
    throw mismatch(`${message}: name all that the paper says, with --fn, --sign, --shift and --time`);
  }
  if (fd !== null) requireNotOlder(context.stores, job, { fn, fd });
  const document = fd === null ? null : await readDocument(tools, fd);
  requireMatch(job, document, { fd, wasSent: doubt !== undefined, issuers: context.issuers });
  jobs.transaction(() => {
    requireStillInDoubt(context.stores, job, doubt);
    noteResolution(tools, job, "resolved as printed", { reason, fd });
    if (doubt !== undefined) recorder.settledAsPrinted(doubt, { fn, document }, doubt.fenceFd);
    else if (document !== null) recorder.foundPrinted(job, fn, document, "the operator named it");
    else recorder.saidPrinted(job);
  });
}

export async function resolveAsNotPrinted(
  tools: RegisterTools,
  { reason, checked = [], isReadElsewhere }: Resolution & { readonly isReadElsewhere: boolean },
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
  const isRead = ({ fn }: Candidate) => isReadElsewhere || fn === state.fn;
  requireNotPrinted(
    candidatesOf(stores, job).map((one) => ({ ...one, isReadable: one.isReadable && isRead(one) })),
    checked,
  );
  stores.jobs.transaction(() => {
    const candidates = candidatesOf(stores, job).map(({ fd }) => fd);
    const drives = drivesOnRecord(stores);
    noteResolution(tools, job, RESOLVED_AS_NOT_PRINTED, { reason, drives, candidates, checked });
    // The documents may have shown it just now.
    if (stores.jobs.stateOf(job.id) === "queued") return;
    requireStillInDoubt(stores, job, doubt);
    recorder.requeued(job, doubt?.id ?? null, null, { countTry: false });
  });
}

/** Reads the documents that could be the job's on the register that has its drive now. */
export async function readOnceMore(
  tools: RegisterTools,
  job: Job,
  state: Parameters<typeof sweepAt>[1],
): Promise<void> {
  const { context } = tools;
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
  const end = await sweepAt(tools, state, { due, isFirst: tools.isFirst, readAgain });
  if (end.kind === "blocked") throw end.fault;
  const { state: now, document } = stores.jobs.get(job.id);
  if (now !== "printed") return;
  const message = `it was printed: the register's document ${document?.fd} is this job's own, and its site is told so`;
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

async function readDocument({ context, signal }: RegisterTools, fd: number): Promise<FiscalDocument> {
  const documents = await readDocuments(context, fd - 1, fd, signal);
  const document = documents.find((candidate) => candidate.fd === fd);
  if (document === undefined) throw mismatch(`the register has no document ${fd}`);
  if (document.shift === null || document.time === null) throw mismatch(`document ${fd} cannot be read now`);
  return document;
}

/**
 * The document must have the job's kind, direction and sum. The store checks that no other job has it. A document of
 * an unknown attempt may have the mark of a former address of the site, or of an unknown issuer, but never that of
 * another site of the config.
 */
function requireMatch(
  job: Job,
  document: FiscalDocument | null,
  { fd, wasSent, issuers }: { readonly fd: number | null; readonly wasSent: boolean; readonly issuers: Issuers },
): void {
  const { receipt } = job;
  if (receipt.kind === "service") {
    const closes = receipt.lines.some((line) => line.type === "report" && line.report === "z");
    if (document === null ? closes : document.type !== "shift-close") {
      throw mismatch(closes ? "name the document that closed the shift" : `document ${fd} is no part of a service job`);
    }
    return;
  }
  if (document === null) throw mismatch("name the receipt's document number");
  if (document.type !== "receipt") throw mismatch(`document ${fd} is no receipt`);
  const own = markTextOf(job);
  const { mark, operation, total } = document;
  if (mark !== null && own !== null && !isSameMark(mark, own, receipt)) {
    const issuer = issuerOfOrder(mark, receipt);
    const isAnothers = issuer === undefined || issuers.kindOf(issuer, job.site) === "another-site";
    if (wasSent || isAnothers) throw mismatch(`document ${fd} carries the mark of another receipt: ${mark}`);
  }
  if (operation === null || total === null || contradictsHead(document, receipt)) {
    throw mismatch(`document ${fd} is a ${operation} of ${total} kopecks`);
  }
}

function mismatch(message: string): Fault {
  return new Fault("job.document-mismatch", { message });
}

function noteResolution(
  { context }: RegisterTools,
  { id, register, site }: Job,
  what: string,
  details: Readonly<Record<string, unknown>>,
): void {
  const { stores, clock } = context;
  stores.journal.add({ at: clock.now(), actor: "operator", what, job: id, register, site, details });
}
