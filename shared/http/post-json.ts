import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { TLSSocket } from "node:tls";
import type { Clock } from "../clock.js";
import { answerTexts } from "../exchange/answer-texts.js";
import { Fault } from "../fault.js";
import type { FaultText } from "../fault-codes/fault-row.js";
import { callTexts } from "./call-texts.js";
import { type DecodedBody, decodeBody } from "./decode-body.js";
import { isBeforeRequest, placeOf, toNetworkFault } from "./http-faults.js";

export interface PosterOptions {
  readonly clock: Clock;
  readonly tls?: {
    /** Certificates of authorities in PEM, which are trusted in place of the system's. */
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
  };
}

export interface PostRequest {
  readonly url: string;
  readonly method?: "POST" | "HEAD";
  /** The text of the body, made by `encodeBody`: a signature covers exactly these characters. */
  readonly body: EncodedBody;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  /** Aborts the request, which loses its answer: only for calls whose answer does not matter. */
  readonly signal?: AbortSignal;
}

export interface HttpAnswer extends DecodedBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Connections stay open between requests to one host. */
export interface Poster {
  /**
   * Sends one request. Resolves with any whole answer, whatever its status; follows no redirects. Rejects with
   * `site.dns`, `site.tls`, `site.timeout` or `site.unreachable` when the request was never sent, and with
   * `site.answer-lost` when it was sent but no whole answer came (the network's error is its `cause`).
   */
  post(request: PostRequest): Promise<HttpAnswer>;
  /** Requests that still wait for an answer lose it. */
  close(): void;
}

export interface EncodedBody {
  readonly contentType: string;
  readonly text: string;
}

export function encodeBody(body: unknown, encoding: "json" | "form"): EncodedBody {
  return encoding === "json"
    ? { contentType: "application/json; charset=utf-8", text: JSON.stringify(body) }
    : { contentType: "application/x-www-form-urlencoded; charset=utf-8", text: encodeForm(body) };
}

const connectTimeoutMs = 10_000;

/** Shorter than the 5 s after which Node's and many other servers close a silent connection. */
const silentConnectionMs = 4000;

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

export function createPoster({ clock, tls = {} }: PosterOptions): Poster {
  const kept = { keepAlive: true, timeout: silentConnectionMs };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent({ ...kept, ...tls }) };
  return {
    post: (request) => post(agents, clock, request),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function post(agents: Agents, clock: Clock, request: PostRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const place = placeOf(request.url);
    let out: ClientRequest | null = null;
    /** Once the connection is open, the site may have acted on the request. */
    let isSent = false;
    let over = false;
    let answer: IncomingMessage | null = null;

    const finish = (settle: () => void) => {
      if (over) return;
      over = true;
      timer.cancel();
      connecting.cancel();
      request.signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const fail = (fault: Fault) =>
      finish(() => {
        reject(isSent && !isBeforeRequest(fault) ? answerLost(place, fault) : fault);
        out?.destroy();
      });
    const failWith = (code: "site.unreachable" | "site.timeout" | "site.bad-answer", what: FaultText) =>
      fail(new Fault(code, { message: callTexts.at(place, what), place }));
    const onAbort = () => failWith("site.unreachable", callTexts.givenUp);
    const timer = clock.setTimer(request.timeoutMs, () =>
      failWith("site.timeout", callTexts.noAnswer(request.timeoutMs / 1000)),
    );
    const connecting = clock.setTimer(connectTimeoutMs, () =>
      failWith("site.timeout", callTexts.notConnected(connectTimeoutMs / 1000)),
    );
    if (request.signal?.aborted === true) {
      onAbort();
      return;
    }
    request.signal?.addEventListener("abort", onAbort, { once: true });

    const onOpen = () => {
      isSent = true;
      connecting.cancel();
    };
    // What comes after a whole answer, such as bytes beyond its length, does not matter.
    const onError = (error: unknown) => {
      if (answer?.complete !== true) fail(toNetworkFault(error, place));
    };

    try {
      out = send(agents, request);
    } catch (error) {
      // A header or the address is not valid, so nothing can be sent.
      onError(error);
      return;
    }
    out.on("socket", (socket) => {
      if (socket.connecting) socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", onOpen);
      // Where there is no way to the address, the socket is destroyed already, and nothing was sent.
      else if (!socket.destroyed) onOpen();
    });
    out.on("response", (response) => {
      answer = response;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > request.maxAnswerBytes) failWith("site.bad-answer", answerTexts.tooLarge(request.maxAnswerBytes));
        else chunks.push(chunk);
      });
      response.on("end", () => finish(() => resolve(wholeAnswer(response, Buffer.concat(chunks)))));
      response.on("error", onError);
    });
    out.on("error", onError);
    // After the answer 101 the connection closes without an error.
    out.on("close", () => onError(new Error("the connection was closed")));
  });
}

function send(agents: Agents, { url, method = "POST", headers, body }: PostRequest): ClientRequest {
  const target = new URL(url);
  const options = { method, headers: { ...headers, accept: "application/json", "content-type": body.contentType } };
  const sent =
    target.protocol === "https:"
      ? requestHttps(target, { ...options, agent: agents.https })
      : requestHttp(target, { ...options, agent: agents.http });
  return sent.end(body.text);
}

function wholeAnswer({ statusCode = 0, headers }: IncomingMessage, body: Buffer): HttpAnswer {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return { status: statusCode, headers: plain, ...decodeBody(body, plain) };
}

function answerLost(place: string, cause: Fault): Fault {
  return new Fault("site.answer-lost", {
    message: callTexts.answerLost({ en: cause.message, ru: cause.ru ?? cause.message }),
    place,
    details: { reason: cause.code },
    cause,
  });
}

/**
 * A body as form fields, for sites that read no JSON. Nested values are in PHP's bracket form: `data[0][name]=...`.
 * True and false are 1 and 0, null is an empty field. Undefined, empty lists and empty objects have no field.
 */
export function encodeForm(body: unknown): string {
  const fields = new URLSearchParams();
  if (typeof body === "object" && body !== null) {
    for (const [name, value] of Object.entries(body)) append(fields, name, value);
  }
  return fields.toString();
}

function append(fields: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) append(fields, `${name}[${key}]`, inner);
    return;
  }
  fields.append(name, plainText(value));
}

function plainText(value: unknown): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}
