import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { systemClock } from "@fiscald/shared/clock.js";
import { toFault } from "@fiscald/shared/fault.js";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from "kysely";
import type { NoTables, OpenedDatabase } from "./open-store.js";
import { createLocalSignals } from "./signals.js";
import { type Database, openSqliteFile, type Statement } from "./sqlite-file.js";

const STATEMENT_CACHE_SIZE = 500;
const LOCK_WAIT_MS = 5000;
const LOCK_RETRY_MS = 5;

/** Opens an SQLite file (made when absent) so that a commit survives a power cut. */
export function openSqlite(path: string): OpenedDatabase {
  const file = openFile(path);
  const database = { prepare: cachedPrepare(file), close: () => file.close() };
  const dialect: Dialect = {
    createDriver: () => new ImmediateSqliteDriver({ database }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
  return { kind: "sqlite", db: new Kysely<NoTables>({ dialect }), signals: createLocalSignals() };
}

function openFile(path: string): Database {
  try {
    if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
    const file = openSqliteFile(path, { timeout: LOCK_WAIT_MS });
    file.pragma("journal_mode = WAL");
    // WAL alone means NORMAL after a reopen: a committed order must survive a power cut.
    file.pragma("synchronous = FULL");
    file.pragma("foreign_keys = ON");
    // From here on `begin` waits for the lock itself.
    file.pragma("busy_timeout = 0");
    return file;
  } catch (error) {
    throw toFault(error, "store.failed", { place: path });
  }
}

/** Preparing costs as much as a small query; the statements of this product are few and repeat. */
function cachedPrepare(file: Database): (sql: string) => SqliteStatement {
  const cache = new Map<string, SqliteStatement>();
  return (sql) => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const statement = adapt(file.prepare(sql));
    if (cache.size >= STATEMENT_CACHE_SIZE) cache.clear();
    cache.set(sql, statement);
    return statement;
  };
}

function adapt(statement: Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(...parameters),
    run: (parameters) => statement.run(...parameters),
    iterate: (parameters) => statement.iterate(...parameters),
  };
}

/**
 * Kysely's driver begins deferred: a read that turns into a write then fails when another connection wrote in between.
 * The write lock is waited for without blocking: its holder may be another store of this very process.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const deadline = systemClock.monotonic() + LOCK_WAIT_MS;
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw("begin immediate"));
        return;
      } catch (error) {
        if (!isBusy(error) || systemClock.monotonic() > deadline) throw error;
      }
      await systemClock.sleep(LOCK_RETRY_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "SQLITE_BUSY";
}
