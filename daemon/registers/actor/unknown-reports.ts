import type { Timer } from "@fiscald/shared/clock.js";
import { isForSite } from "../../store/job.js";
import { commitWithRetry } from "../commit-with-retry.js";
import type { RegisterContext } from "../register-context.js";

/**
 * Reports an unsure job to its site as "unknown" a quarter of an hour after it became unsure, or after the start, when
 * its register could not be read or the config lacks it. Jobs of a register that was read are reported by the sweep.
 */
export function createUnknownReports({
  stores: { jobs, journal },
  events,
  clock,
  timings,
  log,
}: Pick<RegisterContext, "stores" | "events" | "clock" | "timings" | "log">) {
  const timers = new Map<number, Timer>();
  const leaving = new AbortController();

  function report(id: number): void {
    jobs.transaction(() => {
      const job = jobs.get(id);
      const { state, register, site } = job;
      if (state !== "unsure" || !isForSite(job) || jobs.reportedOutcome(id) === "unknown") return;
      const details = { reason: "the register could not be read" };
      journal.add({ at: clock.now(), actor: "daemon", what: "reported as unknown", job: id, register, site, details });
      jobs.setReportedOutcome(id, "unknown");
      events.result(job, "unknown");
    });
  }

  function reportInTime(id: number): void {
    timers.delete(id);
    // The commit fails only when the daemon stops, and the next start reports the job.
    commitWithRetry({ clock, timings, log, stopping: leaving.signal }, () => report(id)).catch(() => {});
  }

  return {
    watch(id: number): void {
      timers.get(id)?.cancel();
      timers.set(
        id,
        clock.setTimer(timings.unknownAfterMs, () => reportInTime(id)),
      );
    },
    stop(): void {
      leaving.abort();
      for (const timer of timers.values()) timer.cancel();
    },
  };
}
