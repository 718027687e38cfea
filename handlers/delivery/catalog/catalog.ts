import { Fault } from "@fiscald/shared/fault.js";
import { below, missing, type Problem, throwIfProblems } from "../http/api-errors.js";
import { type DeliveryStore, lockShop, type Reader, type Writer } from "../store/delivery-store.js";
import { type CatalogRow, canBeInactive } from "./catalog-table.js";
import { isCabinetOn } from "./delivery-settings.js";
import { DEFAULT_PASSWORD_COST, hashPassword } from "./password-hash.js";
import {
  CABINET,
  type CatalogRecord,
  cabinetKinds,
  findRecords,
  type StoredRecord,
  saveRecords,
  textField,
} from "./records.js";
import {
  existsProblems,
  type FoundRecords,
  keepNamed,
  loadNamed,
  namedOrNone,
  type Reference,
  referencesIn,
  repeatProblems,
} from "./references.js";

export interface CatalogScope {
  readonly row: CatalogRow;
  readonly resource: number;
  readonly now: number;
}

/**
 * Updates known records and creates the others. `newProblems`: what keeps an element from being created. Null: each is
 * created, and none may be known, not even as deleted.
 */
export async function writeRecords(
  tx: Writer,
  scope: CatalogScope,
  elements: readonly StoredRecord[],
  newProblems: ((position: number) => readonly Problem[]) | null,
): Promise<readonly CatalogRecord[]> {
  await requireWritable(tx, scope);
  const { row, resource } = scope;
  const ids = idsOf(row, elements);
  const found = await findRecords(tx, { resource, kind: row.kind, ids });
  const known: typeof found = newProblems === null ? new Map() : found;
  const isFound = (position: number) => found.has(ids[position] ?? "");
  const problems: Problem[] = [
    ...repeatProblems(ids, row.idField),
    ...(newProblems === null ? existsProblems(ids, row.idField, isFound) : []),
  ];
  const records = elements.map((element, position) => {
    const before = known.get(ids[position] ?? "");
    if (before !== undefined) return { ...before.body, isActive: 1, ...element };
    problems.push(...(newProblems?.(position) ?? []));
    return element;
  });
  return saveChecked(tx, scope, { records, problems, known });
}

/** A deleted record can be edited only where its kind has `isActive`. */
export async function editRecord(tx: Writer, scope: CatalogScope, id: string, changes: StoredRecord): Promise<void> {
  await requireWritable(tx, scope);
  const { row } = scope;
  const known = await requireRecord(tx, scope, id);
  const isRenamed = changes[row.idField] !== undefined && changes[row.idField] !== id;
  const problems = isRenamed ? [{ place: row.idField, message: "cannot be changed" }] : [];
  const records = [{ ...known.body, ...changes, [row.idField]: id }];
  await saveChecked(tx, scope, { records, problems, known: new Map([[id, known]]), isSingle: true });
}

export async function deleteRecord(tx: Writer, scope: CatalogScope, id: string): Promise<void> {
  await requireWritable(tx, scope);
  const known = await requireRecord(tx, scope, id);
  const { row, resource: owner, now } = scope;
  if (!known.isActive) throw missing(row.title, id);
  const body = { ...known.body, isActive: 0 };
  await saveRecords(tx, { owner, kind: row.kind, now }, [{ id, isActive: false, body }]);
}

/** Fault "api.not-found" for a missing record, and for a deleted one whose kind has no `isActive`. */
export async function requireRecord(db: Reader, scope: Omit<CatalogScope, "now">, id: string): Promise<CatalogRecord> {
  const { row, resource } = scope;
  const record = (await findRecords(db, { resource, kind: row.kind, ids: [id] })).get(id);
  if (record === undefined || (!record.isActive && !canBeInactive(row))) throw missing(row.title, id);
  return record;
}

async function requireWritable(db: Reader, { row, resource }: CatalogScope): Promise<void> {
  if (resource === CABINET || !cabinetKinds.has(row.kind)) return;
  if (await isCabinetOn(db)) {
    throw new Fault("api.forbidden", {
      message: `${row.kind} belong to the cabinet: \`fiscald-site cabinet load FILE\` changes them, \`cabinet off\` ends that.`,
    });
  }
}

interface RecordsToSave {
  readonly records: readonly StoredRecord[];
  readonly problems: readonly Problem[];
  readonly known: ReadonlyMap<string, CatalogRecord>;
  readonly isSingle?: true;
}

async function saveChecked(
  tx: Writer,
  scope: CatalogScope,
  { records, problems, known, isSingle }: RecordsToSave,
): Promise<readonly CatalogRecord[]> {
  const { row, resource, now } = scope;
  const ids = idsOf(row, records);
  const place = (position: number) => (isSingle === true ? "" : `[${position}].`);
  const references = records.flatMap((record, position) => {
    const before = known.get(ids[position] ?? "");
    return keepNamed(
      referencesOf(row, record, place(position)),
      before === undefined ? [] : referencesOf(row, before.body, ""),
    );
  });
  // Elements of one array may refer to each other: a category and its goods come together.
  const outside = references.filter((reference) => reference.kind !== row.kind || !ids.includes(reference.id));
  const wrong = records.flatMap((record, position) => {
    const found = row.check?.(record) ?? null;
    return found === null ? [] : [below(place(position), found)];
  });
  const named = await loadNamed(tx, resource, outside);
  throwIfProblems([...problems, ...named.problems, ...wrong]);
  const saved = records.map((record, position) => ({
    id: ids[position] ?? "",
    isActive: record.isActive !== 0,
    body: ids.includes("0") ? record : withoutZeros(row, record, named.found),
  }));
  await saveRecords(tx, { owner: resource, kind: row.kind, now }, saved);
  return saved.map((record) => ({ ...record, owner: resource, updatedAt: now }));
}

/** Clients write the id 0 for "no record". */
function withoutZeros(row: CatalogRow, record: StoredRecord, found: FoundRecords): StoredRecord {
  const zeros = Object.entries(row.references ?? {}).filter(
    ([field, kind]) => isOptional(row, field) && namedOrNone(found, kind, textField(record, field)) === null,
  );
  return zeros.length === 0 ? record : { ...record, ...Object.fromEntries(zeros.map(([field]) => [field, null])) };
}

function isOptional({ fields }: CatalogRow, field: string): boolean {
  return fields[field]?.nullable === true;
}

function idsOf(row: CatalogRow, records: readonly StoredRecord[]): readonly string[] {
  return records.map((record) => textField(record, row.idField) ?? "");
}

function referencesOf(row: CatalogRow, record: StoredRecord, place: string): readonly Reference[] {
  return referencesIn(record, row.references ?? {}, place, (field) => isOptional(row, field));
}

/** Hashing takes long, so it is done before the transaction. */
export async function withHashedPasswords(elements: readonly StoredRecord[], cost: number): Promise<StoredRecord[]> {
  return Promise.all(
    elements.map(async (element) => {
      const password = textField(element, "sourcePassword");
      return password === null ? element : { ...element, sourcePassword: await hashPassword(password, cost) };
    }),
  );
}

export async function setCourierPassword(
  store: DeliveryStore,
  courier: { readonly resource: number; readonly courierId: string; readonly password: string },
  now: number,
): Promise<void> {
  const sourcePassword = await hashPassword(courier.password, DEFAULT_PASSWORD_COST);
  const { resource, courierId } = courier;
  await store.transaction(async (tx) => {
    await lockShop(store.kind, tx, resource);
    const known = (await findRecords(tx, { resource, kind: "couriers", ids: [courierId] })).get(courierId);
    if (known === undefined) throw missing("courier", courierId);
    const body = { ...known.body, sourcePassword };
    await saveRecords(tx, { owner: known.owner, kind: "couriers", now }, [{ ...known, body }]);
  });
}
