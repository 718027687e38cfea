import { type Kysely, sql, type Transaction } from "kysely";
import type { Store } from "../../store/open-store.js";
import type { StoreKind } from "../../store/opened-database.js";
import type { DeliveryTables } from "./delivery-tables.js";

export type DeliveryStore = Store<DeliveryTables>;
/** For reading: the store's own connection or a transaction. */
export type Reader = Kysely<DeliveryTables>;
/** For writing: always inside a transaction. */
export type Writer = Transaction<DeliveryTables>;

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
