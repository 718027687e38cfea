import { asGivenUp, Fault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Attempt } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";
import { serviceOf } from "../job-label.js";
import { NOTHING_TO_CLOSE } from "../job-recorder.js";
import type { Verdict } from "./witnesses.js";

/**
 * How a doubt ended, as the log tells it once it is recorded: the story of the job ends in the same words as without a
 * doubt, at the level of what it asks of people. `attempt`: as it was before; `job`: as it is now.
 */
export function logVerdict(log: Logger, attempt: Attempt, job: Job, verdict: Verdict): void {
  const fields = { job: job.id, order: job.orderId };
  log.info("a doubt was looked into", { ...fields, verdict: verdict.kind });
  const fault = attempt.fault === null ? null : new Fault(attempt.fault.code, { message: attempt.fault.message });
  const why = fault === null ? {} : { fault };
  switch (verdict.kind) {
    case "printed":
      if (job.state === "printed")
        log.info("printed", { ...fields, what: serviceOf(job), fd: verdict.document?.fd, sum: job.total });
      return;
    case "unsure": {
      const { reason, candidates } = verdict.doubt;
      // A doubt that is looked at again asks for nothing new.
      if (attempt.doubt?.reason === reason) return;
      const documents = candidates.map(({ fd }) => fd);
      log.error("nobody can tell whether it was printed", {
        ...fields,
        reason,
        documents,
        fault: new Fault("job.outcome-unknown"),
      });
      return;
    }
    case "nothing-to-close":
      if (job.source !== "schedule")
        log.warn("nothing to close", { ...fields, fault: new Fault(NOTHING_TO_CLOSE.code, NOTHING_TO_CLOSE) });
      return;
    case "not-printed":
      if (job.state === "failed")
        log.error("not printed, given up", { ...fields, ...(fault === null ? {} : { fault: asGivenUp(fault) }) });
      else log.warn("not printed, queued again", { ...fields, ...why });
  }
}
