import type { Identity, ShiftState } from "@fiscald/drivers/fiscal-driver.js";
import { type FnSerial, type RegisterId, toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import { createMetaStore } from "./database/meta-store.js";
import type { Database } from "./database/sqlite-file.js";
import { guardStore } from "./database/store-fault.js";
import { columnsOf } from "./rows/columns.js";
import { identitySchema, tablesSchema } from "./rows/fiscal-columns.js";
import { localTimeColumn } from "./rows/job-row.js";
import { cachedJson } from "./rows/json-column.js";
import { createTaxSources, registerOfTaxSource, type TaxSource } from "./tax-table-versions.js";

/** What is on record of a register. */
export interface RegisterRecord {
  readonly id: RegisterId;
  readonly identity: Identity;
  readonly tables: RegisterTables;
  /** The drive and its last document that all our jobs have been compared with. */
  readonly fn: FnSerial;
  readonly lastFd: number;
  readonly shift: RecordedShift | null;
  /** What sites were told last; null = nothing yet. */
  readonly connected: boolean | null;
  readonly updatedAt: number;
}

export interface RecordedShift {
  readonly number: number;
  readonly state: ShiftState["state"];
  /** By the register's own clock. */
  readonly openedAt: LocalTime | null;
}

export interface RegisterStore {
  find(id: RegisterId): RegisterRecord | null;
  /** What a job's `taxRegister` stands for: a register as it is on record, or a device that it was before. */
  taxSource(name: RegisterId): TaxSource | null;
  /** The `taxRegister` of jobs whose tax ids are those of the register as it is now. */
  presentTaxSource(id: RegisterId): RegisterId;
  all(): RegisterRecord[];
  /**
   * First sight, or everything anew after a reconnect. Jobs whose tax ids meant something else keep that (`taxSource`).
   * Call it inside a transaction, and `forget` too.
   */
  save(seen: IdentifiedRegister, now: number): void;
  /** Up to which document of a drive everything was accounted for when it went off the record; null = never seen. */
  leftAt(fn: FnSerial): number | null;
  /** Everything up to this document is accounted for. */
  saveLastFd(id: RegisterId, lastFd: number, now: number): void;
  saveShift(id: RegisterId, shift: RecordedShift, now: number): void;
  saveConnected(id: RegisterId, connected: boolean, now: number): void;
  /** A person accepts that another device is connected: the next connect is a first sight. */
  forget(id: RegisterId): void;
  /**
   * What is on record of `from`, its jobs, attempts and documents too, is that of `to`. Call it inside a transaction.
   */
  rename(from: RegisterId, to: RegisterId): void;
  /** Whether documents of this model and firmware were once read back rightly (design.md 5, rule 7). */
  hasProof(model: ProvenModel): boolean;
  addProof(model: ProvenModel, now: number): void;
  /** Whether a device of this model and firmware refused the order mark. */
  refusesMarks(model: ProvenModel): boolean;
  saveMarksRefused(model: ProvenModel): void;
}

export interface IdentifiedRegister {
  readonly id: RegisterId;
  readonly identity: Identity;
  readonly tables: RegisterTables;
  readonly lastFd: number;
  readonly shift: RecordedShift;
}

export interface ProvenModel {
  readonly maker: string;
  readonly model: string;
  readonly firmware: string;
}

/**
 * `<beginning><drive>`: its last document on record when another one took its place or a person accepted what is there.
 */
const LEFT = "former-drive ";
/** `<beginning><maker, model, firmware>`: receipts of such devices go without the order mark. */
const MARKS_REFUSED = "order-mark-refused ";

const shiftSchema: z.ZodType<RecordedShift, unknown> = z.object({
  number: z.int(),
  state: z.enum(["closed", "open", "expired"]),
  openedAt: localTimeColumn.nullable(),
});
const identityColumn = cachedJson(identitySchema);
const tablesColumn = cachedJson(tablesSchema);
const shiftColumn = cachedJson(shiftSchema);

export function createRegisterStore(db: Database): RegisterStore {
  // A register that was told as disconnected before it was ever seen has a row without identity.
  const byId = db.prepare("SELECT * FROM registers WHERE id = ? AND identity IS NOT NULL");
  const all = db.prepare("SELECT * FROM registers WHERE identity IS NOT NULL ORDER BY id");
  const save = db.prepare(
    `INSERT INTO registers (id, kkm, inn, fn, identity, tables, last_fd, shift, updated_at)
     VALUES (@id, @kkm, @inn, @fn, @identity, @tables, @lastFd, @shift, @now)
     ON CONFLICT (id) DO UPDATE SET kkm = @kkm, inn = @inn, fn = @fn, identity = @identity, tables = @tables,
       last_fd = @lastFd, shift = @shift, updated_at = @now`,
  );
  const saveLastFd = db.prepare("UPDATE registers SET last_fd = @lastFd, updated_at = @now WHERE id = @id");
  const saveShift = db.prepare("UPDATE registers SET shift = @shift, updated_at = @now WHERE id = @id");
  const saveConnected = db.prepare(
    `INSERT INTO registers (id, connected, updated_at) VALUES (@id, @connected, @now)
     ON CONFLICT (id) DO UPDATE SET connected = @connected, updated_at = @now`,
  );
  const forget = db.prepare("UPDATE registers SET identity = NULL WHERE id = ?");
  // Told as disconnected before it was recognised: sites know of it under its new id.
  const takeConnected = db.prepare(
    `UPDATE registers SET connected = coalesce((SELECT connected FROM registers WHERE id = @to), connected) WHERE id = @from`,
  );
  const dropUnseen = db.prepare("DELETE FROM registers WHERE id = @to AND identity IS NULL");
  const renamings = [
    "UPDATE registers SET id = @to WHERE id = @from",
    "UPDATE jobs SET register = @to WHERE register = @from",
    "UPDATE attempts SET register = @to WHERE register = @from",
    "UPDATE documents SET register = @to WHERE register = @from",
    "UPDATE outbox SET register = @to WHERE register = @from",
  ].map((sql) => db.prepare(sql));
  const renameTaxes = db.prepare("UPDATE jobs SET tax_register = @to WHERE tax_register = @from");
  const taxSources = createTaxSources(db);
  const meta = createMetaStore(db);
  const proof = db.prepare("SELECT 1 FROM read_back_proofs WHERE maker = ? AND model = ? AND firmware = ?");
  const addProof = db.prepare(
    "INSERT INTO read_back_proofs (maker, model, firmware, proven_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
  );

  function find(id: RegisterId): RegisterRecord | null {
    const row = byId.get(id);
    return row === undefined ? null : decodeRegister(row);
  }

  function noteLeft({ fn, lastFd }: RegisterRecord): void {
    meta.set(`${LEFT}${fn}`, String(lastFd));
  }

  return {
    find: (id) => guardStore(() => find(id)),
    taxSource: (name) => guardStore(() => taxSources.former(name) ?? find(registerOfTaxSource(name))),
    presentTaxSource: (id) => guardStore(() => taxSources.present(id)),
    all: () => guardStore(() => all.all().map(decodeRegister)),
    save: (seen, now) =>
      guardStore(() => {
        const { identity } = seen;
        const before = find(seen.id);
        if (before !== null && !hasSameMeaning(before, seen)) taxSources.keepFormer(before);
        if (before !== null && before.fn !== identity.fn) noteLeft(before);
        save.run({
          id: seen.id,
          kkm: identity.kkm,
          inn: identity.inn,
          fn: identity.fn,
          identity: JSON.stringify(identity),
          tables: JSON.stringify(seen.tables),
          lastFd: seen.lastFd,
          shift: JSON.stringify(seen.shift),
          now,
        });
      }),
    leftAt(fn) {
      const fd = meta.get(`${LEFT}${fn}`);
      return fd === null ? null : z.coerce.number<string>().int().parse(fd);
    },
    saveLastFd: (id, lastFd, now) => guardStore(() => void saveLastFd.run({ id, lastFd, now })),
    saveShift: (id, shift, now) => guardStore(() => void saveShift.run({ id, shift: JSON.stringify(shift), now })),
    saveConnected: (id, connected, now) =>
      guardStore(() => void saveConnected.run({ id, connected: connected ? 1 : 0, now })),
    forget: (id) =>
      guardStore(() => {
        const before = find(id);
        if (before !== null) {
          taxSources.keepFormer(before);
          noteLeft(before);
        }
        forget.run(id);
      }),
    rename: (from, to) =>
      guardStore(() => {
        for (const statement of [takeConnected, dropUnseen, ...renamings]) statement.run({ from, to });
        renameTaxes.run({ from: taxSources.present(from), to: taxSources.present(to) });
        taxSources.rename(from, to);
      }),
    hasProof: ({ maker, model, firmware }) => guardStore(() => proof.get(maker, model, firmware) !== undefined),
    addProof: ({ maker, model, firmware }, now) => guardStore(() => void addProof.run(maker, model, firmware, now)),
    refusesMarks: (model) => meta.get(marksRefusedKey(model)) !== null,
    saveMarksRefused: (model) => meta.set(marksRefusedKey(model), "yes"),
  };
}

function marksRefusedKey({ maker, model, firmware }: ProvenModel): string {
  return MARKS_REFUSED + JSON.stringify([maker, model, firmware]);
}

/** Tax ids are read as before. A device that said its tax systems and does not now leaves what it said to its jobs. */
function hasSameMeaning(before: RowsOfDevice, now: RowsOfDevice): boolean {
  const { inn, taxSystems } = before.identity;
  const sameSystems = taxSystems === 0 || taxSystems === now.identity.taxSystems;
  return inn === now.identity.inn && sameSystems && meaningOf(before.tables) === meaningOf(now.tables);
}

function meaningOf({ taxes }: RegisterTables): string {
  return JSON.stringify(taxes.map(({ id, title, vat }) => (vat === null ? { id, title } : { id, vat })));
}

type RowsOfDevice = Pick<TaxSource, "identity" | "tables">;

function decodeRegister(row: unknown): RegisterRecord {
  const { int, text, flag, orNull } = columnsOf(row);
  return {
    id: toRegisterId(text("id")),
    fn: toFnSerial(text("fn")),
    identity: identityColumn.read(text("identity")),
    tables: tablesColumn.read(text("tables")),
    lastFd: int("last_fd"),
    shift: orNull("shift", (name) => shiftColumn.read(text(name))),
    connected: orNull("connected", flag),
    updatedAt: int("updated_at"),
  };
}
