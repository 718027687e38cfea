/** Earlier jobs as the rules of repeated orders see them (shared/receipt/repeats/decide-repeat.ts). */

import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { isReturn } from "@fiscald/shared/receipt/repeats/order-money.js";
import type { EarlierReceipt } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { repeatTexts } from "@fiscald/shared/receipt/repeats/repeat-texts.js";
import { doneInWords } from "../messages/done-parts.js";
import { isUnfinished, type Job } from "../store/job.js";
import { type Journal, PRINTED_TWICE, repairOf, wasRetried, wasSetAsideWhileHeld } from "../store/journal.js";

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
 * Newest first. Left out are refused jobs, which were never to be printed; replaced jobs; held jobs that a person has
 * set aside and whose site has heard of that; and returns of a receipt that is no job.
 */
export function earlierJobs(jobs: readonly Job[], facts: EarlierJobFacts): readonly EarlierJob[] {
  return jobs
    .flatMap((job): readonly EarlierJob[] => {
      const { id, state, tries, doneParts } = job;
      if (state === "refused" || job.fault?.code === "job.replaced" || takesBackExtra(job, facts.journal)) return [];
      if (state === "cancelled" && facts.told(job) === "yes" && wasSetAsideWhileHeld(facts.journal, job)) return [];
      return [
        {
          ...{ job, id, receipt: asOffered(job, facts.journal), state, tries, doneParts, name: nameOf(job) },
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

/** Whether the job returns a receipt that is no job: another program's, or one printed beside the order's own. */
export function takesBackExtra(job: Job, journal: Pick<Journal, "ofJob">): boolean {
  const repair = job.source === "operator" && isReturn(job.receipt) ? repairOf(journal, job) : null;
  if (repair?.case !== "twice") return false;
  return repair.of === null || journal.ofJob(repair.of).some(({ what }) => what === PRINTED_TWICE);
}

/** The receipt as its site offers it: with the text that was left out when a person made a correction of it. */
function asOffered({ id, receipt }: Job, journal: Pick<Journal, "ofJob">): Receipt {
  if (receipt.kind !== "receipt" || receipt.correction?.ofOrder !== true) return receipt;
  const { leftOut = null } = journal.ofJob(id).findLast(({ details }) => "leftOut" in details)?.details ?? {};
  return leftOut === null
    ? receipt
    : { ...receipt, requisites: { ...receipt.requisites, additional: String(leftOut) } };
}

function nameOf({ id, receipt, document, doneParts }: Job): FaultText {
  if (document !== null) return repeatTexts.document(document.fd, document.time.slice(0, 10));
  const done = receipt.kind === "service" ? doneInWords(receipt, doneParts) : "";
  return done === "" ? repeatTexts.job(id) : repeatTexts.jobDone(id, done);
}
