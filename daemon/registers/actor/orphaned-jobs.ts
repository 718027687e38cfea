import type { Timer } from "@fiscald/shared/clock.js";
import { toFault } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import type { Job } from "../../store/job.js";
import type { RegisterContext } from "../register-context.js";

export interface OrphanedJobsOptions extends Pick<RegisterContext, "stores" | "facts" | "clock" | "timings" | "log"> {
  isConfigured(register: RegisterId): boolean;
}

/**
 * Unsure jobs of a register that the config no longer has: no register can answer for them, so their sites get
 * "unknown" after the same time as for a register that is away.
 */
export function createOrphanedJobs(options: OrphanedJobsOptions): { start(): void; stop(): void } {
  const { stores, facts, clock, timings, log, isConfigured } = options;
  const { jobs, journal } = stores;
  let timer: Timer | null = null;

  const isUnreported = ({ id, source, register }: Job) =>
    source === "site" && !isConfigured(register) && jobs.reportedOutcome(id) !== "unknown";

  function tell(): void {
    const unsure = jobs.list({ state: "unsure", limit: Number.MAX_SAFE_INTEGER });
    for (const job of unsure.filter(isUnreported)) {
      const { id, register, site } = job;
      const details = { reason: "the register is configured no longer" };
      journal.add({ at: clock.now(), actor: "daemon", what: "reported as unknown", job: id, register, site, details });
      jobs.setReportedOutcome(id, "unknown");
      facts.result(job, "unknown");
    }
  }

  function tellIn(ms: number): void {
    timer = clock.setTimer(ms, () => {
      try {
        jobs.transaction(tell);
      } catch (error) {
        log.warn("unsure jobs cannot be reported yet", { fault: toFault(error, "internal") });
        tellIn(timings.storeRetryMs);
      }
    });
  }

  return {
    start: () => tellIn(timings.unknownAfterMs),
    stop: () => timer?.cancel(),
  };
}
