import { invalid } from "../http/api-errors.js";
import { parseBody } from "../http/endpoint.js";
import { batchOf } from "../http/wire-types.js";
import { type DeliveryStore, lockShop } from "../store/delivery-store.js";
import { withHashedPasswords, writeRecords } from "./catalog.js";
import { catalogRows } from "./catalog-table.js";
import { DEFAULT_PASSWORD_COST } from "./password-hash.js";
import { permissionIn, setPermissions } from "./permissions.js";
import { createSchema } from "./record-fields.js";
import { CABINET, cabinetKinds, type StoredRecord } from "./records.js";

/** Loads `{ "couriers": [...], "permissions": [...] }` with the API's fields. Returns the number of records. */
export async function loadCabinetRecords(
  store: DeliveryStore,
  { permissions, ...records }: Readonly<Record<string, unknown>>,
  now: number,
): Promise<number> {
  const unknown = Object.keys(records).find(
    (kind) => !catalogRows.some((row) => row.kind === kind && cabinetKinds.has(row.kind)),
  );
  if (unknown !== undefined) throw invalid(unknown, `is none of ${[...cabinetKinds, PERMISSIONS].join(", ")}`);
  const batches: { readonly row: (typeof catalogRows)[number]; readonly elements: readonly StoredRecord[] }[] = [];
  for (const row of catalogRows) {
    if (records[row.kind] === undefined) continue;
    const elements = parseBody(batchOf(createSchema(row.fields)), records[row.kind]);
    batches.push({ row, elements: await withHashedPasswords(elements, DEFAULT_PASSWORD_COST) });
  }
  const settings = permissions === undefined ? [] : parseBody(batchOf(permissionIn), permissions);
  await store.transaction(async (tx) => {
    await lockShop(store.kind, tx, CABINET);
    // Roles and taxes are stored before the records that name them.
    const ordered = batches.toSorted((one, other) => rank(one.row.kind) - rank(other.row.kind));
    for (const { row, elements } of ordered) {
      await writeRecords(tx, { row, resource: CABINET, now }, elements, () => []);
    }
    await setPermissions(tx, { resource: CABINET, now }, settings);
  });
  return batches.reduce((count, { elements }) => count + elements.length, settings.length);
}

const PERMISSIONS = "permissions";

function rank(kind: string): number {
  return kind === "couriers" || kind === "suppliers" ? 1 : 0;
}
