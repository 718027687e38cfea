import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { OpenedStoreDatabase } from "./opened-database.js";
import { createPostgresSignals } from "./postgres-signals.js";

const INT8_OID = 20;

/** Opens a pool on a PostgreSQL database. A missing database fails now rather than at the first order. */
export async function openPostgres(address: string, logger: Logger): Promise<OpenedStoreDatabase> {
  const pool = new pg.Pool({ connectionString: address, types: { getTypeParser }, connectionTimeoutMillis: 10_000 });
  pool.on("error", (error) => logger.warn("lost an idle database connection", { reason: error.message }));
  // Without this listener the loss of a connection would end the site's whole process.
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw toFault(error, "store.failed", { place: "database" });
  }
  const signals = createPostgresSignals({ address, pool, logger });
  const connect = async () => {
    if (pool.ending) throw new Fault("store.closed");
    return pool.connect();
  };
  return {
    kind: "postgres",
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
    signals,
    async notifyAtCommit(tx, channel, payloads) {
      if (payloads.length === 0) return;
      // Some libraries cannot read the type void.
      await sql`select pg_notify(${channel}, payload)::text from unnest(${payloads}::text[]) as payload`.execute(tx);
    },
    version() {
      if (pool.ending) throw new Fault("store.closed");
      return signals.version();
    },
    committed: () => signals.changed(),
    close: () => pool.end(),
  };
}

/** The driver returns int8 as text. The product's counters and times fit a number, as in SQLite. */
function getTypeParser(oid: number, format?: "text" | "binary") {
  return oid === INT8_OID && format !== "binary" ? Number : pg.types.getTypeParser(oid, format);
}
