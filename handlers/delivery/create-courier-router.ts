import type { Router } from "express";
import { identifyCourier } from "./courier-auth.js";
import { courierOperations } from "./courier-operations.js";
import { mountApi } from "./mount-api.js";
import type { DeliveryStoreHandle } from "./open-delivery.js";
import type { RequestsPerMinute } from "./rate-limit.js";

export interface CourierRouterOptions {
  readonly delivery: DeliveryStoreHandle;
  /** Largest body in bytes; default 5 MB. */
  readonly bodyLimitBytes?: number;
  /** Requests of one session, and logins of one address, per minute; default: 600, and 60 of an address without one; false = no limit. */
  readonly requestsPerMinute?: RequestsPerMinute | false;
}

/** The couriers' feed: mount at `/courier/v1`. */
export function createCourierRouter({ delivery, ...limits }: CourierRouterOptions): Router {
  const { backend } = delivery;
  return mountApi({
    ...limits,
    backend,
    operations: courierOperations(),
    identify: (request) => identifyCourier(backend, request),
  });
}
