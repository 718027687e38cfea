/** The five handlers behind one address or five: HTTP in and out, on nothing but Node's own request and response. */
import type { ServerResponse } from "node:http";
import { type Clock, systemClock } from "@fiscald/shared/clock.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { checkAuth, checkSource } from "../check-options.js";
import { consoleLogger } from "../console-logger.js";
import type { CallKind, HostCallbacks } from "../host-callbacks.js";
import { onceInMemory, type PrintEvents, withEvents } from "../print-events.js";
import type { ReceiptStore } from "../receipts/receipt-store.js";
import { type HostEvents, storeCallbacks } from "../receipts/store-callbacks.js";
import { type CallAuth, createCallGuard } from "./call-guard.js";
import { type CallReply, createCallHandler } from "./handle-call.js";
import { readPreferWait } from "./prefer-wait.js";
import { type IncomingCall, readBody } from "./read-body.js";
import { defaultResultActions } from "./read-call.js";

export interface RouterSettings {
  /** How the print server proves itself; several while a secret is being changed. Default: not at all, with a warning. */
  readonly auth?: CallAuth | readonly CallAuth[];
  /** Addresses and networks that may call; default all. Behind a proxy set Express's `trust proxy`. */
  readonly allowedAddresses?: readonly string[];
  /** Paths below the mount point, for sites with several addresses. Default: every call at the mount point itself. */
  readonly paths?: Readonly<Partial<Record<CallKind, string>>>;
  /** The print server's `action` of the result call. Default `orderConfirm`. */
  readonly resultActions?: readonly string[];
  /** Largest body in bytes. Default 1 MB. */
  readonly limitBytes?: number;
  /** Longest time of a callback in milliseconds; then the caller gets code 4 and calls again. Default 8000. */
  readonly answerWithinMs?: number;
  /** Longest time of an order poll in seconds (`Prefer: wait`); 0 = answer at once. Default 50. */
  readonly maxWaitSeconds?: number;
  /** Default: warnings and errors on the console. */
  readonly logger?: Logger;
  readonly clock?: Clock;
}

export type PrintServerRouterOptions = RouterSettings &
  PrintEvents &
  ((HostCallbacks & { readonly store?: never }) | (HostEvents & { readonly store: ReceiptStore }));

/** Mounts on Express (any version), on Connect, or directly on Node's `http.createServer`. */
export type PrintServerRouter = (call: HostRequest, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** What Express adds to the request, as far as it is of use here. */
export interface HostRequest extends IncomingCall {
  originalUrl?: string;
  /** The caller's address as the host understands its proxies. */
  ip?: string | undefined;
  /** Set where the router is mounted at a route (`app.post("/fiscal", router)`): the path has been matched already. */
  route?: unknown;
}

const allKinds: readonly CallKind[] = ["order", "result", "sync", "activity", "zreport", "error"];

const statuses: Partial<Record<FaultCode, number>> = {
  "call.unreadable": 400,
  "call.unauthorized": 401,
  "call.forbidden": 403,
  "call.late": 408,
  "call.too-large": 413,
  "call.wrong-type": 415,
};

export function createPrintServerRouter(options: PrintServerRouterOptions): PrintServerRouter {
  checkSource(options);
  // Given as undefined it is a setting that was not found, and no wish to be open.
  if ("auth" in options) checkAuth(options.auth);
  const { clock = systemClock, logger = consoleLogger, auth = { kind: "none" } } = options;
  const { answerWithinMs = 8000, limitBytes = 1_000_000, maxWaitSeconds = 50 } = options;
  if (options.auth === undefined) logger.warn("the print server's handlers are open to everybody: set `auth`");
  const guard = createCallGuard({
    auth,
    now: () => clock.now(),
    ...(options.allowedAddresses === undefined ? {} : { allowedAddresses: options.allowedAddresses }),
  });
  const kindsOf = createPathReader(options.paths);
  const handle = createCallHandler({
    callbacks: callbacksOf(options, logger),
    resultActions: options.resultActions ?? defaultResultActions,
    answerWithinMs,
    clock,
    logger,
  });

  async function serve(call: HostRequest, response: ServerResponse, kinds: readonly CallKind[]): Promise<void> {
    if (call.method !== "POST") {
      send(response, 405, { resultCode: 4, resultInfo: "Only POST is answered here." }, { allow: "POST" });
      return;
    }
    const gone = abortedWhenGone(response);
    const remoteAddress = call.ip ?? call.socket.remoteAddress ?? null;
    guard.checkAddress(remoteAddress);
    const head = { headers: call.headers, url: call.originalUrl ?? call.url ?? "/" };
    const left = guard.checkHead(head);
    const body = await readInTime(call, gone);
    const signed = left === "signature" ? guard.checkSignature(head, body.rawText) : null;
    const waitSeconds = Math.min(readPreferWait(call.headers.prefer) ?? 0, maxWaitSeconds);
    const reply = await handle({
      body: body.value,
      kinds,
      daemonId: headerOf(call, "fiscald-daemon"),
      messageId: headerOf(call, "webhook-id"),
      signedAt: signed?.sentAt ?? null,
      waitMs: waitSeconds * 1000,
      signal: gone,
    });
    sendReply(response, reply, waitSeconds);
  }

  async function readInTime(call: HostRequest, gone: AbortSignal) {
    const late = new AbortController();
    const timer = clock.setTimer(answerWithinMs, () => late.abort());
    try {
      return await readBody(call, limitBytes, AbortSignal.any([gone, late.signal]));
    } finally {
      timer.cancel();
    }
  }

  function refuse(response: ServerResponse, error: unknown): void {
    const status = isFault(error) ? statuses[error.code] : undefined;
    if (!isFault(error) || status === undefined) {
      logger.error("a call could not be handled", { fault: error });
      send(response, 500, { resultCode: 4, resultInfo: "The site could not handle the call." });
      return;
    }
    logger.warn("refused a call", { code: error.code, reason: error.message });
    // The rest of an unread body would be taken for the next call.
    const headers = { connection: "close", ...(status === 401 ? { "www-authenticate": guard.challenge } : {}) };
    send(response, status, { resultCode: error.resultCode, resultInfo: error.message }, headers);
  }

  return (call, response, next) => {
    const kinds = kindsOf(call);
    if (kinds.length > 0) serve(call, response, kinds).catch((error: unknown) => refuse(response, error));
    else if (next !== undefined) next();
    else send(response, 404, { resultCode: 4, resultInfo: "Nothing is here." });
  };
}

function callbacksOf(options: PrintServerRouterOptions, logger: Logger): HostCallbacks {
  const { store } = options;
  if (store !== undefined) {
    return storeCallbacks({ store, host: withEvents(options, store.handleOnce), logger });
  }
  const { onAnswerLost } = options;
  return {
    ...withEvents(options, onceInMemory()),
    nextReceipt: (poll) => options.nextReceipt(poll),
    ...(onAnswerLost === undefined ? {} : { onAnswerLost: (answer, poll) => onAnswerLost.call(options, answer, poll) }),
    ...(options.holdsPolls === undefined ? {} : { holdsPolls: options.holdsPolls }),
    ...(options.leases === undefined ? {} : { leases: options.leases }),
  };
}

/** Which kinds of call the request's path takes; none = not ours. */
function createPathReader(paths: RouterSettings["paths"]): (call: HostRequest) => readonly CallKind[] {
  if (paths === undefined) return (call) => (call.route !== undefined || pathOf(call) === "/" ? allKinds : []);
  return (call) => allKinds.filter((kind) => paths[kind] === pathOf(call));
}

function pathOf(call: HostRequest): string {
  const [path = ""] = (call.url ?? "").split("?");
  return path === "" ? "/" : path;
}

function headerOf(call: HostRequest, name: string): string | null {
  const value = call.headers[name];
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : null;
}

function abortedWhenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new Error("the caller has gone"));
  });
  return gone.signal;
}

function sendReply(response: ServerResponse, reply: CallReply, waitSeconds: number): void {
  if (!isOpen(response)) {
    reply.lost();
    return;
  }
  response.once("close", () => {
    if (!response.writableFinished) reply.lost();
  });
  send(response, 200, reply.body, {
    ...(reply.waited ? { "preference-applied": `wait=${waitSeconds}` } : {}),
    ...(reply.leases ? { "fiscald-leases": "1" } : {}),
  });
}

/** The one place that answers: never twice, also where the host has answered already. */
function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  if (!isOpen(response)) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    ...headers,
  });
  response.end(text);
}

function isOpen(response: ServerResponse): boolean {
  return !response.headersSent && !response.writableEnded && !response.destroyed;
}
