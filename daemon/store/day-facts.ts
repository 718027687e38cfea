import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import { type EventState, eventStates } from "./outbox-store.js";
import { documentSchema, shiftTotalsSchema } from "./rows/fiscal-columns.js";
import { fromJson } from "./rows/json-column.js";

/** A closed shift with the register's own totals; null totals: the register has no counters. */
export type ShiftClosing = Readonly<z.output<typeof closingRow>>;

export interface UnownedReceipt extends Omit<z.output<typeof unownedRow>, "document"> {
  readonly total: number | null;
}

export type DayFacts = ReturnType<typeof createDayFacts>;

/** Facts of a day that are in no single job. Read only. `from` and `before`: wall clock in ms. */
export function createDayFacts(db: Database) {
  // The condition is the same as that of the index `attempts_closing`, so only closings are searched.
  const closings = db.prepare(
    `SELECT register, fn, shift, ended_at AS at, shift_totals AS totals FROM attempts
     WHERE json_extract(witness, '$.kind') = 'shift-close' AND outcome = 'printed' AND ended_at >= ? AND ended_at < ?
     ORDER BY ended_at`,
  );
  const results = db.prepare("SELECT job, state FROM outbox WHERE job BETWEEN ? AND ? AND kind = 'result'");
  const unowned = db.prepare(
    `SELECT register, fn, fd, document FROM documents WHERE read_at >= ? AND read_at < ?
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.fn = documents.fn AND jobs.fd = documents.fd)
     ORDER BY fn, fd`,
  );
  return guarded({
    closings: (from: number, before: number): readonly ShiftClosing[] =>
      closings.all(from, before).map((row) => closingRow.parse(row)),
    /** How the results of these jobs were delivered; a job without an entry has no result to deliver. */
    results(firstJob: number, lastJob: number): ReadonlyMap<number, EventState> {
      const rows = results.all(firstJob, lastJob).map((row) => resultRow.parse(row));
      return new Map(rows.map(({ job, state }) => [job, state]));
    },
    /** Receipts that were read from the registers and belong to no job. */
    unownedReceipts: (from: number, before: number): readonly UnownedReceipt[] =>
      unowned.all(from, before).flatMap((row) => {
        const { document, ...numbers } = unownedRow.parse(row);
        return document.type === "receipt" ? [{ ...numbers, total: document.total }] : [];
      }),
  });
}

const closingRow = z.object({
  register: z.string(),
  fn: z.string(),
  shift: z.int(),
  at: z.int(),
  totals: fromJson(shiftTotalsSchema).nullable(),
});
const resultRow = z.object({ job: z.int(), state: z.enum(eventStates) });
const unownedRow = z.object({
  register: z.string(),
  fn: z.string(),
  fd: z.int(),
  document: fromJson(documentSchema),
});
