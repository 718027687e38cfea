/**
 * What a job that waits has in common with documents that no job owns: a database that was deleted or put back from a copy
 * has forgotten their jobs, and the site offers their orders again, unchanged or changed. Pure.
 *
 *   its own mark            printed already
 *   another sale's mark     the order was sold with other content (domain 7.3): refused
 *   another return's mark   counts as returned: refused where the returns would exceed what was sold
 *   another mark, and equal  perhaps the job itself under a former id of its site, which is a part of the mark: unsure
 *   no mark, and it fits    from the time of a loss, on a register that wrote no marks then: nobody can tell, unsure
 *   it cannot be read       from the time of a loss: unsure as well
 *   the drive was taken out  in the time of a loss: its documents are gone with it, unsure
 *   cash in or out          no document tells of it; where the drawer may have been moved in the time of a loss, unsure
 */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { FnSerial, RegisterId } from "@fiscald/shared/ids.js";
import { type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Doubt, DoubtReason } from "../store/attempt-store.js";
import type { Job } from "../store/job.js";
import type { Loss } from "../store/loss-store.js";
import { fitOf } from "./document-fit.js";
import { markOf } from "./order-mark.js";

export interface FoundDocument {
  readonly fn: FnSerial;
  readonly register: RegisterId;
  readonly document: FiscalDocument;
}

export interface ForgottenFacts {
  readonly job: Job;
  /** Documents without a job whose marks name the job's order. */
  readonly ofOrder: readonly FoundDocument[];
  /** Documents without a job and without a mark that were made when the database was another one. */
  readonly unmarked: readonly FoundDocument[];
  /** Jobs of the same site and order; the job itself may be among them. Needed only beside documents of the order. */
  readonly sameOrder: readonly Job[];
  /** Registers that could have printed the order and of whose lost time something is unknown. */
  readonly lost: readonly LostRegister[];
}

export interface LostRegister extends Loss {
  readonly register: RegisterId;
}

export type ForgottenVerdict =
  | { readonly kind: "nothing" }
  | { readonly kind: "printed"; readonly found: FoundDocument }
  | { readonly kind: "refused"; readonly code: FaultCode; readonly message: string; readonly found: FoundDocument }
  /** `register`: the one that is asked about it. */
  | { readonly kind: "doubtful"; readonly register: RegisterId; readonly fn: FnSerial | null; readonly doubt: Doubt };

export function judgeForgotten({ job, ofOrder, unmarked, sameOrder, lost }: ForgottenFacts): ForgottenVerdict {
  const { receipt } = job;
  if (receipt.kind === "service") return judgeService(job, lost);
  const mark = markOf(job);
  if (mark === null) return { kind: "nothing" };
  const own = ofOrder.filter(({ document }) => document.mark === mark);
  const [readable] = own.filter(({ document: { shift, time } }) => shift !== null && time !== null);
  if (readable !== undefined) return { kind: "printed", found: readable };
  // It is there, and what the site is to be told of it cannot be read.
  if (own.length > 0) return doubtful("unreadable", own);
  if (job.forced) return { kind: "nothing" };
  const other = judgeOthers(job, ofOrder, sameOrder);
  if (other !== null) return other;
  const alike = ofOrder.filter(({ document }) => fitsBesideMark(document, receipt));
  if (alike.length > 0) return doubtful("several", alike);
  const possible = unmarked.filter(({ document }) => fitOf(document, { receipt, mark: null }) !== "other");
  const isReadable = possible.every(({ document }) => document.body === "full");
  if (possible.length > 0) return doubtful(isReadable ? "several" : "unreadable", possible);
  const gone = lost.find(({ drive }) => drive !== null);
  return gone === undefined ? { kind: "nothing" } : unknowable("drive-changed", gone);
}

/** An order id, a direction, a total and lines in common; only the digits that the site's id has a part in differ. */
function fitsBesideMark(document: FiscalDocument, receipt: SaleReceipt): boolean {
  return fitOf({ ...document, mark: null }, { receipt, mark: null }) !== "other";
}

/** No document tells of cash: it was moved on this register, or not. What else a service job does may be done again. */
function judgeService({ receipt, register, source, forced }: Job, lost: ForgottenFacts["lost"]): ForgottenVerdict {
  const drawer = lost.find((loss) => loss.drawer && loss.register === register);
  const movesCash = receipt.lines.some(({ type }) => type === "cash");
  if (drawer === undefined || !movesCash || source !== "site" || forced) return { kind: "nothing" };
  return unknowable("no-witness", drawer);
}

function unknowable(reason: DoubtReason, { register, drive }: LostRegister): ForgottenVerdict {
  return { kind: "doubtful", register, fn: drive, doubt: { reason, candidates: [] } };
}

/** Receipts of the order with other content. The kit has asked its own memory before it handed out a `receiptId`. */
function judgeOthers(
  { id, receipt, receiptId }: Job,
  ofOrder: readonly FoundDocument[],
  sameOrder: readonly Job[],
): ForgottenVerdict | null {
  if (receipt.kind !== "receipt" || receiptId !== null) return null;
  const of = (operation: "sale" | "return") => ofOrder.filter(({ document }) => document.operation === operation);
  const [sale] = of("sale");
  const [back] = of("return");
  if (receipt.operation === "sale") {
    return sale === undefined ? null : refused("job.already-printed", "with other content", sale);
  }
  if (back === undefined) return null;
  const jobsOf = (operation: "sale" | "return") => sameOrder.filter((job) => job.operation === operation);
  const sold = moneyOf(jobsOf("sale").filter(({ state }) => state === "printed")) + sumOf(of("sale"));
  const returned = moneyOf(jobsOf("return").filter((job) => job.id !== id && counts(job))) + sumOf(of("return"));
  const exceeds = sold > 0 && returned + totalOf(receipt) > sold;
  return exceeds ? refused("job.return-exceeds-sale", `${returned} of ${sold} kopecks are returned`, back) : null;
}

function counts({ state }: Job): boolean {
  return state === "printed" || state === "queued" || state === "printing" || state === "unsure";
}

function refused(code: FaultCode, how: string, found: FoundDocument): ForgottenVerdict {
  const { fd, time } = found.document;
  const message = `already printed as FD ${fd}${time === null ? "" : ` on ${time.slice(0, 10)}`}, ${how}`;
  return { kind: "refused", code, message, found };
}

function doubtful(reason: "unreadable" | "several", found: readonly FoundDocument[]): ForgottenVerdict {
  const [first] = found;
  if (first === undefined) return { kind: "nothing" };
  const { register, fn } = first;
  return { kind: "doubtful", register, fn, doubt: { reason, candidates: found.map(({ document }) => document) } };
}

function moneyOf(jobs: readonly Job[]): number {
  return jobs.reduce((sum, { total }) => sum + (total ?? 0), 0);
}

function sumOf(found: readonly FoundDocument[]): number {
  return found.reduce((sum, { document }) => sum + (document.total ?? 0), 0);
}
