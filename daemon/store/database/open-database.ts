import { existsSync, mkdirSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import { storeReasons } from "../../messages/reasons/store-reasons.js";
import { checkSmallTables } from "./check-integrity.js";
import { type DaemonLock, takeDaemonLock } from "./daemon-lock.js";
import { type Migration, migrations } from "./migrations.js";
import { type Database, openSqliteFile } from "./sqlite-file.js";
import { toStoreFault } from "./store-fault.js";
import { keepLog, layOutLog } from "./write-ahead-log.js";

export interface OpenDatabaseOptions {
  /** The file and its folder are created if they do not exist. `<path>.lock` names the process that uses it. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pid: number;
  /** Returns the type of the folder's file system, as `statfs` does. */
  readonly fileSystemType?: (folder: string) => number;
}

export interface OpenedDatabase {
  readonly db: Database;
  close(): void;
}

export interface OwnedDatabase extends OpenedDatabase {
  /** The previous process was killed or the power failed, so the database must be checked (check-integrity.ts). */
  readonly afterCrash: boolean;
  /** The file was missing although a daemon had run here. */
  readonly wasDeleted: boolean;
  /** Wall clock in ms; null after a clean end. */
  readonly lastWriteBeforeCrash: number | null;
  /** No print can be missing: its last owner closed this file, or every register has been read since. */
  readonly remembersAll: boolean;
  /** Call this when every register was read. `remembersAll` is true from then on, even after the next clean end. */
  noteAllAsked(): void;
  /** The daemon has started and the file is intact. Otherwise the next owner also learns of the crash. */
  noteCrashHandled(): void;
  /** False if the lock file was deleted or replaced. Only the open database file then blocks another daemon. */
  hasLock(): boolean;
}

const busyTimeoutMs = 5000;
/** How long the opening waits for another process. No command that only reads keeps the database open so long. */
const exclusiveTimeoutMs = 2000;

/** Throws `store.locked`, `store.network-file-system`, `store.newer`, `store.damaged`, `store.full`, `store.failed`. */
export function openDatabase(options: OpenDatabaseOptions): OwnedDatabase {
  const { path, clock, log, pid } = options;
  const folder = dirname(path);
  createFolder(folder);
  refuseNetworkFolder(folder, options.fileSystemType);
  // The lock file proves that a database existed.
  const wasDeleted = !existsSync(path) && existsSync(`${path}.lock`);
  const writtenAt = lastWriteTo(path);
  const lock = takeDaemonLock(`${path}.lock`, { pid, since: new Date(clock.now()).toISOString() });
  if (lock.isNew && existsSync(path)) refuseWhileOpen(path, lock);
  try {
    let keepsCrash = lock.afterCrash;
    let remembersAll = lock.note !== null && lock.note === fileIdentity(path);
    const db = openForWriting(path, lock, log);
    return {
      db,
      afterCrash: lock.afterCrash,
      wasDeleted,
      lastWriteBeforeCrash: lock.afterCrash ? writtenAt : null,
      get remembersAll() {
        return remembersAll;
      },
      noteAllAsked() {
        remembersAll = true;
      },
      noteCrashHandled() {
        keepsCrash = false;
      },
      hasLock: () => lock.isInPlace(),
      close() {
        closeOnce(db);
        if (keepsCrash) lock.undo();
        else lock.release(remembersAll ? fileIdentity(path) : null);
      },
    };
  } catch (error) {
    lock.undo();
    throw toStoreFault(error, path);
  }
}

/** For commands that only read. A daemon may be running. */
export function openDatabaseForReading(path: string): OpenedDatabase {
  if (!existsSync(path)) {
    const message = commandReasons.noDatabase({ path });
    throw new Fault("store.not-ready", { message, place: path });
  }
  try {
    const db = openSqliteFile(path, { readonly: true, timeout: busyTimeoutMs });
    const version = versionOf(db);
    if (version > newestVersion()) throw tooNew(path, version);
    if (version < newestVersion()) {
      const message = storeReasons.earlier({ path });
      throw new Fault("store.not-ready", { message, place: path });
    }
    return { db, close: () => closeOnce(db) };
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

/** Differs for each copy and after each write, because programs cannot set the change time (ctime) of a file. */
function fileIdentity(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino} ${stat.size} ${stat.ctimeNs}`;
}

function lastWriteTo(path: string): number | null {
  const times = [path, `${path}-wal`].flatMap((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw toStoreFault(error, folder);
  }
}

/** Types of `statfs(2)` with unreliable locks. FUSE is not listed, because ordinary local disks use it too. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB2"],
  [0xff534d42, "CIFS"],
  [0x564c, "NCP"],
  [0x5346414f, "AFS"],
  [0x6b414653, "AFS"],
  [0x73757245, "Coda"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x786f4256, "VirtualBox shared folder"],
]);

/** Throws `store.network-file-system`, because SQLite's locks are unreliable on another machine. */
function refuseNetworkFolder(folder: string, typeOf = (path: string) => statfsSync(path).type): void {
  const isNetworkShare = /^(\\\\|\/\/)[^?.]/.test(folder);
  const name = isNetworkShare ? "network share" : networkFileSystems.get(typeOf(folder) >>> 0);
  if (name === undefined) return;
  throw new Fault("store.network-file-system", { message: storeReasons.networkDisk({ path: folder, kind: name }) });
}

function openForWriting(path: string, lock: DaemonLock, log: Logger): Database {
  const db = openSqliteFile(path, { timeout: busyTimeoutMs });
  try {
    const version = versionOf(db);
    if (version > newestVersion()) throw tooNew(path, version);
    keepLog(db);
    // A reopened WAL database defaults to NORMAL, but a committed `printing` row must survive a power cut.
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    if (lock.afterCrash && version > 0) checkSmallTables(db);
    migrate(db, version, log);
    layOutLog(path, log);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * The missing lock file may have been deleted while a daemon runs. Each connection has a shared lock on the database
 * file, so an exclusive lock succeeds only if no other process has the file open.
 */
function refuseWhileOpen(path: string, lock: DaemonLock): void {
  try {
    const db = openSqliteFile(path, { timeout: exclusiveTimeoutMs });
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
    const message = storeReasons.lockDeleted({ path });
    throw new Fault("store.locked", { message, place: path, cause: error });
  }
}

function migrate(db: Database, from: number, log: Logger): void {
  const missing = migrations.filter(({ version }) => version > from);
  db.function("identity_of", { deterministic: true }, (text) => identityOf(toOrderId(String(text))));
  for (const migration of missing) applyMigration(db, migration);
  const last = missing.at(-1);
  if (last !== undefined) log.info(from === 0 ? "database made" : "database migrated", { version: last.version });
}

function applyMigration(db: Database, { version, sql }: Migration): void {
  db.transaction(() => {
    db.exec(sql);
    db.pragma(`user_version = ${version}`);
  }).immediate();
}

export function versionOf(db: Database): number {
  return Number(db.pragma("user_version", { simple: true }));
}

export function newestVersion(): number {
  return Math.max(0, ...migrations.map(({ version }) => version));
}

function tooNew(path: string, version: number): Fault {
  const message = storeReasons.newer({ path, version, known: newestVersion() });
  return new Fault("store.newer", { message, place: path, details: { version } });
}

function closeOnce(db: Database): void {
  if (db.open) db.close();
}
