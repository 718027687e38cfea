import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { type ApiCall, type ApiOperation, operationsOf } from "../http/endpoint.js";
import type { LoginLimit } from "../http/login-limit.js";
import type { PageBase } from "../http/paging.js";
import type { DeliveryStore } from "../store/delivery-store.js";
import type { KitReceipts } from "./print-bridge.js";

/** What all operations of one router share. */
export interface Backend {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rules: BackendRules;
  /** Takes the receipts of orders; null where the shop prints in another way. */
  readonly kit: KitReceipts | null;
  readonly loginLimit: LoginLimit;
  /** Where the shop's print server finds its handlers. Fault "api.not-found" where the site has no public address. */
  fiscalUrl(resource: number): string;
  /** Calls an address once, as callbacks do; the Fault says why the call failed. */
  testCallback(call: TestCall): Promise<void>;
}

export interface BackendRules {
  /** Delivery statuses change only along the document's arrows (54-fz 15); off = any move, in the journal. */
  readonly strictTransitions: boolean;
  /** A receipt at the time of a prepayment, besides the one at delivery (54-fz 10). */
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

/** An endpoint of the delivery API. */
export type DeliveryOperation = ApiOperation<Backend>;
export type DeliveryCall<Query, Body> = ApiCall<Backend, Query, Body>;

export const { readOperation, writeOperation } = operationsOf<Backend>();
