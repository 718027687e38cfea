/** Tables of sentences for people: each row has both languages, and the compiler asks for both. */
import { formatRoubles, type Kopecks } from "./amounts.js";
import type { FaultText } from "./fault-codes/fault-row.js";

export type Given = string | number;

/** A table of texts. Each row is a sentence, or a function from the values in it to a sentence. */
export type Texts = Readonly<Record<string, FaultText | ((...given: never[]) => FaultText)>>;

/** A text that somebody else wrote, which is the same in both languages. */
export function asItIs(text: string): FaultText {
  return { en: text, ru: text };
}

/** `1520.00` becomes `1 520,00 ₽`. */
export function sumInRussian(roubles: string | number): string {
  return `${String(roubles)
    .replace(".", ",")
    .replace(/\B(?=(\d{3})+(?=,))/g, "\u00A0")}\u00A0₽`;
}

export function sumText(sum: Kopecks): FaultText {
  const roubles = formatRoubles(sum);
  return { en: roubles, ru: sumInRussian(roubles) };
}

export function issueOf({ en, ru }: FaultText, params: { readonly missing?: true } = {}) {
  return { code: "custom", message: en, params: { ru, ...params } } as const;
}
