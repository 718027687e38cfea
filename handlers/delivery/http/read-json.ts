import { isTooDeep } from "@fiscald/shared/exchange/read-answer.js";
import { Fault } from "@fiscald/shared/fault.js";
import express, { type Request, type Response } from "express";
import { badRequest } from "./api-errors.js";

const decoder = new TextDecoder("utf-8", { fatal: true });

export type BodyReader = (request: Request, response: Response) => Promise<void>;

/** The reader leaves a body alone that the host has already parsed. */
export function bodyReader(limitBytes: number): BodyReader {
  const readRaw = express.raw({ type: () => true, limit: limitBytes });
  return async (request, response) => {
    const isParsed = request.body !== undefined && request.body !== null && !Buffer.isBuffer(request.body);
    if (request.method === "GET" || isParsed) return;
    await new Promise<void>((resolve, reject) => {
      readRaw(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(readFault(error))));
    });
  };
}

export function readFault(error: unknown): Fault {
  const { status, type } = partsOf(error);
  if (status === 413) return new Fault("api.too-large", { cause: error });
  if (type === "entity.parse.failed") return badRequest("is not JSON in UTF-8", "body");
  return new Fault("api.bad-request", { message: "The body cannot be read.", cause: error });
}

/** Errors of body parsers have a type such as `entity.parse.failed`. */
export function isBodyError(error: unknown): boolean {
  const { status, type } = partsOf(error);
  return typeof status === "number" && status >= 400 && status < 500 && typeof type === "string";
}

function partsOf(error: unknown): { readonly status?: unknown; readonly type?: unknown } {
  return typeof error === "object" && error !== null ? error : {};
}

/** Status 400 for another content type, broken UTF-8, no JSON, and JSON that is nested too deeply to be read safely. */
export function jsonOf(request: Request): unknown {
  const isJson = /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers["content-type"] ?? "");
  if (!isJson) throw badRequest("must be application/json", "Content-Type");
  const value = Buffer.isBuffer(request.body) ? parseJson(request.body) : request.body;
  if (isTooDeep(bodyText(request))) throw tooDeep();
  return withLists(value);
}

/** PHP writes a list that has lost an element as an object with the keys "1", "2" ... It is read as a list. */
function withLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withLists);
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const);
  const isList = entries.length > 0 && entries.every(([key]) => /^(0|[1-9]\d{0,8})$/.test(key));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw badRequest("is not JSON in UTF-8", "body");
  }
}

function tooDeep(): Fault {
  return badRequest("is nested too deeply", "body");
}

/** Repeats of a request are compared by this text. Status 400 for a parsed body that JSON cannot write. */
export function bodyText(request: Request): string {
  if (Buffer.isBuffer(request.body)) return request.body.toString("utf8");
  try {
    return JSON.stringify(request.body ?? null);
  } catch {
    throw tooDeep();
  }
}
