import { Fault } from "@fiscald/shared/fault.js";
import type { Request, RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import { hashToken } from "./access-tokens.js";
import { bearerToken } from "./bearer-auth.js";
import type { Caller } from "./operation.js";

/** One limit for every token, or each token's own; `caller` is null for a token that is unknown, or none. */
export type RequestsPerMinute = number | ((caller: Caller | null) => number);

export interface RateLimitOptions {
  readonly requestsPerMinute: RequestsPerMinute;
  /** Asked only where each token has its own limit. */
  identify(request: Request): Promise<Caller>;
}

/** By token; callers without one share the limit of their address. */
export function limitRequests({ requestsPerMinute, identify }: RateLimitOptions): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: async (request) =>
      typeof requestsPerMinute === "number"
        ? requestsPerMinute
        : requestsPerMinute(await identify(request).catch(() => null)),
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
