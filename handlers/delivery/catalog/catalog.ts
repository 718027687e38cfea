/** The six operations of a catalog resource, in terms of its row. */
import { Fault } from "@fiscald/shared/fault.js";
import { invalid, missing } from "../http/api-errors.js";
import { formatWireTime } from "../http/wire-types.js";
import { type DeliveryStore, lockShop, type Reader, type Writer } from "../store/delivery-store.js";
import { type StoredRecord, textField } from "../store/stored-json.js";
import type { CatalogRow } from "./catalog-table.js";
import { isCabinetOn } from "./delivery-settings.js";
import { DEFAULT_PASSWORD_COST, hashPassword } from "./password-hash.js";
import { renderRecord } from "./record-fields.js";
import { CABINET, type CatalogRecord, cabinetKinds, findRecords, saveRecords } from "./records.js";
import { checkReferences, checkUnique, keepNamed, loadReferences, type Reference } from "./references.js";

export interface CatalogScope {
  readonly row: CatalogRow;
  readonly resource: number;
  readonly now: number;
}

/** A record as the API shows it. */
export function renderCatalogRecord(row: CatalogRow, record: CatalogRecord): Record<string, unknown> {
  return {
    ...renderRecord(row.fields, record.body),
    ...(row.isActive ? { isActive: record.isActive ? 1 : 0 } : {}),
    ...(row.updatedAt ? { updatedAt: formatWireTime(record.updatedAt) } : {}),
  };
}

/** Makes all or none. Fault "api.invalid" for a known id. */
export async function createRecords(
  tx: Writer,
  scope: CatalogScope,
  elements: readonly StoredRecord[],
): Promise<readonly CatalogRecord[]> {
  await requireWritable(tx, scope);
  const ids = idsOf(scope.row, elements);
  checkUnique(ids, scope.row.idField);
  const known = await findRecords(tx, { resource: scope.resource, kind: scope.row.kind, ids });
  ids.forEach((id, position) => {
    if (known.has(id)) throw invalid(`[${position}].${scope.row.idField}`, `${JSON.stringify(id)} exists already`);
  });
  return saveChecked(tx, scope, elements, (position) => `[${position}].`);
}

/** Changes the given fields of one record; a deleted record only where it can be made active again. */
export async function editRecord(tx: Writer, scope: CatalogScope, id: string, changes: StoredRecord): Promise<void> {
  await requireWritable(tx, scope);
  const { row } = scope;
  const known = await requireRecord(tx, scope, id);
  if (changes[row.idField] !== undefined && changes[row.idField] !== id) {
    throw invalid(row.idField, "cannot be changed");
  }
  await saveChecked(tx, scope, [merged(known, changes)], () => "", new Map([[id, known]]));
}

/** Updates known records and creates the others. New records need the fields of a creation. */
export async function replaceRecords(
  tx: Writer,
  scope: CatalogScope,
  elements: readonly StoredRecord[],
  checkNew: (position: number) => void,
): Promise<void> {
  await requireWritable(tx, scope);
  const { row } = scope;
  const ids = idsOf(row, elements);
  checkUnique(ids, row.idField);
  const known = await findRecords(tx, { resource: scope.resource, kind: row.kind, ids });
  const records = elements.map((element, position) => {
    const before = known.get(ids[position] ?? "");
    if (before === undefined) {
      checkNew(position);
      return element;
    }
    return merged({ ...before, body: { ...before.body, isActive: 1 } }, element);
  });
  await saveChecked(tx, scope, records, (position) => `[${position}].`, known);
}

/** Marks as deleted. Fault "api.not-found" the second time. */
export async function deleteRecord(tx: Writer, scope: CatalogScope, id: string): Promise<void> {
  await requireWritable(tx, scope);
  const known = await requireRecord(tx, scope, id);
  if (!known.isActive) throw missing(scope.row.title, id);
  const body = { ...known.body, isActive: 0 };
  await saveRecords(tx, saveScope(scope), [{ id, isActive: false, body }]);
}

/** Fault "api.not-found" for a missing record, and for a deleted one whose resource has no field for that. */
export async function requireRecord(db: Reader, scope: Omit<CatalogScope, "now">, id: string): Promise<CatalogRecord> {
  const { row, resource } = scope;
  const record = (await findRecords(db, { resource, kind: row.kind, ids: [id] })).get(id);
  if (record === undefined || (!record.isActive && !row.isActive)) throw missing(row.title, id);
  return record;
}

async function requireWritable(db: Reader, { row, resource }: CatalogScope): Promise<void> {
  if (resource === CABINET || !cabinetKinds.has(row.kind)) return;
  if (await isCabinetOn(db)) {
    throw new Fault("api.forbidden", { message: `${row.kind} can be changed only in the cabinet.` });
  }
}

async function saveChecked(
  tx: Writer,
  scope: CatalogScope,
  records: readonly StoredRecord[],
  place: (position: number) => string,
  known: ReadonlyMap<string, CatalogRecord> = new Map(),
): Promise<readonly CatalogRecord[]> {
  const { row, resource } = scope;
  const ids = idsOf(row, records);
  const references = records.flatMap((record, position) => {
    const before = known.get(ids[position] ?? "");
    return keepNamed(
      referencesOf(row, record, place(position)),
      before === undefined ? [] : referencesOf(row, before.body, ""),
    );
  });
  // Elements of one array may refer to each other: a category and its goods come together.
  const outside = references.filter((reference) => reference.kind !== row.kind || !ids.includes(reference.id));
  checkReferences(outside, await loadReferences(tx, resource, outside));
  const saved = records.map((record, position) => {
    const wrong = row.check?.(record) ?? null;
    if (wrong !== null) throw invalid(`${place(position)}${wrong.field}`, wrong.message);
    return { id: ids[position] ?? "", isActive: record.isActive !== 0, body: record };
  });
  await saveRecords(tx, saveScope(scope), saved);
  return saved.map((record) => ({ ...record, owner: resource, updatedAt: scope.now }));
}

function saveScope({ row, resource, now }: CatalogScope) {
  return { owner: resource, kind: row.kind, now };
}

function merged(known: CatalogRecord, changes: StoredRecord): StoredRecord {
  return { ...known.body, ...changes };
}

function idsOf(row: CatalogRow, records: readonly StoredRecord[]): readonly string[] {
  return records.map((record) => textField(record, row.idField) ?? "");
}

function referencesOf(row: CatalogRow, record: StoredRecord, place: string): readonly Reference[] {
  return Object.entries(row.references).flatMap(([path, kind]) => {
    const [field = "", inner] = path.split(".");
    const value = record[field];
    if (typeof value === "string") return [{ kind, id: value, place: `${place}${field}` }];
    if (inner === undefined || !Array.isArray(value)) return [];
    return value.map((element, position) => ({
      kind,
      id: textField(element, inner) ?? "",
      place: `${place}${field}[${position}].${inner}`,
    }));
  });
}

/** Only hashes of passwords are stored; computed before the transaction, because it takes long. */
export async function withHashedPasswords(elements: readonly StoredRecord[], cost: number): Promise<StoredRecord[]> {
  return Promise.all(
    elements.map(async (element) => {
      const password = textField(element, "sourcePassword");
      return password === null ? element : { ...element, sourcePassword: await hashPassword(password, cost) };
    }),
  );
}

/** Fault "api.not-found" for an unknown courier. */
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
