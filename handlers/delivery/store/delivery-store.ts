import { type Kysely, sql, type Transaction } from "kysely";
import type { Store } from "../../store/open-store.js";
import type { StoreKind } from "../../store/opened-database.js";
import type { DeliveryTables } from "./delivery-tables.js";

export type DeliveryStore = Store<DeliveryTables>;
/** A database for reading: the store's own connection or a transaction. */
export type Reader = Kysely<DeliveryTables>;
/** A database for writing, which is always a transaction. */
export type Writer = Transaction<DeliveryTables>;

/** The first key of our PostgreSQL locks, which keeps them apart from locks of other programs in the same database. */
const LOCK_SPACE = 5481;

/**
 * Locks a shop: until the end of the transaction no other transaction writes for it, on any node. Records stay as they
 * were read, on PostgreSQL as on SQLite (which has one writer anyway). The cabinet (0) is locked before any shop.
 */
export async function lockShop(kind: StoreKind, tx: Writer, resource: number): Promise<void> {
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${resource}::int)`.execute(tx);
}
