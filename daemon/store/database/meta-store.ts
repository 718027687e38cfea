import type { SiteId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { IdentityFile } from "./sidecar-files.js";
import type { Database } from "./sqlite-file.js";
import { guarded } from "./store-fault.js";

const rowSchema = z.object({ key: z.string(), value: z.string() });

export type MetaStore = ReturnType<typeof createMetaStore>;

export function createMetaStore(db: Database) {
  const one = db.prepare("SELECT key, value FROM meta WHERE key = ?");
  const put = db.prepare("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value");
  const drop = db.prepare("DELETE FROM meta WHERE key = ?");
  const all = db.prepare("SELECT key, value FROM meta ORDER BY key");
  return guarded({
    get(key: string): string | null {
      const row = one.get(key);
      return row === undefined ? null : rowSchema.parse(row).value;
    },
    set: (key: string, value: string) => void put.run(key, value),
    remove: (key: string) => void drop.run(key),
    /** The keys of the result lack the prefix. */
    withPrefix(prefix: string): ReadonlyMap<string, string> {
      const rows = all.all().map((row) => rowSchema.parse(row));
      return new Map(
        rows.flatMap(({ key, value }) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [])),
      );
    },
  });
}

/** Stored in the database and in the identity file, so that sites know the daemon without its database. */
export function daemonIdOf(meta: MetaStore, identityFile: IdentityFile, newId: () => string): string {
  const stored = meta.get("daemon-id");
  const inFile = identityFile.read().daemon;
  const id = stored ?? inFile ?? newId();
  if (stored !== id) meta.set("daemon-id", id);
  if (inFile !== id) identityFile.update({ daemon: id });
  return id;
}

const FORGETFUL = "forgetful-since";

export type DatabaseMemory = ReturnType<typeof databaseMemory>;

/** Whether the database may lack prints. `file` is the open database, which knows whether its last daemon closed it. */
export function databaseMemory(meta: MetaStore, file: { readonly remembersAll: boolean }) {
  return {
    /** The database was deleted or restored from a copy, and not every register has been read since. */
    get isForgetful() {
      return meta.get(FORGETFUL) !== null;
    },
    /** The last end was a clean end of this very file, so nothing was printed that the database does not know. */
    get remembersAll() {
      return file.remembersAll;
    },
    /** Call this when every register was read and the database is complete again. */
    remembered: () => meta.remove(FORGETFUL),
  };
}

export function markForgetful(db: Database, since: string): void {
  createMetaStore(db).set(FORGETFUL, since);
}

export type LeasingSite = ReturnType<typeof leasingSite>;

/** A site that leases orders offers an order again until the daemon confirms it, so a crash loses none. */
export function leasingSite(meta: MetaStore, site: SiteId) {
  const key = `leases.${site}`;
  let leases = meta.get(key) !== null;
  return {
    get leases() {
      return leases;
    },
    note(now: boolean): void {
      if (now === leases) return;
      if (now) meta.set(key, "1");
      else meta.remove(key);
      leases = now;
    },
  };
}
