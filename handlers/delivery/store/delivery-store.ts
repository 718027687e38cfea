import type { Kysely, Transaction } from "kysely";
import type { Store } from "../../store/open-store.js";
import type { DeliveryTables } from "./delivery-tables.js";

export type DeliveryStore = Store<DeliveryTables>;
/** For reading: the store's own connection or a transaction. */
export type Reader = Kysely<DeliveryTables>;
/** For writing: always inside a transaction. */
export type Writer = Transaction<DeliveryTables>;
