import { type Clock, systemClock } from "@fiscald/shared/clock.js";

/** The usual pace: a minute of the daemon's waits passes in three seconds. */
export const HURRY = 20;
/**
 * The pace of the exhaustive parts. With many registers in one process an answer is noticed later; another register
 * works meanwhile. A case that is repeated alone has the same pace.
 */
export const HURRY_TOGETHER = 8;

export interface HurriedClock extends Clock {
  /** Sets the wall clock forward, or back. */
  jump(ms: number): void;
  /** Waits that begin from now on pass so many times faster. */
  hurry(factor: number): void;
}

/** Waits pass `factor` times faster: the production's own pauses in a fraction of their time. */
export function hurriedClock(factor: number): HurriedClock {
  let offset = 0;
  let pace = factor;
  /** Real moment of the last change of pace, and the clock's time at that moment. */
  let changedAt = systemClock.monotonic();
  let saidThen = changedAt * factor;
  const monotonic = () => saidThen + (systemClock.monotonic() - changedAt) * pace;
  return {
    now: () => systemClock.now() + offset,
    jump(ms) {
      offset += ms;
    },
    hurry(newPace) {
      saidThen = monotonic();
      changedAt = systemClock.monotonic();
      pace = newPace;
    },
    monotonic,
    sleep: (ms, signal) => systemClock.sleep(ms / pace, signal),
    turn: () => systemClock.turn(),
    setTimer: (ms, callback) => systemClock.setTimer(ms / pace, callback),
  };
}
