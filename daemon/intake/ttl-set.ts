import type { Clock } from "@fiscald/shared/clock.js";

/** Remembers values for a time, by the monotonic clock, and never more than a bounded number of them. */
export interface Recently<T> {
  has(value: T): boolean;
  add(value: T): void;
}

const MOST = 1000;

export function createRecently<T>(forMs: number, clock: Clock): Recently<T> {
  const seen = new Map<T, number>();
  return {
    has(value) {
      const at = seen.get(value);
      return at !== undefined && clock.monotonic() - at < forMs;
    },
    add(value) {
      seen.delete(value);
      seen.set(value, clock.monotonic());
      const oldest = seen.keys().next();
      if (seen.size > MOST && oldest.done !== true) seen.delete(oldest.value);
    },
  };
}
