/** The documents that may be the receipt of an unsure job, as they were read last. */
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { type FnSerial, toFnSerial } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { type Attempt, type DoubtReason, doubtReasons } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import { MAY_BE_PRINTED } from "../job-recorder.js";
import type { Stores } from "../register-context.js";
import { contradictsHead } from "./compare-document.js";
import { isSameMark, markTextOf } from "./order-mark.js";

export interface Candidate {
  readonly fn: FnSerial;
  readonly fd: number;
  /** It carries the job's own mark, and its head does not contradict. */
  readonly isMarked: boolean;
  readonly isReadable: boolean;
}

/** The program whose end is not known; undefined: the job waited, and may have been printed before. */
export function doubtOf({ attempts }: Pick<Stores, "attempts">, job: Pick<Job, "id">): Attempt | undefined {
  return attempts.ofJob(job.id).findLast(({ outcome }) => outcome === "unsure");
}

/** Why the job is unsure; null: its register was not read yet. */
export function doubtReasonOf(stores: Pick<Stores, "attempts" | "journal">, job: number): DoubtReason | null {
  const doubt = doubtOf(stores, { id: job });
  if (doubt !== undefined) return doubt.doubt?.reason ?? null;
  const note = stores.journal.ofJob(job).findLast(({ what }) => what === MAY_BE_PRINTED);
  return z
    .enum(doubtReasons)
    .nullable()
    .catch(null)
    .parse(note?.details.reason ?? null);
}

const noteSchema = z.object({ fn: z.string().transform(toFnSerial), candidates: z.array(z.int()) });

export function candidatesOf(
  stores: Pick<Stores, "attempts" | "journal" | "documents">,
  job: Job,
): readonly Candidate[] {
  const own = markTextOf(job);
  const { receipt } = job;
  const isOwn = ({ mark, ...document }: FiscalDocument) =>
    own !== null &&
    mark !== null &&
    receipt.kind === "receipt" &&
    isSameMark(mark, own, receipt) &&
    !contradictsHead(document, receipt);
  const toCandidate = (fn: FnSerial, document: FiscalDocument) => ({
    ...{ fn, fd: document.fd, isReadable: document.body === "full", isMarked: isOwn(document) },
  });
  const doubt = doubtOf(stores, job);
  if (doubt !== undefined) {
    return (doubt.doubt?.candidates ?? []).map((document) => toCandidate(doubt.baseline.fn, document));
  }
  const note = stores.journal.ofJob(job.id).findLast(({ what }) => what === MAY_BE_PRINTED);
  const { data } = noteSchema.safeParse(note?.details);
  if (data === undefined) return [];
  const { fn, candidates } = data;
  return candidates.map((fd) => toCandidate(fn, stores.documents.find(fn, fd)?.document ?? unknownDocument(fd)));
}
