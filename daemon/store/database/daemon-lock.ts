import { rmSync, statSync } from "node:fs";
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { type Database, openSqliteFile } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

/** Held by the one process that may write the database, for its whole life; the system frees it when it dies. */
export interface DaemonLock {
  /** Whether the process that held it before ended without `release`. */
  readonly afterCrash: boolean;
  /** What that process left with `release`; null after a crash, or when it left nothing. */
  readonly note: string | null;
  /** The lock file was not there: a running daemon's may have been deleted, so the lock alone proves nothing. */
  readonly isNew: boolean;
  /** Whether the lock file is still the one that this process holds. */
  isInPlace(): boolean;
  /** Frees it and leaves a note for the next one. */
  release(note: string | null): void;
  /** Frees it as if it had never been taken. */
  undo(): void;
}

export interface LockHolder {
  readonly pid: number;
  /** ISO 8601 instant. */
  readonly since: string;
}

/** `released`: 0 while it is held, then the note or 1. */
const holderSchema = z.object({ pid: z.int(), since: z.string(), released: z.union([z.int(), z.string()]) });

/**
 * A transaction on a small SQLite file that never ends. Its log mode lets others read meanwhile who holds it.
 * `store.locked` names the holder's process and its start time.
 */
export function takeDaemonLock(path: string, holder: LockHolder): DaemonLock {
  const file = open(path);
  try {
    file.exec("CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY CHECK (one = 1), pid, since, released)");
    const before = readHolder(file);
    const write = file.prepare("INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)");
    write.run(holder.pid, holder.since, 0);
    file.exec("BEGIN EXCLUSIVE");
    const inode = inodeOf(path);
    return {
      isNew: before === null,
      isInPlace: () => inodeOf(path) === inode,
      afterCrash: before !== null && before.released === 0,
      note: typeof before?.released === "string" ? before.released : null,
      release(note) {
        if (!file.open) return;
        file.exec("ROLLBACK");
        write.run(holder.pid, holder.since, note ?? 1);
        file.close();
      },
      undo() {
        if (!file.open) return;
        file.exec("ROLLBACK; DELETE FROM holder");
        file.close();
      },
    };
  } catch (error) {
    const fault = toStoreFault(error, path);
    const other = fault.code === "store.busy" ? lockedBy(path, file) : fault;
    file.close();
    throw other;
  }
}

function open(path: string): Database {
  try {
    return openInLogMode(path);
  } catch (error) {
    const fault = toStoreFault(error, path);
    // Nothing in this file is worth anything once nobody holds it.
    if (fault.code !== "store.damaged") throw fault;
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return openInLogMode(path);
  }
}

function openInLogMode(path: string): Database {
  const file = openSqliteFile(path, { timeout: 0 });
  file.pragma("journal_mode = WAL");
  // After a power cut the note of the clean end before must not be back.
  file.pragma("synchronous = FULL");
  return file;
}

function inodeOf(path: string): bigint | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

function readHolder(file: Database): z.output<typeof holderSchema> | null {
  const row = file.prepare("SELECT pid, since, released FROM holder").get();
  return row === undefined ? null : holderSchema.parse(row);
}

function lockedBy(path: string, file: Database): Fault {
  let holder: LockHolder | null = null;
  try {
    holder = readHolder(file);
  } catch {
    // Somebody is just taking it: who, is not written yet.
  }
  const who = holder === null ? "another process" : `process ${holder.pid}, running since ${holder.since}`;
  const message = `the database is held by ${who}`;
  return new Fault("store.locked", { message, place: path, details: { pid: holder?.pid, since: holder?.since } });
}
