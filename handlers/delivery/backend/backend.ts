import { type ApiCall, type ApiOperation, type HttpContext, operationsOf } from "../http/endpoint.js";
import type { LoginLimit } from "../http/login-limit.js";
import type { PageBase } from "../http/paging.js";
import type { KitReceipts } from "./print-bridge.js";

/** What all operations of one router share. */
export interface Backend extends HttpContext {
  readonly rules: BackendRules;
  /** Takes the receipts of orders; null where the site prints receipts in another way. */
  readonly kit: KitReceipts | null;
  readonly loginLimit: LoginLimit;
  /** Where a shop's print server finds its handlers. Fault "api.not-found" without a public address of the site. */
  fiscalUrl(resource: number): string;
  /** Posts to an address once, as a callback does. The fault says why the call failed. */
  testCallback(call: TestCall): Promise<void>;
}

export interface BackendRules {
  /** Whether delivery statuses change only along the arrows of the API's document (54-fz 15). */
  readonly strictTransitions: boolean;
  /** Whether a prepayment gets a receipt when it is paid, besides the sale's receipt at delivery (54-fz 10). */
  readonly printPrepaymentReceipt: boolean;
  readonly coalesceMs: number;
  readonly sessionMs: number;
  readonly pageBase: PageBase;
  /** Time zone of the shops' registers: print results carry a register's wall time. */
  readonly registerTimeZone: string;
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
