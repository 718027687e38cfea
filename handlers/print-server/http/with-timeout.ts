import type { Clock } from "@fiscald/shared/clock.js";

export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  /** The caller has hung up: the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** Waits for the work until the limit, then answers null; the work itself goes on. Rejects as the work does. */
export function withTimeout<T>(
  work: Promise<T>,
  { clock, ms, signal }: TimeLimit,
): Promise<{ readonly value: T } | null> {
  return new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      timer.cancel();
      signal.removeEventListener("abort", onLate);
      act();
    };
    const onLate = () => end(() => resolve(null));
    const timer = clock.setTimer(ms, onLate);
    signal.addEventListener("abort", onLate, { once: true });
    if (signal.aborted) onLate();
    work.then(
      (value) => end(() => resolve({ value })),
      (error) => end(() => reject(error)),
    );
  });
}
