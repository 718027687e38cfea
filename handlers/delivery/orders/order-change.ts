/** A change of an order, and the request that it belongs to. */
import type { Backend, DeliveryCall } from "../backend/backend.js";
import type { Caller } from "../store/access-tokens.js";
import type { Writer } from "../store/delivery-store.js";
import type { StoredOrder } from "./stored-order.js";

export interface OrderChange {
  /** Null: the order is new. */
  readonly before: StoredOrder | null;
  readonly after: StoredOrder;
  /** A change of a deleted order (its receipt is printed): it stays hidden and causes no callback. */
  readonly isHidden?: boolean;
  /** A deleted order is restored: a change even without others. */
  readonly isRestored?: boolean;
  /** Its path in the request, for faults: `[2].`, or empty for a request of one order. */
  readonly place?: string;
}

export interface CommitScope {
  readonly backend: Backend;
  readonly tx: Writer;
  /** The shop whose orders these are. */
  readonly resource: number;
  /** Initiator of the change in the journal. */
  readonly source: Caller["name"];
  readonly now: number;
  /** Where the courier was when a delivery status changed. */
  readonly at?: StatusPlace | undefined;
  /** The shop writes these orders: what no receipt can carry of a paid one is refused at its field. */
  readonly isWritten?: true;
}

/** For changes of the caller's own orders. */
export function commitScope({ backend, caller, now }: DeliveryCall<unknown, unknown>, tx: Writer): CommitScope {
  return { backend, tx, resource: caller.resource, source: caller.name, now };
}

export interface StatusPlace {
  readonly longitude: string | null;
  readonly latitude: string | null;
  readonly accuracy: number | null;
}
