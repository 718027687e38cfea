/** The page's words in the language that the operator chose; Russian by default. */
import type { Language, Messages } from "../../messages/messages.js";
import { translated } from "../../messages/rows.js";
import { pageTexts } from "../../messages/texts/page.js";

const KEPT_AS = "fiscald-language";

export type Words = Messages["page"];

const catalogues: Readonly<Record<Language, Words>> = {
  en: translated(pageTexts, "en"),
  ru: translated(pageTexts, "ru"),
};

export interface Spoken {
  readonly language: Language;
  readonly words: Words;
}

/** Loads only the page's part: the whole catalogue, with the help of each command, is four times as large. */
export function wordsIn(language: Language): Words {
  return catalogues[language];
}

export function keptLanguage(): Language {
  return localStorage.getItem(KEPT_AS) === "en" ? "en" : "ru";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT_AS, language);
  document.documentElement.lang = language;
}
