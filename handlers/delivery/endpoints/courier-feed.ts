/** The couriers' feed: what their application reads and writes. */

import type { Operation } from "../http/endpoint.js";
import { courierLogOperations } from "./courier-logs.js";
import { courierOrderOperations } from "./courier-orders.js";
import { courierSessionOperations } from "./courier-sessions.js";

let operations: readonly Operation[] | null = null;

/** What couriers call, built once for all routers. */
export function courierOperations(): readonly Operation[] {
  operations ??= [...courierSessionOperations(), ...courierOrderOperations(), ...courierLogOperations()];
  return operations;
}
