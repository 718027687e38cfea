/** The catalog's records in the database: a shop's own, and the cabinet's, which all shops share. */
import { insertRows } from "../../store/insert-rows.js";
import { paddedList, prepareQuery } from "../../store/prepared-query.js";
import type { Page } from "../http/paging.js";
import type { Reader, Writer } from "../store/delivery-store.js";
import type { DeliveryTables } from "../store/delivery-tables.js";

/** The owner number of the cabinet's records. */
export const CABINET = 0;

export const recordKinds = [
  "goods",
  "specificities",
  "warehouses",
  "couriers",
  "userRoles",
  "clients",
  "suppliers",
  "orderReturnReasons",
  "paymentTypes",
  "taxes",
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Kinds of records that belong to the cabinet while it is on. */
export const cabinetKinds: ReadonlySet<RecordKind> = new Set<RecordKind>([
  "couriers",
  "taxes",
  "paymentTypes",
  "orderReturnReasons",
  "userRoles",
  "suppliers",
]);

/** This program wrote the stored JSON through a schema, so reading does not check it again. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Ids are stored as text, money in roubles. */
export type StoredRecord = { readonly [field: string]: JsonValue };

export interface CatalogRecord {
  readonly owner: number;
  readonly id: string;
  readonly isActive: boolean;
  readonly updatedAt: number;
  readonly body: StoredRecord;
}

export function jsonObject(text: string): StoredRecord {
  const value: StoredRecord = JSON.parse(text);
  return value;
}

export function textField(record: StoredRecord | undefined, field: string): string | null {
  const value = record?.[field];
  return typeof value === "string" ? value : null;
}

export function numberField(record: StoredRecord | undefined, field: string): number | null {
  const value = record?.[field];
  return typeof value === "number" ? value : null;
}

export function fromWire(checked: Readonly<Record<string, unknown>>): StoredRecord {
  return jsonObject(JSON.stringify(checked));
}

/** Sorts numbers by value, before other texts. No two ids share a key, so that pages neither repeat nor miss an id. */
export function sortKeyOf(id: string): string {
  if (!/^\d{1,20}$/.test(id)) return `1${id}`;
  const byValue = `0${id.padStart(20, "0")}`;
  return /^0\d/.test(id) ? `${byValue} ${id}` : byValue;
}

function ownersOf(resource: number, kind: RecordKind): readonly number[] {
  return cabinetKinds.has(kind) && resource !== CABINET ? [CABINET, resource] : [resource];
}

const recordsById = prepareQuery((db: Reader, owners: readonly number[], kind: string, ids: readonly string[]) =>
  db
    .selectFrom("delivery_records")
    .select(["owner", "record_id", "is_active", "updated_at", "body"])
    .where("owner", "in", owners)
    .where("kind", "=", kind)
    .where("record_id", "in", ids)
    .orderBy("owner"),
);

/** Finds deleted records too. A shop's own record hides the cabinet's record of the same id. */
export async function findRecords(
  db: Reader,
  where: { readonly resource: number; readonly kind: RecordKind; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, CatalogRecord>> {
  const found = new Map<string, CatalogRecord>();
  for (const ids of inChunks([...new Set(where.ids)])) {
    const rows = await recordsById(db, ownersOf(where.resource, where.kind), where.kind, paddedList(ids));
    for (const row of rows) found.set(row.record_id, toRecord(row));
  }
  return found;
}

/** The cabinet's courier works for every shop that has no courier of its own with that id. */
export async function sharesCourier(db: Reader, resource: number, courierId: string): Promise<boolean> {
  const found = await findRecords(db, { resource, kind: "couriers", ids: [courierId] });
  if (found.get(courierId)?.owner !== CABINET) return false;
  const shop = await db.selectFrom("delivery_resources").select("id").where("id", "=", resource).executeTakeFirst();
  return shop !== undefined;
}

export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

/** Databases limit the number of values in one statement. */
export function inChunks<Value>(values: readonly Value[]): readonly (readonly Value[])[] {
  const chunks: Value[][] = [];
  for (let start = 0; start < values.length; start += 5000) chunks.push(values.slice(start, start + 5000));
  return chunks;
}

export async function listRecords(
  db: Reader,
  where: { readonly resource: number; readonly kind: RecordKind; readonly page: Page | null },
): Promise<readonly CatalogRecord[]> {
  const { page } = where;
  const rows = await db
    .selectFrom("delivery_records as record")
    .selectAll()
    .where("owner", "in", ownersOf(where.resource, where.kind))
    .where((is) => is.and({ kind: where.kind, is_active: 1 }))
    .$if(cabinetKinds.has(where.kind), (query) =>
      query.where((expression) =>
        expression.or([
          expression("owner", "=", where.resource),
          expression.not(
            expression.exists(
              expression
                .selectFrom("delivery_records as own")
                .select("own.owner")
                .where((is) => is.and({ "own.owner": where.resource, "own.kind": where.kind }))
                .whereRef("own.record_id", "=", "record.record_id"),
            ),
          ),
        ]),
      ),
    )
    .orderBy("sort_key")
    .$if(page !== null, (query) => query.limit(page?.limit ?? 0).offset(page?.offset ?? 0))
    .execute();
  return rows.map(toRecord);
}

/** A shop's change of a cabinet's record becomes a record of the shop's own. */
export async function saveRecords(
  tx: Writer,
  where: { readonly owner: number; readonly kind: RecordKind; readonly now: number },
  records: readonly Pick<CatalogRecord, "id" | "isActive" | "body">[],
): Promise<void> {
  const rows = records.map((record) => ({
    owner: where.owner,
    kind: where.kind,
    record_id: record.id,
    sort_key: sortKeyOf(record.id),
    is_active: record.isActive ? 1 : 0,
    body: JSON.stringify(record.body),
    updated_at: where.now,
  }));
  const known = { key: ["owner", "kind", "record_id"], replace: ["is_active", "body", "updated_at"] } as const;
  await insertRows({ tx, table: "delivery_records", rows, known });
}

function toRecord(row: Omit<DeliveryTables["delivery_records"], "kind" | "sort_key">): CatalogRecord {
  return {
    owner: row.owner,
    id: row.record_id,
    isActive: row.is_active === 1,
    updatedAt: row.updated_at,
    body: jsonObject(row.body),
  };
}
