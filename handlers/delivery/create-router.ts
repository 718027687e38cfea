import type { Router } from "express";
import { identifyShop } from "./bearer-auth.js";
import { deliveryOperations } from "./delivery-operations.js";
import { mountApi } from "./mount-api.js";
import type { DeliveryStoreHandle } from "./open-delivery.js";
import type { RequestsPerMinute } from "./rate-limit.js";

export interface DeliveryRouterOptions {
  readonly delivery: DeliveryStoreHandle;
  /** Largest body in bytes; default 5 MB. */
  readonly bodyLimitBytes?: number;
  /** Requests of one token per minute, for all tokens or by caller; default: 600, and 60 of an address without one; false = no limit. */
  readonly requestsPerMinute?: RequestsPerMinute | false;
}

/** The delivery API: mount at `/v1`. */
export function createDeliveryRouter({ delivery, ...limits }: DeliveryRouterOptions): Router {
  const { backend } = delivery;
  return mountApi({
    ...limits,
    backend,
    operations: deliveryOperations(),
    identify: (request) => identifyShop(backend.store, request),
  });
}
