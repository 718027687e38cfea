import type { Clock } from "@fiscald/shared/clock.js";
import { type LocalTime, localTimeAt } from "@fiscald/shared/local-time.js";

/** The register's own wall clock: the machine's, in a time zone. */
export function createWallTime(clock: Clock, timeZone: string): (offsetMs: number) => LocalTime {
  return (offsetMs) => localTimeAt(clock.now() + offsetMs, timeZone);
}
