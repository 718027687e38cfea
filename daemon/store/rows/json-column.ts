import { z } from "zod";

/** Schema of a text column that contains JSON of the given shape. */
export function fromJson<T>(schema: z.ZodType<T, unknown>) {
  return z
    .string()
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: "custom", message: "not JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** A receipt reads a few rows: its own and its register's. */
const CACHED_VALUES = 32;

/** `fromJson` with a cache of the last texts, for a column that rarely changes. The values must be immutable. */
export function cachedJsonColumn<T>(schema: z.ZodType<T, unknown>) {
  return cachedJson(schema).column;
}

/**
 * The same cache for a column that is also written here: `write` adds the value to the cache. Each value of the type
 * must be strictly equal to its own JSON when parsed.
 */
export function cachedJson<T>(schema: z.ZodType<T, unknown>) {
  const read = fromJson(schema);
  const cache = new Map<string, T>();

  function store(text: string, value: T): void {
    cache.set(text, value);
    const [oldest] = cache.keys();
    if (cache.size > CACHED_VALUES && oldest !== undefined) cache.delete(oldest);
  }
  const column = z.string().transform((text, context): T => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = read.safeParse(text);
    if (!result.success) {
      for (const { message, path } of result.error.issues)
        context.addIssue({ code: "custom", message, path: [...path] });
      return z.NEVER;
    }
    store(text, result.data);
    return result.data;
  });
  return {
    column,
    /** Faster than `column.parse` for a cached text: it does not run zod. */
    read: (text: string): T => cache.get(text) ?? column.parse(text),
    write(value: T): string {
      const text = JSON.stringify(value);
      store(text, value);
      return text;
    },
  };
}
