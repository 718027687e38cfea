import { sql } from "kysely";
import type { StoreKind } from "../../store/open-store.js";
import type { Writer } from "../store/delivery-store.js";

/** Keeps our locks apart from other programs' in the same database. */
const LOCK_SPACE = 5481;

/**
 * From here to the end of the transaction no other transaction writes for this shop, on any node: records stay as
 * they were read, on PostgreSQL as on SQLite (which has one writer anyway). The cabinet (0) is locked before any
 * shop.
 */
export async function lockShop(kind: StoreKind, tx: Writer, resource: number): Promise<void> {
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${resource}::int)`.execute(tx);
}
