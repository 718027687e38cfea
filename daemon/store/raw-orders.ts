import { toKkm } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";

/** The answer of a site, verbatim. */
export interface RawOrder {
  readonly polledKkm: string;
  readonly receivedAt: number;
  /** Null after the text was removed (see `purge`). */
  readonly body: string | null;
}

export interface RawOrders {
  find(id: number): RawOrder | null;
  /**
   * Removes up to `limit` texts that were received before `until` and whose events were all delivered before `until`.
   * Texts with an unfinished job or an undelivered event stay. Returns the number of removed texts.
   */
  purge(until: number, limit: number): number;
}

const rowSchema = z.object({
  polled_kkm: z.string().transform(toKkm),
  received_at: z.int(),
  body: z.string().nullable(),
});

export function createRawOrders(db: Database): RawOrders {
  const byId = db.prepare("SELECT polled_kkm, received_at, body FROM orders_raw WHERE id = ?");
  const purge = db.prepare(`
    UPDATE orders_raw SET body = NULL WHERE id IN (
    SELECT id FROM orders_raw WHERE body IS NOT NULL AND received_at < @until
      AND NOT EXISTS (
        SELECT 1 FROM jobs WHERE jobs.raw = orders_raw.id AND jobs.state IN ('queued', 'held', 'printing', 'unsure'))
      AND NOT EXISTS (
        SELECT 1 FROM jobs JOIN outbox ON outbox.job = jobs.id
        WHERE jobs.raw = orders_raw.id AND (outbox.state <> 'delivered' OR outbox.delivered_at >= @until))
    LIMIT @limit)`);
  return guarded<RawOrders>({
    find: (id) => {
      const row = byId.get(id);
      if (row === undefined) return null;
      const { polled_kkm: polledKkm, received_at: receivedAt, body } = rowSchema.parse(row);
      return { polledKkm, receivedAt, body };
    },
    purge: (until, limit) => purge.run({ until, limit }).changes,
  });
}
