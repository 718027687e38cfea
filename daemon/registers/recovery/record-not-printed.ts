import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, saidBy } from "@fiscald/shared/fault.js";
import type { Job } from "../../store/job.js";
import { deniesStop } from "../drive-stop.js";
import type { JobRecorder } from "../job-recorder.js";
import { decideAfterFault, type NextStep } from "../retry-policy.js";
import { EXPIRED, queueShiftClose } from "../shift/queue-shift-close.js";
import { type RefusedAt, refusalOf } from "./refused-tag.js";

/** What stopped a job. `state`: of the register after it, where it was read. */
interface Refusal {
  readonly job: Job;
  readonly attempt: number | null;
  readonly fault: Fault;
  readonly state: DeviceState | null;
}

/** The job is proven not registered, and a fault stopped it: one transaction records what becomes of it. */
export function recordNotPrinted(
  tools: RefusedAt & { readonly recorder: JobRecorder },
  { job, attempt, fault: reported, state }: Refusal,
): NextStep & { readonly fault: Fault } {
  const { context, recorder } = tools;
  const { stores, settings } = context;
  return stores.jobs.transaction(() => {
    const given = attempt === null ? reported : refusalOf(tools, job.id, reported);
    // One Z report for a cause: a shift that is called expired right after it needs a person.
    const isStuck = given.code === "device.shift-expired" && stores.attempts.endedWithClosing(settings.id);
    const fault = isStuck ? new Fault("device.shift-stuck", { message: saidBy(given), cause: given }) : given;
    const next = decideAfterFault(fault, job, { isOfJob: state !== null && deniesStop(fault, state) });
    if (next.kind === "fail") recorder.failed(job, attempt, fault);
    else recorder.requeued(job, attempt, fault, next);
    if (next.kind === "close-shift") queueShiftClose(context, EXPIRED);
    return { ...next, fault };
  });
}
