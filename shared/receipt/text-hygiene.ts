/** Which characters a fiscal document may contain, wherever its texts come from. */

/** Tabs, line ends and no-break spaces become one space. */
export function plainText(text: string): string {
  return text.replace(/[\t\r\n\u00A0]+/gu, " ");
}

/** Control characters, bidi controls, lone surrogates, and U+FFFD, which a wrong decoding leaves. */
const refused = /[\p{Cc}\p{Surrogate}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFD]/u;

/** Describes the first character that no document may contain; null = there is none. */
export function findRefusedCharacter(text: string): string | null {
  const at = plainText(text).search(refused);
  if (at === -1) return null;
  const code = plainText(text).codePointAt(at) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const cause = code === 0xfffd ? ", which a wrong character encoding leaves behind" : "";
  return `has ${name} as character ${at + 1}${cause}: a receipt cannot hold it`;
}
