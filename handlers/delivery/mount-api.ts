/** Limits, body, operations, faults: the order of steps of both routers. */
import { type Request, Router } from "express";
import { answerFaults, identifyFirst, type MountOptions, mountOperations } from "./mount-operations.js";
import type { Caller } from "./operation.js";
import { limitRequests, type RequestsPerMinute } from "./rate-limit.js";
import { bodyReader } from "./read-json.js";

export interface ApiOptions extends MountOptions {
  readonly bodyLimitBytes?: number;
  /** Default: 600 of a token or session, 60 of an address without one; false = no limit. */
  readonly requestsPerMinute?: RequestsPerMinute | false;
}

const DEFAULT_BODY_LIMIT = 5 * 1024 * 1024;

export function mountApi(options: ApiOptions): Router {
  const { backend, requestsPerMinute = defaultLimit, bodyLimitBytes = DEFAULT_BODY_LIMIT } = options;
  const identify = oncePerRequest(options.identify);
  const router = Router();
  if (requestsPerMinute !== false) router.use(limitRequests({ requestsPerMinute, identify }));
  router.use(identifyFirst({ ...options, identify }));
  router.use(bodyReader(bodyLimitBytes));
  router.use(mountOperations({ ...options, identify }));
  router.use(answerFaults(backend));
  return router;
}

const defaultLimit: RequestsPerMinute = (caller) => (caller === null ? 60 : 600);

/** The limit and the operation ask who calls: the database is asked once. */
function oncePerRequest(identify: MountOptions["identify"]): MountOptions["identify"] {
  const asked = new WeakMap<Request, Promise<Caller>>();
  return (request) => {
    const known = asked.get(request) ?? identify(request);
    asked.set(request, known);
    return known;
  };
}
