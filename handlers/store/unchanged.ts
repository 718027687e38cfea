/** What a query has found, known without asking again for as long as nothing in the database has changed. */
import type { Store } from "./open-store.js";

/** More than the callers of any site; beyond it everything is asked again. */
const MOST_KEYS = 10_000;

export class Unchanged {
  readonly #store: Pick<Store<never>, "version">;
  readonly #versions = new Map<string, string>();

  constructor(store: Pick<Store<never>, "version">) {
    this.#store = store;
  }

  /** To be taken before the query, and handed to `keep` after it. */
  version(): string | null {
    return this.#store.version();
  }

  /** Whether what was kept under this key is still so. */
  has(key: string, version: string | null): boolean {
    return version !== null && this.#versions.get(key) === version;
  }

  keep(key: string, version: string | null): void {
    if (version === null) return;
    if (this.#versions.size >= MOST_KEYS) this.#versions.clear();
    this.#versions.set(key, version);
  }
}
