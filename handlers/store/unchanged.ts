/** Remembers keys until the database changes: what a query found for them need not be asked again. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Store } from "./open-store.js";

/** More than the callers of any site; beyond it everything is asked again. */
const MOST_KEYS = 10_000;
/** The longest delay by a signal that was lost: the connection that brings them may be dead without a word. */
export const ASKED_AGAIN_MS = 10_000;

export class Unchanged {
  readonly #known = new Map<string, { readonly version: string; readonly until: number }>();

  constructor(private readonly of: { readonly store: Pick<Store<never>, "version">; readonly clock: Clock }) {}

  /** To be taken before the query, and handed to `keep` after it. */
  version(): string | null {
    return this.of.store.version();
  }

  /** How long what `keep` was called for still counts, ms; 0 = it is to be asked again. */
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
