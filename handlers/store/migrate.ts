import { Fault, toFault } from "@fiscald/shared/fault.js";
import { type ColumnDefinitionBuilder, type Kysely, Migrator, sql } from "kysely";
import type { NoTables, StoreKind } from "./open-store.js";

/** A migration's tools: the transaction, and the column types that differ between the two databases. */
export interface MigrationContext {
  readonly db: Pick<Kysely<NoTables>, "schema" | "getExecutor">;
  readonly kind: StoreKind;
  /** Text compared and sorted by bytes on both databases. */
  readonly text: ReturnType<typeof sql>;
  /** Type of a counted primary key; apply `countedKey` to its column. */
  readonly bigint: "integer" | "bigint";
  countedKey(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
}

/** Number = place in the list, from 1. A released one is never changed. */
export type Migration = (context: MigrationContext) => Promise<void>;

/** The tables of one part of the product, with a version of their own. */
export interface MigrationSet {
  readonly name: string;
  readonly migrations: readonly Migration[];
}

export interface MigrateOptions {
  readonly db: Kysely<NoTables>;
  readonly kind: StoreKind;
  readonly set: MigrationSet;
}

/** Runs missing migrations in one transaction. Fault "store.newer" when the database is newer than this program. */
export async function migrate({ db, kind, set }: MigrateOptions): Promise<void> {
  const known = new Map(set.migrations.map((migration, index) => [nameOf(index), migration]));
  const schema = kind === "postgres" ? await currentSchema(db) : null;
  const migrator = new Migrator({
    db,
    // Else a table of the same name in another schema of this database would be taken for ours.
    ...(schema === null ? {} : { migrationTableSchema: schema }),
    provider: {
      getMigrations: async () =>
        Object.fromEntries([...known].map(([name, up]) => [name, { up: (tx) => up(contextOf(tx, kind)) }])),
    },
    migrationTableName: tableOf(set),
    migrationLockTableName: `${tableOf(set)}_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const unknown = (await appliedTo(db, set, schema)).filter((name) => !known.has(name));
  if (unknown.length === 0) throw toFault(error, "store.failed", { place: `migration of ${set.name}` });
  throw new Fault("store.newer", {
    message: `The database has tables of a later version of ${set.name} than this program knows.`,
    place: "database",
    cause: error,
  });
}

/** The migrator takes them in the order of their names. */
function nameOf(index: number): string {
  return String(index + 1).padStart(4, "0");
}

function tableOf({ name }: MigrationSet): string {
  return `${name.replaceAll("-", "_")}_migrations`;
}

async function currentSchema(db: Kysely<NoTables>): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db);
  return rows[0]?.name ?? null;
}

async function appliedTo(db: Kysely<NoTables>, set: MigrationSet, schema: string | null): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const isThere = tables.some((table) => table.name === tableOf(set) && (schema === null || table.schema === schema));
  if (!isThere) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(tableOf(set))}`.execute(db);
  return rows.map(({ name }) => name);
}

function contextOf(db: MigrationContext["db"], kind: StoreKind): MigrationContext {
  return {
    db,
    kind,
    text: kind === "postgres" ? sql`text collate "C"` : sql`text`,
    bigint: kind === "postgres" ? "bigint" : "integer",
    countedKey: (column) =>
      kind === "postgres" ? column.primaryKey().generatedAlwaysAsIdentity() : column.primaryKey().autoIncrement(),
  };
}
