import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { FiscalTask } from "./account/fiscal-tasks.js";
import type { LoginLimit } from "./couriers/login-limit.js";
import type { FiscalMount } from "./fiscal-mount.js";
import type { PageBase } from "./http/paging.js";
import type { CommitScope } from "./orders/commit.js";
import type { OrderChange } from "./orders/journal.js";
import type { OrderKey } from "./orders/rows.js";
import type { StoredOrder } from "./orders/stored-order.js";
import type { DeliveryStore, Writer } from "./store/delivery-store.js";

/** What all operations of one router share. */
export interface Backend {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rules: BackendRules;
  /** Makes receipts of orders; null where the shop prints in another way. */
  readonly bridge: OrderBridge | null;
  readonly loginLimit: LoginLimit;
  readonly fiscalMount: FiscalMount;
  /** Calls an address once, as callbacks do; the Fault says why the call failed. */
  testCallback(call: TestCall): Promise<void>;
}

export interface OrderBridge {
  /**
   * Queues the due receipts, in the transaction that made them due, and queues a receipt again that no caller has yet
   * and that the change of the order outdates. Fault "api.invalid" for a change that a handed receipt contradicts.
   */
  followOrders(scope: CommitScope, changes: readonly OrderChange[]): Promise<void>;
  /** Withdraws the queued receipts of an order. False when one was handed out or printed. */
  withdraw(scope: CommitScope, order: StoredOrder): Promise<boolean>;
  /** Takes back one queued receipt. False when it was handed out already. */
  withdrawReceipt(tx: Writer, resource: number, task: FiscalTask): Promise<boolean>;
  /** Receipts that the kit withdrew because of a late result become due again. */
  renewTakenBack(scope: CommitScope, key: OrderKey): Promise<void>;
  /**
   * A receipt was registered unexpectedly: receipts that were made of these orders meanwhile become due again.
   * Returns those that a caller has, or may have, already.
   */
  takeBackUndecided(
    scope: CommitScope,
    orders: readonly OrderKey[],
    what?: "returns" | "settlement and returns",
  ): Promise<readonly FiscalTask[]>;
}

export interface BackendRules {
  /** Delivery statuses change only along the document's arrows (domain 8.5); off = any move, in the journal. */
  readonly strictTransitions: boolean;
  /** A receipt at the time of a prepayment, besides the one at delivery (domain 5.4). */
  readonly printPrepaymentReceipt: boolean;
  /** Changes of one order within this time are one callback. */
  readonly coalesceMs: number;
  /** How long a courier's session lasts. */
  readonly sessionMs: number;
  /** `page` of the first page of every list but `/locations`, where it is 1. */
  readonly pageBase: PageBase;
  /** Of the shops' registers, whose results carry wall time. */
  readonly registerTimeZone: string;
  /** N of scrypt, for couriers' passwords. */
  readonly passwordCost: number;
}

export interface TestCall {
  readonly resource: number;
  readonly url: string;
  readonly body: unknown;
}
