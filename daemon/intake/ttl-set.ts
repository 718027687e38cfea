import type { Clock } from "@fiscald/shared/clock.js";
import { LRUCache } from "lru-cache";

const MOST_VALUES = 1000;

/** Remembers each added value for `forMs` ms by the monotonic clock, the 1000 newest of them at most. */
export class TtlSet<T extends string | number> {
  readonly #values: LRUCache<T, true>;

  constructor(forMs: number, clock: Clock) {
    // The library takes a start time of 0 as "no time".
    const perf = { now: () => clock.monotonic() + 1 };
    this.#values = new LRUCache({ max: MOST_VALUES, ttl: forMs, ttlResolution: 0, perf });
  }

  has(value: T): boolean {
    return this.#values.has(value);
  }

  add(value: T): void {
    this.#values.set(value, true);
  }
}
