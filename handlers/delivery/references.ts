/** Ids that name other records: all are looked up together, and the first unknown one is named with its place. */
import { invalid } from "./api-errors.js";
import type { Reader } from "./operation.js";
import { type CatalogRecord, findRecords, type RecordKind } from "./records.js";

export interface Reference {
  readonly kind: RecordKind;
  readonly id: string;
  /** `[2].goods[0].goodId` */
  readonly place: string;
}

export type FoundRecords = ReadonlyMap<RecordKind, ReadonlyMap<string, CatalogRecord>>;

/** What the references name, deleted records too. */
export async function loadReferences(
  db: Reader,
  resource: number,
  references: readonly Reference[],
): Promise<FoundRecords> {
  const found = new Map<RecordKind, ReadonlyMap<string, CatalogRecord>>();
  for (const kind of new Set(references.map((reference) => reference.kind))) {
    const ids = references.filter((reference) => reference.kind === kind).map((reference) => reference.id);
    found.set(kind, await findRecords(db, { resource, kind, ids }));
  }
  return found;
}

/** Fault "api.invalid" at the first reference to nothing or to something deleted. */
export function checkReferences(references: readonly Reference[], found: FoundRecords): void {
  for (const { kind, id, place } of references) {
    const record = found.get(kind)?.get(id);
    if (record === undefined) throw invalid(place, `${JSON.stringify(id)} does not exist in ${kind}`);
    if (!record.isActive) throw invalid(place, `${JSON.stringify(id)} is deleted in ${kind}`);
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
