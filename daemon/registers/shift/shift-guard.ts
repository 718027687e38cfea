import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { JobRecorder } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import { findClosing, queueShiftClose } from "./queue-shift-close.js";
import { missedClosing, mustCloseShift } from "./shift-age.js";

/** When one register's shift is closed: at the set time, before it is 24 hours old, and what if it cannot be. */
export interface ShiftGuard {
  read(state: DeviceState): void;
  /** The register is connected again: a closing time may have passed meanwhile. */
  connected(state: DeviceState): void;
  close(reason: string): void;
  /**
   * Called at each turn, with what keeps the register from working. Each minute the log and the sites get the reason: a
   * closing that waits is not even tried meanwhile.
   */
  look(trouble: Fault | null): void;
}

export interface ShiftGuardOptions {
  readonly context: RegisterContext;
  readonly recorder: Pick<JobRecorder, "closingHindered">;
  /** Runs a commit in the register's turn, however long the database refuses. */
  commit(work: () => void): void;
  onQueued(): void;
}

export function createShiftGuard({ context, recorder, commit, onQueued }: ShiftGuardOptions): ShiftGuard {
  const { clock, timings, stores, settings } = context;
  const findShift = () => stores.registers.find(settings.id)?.shift ?? null;
  let lookedAt = clock.monotonic();
  /** The closing that has waited since `lookedAt`. */
  let waiting = findClosing(stores.jobs, settings.id)?.id;

  function queue(reason: string): void {
    const closing = queueShiftClose(context, reason);
    if (closing === null) return;
    lookedAt = clock.monotonic();
    waiting = closing.id;
    onQueued();
  }

  /** A closing is neither lost nor the register's trouble because the database cannot write at this moment. */
  function queuePatiently(reason: string): void {
    try {
      queue(reason);
    } catch {
      commit(() => queue(reason));
    }
  }

  return {
    read(state) {
      if (mustCloseShift(state, findShift)) queuePatiently("the shift is about to be 24 hours old");
    },
    connected(state) {
      const { closeShiftAt } = settings;
      if (closeShiftAt === null) return;
      if (missedClosing(state, findShift, closeShiftAt)) queuePatiently("the configured time has passed");
    },
    close: queuePatiently,
    look(trouble) {
      if (trouble === null || clock.monotonic() - lookedAt < timings.closingRetryMs) return;
      lookedAt = clock.monotonic();
      commit(() => {
        const id = findClosing(stores.jobs, settings.id)?.id;
        if (id !== undefined && id === waiting) recorder.closingHindered(id, trouble);
        waiting = id;
      });
    },
  };
}
