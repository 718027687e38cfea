import { z } from "zod";

/** A text column that holds JSON of the given shape. */
export function fromJson<T>(schema: z.ZodType<T, unknown>) {
  return z
    .string()
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: "custom", message: "no JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** A few times what one receipt looks at: its own row, its register's. */
const REMEMBERED = 32;

/**
 * The same for a column that is read again and again and seldom changes: a text that was read lately is not read anew.
 * Only for values that nobody changes.
 */
export function fromSteadyJson<T>(schema: z.ZodType<T, unknown>) {
  return steadyJson(schema).column;
}

/**
 * The same for a column whose values are also written here: `write` remembers them as read. Only for a type whose every
 * value reads back strictly equal.
 */
export function steadyJson<T>(schema: z.ZodType<T, unknown>) {
  const read = fromJson(schema);
  const remembered = new Map<string, T>();

  function remember(text: string, value: T): void {
    remembered.set(text, value);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  }
  const column = z.string().transform((text, context): T => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const result = read.safeParse(text);
    if (!result.success) {
      for (const { message, path } of result.error.issues)
        context.addIssue({ code: "custom", message, path: [...path] });
      return z.NEVER;
    }
    remember(text, result.data);
    return result.data;
  });
  return {
    column,
    /** Without a schema's way to what is known: between two receipts the processor has forgotten it. */
    read: (text: string): T => remembered.get(text) ?? column.parse(text),
    write(value: T): string {
      const text = JSON.stringify(value);
      remember(text, value);
      return text;
    },
  };
}
