import type { Router } from "express";
import { identifyCourier } from "./couriers/courier-auth.js";
import { courierOperations } from "./endpoints/courier-feed.js";
import { type ApiLimits, mountApi } from "./http/mount-api.js";
import { answerHostFaults } from "./http/mount-operations.js";
import { mountable } from "./mountable.js";
import type { DeliveryStoreHandle } from "./open-delivery.js";

export interface CourierRouterOptions extends ApiLimits {
  readonly delivery: DeliveryStoreHandle;
}

/** The couriers' feed: mount at `/courier/v1`. */
export function createCourierRouter({ delivery, ...limits }: CourierRouterOptions): Router {
  const { backend } = delivery;
  const router = mountApi({
    ...limits,
    backend,
    operations: courierOperations(),
    identify: (request) => identifyCourier(backend, request),
  });
  return mountable(router, ({ parent, at }) => parent.use(at, answerHostFaults));
}
