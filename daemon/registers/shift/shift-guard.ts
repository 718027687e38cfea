import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { JobRecorder } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import { findClosing, queueShiftClose, reasonToClose } from "./queue-shift-close.js";

export type ShiftGuard = ReturnType<typeof createShiftGuard>;

export interface ShiftGuardOptions {
  readonly context: RegisterContext;
  readonly recorder: Pick<JobRecorder, "closingHindered">;
  /** Runs a commit in the register's turn, however long the database refuses. */
  commit(work: () => void): void;
  onQueued(): void;
}

/** Decides when a register's shift is closed, and reports what hinders the closing. */
export function createShiftGuard({ context, recorder, commit, onQueued }: ShiftGuardOptions) {
  const { clock, timings, stores, settings } = context;
  let lookedAt = clock.monotonic();
  /** Id of the closing that has waited since `lookedAt`. */
  let waiting = findClosing(stores.jobs, settings.id)?.id;

  function queue(reason: string): void {
    const closing = queueShiftClose(context, reason);
    if (closing === null) return;
    lookedAt = clock.monotonic();
    waiting = closing.id;
    onQueued();
  }

  /** A database that cannot write now must neither lose the closing nor count as the register's trouble. */
  function queuePatiently(reason: string): void {
    try {
      queue(reason);
    } catch {
      commit(() => queue(reason));
    }
  }

  return {
    read(state: DeviceState): void {
      const reason = reasonToClose(context, state);
      if (reason !== null) queuePatiently(reason);
    },
    /**
     * `trouble` keeps the register from working. Each minute the log and the sites get the reason why a waiting closing
     * is not even tried. A closing whose time comes now is queued, by the shift on record.
     */
    look(trouble: Fault | null): void {
      if (trouble === null || clock.monotonic() - lookedAt < timings.closingRetryMs) return;
      lookedAt = clock.monotonic();
      commit(() => {
        const id = findClosing(stores.jobs, settings.id)?.id;
        if (id !== undefined && id === waiting) recorder.closingHindered(id, trouble);
        waiting = id;
        const shift = stores.registers.find(settings.id)?.shift ?? null;
        const reason =
          shift === null ? null : reasonToClose(context, { shift, shiftOpenedAt: shift.openedAt, clock: null });
        if (reason !== null) queue(reason);
      });
    },
  };
}
