import type { Backend, DeliveryCall } from "../backend/backend.js";
import type { Caller } from "../store/access-tokens.js";
import type { Writer } from "../store/delivery-store.js";
import type { DeliveryTables } from "../store/delivery-tables.js";
import type { StoredOrder } from "./stored-order.js";

export interface OrderChange {
  readonly before: StoredOrder | null;
  readonly after: StoredOrder;
  /** The order is deleted, and its receipt is printed: the order changes, stays hidden and causes no callback. */
  readonly isHidden?: boolean;
  /** The order was deleted and is restored, which is a change even if nothing else changes. */
  readonly isRestored?: boolean;
  /** The order's place in the request: `[2].`, or empty in a request of one order. */
  readonly place?: string;
}

export interface CommitScope {
  readonly backend: Backend;
  readonly tx: Writer;
  readonly resource: number;
  readonly source: Caller["name"];
  readonly now: number;
  /** Where a courier changed the status. */
  readonly at?: Pick<DeliveryTables["delivery_status_changes"], "longitude" | "latitude" | "accuracy">;
  /** Callbacks name the request by this id; a print result has none. */
  readonly requestId?: string;
  readonly warn?: DeliveryCall<unknown, unknown>["warn"];
  /** The shop itself writes these orders, so a value that no receipt can carry is refused at its field. */
  readonly isWritten?: true;
}

export function commitScope(
  { backend, caller, now, requestId, warn }: DeliveryCall<unknown, unknown>,
  tx: Writer,
): CommitScope {
  return { backend, tx, resource: caller.resource, source: caller.name, now, requestId, warn };
}
