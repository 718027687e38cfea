/** Pending callbacks in the database, written in the transaction of the change that they report. */
import { randomUUID } from "node:crypto";
import type { DeliveryFailure, OutboxHead, OutboxPort } from "@fiscald/shared/outbox/outbox-port.js";
import { createTaskQueue } from "@fiscald/shared/task-queue.js";
import { type ExpressionBuilder, sql } from "kysely";
import { prepareQuery } from "../../store/prepared-query.js";
import type { HttpContext } from "../http/endpoint.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import type { DeliveryTables, OutboxRow } from "../store/delivery-tables.js";
import { createCallbackPurge } from "./callback-purge.js";
import { renderCallback } from "./render-callback.js";

export const OUTBOX_CHANNEL = "fiscald_delivery_outbox";

export type CallbackKind = "order" | "session";

/** A node holds a callback longer than a delivery lasts, so that other nodes take over only from a dead node. */
const CLAIM_MS = 60_000;
const HEADS_AT_ONCE = 200;

export interface NewCallback {
  readonly kind: CallbackKind;
  readonly resource: number;
  /** An order's `keyText`, or a session's id. Callbacks about one subject keep their order. */
  readonly subject: string;
}

export interface CallbackTimes {
  readonly now: number;
  readonly delayMs: number;
  readonly cause?: string | undefined;
}

/** A waiting callback of the same subject that was not tried yet takes up the new cause and time. */
export async function addCallbacks(
  tx: Writer,
  callbacks: readonly NewCallback[],
  { now, delayMs, cause = undefined }: CallbackTimes,
): Promise<void> {
  await tx
    .insertInto("delivery_outbox")
    .values(
      callbacks.map(({ kind, resource, subject }) => ({
        resource,
        kind,
        lane: `${kind}:${resource}:${subject}`,
        subject,
        state: "fresh",
        webhook_id: null,
        sequence: null,
        body: null,
        attempts: 0,
        due_at: now + delayMs,
        claimed_until: 0,
        last_error: null,
        created_at: now,
        causes: cause ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column("lane")
        .where("state", "=", sql.lit("fresh"))
        .doUpdateSet({ causes: bothCauses, created_at: now }),
    )
    .execute();
}

/** The ids of the requests that caused a callback stand in a header: a list above 1000 characters gets no further id. */
const bothCauses = sql<string | null>`case
  when excluded.causes is null or length(delivery_outbox.causes) > 1000 then delivery_outbox.causes
  when delivery_outbox.causes is null then excluded.causes
  else delivery_outbox.causes || ', ' || excluded.causes end`;

const callbackOf = prepareQuery((db: Reader, resource: number, kind: string) =>
  db
    .selectFrom("delivery_callbacks")
    .select(["url", "is_active"])
    .where((is) => is.and({ resource, kind })),
);

export async function findCallback(db: Reader, resource: number, kind: string) {
  return (await callbackOf(db, resource, kind))[0];
}

export async function saveCallback(tx: Writer, row: DeliveryTables["delivery_callbacks"]): Promise<void> {
  const { url, is_active } = row;
  await tx
    .insertInto("delivery_callbacks")
    .values(row)
    .onConflict((conflict) => conflict.columns(["resource", "kind"]).doUpdateSet({ url, is_active }))
    .execute();
}

// Literals, because the index of waiting callbacks covers only these states.
const waiting = sql<string>`('fresh', 'sending')`;

/** A callback whose body is fixed: every try sends the same. */
export interface FrozenCallback {
  readonly row: OutboxRow;
  readonly url: string;
  readonly secret: string;
  readonly webhookId: string;
  readonly body: string;
}

/**
 * The callbacks as the sender sees them. Several nodes may work on one database. At the age of `giveUpAfterMs` a callback
 * whose receiver is still down gets no further try.
 */
export function callbackOutbox(
  { store, clock, logger }: HttpContext,
  giveUpAfterMs: number,
): OutboxPort<FrozenCallback> {
  // Transactions run one after the other, so that many waiting callbacks leave the API connections and processor time.
  const turns = createTaskQueue();
  const inTurn = <T>(work: (tx: Writer) => Promise<T>) => turns.add(() => store.transaction(work));
  const purge = createCallbackPurge({ transaction: inTurn });

  async function freeze(tx: Writer, row: OutboxRow): Promise<FrozenCallback | null> {
    const target = await targetOf(tx, row);
    if (target === null) return null;
    if (row.body !== null && row.webhook_id !== null) {
      return { row, ...target, webhookId: row.webhook_id, body: row.body };
    }
    const rendered = await renderCallback(tx, row);
    if (rendered === null) return null;
    const webhookId = `msg_${randomUUID()}`;
    const body = JSON.stringify(rendered.body);
    const frozen = { state: "sending", webhook_id: webhookId, sequence: rendered.sequence, body };
    await tx.updateTable("delivery_outbox").set(frozen).where("id", "=", row.id).execute();
    return { row: { ...row, ...frozen }, ...target, webhookId, body };
  }

  async function release(id: number, changes: Partial<OutboxRow>): Promise<void> {
    const values = { ...changes, claimed_until: 0 };
    await inTurn((tx) => tx.updateTable("delivery_outbox").set(values).where("id", "=", id).execute());
  }

  async function finish(id: number, state: "delivered" | "dead", lastError: string | null): Promise<void> {
    await release(id, { state, last_error: lastError });
    await purge(clock.now());
  }

  /** Callbacks of this age would pile up for a receiver that never comes back. */
  async function giveUpOld({ resource, kind }: OutboxRow, lastError: string): Promise<void> {
    const now = clock.now();
    const { numUpdatedRows: count } = await inTurn((tx) =>
      tx
        .updateTable("delivery_outbox")
        .set({ state: "dead", last_error: lastError })
        .where((is) => is.and({ resource, kind }))
        .where("state", "in", waiting)
        .where("claimed_until", "<=", now)
        .where("created_at", "<", now - giveUpAfterMs)
        .executeTakeFirst(),
    );
    if (count === 0n) return;
    logger.error("callbacks are given up: their receiver is down", { resource, callback: kind, count: Number(count) });
    await purge(now);
  }

  return {
    async heads(limit, without) {
      const now = clock.now();
      const query = store.db
        .selectFrom("delivery_outbox as event")
        .select(["event.id", "event.lane", "event.attempts", "event.due_at", "event.claimed_until"])
        .select((event) => urlOf(event).as("url"))
        // PostgreSQL takes the index by `due_at` only if the condition is the same, word for word.
        .where(sql<boolean>`event.state not in ('delivered', 'dead') and event.due_at > 0`)
        .$if(without.size > 0, (query) =>
          query.where(({ eb, refTuple, selectFrom }) => {
            const down = selectFrom("delivery_callbacks")
              .select(["resource", "kind"])
              .where("url", "in", [...without]);
            return eb(refTuple("event.resource", "event.kind"), "not in", down.$asTuple("resource", "kind"));
          }),
        )
        // Joins instead of the two subqueries would make PostgreSQL read all waiting callbacks, because its statistics
        // are from a time when few waited.
        .where(
          ({ selectFrom }) =>
            selectFrom("delivery_outbox as earlier")
              .select(({ fn }) => fn.min("earlier.id").as("id"))
              .where("earlier.state", "in", waiting)
              .whereRef("earlier.lane", "=", "event.lane"),
          ">=",
          ({ ref }) => ref("event.id"),
        )
        .orderBy("event.due_at")
        .limit(Math.max(limit, HEADS_AT_ONCE));
      const rows = await turns.add(() => query.execute());
      // Nodes that begin at different places of a full list seldom want the same callback.
      const from = rows.length < HEADS_AT_ONCE ? 0 : Math.floor(Math.random() * rows.length);
      return [...rows.slice(from), ...rows.slice(0, from)].flatMap((row): readonly OutboxHead[] =>
        row.url === null
          ? []
          : [
              {
                id: row.id,
                lane: row.lane,
                destination: row.url,
                revision: 0,
                tries: row.attempts,
                refusals: 0,
                dueInMs: Math.max(0, Math.max(row.due_at, row.claimed_until) - now),
              },
            ],
      );
    },

    aside: async () => [],

    take: (head) =>
      inTurn(async (tx) => {
        const now = clock.now();
        const row = await tx
          .updateTable("delivery_outbox")
          .set({ claimed_until: now + CLAIM_MS, state: "sending" })
          .where("id", "=", head.id)
          // With `in`, PostgreSQL may read the whole index of lanes in place of the key.
          .where("state", "not in", ["delivered", "dead"])
          .where("claimed_until", "<=", now)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        const frozen = await freeze(tx, row);
        if (frozen === null) {
          await tx.updateTable("delivery_outbox").set({ state: "dead" }).where("id", "=", row.id).execute();
        }
        return frozen;
      }),

    async delivered({ row }) {
      await finish(row.id, "delivered", null);
    },

    async failed({ row }, { fault, againInMs }: DeliveryFailure) {
      if (againInMs === null) return finish(row.id, "dead", fault.message);
      // 0: the receiver is down, which is no try of this callback. The callback goes behind the others, because the
      // receiver may also be unable to take just this callback.
      const isDown = againInMs === 0;
      const tried = isDown ? {} : { attempts: row.attempts + 1 };
      await release(row.id, { ...tried, due_at: clock.now() + againInMs, last_error: fault.message });
      if (isDown) await giveUpOld(row, fault.message);
    },
  };
}

type Tables = DeliveryTables & { readonly event: DeliveryTables["delivery_outbox"] };

function urlOf({ selectFrom }: ExpressionBuilder<Tables, "event">) {
  return selectFrom("delivery_callbacks as callback")
    .select("callback.url")
    .whereRef("callback.resource", "=", "event.resource")
    .whereRef("callback.kind", "=", "event.kind");
}

async function targetOf(tx: Writer, row: OutboxRow): Promise<{ readonly url: string; readonly secret: string } | null> {
  const callback = await tx
    .selectFrom("delivery_callbacks as callback")
    .innerJoin("delivery_resources as resource", "resource.id", "callback.resource")
    .select(["callback.url", "resource.callback_secret as secret"])
    .where((is) => is.and({ "callback.resource": row.resource, "callback.kind": row.kind, "callback.is_active": 1 }))
    .executeTakeFirst();
  return callback ?? null;
}
