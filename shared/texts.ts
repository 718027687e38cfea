/** Tables of sentences for people: each row has both languages, and the compiler asks for both. */
import type { FaultText } from "./fault-codes/fault-row.js";

/** A value in a sentence, as it stands. */
export type Given = string | number;

/** A row is a sentence, or a function of what stands in it. */
export type Texts = Readonly<Record<string, FaultText | ((...given: never[]) => FaultText)>>;

/** The text of others: the same in both languages. */
export function asItIs(text: string): FaultText {
  return { en: text, ru: text };
}

/** An issue of a schema that is said in these words: `addIssue` takes it. */
export function issueOf({ en, ru }: FaultText, params: { readonly missing?: true } = {}) {
  return { code: "custom", message: en, params: { ru, ...params } } as const;
}
