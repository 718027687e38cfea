import type { Clock } from "@fiscald/shared/clock.js";
import { checkShape } from "@fiscald/shared/http/schema-problems.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Caller } from "../store/access-tokens.js";
import type { DeliveryStore, Reader, Writer } from "../store/delivery-store.js";
import { badRequest, invalidAll, type Problem, problemLines } from "./api-errors.js";
import { findStoredAnswer, type RepeatableCall, type ReplayedAnswer, runOnce } from "./idempotency.js";
import { idIn } from "./wire-types.js";

export interface HttpContext {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ApiCall<Context, Query, Body> {
  readonly backend: Context;
  readonly caller: Caller;
  readonly query: Query;
  readonly body: Body;
  /** For IPv6 the network of the address. */
  readonly address: string;
  readonly now: number;
  readonly languages: string | undefined;
  /** The request's `Idempotency-Key`, else its `X-Request-Id`, else a new UUID. */
  readonly requestId: string;
  /** Adds a warning about an accepted request to the answer and to the log. */
  warn(place: string, message: string): void;
}

export type HttpMethod = "get" | "post" | "put" | "delete";

/** What the OpenAPI document and the router need to know of an operation. */
export interface OperationDescription {
  readonly method: HttpMethod;
  /** The path below the base address, e.g. `/orders`; in `/receipts/{receiptId}` the last part is a parameter. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly status: number;
  /** Null: a success has no body. */
  readonly answer: z.ZodType | null;
  readonly example: OperationExample;
  /** Query parameters that may come as a header of the same name instead. */
  readonly headers?: readonly string[];
  /** The caller needs no token, as at a courier's login. */
  readonly open?: true;
}

export interface OperationExample {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly otherBodies?: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
}

export interface RawRequest<Context extends HttpContext = HttpContext>
  extends Omit<ApiCall<Context, unknown, unknown>, "warn"> {
  readonly repeat: RepeatableCall["repeat"];
  readonly warnings: readonly Problem[];
}

export const noBody = z.null();

/** An operation without its type parameters, so that a router can hold all operations in one list. */
export interface ApiOperation<Context extends HttpContext = HttpContext> extends OperationDescription {
  readonly query: z.ZodObject;
  readonly body: z.ZodType;
  execute(request: RawRequest<Context>): Promise<ReplayedAnswer>;
}

type SpecDescription = Omit<OperationDescription, "tag" | "status" | "answer"> & {
  readonly tag?: string;
};

export interface ReadSpec<Context, Query extends z.ZodObject> extends Omit<SpecDescription, "method"> {
  readonly query: Query;
  readonly answer: z.ZodType;
  run(call: ApiCall<Context, z.output<Query>, null>, db: Reader): Promise<unknown>;
}

export interface WriteSpec<Context, Query extends z.ZodObject, Body extends z.ZodType> extends SpecDescription {
  readonly query: Query;
  readonly body: Body;
  /** Absent: the answer has no body, and its status is 204. */
  readonly answer?: z.ZodType;
  readonly status?: number;
  /** Returns the answer's body. May be called again, because its transaction may collide with another node's. */
  run(call: ApiCall<Context, z.output<Query>, z.output<Body>>, tx: Writer): Promise<unknown>;
  /** Does slow work once, before the transaction (a password's hash, a test call). Returns the body for `run`. */
  prepare?(call: ApiCall<Context, z.output<Query>, z.output<Body>>): Promise<z.output<Body>>;
}

const noQuery = z.object({});
type NoQuery = typeof noQuery;

export function operationsOf<Context extends HttpContext>() {
  type Operation = ApiOperation<Context>;

  function readOperation<Query extends z.ZodObject>(spec: ReadSpec<Context, Query>): Operation;
  function readOperation(spec: Omit<ReadSpec<Context, NoQuery>, "query">): Operation;
  function readOperation(given: Omit<ReadSpec<Context, NoQuery>, "query">): Operation {
    const spec = { tag: firstPart(given.path), query: noQuery, ...given, status: 200, body: noBody };
    return {
      ...spec,
      method: "get",
      async execute(request) {
        const query = parseQuery(spec.query, request.query);
        // A request that only reads has no body to warn about.
        const body = await spec.run({ ...request, query, body: null, warn() {} }, request.backend.store.db);
        return { status: spec.status, body };
      },
    };
  }

  type Write<Query extends z.ZodObject, Body extends z.ZodType> = WriteSpec<Context, Query, Body>;
  function writeOperation<Query extends z.ZodObject, Body extends z.ZodType>(spec: Write<Query, Body>): Operation;
  function writeOperation<Body extends z.ZodType>(spec: Omit<Write<NoQuery, Body>, "query">): Operation;
  function writeOperation(given: Omit<Write<NoQuery, z.ZodType>, "query">): Operation {
    const { answer = null, status = answer === null ? 204 : 201 } = given;
    const spec = { tag: firstPart(given.path), query: noQuery, ...given, status, answer };
    return {
      ...spec,
      async execute(request) {
        const query = parseQuery(spec.query, request.query);
        const noticed = [...request.warnings];
        const into = (found: Problem[]) => (place: string, message: string) => void found.push({ place, message });
        const call = { ...request, query, body: parseBody(spec.body, request.body), warn: into(noticed) };
        const answerTo = async (asked: typeof call, tx: Writer): Promise<ReplayedAnswer> => {
          // `run` may be called again after a collision of two nodes.
          const warnings = [...noticed];
          const body = await spec.run({ ...asked, warn: into(warnings) }, tx);
          const news = warnings.slice(request.warnings.length);
          if (news.length > 0) request.backend.store.afterCommit(tx, () => logWarnings(request, given.path, news));
          return answer === null ? { status } : { status, body: withWarnings(body, warnings) };
        };
        if (spec.prepare === undefined) return runOnce(request, (tx) => answerTo(call, tx));
        // A repeated request gets the stored answer, so that nothing slow or visible from outside is done twice.
        const stored = await findStoredAnswer(request);
        if (stored !== null) return stored;
        const body = await spec.prepare(call);
        return runOnce(request, (tx) => answerTo({ ...call, body }, tx));
      },
    };
  }

  return { readOperation, writeOperation };
}

function logWarnings(request: RawRequest, path: string, warnings: readonly Problem[]): void {
  const { resource, name: token } = request.caller;
  for (const { place, message } of warnings) {
    const fields = { resource, token, request: path, ...orderAt(request, place) };
    request.backend.logger.warn(`${place} of a request ${message}`, fields);
  }
}

const ordersNamed = z.object({ orderId: idIn.optional(), orderIds: z.array(idIn).optional() }).catch({});

/** The order that the place belongs to. Its array element names it, else the body or the address. */
function orderAt({ query, body }: RawRequest, place: string): { readonly orderId?: string } {
  const index = Number(/\d+/.exec(place)?.[0]);
  const { orderId = ordersNamed.parse(query).orderId, orderIds } = ordersNamed.parse(
    Array.isArray(body) ? body[index] : body,
  );
  const named = orderIds?.[index] ?? orderId;
  return named === undefined ? {} : { orderId: named };
}

/** Puts each warning into its own object: a warning about `[2].phone` into the third. */
function withWarnings(body: unknown, warnings: readonly Problem[]): unknown {
  if (warnings.length === 0) return body;
  if (!Array.isArray(body)) return warned(body, warnings);
  return body.map((element: unknown, index) => {
    const own = warnings.filter(({ place }) => place.startsWith(`[${index}]`));
    return warned(
      element,
      own.map(({ place, message }) => ({ place: place.replace(/^\[\d+\]\.?/, ""), message })),
    );
  });
}

function warned(body: unknown, warnings: readonly Problem[]): unknown {
  if (warnings.length === 0 || typeof body !== "object" || body === null) return body;
  return { ...body, warnings: warnings.map(({ place: path, message }) => ({ path, message })) };
}

function firstPart(path: string): string {
  return path.split("/")[1] ?? "";
}

/** Clients send these parameters with every list, so no operation refuses them. */
const paging = ["page", "count"];

/** An unknown parameter is refused with status 400: an ignored filter would give another answer. */
function parseQuery<Query extends z.ZodObject>(schema: Query, given: unknown): z.output<Query> {
  const names = Object.keys(schema.shape);
  for (const name of Object.keys(z.record(z.string(), z.unknown()).parse(given))) {
    if (names.includes(name) || paging.includes(name)) continue;
    const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
    throw badRequest(`is not a parameter of this address; ${known}`, name.slice(0, 64));
  }
  const { value, problems } = checkShape(schema, given);
  if (problems === null) return value;
  const named = problems.map((problem) =>
    problem.message === "is required" ? { ...problem, message: "is required as a query parameter" } : problem,
  );
  throw badRequest(problemLines(named), named[0]?.place);
}

/** Status 400 for another type than the document's (array or object), 422 for wrong data inside. */
export function parseBody<Body extends z.ZodType>(schema: Body, given: unknown): z.output<Body> {
  const { value, problems } = checkShape(schema, given);
  if (problems === null) return value;
  const wrongKind = problems.find((problem) => problem.isWrongKind);
  if (wrongKind !== undefined) throw badRequest(wrongKind.message, "body");
  throw invalidAll(problems.map((problem) => (problem.place === "" ? { ...problem, place: "body" } : problem)));
}
