/**
 * The gap check (design.md 6): documents that appeared on a register while nobody of ours can have printed them, compared
 * with every unfinished job of its group. A database restored from a copy, a disk that lost a commit, another program. Pure.
 */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { Doubt } from "../../store/attempt-store.js";
import { countsAsReceipt, type DocumentFit, fitOf } from "./document-fit.js";

export interface UnfinishedJob {
  readonly id: number;
  readonly receipt: SaleReceipt;
  /** What its document carries where marks were written: compared wherever a mark is found. */
  readonly ownMark: string;
  /** What a document without a mark can say of it. `doubt`: it may be its own; it proves nothing. */
  readonly unmarked: "nothing" | "doubt";
}

export interface GapResult {
  readonly printed: readonly { readonly job: number; readonly document: FiscalDocument }[];
  readonly unsure: readonly { readonly job: number; readonly doubt: Doubt }[];
  /** Receipts that belong to no unfinished job: kept, for orders that come later. */
  readonly unowned: readonly FiscalDocument[];
}

/** `markedFrom`: receipts of ours with this number or a higher one carry their mark. */
export function checkGap(
  documents: readonly FiscalDocument[],
  jobs: readonly UnfinishedJob[],
  markedFrom: number,
): GapResult {
  const receipts = documents.filter(countsAsReceipt);
  const fit = (document: FiscalDocument, job: UnfinishedJob) => fitOfJob(document, job, document.fd >= markedFrom);
  const printed: { job: number; document: FiscalDocument }[] = [];
  const unsure: { job: number; doubt: Doubt }[] = [];
  for (const job of jobs) {
    const [marked, ...others] = receipts.filter((document) => fit(document, job) === "marked");
    if (marked !== undefined && others.length === 0 && isComplete(marked)) {
      printed.push({ job: job.id, document: marked });
      continue;
    }
    const candidates = receipts.filter((document) => fit(document, job) !== "other");
    if (candidates.length === 0) continue;
    const reason = candidates.some(({ mark, body }) => mark === null && body !== "full") ? "unreadable" : "several";
    unsure.push({ job: job.id, doubt: { reason, candidates } });
  }
  const owned = new Set(printed.map(({ document }) => document.fd));
  return { printed, unsure, unowned: receipts.filter(({ fd }) => !owned.has(fd)) };
}

function fitOfJob(
  document: FiscalDocument,
  { receipt, ownMark, unmarked }: UnfinishedJob,
  ofMarkedTime: boolean,
): DocumentFit {
  if (document.mark !== null) return fitOf(document, { receipt, mark: ownMark });
  if (unmarked === "nothing") return "other";
  return fitOf(document, { receipt, mark: ofMarkedTime ? ownMark : null });
}

/** The numbers that the site is to be told can be read. */
function isComplete({ shift, time }: FiscalDocument): boolean {
  return shift !== null && time !== null;
}
