/** Remembers keys until the database changes: what a query found for them need not be asked again. */
import type { Clock } from "@fiscald/shared/clock.js";
import type { Store } from "./open-store.js";

export interface UnchangedOptions {
  readonly store: Pick<Store<never>, "version">;
  readonly clock: Clock;
}

/** More than the callers of any site; beyond it everything is asked again. */
const MOST_KEYS = 10_000;
/** The longest delay by a signal of another node that was lost. */
const ASKED_AGAIN_MS = 10_000;

export class Unchanged {
  readonly #store: UnchangedOptions["store"];
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly version: string; readonly until: number }>();

  constructor({ store, clock }: UnchangedOptions) {
    this.#store = store;
    this.#clock = clock;
  }

  /** To be taken before the query, and handed to `keep` after it. */
  version(): string | null {
    return this.#store.version();
  }

  /** Whether `keep` was called for the key and the database has not changed since. */
  has(key: string, version: string | null): boolean {
    const known = this.#known.get(key);
    return known !== undefined && known.version === version && this.#clock.monotonic() < known.until;
  }

  keep(key: string, version: string | null): void {
    if (version === null) return;
    if (this.#known.size >= MOST_KEYS) this.#known.clear();
    this.#known.set(key, { version, until: this.#clock.monotonic() + ASKED_AGAIN_MS });
  }
}
