import { CompiledQuery, type Insertable, PostgresAdapter, type Transaction } from "kysely";

export interface InsertRowsOptions<Tables, Table extends keyof Tables & string> {
  readonly tx: Transaction<Tables>;
  readonly table: Table;
  /** All rows have the same columns. Values are text, numbers or null. */
  readonly rows: readonly Insertable<Tables[Table]>[];
  /** The columns that change in a row whose key is stored already. Absent = such a row stays as it is. */
  readonly known?: { readonly key: readonly string[]; readonly replace: readonly (keyof Tables[Table] & string)[] };
}

/** Inserts rows by one statement of text: the query builder's tree of all values would cost more than the database. */
export async function insertRows<Tables, Table extends keyof Tables & string>(
  options: InsertRowsOptions<Tables, Table>,
): Promise<void> {
  const { tx, table, rows, known } = options;
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const isPostgres = tx.getExecutor().adapter instanceof PostgresAdapter;
  const values: unknown[] = [];
  const lines = rows.map((row) => {
    const places = Object.values(row).map((value) => {
      values.push(value);
      return isPostgres ? `$${values.length}` : "?";
    });
    return `(${places.join(",")})`;
  });
  const changes = known?.replace.map((column) => `${column} = excluded.${column}`) ?? [];
  const change = changes.length === 0 ? "nothing" : `update set ${changes.join(",")}`;
  const onConflict = known === undefined ? "" : ` on conflict (${known.key.join(",")}) do ${change}`;
  const text = `insert into ${table} (${columns.join(",")}) values ${lines.join(",")}${onConflict}`;
  await tx.executeQuery(CompiledQuery.raw(text, values));
}
