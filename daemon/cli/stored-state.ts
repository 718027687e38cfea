import { randomUUID } from "node:crypto";
import { isFault } from "@fiscald/shared/fault.js";
import type { Config } from "../config/config-schema.js";
import { createAttemptStore } from "../store/attempt-store.js";
import { createMetaStore } from "../store/database/meta-store.js";
import { openDatabaseForReading } from "../store/database/open-database.js";
import { createDayFacts } from "../store/day-facts.js";
import { createCheckStore } from "../store/document-checks.js";
import { createJobStore } from "../store/job-store.js";
import { createJournal } from "../store/journal.js";
import { createOutboxStore } from "../store/outbox-store.js";
import { createRawOrders } from "../store/raw-orders.js";
import { createRegisterStore } from "../store/register-store.js";
import { createSiteOversights } from "../store/site-oversights.js";
import { createDocumentStore } from "../store/unowned-documents.js";

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

/** Null: there is no database of this version, or it cannot be read. */
export function readStateIfAny<T>(config: Config, read: (state: StoredState) => T): T | null {
  try {
    return withStoredState(config, read);
  } catch (error) {
    if (!isFault(error) || error.area !== "store") throw error;
    return null;
  }
}

export function storesOf(db: Database) {
  const journal = createJournal(db);
  return {
    jobs: createJobStore(db),
    attempts: createAttemptStore(db),
    registers: createRegisterStore(db),
    documents: createDocumentStore(db),
    checks: createCheckStore(db),
    dayFacts: createDayFacts(db),
    journal,
    oversights: createSiteOversights(createMetaStore(db)),
    outbox: createOutboxStore({ db, journal, newId: randomUUID, onAdded: () => {} }),
    rawOrders: createRawOrders(db),
  };
}
