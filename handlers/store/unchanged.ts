/** Remembers keys for which a query found nothing, so that it need not be repeated until the database changes. */

/** More keys than any site has callers. Beyond it everything is queried again. */
const MOST_KEYS = 100_000;

export class Unchanged {
  readonly #versions = new Map<string, string>();

  /** `version`: that of the store now. */
  has(key: string, version: string | null): boolean {
    return version !== null && this.#versions.get(key) === version;
  }

  /** `version`: that of the store before the query. */
  keep(key: string, version: string | null): void {
    if (version === null) return;
    if (this.#versions.size >= MOST_KEYS) this.#versions.clear();
    this.#versions.set(key, version);
  }
}
