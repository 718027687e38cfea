import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { type ApiCall, type ApiOperation, operationsOf } from "../http/endpoint.js";
import type { LoginLimit } from "../http/login-limit.js";
import type { PageBase } from "../http/paging.js";
import type { DeliveryStore } from "../store/delivery-store.js";
import type { KitReceipts } from "./print-bridge.js";

/** What all operations of one router share: the database, the rules, and the way to the print server. */
export interface Backend {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rules: BackendRules;
  /** The handler kit, which takes the receipts of orders; null where the shop prints in another way. */
  readonly kit: KitReceipts | null;
  readonly loginLimit: LoginLimit;
  /** Address of the shop's handlers for its print server. Fault "api.not-found" without a public address. */
  fiscalUrl(resource: number): string;
  /** Calls an address once, as callbacks do; the Fault says why the call failed. */
  testCallback(call: TestCall): Promise<void>;
}

export interface BackendRules {
  /** Delivery statuses change only along the arrows of the API's document (54-fz 15); false = any change, journaled. */
  readonly strictTransitions: boolean;
  /** Whether a prepayment gets a receipt when it is paid, besides the sale's receipt at delivery (54-fz 10). */
  readonly printPrepaymentReceipt: boolean;
  readonly coalesceMs: number;
  readonly sessionMs: number;
  /** The number of the first page in every list but `/locations`, where it is 1. */
  readonly pageBase: PageBase;
  /** Time zone of the shops' registers: print results carry a register's wall time. */
  readonly registerTimeZone: string;
  /** Cost N of scrypt, the hash of couriers' passwords. */
  readonly passwordCost: number;
}

export interface TestCall {
  readonly resource: number;
  readonly url: string;
  readonly body: unknown;
}

export type DeliveryOperation = ApiOperation<Backend>;
export type DeliveryCall<Query, Body> = ApiCall<Backend, Query, Body>;

export const { readOperation, writeOperation } = operationsOf<Backend>();
