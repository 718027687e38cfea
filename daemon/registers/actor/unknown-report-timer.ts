import type { Timer } from "@fiscald/shared/clock.js";
import type { JobRecorder } from "../job-recorder.js";
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

  const unreadDoubts = () => stores.attempts.doubtsOf(settings.id).filter(({ doubt }) => doubt === null);

  function tell(): void {
    for (const { job } of unreadDoubts()) recorder.tellUnknown(stores.jobs.get(job), "the register could not be asked");
  }

  return {
    arm() {
      if (timer !== null || unreadDoubts().length === 0) return;
      timer = clock.setTimer(timings.unknownAfterMs, () => commit(tell));
    },
    disarm() {
      timer?.cancel();
      timer = null;
    },
  };
}
