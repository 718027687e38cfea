/** Checks ids that refer to other records: reads all records together, and reports unknown ids with their paths. */
import type { Problem } from "../http/api-errors.js";
import type { Reader } from "../store/delivery-store.js";
import { type CatalogRecord, findRecords, groupBy, type RecordKind } from "./records.js";

export interface Reference {
  readonly kind: RecordKind;
  readonly id: string;
  readonly place: string;
  /** This reference was there before the change, so its record may have been deleted since. */
  readonly mayBeDeleted?: boolean;
  /** The field may be left out. The id 0 in it names no record, unless a record 0 exists. */
  readonly mayBeNone?: boolean;
}

/** Fields that name records, each with the record's kind; `goods.goodId` is a field of the elements of a list. */
export type NamedRecords = Readonly<Record<string, RecordKind>>;

export function referencesIn(
  value: object,
  named: NamedRecords,
  place: string,
  mayBeNone: (path: string) => boolean,
): readonly Reference[] {
  return Object.entries(named).flatMap(([path, kind]) =>
    idsAt(value, path.split("."), place).map((found) => ({ kind, mayBeNone: mayBeNone(path), ...found })),
  );
}

/** The id by which clients name no record. */
export const NONE = "0";

/** Null for an id 0 that means "no record". `found`: the records that the request names. */
export function namedOrNone<Id extends string | null | undefined>(
  found: FoundRecords,
  kind: RecordKind,
  id: Id,
): Id | null {
  return id === NONE && found.get(kind)?.get(NONE)?.isActive !== true ? null : id;
}

function idsAt(
  value: object,
  [field = "", ...inner]: readonly string[],
  place: string,
): readonly Pick<Reference, "id" | "place">[] {
  const found: unknown = Reflect.get(value, field);
  if (inner.length === 0) return typeof found === "string" ? [{ id: found, place: `${place}${field}` }] : [];
  return Array.isArray(found)
    ? found.flatMap((element, index) => idsAt(element, inner, `${place}${field}[${index}].`))
    : [];
}

export type FoundRecords = ReadonlyMap<RecordKind, ReadonlyMap<string, CatalogRecord>>;

/** Loads deleted records too. `known`: records that this transaction has read under the shop's lock. */
export async function loadReferences(
  db: Reader,
  resource: number,
  references: readonly Reference[],
  known: FoundRecords = new Map(),
): Promise<FoundRecords> {
  const found = new Map(known);
  const missing = references.filter(({ kind, id }) => known.get(kind)?.has(id) !== true);
  for (const [kind, named] of groupBy(missing, (one) => one.kind)) {
    const loaded = await findRecords(db, { resource, kind, ids: named.map(({ id }) => id) });
    found.set(kind, new Map([...(known.get(kind) ?? []), ...loaded]));
  }
  return found;
}

/** Allows references that were there before, even if their records were deleted since. */
export function keepNamed(references: readonly Reference[], before: readonly Reference[]): readonly Reference[] {
  const known = new Set(before.map(keyOf));
  return references.map((reference) =>
    known.has(keyOf(reference)) ? { ...reference, mayBeDeleted: true } : reference,
  );
}

function keyOf({ kind, id }: Reference): string {
  return `${kind} ${id}`;
}

export async function loadNamed(db: Reader, resource: number, references: readonly Reference[]) {
  const found = await loadReferences(db, resource, references);
  const problems = references.flatMap(({ kind, id, place, mayBeDeleted = false, mayBeNone = false }) => {
    const record = found.get(kind)?.get(id);
    if (record?.isActive !== true && mayBeNone && id === NONE) return [];
    if (record === undefined) return [{ place, message: `${JSON.stringify(id)} does not exist in ${kind}` }];
    if (record.isActive || mayBeDeleted) return [];
    return [{ place, message: `${JSON.stringify(id)} is deleted in ${kind}` }];
  });
  return { found, problems };
}

export function repeatProblems(ids: readonly string[], field: string): readonly Problem[] {
  const seen = new Map<string, number>();
  return ids.flatMap((id, position) => {
    const first = seen.get(id);
    if (first !== undefined) {
      return [{ place: `[${position}].${field}`, message: `repeats the id of element [${first}]` }];
    }
    seen.set(id, position);
    return [];
  });
}

export function existsProblems(
  ids: readonly string[],
  field: string,
  isKnown: (position: number) => boolean,
): readonly Problem[] {
  return ids.flatMap((id, position) => {
    const message = `${JSON.stringify(id)} exists already: /replace changes it, and brings it back if it was deleted`;
    return isKnown(position) ? [{ place: `[${position}].${field}`, message }] : [];
  });
}
