import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express";
import { bodyOf, statusOf } from "./api-errors.js";
import { type Answer, type Backend, type Caller, noBody, type Operation } from "./operation.js";
import { bodyText, jsonOf } from "./read-json.js";
import { repeatKeyOf } from "./repeats.js";

export interface MountOptions {
  readonly operations: readonly Operation[];
  readonly backend: Backend;
  /** Who calls; Fault "api.unauthorized" when nobody we know. */
  identify(request: Request): Promise<Caller>;
}

const nobody: Caller = { resource: 0, name: "", courier: null };

/** Every operation at its method and path; HTTP is translated here and nowhere else. */
export function mountOperations({ operations, backend, identify }: MountOptions): RequestHandler {
  const byAddress = operationsByAddress(operations);
  return async (request, response, next) => {
    const operation = byAddress.get(addressOf(request));
    if (operation === undefined) {
      next(new Fault("api.not-found", { message: "There is no such address." }));
      return;
    }
    const caller = operation.open === true ? nobody : await identify(request);
    const answer = await operation.execute({
      backend,
      caller,
      now: backend.clock.now(),
      query: parametersOf(request, operation),
      body: operation.body === noBody ? null : jsonOf(request),
      repeat:
        // A login's answer is a secret: it is not kept.
        operation.method === "get" || operation.open === true
          ? null
          : repeatKeyOf(request.get("idempotency-key"), () => [request.method, request.url, bodyText(request)]),
    });
    send(response, answer);
  };
}

/** Of a stranger no body is read. */
export function identifyFirst({ operations, identify }: MountOptions): RequestHandler {
  const byAddress = operationsByAddress(operations);
  return async (request, _response, next) => {
    const operation = byAddress.get(addressOf(request));
    if (operation !== undefined && operation.open !== true) await identify(request);
    next();
  };
}

function operationsByAddress(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  return new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
}

/** `get /orders`, as the operations are named; HEAD is a GET whose body Node leaves out. */
function addressOf({ method, path }: Request): string {
  const plainPath = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return `${method === "HEAD" ? "get" : method.toLowerCase()} ${plainPath}`;
}

/** The query as text values; what the operation also takes from headers fills the gaps. */
function parametersOf(request: Request, operation: Operation): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const query = request.url.indexOf("?");
  if (query !== -1) for (const [name, value] of new URLSearchParams(request.url.slice(query))) found[name] = value;
  for (const header of operation.headers ?? []) {
    const value = request.get(header);
    if (value !== undefined) found[header] ??= value;
  }
  return found;
}

/** Without an ETag: the document knows no 304. */
function send(response: Response, { status, body }: Answer): void {
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** The one place where a fault becomes an answer; what is our own mistake is logged here, once. */
export function answerFaults(backend: Backend): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const fault = toFault(error, "internal");
    if (statusOf(fault) === 500) logMistake(backend, fault, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (fault.code === "api.unauthorized") response.set("WWW-Authenticate", "Bearer");
    const { retryAfterSeconds } = fault.details;
    if (typeof retryAfterSeconds === "number") response.set("Retry-After", String(retryAfterSeconds));
    send(response, { status: statusOf(fault), body: bodyOf(fault) });
  };
}

function logMistake(backend: Backend, fault: Fault, request: Request): void {
  backend.logger.error("request failed", { fault, method: request.method, path: request.path });
}
