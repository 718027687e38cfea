/** Sends one signed POST to the very IP address that was checked, without following redirects. */
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { webhookHeaders } from "@fiscald/shared/http/webhook-headers.js";
import { type Resolve, type ResolvedAddress, resolvePublic } from "./public-address.js";

export interface CallbackMessage {
  readonly url: string;
  readonly body: string;
  /** Signs the message, `whsec_...`. */
  readonly secret: string;
  /** The callback's id, the same in all tries. */
  readonly webhookId: string;
  /** For `X-Order-Sequence` and `X-Order-Is-Refund`. Null: the callback is not about an order. */
  readonly order: { readonly sequence: number; readonly isRefund: boolean } | null;
  /** For `X-Caused-By`: ids of requests. Null: no request caused the callback. */
  readonly causes: string | null;
  readonly isTest: boolean;
}

export interface SendCallbackOptions {
  readonly resolve: Resolve;
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  now(): number;
}

/** Resolves on any 2xx. Faults: `site.dns`, `site.refused`, `site.unreachable`, `site.timeout`, `site.http-status`. */
export async function sendCallback(
  message: CallbackMessage,
  options: SendCallbackOptions,
  signal: AbortSignal,
): Promise<void> {
  const url = new URL(message.url);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
  const address = await within(limit, resolvePublic(url.hostname, options));
  const status = await post(url, address, message, options.now(), limit);
  if (status >= 200 && status < 300) return;
  throw new Fault("site.http-status", { message: `The address answered with status ${status}.`, details: { status } });
}

/** A DNS resolver may never answer. */
function within<Result>(limit: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Fault("site.timeout"));
    limit.addEventListener("abort", giveUp, { once: true });
    if (limit.aborted) giveUp();
    work.then(resolve, reject).finally(() => limit.removeEventListener("abort", giveUp));
  });
}

function post(
  url: URL,
  address: ResolvedAddress,
  message: CallbackMessage,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const options: RequestOptions = {
    method: "POST",
    headers: headersOf(message, now),
    signal,
    agent: false,
    // The checked address is used: a second DNS query could return another one.
    lookup: (_hostname, lookupOptions, answer) => {
      if (lookupOptions.all === true) answer(null, [address]);
      else answer(null, address.address, address.family);
    },
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send(url, options, (response) => {
      // Only the status counts, so the receiver's body is not read.
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    request.on("error", (error) => reject(networkFault(error, signal)));
    request.end(message.body);
  });
}

function networkFault(error: Error, signal: AbortSignal): Fault {
  return signal.aborted
    ? new Fault("site.timeout", { cause: error })
    : toFault(error, "site.unreachable", { message: `The address cannot be reached: ${error.message}` });
}

function headersOf({ body, secret, webhookId, order, causes, isTest }: CallbackMessage, now: number) {
  return {
    ...webhookHeaders({ id: webhookId, now, body, secret }),
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "fiscald-delivery",
    // A sale and its refund order may share an id; each has a sequence of its own.
    ...(order === null
      ? {}
      : { "x-order-sequence": String(order.sequence), "x-order-is-refund": order.isRefund ? "1" : "0" }),
    ...(causes === null ? {} : { "x-caused-by": causes }),
    ...(isTest ? { "x-callback-test": "1" } : {}),
  };
}
