/** Kysely's driver for one SQLite connection, which the whole process shares. */
import { createRequire } from "node:module";
import { systemClock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import { codeOfError } from "@fiscald/shared/files/folder-rights.js";
import { loadSqliteLibrary } from "@fiscald/shared/optional-package.js";
import type Sqlite from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";

const require = createRequire(import.meta.url);

/** Fault `store.library-missing`. SQLite's own errors are thrown as they are. */
export function openStoreFile(path: string, options: Sqlite.Options = {}): Sqlite.Database {
  const Library = loadSqliteLibrary(require);
  return new Library(path, options);
}

const STATEMENT_CACHE_SIZE = 500;
const LOCK_WAIT_MS = 5000;
const LOCK_RETRY_MS = 5;

/**
 * A transaction has the connection to itself. A single statement waits only for transactions, because it runs within
 * one synchronous call. Kysely's own driver lets even reads queue up one by one, and begins deferred: a read that turns
 * into a write then fails when another connection wrote in between.
 */
export class SerialSqliteDriver implements Driver {
  readonly #prepare: (sql: string) => Sqlite.Statement;
  readonly #mutex = new Mutex();
  /** Connections are used again, because Kysely remembers each connection that it ever saw. */
  readonly #unused: TurnConnection[] = [];

  constructor(private readonly file: Sqlite.Database) {
    this.#prepare = cachedPrepare(file);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    throwIfClosed(this.file);
    return this.#unused.pop() ?? new TurnConnection(this.#prepare, this.#mutex);
  }

  /** Takes the write lock at once. Waiting blocks nothing, because another store of this process may have the lock. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const deadline = systemClock.monotonic() + LOCK_WAIT_MS;
    for (;;) {
      try {
        await turnOf(connection).begin();
        return;
      } catch (error) {
        if (codeOfError(error) !== "SQLITE_BUSY" || systemClock.monotonic() > deadline) throw error;
      }
      await systemClock.sleep(LOCK_RETRY_MS);
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    turnOf(connection).end("commit");
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    turnOf(connection).end("rollback");
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#unused.push(turnOf(connection));
  }

  async destroy(): Promise<void> {
    this.file.close();
  }
}

export function throwIfClosed(file: Sqlite.Database): void {
  if (!file.open) throw new Fault("store.closed");
}

function turnOf(connection: DatabaseConnection): TurnConnection {
  if (connection instanceof TurnConnection) return connection;
  throw new TypeError("not a connection of this driver");
}

class TurnConnection implements DatabaseConnection {
  #isInTransaction = false;

  constructor(
    private readonly prepare: (sql: string) => Sqlite.Statement,
    private readonly mutex: Mutex,
  ) {}

  async begin(): Promise<void> {
    await this.mutex.take();
    try {
      this.prepare("begin immediate").run();
      this.#isInTransaction = true;
    } finally {
      if (!this.#isInTransaction) this.mutex.give();
    }
  }

  /** A commit that fails leaves the transaction open, and Kysely then rolls it back. */
  end(how: "commit" | "rollback"): void {
    if (!this.#isInTransaction) return;
    try {
      this.prepare(how).run();
    } catch (error) {
      if (how === "commit") throw error;
    }
    this.#isInTransaction = false;
    this.mutex.give();
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isInTransaction || !this.mutex.isTaken) return this.#run(query);
    await this.mutex.take();
    try {
      return this.#run(query);
    } finally {
      this.mutex.give();
    }
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.prepare(sql);
    // Kysely has derived the type `Row` from this query.
    if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("this driver does not stream");
  }
}

/** Preparing costs as much as a small query, and the statements are few and repeat. */
function cachedPrepare(file: Sqlite.Database): (sql: string) => Sqlite.Statement {
  const cache = new Map<string, Sqlite.Statement>();
  return (sql) => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const statement = file.prepare(sql);
    if (cache.size >= STATEMENT_CACHE_SIZE) cache.clear();
    cache.set(sql, statement);
    return statement;
  };
}

/** Lets one user at a time have the connection, in the order of asking. */
class Mutex {
  readonly #waiting: (() => void)[] = [];
  isTaken = false;

  async take(): Promise<void> {
    if (this.isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.isTaken = true;
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.isTaken = false;
    else next();
  }
}
