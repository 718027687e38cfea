/** Which characters a fiscal document may contain, and which ones a person cannot see. */
import type { FaultText } from "../fault-codes/fault-row.js";
import { refusalTexts } from "./texts/refusal-texts.js";

export function plainText(text: string): string {
  return text.replace(/[\t\r\n\u00A0]+/gu, " ");
}

/** Refused: control characters, bidi controls, lone surrogates, and U+FFFD, which a wrong decoding leaves. */
const refused = /[\p{Cc}\p{Surrogate}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFD]/u;

/** Describes the character; null = every document may contain the text. */
export function findRefusedCharacter(text: string): FaultText | null {
  const at = plainText(text).search(refused);
  if (at === -1) return null;
  const code = plainText(text).codePointAt(at) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return code === 0xfffd ? refusalTexts.wronglyDecoded(name, at + 1) : refusalTexts.refusedCharacter(name, at + 1);
}

/** Cleans text that is only printed, because such text never stops a paid receipt. */
export function withoutRefused(text: string): string {
  return text.replace(new RegExp(refused, "gu"), (found) => (/[\t\r\n]/.test(found) ? found : ""));
}

/** Invisible characters: soft hyphen, zero-width spaces and joiners, direction marks, word joiner, BOM. */
const unseen = /[\u00AD\u200B-\u200F\u2060\uFEFF]/gu;

export function withoutUnseen(text: string): string {
  return text.replace(unseen, "").trim();
}
