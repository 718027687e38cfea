import { LRUCache } from "lru-cache";
import { z } from "zod";

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

/** A cache for a column that rarely changes. Values must be immutable, and for `write` equal to their parsed JSON. */
export function cachedJson<T extends object>(schema: z.ZodType<T, unknown>) {
  const column = fromJson(schema);
  const cache = new LRUCache<string, T>({ max: CACHED_VALUES });
  return {
    read(text: string): T {
      const known = cache.get(text);
      if (known !== undefined) return known;
      const value = column.parse(text);
      cache.set(text, value);
      return value;
    },
    write(value: T): string {
      const text = JSON.stringify(value);
      cache.set(text, value);
      return text;
    },
  };
}
