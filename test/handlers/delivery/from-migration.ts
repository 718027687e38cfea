import type { DeliveryStore } from "@fiscald/handlers/delivery/http/endpoint.js";
import { deliveryMigrations } from "@fiscald/handlers/delivery/store/delivery-migrations.js";

/** Runs the migration that follows `version` once more, as on a database of that version: what it makes is taken away before. */
export async function fromMigration(store: DeliveryStore, version: number): Promise<void> {
  const { name, migrations } = deliveryMigrations;
  await setVersion(store, version);
  await store.migrate({ name, migrations: migrations.slice(0, version + 1) });
  await setVersion(store, migrations.length);
}

async function setVersion(store: DeliveryStore, version: number): Promise<void> {
  await store
    .withTables<{ schema_versions: { part: string; version: number } }>()
    .db.updateTable("schema_versions")
    .set({ version })
    .where("part", "=", "delivery")
    .execute();
}
