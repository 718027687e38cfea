/** The part of HTTP/1.1 that the emulated service uses: one request per connection, bodies with a length. */
import { z } from "zod";

export const requestSchema = z.object({
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  authorization: z.string().nullable(),
  body: z.string(),
});
export type WireRequest = z.infer<typeof requestSchema>;

export interface WireAnswer {
  readonly status: number;
  /** A text is sent as it is, an object as JSON; null = an empty body. */
  readonly body: object | string | null;
}

const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const HEAD_END = "\r\n\r\n";

export class RequestReader {
  private bytes: number[] = [];
  private wanted: number | null = null;

  /** The request that this byte completes. Null: not complete yet. "bad": the bytes are no HTTP. */
  push(byte: number): WireRequest | "bad" | null {
    this.bytes.push(byte);
    if (this.bytes.length > MAX_REQUEST_BYTES) return "bad";
    if (this.wanted === null) {
      if (byte !== 0x0a || this.bytes.at(-3) !== 0x0a) return null;
      const head = Buffer.from(this.bytes).toString("latin1");
      if (!head.endsWith(HEAD_END)) return null;
      const length = Number(headerOf(head, "content-length") ?? "0");
      if (!Number.isSafeInteger(length) || length < 0) return "bad";
      this.wanted = this.bytes.length + length;
    }
    if (this.bytes.length < this.wanted) return null;
    const whole = Buffer.from(this.bytes);
    this.bytes = [];
    this.wanted = null;
    return parseRequest(whole);
  }
}

function parseRequest(whole: Buffer): WireRequest | "bad" {
  const bodyStart = whole.indexOf(HEAD_END) + HEAD_END.length;
  const head = whole.subarray(0, bodyStart).toString("latin1");
  const match = /^([A-Z]+) (\/[^ ]*) HTTP\/1\.[01]\r\n/.exec(head);
  const [, method, target] = match ?? [];
  if (method === undefined || target === undefined) return "bad";
  const [path = "/", query = ""] = target.split("?");
  return {
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    authorization: headerOf(head, "authorization"),
    body: whole
      .subarray(bodyStart)
      .toString("utf8")
      .replace(/^\uFEFF/, ""),
  };
}

function headerOf(head: string, name: string): string | null {
  for (const line of head.split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    if (line.slice(0, colon).toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return null;
}

const reasons: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
};

export function writeAnswer({ status, body }: WireAnswer): Uint8Array {
  const isJson = body !== null && typeof body === "object";
  const text = isJson ? JSON.stringify(body) : (body ?? "");
  const payload = Buffer.from(text, "utf8");
  const head = [
    `HTTP/1.1 ${status} ${reasons[status] ?? "Status"}`,
    `Content-Type: ${isJson ? "application/json" : "text/plain"};charset=utf-8`,
    `Content-Length: ${payload.length}`,
    "Access-Control-Allow-Origin: *",
    "Connection: close",
  ];
  return Uint8Array.from(Buffer.concat([Buffer.from(head.join("\r\n") + HEAD_END, "latin1"), payload]));
}
