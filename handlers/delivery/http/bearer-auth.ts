import { Fault } from "@fiscald/shared/fault.js";
import type { Request } from "express";
import { findCaller } from "../store/access-tokens.js";
import type { DeliveryStore } from "../store/delivery-store.js";
import type { Caller } from "./endpoint.js";

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
