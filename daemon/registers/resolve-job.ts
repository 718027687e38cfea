/** The operator settles a doubt: what he says is checked on the register as far as it can be. */
import type { DeviceState, FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Attempt } from "../store/attempt-store.js";
import type { Job } from "../store/job.js";
import { fitOf } from "./document-fit.js";
import { RESOLVED_AS_NOT_PRINTED } from "./job-recorder.js";
import { compareMarks, markOf, nameSameOrder } from "./order-mark.js";
import type { RegisterTools } from "./register-tools.js";
import { doubtOf, requireNotOlder } from "./resolve-unasked.js";

export interface Resolution {
  readonly kind: "printed" | "not-printed";
  /** The document that is the job's; null for a job that leaves none. */
  readonly fd: number | null;
  readonly reason: string;
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
  requireMatch(job, document, { fd, wasSent: doubt !== undefined });
  jobs.transaction(() => {
    requireStillInDoubt(tools, job, doubt);
    noteResolution(tools, job, "resolved as printed", { reason, fd });
    if (doubt !== undefined) recorder.settledAsPrinted(doubt, document, doubt.fenceFd);
    else if (document !== null) recorder.foundPrinted(job, fn, document, "the operator named it");
    else recorder.saidPrinted(job);
  });
}

export async function resolveAsNotPrinted(tools: RegisterTools, { reason }: Resolution, job: Job): Promise<void> {
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
  await refuseMarked(tools, job, doubt, state);
  jobs.transaction(() => {
    requireStillInDoubt(tools, job, doubt);
    noteResolution(tools, job, RESOLVED_AS_NOT_PRINTED, { reason, lastFd: state.lastFd });
    recorder.requeued(job, doubt?.id ?? null, null, { countTry: false });
  });
}

/** The drive that the job was sent to is in this register now, which is not the job's own: its documents are here. */
export async function refuseMarkedHere(tools: RegisterTools, job: Job): Promise<void> {
  const { driver, stores } = tools.context;
  await refuseMarked(tools, job, doubtOf(stores, job), await driver.readState(tools.signal));
}

async function refuseMarked(
  tools: RegisterTools,
  job: Job,
  doubt: Attempt | undefined,
  state: Pick<DeviceState, "fn" | "lastFd">,
): Promise<void> {
  const printed = doubt === undefined ? undefined : await findMarked(tools, job, doubt, state);
  if (printed === undefined) return;
  throw mismatch(`document ${printed.fd} carries the mark of this very job: it was printed, name that document`);
}

/** What carries the job's own mark and came after its run began, as far as it can be read now: no person's word stands against it. */
async function findMarked(
  { context, signal }: RegisterTools,
  { receipt }: Job,
  { baseline, witness, fenceFd }: Attempt,
  state: Pick<DeviceState, "fn" | "lastFd">,
): Promise<FiscalDocument | undefined> {
  const mark = witness.kind === "receipt" ? witness.mark : null;
  if (receipt.kind !== "receipt" || mark === null || baseline.fn !== state.fn) return undefined;
  const to = Math.max(baseline.lastFd, fenceFd ?? 0, state.lastFd);
  const isUntouched = to === baseline.lastFd && state.lastFd === to;
  if (isUntouched) return undefined;
  const documents = await context.driver.documentsSince(baseline.lastFd, signal);
  // An earlier answer about the last number: what is left out may be the job's own.
  if (!documents.some(({ fd }) => fd === to)) {
    const message = `the register shows no document ${to} now, and did before; its last one is ${state.lastFd}`;
    throw new Fault("job.document-left-out", { message, details: { fd: to, lastFd: state.lastFd } });
  }
  return documents.find((document) => fitOf(document, { receipt, mark }) === "marked");
}

/** Another operator, at another register, may have settled it while this one was asked; it may even be in doubt anew. */
function requireStillInDoubt({ context: { stores } }: RegisterTools, { id }: Job, doubt: Attempt | undefined): void {
  const { state } = stores.jobs.get(id);
  if (state === "unsure" && doubtOf(stores, { id })?.id === doubt?.id) return;
  throw new Fault("job.wrong-state", {
    message: `job ${id} was settled meanwhile: it is ${state}`,
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
 * The document is of the job's kind, direction and sum. That it is no other job's, the store sees to. One that this database
 * has not sent may be of the time when its site had another id: then its mark has other digits.
 */
function requireMatch(
  job: Job,
  document: FiscalDocument | null,
  { fd, wasSent }: { readonly fd: number | null; readonly wasSent: boolean },
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
  const ownMark = markOf(job);
  const { mark } = document;
  const isOther = mark !== null && ownMark !== null && compareMarks(mark, ownMark) === "other";
  if (isOther && (wasSent || !nameSameOrder(mark, ownMark))) {
    throw mismatch(`document ${fd} carries the mark of another receipt: ${mark}`);
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
