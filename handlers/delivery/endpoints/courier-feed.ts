/** The couriers' feed: what their application reads and writes. */

import type { Operation } from "../http/endpoint.js";
import { courierLogOperations } from "./courier-logs.js";
import { courierOrderOperations } from "./courier-orders.js";
import { courierSessionOperations } from "./courier-sessions.js";

export function courierOperations(): readonly Operation[] {
  return [...courierSessionOperations(), ...courierOrderOperations(), ...courierLogOperations()];
}
