/** Repeats of a request with an `Idempotency-Key`: the first answer is kept for a day and given again. */
import { createHash } from "node:crypto";
import { badRequest, invalid } from "./api-errors.js";
import type { Answer, RawRequest, Writer } from "./operation.js";
import { lockShop } from "./shop-lock.js";

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_KEY_LENGTH = 255;

export interface RepeatKey {
  readonly key: string;
  /** Of method, address and body: the same key for another request is a mistake of the caller. */
  readonly requestHash: string;
}

/** Null without the header. */
export function repeatKeyOf(header: string | undefined, request: readonly [string, string, string]): RepeatKey | null {
  if (header === undefined) return null;
  if (header.length === 0 || header.length > MAX_KEY_LENGTH || /[^\x20-\x7e]/.test(header)) {
    throw badRequest(`must have 1 to ${MAX_KEY_LENGTH} printable characters`, "Idempotency-Key");
  }
  return { key: header, requestHash: createHash("sha256").update(request.join("\n")).digest("hex") };
}

/**
 * Runs the work in a transaction. With a key, the key is taken first: another node with the same key waits for our
 * commit and then finds our answer. A failure keeps nothing, so the repeat is a new try.
 */
export async function runOnce(
  { backend, caller, now, repeat }: RawRequest,
  work: (tx: Writer) => Promise<Answer>,
): Promise<Answer> {
  return backend.store.transaction(async (tx) => {
    await lockShop(backend.store.kind, tx, caller.resource);
    if (repeat === null) return work(tx);
    const key = `${caller.courier === null ? "shop" : `courier ${caller.courier.courierId}`} ${repeat.key}`;
    await tx
      .deleteFrom("delivery_idempotency")
      .where("created_at", "<", now - KEPT_FOR_MS)
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
    if (taken.numInsertedOrUpdatedRows === 0n) return keptAnswer(tx, caller.resource, key, repeat.requestHash);
    const answer = await work(tx);
    await tx
      .updateTable("delivery_idempotency")
      .set({ status: answer.status, body: answer.body === undefined ? null : JSON.stringify(answer.body) })
      .where("resource", "=", caller.resource)
      .where("idempotency_key", "=", key)
      .execute();
    return answer;
  });
}

async function keptAnswer(tx: Writer, resource: number, key: string, requestHash: string): Promise<Answer> {
  const kept = await tx
    .selectFrom("delivery_idempotency")
    .select(["request_hash", "status", "body"])
    .where("resource", "=", resource)
    .where("idempotency_key", "=", key)
    .executeTakeFirstOrThrow();
  if (kept.request_hash !== requestHash) {
    throw invalid("Idempotency-Key", "was used before with another request");
  }
  return kept.body === null ? { status: kept.status } : { status: kept.status, body: JSON.parse(kept.body) };
}
