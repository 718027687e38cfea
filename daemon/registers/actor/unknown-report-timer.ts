import type { Timer } from "@fiscald/shared/clock.js";
import type { Job } from "../../store/job.js";
import type { RegisterContext } from "../register-context.js";

export interface UnknownReportOptions extends Pick<RegisterContext, "stores" | "facts" | "clock" | "timings"> {
  /** Unsure jobs whose register was not read since. Called in the transaction that reports them. */
  unread(): readonly Job[];
  /** Why it was not, for the journal. */
  readonly reason: string;
  /** Runs a commit, however long the database refuses. */
  commit(work: () => void): void;
}

/**
 * Reports unsure jobs as unknown when their register could not be read for a quarter of an hour, counted from the
 * start.
 */
export interface UnknownReportTimer {
  /** A job may be unsure, and its register is not being read. */
  arm(): void;
  /** The register was asked. */
  disarm(): void;
}

export function createUnknownReportTimer(options: UnknownReportOptions): UnknownReportTimer {
  const { clock, timings, stores, unread, commit } = options;
  let timer: Timer | null = null;

  const report = () =>
    stores.jobs.transaction(() => {
      for (const job of unread()) reportUnknown(options, job);
    });

  return {
    arm() {
      timer ??= clock.setTimer(timings.unknownAfterMs, () => commit(report));
    },
    disarm() {
      timer?.cancel();
      timer = null;
    },
  };
}

function reportUnknown({ stores: { jobs, journal }, facts, clock, reason }: UnknownReportOptions, job: Job): void {
  const { id, source, register, site } = job;
  if (source !== "site" || jobs.reportedOutcome(id) === "unknown") return;
  const what = "reported as unknown";
  journal.add({ at: clock.now(), actor: "daemon", what, job: id, register, site, details: { reason } });
  jobs.setReportedOutcome(id, "unknown");
  facts.result(job, "unknown");
}
