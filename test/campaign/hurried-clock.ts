import { type Clock, systemClock } from "@fiscald/shared/clock.js";

export interface HurriedClock extends Clock {
  /** Puts the wall clock this much forward, or back. */
  jump(ms: number): void;
}

/** Waits pass `factor` times faster than they say: the production's own pauses, in a fraction of their time. */
export function hurriedClock(factor: number): HurriedClock {
  let offset = 0;
  return {
    now: () => systemClock.now() + offset,
    jump(ms) {
      offset += ms;
    },
    monotonic: () => systemClock.monotonic() * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
    setTimer: (ms, callback) => systemClock.setTimer(ms / factor, callback),
  };
}
