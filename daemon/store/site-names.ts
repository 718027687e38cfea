import { Fault } from "@fiscald/shared/fault.js";
import { type SiteId, toSiteId } from "@fiscald/shared/ids.js";
import type { MetaStore } from "./database/meta-store.js";
import type { Database } from "./database/sqlite-file.js";
import { guardStore } from "./database/store-fault.js";

export interface NamedSite {
  readonly id: SiteId;
  readonly ordersUrl: string;
  readonly renamedFrom: SiteId | null;
}

const prefix = "site-url:";

/**
 * What is known of an order is kept under the site's id: under another id the same site could have its orders printed
 * again. A known address under a new id is therefore `config.invalid`, unless `renamedFrom` says so; then the history
 * moves to the new id, also when that one has been in use for a while: a site that got another address too is not seen at first.
 */
export function settleSiteNames(db: Database, meta: MetaStore, sites: readonly NamedSite[]): void {
  const settle = db.transaction(() => {
    for (const [index, site] of sites.entries()) {
      const known = meta.withPrefix(prefix);
      if (site.renamedFrom !== null && known.has(site.renamedFrom)) {
        rename(db, meta, site.renamedFrom, site.id);
      } else if (!known.has(site.id)) {
        refuseKnownAddress(site, known, `sites[${index}].id`);
      }
    }
    for (const site of sites) meta.set(`${prefix}${site.id}`, site.ordersUrl);
  });
  guardStore(() => settle.immediate());
}

/** All sites that were ever configured, under their ids of now. */
export function knownSites(meta: MetaStore): readonly SiteId[] {
  return [...meta.withPrefix(prefix).keys()].map(toSiteId);
}

function rename(db: Database, meta: MetaStore, from: SiteId, to: SiteId): void {
  for (const table of ["jobs", "orders_raw", "journal"]) {
    db.prepare(`UPDATE ${table} SET site = ? WHERE site = ?`).run(to, from);
  }
  // Both ids were in use at a time, and a shift was told under each: once is enough.
  db.prepare("UPDATE OR IGNORE outbox SET site = ? WHERE site = ?").run(to, from);
  meta.remove(`${prefix}${from}`);
}

function refuseKnownAddress(site: NamedSite, known: ReadonlyMap<string, string>, place: string): void {
  const former = [...known].find(([, url]) => url === site.ordersUrl)?.[0];
  if (former === undefined) return;
  const message =
    `the site ${former} had this orders address: under the new id ${site.id} its orders could be printed again; ` +
    `set "renamedFrom": "${former}" there, or keep the id`;
  throw new Fault("config.invalid", { message, place });
}
