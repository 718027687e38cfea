/** Earlier jobs as the rules of repeated orders see them (shared/receipt/repeats/decide-repeat.ts). */

import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { isReturn, isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import type { EarlierReceipt } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { repeatTexts } from "@fiscald/shared/receipt/repeats/repeat-texts.js";
import { doneInWords } from "../messages/done-parts.js";
import { isUnfinished, type Job } from "../store/job.js";
import { type Journal, repairOf, wasRetried, wasSetAsideWhileHeld } from "../store/journal.js";

export interface EarlierJob extends EarlierReceipt {
  readonly job: Job;
}

export interface EarlierJobFacts {
  readonly journal: Pick<Journal, "ofJob">;
  told(job: Job): EarlierReceipt["told"];
  isInOpenShift(job: Job): boolean;
  isStillInShiftOf(job: Job): boolean;
}

/**
 * The earlier jobs, newest first. Four kinds are left out. A refused job was never to be printed. A replaced job gave
 * its place to another one. A held job that a person has set aside makes room for a new offer as soon as its site has
 * heard of that. The return of a surplus receipt that is no job leaves the order sold as its jobs say.
 */
export function earlierJobs(jobs: readonly Job[], facts: EarlierJobFacts): readonly EarlierJob[] {
  return jobs
    .flatMap((job): readonly EarlierJob[] => {
      const { id, receipt, state, tries, doneParts } = job;
      if (state === "refused" || job.fault?.code === "job.replaced" || takesBackExtra(job, jobs, facts.journal))
        return [];
      if (state === "cancelled" && facts.told(job) === "yes" && wasSetAsideWhileHeld(facts.journal, job)) return [];
      return [
        {
          ...{ job, id, receipt, state, tries, doneParts, name: nameOf(job) },
          fiscalSign: job.document?.fiscalSign ?? null,
          told: isUnfinished(state) ? "no" : facts.told(job),
          isInOpenShift: () => facts.isInOpenShift(job),
          isStillInItsShift: () => facts.isStillInShiftOf(job),
          isByOperator: job.source === "operator",
          wasTriedAgain: () => wasRetried(facts.journal, job),
        },
      ];
    })
    .sort((one, other) => other.id - one.id);
}

/**
 * Whether a person has a doubled receipt returned whose twin is no job: the register printed it in addition to the
 * order's own receipt. `ofOrder` are the jobs of the order.
 */
export function takesBackExtra(job: Job, ofOrder: readonly Job[], journal: Pick<Journal, "ofJob">): boolean {
  const repair = job.source === "operator" && isReturn(job.receipt) ? repairOf(journal, job) : null;
  if (repair?.case !== "twice") return false;
  if (repair.of === null) return true;
  const isTwin = ({ id, state, receipt, total }: Job) =>
    id !== repair.of && state === "printed" && isSale(receipt) && total === job.total;
  return !ofOrder.some(isTwin);
}

function nameOf({ id, receipt, document, doneParts }: Job): FaultText {
  if (document !== null) return repeatTexts.document(document.fd, document.time.slice(0, 10));
  const done = receipt.kind === "service" ? doneInWords(receipt, doneParts) : "";
  return done === "" ? repeatTexts.job(id) : repeatTexts.jobDone(id, done);
}
