/** Text in the two 8-bit code pages of Russian registers. */
import iconv from "iconv-lite";

/** CP1251 is for paper and tables, CP866 for the tags of the fiscal drive. */
export type CodePage = "cp1251" | "cp866";

const similarLetters: Readonly<Record<string, string>> = {
  "«": '"',
  "»": '"',
  "“": '"',
  "”": '"',
  "„": '"',
  "‘": "'",
  "’": "'",
  "‐": "-",
  "‑": "-",
  "–": "-",
  "—": "-",
  "―": "-",
  "−": "-",
  "…": "...",
  "•": "*",
  "×": "x",
  "₽": "руб.",
  "²": "2",
  "³": "3",
  "\u00a0": " ",
  "\u2009": " ",
  "\u202f": " ",
};

/** A character that the page lacks becomes a similar one where there is one, else a question mark. */
export function encodeText(text: string, page: CodePage): Uint8Array {
  const characters = Array.from(text.normalize("NFC"), (character) =>
    isIn(character, page) ? character : (similarLetters[character] ?? "?"),
  );
  return Uint8Array.from(iconv.encode(characters.join(""), page));
}

/** The text as it is read back after it was written in this code page. */
export function spellIn(text: string, page: CodePage): string {
  return decodeText(encodeText(text, page), page);
}

export function decodeText(bytes: Uint8Array, page: CodePage): string {
  return iconv.decode(Buffer.from(bytes), page);
}

/** Text of a fixed-size field: ends at the first zero byte, spaces at its end are padding. */
export function decodeField(bytes: Uint8Array, page: CodePage): string {
  const end = bytes.indexOf(0);
  return decodeText(end === -1 ? bytes : bytes.subarray(0, end), page).trimEnd();
}

function isIn(character: string, page: CodePage): boolean {
  return iconv.decode(iconv.encode(character, page), page) === character;
}
