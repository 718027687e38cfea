import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { type FnSerial, type RegisterId, toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { RollbackDetector } from "./database/sidecar-files.js";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import type { JobFault } from "./job-store.js";
import { baselineSchema, documentSchema, shiftTotalsSchema, witnessSchema } from "./rows/fiscal-columns.js";
import { toJobFault } from "./rows/job-row.js";
import { fromJson } from "./rows/json-column.js";
import { createKeptReads } from "./rows/kept-reads.js";

/** One run of a program on one register, committed before the first byte with the register's state before it. */
export type Attempt = Readonly<z.output<typeof attemptRow>>;

export type AttemptOutcome = NonNullable<Attempt["outcome"]>;

export interface Doubt {
  readonly reason: DoubtReason;
  readonly candidates: readonly FiscalDocument[];
}

/**
 * Why the outcome of an attempt is unknown. The register is read again for `unreadable` and `in-progress`. Each doubt
 * ends when a document proves to be the attempt's own. An attempt whose drive was removed before its first sweep is
 * compared when the drive is back.
 *
 * - `in-progress`: the maker's print service may still print the receipt.
 * - `unreadable`: a document that may be the receipt could not be read in full, or reading this model is not verified
 *   yet.
 * - `no-evidence`: the fiscal drive is gone, counts backwards, or keeps no trace of what was sent.
 * - `ambiguous`: documents were read, and more than one answer fits them.
 */
export type DoubtReason = (typeof doubtReasons)[number];
export const doubtReasons = ["in-progress", "unreadable", "no-evidence", "ambiguous"] as const;

export type NewAttempt = Omit<Attempt, "id" | "startedAt" | "endedAt" | "outcome" | "fault" | "fenceFd" | "doubt"> & {
  readonly now: number;
};

const doubtSchema: z.ZodType<Doubt, unknown> = z.object({
  reason: z.enum(doubtReasons),
  candidates: z.array(documentSchema),
});

const columns = `attempts.id, attempts.job, part, parts, attempts.register, witness, baseline, started_at AS startedAt,
  ended_at AS endedAt, outcome, attempts.fault_code AS faultCode, attempts.fault_message AS faultMessage,
  fence_fd AS fenceFd, doubt, shift_totals AS shiftTotals`;

const attemptRow = z
  .object({
    id: z.int(),
    job: z.int(),
    /** Index among the job's programs. The opening of a shift before a program is not counted. */
    part: z.int(),
    parts: z.int(),
    register: z.string().transform(toRegisterId),
    witness: fromJson(witnessSchema),
    baseline: fromJson(baselineSchema),
    startedAt: z.int(),
    endedAt: z.int().nullable(),
    /** Null while the program runs. */
    outcome: z.enum(["printed", "not-printed", "unsure"]).nullable(),
    faultCode: z.string().nullable(),
    faultMessage: z.string().nullable(),
    /** The last document at the fence of an unsure attempt; null = not passed. No later document can be its own. */
    fenceFd: z.int().nullable(),
    /** Set when the register was read and the outcome is still unknown. */
    doubt: fromJson(doubtSchema).nullable(),
    /** Totals before the closing of a shift; null for other programs. */
    shiftTotals: fromJson(shiftTotalsSchema).nullable(),
  })
  .transform(({ faultCode, faultMessage, ...row }) => ({ ...row, fault: toJobFault(faultCode, faultMessage) }));

export type AttemptStore = ReturnType<typeof createAttemptStore>;

/** `highWater` is a file beside the database that stores the id of the last attempt. */
export function createAttemptStore(db: Database, highWater: Pick<RollbackDetector, "write"> | null = null) {
  const insert = db.prepare(
    `INSERT INTO attempts (job, part, parts, register, witness, baseline, fn, last_fd, shift, started_at, shift_totals)
     VALUES (@job, @part, @parts, @register, @witness, @baseline, @fn, @lastFd, @shift, @now, @shiftTotals)`,
  );
  const end = db.prepare(
    `UPDATE attempts SET outcome = @outcome, fault_code = @code, fault_message = @message,
       ended_at = coalesce(ended_at, @now) WHERE id = @id`,
  );
  const setFence = db.prepare("UPDATE attempts SET fence_fd = coalesce(fence_fd, ?), doubt = ? WHERE id = ?");
  const interrupt = db.prepare(
    "UPDATE attempts SET outcome = 'unsure', ended_at = ? WHERE job = ? AND outcome IS NULL",
  );
  // SQLite uses the index of open jobs only if the query contains the same condition.
  const doubts = db.prepare(
    `SELECT ${columns} FROM jobs CROSS JOIN attempts ON attempts.job = jobs.id
     WHERE jobs.state IN ('queued', 'held', 'printing', 'unsure') AND jobs.state = 'unsure'
       AND attempts.register = ? AND attempts.outcome = 'unsure' ORDER BY attempts.id`,
  );
  const closingOfAnother = db.prepare(
    `SELECT 1 FROM attempts WHERE fn = @fn AND shift = @shift AND job <> @job AND outcome = 'printed'
       AND json_extract(witness, '$.kind') = 'shift-close' LIMIT 1`,
  );
  // Only the newest attempts of all registers are searched, because no index serves this query.
  const lastKind = db
    .prepare(
      `SELECT json_extract(witness, '$.kind') AS kind FROM attempts
       WHERE id > (SELECT max(id) FROM attempts) - 1000 AND register = ? AND outcome = 'printed'
         AND json_extract(witness, '$.kind') IN ('receipt', 'shift-close') ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  const ofJob = db.prepare(`SELECT ${columns} FROM attempts WHERE job = +? ORDER BY id`);

  const decodeAll = (rows: readonly unknown[]): Attempt[] => rows.map((row) => attemptRow.parse(row));

  const kept = createKeptReads(db);

  return guarded({
    begin({ baseline, shiftTotals, witness, job, part, parts, register, now }: NewAttempt): number {
      const { fn, lastFd, shift } = baseline;
      kept.forget();
      const row = insert.run({
        job,
        part,
        parts,
        register,
        now,
        fn,
        lastFd,
        shift: shift.number,
        witness: JSON.stringify(witness),
        baseline: JSON.stringify(baseline),
        shiftTotals: shiftTotals === null ? null : JSON.stringify(shiftTotals),
      });
      return Number(row.lastInsertRowid);
    },
    /** Writes the attempt's id to the file. Call this between the commit of `begin` and the first byte. */
    noteBegun: (id: number) => highWater?.write(id),
    /** A settled attempt may still turn out to be printed. */
    end(id: number, outcome: AttemptOutcome, fault: JobFault | null, now: number): void {
      kept.forget();
      end.run({ id, outcome, now, code: fault?.code ?? null, message: fault?.message ?? null });
    },
    /** No document after `fenceFd` can be the attempt's. `doubt` is null if the transaction also ends the attempt. */
    setFence(id: number, fenceFd: number | null, doubt: Doubt | null): void {
      kept.forget();
      setFence.run(fenceFd, doubt === null ? null : JSON.stringify(doubt), id);
    },
    /** Returns false when the job has no running attempt. */
    interrupt(job: number, now: number): boolean {
      kept.forget();
      return interrupt.run(now, job).changes > 0;
    },
    /** Oldest first, and only while the job is unsure as well. */
    doubtsOf: (register: RegisterId) => decodeAll(doubts.all(register)),
    isClosedByAnother: ({ job, baseline: { fn, shift } }: Pick<Attempt, "job" | "baseline">) =>
      closingOfAnother.get({ fn, shift: shift.number, job }) !== undefined,
    isClosed: (fn: FnSerial, shift: number) => closingOfAnother.get({ fn, shift, job: 0 }) !== undefined,
    /** The openings of shifts are left out. */
    endedWithClosing: (register: RegisterId) => lastKind.get(register) === "shift-close",
    ofJob: kept.keep((job: number): readonly Attempt[] => decodeAll(ofJob.all(job))),
  });
}
