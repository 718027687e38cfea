import type { Router } from "express";
import type { Backend } from "./backend/backend.js";
import { identifyCourier } from "./couriers/courier-auth.js";
import { courierOperations, deliveryOperations } from "./endpoints/all-endpoints.js";
import { identifyShop } from "./http/callers.js";
import { type ApiLimits, mountApi } from "./http/mount-api.js";

export interface DeliveryRouterOptions extends ApiLimits {
  readonly backend: Backend;
}

/** The shop's systems: at `/v1`. */
export function createDeliveryRouter(options: DeliveryRouterOptions): Router {
  const { store } = options.backend;
  return mountApi({
    ...options,
    operations: deliveryOperations,
    identify: (request) => identifyShop(store, request),
  });
}

/** The couriers' feed: at `/courier/v1`. */
export function createCourierRouter(options: DeliveryRouterOptions): Router {
  const { backend } = options;
  return mountApi({
    ...options,
    operations: courierOperations,
    identify: (request) => identifyCourier(backend, request),
  });
}
