/** A document that may be the receipt of an unsure job, as it was read last. */
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { type FnSerial, toFnSerial } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { type Attempt, type DoubtReason, doubtReasons } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import { MAY_BE_PRINTED, type WaitingDoubt } from "../job-recorder.js";
import type { Stores } from "../register-context.js";
import { contradictsHead, isSameMark, markTextOf } from "./compare-document.js";

export interface CandidateDocument {
  readonly fn: FnSerial;
  readonly fd: number;
  /** The document has the job's order mark, and its direction and total agree. */
  readonly isMarked: boolean;
  readonly isReadable: boolean;
}

/** The job's unsure attempt. Undefined when the job was waiting and may have been printed earlier. */
export function doubtOf({ attempts }: Pick<Stores, "attempts">, job: Pick<Job, "id">): Attempt | undefined {
  return attempts.ofJob(job.id).findLast(({ outcome }) => outcome === "unsure");
}

/** Null: the job's register has not been read since the job became unsure. */
export function doubtReasonOf(stores: Pick<Stores, "attempts" | "journal">, job: number): DoubtReason | null {
  const doubt = doubtOf(stores, { id: job });
  return doubt === undefined ? (waitingDoubtOf(stores, job)?.reason ?? null) : (doubt.doubt?.reason ?? null);
}

const waitingDoubtSchema = z.object({
  reason: z.enum(doubtReasons),
  candidates: z.array(z.object({ fn: z.string().transform(toFnSerial), fd: z.int() })),
});

export function waitingDoubtOf({ journal }: Pick<Stores, "journal">, job: number): WaitingDoubt | null {
  const note = journal.ofJob(job).findLast(({ what }) => what === MAY_BE_PRINTED);
  return waitingDoubtSchema.safeParse(note?.details).data ?? null;
}

export function drivesOf(stores: Pick<Stores, "attempts" | "journal">, job: Pick<Job, "id">): readonly FnSerial[] {
  const doubt = doubtOf(stores, job);
  if (doubt !== undefined) return [doubt.baseline.fn];
  return [...new Set(waitingDoubtOf(stores, job.id)?.candidates.map(({ fn }) => fn))];
}

export function candidateDocuments(
  stores: Pick<Stores, "attempts" | "journal" | "documents">,
  job: Pick<Job, "id">,
): readonly { readonly fn: FnSerial; readonly document: FiscalDocument }[] {
  const doubt = doubtOf(stores, job);
  if (doubt !== undefined) {
    return (doubt.doubt?.candidates ?? []).map((document) => ({ fn: doubt.baseline.fn, document }));
  }
  const places = waitingDoubtOf(stores, job.id)?.candidates ?? [];
  return places.map(({ fn, fd }) => {
    return { fn, document: stores.documents.find(fn, fd)?.document ?? unknownDocument(fd) };
  });
}

export function candidatesOf(
  stores: Pick<Stores, "attempts" | "journal" | "documents">,
  job: Job,
): readonly CandidateDocument[] {
  const own = markTextOf(job);
  const { receipt } = job;
  const isOwn = ({ mark, ...document }: FiscalDocument) =>
    own !== null &&
    mark !== null &&
    receipt.kind === "receipt" &&
    isSameMark(mark, own, receipt) &&
    !contradictsHead(document, receipt);
  return candidateDocuments(stores, job).map(({ fn, document }) => {
    return { fn, fd: document.fd, isReadable: document.body === "full", isMarked: isOwn(document) };
  });
}
