/** Tables of sentences for people: each row has both languages, and the compiler asks for both. */
import type { FaultText } from "./fault-codes/fault-row.js";

export type Given = string | number;

/** A table of texts. Each row is a sentence, or a function from the values in it to a sentence. */
export type Texts = Readonly<Record<string, FaultText | ((...given: never[]) => FaultText)>>;

/** A text that somebody else wrote, which is the same in both languages. */
export function asItIs(text: string): FaultText {
  return { en: text, ru: text };
}

export function issueOf({ en, ru }: FaultText, params: { readonly missing?: true } = {}) {
  return { code: "custom", message: en, params: { ru, ...params } } as const;
}
