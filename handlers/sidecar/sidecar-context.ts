import type { Resolve } from "../delivery/callbacks/public-address.js";
import { type HttpContext, operationsOf } from "../delivery/http/endpoint.js";
import type { Language } from "./sidecar-errors.js";

export interface SidecarContext extends HttpContext {
  /** The language of warnings and errors where a request does not say it. */
  readonly language: Language;
  /** Whether an order with a key that nothing reads, or without a rate, is refused. */
  readonly strict: boolean;
  /** Whether results may go to addresses of this machine and its network. */
  readonly allowPrivate: boolean;
  readonly resolve: Resolve;
  /** Aborts when the server closes: calls that wait are answered. */
  readonly stopping: AbortSignal;
}

export const { readOperation: sidecarRead, writeOperation: sidecarWrite } = operationsOf<SidecarContext>();

/** The name under which a shop's receipts are in the store; those of its delivery orders are under its number. */
export function sidecarResource(shop: number): string {
  return `shop-${shop}`;
}
