import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { NoTables, StoreKind } from "./opened-database.js";

export interface MigrationContext {
  readonly db: QueryExecutorProvider;
  /** The type of text that both databases compare and sort by bytes. */
  readonly text: string;
  /** The type of a key that the database counts up. */
  readonly counted: string;
  /** Runs statements, each with a semicolon behind it. */
  run(statements: string): Promise<void>;
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
        const context = contextOf(tx, kind);
        await context.run(
          "create table if not exists schema_versions (part varchar(64) primary key, version integer not null)",
        );
        const found = await tx
          .selectFrom("schema_versions")
          .select("version")
          .where("part", "=", set.name)
          .executeTakeFirst();
        const version = found?.version ?? 0;
        if (version > set.migrations.length) throw newerDatabase(set, version);
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

function newerDatabase(set: MigrationSet, version: number): Fault {
  return new Fault("store.newer", {
    message: `The database holds version ${version} of ${set.name}; this program knows ${set.migrations.length}.`,
    place: "database",
  });
}

function contextOf(db: QueryExecutorProvider, kind: StoreKind): MigrationContext {
  const types =
    kind === "postgres"
      ? { text: 'text collate "C"', counted: "bigint generated always as identity primary key" }
      : { text: "text", counted: "integer primary key autoincrement" };
  return {
    ...types,
    db,
    async run(statements) {
      for (const one of statements.split(";")) if (one.trim() !== "") await sql.raw(one).execute(db);
    },
  };
}
