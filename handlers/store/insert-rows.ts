import { CompiledQuery, type Insertable, type Transaction } from "kysely";
import type { StoreKind } from "./opened-database.js";

export interface InsertRowsOptions<Tables, Table extends keyof Tables & string> {
  readonly tx: Transaction<Tables>;
  readonly kind: StoreKind;
  readonly table: Table;
  /** The rows, all with the same columns; values are text, numbers or null. */
  readonly rows: readonly Insertable<Tables[Table]>[];
  /** A clause `on conflict ...`; default: none. */
  readonly onConflict?: string;
}

/**
 * Inserts many rows by one statement. A query builder first makes a tree of every value, which for arrays of orders
 * costs more than the database does. Table and columns are still checked by the compiler.
 */
export async function insertRows<Tables, Table extends keyof Tables & string>(
  options: InsertRowsOptions<Tables, Table>,
): Promise<void> {
  const { tx, kind, table, rows, onConflict = "" } = options;
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const values: unknown[] = [];
  const lines = rows.map((row) => {
    const places = Object.values(row).map((value) => {
      values.push(value);
      return kind === "postgres" ? `$${values.length}` : "?";
    });
    return `(${places.join(",")})`;
  });
  const text = `insert into ${table} (${columns.join(",")}) values ${lines.join(",")} ${onConflict}`;
  await tx.executeQuery(CompiledQuery.raw(text, values));
}
