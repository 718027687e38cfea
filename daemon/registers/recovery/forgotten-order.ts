/**
 * What a job that waits has in common with documents that no job owns (domain 7.3, "A document without a job never refuses an
 * order"): a database that was deleted or put back from a copy has forgotten their jobs, and the site offers their orders
 * again. Pure.
 *
 *   its own mark                                          printed already
 *   a mark of its site, its order id and direction        after a loss, or at first sight of the register: unsure
 *   a mark of an unknown issuer, its order id, and equal  after a loss: unsure
 *   no mark, and it fits                                  from the time of a loss, on a register that wrote no marks: unsure
 *   it cannot be read                                     from the time of a loss: unsure
 *   the drive was taken out                               in the time of a loss: its documents are gone with it, unsure
 *   cash in or out                                        no document shows it; the drawer may have been moved in the time of
 *                                                         a loss: unsure
 */
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { Doubt, DoubtReason } from "../../store/attempt-store.js";
import type { Loss } from "../../store/data-loss-store.js";
import type { Issuers } from "../../store/issuers.js";
import type { Job } from "../../store/job.js";
import type { UnownedDocument } from "../../store/unowned-documents.js";
import { fitOf } from "./document-fit.js";
import { foreignMark, markTextOf } from "./order-mark.js";

export interface ForgottenFacts {
  readonly job: Job;
  /** Documents without a job whose marks have the job's order id or digits. */
  readonly marked: readonly UnownedDocument[];
  /** Documents without a job and without a mark, on registers that could have printed the order. */
  readonly unmarked: readonly UnownedDocument[];
  readonly issuers: Issuers;
  /** Registers that could have printed the order and of whose lost time something is unknown. */
  readonly lost: readonly LostRegister[];
}

export interface LostRegister extends Loss {
  readonly register: RegisterId;
}

export type ForgottenVerdict =
  | { readonly kind: "nothing" }
  | { readonly kind: "printed"; readonly found: UnownedDocument }
  /** `register`: the one that is asked about it. */
  | { readonly kind: "doubtful"; readonly register: RegisterId; readonly fn: FnSerial | null; readonly doubt: Doubt };

export function judgeForgotten(facts: ForgottenFacts): ForgottenVerdict {
  const { job, marked, unmarked, lost } = facts;
  const { receipt } = job;
  if (receipt.kind === "service") return judgeService(job, lost);
  const mark = markTextOf(job);
  const own = marked.filter(({ document }) => fitOf(document, { receipt, mark }) !== "other");
  const [only, ...others] = own;
  if (only !== undefined) {
    if (others.length > 0) return doubtful("several", own);
    const { shift, time } = only.document;
    const isCertain = fitOf(only.document, { receipt, mark }) === "marked" && shift !== null && time !== null;
    // Else it is there, and what the site is to hear of it cannot be read or contradicts the order.
    return isCertain ? { kind: "printed", found: only } : doubtful("unreadable", own);
  }
  if (job.forced) return { kind: "nothing" };
  const ofOrder = marked.filter((document) => mayBeOfOrder(document, receipt, facts));
  if (ofOrder.length > 0) return doubtful("several", ofOrder);
  const possible = unmarked.filter(({ document }) => fitOf(document, { receipt, mark: null }) !== "other");
  const isReadable = possible.every(({ document }) => document.body === "full");
  if (possible.length > 0) return doubtful(isReadable ? "several" : "unreadable", possible);
  const gone = lost.find(({ drive }) => drive !== null);
  return gone === undefined ? { kind: "nothing" } : unknowable("drive-changed", gone);
}

function mayBeOfOrder({ document, found }: UnownedDocument, receipt: SaleReceipt, facts: ForgottenFacts): boolean {
  if (document.mark === null || found === "gap") return false;
  switch (foreignMark(document.mark, facts.job, facts.issuers)) {
    case "same-order":
      // The kit has asked its own memory before it handed out a `receiptId`.
      return receipt.receiptId === null && (document.operation ?? receipt.operation) === receipt.operation;
    case "unknown-issuer":
      return found === "loss" && fitOf({ ...document, mark: null }, { receipt, mark: null }) !== "other";
    case "other":
      return false;
  }
}

/** No document shows cash: it was moved on this register, or not. What else a service job does may be done again. */
function judgeService({ receipt, register, source, forced }: Job, lost: ForgottenFacts["lost"]): ForgottenVerdict {
  const drawer = lost.find((loss) => loss.drawer && loss.register === register);
  const movesCash = receipt.lines.some(({ type }) => type === "cash");
  if (drawer === undefined || !movesCash || source !== "site" || forced) return { kind: "nothing" };
  return unknowable("no-witness", drawer);
}

function unknowable(reason: DoubtReason, { register, drive }: LostRegister): ForgottenVerdict {
  return { kind: "doubtful", register, fn: drive, doubt: { reason, candidates: [] } };
}

function doubtful(reason: "unreadable" | "several", found: readonly UnownedDocument[]): ForgottenVerdict {
  const [first] = found;
  if (first === undefined) return { kind: "nothing" };
  const { register, fn } = first;
  return { kind: "doubtful", register, fn, doubt: { reason, candidates: found.map(({ document }) => document) } };
}
