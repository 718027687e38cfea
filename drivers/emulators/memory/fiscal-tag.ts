import { z } from "zod";

/** One requisite of a fiscal document, decoded: number of the tag (FFD, FNS order ED-7-20/662@) and its value. */
export type FiscalTag =
  | { readonly tag: number; readonly text: string }
  | { readonly tag: number; readonly number: number }
  /** FVLN: `value` / 10^`decimals`. */
  | { readonly tag: number; readonly decimals: number; readonly value: number }
  | { readonly tag: number; readonly hex: string }
  | { readonly tag: number; readonly items: readonly FiscalTag[] };

export const fiscalTagSchema: z.ZodType<FiscalTag> = z.lazy(() =>
  z.union([
    z.strictObject({ tag: z.int(), text: z.string() }),
    z.strictObject({ tag: z.int(), number: z.int() }),
    z.strictObject({ tag: z.int(), decimals: z.int(), value: z.int() }),
    z.strictObject({ tag: z.int(), hex: z.string() }),
    z.strictObject({ tag: z.int(), items: z.array(fiscalTagSchema) }),
  ]),
);

/** The last text value of a tag, or null. */
export function textOf(tags: readonly FiscalTag[], tag: number): string | null {
  const found = tags.findLast((candidate) => candidate.tag === tag);
  return found !== undefined && "text" in found ? found.text : null;
}

/** The last integer value of a tag, or null. */
export function numberOf(tags: readonly FiscalTag[], tag: number): number | null {
  const found = tags.findLast((candidate) => candidate.tag === tag);
  return found !== undefined && "number" in found ? found.number : null;
}
