/** Remembers keys for which a query found nothing, so that it need not be repeated until the database changes. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Store } from "./open-store.js";

/** More keys than any site has callers. Beyond it everything is queried again. */
const MOST_KEYS = 10_000;
/** A key counts no longer than this, because the connection that brings the signals may be dead without notice. */
export const ASKED_AGAIN_MS = 10_000;

export class Unchanged {
  readonly #known = new Map<string, { readonly version: string; readonly until: number }>();

  constructor(private readonly of: { readonly store: Pick<Store<never>, "version">; readonly clock: Clock }) {}

  /** Take the version before the query, and pass it to `keep` after the query. */
  version(othersUnseenMs = 0): string | null {
    return this.of.store.version(othersUnseenMs);
  }

  /** How many ms the empty result of `keep` still counts; 0 = the query has to be repeated. */
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
