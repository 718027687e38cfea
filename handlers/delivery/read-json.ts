import { Fault } from "@fiscald/shared/fault.js";
import express, { type Request, type RequestHandler } from "express";
import { badRequest } from "./api-errors.js";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the whole body as bytes; a body that the host has already parsed is left alone. */
export function bodyReader(limitBytes: number): RequestHandler {
  const readRaw = express.raw({ type: () => true, limit: limitBytes });
  return (request, response, next) => {
    const isParsed = request.body !== undefined && request.body !== null && !Buffer.isBuffer(request.body);
    if (request.method === "GET" || isParsed) {
      next();
      return;
    }
    readRaw(request, response, (error?: unknown) => next(error === undefined ? undefined : readFault(error)));
  };
}

function readFault(error: unknown): Fault {
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : null;
  if (status === 413) return new Fault("api.too-large", { cause: error });
  return new Fault("api.bad-request", { message: "The body cannot be read.", cause: error });
}

/** The JSON of a request that has to have one. 400 for another content type, broken UTF-8, or no JSON. */
export function jsonOf(request: Request): unknown {
  if (!isJson(request.headers["content-type"])) throw badRequest("must be application/json", "Content-Type");
  if (!Buffer.isBuffer(request.body)) return request.body;
  try {
    return JSON.parse(decoder.decode(request.body));
  } catch {
    throw badRequest("is not JSON in UTF-8", "body");
  }
}

/** The body as it is compared between repeats. 400 for one that the host has parsed and nobody can write again. */
export function bodyText(request: Request): string {
  if (Buffer.isBuffer(request.body)) return request.body.toString("utf8");
  try {
    return JSON.stringify(request.body ?? null);
  } catch {
    throw badRequest("is nested too deeply", "body");
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? "");
}
