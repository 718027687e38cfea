import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { type ColumnDefinitionBuilder, type Kysely, sql } from "kysely";
import type { NoTables, StoreKind } from "./opened-database.js";

export interface MigrationContext {
  readonly db: Pick<Kysely<NoTables>, "schema" | "getExecutor">;
  readonly kind: StoreKind;
  /** Both databases compare and sort this type by bytes. */
  readonly text: ReturnType<typeof sql>;
  readonly bigint: "integer" | "bigint";
  countedKey(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
}

/** A step's number is its place in the list, from 1. A released step is never changed. */
export type Migration = (context: MigrationContext) => Promise<void>;

/** The tables of one part of the product, which has a version of its own. */
export interface MigrationSet {
  readonly name: string;
  readonly migrations: readonly Migration[];
}

type VersionTable = {
  schema_versions: { part: string; version: number };
};

/** Nodes that start together migrate one after the other. No other program uses this number as a lock. */
const MIGRATION_LOCK = 5480_1125;

/** Runs the missing migrations in one transaction. Fault `store.newer` when the database is newer than this program. */
export async function migrate(db: Kysely<NoTables>, kind: StoreKind, set: MigrationSet): Promise<void> {
  try {
    await db
      .withTables<VersionTable>()
      .transaction()
      .execute(async (tx) => {
        if (kind === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
        await createVersionTable(tx);
        const found = await tx
          .selectFrom("schema_versions")
          .select("version")
          .where("part", "=", set.name)
          .executeTakeFirst();
        const version = found?.version ?? 0;
        if (version > set.migrations.length) throw newerDatabase(set, version);
        const context = contextOf(tx, kind);
        for (const migration of set.migrations.slice(version)) await migration(context);
        await tx
          .insertInto("schema_versions")
          .values({ part: set.name, version: set.migrations.length })
          .onConflict((conflict) => conflict.column("part").doUpdateSet({ version: set.migrations.length }))
          .execute();
      });
  } catch (error) {
    throw isFault(error) ? error : toFault(error, "store.failed", { place: `migration of ${set.name}` });
  }
}

function createVersionTable(db: MigrationContext["db"]): Promise<void> {
  return db.schema
    .createTable("schema_versions")
    .ifNotExists()
    .addColumn("part", "varchar(64)", (column) => column.primaryKey())
    .addColumn("version", "integer", (column) => column.notNull())
    .execute();
}

function newerDatabase(set: MigrationSet, version: number): Fault {
  return new Fault("store.newer", {
    message: `The database holds version ${version} of ${set.name}; this program knows ${set.migrations.length}.`,
    place: "database",
  });
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
