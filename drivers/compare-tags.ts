/**
 * Compares a registered receipt with what its program sent. A difference never means that the document belongs to
 * another order, because a register may alter a receipt that it prints. Tags that were not sent are left out. Pure.
 */
import { ONE_UNIT } from "@fiscald/shared/amounts.js";
import { isVatCode, VAT_SUMS } from "@fiscald/shared/receipt/vat.js";
import type { DocumentTags, TagValues } from "./fiscal-document.js";

/** `hold`: receipts with the value wait until a person decides. `warn`: receipts go on, and a person is told. */
export type Weight = "hold" | "warn";

export interface Difference {
  readonly tag: number;
  readonly sent: string;
  /** Null: the document has no such tag. */
  readonly read: string | null;
  readonly weight: Weight;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Tags that have the sent value somewhere in the document, or a sum that differs by its rounding alone. */
  readonly agreed: ReadonlySet<number>;
}

const ITEM = 1059;
const RATE = 1199;
const LINE_SUM = 1043;
const NAME = 1030;
const TOTAL = 1020;
const INTERNET = 1125;
const BUYER = 1008;
const PAYMENTS: readonly number[] = [1031, 1081, 1215, 1216, 1217];
/** Fiscal facts: rate, line sum, number of lines, total, 1054 (operation), 1214 (method), 1055 (tax system). */
const heldTags: ReadonlySet<number> = new Set([
  ...[RATE, LINE_SUM, ITEM, TOTAL, 1054, 1214, 1055, ...PAYMENTS],
  // Facts of a correction: 1173 (why), 1178 (day of the settlement), 1102 to 1107 and 1115 (sums by rate).
  ...[1173, 1178, 1102, 1103, 1104, 1105, 1106, 1107, VAT_SUMS],
]);
/** Tags without which the receipt means something else: internet, 1187 (place), 1222 (agent), 1162 and 1163 (codes). */
const heldIfAbsent: ReadonlySet<number> = new Set([INTERNET, 1187, 1222, 1162, 1163]);
/** Before a second receipt with the same value is printed, the first document with the value is compared. */
const watchedTags: readonly number[] = [RATE, 1214, 1212, INTERNET, ...PAYMENTS];
/** Tags of sums. Every receipt has other sums, so a register that changed one sum may change the sum of any receipt. */
const sumTags: ReadonlySet<number> = new Set([LINE_SUM, TOTAL, ...PAYMENTS]);
/** Tag 2108 (measure). A document may leave out its default, which is pieces (0). */
const MEASURE = 2108;
const PRICE = 1079;
const QUANTITY = 1023;

/**
 * `readBefore`: tags that agreed earlier on this model and firmware, so the driver reads them correctly. `unconfirmed`:
 * tags whose absence counts even before that (`unconfirmedTags` of the capabilities).
 */
export function compareTags(
  sent: DocumentTags,
  read: DocumentTags,
  readBefore: ReadonlySet<number>,
  unconfirmed: readonly number[] = [],
): Comparison {
  const found = [...compareValues(sent.head, read.head, unconfirmed), ...compareItems(sent.items, read.items)];
  const isTotalRight = sent.head[TOTAL] === read.head[TOTAL];
  const isRounded = ({ tag, read: theirs, product }: Compared) =>
    tag === LINE_SUM && isTotalRight && theirs !== null && isRoundingOf(product, Number(theirs));
  const agreed = new Set(found.filter((one) => one.agrees || isRounded(one)).map(({ tag }) => tag));
  const isReadRightly = (tag: number) => readBefore.has(tag) || agreed.has(tag);
  const differences = found.flatMap((one): Difference[] => {
    const { tag, sent: value, read: theirs, agrees, certain } = one;
    if (agrees) return [];
    const isHeld = weighs(one) && !isRounded(one) && (certain || isReadRightly(tag));
    return [{ tag, sent: value, read: theirs, weight: isHeld ? "hold" : "warn" }];
  });
  return { differences: unique(differences), agreed };
}

/**
 * Each register computes price x quantity and rounds a fraction of a kopeck in its own way. Both whole kopecks next to
 * the product are correct roundings; of a whole product only the product itself is.
 */
function isRoundingOf(product: bigint | null, sum: number): boolean {
  if (product === null || !Number.isSafeInteger(sum)) return false;
  const [off, unit] = [BigInt(sum) * BigInt(ONE_UNIT) - product, BigInt(ONE_UNIT)];
  return -unit < off && off < unit;
}

function productOf(tags: TagValues): bigint | null {
  const [price, quantity] = [Number(tags[PRICE]), Number(tags[QUANTITY])];
  return Number.isSafeInteger(price) && Number.isSafeInteger(quantity) ? BigInt(price) * BigInt(quantity) : null;
}

/** True: a difference in this tag may stop receipts. A rate without a known code was read wrongly and stops none. */
function weighs({ tag, read }: Omit<Difference, "weight">): boolean {
  if (tag === RATE) return read !== null && isVatCode(Number(read));
  return heldTags.has(tag) || (heldIfAbsent.has(tag) && read === null);
}

interface Compared extends Omit<Difference, "weight"> {
  readonly agrees: boolean;
  /** True: other values of the same line agree, so the line was read correctly. */
  readonly certain: boolean;
  /** Price x quantity as sent, in millionths of a kopeck. Null: price and quantity were not sent. */
  readonly product: bigint | null;
}

/** Lines cannot be compared one by one when the register has joined or added lines. */
function compareItems(sent: readonly TagValues[], read: readonly TagValues[]): readonly Compared[] {
  const count = { tag: ITEM, sent: String(sent.length), read: String(read.length), certain: false, product: null };
  if (sent.length !== read.length) return [{ ...count, agrees: false }];
  return [{ ...count, agrees: true }, ...sent.flatMap((item, index) => compareValues(item, read[index] ?? {}))];
}

function compareValues(sent: TagValues, read: TagValues, unconfirmed: readonly number[] = []): readonly Compared[] {
  const isSameLine = sameText(sent[NAME], read[NAME]) && sent[LINE_SUM] === read[LINE_SUM];
  const certain = sent[LINE_SUM] !== undefined && isSameLine;
  const isHeadRead = sent[TOTAL] !== undefined && sent[TOTAL] === read[TOTAL];
  const product = productOf(sent);
  return Object.entries(sent).flatMap(([key, value]) => {
    const tag = Number(key);
    if (tag === MEASURE && value === 0 && read[tag] === undefined) return [];
    const theirs = isPayment(tag) && read[tag] === 0 ? undefined : read[tag];
    const agrees = theirs !== undefined && plain(tag, theirs) === plain(tag, value);
    const isCertain = (tag === RATE && certain) || (isHeadRead && unconfirmed.includes(tag));
    const found = theirs === undefined ? null : String(theirs);
    return { tag, sent: String(value), read: found, agrees, certain: isCertain, product };
  });
}

export function isSum(tag: number): boolean {
  return sumTags.has(tag);
}

function isPayment(tag: number): boolean {
  return PAYMENTS.includes(tag);
}

/** Registers cut long names, so only the kept part of the name is compared. */
function sameText(sent: string | number | undefined, read: string | number | undefined): boolean {
  const [whole, part] = [sent, read].map((text) => String(plain(NAME, text ?? "")));
  return part === undefined || whole?.startsWith(part) === true;
}

/**
 * Registers change quotes, spaces and letters that their code page lacks, so only letters and digits are compared. In
 * the buyer's address dots and other characters count too: with one dot less the address is another person's.
 */
function plain(tag: number, value: string | number): string | number {
  if (typeof value === "number" || tag === VAT_SUMS) return value;
  const text = value.normalize("NFC");
  if (tag === BUYER) return text.toLowerCase().replace(/[^0-9A-Za-zА-Яа-яЁё._@-]/g, "");
  return text.replace(/[^0-9A-Za-zА-Яа-яЁё]/g, "");
}

function unique(differences: readonly Difference[]): readonly Difference[] {
  const byText = new Map(differences.map((difference) => [JSON.stringify(difference), difference]));
  return [...byText.values()];
}

export function watchedValues(sent: DocumentTags): readonly string[] {
  const names = [sent.head, ...sent.items].flatMap((values) =>
    watchedTags.flatMap((tag) => {
      const value = values[tag];
      return value === undefined ? [] : [isPayment(tag) ? String(tag) : `${tag}=${value}`];
    }),
  );
  return [...new Set(names)];
}

/** True: a receipt with these tags has the value in which a document differed. For sums every receipt counts. */
export function hasValue(sent: DocumentTags, { tag, sent: value }: Pick<Difference, "tag" | "sent">): boolean {
  if (isSum(tag)) return true;
  if (tag === ITEM) return String(sent.items.length) === value;
  return [sent.head, ...sent.items].some((values) => values[tag] !== undefined && String(values[tag]) === value);
}
