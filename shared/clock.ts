import { setTimeout as setTimeoutPromise } from "node:timers/promises";

/** Time as a parameter, so that tests can set it. The machine's wall clock may jump; timers must not. */
export interface Clock {
  /** Wall clock in milliseconds since the epoch, for people and for the wire. No decision compares two such times. */
  now(): number;
  /** Milliseconds since an arbitrary start, never going back, for ages, periods and deadlines inside one process. */
  monotonic(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls back once after `ms` unless cancelled. Data that arrived before is handled first, because a suspended process
   * finds expired limits and waiting answers at the same moment when it goes on.
   */
  setTimer(ms: number, callback: () => void, options?: TimerOptions): Timer;
  /**
   * Resolves after everything that could run at once, and after work that was put off by one turn of the event loop (an
   * HTTP request on a kept connection). Used by work that may wait until other work is done.
   */
  turn(): Promise<void>;
}

export interface Timer {
  cancel(): void;
}

export interface TimerOptions {
  /** False: the process may end without waiting for the timer. Default true. */
  readonly keepsAlive?: boolean;
}

export const systemClock: Clock = {
  turn: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => setTimeoutPromise(ms, undefined, { signal }).catch(() => signal?.throwIfAborted()),
  setTimer: (ms, callback, { keepsAlive = true } = {}) => {
    let due: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      due = setImmediate(callback);
    }, ms);
    if (!keepsAlive) timer.unref();
    return {
      cancel() {
        clearTimeout(timer);
        clearImmediate(due);
      },
    };
  },
};

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The delay after `attempt` failures (from 1), which doubles and varies by a fifth. `random` returns 0 to below 1. */
export function backoffDelayMs(attempt: number, { firstMs, maxMs }: BackoffOptions, random: () => number): number {
  const plain = Math.min(maxMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.round(plain * (0.8 + 0.4 * random()));
}
