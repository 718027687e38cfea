/** Finds statements that read a whole table because no index fits, however few rows a test has. */
import { CompiledQuery, sql } from "kysely";
import type { Store } from "#handlers/store/open-store.js";
import { onStatements } from "./count-statements.js";

/** These tables have one row, or one row for each shop or token. */
const small = ["delivery_resources", "delivery_tokens", "print_namespace"];

/**
 * The tables that `work` reads from end to end, each with the statement. SQLite finds more of them: PostgreSQL may walk
 * a whole index instead in which the wanted column is not the first.
 */
export async function fullScans<Tables>(
  store: Store<Tables>,
  work: () => Promise<unknown>,
): Promise<readonly string[]> {
  const statements = new Map<string, CompiledQuery>();
  const listener = (query: CompiledQuery) =>
    /^(select|with|insert|update|delete) /.test(query.sql) && statements.set(query.sql, query);
  await onStatements(store.db.getExecutor(), listener, work);
  const found: string[] = [];
  await store.transaction(async (tx) => {
    if (store.kind === "postgres") await sql`set local enable_seqscan = off`.execute(tx);
    for (const [text, { parameters }] of statements) {
      const explain = store.kind === "postgres" ? "explain" : "explain query plan";
      const { rows } = await tx.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...parameters]));
      const plan = rows.map((row) => Object.values(Object(row)).join(" ")).join("\n");
      for (const [, table = ""] of plan.matchAll(/\b(?:Seq Scan on|SCAN) (\w+)(?=$|\s+\()/gm))
        if (!small.includes(table)) found.push(`${table}: ${text}`);
    }
  });
  return found;
}
