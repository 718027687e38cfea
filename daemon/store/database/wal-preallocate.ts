import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Database } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";
import { walPages } from "./wal-checkpoint.js";

const PAGE_BYTES = 4_096;
const ROOM_BYTES = walPages * PAGE_BYTES;
/** Of the disk's free room the log's is one part of so many at most; a fuller disk keeps its room for what is needed. */
const PARTS_FREE = 20;

export interface ReserveLogOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Bytes that are free where the database lies. */
  readonly freeBytes?: (folder: string) => number;
}

/**
 * Makes SQLite's log as long as it may become (`walPages`). A commit that writes in place is synced about twice as fast as one
 * that makes the file grow, and far more evenly: without it the p99 of `npm run bench -- receipt` is twice as long. What is written is never committed: to SQLite it is free room, after a crash
 * as well. Takes about a tenth of a second on an SSD, and the first commit after it as long again; trouble with it is no trouble
 * of the database.
 */
export function reserveLog({ db, log, freeBytes = freeBytesOf }: ReserveLogOptions): void {
  try {
    const known = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    // One that outlived a crash is as long already.
    if (known < ROOM_BYTES && freeBytes(dirname(db.name)) >= ROOM_BYTES * PARTS_FREE) growLog(db);
  } catch (error) {
    log.debug("the database's log has no room of its own", { fault: toStoreFault(error) });
  }
}

function growLog(db: Database): void {
  const cacheSize = Number(db.pragma("cache_size", { simple: true }));
  // More than the cache holds goes into the log before its transaction ends.
  db.pragma("cache_size = 10");
  try {
    db.exec("BEGIN IMMEDIATE; CREATE TABLE log_room (bytes BLOB)");
    db.prepare("INSERT INTO log_room VALUES (zeroblob(?))").run(ROOM_BYTES);
  } finally {
    db.pragma(`cache_size = ${cacheSize}`);
    if (db.inTransaction) db.exec("ROLLBACK");
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
