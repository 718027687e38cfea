import type { Fault } from "@fiscald/shared/fault.js";
import { type Kkm, type OrderId, type SiteId, toKkm, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import { withoutFlush } from "./database/write-ahead-log.js";
import type { Journal } from "./journal.js";
import { columnsOf } from "./rows/columns.js";
import { taxRowSchema } from "./rows/fiscal-columns.js";
import { cachedJson, fromJson } from "./rows/json-column.js";
import { createKeptReads } from "./rows/kept-reads.js";

export const eventKinds = ["result", "connected", "disconnected", "zreport", "sync", "error"] as const;
export type EventKind = (typeof eventKinds)[number];

/** `refused`: a working site refused the event several times. It is tried once a day, or resent by an operator. */
export const eventStates = ["pending", "delivered", "refused"] as const;
export type EventState = (typeof eventStates)[number];

export interface NewEvent extends Pick<StoredEvent, "site" | "kind" | "lane" | "job" | "register"> {
  readonly body: object;
  /** The tax rows in a list of registers, with their VAT codes; absent for other events. */
  readonly taxRows?: readonly SyncedTaxes[];
  /** The event replaces an undelivered event of its kind and lane, because only the latest event matters. */
  readonly latestOnly: boolean;
}

export interface SyncedTaxes {
  readonly kkm: Kkm;
  readonly taxes: readonly TaxRow[];
}

export type StoredEvent = Readonly<ReturnType<typeof decodeEvent>>;

export type UndeliveredCounts = Readonly<z.output<typeof countsSchema>>;

export interface EventFilter {
  readonly site?: SiteId;
  readonly state?: EventState;
  readonly job?: number;
}

export interface EventFailure {
  readonly fault: Fault;
  readonly refused: boolean;
  readonly aside: boolean;
}

export interface EventPage {
  readonly limit: number;
  readonly offset: number;
}

export interface OutboxStoreOptions {
  readonly db: Database;
  readonly journal: Journal;
  readonly newId: () => string;
  /** Called inside the transaction that queued the event. The event can be delivered after the commit. */
  readonly onAdded: (site: SiteId) => void;
}

const syncedTaxesSchema: z.ZodType<readonly SyncedTaxes[], unknown> = z.array(
  z.object({ kkm: z.string().transform(toKkm), taxes: z.array(taxRowSchema) }),
);
const taxRowsColumn = cachedJson(syncedTaxesSchema);
const bodyColumn = fromJson(z.record(z.string(), z.unknown()));
const countsSchema = z.object({ pending: z.int(), refused: z.int() });
const siteCountSchema = z.object({ site: z.string().transform(toSiteId), count: z.int() });
const siteSchema = z.object({ site: z.string().transform(toSiteId) });
const timeSchema = z.object({ at: z.int().nullable() });

/** SQLite uses a partial index only if the query contains the same condition. */
const undelivered = (state: "pending" | "refused") => `state IN ('pending', 'refused') AND state = '${state}'`;

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/** Events for sites until their delivery. `now` is the wall clock in ms, for display only. */
export function createOutboxStore({ db, journal, newId, onAdded }: OutboxStoreOptions) {
  const statements = prepareStatements(db);
  const kept = createKeptReads(db);
  const newestSynced = kept.keep((site: SiteId) => {
    const row = statements.synced.get(site);
    return row === undefined ? null : decodeSynced(row);
  });

  function record(
    { id, kind, job, register, site }: StoredEvent,
    what: "delivered" | "not delivered" | "set aside",
    now: number,
    details: Readonly<Record<string, unknown>>,
  ): void {
    journal.add({ at: now, actor: "daemon", what: `${kind} ${what}`, event: id, job, register, site, details });
  }

  const markDelivered = db.transaction((event: StoredEvent, now: number): void => {
    const { id, kind, revision, tries } = event;
    if (kind === "sync") kept.forget();
    const { changes } = statements.markDelivered.run({ id, revision, now });
    if (changes > 0) record(event, "delivered", now, { tries: tries + 1 });
  }).immediate;

  return guarded({
    /**
     * Returns the id of the event. Call this in the transaction that makes the event true. A job has one event of a
     * kind per site; a second one replaces the body and is delivered as a new revision.
     */
    add({ site, kind, lane, job, register, latestOnly, ...event }: NewEvent, now: number): number {
      if (kind === "sync") kept.forget();
      const body = JSON.stringify(event.body);
      const taxRows = event.taxRows === undefined ? null : JSON.stringify(event.taxRows);
      const replaced = latestOnly ? statements.replaceUndelivered.get({ site, kind, lane, body, taxRows }) : undefined;
      const parts = { site, kind, lane, job, register, body, taxRows };
      const row = replaced ?? statements.insert.get({ ...parts, webhookId: newId(), now });
      onAdded(site);
      return columnsOf(row).int("id");
    },
    /** Queues an event for another delivery. Returns false if there is no such event. */
    rearm(id: number): boolean {
      kept.forget();
      const row = statements.rearm.get(id);
      if (row !== undefined) onAdded(siteSchema.parse(row).site);
      return row !== undefined;
    },
    withdraw(id: number): void {
      kept.forget();
      statements.withdraw.run(id);
    },
    /** Replaces the body of an event that the site has not taken. A delivery under way keeps the old body. */
    amend: (id: number, body: object) => void statements.amend.run(JSON.stringify(body), id),
    find: (id: number) => decodeAll(statements.byId.all(id))[0] ?? null,
    ofJob: (job: number) => decodeAll(statements.byJob.all(job)),
    /** The newest event of its kind, in the given state if any; null = none. Results are found by their job. */
    latest: (site: SiteId, kind: Exclude<EventKind, "result">, state: EventState | null = null) =>
      decodeAll(statements.newest.all({ site, kind, state }))[0] ?? null,
    /** The lists that the site may have had at a poll of `askedAt`, newest first, from the last one taken before on. */
    syncedTaxes(site: SiteId, askedAt: number): readonly (readonly SyncedTaxes[])[] {
      const isTaken = ({ takenAt }: SyncedList) => takenAt !== null && takenAt < askedAt;
      const newest = newestSynced(site);
      if (newest === null || isTaken(newest)) return newest === null ? [] : [newest.taxes];
      const lists: (readonly SyncedTaxes[])[] = [];
      for (const row of statements.synced.iterate(site)) {
        const list = decodeSynced(row);
        lists.push(list.taxes);
        if (isTaken(list)) break;
      }
      return lists;
    },
    /** Events without a job about unreadable answers with this order, oldest first. */
    ofUnreadOrder: (order: OrderId) => decodeAll(statements.byUnreadOrder.all(order)),
    list: (filter: EventFilter, page: EventPage) => decodeAll(listEvents(db, filter, page)),
    countUndelivered: (site: SiteId) => countsSchema.parse(statements.counts.get({ site })),
    /** Includes sites that are no longer configured. */
    waitingResults(): ReadonlyMap<SiteId, number> {
      const rows = statements.waitingResults.all().map((row) => siteCountSchema.parse(row));
      return new Map(rows.map(({ site, count }) => [site, count]));
    },
    /** Wall clock in ms; null = no event is in this state. */
    oldestAt: (site: SiteId, state: "pending" | "refused") =>
      timeSchema.parse(statements.oldest.get({ site, state })).at,
    /** The oldest pending event of each lane of a site, oldest first, except events of the kinds in `without`. */
    heads(site: SiteId, limit: number, without: ReadonlySet<EventKind> = new Set()): readonly StoredEvent[] {
      const lanes = new Set<string>();
      const ids: number[] = [];
      for (const row of statements.pending.iterate(site)) {
        const { int, text, oneOf } = columnsOf(row);
        const lane = text("lane");
        if (!lanes.has(lane) && !without.has(oneOf("kind", eventKinds))) ids.push(int("id"));
        if (ids.length === limit) break;
        lanes.add(lane);
      }
      return ids.map((id) => decodeEvent(statements.byId.get(id)));
    },
    refused: (site: SiteId) => decodeAll(statements.refused.all(site)),
    /**
     * Has no effect if the event has a newer revision, which is still pending. Is not flushed, because after a power cut
     * the event is only delivered once more, under the same id.
     */
    markDelivered: (event: StoredEvent, now: number) => withoutFlush(db, () => markDelivered(event, now)),
    markFailed: db.transaction((event: StoredEvent, { fault, refused, aside }: EventFailure, now: number): void => {
      const { id, kind, revision } = event;
      if (kind === "sync") kept.forget();
      const error = `${fault.code}: ${fault.message}`;
      const state = aside ? "refused" : "pending";
      statements.markFailed.run({ id, revision, error, refused: refused ? 1 : 0, state });
      // A site that is down for days causes the same fault many times; the journal records the fault once.
      if (error === event.lastError && state === event.state) return;
      record(event, aside ? "set aside" : "not delivered", now, { code: fault.code, reason: fault.message });
    }).immediate,
  });
}

function prepareStatements(db: Database) {
  return {
    insert: db.prepare(`
      INSERT INTO outbox (site, kind, lane, job, register, body, tax_rows, webhook_id, state, created_at)
      VALUES (@site, @kind, @lane, @job, @register, @body, @taxRows, @webhookId, 'pending', @now)
      ON CONFLICT (job, kind, site) DO UPDATE SET
        body = excluded.body, lane = excluded.lane, register = excluded.register, state = 'pending',
        revision = revision + 1, tries = 0, refusals = 0, last_error = NULL, delivered_at = NULL
      RETURNING id`),
    replaceUndelivered: db.prepare(`
      UPDATE outbox
      SET state = 'pending', body = @body, tax_rows = @taxRows, revision = revision + 1, tries = 0, refusals = 0
      WHERE site = @site AND kind = @kind AND lane = @lane AND state IN ('pending', 'refused') RETURNING id`),
    rearm: db.prepare(`
      UPDATE outbox SET state = 'pending', revision = revision + 1, tries = 0, refusals = 0
      WHERE id = ? RETURNING site`),
    amend: db.prepare("UPDATE outbox SET body = ? WHERE id = ? AND state IN ('pending', 'refused')"),
    withdraw: db.prepare("DELETE FROM outbox WHERE id = ? AND state IN ('pending', 'refused')"),
    byId: db.prepare("SELECT * FROM outbox WHERE id = ?"),
    byJob: db.prepare("SELECT * FROM outbox WHERE job = ? ORDER BY id"),
    newest: db.prepare(`
      SELECT * FROM outbox
      WHERE site = @site AND kind = @kind AND kind <> 'result' AND (@state IS NULL OR state = @state)
      ORDER BY id DESC LIMIT 1`),
    synced: db.prepare(`
      SELECT tax_rows, state, delivered_at FROM outbox
      WHERE site = ? AND kind = 'sync' AND kind <> 'result' AND state <> 'refused' AND tax_rows IS NOT NULL
      ORDER BY id DESC`),
    byUnreadOrder: db.prepare(
      "SELECT * FROM outbox WHERE job IS NULL AND json_extract(body, '$.orderId') = ? ORDER BY id",
    ),
    counts: db.prepare(`
      SELECT (SELECT count(*) FROM outbox WHERE site = @site AND ${undelivered("pending")}) AS pending,
             (SELECT count(*) FROM outbox WHERE site = @site AND ${undelivered("refused")}) AS refused`),
    waitingResults: db.prepare(
      `SELECT site, count(*) AS count FROM outbox WHERE ${undelivered("pending")} AND kind = 'result' GROUP BY site`,
    ),
    oldest: db.prepare(`
      SELECT min(created_at) AS at FROM outbox
      WHERE site = @site AND state IN ('pending', 'refused') AND state = @state`),
    pending: db.prepare(`SELECT id, lane, kind FROM outbox WHERE site = +? AND ${undelivered("pending")} ORDER BY id`),
    refused: db.prepare(`SELECT * FROM outbox WHERE site = ? AND ${undelivered("refused")} ORDER BY id`),
    markDelivered: db.prepare(`
      UPDATE outbox SET state = 'delivered', tries = tries + 1, last_error = NULL, delivered_at = @now
      WHERE id = @id AND revision = @revision`),
    markFailed: db.prepare(`
      UPDATE outbox SET state = @state, tries = tries + 1, refusals = refusals + @refused, last_error = @error
      WHERE id = @id AND revision = @revision`),
  };
}

function listEvents(db: Database, { site, state, job }: EventFilter, page: EventPage): unknown[] {
  const conditions = [
    ...(state === undefined ? [] : [state === "delivered" ? "state = 'delivered'" : undelivered(state)]),
    ...(site === undefined ? [] : ["site = @site"]),
    ...(job === undefined ? [] : ["job = @job"]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const sql = `SELECT * FROM outbox ${where} ORDER BY id DESC LIMIT @limit OFFSET @offset`;
  return db.prepare(sql).all({ site, job, ...page });
}

function decodeAll(rows: readonly unknown[]): readonly StoredEvent[] {
  return rows.map(decodeEvent);
}

/** `takenAt` is when the site took the list; null = not yet. */
interface SyncedList {
  readonly taxes: readonly SyncedTaxes[];
  readonly takenAt: number | null;
}

function decodeSynced(row: unknown): SyncedList {
  const { text, int, orNull } = columnsOf(row);
  const takenAt = text("state") === "delivered" ? orNull("delivered_at", int) : null;
  return { taxes: taxRowsColumn.read(text("tax_rows")), takenAt };
}

function decodeEvent(row: unknown) {
  const { int, text, oneOf, orNull } = columnsOf(row);
  const revision = int("revision");
  const webhookId = text("webhook_id");
  return {
    id: int("id"),
    site: toSiteId(text("site")),
    kind: oneOf("kind", eventKinds),
    /** Events of one lane are delivered in order. */
    lane: text("lane"),
    job: orNull("job", int),
    register: orNull("register", (name) => toRegisterId(text(name))),
    body: bodyColumn.parse(text("body")),
    /** The event's `webhook-id` is the same for all tries of a revision, so that the receiver can drop duplicates. */
    webhookId: revision === 0 ? webhookId : `${webhookId}.${revision}`,
    state: oneOf("state", eventStates),
    revision,
    tries: int("tries"),
    /** The number of tries that a working site refused. */
    refusals: int("refusals"),
    lastError: orNull("last_error", text),
    createdAt: int("created_at"),
    deliveredAt: orNull("delivered_at", int),
  };
}
