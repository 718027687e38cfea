/**
 * What a repeated order means (domain 7.3), as a pure decision. It never prints a receipt twice, and never drops a
 * new receipt without a word.
 * The kit has applied the same rules to a receipt with a `receiptId` when it was enqueued, so such a receipt is
 * compared by content only with jobs that have no `receiptId`. Two exceptions, where the kit's knowledge is outdated:
 * a receipt that was reported as failed and retried since, and a receipt that another one has replaced.
 */

import { doneInWords } from "@fiscald/drivers/compile/service-parts.js";
import { type Kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { contentKey } from "@fiscald/shared/receipt/order-key.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { prepaidPart, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { Job } from "../store/job.js";

export interface DuplicateFacts {
  readonly receipt: Receipt;
  /** Jobs of this site with the same key, newest first. */
  readonly sameKey: readonly Job[];
  /** Jobs of this site with the same order id, newest first; those of `sameKey` included. */
  readonly sameOrder: readonly Job[];
  /** Whether the job's document belongs to the shift that its register has open now. */
  isInOpenShift(job: Job): boolean;
  /** Whether the register of a half-done service job is still in the shift, on the drive, in which its last part was done. */
  isStillInShiftOf(job: Job): boolean;
  /** When the job's result was delivered, by this machine's clock; null = not yet. */
  resultDeliveredAt(job: Job): number | null;
  /** The job was reported as failed and has been retried since. */
  wasRetried(job: Job): boolean;
  /** When the order was asked for, by the same clock: the site knew nothing that was delivered to it later. */
  readonly askedAt: number;
  readonly now: number;
}

export type DuplicateDecision =
  /** `cancel`: queued jobs that the new one replaces. */
  | { readonly action: "accept"; readonly cancel: readonly Job[]; readonly reason: string }
  /** Nothing to do: an equal job is queued or printing. Counts as an empty poll. */
  | { readonly action: "ignore"; readonly job: Job; readonly reason: string }
  /** Its stored result is sent again, at most once a minute. */
  | { readonly action: "resend"; readonly job: Job; readonly reason: string }
  /** Proven not registered: it may be tried again. */
  | { readonly action: "retry"; readonly job: Job; readonly reason: string }
  /** Never printed; the site gets the reason. `printed` = the earlier receipt of equal content, whose numbers go with the answer. */
  | { readonly action: "refuse"; readonly code: FaultCode; readonly message: string; readonly printed: Job | null };

/** How often a failed order is retried when its site repeats it; after that only the operator can retry it. */
const MAX_TRIES = 3;
/** An equal partial refund after this time is a new one: a site repeats an order within minutes. */
const RETURN_REPEAT_MS = 10 * 60_000;

export function decideDuplicate(facts: DuplicateFacts): DuplicateDecision {
  const earlier = findEarlierJob(facts.sameKey);
  return earlier === undefined ? decideByContent(facts) : decideEqualKey(earlier, facts);
}

/** By the other jobs of the same order. */
function decideByContent(facts: DuplicateFacts): DuplicateDecision {
  const { receipt } = facts;
  if (receipt.kind === "service") return decideService(facts);
  const back = facts.sameOrder.find((job) => isUnknownToKit(job, receipt, facts));
  if (back !== undefined) {
    const isReplaced = back.state === "queued" && receipt.operation === "sale" && prepaidPart(receipt) === 0;
    return isReplaced ? accept("takes the place of one that came back", [back]) : refuseAsBeingPrinted();
  }
  const competing = facts.sameOrder.filter((job) => job.kind === "receipt" && competes(job, receipt));
  return receipt.operation === "return" ? decideReturn(receipt, competing) : decideSale(receipt, competing, facts);
}

/** Cash that an earlier table of this order moved in this shift must not move again. */
function decideService({ sameOrder, isStillInShiftOf }: DuplicateFacts): DuplicateDecision {
  const half = sameOrder.find((job) => isPartDone(job) && job.state !== "printed" && isStillInShiftOf(job));
  if (half === undefined) return accept("new service job");
  return isUnderWay(half) ? refuseAsBeingPrinted() : refuseAsHalfDone(half);
}

function isPartDone({ receipt, doneParts }: Job): boolean {
  return receipt.kind === "service" && doneParts > 0;
}

/** It stopped after a part, also when the operator cancelled it there. */
function isHalfDone(job: Job): boolean {
  return isPartDone(job) && (job.state === "failed" || job.state === "cancelled");
}

function refuseAsHalfDone({ receipt, doneParts, id }: Job): DuplicateDecision {
  const done = receipt.kind === "service" ? doneInWords(receipt, doneParts) : "";
  const message = `job ${id} of this order was half done: ${done}`;
  return { action: "refuse", code: "job.half-done", message, printed: null };
}

/**
 * A receipt of the kit was reported as failed and retried since: the kit does not know yet that it is printing or
 * printed.
 */
function isUnknownToKit(job: Job, receipt: SaleReceipt, facts: DuplicateFacts): boolean {
  const areOfKit = job.receiptId !== null && receipt.receiptId !== null && job.receiptId !== receipt.receiptId;
  if (!areOfKit || !mayReplace(job, receipt) || isSettledBy(job, receipt, facts)) return false;
  const deliveredAt = facts.resultDeliveredAt(job);
  const isUnreported =
    isUnderWay(job) || (job.state === "printed" && (deliveredAt === null || deliveredAt >= facts.askedAt));
  return isUnreported && facts.wasRetried(job);
}

/** An order has one sale, but any number of partial returns: only an equal return may be a repeat. */
function mayReplace(job: Job, receipt: SaleReceipt): boolean {
  if (job.operation !== receipt.operation) return false;
  return receipt.operation === "sale" || contentKey(job) === contentKey({ site: job.site, receipt });
}

/** A settlement whose prepayments are printed replaces no other settlement. */
function isSettledBy(job: Job, receipt: SaleReceipt, { sameOrder }: DuplicateFacts): boolean {
  const offset = receipt.operation === "sale" && prepaidPart(job.receipt) === 0 ? prepaidPart(receipt) : 0;
  return offset > 0 && offset <= unspentPrepayment(sameOrder);
}

/**
 * The job that the order repeats. A queued or printing job counts first. Of service jobs then the newest, as the same
 * table may come each day; a printed receipt counts before a failed one, also before a newer one. A refused job and a job whose content was replaced do not count: the rules decide again.
 */
function findEarlierJob(sameKey: readonly Job[]): Job | undefined {
  const selves = sameKey.filter((job) => job.state !== "refused" && job.fault?.code !== "job.replaced");
  const [newest] = selves;
  const service = newest?.kind === "service" ? newest : undefined;
  return selves.find(isUnderWay) ?? service ?? selves.find((job) => job.state === "printed") ?? newest;
}

function decideEqualKey(job: Job, facts: DuplicateFacts): DuplicateDecision {
  const deliveredAt = facts.resultDeliveredAt(job);
  // An answer that the site sent before it got the result still names the job: its cash must not move again. A time to
  // come is of a clock that was ahead.
  const isTold = deliveredAt !== null && (deliveredAt < facts.askedAt || deliveredAt > facts.now);
  const isReported = job.kind === "service" && isTold;
  switch (job.state) {
    case "queued":
    case "printing":
    case "unsure":
      return { action: "ignore", job, reason: `the same order is ${job.state}` };
    case "printed":
      if (isReported) return accept("the earlier service job is reported");
      return decidePrinted(job, deliveredAt, facts);
    case "failed":
      if (isHalfDone(job)) return decideHalfDone(job, facts);
      if (isReported) return accept("the earlier service job is reported");
      return decideFailed(job, facts);
    default:
      if (isHalfDone(job) && facts.isStillInShiftOf(job)) return refuseAsHalfDone(job);
      if (isReported) return accept("the earlier service job is reported");
      return { action: "refuse", code: "job.cancelled", message: "cancelled by the operator", printed: null };
  }
}

/** It goes on where it stopped, and nowhere else: cash never moves twice. */
function decideHalfDone(job: Job, { isStillInShiftOf }: DuplicateFacts): DuplicateDecision {
  if (!isStillInShiftOf(job)) return refuseAsHalfDone(job);
  return job.tries < MAX_TRIES
    ? { action: "retry", job, reason: "goes on after the part that was done last" }
    : { action: "resend", job, reason: `failed ${job.tries} times: only the operator can retry it` };
}

/** Tried again, unless the order was printed, or is about to be, with other content since it failed. */
function decideFailed(job: Job, facts: DuplicateFacts): DuplicateDecision {
  const { receipt } = facts;
  const isSuccessor = (other: Job) =>
    receipt.kind === "receipt" &&
    job.receiptId !== null &&
    other.receiptId !== null &&
    other.id > job.id &&
    mayReplace(other, receipt);
  // The kit enqueued the newer receipt because this one failed; the site sent this offer before it knew.
  if (facts.sameOrder.some((other) => isSuccessor(other) && (isUnderWay(other) || other.state === "printed"))) {
    return { action: "resend", job, reason: "another receipt of the order has taken its place" };
  }
  const byContent = decideByContent(facts);
  if (byContent.action === "refuse" || (byContent.action === "accept" && byContent.cancel.length > 0)) return byContent;
  return job.tries < MAX_TRIES
    ? { action: "retry", job, reason: "the earlier try was proven not registered" }
    : { action: "resend", job, reason: `failed ${job.tries} times: only the operator can retry it` };
}

function decidePrinted(job: Job, deliveredAt: number | null, facts: DuplicateFacts): DuplicateDecision {
  const again = { action: "resend", job, reason: "already printed; its result is sent again" } as const;
  if (deliveredAt === null || job.kind === "service") {
    return { action: "ignore", job, reason: "printed, its result is on its way" };
  }
  if (job.receiptId !== null) return again;
  const mayBeAnother =
    job.operation === "sale" ? !facts.isInOpenShift(job) : facts.now - deliveredAt > RETURN_REPEAT_MS;
  return mayBeAnother ? refuseAsPrinted(job) : again;
}

/** A part that was offset against a prepayment (typeClose 2) is not paid money: both sums leave it out. */
function decideReturn(receipt: SaleReceipt, competing: readonly Job[]): DuplicateDecision {
  const sold = moneyOf(competing.filter((job) => job.operation === "sale" && job.state === "printed"));
  const returned = moneyOf(
    competing.filter((job) => job.operation === "return" && (job.state === "printed" || isUnderWay(job))),
  );
  const all = returned + totalOf(receipt) - prepaidPart(receipt);
  // No sale is known: it was printed by another program or before this database began.
  if (sold === 0 || all <= sold) return accept("a further return of the order");
  const message = `returns of ${all} kopecks would exceed the ${sold} sold`;
  return { action: "refuse", code: "job.return-exceeds-sale", message, printed: null };
}

function moneyOf(jobs: readonly Job[]): number {
  return sumOf(jobs) - jobs.reduce((sum, job) => sum + prepaidPart(job.receipt), 0);
}

function decideSale(receipt: SaleReceipt, competing: readonly Job[], facts: DuplicateFacts): DuplicateDecision {
  const sales = competing.filter((job) => job.operation === "sale");
  const offset = prepaidPart(receipt);
  if (sales.some((job) => job.state === "printing" || job.state === "unsure")) return refuseAsBeingPrinted();
  const queued = sales.filter((job) => job.state === "queued");
  // A settlement must not push its own prepayment out of the queue.
  if (offset > 0 && queued.some((job) => prepaidPart(job.receipt) === 0)) return refuseAsBeingPrinted();
  const printed = sales.find((job) => job.state === "printed");
  if (printed !== undefined && (offset === 0 || offset > unspentPrepayment(facts.sameOrder))) {
    return refuseAsPrintedOtherwise(printed);
  }
  const replaced = offset > 0 ? [] : queued;
  return accept(replaced.length > 0 ? "newer content takes the place of the queued one" : "new order", replaced);
}

/** Printed prepayments of the order, less what its settlements have used or are about to use. */
function unspentPrepayment(sameOrder: readonly Job[]): number {
  const sales = sameOrder.filter((job) => job.operation === "sale");
  const isPrepayment = (job: Job) =>
    job.receipt.kind === "receipt" &&
    job.receipt.lines.every((line) => line.type !== "item" || (line.method >= 1 && line.method <= 3));
  const paid = sumOf(sales.filter((job) => job.state === "printed" && isPrepayment(job)));
  const used = sales
    .filter((job) => job.state === "printed" || isUnderWay(job))
    .reduce((sum, job) => sum + prepaidPart(job.receipt), 0);
  return paid - used;
}

function isUnderWay(job: Job): boolean {
  return job.state === "queued" || job.state === "printing" || job.state === "unsure";
}

function competes(job: Job, receipt: SaleReceipt): boolean {
  return receipt.receiptId === null || job.receiptId === null;
}

function sumOf(jobs: readonly Job[]): Kopecks {
  return sumKopecks(jobs.map((job) => job.total ?? (0 as Kopecks)));
}

function accept(reason: string, cancel: readonly Job[] = []): DuplicateDecision {
  return { action: "accept", cancel, reason };
}

function refuseAsBeingPrinted(): DuplicateDecision {
  return { action: "refuse", code: "job.being-printed", message: "still being printed", printed: null };
}

function refuseAsPrinted(job: Job): DuplicateDecision {
  return { action: "refuse", code: "job.already-printed", message: printedInWords(job), printed: job };
}

/** The earlier receipt is not this order's: its numbers stand in the sentence only, and this order counts as failed. */
function refuseAsPrintedOtherwise(job: Job): DuplicateDecision {
  const message = `${printedInWords(job)} with other content`;
  return { action: "refuse", code: "job.already-printed", message, printed: null };
}

function printedInWords({ document }: Job): string {
  return document === null
    ? "already printed"
    : `already printed as FD ${document.fd} on ${document.time.slice(0, 10)}`;
}
