/**
 * The body of a call as a value, read by the kit itself or by one of the host's body parsers (JSON, urlencoded, text,
 * raw).
 */
import type { IncomingMessage } from "node:http";
import { Fault } from "@fiscald/shared/fault.js";
import getRawBody from "raw-body";
import { parseForm } from "./form-fields.js";

export interface IncomingCall extends IncomingMessage {
  /** Set by the host's body parser. */
  body?: unknown;
  /** The untouched bytes, where a host keeps them for signature checks. */
  rawBody?: unknown;
}

export interface CallBody {
  readonly value: unknown;
  /** The exact text that was signed; null when a body parser has thrown it away and it cannot be had back. */
  readonly rawText: string | null;
}

type Encoding = "json" | "form";

/**
 * Fault `call.unreadable`, `call.wrong-type`, `call.too-large` or, when the signal ends the reading of a body that
 * never comes to its end, `call.late`.
 */
export async function readBody(call: IncomingCall, limitBytes: number, signal: AbortSignal): Promise<CallBody> {
  const encoding = encodingOf(call);
  const { body } = call;
  if (typeof body === "string") return parseText(body, encoding);
  if (isBytes(body)) return parseText(decodeUtf8(body), encoding);
  if (isAlreadyParsed(call)) return { value: readParsed(body, encoding), rawText: rawTextOf(call, encoding) };
  return parseText(decodeUtf8(await collect(call, limitBytes, signal)), encoding);
}

function encodingOf(call: IncomingCall): Encoding {
  const [type = "", ...parameters] = (call.headers["content-type"] ?? "application/json").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter)?.[1]).find(Boolean);
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") {
    throw new Fault("call.wrong-type", { message: `The charset must be utf-8, not ${charset}.` });
  }
  if (!["", "identity"].includes((call.headers["content-encoding"] ?? "").toLowerCase())) {
    throw new Fault("call.wrong-type", { message: "Compressed bodies are not read." });
  }
  const name = type.trim();
  if (name === "application/json" || name.endsWith("+json") || name === "text/plain") return "json";
  if (name === "application/x-www-form-urlencoded") return "form";
  throw new Fault("call.wrong-type", { message: "The body must be JSON or form fields." });
}

/** Older body parsers leave `{}` behind where they have read nothing: the stream then still waits for its reader. */
function isAlreadyParsed(call: IncomingCall): boolean {
  const { body } = call;
  if (call.readableEnded) return true;
  return typeof body === "object" && body !== null && Object.keys(body).length > 0;
}

function readParsed(body: unknown, encoding: Encoding): unknown {
  if (body === undefined || body === null) {
    throw new Fault("call.unreadable", {
      message: "The body was read before the handler kit and is gone: mount the kit first.",
    });
  }
  return encoding === "form" && typeof body === "object" ? parseForm({ ...body }) : body;
}

/** The signed text: stored by the host, or written again in the form of our JSON writers. */
function rawTextOf(call: IncomingCall, encoding: Encoding): string | null {
  if (typeof call.rawBody === "string") return call.rawBody;
  if (isBytes(call.rawBody)) return decodeUtf8(call.rawBody);
  return encoding === "json" ? JSON.stringify(call.body) : null;
}

function parseText(text: string, encoding: Encoding): CallBody {
  if (encoding === "form") return { value: parseForm(text), rawText: text };
  try {
    return { value: JSON.parse(text), rawText: text };
  } catch (cause) {
    throw new Fault("call.unreadable", { message: "The body is not valid JSON.", cause });
  }
}

function isBytes(value: unknown): value is Uint8Array {
  return Buffer.isBuffer(value);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Fault("call.unreadable", { message: "The body is not valid UTF-8.", cause });
  }
}

async function collect(call: IncomingMessage, limitBytes: number, signal: AbortSignal): Promise<Buffer> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([getRawBody(call, { limit: limitBytes }), aborted]);
  } catch (cause) {
    if (signal.aborted) throw new Fault("call.late", { message: "The body did not arrive in time.", cause });
    if (isTooLarge(cause))
      throw new Fault("call.too-large", { message: `The body is larger than ${limitBytes} bytes.` });
    throw new Fault("call.unreadable", { message: "The body ended early.", cause });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "entity.too.large";
}
