import { isDoubtfulInn } from "@fiscald/shared/ids.js";
import type { Language, Messages } from "../../../messages/messages.js";
import type { Refused } from "../api.js";
import { notDone, wordsIn } from "../words.js";

export interface SpokenSetup {
  readonly words: Messages["setup"];
  readonly language: Language;
}

export function inWords({ refusal }: Refused, language: Language, words: SpokenSetup["words"]): string {
  if (refusal === "no-answer") return words.noAnswer;
  return notDone(
    refusal,
    { language, words: wordsIn(language) },
    {
      named(detail) {
        const [, place = "", rest = detail] = /^([\w.]+): (.*)$/s.exec(detail) ?? [];
        const question = questionOf(place.split(".").at(-1) ?? "", words);
        return `${question === null ? "" : `${question}: `}${rest}`;
      },
    },
  );
}

/** Empty: there is no doubt about the INN. Nothing is refused, because the person may know better. */
export function innDoubt(inn: string, words: SpokenSetup["words"]): string {
  return isDoubtfulInn(inn) ? words.innDoubt({ inn }) : "";
}

/** A value that has no words is shown as in the config. */
export function choiceIn({ taxSystems, zones, drivers }: SpokenSetup["words"], name: string): string {
  const known: Readonly<Record<string, string>> = { ...taxSystems, ...zones, ...drivers };
  return known[name] ?? name;
}

/** The questions for these keys of the config have other names. */
const renamed: Readonly<Record<string, string>> = { id: "siteId", title: "registerTitle" };

function questionOf(key: string, words: SpokenSetup["words"]): string | null {
  const texts: Readonly<Record<string, unknown>> = words;
  const question = texts[renamed[key] ?? key];
  return typeof question === "string" ? question : null;
}
