/** The comparison of registered receipts with what was sent to the register. */
import type { Difference } from "@fiscald/drivers/compare-tags.js";
import type { DocumentTags } from "@fiscald/drivers/fiscal-document.js";
import { type FnSerial, type RegisterId, toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import type { ReportedModel } from "./register-store.js";
import { fromJson } from "./rows/json-column.js";
import { createKeptReads } from "./rows/kept-reads.js";

/** A printed receipt whose document was not compared yet. */
export type DueCheck = Readonly<z.output<typeof dueRow>>;

export type FoundDifference = Readonly<z.output<typeof differenceRow>>;

export interface CheckedRegister {
  readonly register: RegisterId;
  readonly model: ReportedModel;
  readonly fn: FnSerial;
  /** An acceptance lasts until firmware or registration change. JSON, with null or 0 for what could not be read. */
  readonly registration: string;
  /** Drive, model, registration, tables and settings. Compared values count until one of these changes. */
  readonly basis: string;
}

export interface CheckPlace {
  readonly job: number;
  readonly fn: FnSerial;
  readonly fd: number;
}

/** Null accepts all differences that hold back no receipt. A tag alone accepts all differences of the tag. */
export type Acceptance = (Pick<Difference, "tag"> & Partial<Pick<Difference, "sent" | "read">>) | null;

/** `not-compared` means that the document could not be read, and all tries are used up. */
export type ValueState = "compared" | "not-compared";

const tagsSchema: z.ZodType<DocumentTags, unknown> = z.object({
  head: z.record(z.string(), z.union([z.string(), z.number()])),
  items: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
});

const fn = z.string().transform(toFnSerial);
const dueRow = z.object({ job: z.int(), fn, fd: z.int(), sent: fromJson(tagsSchema) });
const differenceRow = z.object({
  register: z.string().transform(toRegisterId),
  tag: z.int(),
  sent: z.string(),
  read: z.string().nullable(),
  weight: z.enum(["hold", "warn"]),
  job: z.int(),
  fn,
  fd: z.int(),
  at: z.int(),
});
const valueRow = z.object({ value: z.string(), state: z.enum(["compared", "not-compared"]) });
const notComparedRow = differenceRow.pick({ register: true }).extend({ value: z.string() });
const MOST_SHOWN = 100;

export type CheckStore = ReturnType<typeof createCheckStore>;

export function createCheckStore(db: Database) {
  const statements = prepareStatements(db);
  const kept = createKeptReads(db);
  const values = kept.keep((register: RegisterId, basis: string): ReadonlyMap<string, ValueState> => {
    const rows = statements.values.all(register, basis).map((row) => valueRow.parse(row));
    return new Map(rows.map(({ value, state }) => [value, state]));
  });
  const held = kept.keep((register: RegisterId) => differences(statements.held.all(register)));
  const due = (rows: readonly unknown[]): DueCheck[] => rows.map((row) => dueRow.parse(row));
  const differences = (rows: readonly unknown[]): FoundDifference[] => rows.map((row) => differenceRow.parse(row));
  return guarded({
    /** Stores what the program of this job sends. Call this inside the transaction that begins the attempt. */
    sends: (job: number, register: RegisterId, sent: DocumentTags) =>
      void statements.sends.run({ job, register, sent: JSON.stringify(sent) }),
    /** Null: no program of this job's receipt sent anything, or its document was compared. */
    sentBy(job: number): DocumentTags | null {
      const row = statements.sentBy.get(job);
      return row === undefined ? null : dueRow.pick({ sent: true }).parse(row).sent;
    },
    due: (register: RegisterId, drive: FnSerial, limit: number) => due(statements.due.all(register, drive, limit)),
    /** Receipts that are still to be compared on drives that the register cannot read any more. */
    dueElsewhere: (register: RegisterId, drive: FnSerial) => due(statements.dueElsewhere.all(register, drive)),
    /** Call this when the document could not be read. Returns the number of tries so far. */
    addTry: (job: number) => z.int().catch(0).parse(statements.addTry.pluck().get(job)),
    end: (job: number) => void statements.end.run(job),
    /** Values whose documents were compared on the register as it is now, or could not be read in any try. */
    values: ({ register, basis }: CheckedRegister) => values(register, basis),
    saveValues({ register, basis }: CheckedRegister, values: readonly string[], state: ValueState): void {
      kept.forget();
      for (const value of values) statements.saveValue.run({ register, basis, value, state });
    },
    agreedTags: ({ maker, model, firmware }: ReportedModel): ReadonlySet<number> =>
      new Set(z.array(z.int()).parse(statements.agreed.pluck().all(maker, model, firmware))),
    addAgreedTags({ maker, model, firmware }: ReportedModel, tags: Iterable<number>): void {
      for (const tag of tags) statements.addAgreed.run(maker, model, firmware, tag);
    },
    /**
     * Forgets the values that were compared before the basis changed. Only another firmware removes differences that
     * were not accepted, but another drive or registration lets receipts pass. A value that could not be read is no
     * change.
     */
    renew({ register, basis, fn, registration, model: { firmware } }: CheckedRegister): void {
      kept.forget();
      statements.renewDifferences.run({ register, fn, registration, firmware });
      statements.renewValues.run({ register, basis });
    },
    /** Returns false when the same difference is known already or was accepted. */
    addDifference(checked: CheckedRegister, difference: Difference, place: CheckPlace, now: number): boolean {
      const { register, registration, basis, model: device } = checked;
      kept.forget();
      return (
        statements.addDifference.run({ register, registration, basis, ...device, ...difference, ...place, now })
          .changes > 0
      );
    },
    /** The differences that hold back receipts on this register. */
    held,
    /** The differences of all registers that no person has accepted, oldest first. */
    open: () => differences(statements.open.all(MOST_SHOWN)),
    notCompared: () => statements.notCompared.all().map((row) => notComparedRow.parse(row)),
    accept(register: RegisterId, accepted: Acceptance, now: number): number {
      const { tag = null, sent = null, read = null } = accepted ?? {};
      kept.forget();
      return statements.accept.run({ register, tag, sent, read, now }).changes;
    },
    /** The differences no longer count, and the first receipt of each value is compared again. Returns their number. */
    mended(register: RegisterId): number {
      kept.forget();
      statements.forgetValues.run(register);
      return statements.forgetDifferences.run(register).changes;
    },
    /** Removes what ended jobs sent if they printed nothing or their drive was removed. Returns the number of them. */
    purge: (until: number, limit: number) => statements.purge.run(until, limit).changes,
  });
}

function prepareStatements(db: Database) {
  const isReregistered = `EXISTS (
    SELECT 1 FROM json_each(registration) AS former JOIN json_each(@registration) AS present USING (key)
    WHERE former.atom <> present.atom AND 0 NOT IN (former.atom, present.atom))`;
  const due = `SELECT job, jobs.fn, jobs.fd, sent FROM sent_documents CROSS JOIN jobs ON jobs.id = job
    WHERE sent_documents.register = ? AND jobs.state = 'printed' AND jobs.fd IS NOT NULL`;
  const columns = "register, tag, sent, read, weight, job, fn, fd, found_at AS at";
  return {
    sends: db.prepare(
      `INSERT INTO sent_documents (job, register, sent) VALUES (@job, @register, @sent)
       ON CONFLICT (job) DO UPDATE SET register = @register, sent = @sent, tries = 0`,
    ),
    sentBy: db.prepare("SELECT sent FROM sent_documents WHERE job = ?"),
    due: db.prepare(`${due} AND jobs.fn = ? ORDER BY job LIMIT ?`),
    dueElsewhere: db.prepare(`${due} AND jobs.fn <> ? ORDER BY job`),
    addTry: db.prepare("UPDATE sent_documents SET tries = tries + 1 WHERE job = ? RETURNING tries"),
    end: db.prepare("DELETE FROM sent_documents WHERE job = ?"),
    values: db.prepare("SELECT value, state FROM checked_values WHERE register = ? AND basis = ?"),
    saveValue: db.prepare(
      `INSERT INTO checked_values (register, value, basis, state) VALUES (@register, @value, @basis, @state)
       ON CONFLICT (register, value) DO UPDATE SET basis = @basis, state = @state`,
    ),
    agreed: db.prepare("SELECT tag FROM agreed_tags WHERE maker = ? AND model = ? AND firmware = ?"),
    addAgreed: db.prepare(
      "INSERT INTO agreed_tags (maker, model, firmware, tag) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    renewDifferences: db.prepare(
      `DELETE FROM document_differences
       WHERE register = @register AND accepted_at IS NULL
         AND (firmware <> @firmware AND 'unknown' NOT IN (firmware, @firmware)
           OR weight = 'hold' AND (fn <> @fn OR ${isReregistered}))`,
    ),
    renewValues: db.prepare("DELETE FROM checked_values WHERE register = @register AND basis <> @basis"),
    // A warning belongs to the model and firmware, so it is given once, whatever the value and the register.
    addDifference: db.prepare(
      `INSERT INTO document_differences
         (register, registration, basis, maker, model, firmware, tag, sent, read, weight, job, fn, fd, found_at)
       SELECT @register, @registration, @basis, @maker, @model, @firmware, @tag, @sent, @read, @weight, @job, @fn, @fd, @now
       WHERE NOT EXISTS (
         SELECT 1 FROM document_differences
         WHERE maker = @maker AND model = @model AND firmware = @firmware AND tag = @tag AND weight = @weight
           AND (weight = 'warn' OR register = @register AND sent = @sent AND read IS @read
             AND NOT ${isReregistered}))`,
    ),
    held: db.prepare(
      `SELECT ${columns} FROM document_differences
       WHERE register = ? AND weight = 'hold' AND accepted_at IS NULL`,
    ),
    open: db.prepare(`SELECT ${columns} FROM document_differences WHERE accepted_at IS NULL ORDER BY id LIMIT ?`),
    notCompared: db.prepare("SELECT register, value FROM checked_values WHERE state = 'not-compared'"),
    purge: db.prepare(
      `DELETE FROM sent_documents WHERE job IN (
         SELECT job FROM sent_documents CROSS JOIN jobs ON jobs.id = job
         WHERE jobs.state IN ('printed', 'failed', 'refused', 'cancelled') AND jobs.updated_at < ? LIMIT ?)`,
    ),
    forgetValues: db.prepare("DELETE FROM checked_values WHERE register = ?"),
    forgetDifferences: db.prepare("DELETE FROM document_differences WHERE register = ? AND accepted_at IS NULL"),
    accept: db.prepare(
      `UPDATE document_differences SET accepted_at = @now
       WHERE register = @register AND accepted_at IS NULL
         AND iif(@tag IS NULL, weight = 'warn', tag = @tag AND (@sent IS NULL OR sent = @sent AND read IS @read))`,
    ),
  };
}
