/** Remembers keys for which a query found nothing, until the database changes: the query need not be repeated. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Store } from "./open-store.js";

/** The most keys, which is more than the callers of any site; beyond it everything is queried again. */
const MOST_KEYS = 10_000;
/** How long a key counts at most: the connection that brings the signals may be dead without notice. */
export const ASKED_AGAIN_MS = 10_000;

export class Unchanged {
  readonly #known = new Map<string, { readonly version: string; readonly until: number }>();

  constructor(private readonly of: { readonly store: Pick<Store<never>, "version">; readonly clock: Clock }) {}

  /** The database's version, to be taken before the query, and handed to `keep` after it. */
  version(othersUnseenMs = 0): string | null {
    return this.of.store.version(othersUnseenMs);
  }

  /** How many ms the empty result noted by `keep` still counts; 0 = the query has to be repeated. */
  leftMs(key: string, version: string | null): number {
    const known = this.#known.get(key);
    return known?.version === version ? Math.max(0, known.until - this.of.clock.monotonic()) : 0;
  }

  keep(key: string, version: string | null): void {
    if (version === null) return;
    if (this.#known.size >= MOST_KEYS) this.#known.clear();
    this.#known.set(key, { version, until: this.of.clock.monotonic() + ASKED_AGAIN_MS });
  }
}
