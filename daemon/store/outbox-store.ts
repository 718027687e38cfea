import type { Fault } from "@fiscald/shared/fault.js";
import { type OrderId, type RegisterId, type SiteId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guardStore } from "./database/store-fault.js";
import type { Journal } from "./journal.js";
import { columnsOf } from "./rows/columns.js";
import { fromJson } from "./rows/json-column.js";

export const eventKinds = ["result", "connected", "disconnected", "zreport", "sync", "error"] as const;
export type EventKind = (typeof eventKinds)[number];

/** `refused`: a live site did not want it; it stands aside, is tried once a day and can be resent. */
export const eventStates = ["pending", "delivered", "refused"] as const;
export type EventState = (typeof eventStates)[number];

export interface NewEvent {
  readonly site: SiteId;
  readonly kind: EventKind;
  /** Events of one lane are delivered in order. */
  readonly lane: string;
  readonly job: number | null;
  readonly register: RegisterId | null;
  readonly body: object;
  /** It takes the place of one of its lane that still waits: only the latest of them means anything. */
  readonly latestOnly: boolean;
}

export interface StoredEvent {
  readonly id: number;
  readonly site: SiteId;
  readonly kind: EventKind;
  readonly lane: string;
  readonly job: number | null;
  readonly register: RegisterId | null;
  readonly body: Readonly<Record<string, unknown>>;
  /** Constant over the repeats of one revision: the receiver drops those. */
  readonly webhookId: string;
  readonly state: EventState;
  readonly revision: number;
  readonly tries: number;
  /** How many of them the live site refused. */
  readonly refusals: number;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly deliveredAt: number | null;
}

export interface UndeliveredCounts {
  readonly pending: number;
  readonly refused: number;
}

export interface EventFilter {
  readonly site?: SiteId;
  readonly state?: EventState;
  readonly job?: number;
}

export interface EventFailure {
  readonly fault: Fault;
  /** The live site did not want it. */
  readonly refused: boolean;
  /** It stands aside from now on. */
  readonly aside: boolean;
}

/** Facts for the sites that wait for their delivery. `now` is the wall clock in ms, for people only. */
export interface OutboxStore {
  /**
   * Inside the transaction that makes it true. A job has one event of a kind per site: a second one takes its place,
   * with the new body, as something new to deliver.
   */
  add(event: NewEvent, now: number): number;
  /** Delivers an event once more. False when there is none of this id. */
  rearm(id: number): boolean;
  find(id: number): StoredEvent | null;
  ofJob(job: number): readonly StoredEvent[];
  /** The newest of its kind, in this state if one is given; null = there is none. Results are found by their job. */
  latest(site: SiteId, kind: Exclude<EventKind, "result">, state?: EventState): StoredEvent | null;
  /** What was said of answers with this order that could not be read: no job has it. Oldest first. */
  ofUnreadOrder(order: OrderId): readonly StoredEvent[];
  /** Newest first. */
  list(filter: EventFilter, page: { readonly limit: number; readonly offset: number }): readonly StoredEvent[];
  countUndelivered(site: SiteId): UndeliveredCounts;
  /** How many results wait, by site: those of a site that is configured no longer wait for ever. */
  waitingResults(): ReadonlyMap<SiteId, number>;
  /** Wall clock of the oldest event that is not delivered, null when there is none. */
  oldestPendingAt(site: SiteId): number | null;

  /** Oldest waiting event of each lane of a site, oldest first. */
  heads(site: SiteId, limit: number): readonly StoredEvent[];
  refused(site: SiteId): readonly StoredEvent[];
  /** Without effect when it was armed again meanwhile: then the new revision still waits. */
  markDelivered(event: StoredEvent, now: number): void;
  markFailed(event: StoredEvent, failure: EventFailure, now: number): void;
}

export interface OutboxStoreOptions {
  readonly db: Database;
  readonly journal: Journal;
  /** A fresh id, globally unique. */
  readonly newId: () => string;
  /** There is something new to deliver, once the present transaction is committed. */
  readonly onAdded: (site: SiteId) => void;
}

const bodyColumn = fromJson(z.record(z.string(), z.unknown()));
const countsSchema = z.object({ pending: z.int(), refused: z.int() });
const siteCountSchema = z.object({ site: z.string().transform(toSiteId), count: z.int() });
const siteSchema = z.object({ site: z.string().transform(toSiteId) });
const timeSchema = z.object({ at: z.int().nullable() });

/** SQLite uses a partial index only for a query that says the same condition. */
const undelivered = (state: "pending" | "refused") => `state IN ('pending', 'refused') AND state = '${state}'`;

export function createOutboxStore({ db, journal, newId, onAdded }: OutboxStoreOptions): OutboxStore {
  const insert = db.prepare(`
    INSERT INTO outbox (site, kind, lane, job, register, body, webhook_id, state, created_at)
    VALUES (@site, @kind, @lane, @job, @register, @body, @webhookId, 'pending', @now)
    ON CONFLICT (job, kind, site) DO UPDATE SET
      body = excluded.body, lane = excluded.lane, register = excluded.register, state = 'pending',
      revision = revision + 1, tries = 0, refusals = 0, last_error = NULL, delivered_at = NULL
    RETURNING id`);
  const replaceWaiting = db.prepare(`
    UPDATE outbox SET body = @body, revision = revision + 1, refusals = 0
    WHERE site = @site AND kind = @kind AND lane = @lane AND ${undelivered("pending")} RETURNING id`);
  const rearmOne = db.prepare(`
    UPDATE outbox SET state = 'pending', revision = revision + 1, tries = 0, refusals = 0 WHERE id = ? RETURNING site`);
  const byId = db.prepare("SELECT * FROM outbox WHERE id = ?");
  const byJob = db.prepare("SELECT * FROM outbox WHERE job = ? ORDER BY id");
  const newest = db.prepare(`
    SELECT * FROM outbox WHERE site = @site AND kind = @kind AND kind <> 'result' AND (@state IS NULL OR state = @state)
    ORDER BY id DESC LIMIT 1`);
  const byUnreadOrder = db.prepare(
    "SELECT * FROM outbox WHERE job IS NULL AND json_extract(body, '$.orderId') = ? ORDER BY id",
  );
  const counts = db.prepare(`
    SELECT (SELECT count(*) FROM outbox WHERE site = @site AND ${undelivered("pending")}) AS pending,
           (SELECT count(*) FROM outbox WHERE site = @site AND ${undelivered("refused")}) AS refused`);
  const results = db.prepare(
    `SELECT site, count(*) AS count FROM outbox WHERE ${undelivered("pending")} AND kind = 'result' GROUP BY site`,
  );
  const oldest = db.prepare(`SELECT min(created_at) AS at FROM outbox WHERE site = ? AND ${undelivered("pending")}`);
  const waiting = db.prepare(`SELECT * FROM outbox WHERE site = ? AND ${undelivered("pending")} ORDER BY id`);
  const setAside = db.prepare(`SELECT * FROM outbox WHERE site = ? AND ${undelivered("refused")} ORDER BY id`);
  const delivered = db.prepare(`
    UPDATE outbox SET state = 'delivered', tries = tries + 1, last_error = NULL, delivered_at = @now
    WHERE id = @id AND revision = @revision`);
  const failed = db.prepare(`
    UPDATE outbox SET state = @state, tries = tries + 1, refusals = refusals + @refused, last_error = @error
    WHERE id = @id AND revision = @revision`);

  const decodeAll = (rows: readonly unknown[]) => rows.map(decodeEvent);
  function note(what: string, event: StoredEvent, now: number, details: Readonly<Record<string, unknown>> = {}): void {
    const { id, job, register, site } = event;
    journal.add({ at: now, actor: "daemon", what: `${event.kind} ${what}`, event: id, job, register, site, details });
  }

  const recordDelivered = db.transaction((event: StoredEvent, now: number) => {
    const { id, revision } = event;
    if (delivered.run({ id, revision, now }).changes > 0) note("delivered", event, now, { tries: event.tries + 1 });
  });

  const recordFailed = db.transaction((event: StoredEvent, { fault, refused, aside }: EventFailure, now: number) => {
    const { id, revision } = event;
    const error = `${fault.code}: ${fault.message}`;
    failed.run({ id, revision, error, refused: refused ? 1 : 0, state: aside ? "refused" : "pending" });
    // A site that is out for days says the same thing a thousand times: once is enough for the story.
    if (error === event.lastError && (aside ? "refused" : "pending") === event.state) return;
    note(aside ? "set aside" : "not delivered", event, now, { code: fault.code, reason: fault.message });
  });

  return {
    add: (event, now) =>
      guardStore(() => {
        const { site, kind, lane, job, register, latestOnly } = event;
        const body = JSON.stringify(event.body);
        const replaced = latestOnly ? replaceWaiting.get({ site, kind, lane, body }) : undefined;
        const row = replaced ?? insert.get({ site, kind, lane, job, register, body, webhookId: newId(), now });
        onAdded(site);
        return columnsOf(row).int("id");
      }),
    rearm: (id) =>
      guardStore(() => {
        const row = rearmOne.get(id);
        if (row !== undefined) onAdded(siteSchema.parse(row).site);
        return row !== undefined;
      }),
    find: (id) =>
      guardStore(() => {
        const row = byId.get(id);
        return row === undefined ? null : decodeEvent(row);
      }),
    ofJob: (job) => guardStore(() => decodeAll(byJob.all(job))),
    latest: (site, kind, state) =>
      guardStore(() => decodeAll(newest.all({ site, kind, state: state ?? null }))[0] ?? null),
    ofUnreadOrder: (order) => guardStore(() => decodeAll(byUnreadOrder.all(order))),
    list: (filter, page) => guardStore(() => decodeAll(listEvents(db, filter, page))),
    countUndelivered: (site) => guardStore(() => countsSchema.parse(counts.get({ site }))),
    waitingResults: () =>
      guardStore(() => {
        const rows = results.all().map((row) => siteCountSchema.parse(row));
        return new Map(rows.map(({ site, count }) => [site, count]));
      }),
    oldestPendingAt: (site) => guardStore(() => timeSchema.parse(oldest.get(site)).at),
    heads: (site, limit) =>
      guardStore(() => {
        const heads = new Map<string, StoredEvent>();
        for (const row of waiting.iterate(site)) {
          const lane = columnsOf(row).text("lane");
          if (!heads.has(lane)) heads.set(lane, decodeEvent(row));
          if (heads.size === limit) break;
        }
        return [...heads.values()];
      }),
    refused: (site) => guardStore(() => decodeAll(setAside.all(site))),
    markDelivered: (event, now) => guardStore(() => recordDelivered.immediate(event, now)),
    markFailed: (event, failure, now) => guardStore(() => recordFailed.immediate(event, failure, now)),
  };
}

/** Newest first. */
function listEvents(
  db: Database,
  { site, state, job }: EventFilter,
  page: { readonly limit: number; readonly offset: number },
): unknown[] {
  const conditions = [
    ...(state === undefined ? [] : [state === "delivered" ? "state = 'delivered'" : undelivered(state)]),
    ...(site === undefined ? [] : ["site = @site"]),
    ...(job === undefined ? [] : ["job = @job"]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const sql = `SELECT * FROM outbox ${where} ORDER BY id DESC LIMIT @limit OFFSET @offset`;
  return db.prepare(sql).all({ site, job, ...page });
}

function decodeEvent(row: unknown): StoredEvent {
  const { int, text, oneOf, orNull } = columnsOf(row);
  const revision = int("revision");
  const webhookId = text("webhook_id");
  return {
    id: int("id"),
    site: toSiteId(text("site")),
    kind: oneOf("kind", eventKinds),
    lane: text("lane"),
    job: orNull("job", int),
    register: orNull("register", (name) => toRegisterId(text(name))),
    body: bodyColumn.parse(text("body")),
    webhookId: revision === 0 ? webhookId : `${webhookId}.${revision}`,
    state: oneOf("state", eventStates),
    revision,
    tries: int("tries"),
    refusals: int("refusals"),
    lastError: orNull("last_error", text),
    createdAt: int("created_at"),
    deliveredAt: orNull("delivered_at", int),
  };
}
