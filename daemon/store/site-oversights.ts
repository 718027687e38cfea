import type { SiteId } from "@fiscald/shared/ids.js";
import type { Oversight } from "@fiscald/shared/receipt/formats/find-oversights.js";
import { z } from "zod";
import type { MetaStore } from "./database/meta-store.js";
import { fromJson } from "./rows/json-column.js";

const DAY_MS = 24 * 60 * 60_000;
const WEEK_MS = 7 * DAY_MS;
/** A site that makes up its keys must not fill the database. */
const MOST_KEYS = 100;

const storedSchema = z.object({
  kind: z.enum(["unknown-key", "no-rate", "rate-like-percent"]),
  text: z.object({ en: z.string(), ru: z.string() }),
  firstAt: z.int(),
  /** When an order last had the oversight, exact to a day. */
  lastAt: z.int(),
  /** Since when every order has had the oversight; null = the last order did not have it. */
  since: z.int().nullable(),
  /** True when every order of a week had the oversight, because the site then means it. */
  isUsual: z.boolean(),
});
const columnSchema = fromJson(storedSchema);

type Stored = z.output<typeof storedSchema>;

export type SiteOversight = Omit<Stored, "since" | "isUsual"> & Pick<Oversight, "key">;

export type Noted = Readonly<Record<"fresh" | "unusual", readonly Oversight[]>>;

export type SiteOversights = ReturnType<typeof createSiteOversights>;

/** Things in a site's orders that it probably did not mean. Each is reported once, and listed while it lasts. */
export function createSiteOversights(meta: MetaStore) {
  const prefixOf = (site: SiteId) => `oversight:${site}:`;
  /** Cached, because each order asks. A write clears the site's entry, so a rolled-back write is read again as well. */
  const kept = new Map<SiteId, ReadonlyMap<string, Stored>>();
  /** Leaves out an entry that cannot be read, because a warning must never cost an order its print. */
  function readAll(site: SiteId): ReadonlyMap<string, Stored> {
    const known = kept.get(site);
    if (known !== undefined) return known;
    const read = new Map(
      [...meta.withPrefix(prefixOf(site))].flatMap(([key, text]) => {
        const { data } = columnSchema.safeParse(text);
        return data === undefined ? [] : [[key, data] as const];
      }),
    );
    kept.set(site, read);
    return read;
  }
  return {
    /**
     * No earlier order of the site had the `fresh` oversights, and not every order of a week had the `unusual` ones. A
     * rate that looks like a percentage is `unusual` only once a day. Runs in the caller's transaction.
     */
    note(site: SiteId, found: readonly Oversight[], now: number): Noted {
      const known = readAll(site);
      const put = (key: string, stored: Stored) => {
        kept.delete(site);
        meta.set(`${prefixOf(site)}${key}`, JSON.stringify(stored));
      };
      for (const [key, stored] of known) {
        const next = found.some((one) => one.key === key) ? seen(stored, now) : { ...stored, since: null };
        if (JSON.stringify(next) !== JSON.stringify(stored)) put(key, next);
      }
      const fresh = found.filter(({ key }) => !known.has(key)).slice(0, Math.max(0, MOST_KEYS - known.size));
      for (const { key, kind, message: en, ru } of fresh) {
        put(key, { kind, text: { en, ru }, firstAt: now, lastAt: now, since: now, isUsual: false });
      }
      const isTold = ({ key, kind }: Oversight) => {
        const stored = known.get(key);
        if (stored === undefined) return true;
        return !stored.isUsual && (kind !== "rate-like-percent" || now - stored.lastAt >= DAY_MS);
      };
      return { fresh, unusual: found.filter(isTold) };
    },
    /** Oversights in the last week's orders, newest first, without those that every order of a week had. */
    unknownKeys: (site: SiteId, now: number): readonly SiteOversight[] =>
      [...readAll(site)]
        .filter(([, { isUsual, lastAt }]) => !isUsual && now - lastAt < WEEK_MS)
        .map(([key, { kind, text, firstAt, lastAt }]) => ({ key, kind, text, firstAt, lastAt }))
        .sort((one, other) => other.firstAt - one.firstAt),
  };
}

function seen(stored: Stored, now: number): Stored {
  const since = stored.since ?? now;
  const lastAt = now - stored.lastAt >= DAY_MS ? now : stored.lastAt;
  return { ...stored, since, lastAt, isUsual: stored.isUsual || now - since >= WEEK_MS };
}
