/** The page's words in the language that the operator chose; Russian at first. */
import { type Language, languages, type Messages, messagesIn } from "../../messages/messages.js";

const KEPT_AS = "fiscald-language";

export type Words = Messages["page"];

/** What every part of the page is given. */
export interface Spoken {
  readonly language: Language;
  readonly words: Words;
}

export function wordsIn(language: Language): Words {
  return messagesIn(language).page;
}

export function keptLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  return languages.find((language) => language === kept) ?? "ru";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT_AS, language);
  document.documentElement.lang = language;
}
