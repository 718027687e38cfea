import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

/** Moves what was committed from SQLite's log into the database file while nothing is written. */
export interface IdleCheckpoint {
  start(): void;
  stop(): void;
}

export interface IdleCheckpointOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

const lookEveryMs = 5_000;

/**
 * SQLite does it by itself in the middle of the commit that makes its log too long, and that commit is some receipt's. So
 * the log may grow long (`walPages`), and is emptied once nothing was written for a few seconds.
 */
export const walPages = 8_000;

export function createIdleCheckpoint({ db, clock, log }: IdleCheckpointOptions): IdleCheckpoint {
  const changes = db.prepare("SELECT total_changes()").pluck();
  let timer: Timer | null = null;
  let seen = 0;
  let moved = 0;

  function look(): void {
    timer = clock.setTimer(lookEveryMs, look);
    try {
      const now = z.int().parse(changes.get());
      const isIdle = now === seen;
      seen = now;
      if (!isIdle || now === moved) return;
      db.pragma("wal_checkpoint(PASSIVE)");
      moved = now;
    } catch (error) {
      // Nothing is lost with it: the next look tries again, and in the end the commit that needs the room.
      log.debug("the database's log could not be moved yet", { fault: toStoreFault(error) });
    }
  }

  return {
    start() {
      timer = clock.setTimer(lookEveryMs, look);
    },
    stop() {
      timer?.cancel();
      timer = null;
    },
  };
}
