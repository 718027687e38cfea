import type { Clock } from "@fiscald/shared/clock.js";

export class CallStop {
  readonly #controller = new AbortController();
  #isAborted = false;
  /** Ends the present wait. A listener on the signal would cost more than the wait itself. */
  onAbort = () => {};

  get isAborted(): boolean {
    return this.#isAborted;
  }

  /** Node makes the signal at the first access. Making it costs a tenth of an empty poll. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#isAborted = true;
    this.#controller.abort(reason);
    this.onAbort();
  }
}

export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  readonly stop: CallStop;
}

/** Resolves to null at the limit, while the work itself goes on. Rejects as the work does. */
export function withTimeout<T>(
  work: Promise<T>,
  { clock, ms, stop }: TimeLimit,
): Promise<{ readonly value: T } | null> {
  return new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      timer.cancel();
      act();
    };
    const onLate = () => end(() => resolve(null));
    const timer = clock.setTimer(ms, onLate);
    stop.onAbort = onLate;
    if (stop.isAborted) onLate();
    work.then(
      (value) => end(() => resolve({ value })),
      (error) => end(() => reject(error)),
    );
  });
}
