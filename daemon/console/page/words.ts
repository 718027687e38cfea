/** The page's words in the language that the operator chose; Russian at first. */
import { type Language, languages, type Messages, messagesIn } from "../../messages/messages.js";

const KEPT_AS = "fiscald-language";

/** What the catalogue does not have yet. */
const english = {
  asOf: ({ at }: { readonly at: string }) => `As of ${at}`,
};
const russian: typeof english = {
  asOf: ({ at }) => `Данные на ${at}`,
};

export type Words = Messages["page"] & typeof english;

/** What every part of the page is given. */
export interface Spoken {
  readonly language: Language;
  readonly words: Words;
}

export function wordsIn(language: Language): Words {
  return { ...messagesIn(language).page, ...(language === "ru" ? russian : english) };
}

export function keptLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  return languages.find((language) => language === kept) ?? "ru";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT_AS, language);
  document.documentElement.lang = language;
}
