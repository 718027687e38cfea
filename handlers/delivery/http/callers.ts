import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { Request, RequestHandler } from "express";
import { ipKeyGenerator, rateLimit } from "express-rate-limit";
import type { Caller } from "../store/access-tokens.js";
import { findCaller, hashToken } from "../store/access-tokens.js";
import type { DeliveryStore } from "../store/delivery-store.js";

export async function identifyShop(store: DeliveryStore, request: Request): Promise<Caller> {
  const token = bearerToken(request);
  if (token === null) throw new Fault("api.unauthorized", { message: "must be: Bearer TOKEN", place: "Authorization" });
  const caller = await findCaller(store.db, token);
  if (caller === null) throw new Fault("api.unauthorized");
  return caller;
}

export function bearerToken(request: Request): string | null {
  const match = /^Bearer +([\w.~+/=-]{1,512}) *$/i.exec(request.get("authorization") ?? "");
  return match?.[1] ?? null;
}

export interface RateLimitOptions {
  /** Default: 600 with a valid token, 60 without. */
  readonly requestsPerMinute?: number | undefined;
  identify(request: Request): Promise<Caller>;
}

/** Limits requests by token. Callers without a valid token share the limit of their address. */
export function limitRequests({ requestsPerMinute, identify }: RateLimitOptions): RequestHandler {
  const callerOf = (request: Request) => identify(request).catch(noCaller);
  return rateLimit({
    windowMs: 60_000,
    limit: async (request) => requestsPerMinute ?? ((await callerOf(request)) === null ? 60 : 600),
    standardHeaders: true,
    legacyHeaders: false,
    keyGenerator: async (request) =>
      (await callerOf(request)) === null
        ? `address ${callerAddressOf(request)}`
        : `token ${hashToken(bearerToken(request) ?? "")}`,
    handler: (_request, _response, next) => next(new Fault("api.too-many")),
    validate: false,
  });
}

/** The owner of one IPv6 address has a whole network, which counts as one address. */
export function callerAddressOf({ ip }: Request): string {
  return ip === undefined ? "" : ipKeyGenerator(ip);
}

function noCaller(error: unknown): null {
  if (isFault(error) && error.code === "api.unauthorized") return null;
  throw error;
}
