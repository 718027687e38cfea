/** Limits, caller, body, operations, faults: the order of steps of both routers. */
import { type Request, Router } from "express";
import type { Caller, HttpContext } from "./endpoint.js";
import { answerFaults, type MountOptions, mountOperations } from "./mount-operations.js";
import { defaultRequestsPerMinute, limitRequests, type RequestsPerMinute } from "./rate-limit.js";
import { bodyReader } from "./read-json.js";

export interface ApiLimits {
  /** Largest body in bytes; default 5 MB. */
  readonly bodyLimitBytes?: number;
  /**
   * Requests per minute, for all callers or by caller; default: 600 of one token or session, 60 of one address without one.
   * False = no limit.
   */
  readonly requestsPerMinute?: RequestsPerMinute | false;
}

type ApiOptions<Context extends HttpContext> = ApiLimits & Omit<MountOptions<Context>, "readBody">;

const DEFAULT_BODY_LIMIT = 5 * 1024 * 1024;

export function mountApi<Context extends HttpContext>(options: ApiOptions<Context>): Router {
  const { backend, requestsPerMinute = defaultRequestsPerMinute, bodyLimitBytes = DEFAULT_BODY_LIMIT } = options;
  const identify = oncePerRequest(options.identify);
  const router = Router();
  if (requestsPerMinute !== false) router.use(limitRequests({ requestsPerMinute, identify }));
  router.use(mountOperations({ ...options, identify, readBody: bodyReader(bodyLimitBytes) }));
  router.use(answerFaults(backend));
  return router;
}

/** Both the limit and the operation need the caller: the database is read once. */
function oncePerRequest(identify: MountOptions["identify"]): MountOptions["identify"] {
  const asked = new WeakMap<Request, Promise<Caller>>();
  return (request) => {
    const known = asked.get(request) ?? identify(request);
    asked.set(request, known);
    return known;
  };
}
