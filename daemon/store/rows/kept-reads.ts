type Key = string | number;

/** The most results that are kept: those of a few registers, sites and models, and of the present order. */
const MOST_KEPT = 512;

/**
 * Reads that each receipt needs, of rows that seldom change. Results are kept in memory until their store writes: the
 * store calls `forget` with each write. A transaction may be rolled back, so nothing read inside one is kept.
 */
export function createKeptReads(db: { readonly inTransaction: boolean }) {
  const all: Map<string, unknown>[] = [];
  return {
    /** Wraps `read` so that its results are kept by its arguments. The results must be immutable. */
    keep<Keys extends readonly Key[], T extends NonNullable<unknown> | null>(read: (...keys: Keys) => T) {
      const kept = new Map<string, T>();
      all.push(kept);
      return (...keys: Keys): T => {
        const key = keys.join("\0");
        const known = kept.get(key);
        if (known !== undefined) return known;
        const value = read(...keys);
        if (db.inTransaction) return value;
        if (kept.size >= MOST_KEPT) kept.clear();
        kept.set(key, value);
        return value;
      };
    },
    forget(): void {
      for (const kept of all) kept.clear();
    },
  };
}
