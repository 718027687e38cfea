import type { Clock } from "@fiscald/shared/clock.js";

export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  /** The caller has hung up: the answer is no longer needed. */
  readonly signal: AbortSignal;
}

export type TimedResult<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "late" };

/** Waits for the work until the limit; the work itself goes on. Rejects as the work does. */
export function withTimeout<T>(work: Promise<T>, { clock, ms, signal }: TimeLimit): Promise<TimedResult<T>> {
  return new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      timer.cancel();
      signal.removeEventListener("abort", onLate);
      act();
    };
    const onLate = () => end(() => resolve({ kind: "late" }));
    const timer = clock.setTimer(ms, onLate);
    signal.addEventListener("abort", onLate, { once: true });
    if (signal.aborted) onLate();
    work.then(
      (value) => end(() => resolve({ kind: "done", value })),
      (error) => end(() => reject(error)),
    );
  });
}
