/** Makes the transaction of a site's own database library one of Kysely, so that receipts are queued in it. */
import { isObject } from "@fiscald/shared/exchange/lenient-fields.js";
import { Fault, messageOf } from "@fiscald/shared/fault.js";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type Transaction,
} from "kysely";
import type { NoTables } from "./opened-database.js";

/** An open transaction of Kysely, whatever tables it knows. */
export interface KyselyTransaction {
  readonly isTransaction: boolean;
  withoutPlugins(): object;
}

/**
 * An open transaction of another library on the same PostgreSQL, such as `pg`'s client. Placeholders are `$1`, `$2`
 * ...; int8 may come as text, number or BigInt.
 */
export interface TransactionQueries {
  query(sql: string, values: unknown[]): Promise<{ rows: object[]; rowCount?: number | null }>;
}

export type CallersTransaction = KyselyTransaction | TransactionQueries;

export function hasQueries(within: CallersTransaction): within is TransactionQueries {
  return !("withoutPlugins" in within);
}

/** Each part of the product adds its own tables. Fault `config.invalid`. */
export function ofKysely(within: KyselyTransaction): Transaction<NoTables> {
  if (isTransaction(within)) return within;
  throw unfit("must be an open transaction, not the database");
}

function isTransaction(within: KyselyTransaction): within is Transaction<NoTables> {
  return within.isTransaction;
}

/** After a failure of the work the caller's own changes still stand. */
export function inSavepoint<Tables, T>(
  transaction: TransactionQueries,
  plugin: KyselyPlugin,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  const db = new Kysely<Tables>({
    plugins: [plugin],
    dialect: {
      createDriver: () => new SavepointDriver(transaction),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (opened) => new PostgresIntrospector(opened),
    },
  });
  return db.transaction().execute(work);
}

/** Libraries return int8 as text or as BigInt; this plugin makes numbers of them. */
export function readsInt8(columns: readonly string[]): KyselyPlugin {
  const numberOf = (value: unknown) => (typeof value === "string" || typeof value === "bigint" ? Number(value) : value);
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const rows = result.rows.map((row) => {
        const numbers = columns.flatMap((name) => (name in row ? [[name, numberOf(row[name])] as const] : []));
        return { ...row, ...Object.fromEntries(numbers) };
      });
      return { ...result, rows };
    },
  };
}

class SavepointDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(transaction: TransactionQueries) {
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const { rows, rowCount } = answerOf(await transaction.query(sql, [...parameters]));
        // Kysely has derived the type `Row` from this query.
        return { rows: rows as Row[], ...(rowCount == null ? {} : { numAffectedRows: BigInt(rowCount) }) };
      },
      streamQuery() {
        throw new Error("this driver does not stream");
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    await this.#run("savepoint fiscald").catch((cause: unknown) => {
      if (cause instanceof Fault) throw cause;
      throw unfit(`must be an open transaction; its first statement, a savepoint, failed: ${messageOf(cause)}`, cause);
    });
  }

  async commitTransaction(): Promise<void> {
    await this.#run("release savepoint fiscald");
  }

  async rollbackTransaction(): Promise<void> {
    try {
      await this.#run("rollback to savepoint fiscald");
      await this.#run("release savepoint fiscald");
    } catch {
      // The connection is lost. The failure of the work says more.
    }
  }

  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}

  #run(statement: string): Promise<unknown> {
    return this.#connection.executeQuery(CompiledQuery.raw(statement));
  }
}

function answerOf(answer: unknown): Awaited<ReturnType<TransactionQueries["query"]>> {
  if (isAnswer(answer)) return answer;
  throw unfit("needs a `query(sql, values)` that answers { rows, rowCount }");
}

function isAnswer(answer: unknown): answer is Awaited<ReturnType<TransactionQueries["query"]>> {
  return isObject(answer) && Array.isArray(answer.rows);
}

function unfit(words: string, cause?: unknown): Fault {
  return new Fault("config.invalid", { message: `\`within\` ${words}.`, place: "within", cause });
}
