/** A test's own database with all stores, at the path of raw-config.ts. It is removed after the test. */
import { join } from "node:path";
import type { StoredState } from "@fiscald/daemon/cli/stored-state.js";
import { storesOf } from "@fiscald/daemon/open-stores.js";
import { type OwnedDatabase, openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock, type FakeClock } from "./fake-clock.js";
import { useTempFolder } from "./temp-folder.js";

export interface OpenStores extends StoredState {
  readonly clock: FakeClock;
  readonly database: OwnedDatabase;
  readonly db: OwnedDatabase["db"];
  close(): void;
}

/** To be called at the top of a test file. `open` opens the same database each time. */
export function useStores() {
  const opened: { close(): void }[] = [];
  afterEach(() => {
    for (const database of opened.splice(0)) database.close();
  });
  const folder = useTempFolder();
  const path = () => join(folder(), "fiscald.sqlite");
  return {
    folder,
    path,
    open({ clock = createFakeClock(), pid = 1 } = {}): OpenStores {
      const database = openDatabase({ path: path(), clock, log: silentLogger, pid });
      opened.push(database);
      return { clock, database, db: database.db, close: () => database.close(), ...storesOf(database.db) };
    },
  };
}
