/** A till for a site's own tests: it plays a print server, prints nothing, and numbers documents from 1. */
import { randomUUID } from "node:crypto";
import { playedResult } from "@fiscald/shared/exchange/played-result.js";
import { Fault } from "@fiscald/shared/fault.js";
import { authHeaders } from "@fiscald/shared/http/auth-headers.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { resultCodeOf } from "@fiscald/shared/outbox/classify-response.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import { type RunningSite, serveApp } from "../../http/serve-app.js";
import { aSite, checkAuth, throwIfWrongOptions } from "../check-options.js";
import type { CallKind } from "../host-callbacks.js";
import type { CallAuth } from "./call-guard.js";
import type { PrintServerRouter } from "./create-router.js";

export interface TestTillOptions {
  /** The router itself, or the address of a running site: one for all calls, or one for each kind. */
  readonly site: PrintServerRouter | string | Readonly<Record<CallKind, string>>;
  readonly auth?: CallAuth;
  readonly kkm?: string;
  /** Number of the till's fiscal drive; two tills of one test need two numbers. */
  readonly fn?: string;
  /** Value of the header `Fiscald-Daemon`; null = the header is not sent. */
  readonly daemonId?: string | null;
  /** Zone of the register's wall time; default UTC. */
  readonly timeZone?: string;
  readonly resultAction?: string;
  /** Whether results say that the register is emulated. Default: false. */
  readonly emulated?: boolean;
}

export interface TestTill {
  /** Asks for an order and reads it as the daemon does, with the same faults. Null = nothing waits. */
  poll(options?: { readonly waitSeconds?: number; readonly signal?: AbortSignal }): Promise<Receipt | null>;
  /** Reports what became of a receipt. Fault `site.refused` when the site does not accept the report. */
  report(receipt: Receipt, how?: TestResult): Promise<void>;
  /** Polls, and reports the receipt as printed. Null = nothing waits. */
  printNext(): Promise<Receipt | null>;
  /** Any call with the till's own secret; returns the site's JSON. Fault `site.http-status` for any status but 200. */
  call(kind: CallKind, body: object, headers?: Readonly<Record<string, string>>): Promise<unknown>;
  /** Needed when `site` is a router: ends the server that the till has started for it. */
  close(): Promise<void>;
}

export interface TestResult {
  /** Default `printed`. */
  readonly outcome?: "printed" | "failed" | "unknown";
  /** Default 0 for `printed`, else 4. */
  readonly resultCode?: number;
  readonly resultInfo?: string;
  /** The `webhook-id` of the report; a repeat of the report needs the same one. */
  readonly messageId?: string;
}

const defaultFn = "9999078900000001";
const inn = "7700000000";

/** The options are checked strictly, because with a misspelt `fn` two tills would share one fiscal drive. */
const tillOptions = z
  .strictObject({
    auth: z.unknown(),
    kkm: z.string(),
    fn: z.string(),
    daemonId: z.string().nullable(),
    timeZone: z.string(),
    resultAction: z.string(),
    emulated: z.boolean(),
  } satisfies Record<Exclude<keyof TestTillOptions, "site">, z.ZodType>)
  .partial()
  .extend({ site: aSite });

/** Makes a till with one register, for the tests of a site. */
export function createTestTill(options: TestTillOptions): TestTill {
  throwIfWrongOptions(tillOptions, options);
  const { auth = { kind: "none" }, kkm = "0000000000000001", daemonId = "test-till" } = options;
  const { fn = defaultFn, resultAction = "orderConfirm", timeZone = "UTC", emulated = false } = options;
  // The secret of a test may be short.
  checkAuth(auth, 1);
  let server: Promise<RunningSite> | null = null;
  let documents = 0;

  async function urlOf(kind: CallKind): Promise<string> {
    const { site } = options;
    if (typeof site === "string") return site;
    if (typeof site === "object") return site[kind];
    server ??= serveApp({ app: site, port: 0, host: "127.0.0.1", onClose: async () => {} });
    return (await server).url;
  }

  async function call(
    kind: CallKind,
    body: object,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<unknown> {
    const text = JSON.stringify(body);
    const id = headers["webhook-id"] ?? `test-${randomUUID()}`;
    const url = await urlOf(kind);
    const answer = await fetch(withQuerySecret(url, auth), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(daemonId === null ? {} : { "fiscald-daemon": daemonId }),
        ...authHeaders(auth.kind === "query" ? { kind: "none" } : auth, { id, now: Date.now(), body: text }),
        ...headers,
      },
      body: text,
      ...(signal === undefined ? {} : { signal }),
    }).catch((cause: unknown) => {
      // An error of `fetch` does not name the address.
      if (!(cause instanceof TypeError)) throw cause;
      throw new Fault("site.unreachable", { message: `The site does not answer at ${url}.`, cause });
    });
    if (answer.status !== 200) {
      throw new Fault("site.http-status", { message: `The site answered ${answer.status}: ${await answer.text()}` });
    }
    const json: unknown = JSON.parse(await answer.text());
    return json;
  }

  async function poll(how: { readonly waitSeconds?: number; readonly signal?: AbortSignal } = {}) {
    const prefer = how.waitSeconds === undefined ? {} : { prefer: `wait=${how.waitSeconds}` };
    const answer = await call("order", { action: "order", kkm }, prefer, how.signal);
    const read = readOrder(JSON.stringify(answer), { format: "auto" });
    if (read.kind === "receipt") return read.receipt;
    if (read.kind === "empty") return null;
    if (read.kind === "broken" || read.kind === "unknown") throw read.fault;
    throw new Fault("site.refused", { message: read.resultInfo });
  }

  async function report(receipt: Receipt, how: TestResult = {}): Promise<void> {
    const { outcome = "printed", messageId, resultInfo = outcome === "printed" ? "" : outcome } = how;
    if (outcome === "printed") documents += 1;
    const played = playedResult({
      ...{ action: resultAction, kkm, inn, fn, orderId: receipt.orderId, outcome, receipt },
      ...{ resultInfo, fd: documents, time: localTimeAt(Date.now(), timeZone) },
    });
    const body = { ...played, ...(emulated ? { emulated } : {}), resultCode: how.resultCode ?? played.resultCode };
    const answer = await call("result", body, messageId === undefined ? {} : { "webhook-id": messageId });
    if (resultCodeOf(answer) !== "0") {
      throw new Fault("site.refused", { message: `The site refused the report: ${JSON.stringify(answer)}` });
    }
  }

  return {
    poll,
    report,
    call,
    async printNext() {
      const receipt = await poll();
      if (receipt !== null) await report(receipt);
      return receipt;
    },
    async close() {
      await (await server)?.close();
    },
  };
}

function withQuerySecret(address: string, auth: CallAuth): string {
  if (auth.kind !== "query") return address;
  const url = new URL(address);
  url.searchParams.set(auth.name ?? "key", auth.secret);
  return url.href;
}
