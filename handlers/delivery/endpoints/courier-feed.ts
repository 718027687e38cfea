/** The couriers' feed: what their application reads and writes. */

import { courierLogOperations } from "./courier-logs.js";
import { courierOrderOperations } from "./courier-orders.js";
import { courierSessionOperations } from "./courier-sessions.js";
import type { Operation } from "./operation.js";

let operations: readonly Operation[] | null = null;

/** What couriers call, built once for all routers. */
export function courierOperations(): readonly Operation[] {
  operations ??= [...courierSessionOperations(), ...courierOrderOperations(), ...courierLogOperations()];
  return operations;
}
