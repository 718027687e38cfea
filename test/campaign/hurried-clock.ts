import { type Clock, systemClock } from "@fiscald/shared/clock.js";

/** Waits pass `factor` times faster than they say: the production's own pauses, in a fraction of their time. */
export function hurriedClock(factor: number): Clock {
  return {
    now: systemClock.now,
    monotonic: () => systemClock.monotonic() * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
    setTimer: (ms, callback) => systemClock.setTimer(ms / factor, callback),
  };
}
