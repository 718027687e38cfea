/**
 * The API's kinds of fields as zod schemas. `...In` reads every spelling that clients send and makes the value
 * canonical; the API's document shows the canonical form. `...Out` is for answers.
 */
import { parseQuantity, parseRoubles } from "@fiscald/shared/amounts.js";
import { isNoContact, parseContact } from "@fiscald/shared/receipt/buyer-contact.js";
import { findRefusedCharacter } from "@fiscald/shared/receipt/text-hygiene.js";
import { z } from "zod";

export const MAX_ID_LENGTH = 64;
const MAX_TEXT_LENGTH = 4000;
/** The largest sum that a receipt can carry: 8 digits of roubles. */
export const MAX_ROUBLES = 99_999_999.99;
const MAX_COUNT = 9_999_999;

/** An id given as number or text; stored as trimmed text, so that 7 is "7" and "07" is another id. */
export function idUpTo(max: number) {
  return z
    .union([z.int(), z.string()], {
      error: ({ input }) => (input === undefined ? "is required" : "must be a number or a string"),
    })
    .transform((value, context) => {
      const text = String(value).trim();
      if (text.length >= 1 && text.length <= max && isPrintable(text)) return text;
      context.addIssue({ code: "custom", message: `must have 1 to ${max} printable characters` });
      return z.NEVER;
    })
    .meta({ description: `Number or string; compared as trimmed text of at most ${max} characters.` });
}

export const idIn = idUpTo(MAX_ID_LENGTH);

/** Ids stand in addresses, logs and sort keys: no control characters, no halves of surrogate pairs. */
function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}

export const idOut = z
  .union([z.int(), z.string()])
  .meta({ description: "A number where the id is a safe integer, else a string." });

export const idOrNull = idOut.nullable();

export const warningsOut = z
  .array(z.strictObject({ path: z.string(), message: z.string() }))
  .optional()
  .meta({ description: "What is odd in the request; absent where nothing is (ours)." });
export const textOrNull = z.string().nullable();
export const numberOrNull = z.number().nullable();

export function toWireId(text: string): number | string {
  return /^(0|-?[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

export function toWireIdOrNull(text: string | null): number | string | null {
  return text === null ? null : toWireId(text);
}

/** Reads "" as null, and [] (PHP's empty object) as left out, where the schema does not accept that value. */
function emptyOf(given: z.ZodType) {
  const [holdsText, holdsList] = ["", []].map((empty) => given.safeParse(empty).success);
  return (value: unknown) => {
    if (value === "" && holdsText === false) return null;
    return Array.isArray(value) && value.length === 0 && holdsList === false ? undefined : value;
  };
}

/** May be left out. Null means "not set" in a creation, and empties the field in an edit. */
export function optionalIn<Given extends z.ZodType>(given: Given) {
  return z.preprocess(emptyOf(given), given.nullish()).optional();
}

/** Null counts as left out. For fields that always have a value, such as a list or a flag. */
export function absentIfNull<Given extends z.ZodType>(given: Given) {
  return optionalIn(given).transform((value) => value ?? undefined);
}

/** For parts that are always given whole, such as a position: a missing field is null. */
export function nullIfAbsent<Given extends z.ZodType>(given: Given) {
  return optionalIn(given).transform((value) => value ?? null);
}

/** A required field; null means `meant`. */
export function meantByNull<Given extends z.ZodType, Meant>(given: Given, meant: Meant) {
  const required = z.preprocess(emptyOf(given), given.nullable()).nonoptional();
  return required.transform((value) => value ?? meant);
}

export function filled<Text extends z.ZodType<string>>(text: Text) {
  return text.refine((value) => value !== "", { error: "must not be empty" });
}

/** Clients send numbers for texts, such as a house's number. A number that JSON cannot keep exactly stays a number. */
function asText(value: unknown): unknown {
  const isExact = typeof value === "number" && (Number.isSafeInteger(value) || !Number.isInteger(value));
  return isExact ? String(value) : value;
}

/** Text that every database keeps as it is: PostgreSQL refuses NUL, and half a surrogate pair is no UTF-8. */
export function storableText(maxLength: number) {
  const text = z.string().max(maxLength);
  return text.refine((value) => !/[\0\p{Cs}]/u.test(value), { error: "must not hold NUL or half a character" });
}

function textOf(maxLength: number) {
  return z.preprocess(asText, storableText(maxLength));
}

export const textIn = textOf(MAX_TEXT_LENGTH);

/** A flag, or a text that says yes or no in the caller's own words. */
export const textOrFlagIn = z.preprocess(asText, z.union([storableText(32), z.boolean()]));

export function digitsIn(form: RegExp, words: string) {
  const text = z
    .string()
    .max(32)
    .regex(form, { error: `must have ${words}` });
  return z.preprocess((value) => (typeof value === "string" ? value.trim() : asText(value)), text);
}

export const innIn = digitsIn(/^(\d{10}|\d{12})$/, "10 or 12 digits");

export function receiptTextOf(maxLength: number) {
  return textOf(maxLength).superRefine((text, context) => {
    const flaw = findRefusedCharacter(text);
    if (flaw !== null) context.addIssue({ code: "custom", message: flaw.en });
  });
}

export const receiptTextIn = receiptTextOf(MAX_TEXT_LENGTH);

export const unitIn = receiptTextOf(16);

/** One line: no control characters, no halves of surrogate pairs. */
export function lineOf(maxLength: number) {
  const text = z.string().max(maxLength).refine(isPrintable, { error: "must not hold control characters" });
  return z.preprocess(asText, text);
}

export const lineIn = lineOf(2000);

export const coordinateIn = lineOf(32);

/** The number of a shop, up to the largest integer of the database. */
export const resourceIdIn = z.preprocess(asNumber, z.int().min(1).max(2_147_483_647));

export const moneyIn = decimalIn({
  isExact: (value) => parseRoubles(value) !== null,
  limit: MAX_ROUBLES,
  message: "must be a sum in roubles with at most two decimals, such as 250.50",
});

export const countIn = decimalIn({
  isExact: (value) => parseQuantity(value) !== null,
  limit: MAX_COUNT,
  message: "must be a quantity with at most six decimals",
});

export const priceIn = moneyIn.refine((value) => value >= 0, { error: "must not be negative" });

/** Some shops calculate a piece's price from the total, so it may have any number of decimals. */
export const unitPriceIn = z
  .preprocess(asNumber, z.number({ error: "must be a price in roubles, such as 250.50" }))
  .refine((value) => value >= 0, { error: "must not be negative" })
  .refine((value) => value <= MAX_ROUBLES, { error: `must be at most ${MAX_ROUBLES}` });

export const piecesIn = countIn.refine((value) => value > 0, { error: "must be above zero" });

/** An id of a fixed dictionary; it may come as text. */
export function dictionaryId<Id extends number>(ids: readonly Id[], dictionary: string) {
  const few = ids.length > 10 ? "" : `: ${ids.join(", ")}`;
  const error = `must be an id of /dictionary/${dictionary}${few}`;
  return z.preprocess(asNumber, z.literal(ids, { error }));
}

const MAX_ELEMENTS = 500;

/** An array in one request: all of its elements are done, or none. */
export function batchOf<Element extends z.ZodType>(element: Element) {
  return z
    .array(element, { error: "must be an array, also for one object" })
    .max(MAX_ELEMENTS, { error: `has more than ${MAX_ELEMENTS} elements` });
}

interface DecimalRules {
  isExact(value: number | string): boolean;
  readonly limit: number;
  readonly message: string;
}

function decimalIn(rules: DecimalRules) {
  const decimal = z
    .union([z.number(), z.string().regex(/^-?\d{1,9}(\.\d{1,6})?$/, { error: rules.message })], {
      error: rules.message,
    })
    .transform((value, context) => {
      if (rules.isExact(value) && Math.abs(Number(value)) <= rules.limit) return Number(value);
      context.addIssue({ code: "custom", message: rules.message });
      return z.NEVER;
    });
  // Databases and accounting programs write blanks around a sum, and zeros at its end.
  const plain = (value: unknown) => (typeof value === "string" ? value.trim().replace(/(\.\d+?)0+$/, "$1") : value);
  return z.preprocess(plain, decimal);
}

/** Clients send texts for numbers, such as a weight. */
function asNumber(value: unknown): unknown {
  return typeof value === "string" && /^\s*-?\d{1,15}([.,]\d{1,15})?\s*$/.test(value)
    ? Number(value.replace(",", "."))
    : value;
}

export const numberIn = z.preprocess(asNumber, z.number());

const flag = z.union([z.literal([0, 1]), z.boolean(), z.literal(["0", "1", "true", "false"])], {
  error: "must be 1 or 0",
});
const isOn = (value: z.output<typeof flag>) => value === true || value === 1 || value === "1" || value === "true";

export const flagIn = flag.transform((value): 0 | 1 => (isOn(value) ? 1 : 0));

export const booleanIn = flag.transform(isOn);

export const flagOut = z.literal([0, 1]);

/** Whether a buyer's contact is given and cannot be read. No receipt carries such a contact (54-fz 11). */
export function isOddContact(text: string | null | undefined): boolean {
  return !isNoContact(text ?? "") && parseContact(text ?? "") === null;
}

export const ODD_CONTACT = "is no e-mail address and no phone, and goes onto no receipt";

/** Some clients add a time, which is left out. */
export const dateIn = z.preprocess(
  (value) => (typeof value === "string" ? value.replace(/^(\d{4}-\d{2}-\d{2})[ T]\d{2}:\d{2}(:\d{2})?$/, "$1") : value),
  z.iso.date({ error: "must be a date as YYYY-MM-DD" }),
);

export const timeIn = z
  .string()
  .refine((text) => parseApiTime(text) !== null, { error: "must be a time as YYYY-MM-DD HH:MM:SS (GMT)" })
  .meta({ examples: ["2026-11-20 14:05:00"], pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$" });

export const timeQuery = z
  .string()
  .transform((text, context) => {
    const time = parseApiTime(text.trim());
    if (time !== null) return time;
    context.addIssue({ code: "custom", message: "must be a time as YYYY-MM-DD HH:MM:SS (GMT)" });
    return z.NEVER;
  })
  .meta({ description: "YYYY-MM-DD HH:MM:SS (GMT)" });

export const timeOut = z.string().meta({ pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$" });

const shape = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** `2026-11-20 14:05:00` (GMT) to milliseconds since the epoch; null for an impossible time. */
export function parseApiTime(text: string): number | null {
  if (!shape.test(text)) return null;
  const time = Date.parse(`${text.replace(" ", "T")}Z`);
  return !Number.isNaN(time) && formatApiTime(time) === text ? time : null;
}

export function formatApiTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace("T", " ");
}
