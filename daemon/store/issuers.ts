/** Which issuers (order-mark part) belong to which site: those of now, and every one that a site had before. */
import type { SiteId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { MetaStore } from "./database/meta-store.js";
import type { IdentityFile } from "./database/sidecar-files.js";

export interface IssuingSite {
  readonly id: SiteId;
  /** 8 hex, of the config as it is now. */
  readonly issuer: string;
  /** Of `formerAddresses`. */
  readonly formerIssuers: readonly string[];
  readonly renamedFrom: SiteId | null;
}

/** Whose orders an issuer's marks name, as seen by one site. */
export type IssuerKind = "own" | "another-site" | "unknown";

export interface Issuers {
  kindOf(issuer: string | null, site: SiteId | null): IssuerKind;
  /** Of any site of this daemon. */
  isOurs(issuer: string | null): boolean;
}

const prefix = "issuers:";
const listSchema = z.array(z.string());

/** Writes down the issuers of now, in the database and in the file beside it. Call it after the sites' names are settled. */
export function settleIssuers(meta: MetaStore, file: IdentityFile, sites: readonly IssuingSite[]): Issuers {
  const stored = new Map([...meta.withPrefix(prefix)].map(([id, text]) => [id, listSchema.parse(JSON.parse(text))]));
  const beside = file.read().issuers;
  const knownOf = (id: SiteId | null) => (id === null ? [] : [...(stored.get(id) ?? []), ...(beside[id] ?? [])]);
  const known = new Map(
    sites.map(({ id, issuer, formerIssuers, renamedFrom }) => [
      id,
      [...new Set([issuer, ...formerIssuers, ...knownOf(id), ...knownOf(renamedFrom)])],
    ]),
  );
  for (const [id, issuers] of known) meta.set(`${prefix}${id}`, JSON.stringify(issuers));
  const next = { ...beside, ...Object.fromEntries(known) };
  if (JSON.stringify(next) !== JSON.stringify(beside)) file.update({ issuers: next });
  return issuersOf(known);
}

export function issuersOf(known: ReadonlyMap<SiteId, readonly string[]>): Issuers {
  const hasIt = (site: SiteId, issuer: string) => known.get(site)?.includes(issuer) ?? false;
  const isOurs = (issuer: string | null) => issuer !== null && [...known.keys()].some((site) => hasIt(site, issuer));
  return {
    isOurs,
    kindOf(issuer, site) {
      if (issuer !== null && site !== null && hasIt(site, issuer)) return "own";
      return isOurs(issuer) ? "another-site" : "unknown";
    },
  };
}
