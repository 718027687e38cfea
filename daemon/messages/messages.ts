/** All texts for an operator, by key, in both languages. Codes, field names and commands are not translated. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { type Translated, translated } from "./rows.js";
import { allTexts } from "./texts/all-texts.js";

export const languages = ["en", "ru"] as const;
export type Language = (typeof languages)[number];

export type Messages = Translated<typeof allTexts>;

export type JournalWord = keyof Messages["journal"];

const catalogues: Readonly<Record<Language, Messages>> = {
  en: translated(allTexts, "en"),
  ru: translated(allTexts, "ru"),
};

export function messagesIn(language: Language): Messages {
  return catalogues[language];
}

export function inEveryLanguage(text: (messages: Messages, language: Language) => string): FaultText {
  return { en: text(catalogues.en, "en"), ru: text(catalogues.ru, "ru") };
}
