/**
 * SQLite's write-ahead log (WAL). By default SQLite moves the log into the database file during the commit that makes
 * the log too long, and that commit belongs to a receipt. Therefore the log may grow to `walPages`, it has this size
 * from the start, and it is moved when nothing has been written for a few seconds.
 */
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock, Timer } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

/** Length of the log at which SQLite itself moves it into the database file. */
export const walPages = 8_000;
const PAGE_BYTES = 4_096;
const WAL_BYTES = walPages * PAGE_BYTES;

const checkEveryMs = 5_000;

/** Moves the log into the database file while the daemon is idle. */
export interface IdleCheckpoint {
  start(): void;
  stop(): void;
}

export interface IdleCheckpointOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createIdleCheckpoint({ db, clock, log }: IdleCheckpointOptions): IdleCheckpoint {
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
      // No data is lost: the next check tries again, and at `walPages` SQLite does it in a commit.
      log.debug("the database's log could not be moved yet", { fault: toStoreFault(error) });
    }
  }

  return {
    start() {
      timer = clock.setTimer(checkEveryMs, check);
    },
    stop() {
      timer?.cancel();
      timer = null;
    },
  };
}

/** The log is preallocated only on a disk that has at least this many times its size free. */
const MIN_FREE_FACTOR = 20;

export interface PreallocateWalOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Free bytes on the disk of the folder. */
  readonly freeBytes?: (folder: string) => number;
}

/**
 * Grows the log file to its full size (`walPages`). A commit into existing space takes about 0.9 ms, one that makes the
 * file longer 1.9 ms (SSD, median of 800); a receipt has four. The filler is never committed, so SQLite treats it as free
 * space, also after a crash. It takes about 0.1 s on an SSD, and the same again in the first commit. Never throws.
 */
export function preallocateWal({ db, log, freeBytes = freeBytesOf }: PreallocateWalOptions): void {
  try {
    // A log that was left by a crash may already have its full size.
    const presentBytes = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (presentBytes < WAL_BYTES && freeBytes(dirname(db.name)) >= WAL_BYTES * MIN_FREE_FACTOR) growLog(db);
  } catch (error) {
    log.debug("the database's log could not be preallocated", { fault: toStoreFault(error) });
  }
}

function growLog(db: Database): void {
  const cacheSize = Number(db.pragma("cache_size", { simple: true }));
  // With a small cache SQLite writes pages to the log before the transaction ends.
  db.pragma("cache_size = 10");
  try {
    db.exec("BEGIN IMMEDIATE; CREATE TABLE log_room (bytes BLOB)");
    db.prepare("INSERT INTO log_room VALUES (zeroblob(?))").run(WAL_BYTES);
  } finally {
    db.pragma(`cache_size = ${cacheSize}`);
    if (db.inTransaction) db.exec("ROLLBACK");
  }
}

/** Type of Linux' file system in memory, where a commit waits for no disk: there is nothing to gain. */
const TMPFS = 0x01021994;

function freeBytesOf(folder: string): number {
  const { bavail, bsize, type } = statfsSync(folder);
  return type === TMPFS ? 0 : bavail * bsize;
}
