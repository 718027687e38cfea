/** Limits, body, operations, faults: the order of steps of both routers. */
import { Router } from "express";
import { answerFaults, type MountOptions, mountOperations } from "./mount-operations.js";
import { limitRequests, type RequestsPerMinute } from "./rate-limit.js";
import { bodyReader } from "./read-json.js";

export interface ApiOptions extends MountOptions {
  readonly bodyLimitBytes?: number;
  readonly requestsPerMinute?: RequestsPerMinute;
}

const DEFAULT_BODY_LIMIT = 5 * 1024 * 1024;

export function mountApi(options: ApiOptions): Router {
  const { backend, identify, requestsPerMinute, bodyLimitBytes = DEFAULT_BODY_LIMIT } = options;
  const router = Router();
  if (requestsPerMinute !== undefined) router.use(limitRequests({ requestsPerMinute, identify }));
  router.use(bodyReader(bodyLimitBytes));
  router.use(mountOperations(options));
  router.use(answerFaults(backend));
  return router;
}
