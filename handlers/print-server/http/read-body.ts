/** Reads the body of a call. The signature is checked before a stranger's text is parsed. */
import type { IncomingMessage } from "node:http";
import { isTooDeep } from "@fiscald/shared/exchange/read-answer.js";
import { Fault, isFault } from "@fiscald/shared/fault.js";
import getRawBody from "raw-body";
import { type CallHeaders, headerOf } from "./call-guard.js";
import { parseForm } from "./form-fields.js";
import { type TimeLimit, withTimeout } from "./with-timeout.js";

export interface IncomingBody {
  readonly headers: CallHeaders;
  readonly parsed: unknown;
  /** The untouched bytes of the body, which some hosts keep for signature checks. */
  readonly rawBody: unknown;
  readonly isRead: boolean;
  collect(limitBytes: number): Promise<Uint8Array>;
}

export interface CallBody {
  /** The text that was signed; null when a body parser has dropped it and it cannot be restored. */
  readonly rawText: string | null;
  /** Fault `call.unreadable` for a text that is not the JSON or the form fields of its content type. */
  parse(): unknown;
}

type Encoding = "json" | "form";

/** Faults `call.unreadable`, `call.wrong-type`, `call.too-large`, and `call.late` for a body that does not end. */
export async function readBody(body: IncomingBody, limitBytes: number, limit: TimeLimit): Promise<CallBody> {
  const encoding = encodingOf(body);
  const { parsed } = body;
  if (typeof parsed === "string") return textBody(parsed, encoding);
  if (isBytes(parsed)) return textBody(decodeUtf8(parsed), encoding);
  if (isAlreadyParsed(body)) return parsedBody(body, encoding);
  return textBody(decodeUtf8(await collect(body, limitBytes, limit)), encoding);
}

function encodingOf({ headers }: IncomingBody): Encoding {
  const [type = "", ...parameters] = (headerOf(headers, "content-type") ?? "application/json").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter)?.[1]).find(Boolean);
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") {
    throw new Fault("call.wrong-type", { message: `The charset must be utf-8, not ${charset}.` });
  }
  if (!["", "identity"].includes(headerOf(headers, "content-encoding")?.toLowerCase() ?? "")) {
    throw new Fault("call.wrong-type", { message: "Compressed bodies are not read." });
  }
  const name = type.trim();
  if (name === "application/json" || name.endsWith("+json") || name === "text/plain") return "json";
  if (name === "application/x-www-form-urlencoded") return "form";
  throw new Fault("call.wrong-type", { message: "The body must be JSON or form fields." });
}

/** Older body parsers leave `{}` where they have read nothing. The stream is then still unread. */
function isAlreadyParsed({ isRead, parsed }: IncomingBody): boolean {
  return isRead || (typeof parsed === "object" && parsed !== null && Object.keys(parsed).length > 0);
}

function parsedBody(body: IncomingBody, encoding: Encoding): CallBody {
  const { parsed } = body;
  if (parsed === undefined || parsed === null) {
    throw new Fault("call.unreadable", {
      message: "The body was read before the handler kit and is gone: mount the kit first.",
    });
  }
  const rawText = rawTextOf(body, encoding);
  if (encoding === "form")
    return { rawText, parse: () => (typeof parsed === "object" ? parseForm({ ...parsed }) : parsed) };
  return { rawText, parse: () => (rawText !== null && isTooDeep(rawText) ? refuseDeep() : parsed) };
}

/** The host has kept the signed text, or it is written again in the form in which the daemon writes JSON. */
function rawTextOf({ parsed, rawBody }: IncomingBody, encoding: Encoding): string | null {
  if (typeof rawBody === "string") return rawBody;
  if (isBytes(rawBody)) return decodeUtf8(rawBody);
  try {
    return encoding === "json" ? JSON.stringify(parsed) : null;
  } catch (cause) {
    return refuseDeep(cause);
  }
}

function textBody(text: string, encoding: Encoding): CallBody {
  return { rawText: text, parse: () => (encoding === "form" ? parseForm(text) : parseJson(text)) };
}

function parseJson(text: string): unknown {
  if (isTooDeep(text)) refuseDeep();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("call.unreadable", { message: "The body is not valid JSON.", cause });
  }
}

function refuseDeep(cause?: unknown): never {
  throw new Fault("call.unreadable", { message: "The body is nested too deeply.", cause });
}

function isBytes(value: unknown): value is Uint8Array {
  return Buffer.isBuffer(value);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new Fault("call.unreadable", { message: "The body is not valid UTF-8.", cause });
  }
}

async function collect(body: IncomingBody, limitBytes: number, limit: TimeLimit): Promise<Uint8Array> {
  try {
    const read = await withTimeout(body.collect(limitBytes), limit);
    if (read !== null) return read.value;
  } catch (cause) {
    if (isFault(cause)) throw cause;
    throw new Fault("call.unreadable", { message: "The body ended early.", cause });
  }
  throw new Fault("call.late", { message: "The body did not arrive in time." });
}

function tooLarge(limitBytes: number): Fault {
  return new Fault("call.too-large", { message: `The body is larger than ${limitBytes} bytes.` });
}

export function nodeBody(call: IncomingMessage & { body?: unknown; rawBody?: unknown }): IncomingBody {
  return {
    headers: call.headers,
    parsed: call.body,
    rawBody: call.rawBody,
    isRead: call.readableEnded,
    async collect(limitBytes) {
      try {
        return await getRawBody(call, { limit: limitBytes });
      } catch (cause) {
        throw isTooLarge(cause) ? tooLarge(limitBytes) : cause;
      }
    },
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "entity.too.large";
}

export function fetchBody(request: Request, headers: CallHeaders): IncomingBody {
  return {
    headers,
    parsed: undefined,
    rawBody: undefined,
    isRead: request.bodyUsed,
    async collect(limitBytes) {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of request.body ?? []) {
        bytes += chunk.length;
        if (bytes > limitBytes) throw tooLarge(limitBytes);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
  };
}
