import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { isFast } from "./tier.js";

export interface TestDatabase {
  readonly address: string;
  drop(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: "SQLite" | "PostgreSQL";
  /** Why the tests of this kind cannot run here; null = they can. */
  readonly skipped: string | null;
  create(): Promise<TestDatabase>;
}

/** An empty variable names no server. */
const postgresAddress = process.env.FISCALD_TEST_POSTGRES || undefined;

export const sqlite: DatabaseKind = { name: "SQLite", skipped: null, create: createSqliteFile };
export const postgres: DatabaseKind = {
  name: "PostgreSQL",
  skipped: postgresAddress === undefined ? "FISCALD_TEST_POSTGRES is not set" : null,
  create: createPostgresSchema,
};

/** The databases of the site's side, for `describe.each`: `npm test` uses SQLite, `test:all` adds PostgreSQL. */
export const databaseKinds: readonly DatabaseKind[] = isFast ? [sqlite] : [postgres];

export async function createSqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "fiscald-site-"));
  return { address: join(folder, "site.sqlite"), drop: () => rm(folder, { recursive: true, force: true }) };
}

/** Each test has a schema of its own in the one test database. */
async function createPostgresSchema(): Promise<TestDatabase> {
  const base = postgresAddress ?? "";
  const schema = `test_${randomUUID().replaceAll("-", "")}`;
  await runOnce(base, `create schema ${schema}`);
  const address = new URL(base);
  address.searchParams.set("options", `-c search_path=${schema}`);
  return { address: address.href, drop: () => runOnce(base, `drop schema ${schema} cascade`) };
}

async function runOnce(address: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
