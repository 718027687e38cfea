import { z } from "zod";

/** One decoded tag of a fiscal document (order ED-7-20/662@) and its value. */
export type FiscalTag =
  | { readonly tag: number; readonly text: string }
  | { readonly tag: number; readonly number: number }
  /** FVLN (decimal number of variable length): `value` / 10^`decimals`. */
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

export function textOf(tags: readonly FiscalTag[], tag: number): string | null {
  const found = tags.findLast((candidate) => candidate.tag === tag);
  return found !== undefined && "text" in found ? found.text : null;
}

export function numberOf(tags: readonly FiscalTag[], tag: number): number | null {
  const found = tags.findLast((candidate) => candidate.tag === tag);
  return found !== undefined && "number" in found ? found.number : null;
}

export function textTags(...texts: readonly (readonly [tag: number, text: string | null | undefined])[]): FiscalTag[] {
  return texts.flatMap(([tag, text]) => (text == null || text === "" ? [] : [{ tag, text }]));
}

export function listTags(tag: number, texts: readonly string[] = []): FiscalTag[] {
  return textTags(...texts.map((text) => [tag, text] as const));
}

export function numberTag(tag: number, number: number | undefined): FiscalTag[] {
  return number === undefined || number === 0 ? [] : [{ tag, number }];
}

export function containerTag(tag: number, items: readonly FiscalTag[]): FiscalTag[] {
  return items.length === 0 ? [] : [{ tag, items }];
}

/** The buyer's tags, which format 1.2 (code 4 in tag 1209) puts inside tag 1256. */
export function buyerTags(tags: readonly FiscalTag[], ffd: number): readonly FiscalTag[] {
  return ffd === 4 ? containerTag(1256, tags) : tags;
}

/** Tag 1270 (operational requisite); `time`: local, `2026-11-20T14:05:00`. */
export function operatingTag(id: number, data: string, time: string): FiscalTag {
  const seconds = Math.floor(Date.parse(`${time}Z`) / 1000);
  return {
    tag: 1270,
    items: [
      { tag: 1271, number: id },
      { tag: 1272, text: data },
      { tag: 1273, number: seconds },
    ],
  };
}

/** Tags of a correction: 1173 (why), 1178 (day, `2026-07-14`), 1179 (number of the order). */
export function basisTags(type: number, date: string, number: string | null | undefined): readonly FiscalTag[] {
  const seconds = Date.parse(`${date}T00:00:00Z`) / 1000;
  return [{ tag: 1173, number: type }, { tag: 1178, number: seconds }, ...textTags([1179, number])];
}

/** Order mark: tag 1086 (value) inside tag 1084 (user requisite). */
export function orderMarkOf(tags: readonly FiscalTag[]): string | null {
  const requisite = tags.find(({ tag }) => tag === 1084);
  return requisite !== undefined && "items" in requisite ? textOf(requisite.items, 1086) : null;
}

/** Tag 1077 (fiscal sign) in ten digits, as on paper. */
export function signText(sign: number): string {
  return String(sign).padStart(10, "0");
}
