import type { Clock } from "@fiscald/shared/clock.js";

/**
 * The end of a call: its caller has gone, or its time is up. Most polls are over before anybody asks for the signal,
 * which costs as much as the rest of an empty poll, and so it is made when it is asked for.
 */
export class CallEnd {
  #over: { readonly reason: unknown } | null = null;
  #controller: AbortController | null = null;
  /** Called at the end. A call waits for one thing at a time. */
  whenOver: () => void = () => {};

  get isOver(): boolean {
    return this.#over !== null;
  }

  /** For the site's callbacks; aborts at the end. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over !== null) this.#controller.abort(this.#over.reason);
    return this.#controller.signal;
  }

  end(reason: unknown): void {
    if (this.#over !== null) return;
    this.#over = { reason };
    this.#controller?.abort(reason);
    this.whenOver();
  }
}

export interface TimeLimit {
  readonly clock: Clock;
  readonly ms: number;
  /** The answer is no longer needed after it. */
  readonly end: CallEnd;
}

/** Waits for the work until the limit, then answers null; the work itself goes on. Rejects as the work does. */
export function withTimeout<T>(work: Promise<T>, { clock, ms, end }: TimeLimit): Promise<{ readonly value: T } | null> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      timer.cancel();
      if (end.whenOver === onLate) end.whenOver = () => {};
    };
    const onLate = () => {
      stop();
      resolve(null);
    };
    const timer = clock.setTimer(ms, onLate);
    end.whenOver = onLate;
    if (end.isOver) onLate();
    work.then(
      (value) => {
        stop();
        resolve({ value });
      },
      (error) => {
        stop();
        reject(error);
      },
    );
  });
}
