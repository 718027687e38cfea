import { identitySchema, shiftState, time } from "@fiscald/drivers/fact-schemas.js";
import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { type FnSerial, type RegisterId, toFnSerial, toInn, toKkm, toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { createMetaStore } from "./database/meta-store.js";
import type { Database, Statement } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import { columnsOf } from "./rows/columns.js";
import { tablesSchema } from "./rows/fiscal-columns.js";
import { cachedJson, fromJson } from "./rows/json-column.js";
import { createKeptReads } from "./rows/kept-reads.js";

export type RegisterRecord = Readonly<ReturnType<typeof decodeRegister>>;

export type RecordedShift = Readonly<z.output<typeof shiftSchema>>;

export interface SeenRegister extends Pick<RegisterRecord, "id" | "identity" | "tables" | "lastFd"> {
  readonly shift: RecordedShift;
}

export type LearnedNumbers = Pick<Identity, "kkm" | "inn">;

export interface ReportedModel {
  readonly maker: string;
  readonly model: string;
  readonly firmware: string;
}

/** Meta key `<prefix><drive>`: the device that held the drive when the register's record got another drive. */
const FORMER_DRIVE = "former-drive ";
/** Meta key `<prefix><maker, model, firmware>`: receipts on such devices are printed without the order mark. */
const MARKS_REFUSED = "order-mark-refused ";
/** Meta key `<prefix><maker, model, firmware>`: the drawer counters of such devices show nothing. */
const DRAWER_DEAD = "drawer-counters-dead ";

/** `openedAt` is by the register's own clock. */
const shiftSchema = shiftState.extend({ openedAt: time.nullable() });
const formerDriveColumn = fromJson(z.object({ identity: identitySchema }));
const identityColumn = cachedJson(identitySchema);
const tablesColumn = cachedJson(tablesSchema);
const shiftColumn = cachedJson(shiftSchema);

export type RegisterStore = ReturnType<typeof createRegisterStore>;

export function createRegisterStore(db: Database) {
  const statements = prepareStatements(db);
  const meta = createMetaStore(db);
  const kept = createKeptReads(db);
  /** Reads of models are kept apart from reads of registers, which each receipt changes. */
  const models = createKeptReads(db);

  const find = kept.keep((id: RegisterId): RegisterRecord | null => {
    const row = statements.byId.get(id);
    return row === undefined ? null : decodeRegister(row);
  });
  const hasProof = models.keep((...model: ModelKey) => statements.proof.get(...model) !== undefined);
  const isNoted = models.keep((prefix: string, ...model: ModelKey) => meta.get(keyOf(prefix, model)) !== null);
  function write(statement: Statement, ...values: readonly unknown[]): void {
    kept.forget();
    statement.run(...values);
  }
  function note(prefix: string, model: ReportedModel): void {
    models.forget();
    meta.set(keyOf(prefix, keysOf(model)), "yes");
  }
  /** Documents of the drive may be found after the drive has left the record. */
  function keepFormerDrive({ fn, identity }: RegisterRecord): void {
    meta.set(`${FORMER_DRIVE}${fn}`, JSON.stringify({ identity }));
  }

  return guarded({
    find,
    all: () => statements.all.all().map(decodeRegister),
    /** The numbers of the register's device when it was first identified, even before its first sweep. */
    learned(id: RegisterId): LearnedNumbers | null {
      const row = statements.learned.get(id);
      if (row === undefined) return null;
      const { text } = columnsOf(row);
      return { kkm: toKkm(text("kkm")), inn: toInn(text("inn")) };
    },
    /** Records the device once, before an order is taken, so that another device is recognised after a restart. */
    saveLearned: (id: RegisterId, { kkm, inn, fn }: Identity, now: number) =>
      write(statements.saveLearned, { id, kkm, inn, fn, now }),
    /** Call this after a sweep of the register, inside a transaction. */
    save({ id, identity, tables, lastFd, shift }: SeenRegister, now: number): void {
      const before = find(id);
      if (before !== null && before.fn !== identity.fn) keepFormerDrive(before);
      const { kkm, inn, fn } = identity;
      const columns = {
        identity: JSON.stringify(identity),
        tables: JSON.stringify(tables),
        shift: JSON.stringify(shift),
      };
      write(statements.save, { id, kkm, inn, fn, lastFd, now, ...columns });
    },
    /** The device of a drive that left the record, because the drive or the device was replaced; null = unknown. */
    deviceOfFormerDrive(fn: FnSerial): Identity | null {
      const value = meta.get(`${FORMER_DRIVE}${fn}`);
      return value === null ? null : formerDriveColumn.parse(value).identity;
    },
    /** Records that all documents up to this number have been compared with our jobs. */
    saveLastFd: (id: RegisterId, lastFd: number, now: number) => write(statements.saveLastFd, { id, lastFd, now }),
    saveShift: (id: RegisterId, shift: RecordedShift, now: number) =>
      write(statements.saveShift, { id, shift: JSON.stringify(shift), now }),
    saveCashLoss: (id: RegisterId, shift: number, now: number) => write(statements.saveCashLoss, { id, shift, now }),
    saveConnected: (id: RegisterId, connected: boolean, now: number) =>
      write(statements.saveConnected, { id, connected: connected ? 1 : 0, now }),
    /** Wall clock in ms; null = the register is not paused. Also known before the register was ever identified. */
    pausedSince: (id: RegisterId) =>
      z
        .int()
        .nullable()
        .parse(statements.pausedSince.pluck().get(id) ?? null),
    savePause: (id: RegisterId, since: number | null, now: number) => write(statements.savePause, { id, since, now }),
    /** A person accepts another device: the next connection is the first. Call this inside a transaction. */
    forget(id: RegisterId): void {
      const before = find(id);
      if (before !== null) keepFormerDrive(before);
      write(statements.forget, id);
    },
    /** Call this inside a transaction. */
    rename(from: RegisterId, to: RegisterId): void {
      for (const statement of statements.rename) write(statement, { from, to });
    },
    /** Whether reading back documents of this model and firmware was verified (exactly-once 21). */
    hasProof: (model: ReportedModel) => hasProof(...keysOf(model)),
    addProof(model: ReportedModel, now: number): void {
      models.forget();
      statements.addProof.run(...keysOf(model), now);
    },
    refusesMarks: (model: ReportedModel) => isNoted(MARKS_REFUSED, ...keysOf(model)),
    saveMarksRefused: (model: ReportedModel) => note(MARKS_REFUSED, model),
    /** Whether cash had moved without a change in the drawer counters of this model and firmware, as a person found. */
    hasDeadDrawerCounters: (model: ReportedModel) => isNoted(DRAWER_DEAD, ...keysOf(model)),
    saveDeadDrawerCounters: (model: ReportedModel) => note(DRAWER_DEAD, model),
  });
}

function prepareStatements(db: Database) {
  return {
    // A register that was never swept has a row without identity, if it was reported as gone or only identified.
    byId: db.prepare("SELECT * FROM registers WHERE id = ? AND identity IS NOT NULL"),
    all: db.prepare("SELECT * FROM registers WHERE identity IS NOT NULL ORDER BY id"),
    learned: db.prepare("SELECT kkm, inn FROM registers WHERE id = ? AND kkm IS NOT NULL"),
    saveLearned: db.prepare(
      `INSERT INTO registers (id, kkm, inn, fn, updated_at) VALUES (@id, @kkm, @inn, @fn, @now)
       ON CONFLICT (id) DO UPDATE SET kkm = @kkm, inn = @inn, fn = @fn, updated_at = @now WHERE identity IS NULL`,
    ),
    save: db.prepare(
      `INSERT INTO registers (id, kkm, inn, fn, identity, tables, last_fd, shift, updated_at)
       VALUES (@id, @kkm, @inn, @fn, @identity, @tables, @lastFd, @shift, @now)
       ON CONFLICT (id) DO UPDATE SET kkm = @kkm, inn = @inn, fn = @fn, identity = @identity, tables = @tables,
         last_fd = @lastFd, shift = @shift, updated_at = @now,
         cash_lost_shift = CASE WHEN fn = @fn THEN cash_lost_shift END`,
    ),
    saveLastFd: db.prepare("UPDATE registers SET last_fd = @lastFd, updated_at = @now WHERE id = @id"),
    saveShift: db.prepare("UPDATE registers SET shift = @shift, updated_at = @now WHERE id = @id"),
    saveCashLoss: db.prepare("UPDATE registers SET cash_lost_shift = @shift, updated_at = @now WHERE id = @id"),
    saveConnected: db.prepare(
      `INSERT INTO registers (id, connected, updated_at) VALUES (@id, @connected, @now)
       ON CONFLICT (id) DO UPDATE SET connected = @connected, updated_at = @now`,
    ),
    pausedSince: db.prepare("SELECT paused_at FROM registers WHERE id = ?"),
    savePause: db.prepare(
      `INSERT INTO registers (id, paused_at, updated_at) VALUES (@id, @since, @now)
       ON CONFLICT (id) DO UPDATE SET paused_at = @since, updated_at = @now`,
    ),
    forget: db.prepare(
      "UPDATE registers SET identity = NULL, kkm = NULL, inn = NULL, fn = NULL, cash_lost_shift = NULL WHERE id = ?",
    ),
    rename: [
      // The new id may have a row without identity. Sites then know the connection state by the new id.
      `UPDATE registers SET connected = coalesce((SELECT connected FROM registers WHERE id = @to), connected)
       WHERE id = @from`,
      "DELETE FROM registers WHERE id = @to AND identity IS NULL",
      "UPDATE registers SET id = @to WHERE id = @from",
      "UPDATE jobs SET register = @to WHERE register = @from",
      "UPDATE attempts SET register = @to WHERE register = @from",
      "UPDATE documents SET register = @to WHERE register = @from",
      "UPDATE outbox SET register = @to WHERE register = @from",
      "UPDATE sent_documents SET register = @to WHERE register = @from",
      "UPDATE document_differences SET register = @to WHERE register = @from",
      "DELETE FROM checked_values WHERE register = @to",
      "UPDATE checked_values SET register = @to WHERE register = @from",
    ].map((sql) => db.prepare(sql)),
    proof: db.prepare("SELECT 1 FROM read_back_proofs WHERE maker = ? AND model = ? AND firmware = ?"),
    addProof: db.prepare(
      "INSERT INTO read_back_proofs (maker, model, firmware, proven_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
  };
}

type ModelKey = readonly [maker: string, model: string, firmware: string];

function keysOf({ maker, model, firmware }: ReportedModel): ModelKey {
  return [maker, model, firmware];
}

function keyOf(prefix: string, model: ModelKey): string {
  return prefix + JSON.stringify(model);
}

function decodeRegister(row: unknown) {
  const { int, text, flag, orNull } = columnsOf(row);
  return {
    id: toRegisterId(text("id")),
    fn: toFnSerial(text("fn")),
    identity: identityColumn.read(text("identity")),
    tables: tablesColumn.read(text("tables")),
    /** All documents of the drive up to this one have been compared with our jobs. */
    lastFd: int("last_fd"),
    shift: orNull("shift", (name) => shiftColumn.read(text(name))),
    /** After a data loss, cash may have moved without a record until this shift is over; null = no such shift. */
    cashLostShift: orNull("cash_lost_shift", int),
    /** The last connection state that was reported to sites; null = none was. */
    connected: orNull("connected", flag),
    updatedAt: int("updated_at"),
  };
}
