import type { OrderId, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { JournalWord } from "../messages/messages.js";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import type { Job } from "./job.js";
import { fromJson } from "./rows/json-column.js";

export interface JournalEntry {
  readonly at: number;
  readonly actor: "daemon" | "operator";
  readonly what: JournalWord;
  readonly job?: number | null;
  readonly register?: RegisterId | null;
  readonly site?: SiteId | null;
  readonly event?: number | null;
  readonly raw?: number | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type StoredJournalEntry = Readonly<z.output<typeof rowSchema>>;

/** A receipt has the order mark of a job that was printed as another document. */
export const PRINTED_TWICE = "printed twice";
/** A receipt has the order mark of a job that is recorded as not printed. */
export const PRINTED_AFTER_ALL = "printed after all";

/** The site answered with a web page and no order. The site is in trouble as long as it answers so. */
export const NO_ORDER = "a web page, no order";
/** A person has dealt with the subject of the entry: an unreadable answer of a site, or a doubled receipt. */
export const PUT_AWAY = "put away by the operator";

export const FAILED = "failed";
/** `details.asks` is the question: a further receipt, or the printed one? `details.earlier` is the earlier job. */
export const ASKED = "the operator is asked";
const questionSchema = z.object({ asks: z.enum(["sell-again", "return-again"]), earlier: z.int() });
export const NO_REASON = "no reason given";
/** A person has seen that the job was not printed, and leaves the job unprinted. */
export const SET_ASIDE = "set aside by the operator";

/** The return, or the payment of credit, has goods or rates that its sale lacks; `details.warnings` names them. */
export const OTHER_THAN_SALE = "the return differs from its sale";
/** The order was accepted although something in it is odd; `details.warnings` says what is odd. */
export const ODD_ORDER = "the order is odd";
/** The register printed the receipt otherwise than it was ordered; `details.warnings` says what is otherwise. */
export const PRINTED_ODDLY = "printed, but not quite as wanted";
const warningsSchema = z.object({
  warnings: z.array(z.object({ path: z.string(), text: z.object({ en: z.string(), ru: z.string() }) })),
});
const differencesSchema = z.object({
  differences: z.array(z.object({ tag: z.int(), sent: z.string(), read: z.string().nullable() })),
});
/** The registered document differs from what was sent; `details.differences` lists the differences. */
export const DOCUMENT_DIFFERS = "document differs";
const ratesSchema = z.object({ rates: z.array(z.int().nullable()) });
/** The order is accepted and waits for a person; `details.reason` says why. */
export const HELD = "held for a person";
/** A person puts the receipt of `of` right by `jobs`, which are printed one after the other. All have this entry. */
export const REPAIR = "receipt put right by the operator";
const repairSchema = z.object({
  case: z.string(),
  of: z.int().nullable(),
  jobs: z.array(z.int()),
  reason: z.string(),
});
export type Repair = Readonly<z.output<typeof repairSchema>>;
/** On the return `details.of` is the job of the sale; on the sale `details.by` is the job of the return. */
export const RETURNED = "returned by the operator";
export const APPROVED = "approved by the operator";
export const RETRIED = "retried by the operator";
export const PRINT_ANYWAY = "print anyway";
export const TRIED_AGAIN = "order repeated, tried again";
/** The failed order came with other content or for another register. The job has the new content since then. */
export const MENDED = "order mended, tried again";
const ways: readonly string[] = [RETRIED, PRINT_ANYWAY, TRIED_AGAIN, MENDED];

const rowSchema = z.object({
  id: z.int(),
  at: z.int(),
  actor: z.enum(["daemon", "operator"]),
  what: z.string(),
  job: z.int().nullable(),
  register: z.string().nullable(),
  site: z.string().nullable(),
  event: z.int().nullable(),
  raw: z.int().nullable(),
  details: fromJson(z.record(z.string(), z.unknown())),
  since: z.int().optional(),
});

export type Journal = ReturnType<typeof createJournal>;

/** The journal is append-only. Add an entry in the transaction of the decision that the entry records. */
export function createJournal(db: Database) {
  const insert = db.prepare(
    `INSERT INTO journal (at, actor, what, job, register, site, event, raw, details)
     VALUES (@at, @actor, @what, @job, @register, @site, @event, @raw, @details)`,
  );
  const byJob = db.prepare("SELECT * FROM journal WHERE job = +? ORDER BY id");
  // The text is searched before the JSON is read, because few entries match.
  const ofResult = db.prepare(`
    SELECT * FROM journal WHERE job = +@job
      AND (instr(details, 'receipt.id-reused') AND details ->> 'code' = 'receipt.id-reused'
        OR instr(details, 'warnings') AND details ->> 'warnings' <> ''
          AND id > (SELECT coalesce(max(id), 0) FROM journal WHERE job = +@job AND what = '${MENDED}'))
    ORDER BY id`);
  const byUnreadOrder = db.prepare(`
    SELECT * FROM journal WHERE job IS NULL AND (
      json_extract(details, '$.order') = @order
      OR event IN (SELECT id FROM outbox WHERE job IS NULL AND json_extract(body, '$.orderId') = @order))
    ORDER BY id`);
  // Equal answers are one entry, with the time of the first as `since`. It goes once the newest is put away.
  const rejected = db.prepare(`
    SELECT * FROM (
      SELECT journal.*, min(at) OVER same AS since, max(journal.id) OVER same AS newest
      FROM journal JOIN orders_raw ON orders_raw.id = raw
      WHERE job IS NULL AND raw IS NOT NULL AND at >= @since AND (at < @before OR what = '${PUT_AWAY}')
        AND what <> '${NO_ORDER}'
      WINDOW same AS (PARTITION BY journal.site, coalesce(details ->> 'order', ''), hash))
    WHERE id = newest AND what <> '${PUT_AWAY}' ORDER BY at DESC LIMIT @limit`);
  // SQLite uses a partial index only if the query contains the same condition.
  const isDouble = `what IN ('${PRINTED_TWICE}', '${PRINTED_AFTER_ALL}')`;
  const doubles = db.prepare(`SELECT * FROM journal WHERE ${isDouble} AND at >= ? ORDER BY at DESC LIMIT ?`);
  const differing = db.prepare(
    `SELECT * FROM journal WHERE job BETWEEN ? AND ? AND register = ? AND what = '${DOCUMENT_DIFFERS}' ORDER BY id`,
  );
  const countDoubles = db.prepare(`SELECT count(*) FROM journal WHERE ${isDouble} AND at > 0`).pluck();
  const decode = (rows: readonly unknown[]): readonly StoredJournalEntry[] => rows.map((row) => rowSchema.parse(row));
  const absent = { job: null, register: null, site: null, event: null, raw: null };

  return guarded({
    add({ details = {}, ...entry }: JournalEntry): void {
      insert.run({ ...absent, ...entry, details: JSON.stringify(details) });
    },
    ofJob: (job: number) => decode(byJob.all(job)),
    /** Warnings about the job's present content, and the reuse of another receipt's id. */
    ofResult: (job: number) => decode(ofResult.all({ job })),
    /** Entries without a job, oldest first: unreadable answers with this order, and the deliveries of their events. */
    ofUnreadOrder: (order: OrderId) => decode(byUnreadOrder.all({ order })),
    /** Answers of sites that may be an order and became no job, until a person puts them away; newest first. */
    rejectedAnswers: (since: number, limit: number, before = Number.MAX_SAFE_INTEGER) =>
      decode(rejected.all({ since, before, limit })),
    doubles: (since: number, limit: number) => decode(doubles.all(since, limit)),
    /** Entries about documents that differ from what was sent, for jobs with ids `from` to `to`. */
    differing: (register: RegisterId, from: number, to: number) => decode(differing.all(from, to, register)),
    countDoubles: () => Number(countDoubles.get()),
  });
}

/** Null: no person is asked about this order. */
export function questionOf(journal: Pick<Journal, "ofJob">, { id }: Pick<Job, "id">) {
  return questionSchema.safeParse(journal.ofJob(id).find(({ what }) => what === ASKED)?.details).data ?? null;
}

export function warningsIn(history: readonly StoredJournalEntry[]) {
  return history.flatMap(({ details }) => warningsSchema.safeParse(details).data?.warnings ?? []);
}

export function differencesIn(history: readonly StoredJournalEntry[]) {
  return history.flatMap(({ details }) => differencesSchema.safeParse(details).data?.differences ?? []);
}

/** A position (tag 1199) that shows no rate may have the right one. The other tags are a correction's sums by rate. */
export function isOtherRate({ tag, read }: { readonly tag: number; readonly read: string | null }): boolean {
  return tag === 1199 ? read !== null : (tag >= 1102 && tag <= 1107) || tag === 1115;
}

/** The VAT codes in the document's positions, if the register altered a rate; null = the register altered none. */
export function ratesReadIn(history: readonly StoredJournalEntry[]) {
  const read = history.flatMap(({ details }) => ratesSchema.safeParse(details).data ?? []);
  return read.at(-1)?.rates ?? null;
}

/** Whether the register has the receipt of a job that is recorded as not printed, and nobody put the finding away. */
export function isPrintedAfterAll(journal: Pick<Journal, "ofJob">, { id, state }: Pick<Job, "id" | "state">): boolean {
  const entry = journal
    .ofJob(id)
    .findLast(({ what, event }) => what === PRINTED_AFTER_ALL || (what === PUT_AWAY && event === null));
  return state !== "printed" && entry?.what === PRINTED_AFTER_ALL;
}

export function repairOf(journal: Pick<Journal, "ofJob">, { id }: Pick<Job, "id">): Repair | null {
  const entry = journal.ofJob(id).findLast(({ what }) => what === REPAIR);
  return entry === undefined ? null : repairSchema.parse(entry.details);
}

/** The job of the sale that a person's return is for; null = the job is no return by a person. */
export function returnOf(journal: Pick<Journal, "ofJob">, { id }: Pick<Job, "id">): number | null {
  const entry = journal.ofJob(id).find(({ what, details }) => what === RETURNED && "of" in details);
  return entry === undefined ? null : z.int().parse(entry.details["of"]);
}

/** The job that must be printed before this job; null = there is none. */
export function jobBefore(journal: Pick<Journal, "ofJob">, job: Pick<Job, "id">): number | null {
  const { jobs = [] } = repairOf(journal, job) ?? {};
  return jobs[jobs.indexOf(job.id) - 1] ?? null;
}

export function isSetAside(journal: Pick<Journal, "ofJob">, { id }: Pick<Job, "id">): boolean {
  return journal.ofJob(id).findLast(({ what }) => what === FAILED || what === SET_ASIDE)?.what === SET_ASIDE;
}

/** Whether a person set this cancelled job aside while it was held, and did not cancel it. */
export function wasSetAsideWhileHeld(journal: Pick<Journal, "ofJob">, { id }: Pick<Job, "id">): boolean {
  return journal.ofJob(id).findLast(({ actor }) => actor === "operator")?.what === SET_ASIDE;
}

/**
 * The job was tried again after its site heard of the failure. An order that the site sent since does not know of that.
 * The first entry does not count, because a copy made by `print-anyway` begins with it.
 */
export function wasRetried(journal: Pick<Journal, "ofJob">, { id }: Pick<Job, "id">): boolean {
  return journal
    .ofJob(id)
    .slice(1)
    .some(({ what }) => ways.includes(what));
}
