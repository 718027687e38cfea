import { Fault } from "@fiscald/shared/fault.js";
import { type SiteId, toSiteId } from "@fiscald/shared/ids.js";
import { storeReasons } from "../messages/reasons/store-reasons.js";
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
 * Compares the configured sites with the recorded ones. Jobs are stored under the site's id, so under another id the
 * same site could have its orders printed again. A recorded address under a new id is therefore `config.invalid`,
 * unless `renamedFrom` names the former id. The history then moves to the new id, even if that id already has a
 * history, because a site that changed its address together with its id is not detected at first.
 */
export function applySiteNames(db: Database, meta: MetaStore, sites: readonly NamedSite[]): void {
  const apply = db.transaction(() => {
    for (const [index, site] of sites.entries()) {
      const known = meta.withPrefix(prefix);
      if (site.renamedFrom !== null && known.has(site.renamedFrom)) {
        rename(db, meta, site.renamedFrom, site.id);
      } else if (!known.has(site.id)) refuseKnownAddress(site, known, `sites[${index}].id`);
    }
    for (const site of sites) meta.set(`${prefix}${site.id}`, site.ordersUrl);
  });
  guardStore(() => apply.immediate());
}

/** Includes sites that are no longer configured. */
export function knownSites(meta: MetaStore): readonly SiteId[] {
  return [...meta.withPrefix(prefix).keys()].map(toSiteId);
}

function rename(db: Database, meta: MetaStore, from: SiteId, to: SiteId): void {
  for (const table of ["jobs", "orders_raw", "journal"]) {
    db.prepare(`UPDATE ${table} SET site = ? WHERE site = ?`).run(to, from);
  }
  // The report of a shift that was sent under both ids stays once under the new id.
  db.prepare("UPDATE OR IGNORE outbox SET site = ? WHERE site = ?").run(to, from);
  meta.remove(`${prefix}${from}`);
}

/**
 * A site that changes to HTTPS, or gets a slash at its end, has the same orders. Unlike the issuer in an order mark,
 * this form includes the whole query, because a key in the query may distinguish two shops.
 */
function placeOf(url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname.replace(/\/+$/, "")}${search}`;
}

function refuseKnownAddress(site: NamedSite, known: ReadonlyMap<string, string>, place: string): void {
  const former = [...known].find(([, url]) => placeOf(url) === placeOf(site.ordersUrl))?.[0];
  if (former === undefined) return;
  const message = storeReasons.otherSiteId({ site: former, id: site.id });
  throw new Fault("config.invalid", { message, place });
}
