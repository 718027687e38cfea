/** Text in the two 8-bit code pages of Russian registers. */

/** CP1251 is for paper and tables, CP866 for the tags of the fiscal drive. */
export type CodePage = "cp1251" | "cp866";

const QUESTION_MARK = 0x3f;

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

/** The character of each byte, by code page. A table is fast: a receipt is encoded several times, letter by letter. */
const charactersOf: Readonly<Record<CodePage, readonly string[]>> = {
  cp1251: charactersIn("windows-1251"),
  cp866: charactersIn("ibm866"),
};
const bytesOf: Readonly<Record<CodePage, ReadonlyMap<string, number>>> = {
  cp1251: new Map(charactersOf.cp1251.map((character, byte) => [character, byte])),
  cp866: new Map(charactersOf.cp866.map((character, byte) => [character, byte])),
};

/** A character that the page lacks becomes a similar character where there is one, else a question mark. */
export function encodeText(text: string, page: CodePage): Uint8Array {
  return Uint8Array.from(bytesIn(text, page));
}

/** The text as it comes back when it was written in this code page. */
export function spellIn(text: string, page: CodePage): string {
  const characters = charactersOf[page];
  return bytesIn(text, page)
    .map((byte) => characters[byte])
    .join("");
}

export function decodeText(bytes: Uint8Array, page: CodePage): string {
  return Array.from(bytes, (byte) => charactersOf[page][byte]).join("");
}

/** Text of a fixed-size field: a zero byte ends the text, and spaces at the end are padding. */
export function decodeField(bytes: Uint8Array, page: CodePage): string {
  const end = bytes.indexOf(0);
  return decodeText(end === -1 ? bytes : bytes.subarray(0, end), page).trimEnd();
}

function bytesIn(text: string, page: CodePage): number[] {
  const bytes = bytesOf[page];
  const found: number[] = [];
  for (const character of text.normalize("NFC")) {
    const byte = bytes.get(character);
    if (byte !== undefined) found.push(byte);
    else for (const similar of similarLetters[character] ?? "?") found.push(bytes.get(similar) ?? QUESTION_MARK);
  }
  return found;
}

/** Node's own decoder of CP866 exchanges three control characters, and PIRIT parts its fields by one of them (1Ch). */
function charactersIn(encoding: string): readonly string[] {
  const decoder = new TextDecoder(encoding);
  return Array.from(Array(256).keys(), (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : decoder.decode(Uint8Array.of(byte)),
  );
}
