import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import type { Timer } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { JobRecorder } from "../job-recorder.js";
import type { RegisterContext } from "../register-context.js";
import { findClosing, queueShiftClose } from "./queue-shift-close.js";
import { missedClosing, mustCloseShift } from "./shift-age.js";

/** When one register's shift is closed: at the set time, before it is 24 hours old, and what if it cannot be. */
export interface ShiftGuard {
  /** Closings may wait from an earlier run. */
  start(): void;
  stop(): void;
  read(state: DeviceState): void;
  /** The register is connected again: a closing time may have passed meanwhile. */
  connected(state: DeviceState): void;
  close(reason: string): void;
}

export interface ShiftGuardOptions {
  readonly context: RegisterContext;
  readonly recorder: Pick<JobRecorder, "closingHindered">;
  /** What keeps the register from working; null = nothing. */
  trouble(): Fault | null;
  /** Runs a commit in the register's turn, however long the database refuses. */
  commit(work: () => void): void;
  onQueued(): void;
}

export function createShiftGuard({ context, recorder, trouble, commit, onQueued }: ShiftGuardOptions): ShiftGuard {
  const { clock, timings, stores, settings } = context;
  const findShift = () => stores.registers.find(settings.id)?.shift ?? null;
  let timer: Timer | null = null;

  function queue(reason: string): void {
    const queued = queueShiftClose(context, reason);
    watch();
    if (queued !== null) onQueued();
  }

  /** A closing is neither lost nor the register's trouble because the database cannot write at this moment. */
  function queuePatiently(reason: string): void {
    try {
      queue(reason);
    } catch {
      commit(() => queue(reason));
    }
  }

  /** Without paper or connection a closing is not even tried: the log and the sites get the reason. */
  function watch(): void {
    if (timer !== null) return;
    timer = clock.setTimer(timings.closingRetryMs, () => commit(look));
  }

  function look(): void {
    timer = null;
    const closing = findClosing(stores.jobs, settings.id);
    if (closing === undefined) return;
    const fault = trouble();
    if (fault !== null) recorder.closingHindered(closing.id, fault);
    watch();
  }

  return {
    start() {
      if (findClosing(stores.jobs, settings.id) !== undefined) watch();
    },
    stop() {
      timer?.cancel();
      timer = null;
    },
    read(state) {
      if (mustCloseShift(state, findShift)) queuePatiently("the shift is about to be 24 hours old");
    },
    connected(state) {
      const { closeShiftAt } = settings;
      if (closeShiftAt === null) return;
      if (missedClosing(state, findShift, closeShiftAt)) queuePatiently("the configured time has passed");
    },
    close: queuePatiently,
  };
}
