/** "There is something to do": wakes the waiting code and carries no data. The work itself is in the database. */
export interface Signal {
  notify(): void;
  /**
   * Resolves at the next `notify`, or at once when there was one since the last wait ended. Rejects with the signal's
   * reason. For one waiter at a time.
   */
  wait(signal: AbortSignal): Promise<void>;
}

export function createSignal(): Signal {
  let pending = false;
  let wake: (() => void) | null = null;
  return {
    notify() {
      pending = true;
      wake?.();
    },
    wait(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const finish = () => {
          pending = false;
          wake = null;
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
        const onAbort = () => {
          wake = null;
          reject(signal.reason);
        };
        if (pending) {
          finish();
          return;
        }
        wake = finish;
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
