/**
 * By default SQLite moves its write-ahead log (WAL) into the database during the commit that makes it too long, and
 * that commit belongs to a receipt. Therefore the log may grow to `MOST_BYTES`, has this length from the start, and is
 * moved when nothing has been written for a few seconds.
 */
import { closeSync, fstatSync, openSync, statfsSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

/** Length of the log at which SQLite itself moves it into the database file. */
const MOST_BYTES = 16 * 1024 * 1024;
/**
 * A receipt changes a few bytes on forty pages, and a commit writes whole pages: with pages of 4096 bytes it is more
 * than twice as much as with pages of 1024. The pages of an existing database stay as they are.
 */
const PAGE_BYTES = 1024;

/** Call this before anything is written to the file. */
export function keepLog(db: Database): void {
  db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma("journal_mode = WAL");
  const pageBytes = z.int().parse(db.pragma("page_size", { simple: true }));
  db.pragma(`wal_autocheckpoint = ${Math.floor(MOST_BYTES / pageBytes)}`);
}

/** The log is made long in advance only on a disk with this many times its length free. */
const LEAST_ROOM = 20;

/**
 * A commit that lengthens the log takes 1.2 ms more, and a receipt has four commits. SQLite ignores what follows the
 * last commit in the file, also after a crash. Never throws: a short log grows by itself.
 */
export function layOutLog(path: string, log: Logger): void {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    if (bavail * bsize < LEAST_ROOM * MOST_BYTES) return;
    const file = openSync(`${path}-wal`, "r+");
    try {
      const { size } = fstatSync(file);
      if (size < MOST_BYTES) writeSync(file, Buffer.alloc(MOST_BYTES - size), 0, MOST_BYTES - size, size);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    log.debug("the database's log could not be laid out", { fault: toStoreFault(error) });
  }
}

/** A power cut may take back this commit, but no other one: the next commit, or the idle checkpoint, flushes both. */
export function withoutFlush(db: Database, commit: () => void): void {
  // Within a transaction the outer commit decides.
  const isOuter = !db.inTransaction;
  if (isOuter) db.pragma("synchronous = NORMAL");
  try {
    commit();
  } finally {
    if (isOuter) db.pragma("synchronous = FULL");
  }
}

const checkEveryMs = 5_000;

export interface IdleCheckpointOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createIdleCheckpoint({ db, clock, log }: IdleCheckpointOptions) {
  const totalChanges = db.prepare("SELECT total_changes()").pluck();
  let timer: Timer | null = null;
  let atLastCheck = 0;
  let atLastCheckpoint = 0;

  function check(): void {
    timer = clock.setTimer(checkEveryMs, check);
    try {
      const changes = z.int().parse(totalChanges.get());
      const isIdle = changes === atLastCheck;
      atLastCheck = changes;
      if (!isIdle || changes === atLastCheckpoint) return;
      db.pragma("wal_checkpoint(PASSIVE)");
      atLastCheckpoint = changes;
    } catch (error) {
      // No data is lost, because the next check tries again, and at `MOST_BYTES` SQLite moves the log in a commit.
      log.debug("the database's log could not be moved yet", { fault: toStoreFault(error) });
    }
  }

  return {
    start(): void {
      timer = clock.setTimer(checkEveryMs, check);
    },
    stop(): void {
      timer?.cancel();
      timer = null;
    },
  };
}
