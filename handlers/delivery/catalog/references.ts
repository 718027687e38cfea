/** Ids that name other records: all are looked up together, and the first unknown one is named with its place. */
import { invalid } from "../http/api-errors.js";
import type { Reader } from "../store/delivery-store.js";
import { type CatalogRecord, findRecords, type RecordKind } from "./records.js";

export interface Reference {
  readonly kind: RecordKind;
  readonly id: string;
  /** `[2].goods[0].goodId` */
  readonly place: string;
  /** What this is about was so before: the record may have been deleted since. */
  readonly mayBeDeleted?: boolean;
}

export type FoundRecords = ReadonlyMap<RecordKind, ReadonlyMap<string, CatalogRecord>>;

/**
 * What the references name, deleted records too. `known` is what this transaction has read already: under the shop's lock
 * it is still true.
 */
export async function loadReferences(
  db: Reader,
  resource: number,
  references: readonly Reference[],
  known: FoundRecords = new Map(),
): Promise<FoundRecords> {
  const found = new Map(known);
  for (const [kind, ids] of idsToLoad(references, known)) {
    const loaded = await findRecords(db, { resource, kind, ids: [...ids] });
    found.set(kind, new Map([...(known.get(kind) ?? []), ...loaded]));
  }
  return found;
}

function idsToLoad(references: readonly Reference[], known: FoundRecords): ReadonlyMap<RecordKind, Set<string>> {
  const idsByKind = new Map<RecordKind, Set<string>>();
  for (const { kind, id } of references) {
    if (known.get(kind)?.has(id) === true) continue;
    const ids = idsByKind.get(kind);
    if (ids === undefined) idsByKind.set(kind, new Set([id]));
    else ids.add(id);
  }
  return idsByKind;
}

/** What was named before may be named again, also where it was deleted since. */
export function keepNamed(references: readonly Reference[], before: readonly Reference[]): readonly Reference[] {
  const known = new Set(before.map(keyOf));
  return references.map((reference) =>
    known.has(keyOf(reference)) ? { ...reference, mayBeDeleted: true } : reference,
  );
}

function keyOf({ kind, id }: Reference): string {
  return `${kind} ${id}`;
}

/** Fault "api.invalid" at the first reference to nothing, or to something deleted that is named anew. */
export function checkReferences(references: readonly Reference[], found: FoundRecords): void {
  for (const { kind, id, place, mayBeDeleted = false } of references) {
    const record = found.get(kind)?.get(id);
    if (record === undefined) throw invalid(place, `${JSON.stringify(id)} does not exist in ${kind}`);
    if (!record.isActive && !mayBeDeleted) throw invalid(place, `${JSON.stringify(id)} is deleted in ${kind}`);
  }
}

/** Fault "api.invalid" when one array names an id twice. */
export function checkUnique(ids: readonly string[], field: string): void {
  const seen = new Map<string, number>();
  ids.forEach((id, position) => {
    const first = seen.get(id);
    if (first !== undefined) throw invalid(`[${position}].${field}`, `repeats the id of element [${first}]`);
    seen.set(id, position);
  });
}
