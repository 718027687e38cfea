/** Sessions of couriers. Each session takes a licence from its start to its end. */
import { addCallbacks, findCallback, OUTBOX_CHANNEL } from "../callbacks/callback-outbox.js";
import { CABINET } from "../catalog/records.js";
import type { CommitScope } from "../orders/order-change.js";
import type { Reader } from "../store/delivery-store.js";
import type { SessionRow } from "../store/delivery-tables.js";

export function visibleOwners(resource: number): readonly number[] {
  return [CABINET, resource];
}

export type SessionScope = Pick<CommitScope, "backend" | "tx" | "now">;

interface OfSessions {
  readonly owners: readonly number[];
  readonly courierId?: string;
  readonly deviceId?: string;
  readonly startedAfter: number;
}

export async function openSessions(db: Reader, where: OfSessions): Promise<readonly SessionRow[]> {
  const { courierId, deviceId } = where;
  return db
    .selectFrom("delivery_sessions")
    .selectAll()
    .where("finished_at", "is", null)
    .where("started_at", ">", where.startedAfter)
    .where("owner", "in", where.owners)
    .$if(courierId !== undefined, (query) => query.where("courier_id", "=", courierId ?? ""))
    .$if(deviceId !== undefined, (query) => query.where("device_id", "=", deviceId ?? ""))
    .orderBy("id")
    .execute();
}

export async function isKnownDevice(
  db: Reader,
  where: { readonly resourceId: number; readonly courierId: string; readonly deviceId: string },
): Promise<boolean> {
  const session = await db
    .selectFrom("delivery_sessions")
    .select("id")
    .where("owner", "in", visibleOwners(where.resourceId))
    .where((is) => is.and({ courier_id: where.courierId, device_id: where.deviceId }))
    .limit(1)
    .executeTakeFirst();
  return session !== undefined;
}

export async function countOpenSessions(db: Reader, startedAfter: number): Promise<number> {
  const { count } = await db
    .selectFrom("delivery_sessions")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("finished_at", "is", null)
    .where("started_at", ">", startedAfter)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Sessions that have lasted their time and were not closed: the next login closes them. */
export async function expiredSessions({ backend, tx, now }: SessionScope): Promise<readonly SessionRow[]> {
  return tx
    .selectFrom("delivery_sessions")
    .selectAll()
    .where("finished_at", "is", null)
    .where("started_at", "<=", now - backend.rules.sessionMs)
    .execute();
}

export async function closeCourierSessions(scope: SessionScope, owner: number, courierId: string): Promise<void> {
  await closeSessions(scope, await openSessions(scope.tx, { owners: [owner], courierId, startedAfter: 0 }));
}

export async function closeSessions(
  { backend, tx, now }: SessionScope,
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
