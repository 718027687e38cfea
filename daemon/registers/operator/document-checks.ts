/** Checks the operator's answer about an unsure job. Throws `job.document-mismatch` or `job.document-unread`. */

import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { DocumentNumbers } from "@fiscald/drivers/fiscal-driver.js";
import { formatRoubles } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { FnSerial } from "@fiscald/shared/ids.js";
import { parseMark } from "@fiscald/shared/receipt/order-mark.js";
import { documentTypeOf } from "@fiscald/shared/receipt/receipt.js";
import { operatorReasons } from "../../messages/reasons/operator-reasons.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Issuers } from "../../store/issuers.js";
import type { Job } from "../../store/job.js";
import { type DocumentPlace, placesInWords } from "../job-recorder.js";
import { type CandidateDocument, candidatesOf, doubtOf } from "../recovery/candidates.js";
import { contradictsHead, isSameMark, issuerOfOrder, markTextOf } from "../recovery/compare-document.js";
import type { Stores } from "../register-context.js";

/** The numbers on a receipt's paper, without the document number. */
export type PaperNumbers = Omit<DocumentNumbers, "fd">;

/** The paper names the drive, or only one drive has a candidate of that number. Undefined: none can be the job's. */
export function driveOfDocument(
  stores: Pick<Stores, "attempts" | "journal" | "documents">,
  job: Job,
  fd: number,
  paper: PaperNumbers | null,
): FnSerial | undefined {
  const sentTo = doubtOf(stores, job)?.baseline.fn;
  if (sentTo !== undefined && paper !== null && paper.fn !== sentTo) {
    throw mismatch(operatorReasons.otherDrive({ sent: sentTo, named: paper.fn }));
  }
  const named = paper?.fn ?? sentTo;
  if (named !== undefined) return named;
  const candidates = candidatesOf(stores, job);
  if (candidates.length === 0) return undefined;
  const [only, ...others] = candidates.filter((candidate) => candidate.fd === fd);
  if (only === undefined) throw mismatch(operatorReasons.noCandidate({ fd }));
  if (others.length > 0) throw mismatch(operatorReasons.severalDrives({ fd }));
  return only.fn;
}

/** Throws when the document was on the drive before the job's first program, and so is not the job's own. */
export function requireNotOlder(
  { attempts }: Pick<Stores, "attempts">,
  { id }: Pick<Job, "id">,
  { fn, fd }: DocumentPlace,
): void {
  const before = attempts.ofJob(id).find(({ baseline }) => baseline.fn === fn)?.baseline;
  if (before === undefined || fd > before.lastFd) return;
  throw mismatch(operatorReasons.older({ fd, last: before.lastFd }));
}

/** Numbers that cannot be read are taken from the paper. The site gets these numbers. */
export function withNumbers(document: FiscalDocument, paper: PaperNumbers | null): FiscalDocument {
  const { fd, fiscalSign } = document;
  if (paper === null) {
    if (document.shift === null || document.time === null) throw mismatch(operatorReasons.unreadNow({ fd }));
    return document;
  }
  if (fiscalSign !== "" && fiscalSign !== paper.fiscalSign) {
    throw mismatch(operatorReasons.otherSign({ fd, sign: fiscalSign, named: paper.fiscalSign }));
  }
  return {
    ...document,
    fiscalSign: paper.fiscalSign,
    shift: document.shift ?? paper.shift,
    time: document.time ?? paper.time,
    receiptNumber: document.receiptNumber ?? paper.receiptNumber,
  };
}

export interface NamedDocument {
  /** Null when the job leaves no document. */
  readonly document: FiscalDocument | null;
  /** The operator has the document's paper, so what cannot be read of the document is taken to agree. */
  readonly hasPaper: boolean;
  readonly doubt: Attempt | undefined;
  readonly issuers: Issuers;
  /** A register has the document's drive and can show the document. */
  readonly canBeRead: boolean;
}

/**
 * Throws unless the document has the job's kind, direction and sum. The order mark may name a former address of the
 * site or an unknown issuer, but not another site of the config.
 */
export function requireMatch(job: Job, { document, hasPaper, doubt, issuers, canBeRead }: NamedDocument): void {
  const { receipt } = job;
  if (receipt.kind === "service") {
    // In a job with several lines only the line in doubt counts.
    const closes =
      doubt === undefined
        ? receipt.lines.some((line) => line.type === "report" && line.report === "z")
        : doubt.witness.kind === "shift-close";
    const mayLackIt = document === null && !canBeRead;
    if (closes && !mayLackIt && document?.type !== "shift-close") throw mismatch(operatorReasons.nameClosing);
    if (!closes && document !== null) throw mismatch(operatorReasons.noPart({ fd: document.fd }));
    return;
  }
  if (document === null) throw mismatch(operatorReasons.nameDocument);
  const { fd, type, mark, operation, total } = document;
  if (type !== documentTypeOf(receipt) && !(hasPaper && type === "unknown"))
    throw mismatch(operatorReasons.noReceipt({ fd }));
  if (mark !== null && isOfAnother(job, mark, { wasSent: doubt !== undefined, issuers })) {
    throw mismatch(operatorReasons.otherMark({ fd, mark }));
  }
  const isUnread = operation === null || total === null;
  if ((isUnread && !hasPaper) || contradictsHead(document, receipt)) {
    throw mismatch(
      operatorReasons.otherReceipt({
        fd,
        operation: operation ?? "",
        total: total === null ? null : formatRoubles(total),
      }),
    );
  }
}

function isOfAnother(
  job: Job,
  mark: string,
  { wasSent, issuers }: { readonly wasSent: boolean; readonly issuers: Issuers },
): boolean {
  const { receipt } = job;
  const own = markTextOf(job);
  if (receipt.kind !== "receipt" || own === null || isSameMark(mark, own, receipt)) return false;
  const issuer = issuerOfOrder(mark, receipt);
  if (issuer === undefined) return true;
  const kind = issuers.kindOf(issuer, job.site);
  // Orders of the site with one number have order marks with different digits.
  const isOther = wasSent && kind === "own" && parseMark(mark)?.digits !== job.mark?.digits;
  return kind === "another-site" || isOther;
}

/** A document with the job's own order mark contradicts the answer. Each unreadable document needs its own answer. */
export function requireNotPrinted(candidates: readonly CandidateDocument[], checked: readonly number[]): void {
  const marked = candidates.filter(({ isMarked }) => isMarked);
  if (marked.length > 0) throw mismatch(operatorReasons.ownMark({ places: placesInWords(marked) }));
  const open = candidates.filter(({ isReadable, fd }) => !isReadable && !checked.includes(fd));
  if (open.length === 0) return;
  const documents = [...new Set(open.map(({ fd }) => fd))];
  const flags = documents.map((fd) => `--checked ${fd}`).join(" ");
  const message = operatorReasons.unread({ places: placesInWords(open), flags });
  throw new Fault("job.document-unread", { message, details: { documents } });
}

export function mismatch(message: FaultText): Fault {
  return new Fault("job.document-mismatch", { message });
}
