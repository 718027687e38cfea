/**
 * Tolerant readers for what sites send: any letter case of keys and names, numbers as text, 1 and "true" for flags,
 * null and "" for "absent", unknown keys. Each reader returns the domain's own value, and its error says what it
 * expected.
 */
import { z } from "zod";
import { type Kopecks, MAX_SUM, parseQuantity, parseRoubles, parseScaled, type Quantity } from "../amounts.js";
import { findRefusedCharacter, plainText } from "../receipt/text-hygiene.js";

/** Reads an object with any letter case of its keys. Null, "" and PHP's `[]` are an object without fields. */
export function anyCaseObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const spellings = spellingsOf(Object.keys(shape));
  return z.preprocess(
    (value, context) => {
      if (isNotGiven(value) || (Array.isArray(value) && value.length === 0)) return {};
      if (!isObject(value)) return value;
      return knownFields(value, spellings, context);
    },
    z.object(shape, { error: ({ input }) => `must be an object, not ${showValue(input)}` }),
  );
}

export type Spellings = ReadonlyMap<string, string>;

export function spellingsOf(names: readonly string[]): Spellings {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/** The same for keys of cloud services: `payment_method` is `paymentMethod` in some of their libraries. */
export function cloudSpellingsOf(names: readonly string[]): Spellings {
  const inCamelCase = names.map((name) => [name.replaceAll("_", "").toLowerCase(), name] as const);
  return new Map([...inCamelCase, ...spellingsOf(names)]);
}

/** The known fields of an object under their own spelling; `doubled`: keys that differ only in case and disagree. */
export function pickFields(object: object, spellings: Spellings) {
  const fields: Record<string, unknown> = {};
  const doubled: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    const name = spellings.get(key.toLowerCase());
    if (name === undefined || isNotGiven(value)) continue;
    if (Object.hasOwn(fields, name) && JSON.stringify(fields[name]) !== JSON.stringify(value)) doubled.push(name);
    fields[name] = value;
  }
  return { fields, doubled };
}

/** The same; what disagrees is an issue. */
export function knownFields(object: object, spellings: Spellings, context: z.RefinementCtx): Record<string, unknown> {
  const { fields, doubled } = pickFields(object, spellings);
  for (const name of doubled) {
    context.addIssue({ code: "custom", path: [name], message: "given twice, with different values" });
  }
  return fields;
}

/** The issue of a compulsory value that is not there. */
export function reportMissing(context: z.RefinementCtx, path: string[] = []): never {
  context.addIssue({ code: "custom", path, message: "is missing", params: { missing: true } });
  return z.NEVER;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isNotGiven(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** An empty list, or an object without a value in it, is absent. */
export function emptyAsAbsent(value: unknown): unknown {
  const isEmpty = typeof value === "object" && value !== null && Object.values(value).every(isNotGiven);
  return isEmpty ? undefined : value;
}

/**
 * A compulsory value; `read` returns null for a wrong one. Add `.optional()` or `.default(x)` to allow its absence.
 */
export function scalar<T>(expected: string, read: (value: unknown) => T | null) {
  return z.transform((value: unknown, context): T => {
    if (value === undefined) return reportMissing(context);
    const result = read(value);
    if (result === null) {
      context.addIssue({ code: "custom", message: `must be ${expected}, not ${showValue(value)}` });
      return z.NEVER;
    }
    return result;
  });
}

/** A value as a message shows it: short, whatever was sent. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return value === null ? "null" : "an object";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length <= 40 ? text : `${text.slice(0, 36)}...`;
}

export function asText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : null;
}

/** Text as it came, a number as its digits. */
export const anyText = scalar("text", asText);

/** One line of text. */
export function lineText(options: { readonly max: number }) {
  return scalar(`text of 1 to ${options.max} characters`, (value) => {
    const text = oneLine(asText(value));
    return text !== null && text !== "" && text.length <= options.max ? text : null;
  });
}

export function oneLine(text: string | null): string | null {
  return text === null ? null : plainText(text).normalize("NFC").trim();
}

/** Text that has to match, after trimming. */
export function patternText(expected: string, pattern: RegExp) {
  return scalar(expected, (value) => {
    const text = asText(value)?.trim() ?? null;
    return text !== null && pattern.test(text) ? text : null;
  });
}

/** dd.mm.yyyy, a day that may be one. */
export const dateText = /^(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.\d{4}$/;

/** An id as trimmed text. A JSON number is taken only when it is exact: beyond 2^53 its digits are already lost. */
export function idText(options: { readonly max: number }) {
  return scalar(`an id of 1 to ${options.max} characters (a long number has to be sent as text)`, (value) => {
    if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
    const text = typeof value === "string" ? value.trim() : "";
    // Direction marks are left out where ids are compared (order-key.ts): copied numbers often have them.
    const isPlain = findRefusedCharacter(text.replace(/[\u200E\u200F]/gu, "")) === null && !/\p{Cc}/u.test(text);
    return text !== "" && text.length <= options.max && isPlain ? text : null;
  });
}

export function wholeNumber(options: { readonly min: number; readonly max: number }) {
  const { min, max } = options;
  return scalar(`a whole number from ${min} to ${max}`, (value) => {
    const number = asScaled(value, 0);
    return number !== null && number >= min && number <= max ? number : null;
  });
}

function asScaled(value: unknown, decimals: number): number | null {
  return typeof value === "number" || typeof value === "string" ? parseScaled(value, decimals) : null;
}

function asRoubles(value: unknown): Kopecks | null {
  const sum = typeof value === "number" || typeof value === "string" ? parseRoubles(value) : null;
  return sum !== null && Math.abs(sum) <= MAX_SUM ? sum : null;
}

/** A sum of either sign. */
export const roubles = scalar("roubles with at most 2 decimals, up to 99999999.99", asRoubles);

export const roublesNotNegative = scalar("roubles from 0 to 99999999.99 with at most 2 decimals", (value) => {
  const sum = asRoubles(value);
  return sum !== null && sum >= 0 ? sum : null;
});

export const roublesAboveZero = scalar("roubles above 0, up to 99999999.99, with at most 2 decimals", (value) => {
  const sum = asRoubles(value);
  return sum !== null && sum > 0 ? sum : null;
});

const MAX_QUANTITY = 99_999_999_999_999;

export const quantityAboveZero = scalar("a quantity above 0 with at most 6 decimals", (value): Quantity | null => {
  const count = typeof value === "number" || typeof value === "string" ? parseQuantity(value) : null;
  return count !== null && count > 0 && count <= MAX_QUANTITY ? count : null;
});

/** A number as it came, for values whose unit another field decides. */
export const decimal = scalar("a number", (value) => {
  const isNumber =
    typeof value === "number" || (typeof value === "string" && /^\s*[+-]?(?:\d+(?:\.\d+)?|\.\d+)\s*$/.test(value));
  return isNumber && Number.isFinite(Number(value)) ? value : null;
});

export function numberBetween(options: { readonly min: number; readonly max: number }) {
  const { min, max } = options;
  return scalar(`a number from ${min} to ${max} with at most 2 decimals`, (value) => {
    const scaled = asScaled(value, 2);
    return scaled !== null && scaled >= min * 100 && scaled <= max * 100 ? scaled / 100 : null;
  });
}

/** A compulsory list. */
export function listOf<Element extends z.ZodType>(element: Element) {
  return z.preprocess(
    (value, context) => (value === undefined ? reportMissing(context) : value),
    z.array(element, { error: "must be a list" }),
  );
}

const flagWords: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

export const flag = scalar("1 or 0", (value) =>
  typeof value === "object" ? null : (flagWords.get(String(value).trim().toLowerCase()) ?? null),
);

/** One of the known names (any letter case) or numbers; `expected` describes them where they are too many to list. */
export function choice<const T>(
  choices: Readonly<Record<string, T>>,
  expected = `one of ${Object.keys(choices).join(", ")}`,
) {
  const byWord = new Map(Object.entries(choices).map(([word, meaning]) => [word.toLowerCase(), meaning]));
  return scalar(expected, (value) =>
    typeof value === "string" || typeof value === "number"
      ? (byWord.get(String(value).trim().toLowerCase()) ?? null)
      : null,
  );
}

/** Bytes as standard base64 with padding. */
export function base64Bytes(options: { readonly max: number }) {
  return scalar(`base64 of 1 to ${options.max} bytes`, (value) => {
    const text = typeof value === "string" ? value.trim() : "";
    const bytes = Buffer.from(text, "base64");
    return bytes.length >= 1 && bytes.length <= options.max && bytes.toString("base64") === text ? text : null;
  });
}
