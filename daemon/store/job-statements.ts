import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { OrderId, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import { z } from "zod";
import type { Database, Statement } from "./database/sqlite-file.js";
import { isUnfinished as isOpenState, type JobState } from "./job.js";
import { ASKED, FAILED, SET_ASIDE } from "./journal.js";

export interface JobFilter {
  readonly state?: JobState;
  readonly site?: SiteId;
  readonly register?: RegisterId;
  readonly orderId?: OrderId;
  /** A GLOB pattern of the order's id. Only the newest jobs are searched. */
  readonly orderLike?: string;
  /** Only the newest jobs are searched, because there is no index. */
  readonly total?: Kopecks;
  /** The document's number or fiscal sign (FP) on any drive. Only the newest jobs are searched. */
  readonly document?: number;
  /** The time of creation, from this time on and before `before`, by the wall clock in ms. */
  readonly from?: number;
  readonly before?: number;
  /** Jobs that have lacked a receipt and needed a person since this time, wall clock in ms (see `isMissing`). */
  readonly missingSince?: number;
  /** Printed on that day by the register's clock, or else paid or created on it (see `orderedAt`). */
  readonly ofDay?: { readonly day: string; readonly from: number; readonly before: number };
  readonly limit: number;
  readonly offset?: number;
}

// SQLite uses a partial index only if the query contains the same condition.
const isOpen = "state IN ('queued', 'held', 'printing', 'unsure')";
const isNotPrinted = "state IN ('failed', 'refused', 'cancelled')";

export const briefColumns =
  "id, order_id, state, source, site, register, forced, done_parts, tries, fault_code, fault_message, created_at, updated_at";

/** Newest first. The query contains only the given conditions, so that SQLite finds a fitting index. */
export function listJobs(
  db: Database,
  columns: "*" | typeof briefColumns,
  {
    state,
    site,
    register,
    orderId,
    orderLike,
    total,
    document,
    from,
    before,
    missingSince,
    ofDay,
    limit,
    offset = 0,
  }: JobFilter,
): unknown[] {
  // An order is refused when it comes, so a refused job that was created before `missingSince` is not meant.
  const since = from ?? (state === "refused" ? missingSince : undefined);
  const newest =
    total === undefined && document === undefined && orderLike === undefined ? null : lastId(db) - NEWEST_SEARCHED;
  const conditions = [
    ...(state === undefined || state === "printed" ? [] : [isOpenState(state) ? isOpen : isNotPrinted]),
    ...(state === undefined ? [] : ["state = @state"]),
    ...(site === undefined ? [] : ["site = @site"]),
    ...(register === undefined ? [] : ["register = @register"]),
    ...(orderId === undefined ? [] : ["order_id = @orderId"]),
    ...(orderLike === undefined ? [] : ["order_id GLOB @orderLike"]),
    ...(newest === null ? [] : ["id > @newest"]),
    ...(total === undefined ? [] : ["total = @total"]),
    ...(document === undefined ? [] : ["(fd = @document OR CAST(fiscal_sign AS INTEGER) = @document)"]),
    ...(since === undefined ? [] : ["id >= @first"]),
    ...(before === undefined ? [] : ["id < @end"]),
    ...(missingSince === undefined ? [] : [isMissing]),
    ...(ofDay === undefined ? [] : [isOfDay]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return db.prepare(`SELECT ${columns} FROM jobs ${where} ORDER BY id DESC LIMIT @limit OFFSET @offset`).all({
    ...{ state, site, register, orderLike, total, document, newest, missingSince, limit, offset },
    orderId: identityOf(orderId ?? null),
    first: since === undefined ? null : firstIdFrom(db, since),
    end: before === undefined ? null : firstIdFrom(db, before),
    ...(ofDay === undefined ? {} : boundsOf(db, ofDay)),
  });
}

export function sumDay(db: Database, ofDay: NonNullable<JobFilter["ofDay"]>): unknown {
  return db
    .prepare(
      `SELECT coalesce(sum(total) FILTER (WHERE operation = 'sale'), 0) AS sales,
              coalesce(sum(total) FILTER (WHERE operation = 'return'), 0) AS returns,
              count(*) FILTER (WHERE operation = 'sale') AS saleCount,
              count(*) FILTER (WHERE operation = 'return') AS returnCount
       FROM jobs WHERE state = 'printed' AND ${isOfDay}`,
    )
    .get(boundsOf(db, ofDay));
}

/**
 * Conditions of a job that lacks its receipt. A report or slip of the operator is left out, because the operator sees
 * that it failed. An order that was refused as already printed has its receipt, unless the order came with another sum.
 * If a person is asked about the order, or a sale failed, only a later receipt with the same lines takes the place of
 * the missing receipt. A job that fails again after it was set aside is missing again.
 */
const hasSameLines =
  "other.id > jobs.id AND json_extract(other.receipt, '$.lines') IS json_extract(jobs.receipt, '$.lines')";
const isMissing = `updated_at >= @missingSince AND (source <> 'operator' OR kind = 'receipt')
  AND NOT (fault_code IS 'job.already-printed' AND EXISTS (SELECT 1 FROM jobs other
    WHERE other.site = jobs.site AND other.order_id = jobs.order_id
      AND other.state IN ('queued', 'held', 'printing', 'unsure', 'printed')
      AND other.operation IS jobs.operation AND other.total IS jobs.total
      AND (NOT EXISTS (SELECT 1 FROM journal WHERE job = jobs.id AND what = '${ASKED}')
        OR ${hasSameLines})))
  AND NOT (state = 'failed' AND operation = 'sale' AND EXISTS (SELECT 1 FROM jobs other
    WHERE other.site = jobs.site AND other.order_id = jobs.order_id AND other.state = 'printed'
      AND other.operation = 'sale' AND ${hasSameLines}))
  AND (SELECT what FROM journal WHERE job = jobs.id AND what IN ('${FAILED}', '${SET_ASIDE}')
    ORDER BY journal.id DESC LIMIT 1) IS NOT '${SET_ASIDE}'`;
const DAY_MS = 24 * 3_600_000;
// Returns and repairs have the time of payment of their sale. A time after the order is a mistake. Older times than a
// month are left out, because a day's view reads only the ids of the months around that day.
const orderedAt = `iif(source = 'site' AND operation = 'sale'
  AND receipt ->> '$.paidAt' BETWEEN created_at - ${31 * DAY_MS} AND created_at, receipt ->> '$.paidAt', created_at)`;
const isOfDay = `id >= @monthAgo AND id < @monthAfter AND iif(document_time IS NULL,
  ${orderedAt} >= @from AND ${orderedAt} < @before, substr(document_time, 1, 10) = @day)`;

function boundsOf(db: Database, { day, from, before }: NonNullable<JobFilter["ofDay"]>) {
  return {
    ...{ day, from, before },
    ...{ monthAgo: firstIdFrom(db, from - 31 * DAY_MS), monthAfter: firstIdFrom(db, before + 31 * DAY_MS) },
  };
}

const NEWEST_SEARCHED = 5_000;
/** A busy till prints as many jobs in a month. */
const SEARCHED_FOR_MARK = 20_000;

function lastId(db: Database): number {
  return Number(db.prepare("SELECT coalesce(max(id), 0) FROM jobs").pluck().get());
}

/** The id of the first job created at this time or later. Ids grow with time, so halving needs no index. */
export function firstIdFrom(db: Database, at: number): number {
  const next = db.prepare("SELECT id, created_at AS createdAt FROM jobs WHERE id >= ? ORDER BY id LIMIT 1");
  const row = z.object({ id: z.int(), createdAt: z.int() }).optional();
  let low = 0;
  let high = lastId(db) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = row.parse(next.get(middle));
    if (found === undefined || found.createdAt >= at) high = middle;
    else low = found.id + 1;
  }
  return low;
}

/** A statement that changes a state returns the row, or nothing if the job was in a wrong state. */
export function prepareJobStatements(db: Database) {
  const prepare = (sql: string): Statement => db.prepare(sql);
  const update = (set: string, from: string) =>
    prepare(`UPDATE jobs SET ${set}, updated_at = @now WHERE id = @id AND state IN (${from}) RETURNING *`);
  const brief = `SELECT ${briefColumns} FROM jobs WHERE ${isOpen}`;
  const noFault = "fault_code = NULL, fault_message = NULL, fault_ru = NULL";
  const newTaxes = "taxpayer = iif(@taxes IS NULL, taxpayer, @taxpayer), taxes = coalesce(@taxes, taxes)";
  const fault = "fault_code = @faultCode, fault_message = @faultMessage, fault_ru = @faultRu";
  const documentSet = `fn = coalesce(@fn, fn), fd = coalesce(@fd, fd), fiscal_sign = coalesce(@fiscalSign, fiscal_sign),
    shift = coalesce(@shift, shift), receipt_number = coalesce(@receiptNumber, receipt_number),
    document_time = coalesce(@time, document_time)`;
  return {
    insertRaw: prepare(
      `INSERT INTO orders_raw (site, polled_kkm, received_at, hash, body)
       VALUES (@site, @polledKkm, @receivedAt, @hash, @body)`,
    ),
    insertJob: prepare(
      `INSERT INTO jobs (source, site, raw, polled_kkm, order_id, receipt_id, order_key, key_version, canonical, issuer, mark_digits, kind,
         operation, total, receipt, forced, register, taxes, taxpayer, state, fault_code, fault_message, fault_ru, created_at, updated_at)
       VALUES (@source, @site, @raw, @polledKkm, @orderId, @receiptId, @key, @version, @canonical, @issuer, @markDigits, @kind,
         @operation, @total, @receipt, @forced, @register, @taxes, @taxpayer, @state, @faultCode, @faultMessage, @faultRu, @now, @now)
       RETURNING *`,
    ),
    byId: prepare("SELECT * FROM jobs WHERE id = ?"),
    stateOf: prepare("SELECT state FROM jobs WHERE id = ?"),
    // The `+?` here and in other stores avoids a cost of SQLite 3.54, which prepares a statement again at each run when
    // it compares a bare `?` outside a unique index. That takes twenty times as long as the query.
    byKey: prepare("SELECT * FROM jobs WHERE site = +? AND order_key = +? AND key_version = +? ORDER BY id DESC"),
    byOrder: prepare("SELECT * FROM jobs WHERE site IS +? AND order_id = +? ORDER BY id DESC"),
    byDocument: prepare("SELECT * FROM jobs WHERE fn = ? AND fd = ?"),
    // Without an index, because this query runs only for a receipt without a job, and each receipt would pay for it.
    finishedByMark: prepare(
      `SELECT * FROM jobs WHERE id > (SELECT max(id) FROM jobs) - ${SEARCHED_FOR_MARK} AND mark_digits = @digits
         AND (issuer = @issuer OR receipt_id IS NOT NULL) AND state IN ('printed', 'failed', 'cancelled')
       ORDER BY state = 'printed' DESC, id DESC`,
    ),
    queue: prepare(`${brief} AND state = 'queued' ORDER BY id`),
    waiting: prepare(`${brief} AND state IN ('queued', 'held', 'unsure') ORDER BY id`),
    undecided: prepare(`${brief} AND state IN ('held', 'unsure') ORDER BY id`),
    unfinished: prepare(
      `SELECT * FROM jobs WHERE ${isOpen}
         AND register IN (SELECT value FROM json_each(?)) ORDER BY id`,
    ),
    oldestUnfinishedAt: prepare(`SELECT min(created_at) FROM jobs WHERE ${isOpen} AND register = ?`),
    waitingCount: prepare(
      `SELECT count(*) FROM jobs WHERE ${isOpen} AND register = ? AND state IN ('queued', 'printing')`,
    ),
    countByState: prepare(
      `WITH others AS (
         SELECT state, count(*) AS count FROM jobs WHERE ${isOpen} GROUP BY state UNION ALL
         SELECT state, count(*) AS count FROM jobs WHERE ${isNotPrinted} GROUP BY state)
       SELECT state, count FROM others UNION ALL
       -- Ids start at 1 and rows are never deleted, so all other rows are printed jobs.
       SELECT 'printed', coalesce((SELECT max(id) FROM jobs), 0) - coalesce((SELECT sum(count) FROM others), 0)`,
    ),
    // Registers count corrections apart from sales and returns.
    sumOfShift: prepare(
      `SELECT coalesce(sum(total) FILTER (WHERE operation = 'sale'), 0) AS sales,
              coalesce(sum(total) FILTER (WHERE operation = 'return'), 0) AS returns
       FROM jobs WHERE fn = ? AND shift = ? AND state = 'printed' AND receipt -> '$.correction' IS NULL`,
    ),
    // The previous fault stays until the next outcome.
    claim: update("state = 'printing', register = @register", "'queued'"),
    addDonePart: update(
      `done_parts = done_parts + 1, ${documentSet},
       state = iif(done_parts + 1 < @parts, state, 'printed'),
       fault_code = iif(done_parts + 1 < @parts, fault_code, NULL),
       fault_message = iif(done_parts + 1 < @parts, fault_message, NULL),
       fault_ru = iif(done_parts + 1 < @parts, fault_ru, NULL)`,
      "'queued', 'printing', 'unsure'",
    ),
    requeue: update(`state = 'queued', tries = tries + @tries, ${fault}`, "'queued', 'printing', 'unsure'"),
    markPrinted: update(`state = 'printed', ${documentSet}, ${noFault}`, "'queued', 'held', 'printing', 'unsure'"),
    markFailed: update(`state = 'failed', tries = tries + 1, ${fault}`, "'queued', 'printing', 'unsure'"),
    markUnsure: update(`state = 'unsure', ${fault}`, "'queued', 'printing', 'unsure'"),
    cancel: update(`state = 'cancelled', ${fault}`, "'queued', 'held'"),
    hold: update(`state = 'held', ${fault}`, "'queued'"),
    replaceReceipt: update("receipt = @receipt", "'held', 'failed', 'refused'"),
    approve: update(`state = 'queued', ${noFault}`, "'held'"),
    requeueFailed: update(`state = 'queued', ${newTaxes}, ${noFault}`, "'failed'"),
    // A forced job keeps the order mark that distinguishes it from the order's first print.
    mend: update(
      `state = @state, tries = @tries, raw = @raw, polled_kkm = @polledKkm, receipt = @receipt, total = @total,
       issuer = iif(forced, issuer, @issuer), mark_digits = iif(forced, mark_digits, @markDigits),
       register = @register, taxes = @taxes, taxpayer = @taxpayer, ${fault}`,
      "'failed'",
    ),
    requeueByOperator: update(
      `state = 'queued', tries = 0, forced = iif(@markDigits IS NULL, forced, 1),
       mark_digits = coalesce(@markDigits, mark_digits), register = coalesce(@register, register), ${newTaxes}, ${noFault}`,
      "'failed', 'refused', 'cancelled'",
    ),
    move: prepare(
      `UPDATE jobs SET register = @register, ${noFault}, updated_at = @now
       WHERE id = @id AND state IN ('queued', 'held') AND done_parts = 0 RETURNING *`,
    ),
    interrupt: prepare(
      `UPDATE jobs SET state = 'unsure', fault_code = 'job.outcome-unknown',
         fault_message = 'interrupted while it was being printed', fault_ru = 'печать была прервана', updated_at = @now
       WHERE ${isOpen} AND state = 'printing' AND (@register IS NULL OR register = @register) RETURNING *`,
    ),
    reported: prepare("SELECT reported FROM jobs WHERE id = ?"),
    setReported: prepare("UPDATE jobs SET reported = ? WHERE id = ?"),
  };
}
