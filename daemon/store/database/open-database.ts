import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { checkRecoveryTables } from "./check-integrity.js";
import { type DaemonLock, takeDaemonLock } from "./daemon-lock.js";
import { refuseNetworkFolder } from "./file-system.js";
import { markForgetful } from "./meta-store.js";
import { type Migration, migrations } from "./migrations.js";
import { highWaterOf } from "./rollback-detector.js";
import { type Database, openSqliteFile } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";
import { walPages } from "./wal-checkpoint.js";

export interface OpenDatabaseOptions {
  /** Made, with its folder, when absent. `<path>.lock` beside it says who uses it. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pid: number;
  /** Type of the file system of a folder, as `statfs` gives it. */
  readonly fileSystemType?: (folder: string) => number;
}

export interface OpenedDatabase {
  readonly db: Database;
  /** Closes the file and frees the lock. */
  close(): void;
}

export interface OwnedDatabase extends OpenedDatabase {
  /** The process that used it before was killed, or the power failed: it is to be checked whole (check-integrity.ts). */
  readonly afterCrash: boolean;
  /** When that process wrote to it last, wall clock: it had not ended yet. Null without an unclean end. */
  readonly aliveAt: number | null;
  /**
   * Nothing that was printed can be missing in it: it is the very file that its last owner closed, or its registers have
   * been asked since. False for a new file, a restored one, any copy, and after an unclean end.
   */
  readonly remembersAll: boolean;
  /** What it may have forgotten was read from the registers: from now on it remembers all, also over the next start. */
  noteAllAsked(): void;
  /** False when the lock file was deleted or replaced: another daemon is kept out by the database file alone. */
  hasLock(): boolean;
}

const busyTimeoutMs = 5000;
/** Longer than a reading command has the database open. */
const aloneTimeoutMs = 2000;

/**
 * The daemon's database, for writing: by one process at a time. Faults: `store.locked`, `store.network-file-system`,
 * `store.newer`, `store.damaged`, `store.full`, `store.failed`.
 */
export function openDatabase(options: OpenDatabaseOptions): OwnedDatabase {
  const { path, clock, log, pid } = options;
  const folder = dirname(path);
  guardFolder(folder);
  refuseNetworkFolder(folder, options.fileSystemType);
  // Its lock file says that there was a database before.
  const wasDeleted = !existsSync(path) && existsSync(`${path}.lock`);
  const writtenAt = lastWriteTo(path);
  const lock = takeDaemonLock(`${path}.lock`, { pid, since: new Date(clock.now()).toISOString() });
  if (lock.isNew && existsSync(path)) refuseWhileOpen(path, lock);
  try {
    let remembersAll = lock.note !== null && lock.note === fileIdentity(path);
    const db = openForWriting(path, lock, log);
    if (wasDeleted || lastAttempt(db) < highWaterOf(path).read()) {
      log.error("the database has forgotten what was printed: it was deleted, or put back from a copy", { path });
      markForgetful(db, new Date(clock.now()).toISOString());
    }
    return {
      db,
      afterCrash: lock.afterCrash,
      aliveAt: lock.afterCrash ? writtenAt : null,
      get remembersAll() {
        return remembersAll;
      },
      noteAllAsked() {
        remembersAll = true;
      },
      hasLock: () => lock.isInPlace(),
      close() {
        closeOnce(db);
        lock.release(remembersAll ? fileIdentity(path) : null);
      },
    };
  } catch (error) {
    lock.release(null);
    throw toStoreFault(error, path);
  }
}

/** For the reading commands, beside a running daemon or without one. Nothing can be written through it. */
export function openDatabaseForReading(path: string): OpenedDatabase {
  if (!existsSync(path)) {
    const message = `there is no database at ${path}: the daemon has not run yet`;
    throw new Fault("store.not-ready", { message, place: path });
  }
  try {
    const db = openSqliteFile(path, { readonly: true, timeout: busyTimeoutMs });
    const version = versionOf(db);
    if (version > newestVersion()) throw tooNew(path, version);
    if (version < newestVersion()) {
      const message = `the database ${path} is of an earlier version: start the daemon once`;
      throw new Fault("store.not-ready", { message, place: path });
    }
    return { db, close: () => closeOnce(db) };
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

/** Differs for every copy, and after every write: the system sets a file's change time, and no program can. */
function fileIdentity(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino} ${stat.size} ${stat.ctimeNs}`;
}

/** Null without a file. */
function lastWriteTo(path: string): number | null {
  const times = [path, `${path}-wal`].flatMap((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

function guardFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw toStoreFault(error, folder);
  }
}

function openForWriting(path: string, lock: DaemonLock, log: Logger): Database {
  const db = openSqliteFile(path, { timeout: busyTimeoutMs });
  try {
    const version = versionOf(db);
    if (version > newestVersion()) throw tooNew(path, version);
    db.pragma("journal_mode = WAL");
    // A reopened WAL database is at NORMAL: a committed `printing` row must survive a power cut.
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    db.pragma(`wal_autocheckpoint = ${walPages}`);
    if (lock.afterCrash && version > 0) checkRecoveryTables(db);
    migrate(db, version, log);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * The lock file was deleted, perhaps under a running daemon. Each connection holds a shared lock on the database file
 * itself: an exclusive one is only to be had when no other process has it open.
 */
function refuseWhileOpen(path: string, lock: DaemonLock): void {
  try {
    const db = openSqliteFile(path, { timeout: aloneTimeoutMs });
    try {
      db.pragma("locking_mode = EXCLUSIVE");
      db.exec("BEGIN EXCLUSIVE; ROLLBACK");
    } finally {
      db.close();
    }
  } catch (error) {
    const fault = toStoreFault(error, path);
    lock.undo();
    if (fault.code !== "store.busy") throw fault;
    const message = `another process has ${path} open, and its lock file was deleted: end that process first`;
    throw new Fault("store.locked", { message, place: path, cause: error });
  }
}

function lastAttempt(db: Database): number {
  return Number(db.prepare("SELECT coalesce(max(id), 0) FROM attempts").pluck().get());
}

function migrate(db: Database, from: number, log: Logger): void {
  for (const migration of migrations.filter(({ version }) => version > from)) {
    applyMigration(db, migration);
    log.info("database migrated", { version: migration.version });
  }
}

function applyMigration(db: Database, { version, sql }: Migration): void {
  db.transaction(() => {
    db.exec(sql);
    db.pragma(`user_version = ${version}`);
  }).immediate();
}

function versionOf(db: Database): number {
  return Number(db.pragma("user_version", { simple: true }));
}

function newestVersion(): number {
  return Math.max(0, ...migrations.map(({ version }) => version));
}

function tooNew(path: string, version: number): Fault {
  const message = `the database ${path} has version ${version}, this program knows versions up to ${newestVersion()}`;
  return new Fault("store.newer", { message, place: path, details: { version } });
}

/** Closing twice is no mistake. */
function closeOnce(db: Database): void {
  if (db.open) db.close();
}
