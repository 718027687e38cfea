/** Answers repeats of a request with an `Idempotency-Key`: the first answer is stored for a day and sent again. */
import { createHash } from "node:crypto";
import type { Caller } from "../store/access-tokens.js";
import { type DeliveryStore, lockShop, type Reader, type Writer } from "../store/delivery-store.js";
import type { DeliveryTables } from "../store/delivery-tables.js";
import { badRequest, invalid } from "./api-errors.js";

const STORED_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_KEY_LENGTH = 255;

export interface RepeatKey {
  readonly key: string;
  /** A hash of method, address and body. The same key with another hash is a mistake of the caller. */
  readonly requestHash: string;
}

export interface ReplayedAnswer {
  readonly status: number;
  readonly body?: unknown;
}

export interface RepeatableCall {
  readonly backend: { readonly store: DeliveryStore };
  readonly caller: Caller;
  readonly now: number;
  readonly repeat: RepeatKey | null;
}

export function repeatKeyOf(
  header: string | undefined,
  request: () => readonly [method: string, url: string, body: string],
): RepeatKey | null {
  if (header === undefined) return null;
  if (header.length === 0 || header.length > MAX_KEY_LENGTH || /[^\x20-\x7e]/.test(header)) {
    throw badRequest(`must have 1 to ${MAX_KEY_LENGTH} printable characters`, "Idempotency-Key");
  }
  return { key: header, requestHash: createHash("sha256").update(request().join("\n")).digest("hex") };
}

/** Stores the key first, so that a node with the same key waits and finds our answer. A failure is not stored. */
export async function runOnce(
  { backend, caller, now, repeat }: RepeatableCall,
  work: (tx: Writer) => Promise<ReplayedAnswer>,
): Promise<ReplayedAnswer> {
  return backend.store.transaction(async (tx) => {
    await lockShop(backend.store.kind, tx, caller.resource);
    if (repeat === null) return work(tx);
    const key = storedKey(caller, repeat);
    await tx
      .deleteFrom("delivery_idempotency")
      .where("created_at", "<", now - STORED_FOR_MS)
      .execute();
    const taken = await tx
      .insertInto("delivery_idempotency")
      .values({
        resource: caller.resource,
        idempotency_key: key,
        request_hash: repeat.requestHash,
        status: 0,
        body: null,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (taken.numInsertedOrUpdatedRows === 0n) {
      const stored = await findRow(tx, caller, repeat);
      if (stored === undefined) throw new Error("the stored answer is gone");
      return answerOf(stored, repeat);
    }
    const answer = await work(tx);
    await tx
      .updateTable("delivery_idempotency")
      .set({ status: answer.status, body: answer.body === undefined ? null : JSON.stringify(answer.body) })
      .where((is) => is.and({ resource: caller.resource, idempotency_key: key }))
      .execute();
    return answer;
  });
}

/** Null: there is no earlier answer. Fault "api.invalid" when the key was used for another request. */
export async function findStoredAnswer({
  backend,
  caller,
  now,
  repeat,
}: RepeatableCall): Promise<ReplayedAnswer | null> {
  if (repeat === null) return null;
  const stored = await findRow(backend.store.db, caller, repeat);
  return stored === undefined || stored.created_at < now - STORED_FOR_MS ? null : answerOf(stored, repeat);
}

function findRow(db: Reader, caller: Caller, repeat: RepeatKey) {
  return db
    .selectFrom("delivery_idempotency")
    .select(["request_hash", "status", "body", "created_at"])
    .where((is) => is.and({ resource: caller.resource, idempotency_key: storedKey(caller, repeat) }))
    .executeTakeFirst();
}

function storedKey({ courier }: Caller, { key }: RepeatKey): string {
  return `${courier === null ? "shop" : `courier ${courier.courierId}`} ${key}`;
}

type StoredAnswer = Pick<DeliveryTables["delivery_idempotency"], "request_hash" | "status" | "body">;

function answerOf({ request_hash: requestHash, status, body }: StoredAnswer, repeat: RepeatKey): ReplayedAnswer {
  if (requestHash !== repeat.requestHash) throw invalid("Idempotency-Key", "was used before with another request");
  return body === null ? { status } : { status, body: JSON.parse(body) };
}
