import { randomUUID } from "node:crypto";
import { Fault } from "@fiscald/shared/fault.js";
import type { DeliveryStore, Writer } from "../store/delivery-store.js";
import type { OutboxRow } from "../store/delivery-tables.js";
import { OUTBOX_CHANNEL } from "./callback-outbox.js";

export const callbackStates = ["fresh", "sending", "delivered", "dead"] as const;
export type CallbackState = (typeof callbackStates)[number];

export async function listCallbacks(
  store: DeliveryStore,
  { state, limit = 50 }: { readonly state?: CallbackState | undefined; readonly limit?: number },
) {
  return store.db
    .selectFrom("delivery_outbox")
    .select(["id", "resource", "kind", "subject", "state", "attempts"])
    .select(["last_error as lastError", "created_at as createdAt"])
    .$if(state !== undefined, (query) => query.where("state", "=", state ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** A callback about an order or a session gets a new body, which shows the present state. Others keep their body. */
async function renewalOf(tx: Writer, id: number): Promise<Partial<OutboxRow>> {
  const row = await tx.selectFrom("delivery_outbox").select("kind").where("id", "=", id).executeTakeFirst();
  const isMadeHere = row?.kind === "order" || row?.kind === "session";
  return isMadeHere ? { body: null, webhook_id: null, sequence: null } : { webhook_id: `msg_${randomUUID()}` };
}

/**
 * Delivers callbacks again; their tries and age count from now. With `state: "dead"` a body and `webhook-id` stay as
 * they were. A single callback, which its receiver may have taken before, gets the order as it is now, a new
 * `webhook-id` and the next sequence number, so that no receiver takes it for a repeat. Returns how many.
 */
export async function replayCallbacks(
  store: DeliveryStore,
  which: { readonly id: number } | { readonly state: "dead" },
  now: number,
): Promise<number> {
  return store.transaction(async (tx) => {
    const renewed = "id" in which ? await renewalOf(tx, which.id) : {};
    const { numUpdatedRows } = await tx
      .updateTable("delivery_outbox")
      .set({ state: "sending", attempts: 0, due_at: now, claimed_until: 0, created_at: now, ...renewed })
      .where("state", "in", ["dead", "delivered"])
      .where((is) => is.and(which))
      .executeTakeFirst();
    if ("id" in which && numUpdatedRows === 0n) {
      throw new Fault("api.not-found", { message: `There is no callback ${which.id} that was delivered or given up.` });
    }
    await store.notifyAtCommit(tx, OUTBOX_CHANNEL);
    return Number(numUpdatedRows);
  });
}
