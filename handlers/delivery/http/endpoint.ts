import type { Clock } from "@fiscald/shared/clock.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Kysely, Transaction } from "kysely";
import { z } from "zod";
import type { Store } from "../../store/open-store.js";
import type { FiscalTask } from "../account/fiscal-tasks.js";
import type { LoginLimit } from "../couriers/login-limit.js";
import type { FiscalMount } from "../fiscal-mount.js";
import type { CommitScope } from "../orders/commit.js";
import type { OrderChange } from "../orders/journal.js";
import type { OrderKey } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { DeliveryTables } from "../store/delivery-tables.js";
import { badRequest, firstIssue, invalid, pathText } from "./api-errors.js";
import { findKeptAnswer, type RepeatKey, runOnce } from "./idempotency.js";
import type { PageBase } from "./paging.js";

export type DeliveryStore = Store<DeliveryTables>;
/** For reading: the store's own connection or a transaction. */
export type Reader = Kysely<DeliveryTables>;
/** For writing: always inside a transaction. */
export type Writer = Transaction<DeliveryTables>;

/** What all operations of one router share. */
export interface Backend {
  readonly store: DeliveryStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly rules: BackendRules;
  /** Makes receipts of orders; null where the shop prints in another way. */
  readonly bridge: OrderBridge | null;
  readonly loginLimit: LoginLimit;
  readonly fiscalMount: FiscalMount;
  /** Calls an address once, as callbacks do; a Fault says why it did not take it. */
  testCallback(call: TestCall): Promise<void>;
}

export interface OrderBridge {
  /**
   * Queues the receipts that have become due, in the transaction that made them so, and makes those anew that nobody has
   * yet and that would say what the order says no more. Fault "api.invalid" for a change of what a receipt says that was
   * handed out.
   */
  followOrders(scope: CommitScope, changes: readonly OrderChange[]): Promise<void>;
  /** Takes back the receipts of an order that nobody has yet. False when one was handed out or printed. */
  withdraw(scope: CommitScope, order: StoredOrder): Promise<boolean>;
  /** Takes back one queued receipt. False when it was handed out already. */
  withdrawReceipt(tx: Writer, resource: number, task: FiscalTask): Promise<boolean>;
  /** Receipts that the kit took out of the queue for a late result become due anew. */
  renewTakenBack(scope: CommitScope, key: OrderKey): Promise<void>;
  /**
   * A receipt is registered that nobody counted on: what was made of these orders meanwhile becomes due anew. Returns what
   * somebody has, or may have, already.
   */
  takeBackUndecided(
    scope: CommitScope,
    orders: readonly OrderKey[],
    what?: "returns" | "settlement and returns",
  ): Promise<readonly FiscalTask[]>;
}

export interface BackendRules {
  /** Delivery statuses change only along the document's arrows (domain 8.5); off = any move, in the journal. */
  readonly strictTransitions: boolean;
  /** A receipt at the time of a prepayment, besides the one at delivery (domain 5.4). */
  readonly printPrepaymentReceipt: boolean;
  /** Changes of one order within this time are one callback. */
  readonly coalesceMs: number;
  /** How long a courier's session lasts. */
  readonly sessionMs: number;
  /** `page` of the first page of every list but `/locations`, where it is 1. */
  readonly pageBase: PageBase;
  /** Of the shops' registers, whose results carry wall time. */
  readonly registerTimeZone: string;
  /** N of scrypt, for couriers' passwords. */
  readonly passwordCost: number;
}

export interface TestCall {
  readonly resource: number;
  readonly url: string;
  readonly body: unknown;
}

/** Who calls: a shop's token, or a courier's session (`courier` is null for a shop). */
export interface Caller {
  readonly resource: number;
  /** Stands in the journal as the source of a change. */
  readonly name: string;
  readonly courier: CourierCaller | null;
}

export interface CourierCaller {
  readonly sessionId: number;
  readonly courierId: string;
  /** 0 = a courier of the cabinet. */
  readonly owner: number;
}

export interface Call<Query, Body> {
  readonly backend: Backend;
  readonly caller: Caller;
  readonly query: Query;
  readonly body: Body;
  /** Where the request comes from; of IPv6 the network. */
  readonly address: string;
  /** Milliseconds since the epoch, one moment for the whole call. */
  readonly now: number;
}

export interface Answer {
  readonly status: number;
  /** Undefined for 204. */
  readonly body?: unknown;
}

export type Method = "get" | "post" | "put" | "delete";

/** An operation as the document and the router see it. */
export interface OperationDescription {
  readonly method: Method;
  /** Below the base address, e.g. `/orders`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  /** Success statuses with the schema of their bodies; null = empty. */
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  readonly example: OperationExample;
  /** Query parameters that may come as a header of the same name instead. */
  readonly headers?: readonly string[];
  /** Nobody has to be known: the courier's login. */
  readonly open?: true;
}

export interface OperationExample {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Further ones beside `body`, by what they do. */
  readonly otherBodies?: Readonly<Record<string, unknown>>;
  readonly answer?: unknown;
}

/** A request whose caller is known and whose body is JSON. */
export interface RawRequest {
  readonly backend: Backend;
  readonly caller: Caller;
  readonly address: string;
  readonly now: number;
  readonly query: unknown;
  readonly body: unknown;
  /** Null when the caller does not ask for it. */
  readonly repeat: RepeatKey | null;
}

/** Of operations whose request has no body. */
export const noBody = z.null();

/** An operation closed over its types. */
export interface Operation extends OperationDescription {
  readonly query: z.ZodType;
  readonly body: z.ZodType;
  execute(request: RawRequest): Promise<Answer>;
}

interface ReadSpec<Query extends z.ZodType> extends OperationDescription {
  readonly query: Query;
  run(call: Call<z.output<Query>, null>, db: Reader): Promise<Answer>;
}

interface WriteSpec<Query extends z.ZodType, Body extends z.ZodType> extends OperationDescription {
  readonly query: Query;
  readonly body: Body;
  /** In the transaction that also keeps the answer for repeats. May run again after a collision of two nodes. */
  run(call: Call<z.output<Query>, z.output<Body>>, tx: Writer): Promise<Answer>;
  /** Slow work before the transaction (a password's hash, a test call), done once; gives the body to go on with. */
  prepare?(call: Call<z.output<Query>, z.output<Body>>): Promise<z.output<Body>>;
}

export function readOperation<Query extends z.ZodType>(spec: ReadSpec<Query>): Operation {
  return {
    ...spec,
    body: noBody,
    async execute(request) {
      const query = parseQuery(spec.query, request.query);
      return spec.run({ ...contextOf(request), query, body: null }, request.backend.store.db);
    },
  };
}

export function writeOperation<Query extends z.ZodType, Body extends z.ZodType>(
  spec: WriteSpec<Query, Body>,
): Operation {
  return {
    ...spec,
    async execute(request) {
      const query = parseQuery(spec.query, request.query);
      const given = { ...contextOf(request), query, body: parseBody(spec.body, request.body) };
      if (spec.prepare === undefined) return runOnce(request, (tx) => spec.run(given, tx));
      // A repeat is answered before anything slow, or visible from outside, is done again.
      const kept = await findKeptAnswer(request);
      if (kept !== null) return kept;
      let body: z.output<Body>;
      try {
        body = await spec.prepare(given);
      } catch (error) {
        // The same request may have been answered meanwhile.
        const answered = await findKeptAnswer(request);
        if (answered !== null) return answered;
        throw error;
      }
      return runOnce(request, (tx) => spec.run({ ...given, body }, tx));
    },
  };
}

function contextOf({ backend, caller, address, now }: RawRequest) {
  return { backend, caller, address, now };
}

function parseQuery<Query extends z.ZodType>(schema: Query, value: unknown): z.output<Query> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = firstIssue(parsed.error);
  throw badRequest(message, pathText(path));
}

/** A body of another kind than the document's (array or object) is 400, wrong data in it 422. */
export function parseBody<Body extends z.ZodType>(schema: Body, value: unknown): z.output<Body> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = firstIssue(parsed.error);
  if (path.length === 0 && !isTooLong(parsed.error)) throw badRequest(message, "body");
  throw invalid(path.length === 0 ? "body" : pathText(path), message);
}

function isTooLong(error: z.ZodError): boolean {
  return error.issues[0]?.code === "too_big";
}
