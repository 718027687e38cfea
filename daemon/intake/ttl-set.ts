import type { Clock } from "@fiscald/shared/clock.js";
import { LRUCache } from "lru-cache";

const MOST_VALUES = 4000;

/** Remembers each value for its time by the monotonic clock. */
export class TtlSet {
  readonly #values: LRUCache<string, true>;

  constructor(clock: Clock) {
    // The library takes a start time of 0 to mean "no time".
    const perf = { now: () => clock.monotonic() + 1 };
    this.#values = new LRUCache({ max: MOST_VALUES, ttlResolution: 0, perf });
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }

  add(value: string, forMs: number): void {
    this.#values.set(value, true, { ttl: forMs });
  }
}
