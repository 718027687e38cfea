import type { Resolve } from "../delivery/callbacks/public-address.js";
import { type HttpContext, operationsOf } from "../delivery/http/endpoint.js";
import type { Language } from "./sidecar-errors.js";

export interface SidecarContext extends HttpContext {
  /** Language of warnings and errors where a request does not name one. */
  readonly language: Language;
  /** Refuses an order with an unknown key, or without a rate. */
  readonly strict: boolean;
  /** Whether results may go to addresses of this machine and its network. */
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
  /** Aborts when the server closes; waiting calls are then answered. */
  readonly stopping: AbortSignal;
}

export const { readOperation: sidecarRead, writeOperation: sidecarWrite } = operationsOf<SidecarContext>();

/**
 * The store has the sidecar's receipts of a shop under this name, and those of its delivery orders under its number.
 */
export function sidecarResource(shop: number): string {
  return `shop-${shop}`;
}
