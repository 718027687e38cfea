import { isFault } from "@fiscald/shared/fault.js";
import type { Config } from "../config/config-schema.js";
import { storesOf } from "../open-stores.js";
import { openDatabaseForReading } from "../store/database/open-database.js";

export type StoredState = ReturnType<typeof storesOf>;

type Database = ReturnType<typeof openDatabaseForReading>["db"];

export function withStoredState<T>(config: Config, read: (state: StoredState, db: Database) => T): T {
  const { db, close } = openDatabaseForReading(config.database);
  try {
    return read(storesOf(db), db);
  } finally {
    close();
  }
}

/** Null: there is no readable database of this version. */
export function readStateIfAny<T>(config: Config, read: (state: StoredState) => T): T | null {
  try {
    return withStoredState(config, read);
  } catch (error) {
    if (!isFault(error) || error.area !== "store") throw error;
    return null;
  }
}
