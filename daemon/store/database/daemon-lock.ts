import { rmSync, statSync } from "node:fs";
import { Fault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { storeReasons } from "../../messages/reasons/store-reasons.js";
import { type Database, openSqliteFile } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";

export type DaemonLock = ReturnType<typeof takeDaemonLock>;

export interface LockHolder {
  readonly pid: number;
  readonly since: string;
}

/** `released` is 0 while the lock is taken, then the note for the next owner, or 1 without a note. */
const holderSchema = z.object({ pid: z.int(), since: z.string(), released: z.union([z.int(), z.string()]) });

/**
 * The lock of the one process that may write: an open exclusive transaction on a small SQLite file, which the operating
 * system ends with the process. WAL mode lets other processes read the holder from the file. Throws `store.locked` with
 * the process id and start time of the holder.
 */
export function takeDaemonLock(path: string, holder: LockHolder) {
  const file = open(path);
  try {
    file.exec("CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY CHECK (one = 1), pid, since, released)");
    const before = readHolder(file);
    const write = file.prepare("INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)");
    write.run(holder.pid, holder.since, 0);
    file.exec("BEGIN EXCLUSIVE");
    const inode = inodeOf(path);
    return {
      /** The lock file did not exist. It may have been deleted, so another daemon may still run. */
      isNew: before === null,
      isInPlace: () => inodeOf(path) === inode,
      afterCrash: before !== null && before.released === 0,
      /** The note that the previous owner passed to `release`; null after a crash or without a note. */
      note: typeof before?.released === "string" ? before.released : null,
      release(note: string | null): void {
        if (!file.open) return;
        file.exec("ROLLBACK");
        write.run(holder.pid, holder.since, note ?? 1);
        file.close();
      },
      /** Restores the former state of the lock, so that the next owner finds the same crash or note. */
      undo(): void {
        if (!file.open) return;
        file.exec("ROLLBACK");
        if (before === null) file.exec("DELETE FROM holder");
        else write.run(before.pid, before.since, before.released);
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
    return openInWalMode(path);
  } catch (error) {
    const fault = toStoreFault(error, path);
    // A damaged lock file is replaced, because its content matters only while a process holds the lock.
    if (fault.code !== "store.damaged") throw fault;
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    return openInWalMode(path);
  }
}

function openInWalMode(path: string): Database {
  const file = openSqliteFile(path, { timeout: 0 });
  file.pragma("journal_mode = WAL");
  // A power cut must not bring back the note of an earlier clean end.
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
    // Another process is taking the lock and has not written its row yet.
  }
  const who =
    holder === null ? storeReasons.anotherProcess : storeReasons.process({ pid: holder.pid, since: holder.since });
  const message = storeReasons.held({ holder: who });
  return new Fault("store.locked", { message, place: path, details: { pid: holder?.pid, since: holder?.since } });
}
