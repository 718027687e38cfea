/** The issuers (a part of the order mark) of each site, the present issuer and all former ones. */
import type { SiteId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { MetaStore } from "./database/meta-store.js";
import type { IdentityFile } from "./database/sidecar-files.js";

export interface IssuingSite {
  readonly id: SiteId;
  /** 8 hex digits, from the present config. */
  readonly issuer: string;
  /** Issuers made from `formerAddresses` of the config. */
  readonly formerIssuers: readonly string[];
  readonly renamedFrom: SiteId | null;
}

export type IssuerKind = "own" | "another-site" | "unknown";

export interface Issuers {
  kindOf(issuer: string | null, site: SiteId | null): IssuerKind;
}

const prefix = "issuers:";
const listSchema = z.array(z.string());

/** Adds the present issuers to the database and to the identity file. Call it after `applySiteNames`. */
export function recordIssuers(meta: MetaStore, file: IdentityFile, sites: readonly IssuingSite[]): Issuers {
  const stored = new Map([...meta.withPrefix(prefix)].map(([id, text]) => [id, listSchema.parse(JSON.parse(text))]));
  const inFile = file.read().issuers;
  const knownOf = (id: SiteId | null) => (id === null ? [] : [...(stored.get(id) ?? []), ...(inFile[id] ?? [])]);
  const known = new Map(
    sites.map(({ id, issuer, formerIssuers, renamedFrom }) => [
      id,
      [...new Set([issuer, ...formerIssuers, ...knownOf(id), ...knownOf(renamedFrom)])],
    ]),
  );
  for (const [id, issuers] of known) meta.set(`${prefix}${id}`, JSON.stringify(issuers));
  const next = { ...inFile, ...Object.fromEntries(known) };
  if (JSON.stringify(next) !== JSON.stringify(inFile)) file.update({ issuers: next });
  return issuersOf(known);
}

export function issuersOf(known: ReadonlyMap<SiteId, readonly string[]>): Issuers {
  const isOf = (site: SiteId, issuer: string) => known.get(site)?.includes(issuer) ?? false;
  const isOurs = (issuer: string | null) => issuer !== null && [...known.keys()].some((site) => isOf(site, issuer));
  return {
    kindOf(issuer, site) {
      if (issuer !== null && site !== null && isOf(site, issuer)) return "own";
      return isOurs(issuer) ? "another-site" : "unknown";
    },
  };
}
