/**
 * What an operator reads, by key: one catalogue for each language. The English one is the list of keys and parameters,
 * and the compiler holds every other language to it. Codes, field names and commands stay as they are.
 */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { english } from "./english.js";
import { russian } from "./russian.js";
import type { Translated } from "./translated.js";

export const languages = ["en", "ru"] as const;
export type Language = (typeof languages)[number];

/** The keys of the English catalogue; a text with parameters is a function of them. */
export type Messages = Translated<typeof english>;

/** What the journal records; the catalogue says it. */
export type JournalWord = keyof Messages["journal"];

const catalogues: Readonly<Record<Language, Messages>> = { en: english, ru: russian };

export function messagesIn(language: Language): Messages {
  return catalogues[language];
}

/** One text in every language, for the API. */
export function inEveryLanguage(text: (messages: Messages, language: Language) => string): FaultText {
  return { en: text(english, "en"), ru: text(russian, "ru") };
}
