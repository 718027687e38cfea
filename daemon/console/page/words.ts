import { useState } from "preact/hooks";
import type { Language, Messages } from "../../messages/messages.js";
import { translated } from "../../messages/rows.js";
import { pageTexts } from "../../messages/texts/page.js";
import type { NotDone } from "./api.js";

const KEPT_AS = "fiscald-language";

export type Words = Messages["page"];

/** Only the page's part is loaded: the whole catalogue, with the help of each command, is four times as large. */
const catalogues: Readonly<Record<Language, Words>> = {
  en: translated(pageTexts, "en"),
  ru: translated(pageTexts, "ru"),
};

/** The page speaks one language at a time. A change draws the whole page again, so no part is handed the words. */
export let language: Language = localStorage.getItem(KEPT_AS) === "en" ? "en" : "ru";
export let words: Words = catalogues[language];

document.documentElement.lang = language;

/** `speakOther` changes the language, and draws the caller again with all that it contains. */
export function useOtherLanguage() {
  const [, draw] = useState(language);
  const other: Language = language === "ru" ? "en" : "ru";
  function speakOther(): void {
    language = other;
    words = catalogues[other];
    localStorage.setItem(KEPT_AS, other);
    document.documentElement.lang = other;
    draw(other);
  }
  return { other, speakOther };
}

interface Rewording {
  /** By the code of a refusal, the page's own words where the usual words name commands. */
  readonly refusals?: Readonly<Record<string, string>> | undefined;
  /** Puts the question in place of the key with which a detail begins, such as `cashier.name: `. */
  named?(detail: string): string;
}

export function notDone(refusal: NotDone, { refusals, named }: Rewording = {}): string {
  if (refusal === "no-answer") return words.noAnswer;
  if (refusal === "no-access") return `${words.connection["no-access"]}. ${words.howToOpen}`;
  const { code, text, hint, message, ru } = refusal;
  // A message without Russian is a technical detail.
  const said = ru === null ? "" : language === "ru" ? ru : message;
  const detail = named?.(said) ?? (said === "" ? "" : `${said.charAt(0).toUpperCase()}${said.slice(1)}.`);
  // The hint of the fault `usage.wrong` is about the command line.
  const isAllSaid = code === "usage.wrong" && detail !== "";
  return refusals?.[code] ?? (isAllSaid ? detail : [text[language], detail, hint[language]].filter(Boolean).join(" "));
}
