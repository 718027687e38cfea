/** Which characters a fiscal document may contain, and how the buyer's contact is written. */
import type { FaultText } from "../fault-codes/fault-row.js";
import { refusalTexts } from "./texts/refusal-texts.js";

/** Replaces tabs, line ends and no-break spaces by one space. */
export function plainText(text: string): string {
  return text.replace(/[\t\r\n\u00A0]+/gu, " ");
}

/** Refused: control characters, bidi controls, lone surrogates, and U+FFFD, which a wrong decoding leaves. */
const refused = /[\p{Cc}\p{Surrogate}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFD]/u;

/** Describes the first character that no document may contain; null = there is none. */
export function findRefusedCharacter(text: string): FaultText | null {
  const at = plainText(text).search(refused);
  if (at === -1) return null;
  const code = plainText(text).codePointAt(at) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return code === 0xfffd ? refusalTexts.wronglyDecoded(name, at + 1) : refusalTexts.refusedCharacter(name, at + 1);
}

/** Text that is only printed, without refused characters, because it never stops a paid receipt. */
export function withoutRefused(text: string): string {
  return text.replace(new RegExp(refused, "gu"), (found) => (/[\t\r\n]/.test(found) ? found : ""));
}

/** Invisible characters: soft hyphen, zero-width spaces and joiners, direction marks, word joiner, BOM. */
const unseen = /[\u00AD\u200B-\u200F\u2060\uFEFF]/gu;

/** The text without invisible characters, and without spaces at both ends. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, "").trim();
}

/** Marks that copied phones and e-mails have round them: invisible characters, for example of direction. */
const format = /\p{Cf}/gu;

/** Whether a contact has invisible characters, which are left out of it. */
export function hasUnseenInContact(text: string): boolean {
  return text.search(/\p{Cf}/u) !== -1;
}

const MAX_CONTACT = 64;
const email = /^[^\s@,;]+@[^\s@,;]+$/;
/** Texts that forms leave where the buyer gave nothing. */
const noContact = /^(?:[-\u2010-\u2015]|0|none|no|нет)?$/i;

/** Whether a form says in words that there is no contact; such a text counts as an empty one. */
export function isNoContact(text: string): boolean {
  return noContact.test(text.replace(format, "").trim());
}

/**
 * Reads a contact (tag 1008), one e-mail or one phone: an e-mail as it is (up to 64 characters, without `mailto:`), a
 * phone as + and digits. `8 (912) 345-67-89` and `9123456789` are `+79123456789`. Null when it is neither.
 */
export function parseContact(text: string): string | null {
  const trimmed = text
    .replace(format, "")
    .trim()
    .replace(/^mailto:\s*/i, "");
  if (trimmed.length > MAX_CONTACT || /\p{Cc}/u.test(trimmed)) return null;
  return trimmed.includes("@") ? (email.test(trimmed) ? trimmed : null) : parsePhone(trimmed);
}

/** Reads phones between commas, each as + and digits; null when one of them is no phone. */
export function parsePhones(text: string): readonly string[] | null {
  const phones = text.split(",").map(parsePhone);
  return phones.every((phone) => phone !== null) ? phones : null;
}

/** Reads a phone. Receipt services document that +7 may be left out. */
function parsePhone(text: string): string | null {
  const bare = text.replace(format, "").replace(/[\s().\u2010-\u2015-]/g, "");
  if (/^[78]\d{10}$/.test(bare)) return `+7${bare.slice(1)}`;
  if (/^9\d{9}$/.test(bare)) return `+7${bare}`;
  return /^\+\d{5,15}$/.test(bare) ? bare : null;
}
