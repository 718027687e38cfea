import type { DeliveryStore } from "../store/delivery-store.js";

type Transactions = Pick<DeliveryStore, "transaction">;

const DAY_MS = 24 * 60 * 60 * 1000;
/** A delivered callback can be shown and sent again for this time, which the API's document publishes. */
export const keepDeliveredMs = 7 * DAY_MS;
export const keepDeadMs = 90 * DAY_MS;

const PURGE_EVERY_MS = 60 * 60 * 1000;
/** Rows that one transaction deletes, so that other writers get their turn in between. */
const AT_ONCE = 500;

/** Call the result whenever a callback was delivered or has failed for good: it works at most once an hour. */
export function createCallbackPurge(store: Transactions): (now: number) => Promise<void> {
  let purgedAt = Number.NEGATIVE_INFINITY;
  return async (now) => {
    if (now - purgedAt < PURGE_EVERY_MS) return;
    purgedAt = now;
    await purge(store, "delivered", now - keepDeliveredMs);
    await purge(store, "dead", now - keepDeadMs);
  };
}

async function purge(store: Transactions, state: "delivered" | "dead", before: number): Promise<void> {
  for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
    const { numDeletedRows } = await store.transaction((tx) =>
      tx
        .deleteFrom("delivery_outbox")
        .where("id", "in", (expression) =>
          expression
            .selectFrom("delivery_outbox")
            .select("id")
            .where("state", "=", state)
            .where("created_at", "<", before)
            .limit(AT_ONCE),
        )
        .executeTakeFirst(),
    );
    deleted = Number(numDeletedRows);
  }
}
