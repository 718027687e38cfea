import type { Fault } from "@fiscald/shared/fault.js";
import type { Job } from "../../store/job.js";
import { countReturns, decideAfterFault, type NextStep } from "../retry-policy.js";
import { EXPIRED, queueShiftClose } from "../shift/queue-shift-close.js";
import type { RegisterTools } from "./sweep.js";

/** The job is proven not registered, and a fault stopped it: one transaction records what becomes of it. */
export function recordNotPrinted(
  { context, recorder }: Pick<RegisterTools, "context" | "recorder">,
  job: Job,
  attempt: number | null,
  fault: Fault,
): NextStep {
  const { jobs, journal } = context.stores;
  return jobs.transaction(() => {
    const next = decideAfterFault(fault, job, context.random, countReturns(journal.ofJob(job.id)));
    if (next.kind === "fail") recorder.failed(job, attempt, fault);
    else recorder.requeued(job, attempt, fault, { countTry: next.kind === "again" && next.countTry });
    if (next.kind === "close-shift") queueShiftClose(context, EXPIRED);
    return next;
  });
}
