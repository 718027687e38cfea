/** What a shop holds of an open delivery API, apart from what its routers find in it. */
import { Fault } from "@fiscald/shared/fault.js";
import type { Backend } from "./backend.js";
import type { PrintBridge } from "./printing/print-bridge.js";

export interface DeliveryStoreHandle {
  /** Stops the callbacks and closes the database, unless it was given. */
  close(): Promise<void>;
}

export interface DeliveryInternals {
  readonly backend: Backend;
  readonly bridge: PrintBridge | null;
}

const internals = new WeakMap<DeliveryStoreHandle, DeliveryInternals>();

export function createHandle(inside: DeliveryInternals, close: () => Promise<void>): DeliveryStoreHandle {
  const handle = { close };
  internals.set(handle, inside);
  return handle;
}

/** Fault "usage.wrong" for anything that `openDeliveryStore` did not return. */
export function internalsOf(handle: DeliveryStoreHandle): DeliveryInternals {
  const inside = internals.get(handle);
  if (inside !== undefined) return inside;
  throw new Fault("usage.wrong", { message: "is not what openDeliveryStore returned (await it)", place: "delivery" });
}
