/**
 * Tolerant readers for what sites send: keys and names in any letter case, numbers as text, 1 and "true" for flags,
 * null and blank texts for absent values, unknown keys. Each reader returns the domain's own value, and its error names
 * the expected one.
 */
import { z } from "zod";
import {
  formatRoubles,
  type Kopecks,
  MAX_SUM,
  parseQuantity,
  parseRoubles,
  parseScaled,
  type Quantity,
} from "../amounts.js";
import type { FaultText } from "../fault-codes/fault-row.js";
import { findRefusedCharacter, plainText } from "../receipt/text-hygiene.js";
import { asItIs, issueOf } from "../texts.js";
import { fieldTexts } from "./field-texts.js";

/** Null, a blank text and PHP's `[]` are an object without fields. */
export function anyCaseObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const spellings = spellingsOf(Object.keys(shape));
  return z.preprocess((value, context) => {
    if (isNotGiven(value) || (Array.isArray(value) && value.length === 0)) return {};
    if (isObject(value)) return knownFields(value, spellings, context);
    return refuseValue(context, fieldTexts.mustBe(fieldTexts.anObject, shownAsSent(value)));
  }, z.object(shape));
}

export type Spellings = ReadonlyMap<string, string>;

export function spellingsOf(names: readonly string[]): Spellings {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/** Some libraries of cloud services write `paymentMethod` for `payment_method`. */
export function cloudSpellingsOf(names: readonly string[]): Spellings {
  const inCamelCase = names.map((name) => [name.replaceAll("_", "").toLowerCase(), name] as const);
  return new Map([...inCamelCase, ...spellingsOf(names)]);
}

/** Fields have the spelling in `spellings`; `doubled`: keys that differ only in case and have different values. */
export function pickFields(object: object, spellings: Spellings, isAbsent = isNotGiven) {
  const fields: Record<string, unknown> = {};
  const doubled: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    const name = spellings.get(key.toLowerCase());
    if (name === undefined || isAbsent(value)) continue;
    if (Object.hasOwn(fields, name) && JSON.stringify(fields[name]) !== JSON.stringify(value)) doubled.push(name);
    fields[name] = value;
  }
  return { fields, doubled };
}

/** Does the same as `pickFields`. Keys that differ only in case and have different values are an issue. */
export function knownFields(object: object, spellings: Spellings, context: z.RefinementCtx, isAbsent = isNotGiven) {
  const { fields, doubled } = pickFields(object, spellings, isAbsent);
  for (const name of doubled) context.addIssue({ ...issueOf(fieldTexts.givenTwice), path: [name] });
  return fields;
}

export function reportMissing(context: z.RefinementCtx, path: string[] = []): never {
  context.addIssue({ ...issueOf(fieldTexts.missing, { missing: true }), path });
  return z.NEVER;
}

export function refuseValue(context: z.RefinementCtx, text: FaultText, path: string[] = []): never {
  context.addIssue({ ...issueOf(text), path });
  return z.NEVER;
}

/** For a schema's `transform`: a value that `parse` cannot read becomes an issue with this message. */
export function readBy<Given, Read>(parse: (value: Given) => Read | null, message: string) {
  return (value: Given, context: z.RefinementCtx): Read => {
    const read = parse(value);
    if (read !== null) return read;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isNotGiven(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** An empty list, and an object without a value in it, count as absent. */
export function emptyAsAbsent(value: unknown): unknown {
  const isEmpty = typeof value === "object" && value !== null && Object.values(value).every(isNotGiven);
  return isEmpty ? undefined : value;
}

/**
 * A schema for a compulsory value; `read` returns null for a wrong value. `.optional()` or `.default(x)` allows
 * absence.
 */
export function scalar<T>(expected: FaultText, read: (value: unknown) => T | null) {
  return z.transform((value: unknown, context): T => {
    if (value === undefined) return reportMissing(context);
    const result = read(value);
    if (result === null) return refuseValue(context, fieldTexts.mustBe(expected, shownAsSent(value)));
    return result;
  });
}

export function showValue(value: unknown): string {
  return shownAsSent(value).en;
}

export function shownAsSent(value: unknown): FaultText {
  if (Array.isArray(value)) return fieldTexts.aList;
  if (typeof value === "object") return value === null ? asItIs("null") : fieldTexts.anObject;
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return asItIs(text.length <= 40 ? text : `${text.slice(0, 36)}...`);
}

export function asText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : null;
}

export const anyText = scalar(fieldTexts.text, asText);

export function lineText(options: { readonly max: number }) {
  return scalar(fieldTexts.textUpTo(options.max), (value) => {
    const text = oneLine(asText(value));
    return text !== null && text !== "" && text.length <= options.max ? text : null;
  });
}

export function oneLine(text: string | null): string | null {
  return text === null ? null : plainText(text).normalize("NFC").trim();
}

export function patternText(expected: FaultText, pattern: RegExp) {
  return scalar(expected, (value) => {
    const text = asText(value)?.trim() ?? null;
    return text !== null && pattern.test(text) ? text : null;
  });
}

/** A date dd.mm.yyyy; whether the month has this day is not checked. */
export const dateText = /^(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.\d{4}$/;

/** An id as trimmed text. A JSON number is accepted only when it is exact: beyond 2^53 its digits are already lost. */
export function idText(options: { readonly max: number }) {
  return scalar(fieldTexts.id(options.max), (value) => {
    if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
    const text = typeof value === "string" ? value.trim() : "";
    // Direction marks, which copied numbers often have, are allowed: comparing ids leaves them out (order-key.ts).
    const isPlain = findRefusedCharacter(text.replace(/[\u200E\u200F]/gu, "")) === null && !/\p{Cc}/u.test(text);
    return text !== "" && text.length <= options.max && isPlain ? text : null;
  });
}

export function wholeNumber(options: { readonly min: number; readonly max: number }) {
  const { min, max } = options;
  return scalar(fieldTexts.wholeNumber(min, max), (value) => {
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

const MOST = formatRoubles(MAX_SUM);

/** The sum may be negative. */
export const roubles = scalar(fieldTexts.roublesUpTo(MOST), asRoubles);

export const roublesNotNegative = roublesFrom(0, fieldTexts.roublesBetween(0, MOST));
export const roublesAboveZero = roublesFrom(1, fieldTexts.roublesAboveZero(MOST));

function roublesFrom(leastKopecks: number, expected: FaultText) {
  return scalar(expected, (value) => {
    const sum = asRoubles(value);
    return sum !== null && sum >= leastKopecks ? sum : null;
  });
}

const MAX_QUANTITY = 99_999_999_999_999;

export const quantityAboveZero = scalar(fieldTexts.quantity, (value): Quantity | null => {
  const count = typeof value === "number" || typeof value === "string" ? parseQuantity(value) : null;
  return count !== null && count > 0 && count <= MAX_QUANTITY ? count : null;
});

/** A number without a unit: another field decides the unit. */
export const decimal = scalar(fieldTexts.number, (value) => {
  const isNumber =
    typeof value === "number" || (typeof value === "string" && /^\s*[+-]?(?:\d+(?:\.\d+)?|\.\d+)\s*$/.test(value));
  return isNumber && Number.isFinite(Number(value)) ? value : null;
});

export function numberBetween(options: { readonly min: number; readonly max: number }) {
  const { min, max } = options;
  return scalar(fieldTexts.decimalNumber(min, max), (value) => {
    const scaled = asScaled(value, 2);
    return scaled !== null && scaled >= min * 100 && scaled <= max * 100 ? scaled / 100 : null;
  });
}

export function listOf<Element extends z.ZodType>(element: Element) {
  return z.preprocess((value, context) => {
    if (value === undefined) return reportMissing(context);
    return Array.isArray(value) ? value : refuseValue(context, fieldTexts.mustBeList);
  }, z.array(element));
}

/** A known name (any letter case) or number; `expected` describes the choices where they are too many to list. */
export function choice<const T>(
  choices: Readonly<Record<string, T>>,
  expected: FaultText = fieldTexts.oneOf(Object.keys(choices).join(", ")),
) {
  const byWord = new Map(Object.entries(choices).map(([word, meaning]) => [word.toLowerCase(), meaning]));
  return scalar(expected, (value) =>
    typeof value === "object" ? null : (byWord.get(String(value).trim().toLowerCase()) ?? null),
  );
}

export const flag = choice({ 1: true, true: true, 0: false, false: false }, fieldTexts.flag);

export function base64Bytes(options: { readonly max: number }) {
  return scalar(fieldTexts.base64(options.max), (value) => {
    const text = typeof value === "string" ? value.trim() : "";
    const bytes = Buffer.from(text, "base64");
    return bytes.length >= 1 && bytes.length <= options.max && bytes.toString("base64") === text ? text : null;
  });
}
