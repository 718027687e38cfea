/** Who calls, and how often he may: his token, his address, his requests of a minute. */
import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { Request, RequestHandler } from "express";
import { ipKeyGenerator, rateLimit } from "express-rate-limit";
import type { Caller } from "../store/access-tokens.js";
import { findCaller, hashToken } from "../store/access-tokens.js";
import type { DeliveryStore } from "../store/delivery-store.js";

/** The shop that the request's token belongs to. Fault "api.unauthorized" for none. */
export async function identifyShop(store: DeliveryStore, request: Request): Promise<Caller> {
  const token = bearerToken(request);
  if (token === null) throw new Fault("api.unauthorized", { message: "must be: Bearer TOKEN", place: "Authorization" });
  const caller = await findCaller(store.db, token);
  if (caller === null) throw new Fault("api.unauthorized");
  return caller;
}

/** The text after `Bearer` in the Authorization header; null when there is none. */
export function bearerToken(request: Request): string | null {
  const match = /^Bearer +([\w.~+/=-]{1,512}) *$/i.exec(request.get("authorization") ?? "");
  return match?.[1] ?? null;
}

/** One limit for every token, or each token's own; `caller` is null for a token that is unknown, or none. */
export type RequestsPerMinute = number | ((caller: Caller | null) => number);

export interface RateLimitOptions {
  readonly requestsPerMinute: RequestsPerMinute;
  /** Fault "api.unauthorized" for an unknown caller. */
  identify(request: Request): Promise<Caller>;
}

/** Enough for a busy shop; and a low limit without a token. */
export function defaultRequestsPerMinute(caller: Caller | null): number {
  return caller === null ? 60 : 600;
}

/** By token; callers without one share the limit of their address, and so do those with an unknown token. */
export function limitRequests({ requestsPerMinute, identify }: RateLimitOptions): RequestHandler {
  const callerOf = (request: Request) => identify(request).catch(noCaller);
  return rateLimit({
    windowMs: 60_000,
    limit: async (request) =>
      typeof requestsPerMinute === "number" ? requestsPerMinute : requestsPerMinute(await callerOf(request)),
    standardHeaders: true,
    legacyHeaders: false,
    keyGenerator: async (request) =>
      (await callerOf(request)) === null
        ? `address ${addressOf(request)}`
        : `token ${hashToken(bearerToken(request) ?? "")}`,
    handler: (_request, _response, next) => next(new Fault("api.too-many")),
    validate: false,
  });
}

/** The owner of one IPv6 address has a whole network: that counts as one. */
export function addressOf({ ip }: Request): string {
  return ip === undefined ? "" : ipKeyGenerator(ip);
}

function noCaller(error: unknown): null {
  if (isFault(error) && error.code === "api.unauthorized") return null;
  throw error;
}
