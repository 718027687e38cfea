import type { Fault } from "@fiscald/shared/fault.js";
import type { Job } from "../../store/job.js";
import type { JobRecorder } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import { decideAfterFault, type NextStep } from "../retry-policy.js";
import { EXPIRED, queueShiftClose } from "../shift/queue-shift-close.js";

/** The job is proven not registered, and a fault stopped it: one transaction records what becomes of it. */
export function recordNotPrinted(
  context: Pick<RegisterContext, "stores" | "settings" | "clock">,
  recorder: JobRecorder,
  { job, attempt, fault }: { readonly job: Job; readonly attempt: number | null; readonly fault: Fault },
): NextStep {
  return context.stores.jobs.transaction(() => {
    const next = decideAfterFault(fault, job);
    if (next.kind === "fail") recorder.failed(job, attempt, fault);
    else recorder.requeued(job, attempt, fault, next);
    if (next.kind === "close-shift") queueShiftClose(context, EXPIRED);
    return next;
  });
}
