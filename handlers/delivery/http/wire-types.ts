/** The simple types of the API as zod schemas: input is checked and made canonical, output has a closed form. */
import { parseQuantity, parseRoubles } from "@fiscald/shared/amounts.js";
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

/** An id in answers. One that is declared as a number is sent as a number if its text is one, else as text. */
export const idOut = z
  .union([z.int(), z.string()])
  .meta({ description: "A number where the id is a safe integer, else a string." });

export const idOrNull = idOut.nullable();
export const textOrNull = z.string().nullable();
export const numberOrNull = z.number().nullable();

export function toWireId(text: string): number | string {
  return /^(0|-?[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

export function toWireIdOrNull(text: string | null): number | string | null {
  return text === null ? null : toWireId(text);
}

/**
 * A field that may be left out; answers then show it as null, and requests may send that null back. In a creation null
 * means "not set", in an edit it empties the field. Lists and flags always have a value: their null is refused.
 */
export function optionalIn<Given extends z.ZodType>(given: Given) {
  return given.nullish();
}

/** An optional field of something that is given as a whole, such as a position: a missing field is null. */
export function nullIfAbsent<Given extends z.ZodType>(given: Given) {
  return given.nullish().transform((value) => value ?? null);
}

/** An optional part of an address: answers leave an absent part out too. */
export function optionalPartIn<Given extends z.ZodType>(given: Given) {
  return given
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}

/** Text that every database keeps as it is: PostgreSQL refuses NUL, and half a surrogate pair is no UTF-8. */
export function plainText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine((text) => !/[\0\p{Cs}]/u.test(text), { error: "must not hold NUL or half a character" });
}

export const textIn = plainText(MAX_TEXT_LENGTH);

/** Text that becomes a part of a receipt. */
export const receiptTextIn = textIn.superRefine((text, context) => {
  const flaw = findRefusedCharacter(text);
  if (flaw !== null) context.addIssue({ code: "custom", message: flaw.en });
});

/** One line of text: no control characters, no halves of surrogate pairs. */
export function lineOf(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: "must not hold control characters" });
}

export const lineIn = lineOf(2000);

/** The number of a shop, as large as the database's integers. */
export const resourceIdIn = z.int().min(1).max(2_147_483_647);

/** An amount of roubles as a number or decimal text, with at most two decimals. */
export const moneyIn = decimalIn({
  isExact: (value) => parseRoubles(value) !== null,
  limit: MAX_ROUBLES,
  message: "must be a sum in roubles with at most two decimals, such as 250.50",
});

/** A quantity with at most six decimals. */
export const countIn = decimalIn({
  isExact: (value) => parseQuantity(value) !== null,
  limit: MAX_COUNT,
  message: "must be a quantity with at most six decimals",
});

/** An amount to pay or an amount collected. */
export const priceIn = moneyIn.refine((value) => value >= 0, { error: "must not be negative" });

/** A number of pieces, which is above zero. */
export const piecesIn = countIn.refine((value) => value > 0, { error: "must be above zero" });

/** An id of one of the fixed dictionaries. Like all numeric ids it may come as text. */
export function dictionaryId<Id extends number>(ids: readonly Id[], dictionary: string) {
  const few = ids.length > 10 ? "" : `: ${ids.join(", ")}`;
  const error = `must be an id of /dictionary/${dictionary}${few}`;
  return z.union([z.literal(ids), z.literal(ids.map(String))], { error }).transform((value, context): Id => {
    const id = ids.find((known) => String(known) === String(value));
    if (id !== undefined) return id;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
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
  return z
    .union([z.number(), z.string().regex(/^-?\d{1,9}(\.\d{1,6})?$/, { error: rules.message })], {
      error: rules.message,
    })
    .transform((value, context) => {
      if (rules.isExact(value) && Math.abs(Number(value)) <= rules.limit) return Number(value);
      context.addIssue({ code: "custom", message: rules.message });
      return z.NEVER;
    });
}

export const numberIn = z.number();

/** A flag such as tag 1125 (internet payment): sites send 1, true or "1". */
export const flagIn = z
  .union([z.literal([0, 1]), z.boolean(), z.literal(["0", "1"])], { error: "must be 1 or 0" })
  .transform((value): 0 | 1 => (Number(value) === 1 ? 1 : 0));

export const flagOut = z.literal([0, 1]);

/** A latitude or longitude as text, or as the number that sites also send. */
export const coordinateIn = z
  .union([lineOf(32), z.number()], { error: "must be a string without control characters, or a number" })
  .transform(String);

/** A time `YYYY-MM-DD HH:MM:SS` in GMT; it must exist. */
export const timeIn = z
  .string()
  .refine((text) => parseApiTime(text) !== null, { error: "must be a time as YYYY-MM-DD HH:MM:SS (GMT)" })
  .meta({ examples: ["2026-11-20 14:05:00"], pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$" });

/** A time in a query, `YYYY-MM-DD HH:MM:SS` in GMT, read into milliseconds since the epoch. */
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

/** Milliseconds since the epoch to `2026-11-20 14:05:00` (GMT). */
export function formatApiTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace("T", " ");
}
