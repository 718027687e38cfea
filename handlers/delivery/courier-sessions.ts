/** Couriers' sessions: each takes a licence from its start to its end. */
import { addCallbacks, findCallback, OUTBOX_CHANNEL } from "./callback-outbox.js";
import type { SessionRow } from "./delivery-tables.js";
import type { Backend, Reader, Writer } from "./operation.js";
import { CABINET } from "./records.js";

/** Sessions that a shop sees: of its own couriers and of the cabinet's. */
export function ownersSeenBy(resource: number): readonly number[] {
  return [CABINET, resource];
}

export async function openSessions(db: Reader, owners: readonly number[]): Promise<readonly SessionRow[]> {
  return db
    .selectFrom("delivery_sessions")
    .selectAll()
    .where("finished_at", "is", null)
    .where("owner", "in", owners)
    .orderBy("id")
    .execute();
}

/** Of the whole database: licences are not counted by shop. */
export async function countOpenSessions(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom("delivery_sessions")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("finished_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Ends the sessions and tells the shops that asked to be told. */
export async function closeSessions(
  { backend, tx, now }: { readonly backend: Backend; readonly tx: Writer; readonly now: number },
  sessions: readonly SessionRow[],
): Promise<void> {
  for (const session of sessions) {
    await tx
      .updateTable("delivery_sessions")
      .set({ finished_at: now })
      .where("id", "=", session.id)
      .where("finished_at", "is", null)
      .execute();
    const callbacks = [];
    for (const resource of await shopsOf(tx, session.owner)) {
      const callback = await findCallback(tx, resource, "session");
      if (callback?.is_active !== 1) continue;
      callbacks.push({ kind: "session" as const, resource, subject: String(session.id) });
    }
    if (callbacks.length === 0) continue;
    await addCallbacks(tx, callbacks, { now, delayMs: 0 });
    await backend.store.notifyAtCommit(tx, OUTBOX_CHANNEL);
  }
}

/** A courier of the cabinet works for all shops. */
async function shopsOf(db: Reader, owner: number): Promise<readonly number[]> {
  if (owner !== CABINET) return [owner];
  const rows = await db.selectFrom("delivery_resources").select("id").orderBy("id").execute();
  return rows.map((row) => row.id);
}
