import { Router } from "express";
import { identifyCourier } from "./courier-auth.js";
import { courierOperations } from "./courier-operations.js";
import { DEFAULT_BODY_LIMIT } from "./create-router.js";
import { answerFaults, mountOperations } from "./mount-operations.js";
import type { DeliveryStoreHandle } from "./open-delivery.js";
import { bodyReader } from "./read-json.js";

export interface CourierRouterOptions {
  readonly delivery: DeliveryStoreHandle;
  /** Largest body in bytes; default 5 MB. */
  readonly bodyLimitBytes?: number;
}

/** The couriers' feed: mount at `/courier/v1`. */
export function createCourierRouter({ delivery, bodyLimitBytes = DEFAULT_BODY_LIMIT }: CourierRouterOptions): Router {
  const { backend } = delivery;
  const router = Router();
  router.use(bodyReader(bodyLimitBytes));
  router.use(
    mountOperations({
      operations: courierOperations(),
      backend,
      identify: (request) => identifyCourier(backend.store, request),
    }),
  );
  router.use(answerFaults(backend));
  return router;
}
