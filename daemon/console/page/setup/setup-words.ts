/** Words of the set-up page. */
import { type Language, type Messages, reasonIn } from "../../../messages/messages.js";
import type { Refused } from "./setup-calls.js";

export interface Spoken {
  readonly words: Messages["setup"];
  readonly language: Language;
}

export function inWords({ refusal, message }: Refused, language: Language, words: Spoken["words"]): string {
  if (refusal === null) return words.noAnswer;
  return `${refusal.text[language]} ${reasonIn(language, message)} ${refusal.hint[language]}`;
}
