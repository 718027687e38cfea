import type { Clock } from "@fiscald/shared/clock.js";

/** A clock that stands still until a test turns it. */
export interface FakeClock extends Clock {
  /** Moves both clocks on and runs the timers that fall due, in order, with the work that they wake. */
  advance(ms: number): Promise<void>;
  /** Sets the machine's wall clock; timers do not notice. */
  setWallClock(epochMs: number): void;
  /** The number of waiting timers and sleeps, without timers that keep no process alive. */
  readonly pending: number;
  /** Milliseconds until the next timer that counts as pending; null when there is none. */
  readonly nextDueMs: number | null;
}

interface Waiting {
  readonly at: number;
  readonly callback: () => void;
  readonly keepsAlive: boolean;
}

/** Starts at `now`, by default 2026-11-20T12:00:00Z. */
export function createFakeClock(options: { readonly now?: number } = {}): FakeClock {
  let wallOffset = options.now ?? Date.UTC(2026, 10, 20, 12);
  let elapsed = 0;
  const waiting = new Set<Waiting>();

  function nextDue(): Waiting | null {
    let next: Waiting | null = null;
    // A set keeps its order: of timers with equal times the older runs first.
    for (const entry of waiting) if (next === null || entry.at < next.at) next = entry;
    return next;
  }

  const clock: FakeClock = {
    now: () => wallOffset + elapsed,
    monotonic: () => elapsed,
    setTimer(ms, callback, { keepsAlive = true } = {}) {
      const entry = { at: elapsed + Math.max(0, ms), callback, keepsAlive };
      waiting.add(entry);
      return { cancel: () => void waiting.delete(entry) };
    },
    turn: () => Promise.resolve(),
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = () => {
          timer.cancel();
          reject(signal?.reason);
        };
        const timer = clock.setTimer(ms, () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
    async advance(ms) {
      const until = elapsed + ms;
      await settled();
      for (let next = nextDue(); next !== null && next.at <= until; next = nextDue()) {
        waiting.delete(next);
        elapsed = Math.max(elapsed, next.at);
        next.callback();
        await settled();
      }
      elapsed = until;
    },
    setWallClock(epochMs) {
      wallOffset = epochMs - elapsed;
    },
    get pending() {
      return [...waiting].filter(({ keepsAlive }) => keepsAlive).length;
    },
    get nextDueMs() {
      const next = nextDue();
      return next === null ? null : next.at - elapsed;
    },
  };
  return clock;
}

/** After one turn of the event loop every promise that can go on has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
