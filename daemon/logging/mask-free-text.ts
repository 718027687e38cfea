/** A support bundle leaves the shop, so it is masked further than the log: plain text may name the buyer. */

/** Masks values that will be written as JSON: text lines of receipts, also inside an order as the site sent it. */
export function maskFreeText(value: unknown): unknown {
  if (typeof value === "string") return maskOrder(value);
  if (Array.isArray(value)) return value.map(maskFreeText);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const hidden = entries.some(
    ([name, kind]) => /^(type|kind)$/i.test(name) && (typeof kind !== "string" || /^(string|text)$/i.test(kind)),
  );
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      const isText = hidden && /^(data|text)$/i.test(name) && typeof inner === "string";
      return [name, isText ? lengthOf(inner) : maskFreeText(inner)];
    }),
  );
}

function maskOrder(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(maskFreeText(JSON.parse(text)));
  } catch {
    return text;
  }
}

function lengthOf(text: string): string {
  return text === "" ? "" : `*** (${text.length} letters)`;
}

const frame = /(?<![0-9A-Fa-f*])(?:[0-9A-F*]{2} ){5,}[0-9A-F*]{2}(?![0-9A-Fa-f*])/g;
/** Bytes above 7F are letters in every code page that registers use. */
const words = /[89A-F][0-9A-F](?: (?:[89A-F][0-9A-F]|20|2D))* [89A-F][0-9A-F]/g;
const shortestWord = 5;

/** Masks Russian words in the hex of frames; numbers and all other bytes stay. */
export function maskWordsInFrames(text: string): string {
  return text.replace(frame, (hex) => hex.replace(words, (run) => (isWriting(run) ? run.replace(/\S+/g, "**") : run)));
}

/** False for a filler such as FF FF FF FF FF, which is no text. */
function isWriting(run: string): boolean {
  const letters = run.split(" ").filter((byte) => byte >= "80");
  return letters.length >= shortestWord && new Set(letters).size > 2;
}
