import type { Timer } from "@fiscald/shared/clock.js";
import type { JobRecorder } from "../job-recorder.js";
import { markInterrupted } from "../recovery/mark-interrupted.js";
import type { RegisterContext } from "../register-context.js";

/**
 * Reports an unsure job as unknown when its register could not be read for a quarter of an hour, counted from the
 * start.
 */
export interface UnknownReportTimer {
  /** A job may be unsure, and its register is not being read. */
  arm(): void;
  /** The register was asked. */
  disarm(): void;
}

export function createUnknownReportTimer(
  { clock, timings, stores, settings }: RegisterContext,
  recorder: JobRecorder,
  /** Runs a commit in the register's turn, however long the database refuses. */
  commit: (work: () => void) => void,
): UnknownReportTimer {
  let timer: Timer | null = null;

  function tell(): void {
    // A job that was broken off by an unexpected error still says `printing`.
    markInterrupted(stores, clock, settings.id);
    const unread = stores.attempts.doubtsOf(settings.id).filter(({ doubt }) => doubt === null);
    for (const { job } of unread) recorder.tellUnknown(stores.jobs.get(job), "the register could not be asked");
  }

  return {
    arm() {
      timer ??= clock.setTimer(timings.unknownAfterMs, () => commit(tell));
    },
    disarm() {
      timer?.cancel();
      timer = null;
    },
  };
}
