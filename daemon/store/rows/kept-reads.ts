type Key = string | number;

/** The results of a few registers, sites and models, and of the present order. */
const MOST_KEPT = 512;

/** Caches reads that each receipt needs, until a store calls `forget`. Nothing read inside a transaction is kept. */
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
