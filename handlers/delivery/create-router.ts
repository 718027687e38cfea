import { Fault } from "@fiscald/shared/fault.js";
import { Router } from "express";
import { rateLimit } from "express-rate-limit";
import { hashToken } from "./access-tokens.js";
import { bearerToken, identifyShop } from "./bearer-auth.js";
import { deliveryOperations } from "./delivery-operations.js";
import { answerFaults, mountOperations } from "./mount-operations.js";
import type { DeliveryStoreHandle } from "./open-delivery.js";
import { bodyReader } from "./read-json.js";

export interface DeliveryRouterOptions {
  readonly delivery: DeliveryStoreHandle;
  /** Largest body in bytes; default 5 MB. */
  readonly bodyLimitBytes?: number;
  /** Requests of one token per minute; default: no limit. */
  readonly requestsPerMinute?: number;
}

export const DEFAULT_BODY_LIMIT = 5 * 1024 * 1024;

/** The delivery API: mount at `/v1`. */
export function createDeliveryRouter(options: DeliveryRouterOptions): Router {
  const { backend } = options.delivery;
  const router = Router();
  if (options.requestsPerMinute !== undefined) router.use(limitRequests(options.requestsPerMinute));
  router.use(bodyReader(options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT));
  router.use(
    mountOperations({
      operations: deliveryOperations(),
      backend,
      identify: (request) => identifyShop(backend.store, request),
    }),
  );
  router.use(answerFaults(backend));
  return router;
}

/** By token; callers without one share the limit of their address. */
function limitRequests(requestsPerMinute: number) {
  return rateLimit({
    windowMs: 60_000,
    limit: requestsPerMinute,
    standardHeaders: true,
    legacyHeaders: false,
    keyGenerator: (request) => {
      const token = bearerToken(request);
      return token === null ? `address ${request.ip ?? ""}` : `token ${hashToken(token)}`;
    },
    handler: (_request, _response, next) => next(new Fault("api.too-many")),
    validate: false,
  });
}
