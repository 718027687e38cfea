/** Ids that refer to other records: all are read together, and the first unknown one is reported with its path. */
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
 * The referenced records, deleted ones too. `known`: records that this transaction has read already; under the shop's
 * lock they are still valid.
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

/** An earlier reference may stay, also if its record was deleted since. */
export function keepNamed(references: readonly Reference[], before: readonly Reference[]): readonly Reference[] {
  const known = new Set(before.map(keyOf));
  return references.map((reference) =>
    known.has(keyOf(reference)) ? { ...reference, mayBeDeleted: true } : reference,
  );
}

function keyOf({ kind, id }: Reference): string {
  return `${kind} ${id}`;
}

/** Fault "api.invalid" at the first reference to a missing record, or a new reference to a deleted one. */
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
