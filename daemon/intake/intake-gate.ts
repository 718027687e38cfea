import type { Fault } from "@fiscald/shared/fault.js";

/**
 * Shut while the database cannot commit: no site is polled for an order that could not be stored. All pollers share
 * one gate; the poller that holds an uncommitted answer opens it when its commit succeeds.
 */
export interface IntakeGate {
  readonly closedBy: Fault | null;
  close(fault: Fault): void;
  open(): void;
  /** Resolves at once when open; rejects with the signal's reason. */
  whenOpen(signal: AbortSignal): Promise<void>;
}

export function createIntakeGate(): IntakeGate {
  let closedBy: Fault | null = null;
  let waiting = new Set<() => void>();
  return {
    get closedBy() {
      return closedBy;
    },
    close(fault) {
      closedBy = fault;
    },
    open() {
      closedBy = null;
      const listeners = waiting;
      waiting = new Set();
      for (const listener of listeners) listener();
    },
    whenOpen(signal) {
      if (closedBy === null) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(onOpen);
          reject(signal.reason);
        };
        const onOpen = () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        waiting.add(onOpen);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
