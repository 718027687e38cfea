/** The couriers' feed: what their application reads and writes. */
import { courierLogOperations } from "./courier-log-operations.js";
import { courierOrderOperations } from "./courier-order-operations.js";
import { courierSessionOperations } from "./courier-session-operations.js";
import type { Operation } from "./operation.js";

export function courierOperations(): readonly Operation[] {
  return [...courierSessionOperations(), ...courierOrderOperations(), ...courierLogOperations()];
}
