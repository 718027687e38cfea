import type { Clock } from "@fiscald/shared/clock.js";
import { addSeconds, type LocalTime, localTimeAt } from "@fiscald/shared/local-time.js";

const QUARTER_HOUR = 900_000;

/** The register's own wall clock: the machine's, in a time zone. Zones change their offset on quarter hours only. */
export function createWallTime(clock: Clock, timeZone: string): (offsetMs: number) => LocalTime {
  let blockStart = 0;
  let blockTime = localTimeAt(0, timeZone);
  return (offsetMs) => {
    const now = clock.now() + offsetMs;
    if (now < blockStart || now >= blockStart + QUARTER_HOUR) {
      blockStart = Math.floor(now / QUARTER_HOUR) * QUARTER_HOUR;
      blockTime = localTimeAt(blockStart, timeZone);
    }
    return addSeconds(blockTime, Math.floor((now - blockStart) / 1000));
  };
}
