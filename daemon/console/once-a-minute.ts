/**
 * Refuses an action that costs money less than a minute after the same action on the same order or register: a second
 * click, or a command typed twice. A failed action may be repeated at once.
 */
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";

const pauseMs = 60_000;

export type OnceAMinute = <T>(thing: string, act: () => T | Promise<T>) => Promise<T>;

export function createOnceAMinute(clock: Pick<Clock, "monotonic">): OnceAMinute {
  const begun = new Map<string, number>();
  return async (thing, act) => {
    const now = clock.monotonic();
    for (const [known, at] of begun) if (now - at >= pauseMs) begun.delete(known);
    if (begun.has(thing)) throw new Fault("usage.repeated");
    begun.set(thing, now);
    try {
      return await act();
    } catch (error) {
      begun.delete(thing);
      throw error;
    }
  };
}
