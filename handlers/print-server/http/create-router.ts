import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallKind } from "../host-callbacks.js";
import {
  type CallAnswer,
  type CallEndpoint,
  createCallEndpoint,
  nothingHere,
  type PrintServerRouterOptions,
  pathOf,
} from "./call-endpoint.js";
import { nodeBody } from "./read-body.js";
import { CallStop } from "./with-timeout.js";

export type { PrintServerRouterOptions } from "./call-endpoint.js";

/** A handler for Express (any version), Connect, or Node's `http.createServer`. */
export type PrintServerRouter = (call: HostRequest, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** The fields that hosts like Express add to Node's request, as far as the kit reads them. */
export interface HostRequest extends IncomingMessage {
  body?: unknown;
  rawBody?: unknown;
  originalUrl?: string;
  /** The caller's address after the host has applied its settings for proxies. */
  ip?: string | undefined;
  /** Present where the router is mounted at a route (`app.post("/fiscal", router)`): the host has matched the path. */
  route?: unknown;
}

/** Makes the router of the print server's calls. Fault `config.invalid` names a wrong option. */
export function createPrintServerRouter(options: PrintServerRouterOptions): PrintServerRouter {
  const endpoint = createCallEndpoint(options);
  const isMatched = (call: HostRequest) => call.route !== undefined && options.paths === undefined;
  return (call, response, next) => {
    const kinds = endpoint.kindsAt(isMatched(call) ? "/" : pathOf(call.url ?? ""));
    if (kinds.length > 0) void answerNode(endpoint, kinds, call, response);
    else if (next !== undefined) next();
    else send(response, nothingHere());
  };
}

export async function answerNode(
  endpoint: CallEndpoint,
  kinds: readonly CallKind[],
  call: HostRequest,
  response: ServerResponse,
  address = call.ip ?? call.socket.remoteAddress ?? null,
): Promise<void> {
  const stop = new CallStop();
  let sent: CallAnswer | null = null;
  response.once("close", () => {
    if (response.writableFinished) return;
    sent?.lost();
    stop.abort(new Error("the caller has gone"));
  });
  const answer = await endpoint.answer(
    {
      method: call.method,
      headers: call.headers,
      url: call.originalUrl ?? call.url ?? "/",
      remoteAddress: address,
      body: nodeBody(call),
      stop,
    },
    kinds,
  );
  sent = answer;
  if (!send(response, answer)) answer.lost();
}

function send(response: ServerResponse, { status, headers, text }: CallAnswer): boolean {
  if (response.headersSent || response.writableEnded || response.destroyed) return false;
  // After a refusal the connection is closed: the unread rest of the body would be taken for the next call.
  response.writeHead(status, status === 200 ? headers : { ...headers, connection: "close" });
  response.end(text);
  return true;
}
