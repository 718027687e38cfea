import type { Clock } from "@fiscald/shared/clock.js";
import { checkShape } from "@fiscald/shared/http/schema-problems.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { z } from "zod";
import type { Caller } from "../store/access-tokens.js";
import type { DeliveryStore, Reader, Writer } from "../store/delivery-store.js";
import { badRequest, invalidAll, problemLines } from "./api-errors.js";
import { type Answer, findStoredAnswer, type RepeatableCall, runOnce } from "./idempotency.js";

/** The part of a router's shared objects that the HTTP layer needs. */
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
  /** Where the request comes from; of IPv6 the network. */
  readonly address: string;
  /** Milliseconds since the epoch, one moment for the whole call. */
  readonly now: number;
}

export type HttpMethod = "get" | "post" | "put" | "delete";

/** An operation as the document and the router see it. */
export interface OperationDescription {
  readonly method: HttpMethod;
  /** Below the base address, e.g. `/orders`; `/receipts/{receiptId}` takes its last part as a parameter. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  /** Success statuses with the schema of their bodies; null = empty. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  readonly example: OperationExample;
  /** Query parameters that may come as a header of the same name instead. */
  readonly headers?: readonly string[];
  /** No caller needed: the courier's login. */
  readonly open?: true;
}

export interface OperationExample {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Further examples beside `body`, by their purpose. */
  readonly otherBodies?: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
}

/** A request whose caller is known and whose body is JSON. */
export interface RawRequest<Context extends HttpContext = HttpContext> extends ApiCall<Context, unknown, unknown> {
  readonly repeat: RepeatableCall["repeat"];
}

/** Of operations whose request has no body. */
export const noBody = z.null();

/** An operation closed over its types. */
export interface ApiOperation<Context extends HttpContext = HttpContext> extends OperationDescription {
  readonly query: z.ZodObject;
  readonly body: z.ZodType;
  execute(request: RawRequest<Context>): Promise<Answer>;
}

export interface ReadSpec<Context, Query extends z.ZodObject> extends OperationDescription {
  readonly query: Query;
  run(call: ApiCall<Context, z.output<Query>, null>, db: Reader): Promise<Answer>;
}

export interface WriteSpec<Context, Query extends z.ZodObject, Body extends z.ZodType> extends OperationDescription {
  readonly query: Query;
  readonly body: Body;
  /** In the transaction that also keeps the answer for repeats. May run again after a collision of two nodes. */
  run(call: ApiCall<Context, z.output<Query>, z.output<Body>>, tx: Writer): Promise<Answer>;
  /** Slow work before the transaction (a password's hash, a test call), done once; returns the body for `run`. */
  prepare?(call: ApiCall<Context, z.output<Query>, z.output<Body>>): Promise<z.output<Body>>;
}

/** The makers of operations over one kind of shared context. */
export function operationsOf<Context extends HttpContext>() {
  return {
    readOperation: <Query extends z.ZodObject>(spec: ReadSpec<Context, Query>): ApiOperation<Context> => ({
      ...spec,
      body: noBody,
      async execute(request) {
        const query = parseQuery(spec.query, request.query);
        return spec.run({ ...request, query, body: null }, request.backend.store.db);
      },
    }),

    writeOperation: <Query extends z.ZodObject, Body extends z.ZodType>(
      spec: WriteSpec<Context, Query, Body>,
    ): ApiOperation<Context> => ({
      ...spec,
      async execute(request) {
        const query = parseQuery(spec.query, request.query);
        const given = { ...request, query, body: parseBody(spec.body, request.body) };
        if (spec.prepare === undefined) return runOnce(request, (tx) => spec.run(given, tx));
        // A repeat is answered before anything slow, or visible from outside, is done again.
        const stored = await findStoredAnswer(request);
        if (stored !== null) return stored;
        const body = await spec.prepare(given);
        return runOnce(request, (tx) => spec.run({ ...given, body }, tx));
      },
    }),
  };
}

/** Clients send them with every list. */
const paging = ["page", "count"];

/** 400 also for a parameter that the address does not have: a filter that is ignored would answer something else. */
function parseQuery<Query extends z.ZodObject>(schema: Query, given: unknown): z.output<Query> {
  const names = Object.keys(schema.shape);
  for (const name of Object.keys(z.record(z.string(), z.unknown()).parse(given))) {
    if (names.includes(name) || paging.includes(name)) continue;
    const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
    throw badRequest(`is not a parameter of this address; ${known}`, name.slice(0, 64));
  }
  const { value, problems } = checkShape(schema, given);
  if (problems === null) return value;
  throw badRequest(problemLines(problems), problems[0]?.place);
}

/** A body of another kind than the document's (array or object) is 400, wrong data in it 422. */
export function parseBody<Body extends z.ZodType>(schema: Body, given: unknown): z.output<Body> {
  const { value, problems } = checkShape(schema, given);
  if (problems === null) return value;
  const wrongKind = problems.find((problem) => problem.isWrongKind);
  if (wrongKind !== undefined) throw badRequest(wrongKind.message, "body");
  throw invalidAll(problems.map((problem) => (problem.place === "" ? { ...problem, place: "body" } : problem)));
}
