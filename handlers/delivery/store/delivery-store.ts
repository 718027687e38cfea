import { type Kysely, sql, type Transaction } from "kysely";
import type { Store } from "../../store/open-store.js";
import type { StoreKind } from "../../store/opened-database.js";
import type { DeliveryTables } from "./delivery-tables.js";

export type DeliveryStore = Store<DeliveryTables>;
export type Reader = Kysely<DeliveryTables>;
export type Writer = Transaction<DeliveryTables>;

/** The first key of our PostgreSQL advisory locks. It keeps them apart from locks of other programs in the database. */
const LOCK_SPACE = 5481;

/** Until the transaction ends, no other one writes for the shop on any node. Lock the cabinet (0) before a shop. */
export async function lockShop(kind: StoreKind, tx: Writer, resource: number): Promise<void> {
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${resource}::int)`.execute(tx);
}
