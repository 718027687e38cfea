import type { Router } from "express";
import { identifyCourier } from "./couriers/courier-auth.js";
import { type DeliveryStoreHandle, internalsOf } from "./delivery-handle.js";
import { deliveryOperations } from "./endpoints/all-endpoints.js";
import { courierOperations } from "./endpoints/courier-feed.js";
import { identifyShop } from "./http/bearer-auth.js";
import { type ApiLimits, mountApi } from "./http/mount-api.js";
import { answerHostFaults } from "./http/mount-operations.js";
import { watchMount } from "./router-mount.js";

export interface DeliveryRouterOptions extends ApiLimits {
  readonly delivery: DeliveryStoreHandle;
}

/** The delivery API: mount at `/v1`. On an app it also answers the errors of a body parser before it. */
export function createDeliveryRouter({ delivery, ...limits }: DeliveryRouterOptions): Router {
  const { backend } = internalsOf(delivery);
  const router = mountApi({
    ...limits,
    backend,
    operations: deliveryOperations(),
    identify: (request) => identifyShop(backend.store, request),
  });
  return watchMount(router, ({ parent, at }) => parent.use(at, answerHostFaults));
}

export interface CourierRouterOptions extends ApiLimits {
  readonly delivery: DeliveryStoreHandle;
}

/** The couriers' feed: mount at `/courier/v1`. */
export function createCourierRouter({ delivery, ...limits }: CourierRouterOptions): Router {
  const { backend } = internalsOf(delivery);
  const router = mountApi({
    ...limits,
    backend,
    operations: courierOperations(),
    identify: (request) => identifyCourier(backend, request),
  });
  return watchMount(router, ({ parent, at }) => parent.use(at, answerHostFaults));
}
