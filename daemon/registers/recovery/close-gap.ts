/** Reads the documents that appeared on a register meanwhile and records what they mean for the jobs that wait. */
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { DeviceState, FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import type { Job } from "../../store/job.js";
import { type ConnectedRegister, writesMarks } from "../connected-register.js";
import type { JobRecorder } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import { countsAsReceipt } from "./document-fit.js";
import { checkGap, type UnfinishedJob } from "./gap-check.js";
import { type MarkedTime, NEVER_MARKED } from "./marked-from.js";
import { markTextOf } from "./order-mark.js";

/** All documents above `fromFd` up to `toFd`; a number that the register left out is there as unreadable. */
export async function readDocuments(
  context: RegisterContext,
  fromFd: number,
  toFd: number,
  signal: AbortSignal,
): Promise<readonly FiscalDocument[]> {
  if (toFd <= fromFd) return [];
  const read = new Map<number, FiscalDocument>();
  for (const document of await context.driver.documentsSince(fromFd, signal)) read.set(document.fd, document);
  const numbers = Array.from({ length: toFd - fromFd }, (_, index) => fromFd + 1 + index);
  return numbers.map((fd) => read.get(fd) ?? unknownDocument(fd));
}

export interface Gap {
  readonly fn: FnSerial;
  readonly documents: readonly FiscalDocument[];
  /** A register that is seen for the first time: its past is compared by mark only. */
  readonly firstSight: boolean;
  /** The daemon was at work all the time: whoever made them, it was not us. */
  readonly running: boolean;
  /** The database was put back or deleted: documents of its lost time may be anybody's who could have printed here. */
  readonly lost: boolean;
  /** Which receipts of ours carry marks, where the register writes them now. */
  readonly marked: MarkedTime;
  /** Documents that a doubt of ours has been or is being settled with: nobody else's, unless the mark says so. */
  readonly claimed: ReadonlySet<number>;
}

/** Call it inside the transaction that also moves the record to the last document read. */
export function recordGap(
  context: RegisterContext,
  recorder: JobRecorder,
  connected: ConnectedRegister,
  gap: Gap,
): void {
  const { settings, group, stores, clock, log } = context;
  const { jobs, documents: unownedDocuments } = stores;
  const { fn } = gap;
  const documents = gap.documents.filter(({ fd }) => jobs.findByDocument(fn, fd) === null);
  const receipts = documents.filter(countsAsReceipt);
  if (documents.length === 0) return;
  const marks = writesMarks(connected, context);
  const marked = marks ? gap.marked : NEVER_MARKED;
  // One in doubt is told by its mark alone, wherever the drive is by now that it was sent to.
  const couldBeHere = (job: Job) =>
    gap.lost ? context.couldHavePrinted(job, settings.id) : job.state === "unsure" || group.includes(job.register);
  const candidates = jobs.unfinished(context.fleet).filter(couldBeHere);
  const waiting = candidates.filter(({ state, kind }) => state !== "printing" && kind === "receipt");
  const questions = waiting.flatMap((job) => toQuestion(job, unmarkedSays(gap, job)));
  const free = receipts.filter(({ fd, mark }) => mark !== null || !gap.claimed.has(fd));
  const result = checkGap(free, questions, marked.from);
  /** What printed it knows its numbers, and is asked about it. */
  const here = (job: Job) => (gap.lost && job.state === "queued" ? jobs.move(job.id, settings.id, clock.now()) : job);
  const byId = new Map(waiting.map((job) => [job.id, job]));
  for (const { job: id, document } of result.printed) {
    const job = byId.get(id);
    if (job === undefined) continue;
    recorder.foundPrinted(here(job), fn, document, "among the documents that appeared meanwhile");
    log.warn("a waiting job was printed already", { job: id, order: job.orderId, fd: document.fd });
  }
  for (const { job: id, doubt } of result.unsure) {
    const job = byId.get(id);
    // To a job in doubt it tells nothing new.
    if (job === undefined || job.state === "unsure") continue;
    recorder.foundDoubtful(here(job), fn, doubt);
    log.error("a waiting job may be printed already", { job: id, order: job.orderId, reason: doubt.reason });
  }
  const found = gap.lost ? "loss" : gap.firstSight ? "first-sight" : "gap";
  for (const document of documents) {
    const isOwned = jobs.findByDocument(fn, document.fd) !== null;
    const isKept = countsAsReceipt(document) && mayBeForgotten(document, { ...gap, marked });
    if (isKept && !isOwned) unownedDocuments.keep({ fn, register: settings.id, document, found }, clock.now());
    // One that could not be read before, and now shows whose it is.
    if (!isKept && document.body === "full") unownedDocuments.remove(fn, document.fd);
  }
  if (receipts.length === 0) return;
  if (gap.firstSight && !gap.lost && !marks) {
    const message = "the register has receipts from before it was known here, and its receipts carry no order mark";
    log.warn(`${message}: an order that another daemon printed on it is not recognised`, {
      fn,
      receipts: receipts.length,
    });
  }
  recorder.note("documents compared", null, {
    fn,
    from: documents.at(0)?.fd,
    to: documents.at(-1)?.fd,
    receipts: receipts.map(({ fd, operation, total, mark }) => ({ fd, operation, total, mark })).slice(0, 20),
    firstSight: gap.firstSight,
  });
}

/** Kept for orders that come later: a lost database may have forgotten whose it is. A mark tells at any time. */
function mayBeForgotten({ fd, mark, body }: FiscalDocument, { marked, lost, running, firstSight }: Gap) {
  if (mark !== null) return true;
  if (body !== "full") return lost;
  return fd < marked.from && (lost || (!running && !firstSight));
}

/** Equal lines prove nothing: another shop on this register may have sold the same. */
function unmarkedSays({ lost, firstSight }: Gap, { state }: Job): UnfinishedJob["unmarked"] {
  return state === "unsure" || (firstSight && !lost) ? "nothing" : "doubt";
}

function toQuestion(job: Job, unmarked: UnfinishedJob["unmarked"]): UnfinishedJob[] {
  const ownMark = markTextOf(job);
  if (ownMark === null || job.receipt.kind !== "receipt") return [];
  return [{ id: job.id, receipt: job.receipt, ownMark, unmarked }];
}

/** A drive never forgets a document: what says so is not the drive that it was, or is broken. */
export function countsBackwards(recorded: number, { fn, lastFd }: Pick<DeviceState, "fn" | "lastFd">): Fault {
  const message = `drive ${fn} says that its last document is ${lastFd}; it was ${recorded} before`;
  return new Fault("device.fn-state", { message, details: { fn, lastFd, recorded } });
}
