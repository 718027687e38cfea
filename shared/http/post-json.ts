import type { LookupFunction } from "node:net";
import { Agent, type Dispatcher } from "undici";
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
  /** The resolver of names; that of the delivery backend refuses private addresses. */
  readonly lookup?: LookupFunction;
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
  close(): Promise<void>;
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

export function createPoster({ clock, tls = {}, lookup }: PosterOptions): Poster {
  const agent = new Agent({
    // The timer below limits the request as a whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeoutMs, ...tls, ...(lookup === undefined ? {} : { lookup }) },
  });
  return { post: (request) => post(agent, clock, request), close: () => agent.close() };
}

function post(agent: Agent, clock: Clock, request: PostRequest): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const place = () => placeOf(request.url);
    const answer = new Answer(request.maxAnswerBytes);
    /** Set just before the first byte goes out: from that moment on the site may have acted on the request. */
    let sent: Dispatcher.DispatchController | null = null;
    let over = false;

    const finish = (settle: () => void) => {
      if (over) return;
      over = true;
      timer.cancel();
      request.signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const fail = (fault: Fault) =>
      finish(() => {
        reject(sent === null || isBeforeRequest(fault) ? fault : answerLost(place(), fault));
        sent?.abort(fault);
      });
    const failWith = (code: "site.unreachable" | "site.timeout" | "site.bad-answer", what: FaultText) =>
      fail(new Fault(code, { message: callTexts.at(place(), what), place: place() }));
    const onAbort = () => failWith("site.unreachable", callTexts.givenUp);
    const timer = clock.setTimer(request.timeoutMs, () =>
      failWith("site.timeout", callTexts.noAnswer(request.timeoutMs / 1000)),
    );
    if (request.signal?.aborted === true) {
      onAbort();
      return;
    }
    request.signal?.addEventListener("abort", onAbort, { once: true });

    try {
      const url = new URL(request.url);
      agent.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: request.method ?? "POST",
          headers: { ...request.headers, accept: "application/json", "content-type": request.body.contentType },
          body: request.body.text,
        },
        {
          onRequestStart(controller) {
            if (over) controller.abort(new Error("given up before it was sent"));
            else sent = controller;
          },
          onResponseStart(_controller, status, headers) {
            answer.begin(status, headers);
          },
          onResponseData(_controller, chunk) {
            if (!answer.add(chunk)) failWith("site.bad-answer", answerTexts.tooLarge(request.maxAnswerBytes));
          },
          onResponseEnd() {
            finish(() => resolve(answer.whole()));
          },
          onResponseError(_controller, error) {
            fail(toNetworkFault(error, place()));
          },
        },
      );
    } catch (error) {
      // A header or the address is not valid, so nothing can be sent.
      fail(toNetworkFault(error, place()));
    }
  });
}

class Answer {
  private readonly chunks: Buffer[] = [];
  private status = 0;
  private headers: Record<string, string> = {};
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  begin(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    this.status = status;
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) this.headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
    }
  }

  add(chunk: Buffer): boolean {
    this.size += chunk.length;
    if (this.size > this.maxBytes) return false;
    this.chunks.push(chunk);
    return true;
  }

  whole(): HttpAnswer {
    return { status: this.status, headers: this.headers, ...decodeBody(Buffer.concat(this.chunks), this.headers) };
  }
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
