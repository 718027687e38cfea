/** Checks texts of documents for an 8-bit code page. A text too long for its tag is refused (54-fz 1). */
import { unitOf } from "@fiscald/shared/receipt/measure.js";
import type { Cashier, ItemLine, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import type { CompileContext } from "../fiscal-driver.js";
import { unsupported } from "./requisites.js";
import { longestTexts, type PlacedText, phoneTags, tagTexts } from "./tag-texts.js";

/** Fault `receipt.unsupported` for an address that `spell` changes: the receipt would be sent to a stranger. */
export function requireExactAddresses({ contact, internet }: SaleReceipt, spell: (text: string) => string): void {
  for (const [place, text] of [
    ["contact", contact],
    ["internet.url", internet?.url ?? null],
  ] as const) {
    if (text === null || spell(text) === text.normalize("NFC")) continue;
    unsupported(unfitTexts.otherLetters(place, text, spell(text)), place);
  }
}

type TextContext = Pick<CompileContext, "mark" | "cashier">;

/** One warning with every letter that the register's code page lacks, and all places with such letters. */
export function warnOfLostLetters(
  receipt: SaleReceipt,
  context: TextContext,
  spell: (text: string) => string,
): readonly string[] {
  const found = tagTexts(receipt, context).flatMap(({ place, text }) => {
    if (!spell(text).includes("?")) return [];
    const letters = Array.from(text.normalize("NFC")).filter((letter) => letter !== "?" && spell(letter) === "?");
    return letters.map((letter) => ({ place, letter }));
  });
  if (found.length === 0) return [];
  const letters = new Set(found.map(({ letter }) => letter));
  const places = new Set(found.map(({ place }) => place));
  return [
    `the register cannot hold ${[...letters].join("")}: another sign stands instead in ${[...places].join(", ")}`,
  ];
}

export interface TextFields {
  readonly spell: (text: string) => string;
  /** Longest field in characters for all phones of a tag, joined by commas. Null: each phone has a field of its own. */
  readonly joinedPhones: number | null;
}

/** Fault `receipt.unsupported` for a text that is too long. Only the name of an item (1030) may be cut. */
export function requireLengths(receipt: SaleReceipt, context: TextContext, fields: TextFields): void {
  const texts = tagTexts(receipt, context);
  for (const one of texts) requireLength(one, longestTexts[one.tag], fields);
  if (fields.joinedPhones === null) return;
  for (const one of joinedPhones(texts)) requireLength(one, fields.joinedPhones, fields);
}

/** Checks the cashier's name, also for documents without other texts. */
export function requireCashier({ name }: Cashier, fields: TextFields): void {
  requireLength({ place: "cashier.name", tag: 1021, text: name }, longestTexts[1021], fields);
}

function requireLength({ place, tag, text }: PlacedText, most = Number.POSITIVE_INFINITY, { spell }: TextFields): void {
  const { length } = spell(text);
  if (length > most) unsupported(unfitTexts.fieldTooLong(place, length, tag, most), place);
}

function joinedPhones(texts: readonly PlacedText[]): Iterable<PlacedText> {
  const fields = new Map<string, PlacedText>();
  for (const one of texts.filter(({ tag }) => phoneTags.includes(tag))) {
    const key = `${one.place} ${one.tag}`;
    const before = fields.get(key);
    fields.set(key, before === undefined ? one : { ...one, text: `${before.text},${one.text}` });
  }
  return fields.values();
}

const OTHER_MEASURE = 255;

/**
 * Tag 1197 (unit as text, before format 1.2): the order's own text, or the name of a measure that the order gives as a
 * code. Null: pieces. Fault `receipt.unsupported` for the code "other", which has no name.
 */
export function printedUnit({ unit, measure }: Pick<ItemLine, "unit" | "measure">, path: string): string | null {
  if (unit !== null) return unit;
  if (measure !== OTHER_MEASURE) return unitOf(measure);
  unsupported(unfitTexts.measureOther(path), `${path}.unit`);
}
