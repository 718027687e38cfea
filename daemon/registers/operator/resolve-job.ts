/** The operator resolves an unsure job: the register checks the answer as far as it can. */
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { DeviceState, FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Issuers } from "../../store/issuers.js";
import type { Job } from "../../store/job.js";
import { RESOLVED_AS_NOT_PRINTED } from "../job-recorder.js";
import { type DocumentFit, fitOf } from "../recovery/document-fit.js";
import { foreignMark, isSameMark, markTextOf } from "../recovery/order-mark.js";
import type { Stores } from "../register-context.js";
import type { RegisterTools } from "./register-tools.js";
import {
  type Candidates,
  doubtOf,
  requireNotOlder,
  requireNotPrinted,
  storedCandidates,
} from "./resolve-without-register.js";

export interface Resolution {
  readonly kind: "printed" | "not-printed";
  /** The document that is the job's; null for a job that leaves none. */
  readonly fd: number | null;
  readonly reason: string;
  /** For "not printed": unreadable documents that the operator has checked. */
  readonly checked?: readonly number[];
}

/** Sums may be rounded off below one rouble. */
const TOTAL_TOLERANCE_KOPECKS = 100;

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
    requireStillInDoubt(tools, job, doubt);
    noteResolution(tools, job, "resolved as printed", { reason, fd });
    if (doubt !== undefined) recorder.settledAsPrinted(doubt, document, doubt.fenceFd);
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
  const { jobs } = context.stores;
  const doubt = doubtOf(context.stores, job);
  const request = doubt?.baseline.requestId ?? null;
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
  if (!isReadElsewhere) requireNotPrinted(await readCandidates(tools, job, state), checked);
  jobs.transaction(() => {
    requireStillInDoubt(tools, job, doubt);
    const candidates = storedCandidates(context.stores, job).fds;
    noteResolution(tools, job, RESOLVED_AS_NOT_PRINTED, {
      ...{ reason, fn: state.fn, lastFd: state.lastFd },
      ...{ candidates, checked },
    });
    recorder.requeued(job, doubt?.id ?? null, null, { countTry: false });
  });
}

/** The drive that the job was sent to is in this register now, which is not the job's own: its documents are here. */
export async function refusePrintedHere(tools: RegisterTools, job: Job, checked: readonly number[]): Promise<void> {
  const state = await tools.context.driver.readState(tools.signal);
  requireNotPrinted(await readCandidates(tools, job, state), checked);
}

const NONE: Candidates = { marked: [], unreadable: [] };

/** The documents that could be the job's, as they can be read now. */
async function readCandidates(
  { context, signal }: RegisterTools,
  job: Job,
  state: Pick<DeviceState, "fn" | "lastFd">,
): Promise<Candidates> {
  const { receipt } = job;
  const stored = storedCandidates(context.stores, job);
  if (receipt.kind !== "receipt") return NONE;
  // The documents in question are on another drive.
  if (stored.fn !== null && stored.fn !== state.fn) return { marked: stored.marked, unreadable: stored.fds };
  const range = rangeOf(context.stores, job, state);
  if (range === null) return NONE;
  const documents = await context.driver.documentsSince(range.above, signal);
  // The last number came from an earlier answer: a document left out may be the job's own, with its mark.
  if (range.mark !== null && !documents.some(({ fd }) => fd === range.to)) {
    const message = `the register shows no document ${range.to} now, and did before; its last one is ${state.lastFd}`;
    throw new Fault("job.document-left-out", { message, details: { fd: range.to, lastFd: state.lastFd } });
  }
  const read = new Map(documents.map((document) => [document.fd, document]));
  const numbers = Array.from({ length: range.to - range.above }, (_, index) => range.above + 1 + index);
  const free = numbers
    .filter((fd) => range.includes(fd) && context.stores.jobs.findByDocument(state.fn, fd) === null)
    .map((fd) => read.get(fd) ?? unknownDocument(fd));
  const fitting = (mark: string | null, fit: DocumentFit) =>
    free.filter((document) => fitOf(document, { receipt, mark }) === fit).map(({ fd }) => fd);
  const unreadable = new Set(free.filter(({ body }) => body !== "full").map(({ fd }) => fd));
  return {
    marked: fitting(range.mark, "marked"),
    unreadable: fitting(null, "possible").filter((fd) => unreadable.has(fd)),
  };
}

interface DocumentRange {
  /** Exclusive. */
  readonly above: number;
  readonly to: number;
  readonly mark: string | null;
  includes(fd: number): boolean;
}

/** Null: nothing was registered since the job was sent. */
function rangeOf(stores: Stores, job: Job, { lastFd }: Pick<DeviceState, "lastFd">): DocumentRange | null {
  const doubt = doubtOf(stores, job);
  if (doubt === undefined) {
    const { fds: found } = storedCandidates(stores, job);
    const mark = markTextOf(job);
    if (found.length === 0) return null;
    return { above: Math.min(...found) - 1, to: Math.max(...found), mark, includes: (fd) => found.includes(fd) };
  }
  const { baseline, fenceFd, witness } = doubt;
  const to = Math.max(baseline.lastFd, fenceFd ?? 0, lastFd);
  if (to === baseline.lastFd && to === lastFd) return null;
  const mark = witness.kind === "receipt" ? witness.mark : null;
  return { above: baseline.lastFd, to, mark, includes: () => true };
}

/** Another operator at another register may have resolved it meanwhile; it may even be unsure again. */
function requireStillInDoubt({ context: { stores } }: RegisterTools, { id }: Job, doubt: Attempt | undefined): void {
  const { state } = stores.jobs.get(id);
  if (state === "unsure" && doubtOf(stores, { id })?.id === doubt?.id) return;
  throw new Fault("job.wrong-state", {
    message: `job ${id} was resolved meanwhile: it is ${state}`,
    details: { job: id, state },
  });
}

async function readDocument({ context, signal }: RegisterTools, fd: number): Promise<FiscalDocument> {
  const documents = await context.driver.documentsSince(fd - 1, signal);
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
  if (job.kind === "service") {
    const closes = job.receipt.lines.some((line) => line.type === "report" && line.report === "z");
    if (document === null ? closes : document.type !== "shift-close") {
      throw mismatch(closes ? "name the document that closed the shift" : `document ${fd} is no part of a service job`);
    }
    return;
  }
  if (document === null) throw mismatch("name the receipt's document number");
  if (document.type !== "receipt") throw mismatch(`document ${fd} is no receipt`);
  const own = markTextOf(job);
  const { mark } = document;
  if (mark !== null && own !== null && !isSameMark(mark, own, job.receipt)) {
    if (wasSent || foreignMark(mark, job, issuers) === "other") {
      throw mismatch(`document ${fd} carries the mark of another receipt: ${mark}`);
    }
  }
  const sameOperation = document.operation === job.operation;
  const sameTotal = Math.abs((document.total ?? 0) - (job.total ?? 0)) <= TOTAL_TOLERANCE_KOPECKS;
  if (!sameOperation || !sameTotal) {
    throw mismatch(`document ${fd} is a ${document.operation} of ${document.total} kopecks`);
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
