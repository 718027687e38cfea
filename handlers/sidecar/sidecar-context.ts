import type { Resolve } from "../delivery/callbacks/public-address.js";
import { type HttpContext, operationsOf } from "../delivery/http/endpoint.js";
import type { Language } from "./sidecar-errors.js";

export interface SidecarContext extends HttpContext {
  readonly language: Language;
  readonly strict: boolean;
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
  /** Aborts when the server closes; waiting calls are then answered. */
  readonly stopping: AbortSignal;
}

export const { readOperation: sidecarRead, writeOperation: sidecarWrite } = operationsOf<SidecarContext>();

/** A shop's receipts by HTTP are stored under this name, and those of its delivery orders under its number. */
export function sidecarResource(shop: number): string {
  return `shop-${shop}`;
}
