import { isDoubtfulInn } from "@fiscald/shared/ids.js";
import { type Messages, messagesIn } from "../../../messages/messages.js";
import type { Refused } from "../api.js";
import { language, notDone } from "../words.js";

/** The words of the set-up, in the language that the page speaks. */
export let setupWords: Messages["setup"] = messagesIn(language).setup;

/** To be called when the page speaks another language. */
export function speakSetup(): void {
  setupWords = messagesIn(language).setup;
}

export function inWords({ refusal }: Refused): string {
  if (refusal === "no-answer") return setupWords.noAnswer;
  return notDone(refusal, {
    named(detail) {
      const [, place = "", rest = detail] = /^([\w.]+): (.*)$/s.exec(detail) ?? [];
      const question = questionOf(place.split(".").at(-1) ?? "");
      return `${question === null ? "" : `${question}: `}${rest}`;
    },
  });
}

/** Empty: there is no doubt about the INN. Nothing is refused, because the person may know better. */
export function innDoubt(inn: string): string {
  return isDoubtfulInn(inn) ? setupWords.innDoubt({ inn }) : "";
}

/** A value that has no words is shown as in the config. */
export function choiceIn(name: string): string {
  const { taxSystems, zones, drivers } = setupWords;
  const known: Readonly<Record<string, string>> = { ...taxSystems, ...zones, ...drivers };
  return known[name] ?? name;
}

/** The questions for these keys of the config have other names. */
const renamed: Readonly<Record<string, string>> = { id: "siteId", title: "registerTitle" };

function questionOf(key: string): string | null {
  const texts: Readonly<Record<string, unknown>> = setupWords;
  const question = texts[renamed[key] ?? key];
  return typeof question === "string" ? question : null;
}
