import { type RegisterId, toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import { firstIdFrom } from "./job-statements.js";
import { type EventState, eventStates } from "./outbox-store.js";
import { documentSchema, shiftTotalsSchema } from "./rows/fiscal-columns.js";
import { fromJson } from "./rows/json-column.js";

/** `totals` is null when the register has no counters. */
export type ShiftClosing = Readonly<z.output<typeof closingRow>>;

export interface UnownedReceipt extends Omit<z.output<typeof unownedRow>, "document"> {
  readonly total: number | null;
}

/** Only what this daemon printed is counted. */
export interface RegisterMonth {
  readonly register: RegisterId;
  /** The number of receipts, including corrections. */
  readonly receipts: number;
  readonly corrections: number;
  /** Sums in kopecks, without corrections. */
  readonly sales: number;
  readonly returns: number;
}

export type DayFacts = ReturnType<typeof createDayFacts>;

const DAY_MS = 24 * 3_600_000;
/** The number of days in which the tax office looks for risk signs (54-fz 19). */
const RISK_DAYS = 30;
const KEPT_MS = 10 * 60_000;

/** Read only. Times are wall clock in ms. */
export function createDayFacts(db: Database) {
  // The condition is the same as that of the index `attempts_closing`, so only closings are searched.
  const closing = `SELECT job, register, fn, shift, ended_at AS at, shift_totals AS totals,
       json_extract(baseline, '$.drawer.cash') AS drawer FROM attempts
     WHERE json_extract(witness, '$.kind') = 'shift-close' AND outcome = 'printed'`;
  const closings = db.prepare(`${closing} AND ended_at >= ? AND ended_at < ? ORDER BY ended_at`);
  const lastClosing = db.prepare(`${closing} AND register = ? AND ended_at < ? ORDER BY ended_at DESC LIMIT 1`);
  const cash = db
    .prepare(
      `SELECT coalesce(sum(iif(operation = 'sale', 1, -1) * (total - coalesce((
         SELECT sum(value ->> '$.sum') FROM json_each(receipt, '$.payments') WHERE value ->> '$.typeClose' <> 0), 0))), 0)
       FROM jobs WHERE fn = ? AND shift = ? AND state = 'printed' AND kind = 'receipt'
         AND receipt -> '$.correction' IS NULL`,
    )
    .pluck();
  const results = db.prepare("SELECT job, state FROM outbox WHERE job BETWEEN ? AND ? AND kind = 'result'");
  const unowned = db.prepare(
    `SELECT register, fn, fd, document FROM documents
     WHERE iif(document ->> '$.time' IS NULL, read_at >= @from AND read_at < @before,
               substr(document ->> '$.time', 1, 10) = @day)
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.fn = documents.fn AND jobs.fd = documents.fd)
     ORDER BY fn, fd`,
  );
  const month = db.prepare(
    `SELECT register, count(*) AS receipts,
            count(*) FILTER (WHERE json_extract(receipt, '$.correction') IS NOT NULL) AS corrections,
            coalesce(sum(total) FILTER (WHERE operation = 'sale' AND receipt -> '$.correction' IS NULL), 0) AS sales,
            coalesce(sum(total) FILTER (WHERE operation = 'return' AND receipt -> '$.correction' IS NULL), 0) AS returns
     FROM jobs WHERE id >= ? AND state = 'printed' AND kind = 'receipt' GROUP BY register`,
  );
  const last = db
    .prepare("SELECT updated_at FROM jobs WHERE register = ? AND fd IS NOT NULL ORDER BY id DESC LIMIT 1")
    .pluck();
  let known: { readonly at: number; readonly months: readonly RegisterMonth[] } | null = null;
  return guarded({
    closings: (from: number, before: number): readonly ShiftClosing[] =>
      closings.all(from, before).map((row) => closingRow.parse(row)),
    /** Null: no shift of this register that closed before is on record. */
    lastClosing: (register: RegisterId, before: number): ShiftClosing | null =>
      closingRow.optional().parse(lastClosing.get(register, before)) ?? null,
    /** The cash of our sales in this shift, less the cash of our returns, in kopecks. */
    cashOfShift: (fn: string, shift: number): number => z.int().parse(cash.get(fn, shift)),
    /** How the results of these jobs were delivered. A job without an entry has no result to deliver. */
    results(firstJob: number, lastJob: number): ReadonlyMap<number, EventState> {
      const rows = results.all(firstJob, lastJob).map((row) => resultRow.parse(row));
      return new Map(rows.map(({ job, state }) => [job, state]));
    },
    /** A document without a readable time counts on the day on which it was read. */
    unownedReceipts: (day: { readonly day: string; readonly from: number; readonly before: number }) =>
      unowned.all(day).flatMap((row): readonly UnownedReceipt[] => {
        const { document, ...numbers } = unownedRow.parse(row);
        const { type, total } = document;
        return type === "receipt" || type === "correction" ? [{ ...numbers, total }] : [];
      }),
    /** The registers that printed a receipt in the last 30 days. `isFresh` reads the database now. */
    lastMonth(now: number, isFresh = false): readonly RegisterMonth[] {
      if (isFresh || known === null || Math.abs(now - known.at) >= KEPT_MS) {
        const rows = month.all(firstIdFrom(db, now - RISK_DAYS * DAY_MS));
        known = { at: now, months: rows.map((row) => monthRow.parse(row)) };
      }
      return known.months;
    },
    /** Null: this daemon printed nothing on the register. */
    lastDocumentAt: (register: RegisterId): number | null =>
      z
        .int()
        .nullable()
        .parse(last.get(register) ?? null),
  });
}

const closingRow = z.object({
  job: z.int(),
  register: z.string(),
  fn: z.string(),
  shift: z.int(),
  at: z.int(),
  totals: fromJson(shiftTotalsSchema).nullable(),
  /** The cash in the drawer by the register's counter just before the closing; null = it has no such counter. */
  drawer: z.int().nullable(),
});
const resultRow = z.object({ job: z.int(), state: z.enum(eventStates) });
const unownedRow = z.object({
  register: z.string(),
  fn: z.string(),
  fd: z.int(),
  document: fromJson(documentSchema),
});
const monthRow = z.object({
  register: z.string().transform(toRegisterId),
  receipts: z.int(),
  corrections: z.int(),
  sales: z.int(),
  returns: z.int(),
});
