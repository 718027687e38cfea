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
