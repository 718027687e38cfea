/** Mounts operations on a router. Only this file translates to and from HTTP. */
import { randomUUID } from "node:crypto";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { nearestWord } from "@fiscald/shared/known-keys.js";
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from "express";
import type { Caller } from "../store/access-tokens.js";
import { badRequest, bodyOf, httpStatusOf } from "./api-errors.js";
import { callerAddressOf, limitRequests } from "./callers.js";
import { type ApiOperation, type HttpContext, noBody } from "./endpoint.js";
import { type ReplayedAnswer, repeatKeyOf } from "./idempotency.js";
import { type BodyReader, bodyReader, bodyText, isBodyError, jsonOf, readFault } from "./read-json.js";
import { createFieldWatch } from "./unknown-fields.js";

export interface ApiLimits {
  /** Largest body in bytes; default 5 MB. */
  readonly bodyLimitBytes?: number;
  /** Default: 600 for each token or session, 60 for an address without a token. False: no limit. */
  readonly requestsPerMinute?: number | false;
}

interface ApiOptions<Context extends HttpContext = HttpContext> extends ApiLimits {
  readonly operations: readonly ApiOperation<Context>[];
  readonly backend: Context;
  identify(request: Request): Promise<Caller>;
  /** Default: the delivery API's body for a fault. */
  errorBody?(fault: Fault, request: Request): unknown;
}

const DEFAULT_BODY_LIMIT = 5 * 1024 * 1024;

export function mountApi<Context extends HttpContext>(options: ApiOptions<Context>): Router {
  const { backend, requestsPerMinute, bodyLimitBytes = DEFAULT_BODY_LIMIT } = options;
  const identify = oncePerRequest(options.identify);
  const router = Router();
  if (requestsPerMinute !== false) router.use(limitRequests({ requestsPerMinute, identify }));
  router.use(mountOperations({ ...options, identify }, bodyReader(bodyLimitBytes)));
  router.use(answerFaults(backend, options.errorBody ?? bodyOf));
  return router;
}

/** The limit and the operation both need the caller, and the database is read once. */
function oncePerRequest(identify: ApiOptions["identify"]): ApiOptions["identify"] {
  const asked = new WeakMap<Request, Promise<Caller>>();
  return (request) => {
    const known = asked.get(request) ?? identify(request);
    asked.set(request, known);
    return known;
  };
}

const anonymous: Caller = { resource: 0, name: "", courier: null };

/** No byte of a body is read before its caller is known. */
function mountOperations<Context extends HttpContext>(
  { operations, backend, identify }: ApiOptions<Context>,
  readBody: BodyReader,
): RequestHandler {
  const byName = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  const withParameter = operations.filter(({ path }) => path.endsWith("}"));
  const watchFields = createFieldWatch(operations, backend.logger);
  return async (request, response, next) => {
    const operation = byName.get(nameOf(request)) ?? withParameter.find((known) => lastPartOf(request, known) !== null);
    if (operation === undefined) {
      next(new Fault("api.not-found", { message: noAddressWords(request, operations) }));
      return;
    }
    const caller = operation.open === true ? anonymous : await identify(request);
    await readBody(request, response);
    const body = operation.body === noBody ? null : jsonOf(request);
    const requestId = requestIdOf(request);
    response.set("X-Request-Id", requestId);
    const answer = await operation.execute({
      backend,
      caller,
      requestId,
      warnings: watchFields(operation, caller, body),
      address: callerAddressOf(request),
      now: backend.clock.now(),
      languages: request.get("accept-language"),
      query: parametersOf(request, operation),
      body,
      repeat:
        // The answer to a login is a secret, so it is not stored for repeats.
        operation.method === "get" || operation.open === true
          ? null
          : repeatKeyOf(request.get("idempotency-key"), () => [request.method, request.url, bodyText(request)]),
    });
    send(response, answer);
  };
}

/** Callbacks name the request that caused them by this id. */
function requestIdOf(request: Request): string {
  const given = [request.get("idempotency-key"), request.get("x-request-id")];
  return given.find((id) => id !== undefined && /^[\x21-\x2b\x2d-\x7e]{1,255}$/.test(id)) ?? randomUUID();
}

/** Such as `get /orders`. HEAD counts as GET; Node leaves the body out. */
function nameOf({ method, path }: Request): string {
  return `${method === "HEAD" ? "get" : method.toLowerCase()} ${plainPath(path)}`;
}

function plainPath(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** Null: the operation's path has no parameter, or the request has another address. */
function lastPartOf(request: Request, { method, path }: Pick<ApiOperation, "method" | "path">): string | null {
  const start = `${method} ${path.slice(0, path.lastIndexOf("{"))}`;
  const name = nameOf(request);
  if (!path.endsWith("}") || !name.startsWith(start)) return null;
  const part = name.slice(start.length);
  return part === "" || part.includes("/") ? null : part;
}

function noAddressWords({ method, path }: Request, operations: readonly { method: string; path: string }[]): string {
  const wanted = plainPath(path).slice(0, 64);
  const methods = operations.flatMap((known) => (known.path === wanted ? [known.method.toUpperCase()] : []));
  if (methods.length > 0) return `${wanted} takes ${methods.join(", ")} and not ${method}.`;
  const near = nearestWord(wanted, [...new Set(operations.map((operation) => operation.path))]);
  return `There is no address ${wanted}${near === null ? "" : `; ${near} is near it`}.`;
}

/** A header fills in for a missing parameter where the operation allows that. */
function parametersOf(request: Request, operation: ApiOperation): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const part = lastPartOf(request, operation);
  if (part !== null) found[operation.path.slice(operation.path.lastIndexOf("{") + 1, -1)] = decoded(part);
  const query = request.url.indexOf("?");
  for (const [name, value] of new URLSearchParams(query === -1 ? "" : request.url.slice(query))) {
    if (Object.hasOwn(found, name)) throw badRequest("is given more than once", name.slice(0, 64));
    found[name] = value;
  }
  for (const header of operation.headers ?? []) {
    const value = request.get(header);
    if (value !== undefined) found[header] ??= value;
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Sends no ETag, because the API's document has no status 304. */
function send(response: Response, { status, body }: ReplayedAnswer): void {
  if (body === undefined) {
    response.writeHead(status).end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "content-length": bytes.length });
  response.end(bytes);
}

function answerFaults(
  { logger }: Pick<HttpContext, "logger">,
  errorBody: (fault: Fault, request: Request) => unknown,
): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const fault = toFault(error, "internal");
    if (httpStatusOf(fault) === 500) {
      logger.error("request failed", { fault, method: request.method, path: request.path });
    }
    answerFault(fault, errorBody(fault, request), response);
  };
}

/** Answers errors of the host's body parser, which the API's own router never sees. Passes other errors on. */
export const answerHostFaults: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!isBodyError(error)) return next(error);
  const fault = readFault(error);
  answerFault(fault, bodyOf(fault), response);
};

function answerFault(fault: Fault, body: unknown, response: Response): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (fault.code === "api.unauthorized") response.set("WWW-Authenticate", "Bearer");
  const { retryAfterSeconds } = fault.details;
  if (typeof retryAfterSeconds === "number") response.set("Retry-After", String(retryAfterSeconds));
  send(response, { status: httpStatusOf(fault), body });
}
