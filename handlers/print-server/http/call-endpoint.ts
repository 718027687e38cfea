/** Answers a print server's calls on any kind of server, at one address or at one for each kind of call. */
import { type Clock, systemClock } from "@fiscald/shared/clock.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { consoleLogger, type Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import { type SiteLogger, toLogger } from "../../store/site-logger.js";
import { aClock, aFunction, aLogger, aStore, checkAuth, noSource, throwIfWrongOptions } from "../check-options.js";
import { onceInMemory } from "../handled-events.js";
import type { CallKind, HostCallbacks } from "../host-callbacks.js";
import type { OwnReceiptStore } from "../own-receipt-store.js";
import { type PrintEvents, withEvents } from "../print-events.js";
import { type HostEvents, type RouterCallbacks, storeCallbacks } from "../store-callbacks.js";
import { type CallAuth, type CallHeaders, createCallGuard, headerOf } from "./call-guard.js";
import { type CallReply, createCallHandler } from "./handle-call.js";
import { type IncomingBody, readBody } from "./read-body.js";
import { defaultResultActions } from "./read-call.js";
import type { CallStop } from "./with-timeout.js";

export interface RouterSettings {
  /** How the print server proves itself; several while a secret is changed. Default: not at all, with a warning. */
  readonly auth?: CallAuth | readonly CallAuth[];
  /** Addresses and networks that may call; default: all. Behind a proxy set Express's `trust proxy`. */
  readonly allowedAddresses?: readonly string[];
  /** A path below the mount point for each kind of call (whole for the fetch handler). Default: the mount point. */
  readonly paths?: Readonly<Partial<Record<CallKind, string>>>;
  /** The values of `action` by which the print server names the result call. Default `orderConfirm`. */
  readonly resultActions?: readonly string[];
  /** Largest body in bytes. Default 1 MB. */
  readonly limitBytes?: number;
  /** Time limit of a callback in milliseconds. After it the caller gets code 4 and calls again. Default 8000. */
  readonly answerWithinMs?: number;
  /** Longest time of an order poll in seconds (`Prefer: wait`); 0 = answer at once. Default 50. */
  readonly maxWaitSeconds?: number;
  /** `console`, or an object with its methods. Default: warnings and errors on the console. */
  readonly logger?: SiteLogger;
  /** For tests of times. Default: the machine's clock. */
  readonly clock?: Clock;
}

export type PrintServerRouterOptions = RouterSettings &
  PrintEvents &
  ((HostCallbacks & { readonly store?: never }) | (HostEvents & { readonly store: OwnReceiptStore }));

export interface HttpCall {
  readonly method: string | undefined;
  readonly headers: CallHeaders;
  readonly url: string;
  readonly remoteAddress: string | null;
  readonly body: IncomingBody;
  readonly stop: CallStop;
}

export interface CallAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  lost(): void;
}

export type CallEndpoint = ReturnType<typeof createCallEndpoint>;

const allKinds: readonly CallKind[] = ["order", "result", "sync", "activity", "zreport", "error"];

type NameOf<Options> = Options extends unknown ? keyof Options : never;

const anything = z.unknown();
const pathOptions = z
  .strictObject({
    ...{ order: z.string(), result: z.string(), sync: z.string() },
    ...{ activity: z.string(), zreport: z.string(), error: z.string() },
  } satisfies Record<CallKind, z.ZodType>)
  .partial();

const routerOptions = z
  .strictObject({
    store: aStore,
    auth: anything,
    paths: z.record(z.string(), anything),
    resultActions: z.array(z.string()),
    allowedAddresses: z.array(z.string()),
    limitBytes: z.number(),
    answerWithinMs: z.number(),
    maxWaitSeconds: z.number(),
    logger: aLogger,
    clock: aClock,
    ...{ onPrinted: aFunction, onFailed: aFunction, onUnknown: aFunction, onConnected: aFunction },
    ...{ onDisconnected: aFunction, onShiftClosed: aFunction, onSync: aFunction, onResult: aFunction },
    ...{ onActivity: aFunction, onZReport: aFunction, onError: aFunction, nextReceipt: aFunction },
    onAnswerLost: aFunction,
  } satisfies Record<NameOf<PrintServerRouterOptions>, z.ZodType>)
  .partial()
  .refine(({ store, nextReceipt }) => store !== undefined || nextReceipt !== undefined, {
    path: ["store"],
    error: noSource,
  });

const statuses: Partial<Record<FaultCode, number>> = {
  "call.unreadable": 400,
  "call.unauthorized": 401,
  "call.forbidden": 403,
  "call.late": 408,
  "call.too-large": 413,
  "call.wrong-type": 415,
  "store.closed": 503,
};

export function createCallEndpoint(options: PrintServerRouterOptions) {
  throwIfWrongOptions(routerOptions, options);
  throwIfWrongOptions(pathOptions, options.paths);
  // An `auth` that is present but undefined is a missing setting. It must not open the endpoint to everybody.
  if ("auth" in options) checkAuth(options.auth);
  const { clock = systemClock, auth = { kind: "none" } } = options;
  const logger = toLogger(options.logger ?? consoleLogger);
  const { answerWithinMs = 8000, limitBytes = 1_000_000, maxWaitSeconds = 50 } = options;
  if (options.auth === undefined) logger.warn("the print server's handlers are open to everybody: set `auth`");
  const guard = createCallGuard({
    auth,
    now: () => clock.now(),
    ...(options.allowedAddresses === undefined ? {} : { allowedAddresses: options.allowedAddresses }),
  });
  const handle = createCallHandler({
    callbacks: callbacksOf(options, logger),
    resultActions: options.resultActions ?? defaultResultActions,
    answerWithinMs,
    clock,
    logger,
  });

  const held = new Set<CallStop>();
  let isClosing = false;

  async function serve(call: HttpCall, kinds: readonly CallKind[]): Promise<CallAnswer> {
    if (call.method !== "POST") {
      return answerOf(405, { resultCode: 4, resultInfo: "Only POST is answered here." }, { allow: "POST" });
    }
    guard.checkAddress(call.remoteAddress);
    const left = guard.checkHead(call);
    const body = await readBody(call.body, limitBytes, { clock, ms: answerWithinMs, stop: call.stop });
    const signed = left === "signature" ? guard.checkSignature(call, body.rawText) : null;
    const waitSeconds = isClosing ? 0 : Math.min(readPreferWait(call.headers["prefer"]) ?? 0, maxWaitSeconds);
    if (waitSeconds > 0) held.add(call.stop);
    try {
      const reply = await handle({
        body: body.parse(),
        kinds,
        daemonId: idIn(call, "fiscald-daemon"),
        messageId: idIn(call, "webhook-id"),
        signedAt: signed?.sentAt ?? null,
        waitMs: waitSeconds * 1000,
        stop: call.stop,
      });
      return answerOf(200, reply.body, headersOf(reply, waitSeconds), reply.lost);
    } finally {
      held.delete(call.stop);
    }
  }

  function headersOf({ waited, leases }: CallReply, waitSeconds: number) {
    return {
      ...(waited ? { "preference-applied": `wait=${waitSeconds}` } : {}),
      ...(leases ? { "fiscald-leases": "1" } : {}),
      // A connection that stays open would delay the closing of the server.
      ...(isClosing ? { connection: "close" } : {}),
    };
  }

  function refusalOf(error: unknown): CallAnswer {
    const status = isFault(error) ? statuses[error.code] : undefined;
    if (!isFault(error) || status === undefined) {
      logger.error("a call could not be handled", { fault: error });
      return answerOf(500, { resultCode: 4, resultInfo: "The site could not handle the call." });
    }
    logger.warn("refused a call", { code: error.code, reason: error.details.why ?? error.message });
    const headers: Record<string, string> = status === 401 ? { "www-authenticate": guard.challenge } : {};
    return answerOf(status, { resultCode: error.resultCode, resultInfo: error.message }, headers);
  }

  return {
    /** The kinds of calls that come to this path. Empty = the kit does not serve this path. */
    kindsAt: createPathReader(options.paths),
    answer: (call: HttpCall, kinds: readonly CallKind[]) => serve(call, kinds).catch(refusalOf),
    /** Answers the polls that wait and lets no further poll wait, because the server closes. */
    endPolls(): void {
      isClosing = true;
      for (const stop of held) stop.abort(new Error("the server closes"));
    },
  };
}

export function nothingHere(): CallAnswer {
  return answerOf(404, { resultCode: 4, resultInfo: "Nothing is here." });
}

/** The path without the query. An empty path becomes `/`. */
export function pathOf(url: string): string {
  const [path = ""] = url.split("?");
  return path === "" ? "/" : path;
}

function callbacksOf(options: PrintServerRouterOptions, logger: Logger): RouterCallbacks {
  if (options.store !== undefined) return storeCallbacks(options.store, options, logger);
  const { onAnswerLost } = options;
  return {
    ...withEvents(options, onceInMemory()),
    nextReceipt: (poll) => options.nextReceipt(poll),
    ...(onAnswerLost === undefined ? {} : { onAnswerLost: (answer, poll) => onAnswerLost.call(options, answer, poll) }),
    holdsPolls: false,
    leases: false,
  };
}

function createPathReader(paths: RouterSettings["paths"]): (path: string) => readonly CallKind[] {
  if (paths === undefined) return (path) => (path === "/" ? allKinds : []);
  return (path) => allKinds.filter((kind) => paths[kind] === path);
}

function idIn({ headers }: HttpCall, name: string): string | null {
  return headerOf(headers, name)?.slice(0, 200) || null;
}

function answerOf(status: number, body: object, headers: CallAnswer["headers"] = {}, lost = () => {}): CallAnswer {
  const text = JSON.stringify(body);
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(text)),
      "cache-control": "no-store",
      ...headers,
    },
    text,
    lost,
  };
}

/** Seconds of `Prefer: wait=N` (RFC 7240); null without it. */
function readPreferWait(header: string | readonly string[] | undefined): number | null {
  const text = typeof header === "object" ? header.join(",") : (header ?? "");
  for (const preference of text.split(",")) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;.*)?$/i.exec(preference)?.[1];
    if (seconds !== undefined) return Number(seconds);
  }
  return null;
}
