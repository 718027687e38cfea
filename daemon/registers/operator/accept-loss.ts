/**
 * The orders that have waited since the database was lost, because a document of that time may be their receipt. By
 * accepting the register a person says which orders are not among the documents (exactly-once 13).
 */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../../store/job.js";
import { JobRecorder } from "../job-recorder.js";
import { candidateDocuments, candidatesOf, doubtOf } from "../recovery/candidates.js";
import type { Stores } from "../register-context.js";
import { noteNotPrinted, type ResolveOptions, wrongJobState } from "./resolve-job.js";

export interface WaitingSinceLoss {
  readonly orders: readonly Job[];
  /** Every document that may be the receipt of one of the orders, by drive and number, also on other registers. */
  readonly documents: readonly { readonly fn: FnSerial; readonly document: FiscalDocument }[];
}

/** An order whose order mark is on a document is left out, because `resolve` names its document. */
export function waitingSinceLoss(
  stores: Pick<Stores, "jobs" | "attempts" | "journal" | "documents">,
  register: RegisterId,
): WaitingSinceLoss {
  const isOfLoss = (fn: FnSerial, fd: number) => {
    const found = stores.documents.find(fn, fd);
    return found?.register === register && ["afterLoss", "afterCrash"].includes(found.foundWhen);
  };
  const orders = stores.jobs.list({ state: "unsure", limit: Number.MAX_SAFE_INTEGER }).filter((job) => {
    if (doubtOf(stores, job) !== undefined) return false;
    const candidates = candidatesOf(stores, job);
    return candidates.some(({ fn, fd }) => isOfLoss(fn, fd)) && !candidates.some(({ isMarked }) => isMarked);
  });
  const documents = new Map(
    orders
      .flatMap((job) => candidateDocuments(stores, job))
      .map((one) => [`${one.fn}/${String(one.document.fd).padStart(10, "0")}`, one]),
  );
  return {
    orders,
    documents: [...documents].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one),
  };
}

/** Call this inside a transaction. Throws `job.wrong-state` when an order no longer waits for the register. */
export function printWaiting(
  options: ResolveOptions,
  register: RegisterId,
  { orders, reason }: { readonly orders: readonly number[]; readonly reason: string },
): void {
  const { stores } = options;
  const waiting = new Set(waitingSinceLoss(stores, register).orders.map(({ id }) => id));
  for (const id of orders) {
    const job = stores.jobs.get(id);
    if (!waiting.has(id)) throw wrongJobState(job);
    noteNotPrinted(options, job, { checked: candidatesOf(stores, job).map(({ fd }) => fd), reason });
    new JobRecorder({ ...options, register: job.register }).requeued(job, null, null, { countTry: false });
  }
}
