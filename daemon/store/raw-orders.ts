import { toKkm } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";

export type RawOrder = Readonly<z.output<typeof rowSchema>>;

const rowSchema = z.object({
  polledKkm: z.string().transform(toKkm),
  receivedAt: z.int(),
  /** Null after `purge` has removed the text. */
  body: z.string().nullable(),
});

export type RawOrders = ReturnType<typeof createRawOrders>;

export function createRawOrders(db: Database) {
  const byId = db.prepare(
    "SELECT polled_kkm AS polledKkm, received_at AS receivedAt, body FROM orders_raw WHERE id = ?",
  );
  const purge = db.prepare(`
    UPDATE orders_raw SET body = NULL WHERE id IN (
    SELECT id FROM orders_raw WHERE body IS NOT NULL AND received_at < @until
      AND NOT EXISTS (
        SELECT 1 FROM jobs WHERE jobs.raw = orders_raw.id AND jobs.state IN ('queued', 'held', 'printing', 'unsure'))
      AND NOT EXISTS (
        SELECT 1 FROM jobs JOIN outbox ON outbox.job = jobs.id
        WHERE jobs.raw = orders_raw.id AND (outbox.state <> 'delivered' OR outbox.delivered_at >= @until))
    LIMIT @limit)`);
  return guarded({
    find(id: number): RawOrder | null {
      const row = byId.get(id);
      return row === undefined ? null : rowSchema.parse(row);
    },
    /** Removes texts received before `until`, unless a job or an event still needs them. Returns their number. */
    purge: (until: number, limit: number) => purge.run({ until, limit }).changes,
  });
}
