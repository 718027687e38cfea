import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemClock } from "@fiscald/shared/clock.js";
import { toFault } from "@fiscald/shared/fault.js";
import type { Database } from "better-sqlite3";
import { type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { createListeners, endListeners, type NoTables, type OpenedStoreDatabase, tellAll } from "./opened-database.js";
import { openStoreFile, SerialSqliteDriver, throwIfClosed } from "./sqlite-driver.js";

const OPEN_WAIT_MS = 5000;
const OTHERS_SEEN_EVERY_MS = 1000;

/** Opens an SQLite file (made when absent). A commit survives a power cut. */
export function openSqlite(path: string): OpenedStoreDatabase {
  const file = openFile(path);
  const driver = new SerialSqliteDriver(file);
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
  const db = new Kysely<NoTables>({ dialect });
  const listeners = createListeners();
  const changes = watchChanges(file, () => tellAll(listeners));
  return {
    kind: "sqlite",
    dialect,
    signals: {
      subscribe(channel, listener) {
        listeners.on(channel, listener);
        return () => void listeners.off(channel, listener);
      },
      async close() {
        endListeners(listeners);
      },
    },
    async notifyAtCommit(_tx, channel, payloads) {
      const notify = () => {
        for (const payload of payloads) listeners.emit(channel, payload);
      };
      // The one connection runs this read after the transaction, however the transaction ends.
      sql`select 1`.execute(db).then(notify, notify);
    },
    version: changes.version,
    committed: () => {},
    close: () => {
      changes.stop();
      return driver.destroy();
    },
  };
}

/** Calls back after commits of other processes, which send no signals. */
function watchChanges(file: Database, onOthers: () => void) {
  const others = file.prepare("pragma data_version").pluck();
  const own = file.prepare("select total_changes()").pluck();
  let seen: unknown = others.get();
  let seenAt = Number.NEGATIVE_INFINITY;
  /** Reading the count of other connections' commits locks the file, so that count may be `othersUnseenMs` old. */
  function look(othersUnseenMs: number): void {
    const now = systemClock.monotonic();
    if (now - seenAt < othersUnseenMs) return;
    const before = seen;
    seen = others.get();
    seenAt = now;
    if (seen !== before) onOthers();
  }
  const timer = setInterval(() => {
    try {
      look(0);
    } catch {
      onOthers();
    }
  }, OTHERS_SEEN_EVERY_MS).unref();
  return {
    /** Returns a text that differs after each change of the database. It reads no table. */
    version(othersUnseenMs = 0): string {
      throwIfClosed(file);
      look(othersUnseenMs);
      return `${seen} ${own.get()}`;
    },
    stop: () => clearInterval(timer),
  };
}

function openFile(path: string): Database {
  try {
    if (path !== ":memory:") {
      mkdirSync(dirname(path), { recursive: true });
      keepPrivate(path);
    }
    const file = openStoreFile(path, { timeout: OPEN_WAIT_MS });
    file.pragma("journal_mode = WAL");
    // With WAL alone a reopened file has `synchronous = NORMAL`, while a committed order must survive a power cut.
    file.pragma("synchronous = FULL");
    file.pragma("foreign_keys = ON");
    // SQLite itself no longer waits for the lock: the driver's `beginTransaction` does.
    file.pragma("busy_timeout = 0");
    return file;
  } catch (error) {
    throw toFault(error, "store.failed", { place: path });
  }
}

/** The file has secrets and buyers' contacts, so only its owner may read it. SQLite's log gets the same rights. */
function keepPrivate(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const stat = statSync(file, { throwIfNoEntry: false });
    const isOwn = stat !== undefined && stat.uid === process.geteuid?.();
    if (isOwn && (stat.mode & 0o077) !== 0) chmodSync(file, 0o600);
  }
}
