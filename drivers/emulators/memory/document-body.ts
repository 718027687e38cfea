/** All tags of a document by the format; each maker's protocol encodes them in its own way. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import { operations, type StoredDocument, type StoredLine } from "./documents.js";
import { type FiscalTag, numberOf, textOf } from "./fiscal-tag.js";
import { vatTotals } from "./receipt-rules.js";
import type { Registration } from "./registration.js";

const paymentTags = [1031, 1081, 1215, 1216, 1217] as const;
/** VAT codes 1 to 6 have tags of their own; the newer codes stand in tag 1115 (54-fz 1). */
const vatTags: ReadonlyMap<number, number> = new Map([
  [1, 1102],
  [2, 1103],
  [5, 1104],
  [6, 1105],
  [3, 1106],
  [4, 1107],
]);

export function documentBody(document: StoredDocument, registration: Registration): readonly FiscalTag[] {
  return [
    ...header(document, registration),
    ...(document.type === "receipt" || document.type === "correction" ? receiptTags(document, registration) : []),
    ...(document.type === "correction" ? withBasis(document.tags) : document.tags),
  ];
}

/** Tags 1178 (day) and 1179 (number of the order) of a correction stand in tag 1174 (basis). */
const basis: readonly number[] = [1178, 1179];

function withBasis(tags: readonly FiscalTag[]): readonly FiscalTag[] {
  const isOfBasis = ({ tag }: FiscalTag) => basis.includes(tag);
  return [...tags.filter((tag) => !isOfBasis(tag)), { tag: 1174, items: tags.filter(isOfBasis) }];
}

function header(document: StoredDocument, registration: Registration): readonly FiscalTag[] {
  return [
    { tag: 1041, text: document.fn },
    { tag: 1037, text: registration.kkm },
    { tag: 1018, text: registration.inn },
    { tag: 1040, number: document.fd },
    { tag: 1012, number: unixTime(document) },
    { tag: 1077, hex: fiscalSignHex(document.fiscalSign) },
    ...(document.type === "registration" ? [] : [{ tag: 1038, number: document.shift }]),
    { tag: 1209, number: registration.ffd },
  ];
}

/** Tag 1077 (fiscal sign): its first two bytes are of the drive's own making; the sign itself is big-endian. */
function fiscalSignHex(sign: number): string {
  return `3104${sign.toString(16).padStart(8, "0")}`;
}

function unixTime(document: StoredDocument): number {
  return Math.floor(Date.parse(`${document.time}Z`) / 1000);
}

function receiptTags(document: StoredDocument, registration: Registration): readonly FiscalTag[] {
  const operation = document.operation === null ? 0 : operations.indexOf(document.operation) + 1;
  return [
    { tag: 1042, number: document.receiptNumber ?? 0 },
    { tag: 1054, number: operation },
    { tag: 1055, number: document.taxSystem ?? 0 },
    ...document.lines.map((line) => lineTag(line, registration.ffd)),
    { tag: 1020, number: document.total ?? 0 },
    ...paymentTags.map((tag, typeClose) => ({ tag, number: paidBy(document, typeClose) })),
    ...(document.lines.length === 0 ? [] : sumTags(vatTotals(document.lines))),
    ...(textOf(document.tags, 1187) === null ? [{ tag: 1187, text: registration.place }] : []),
  ];
}

function paidBy(document: StoredDocument, typeClose: number): number {
  return document.payments
    .filter((payment) => payment.typeClose === typeClose)
    .reduce((sum, payment) => sum + payment.sum, 0);
}

function lineTag(line: StoredLine, ffd: Registration["ffd"]): FiscalTag {
  const measured = line.tags.some(({ tag }) => tag === 2108);
  return {
    tag: 1059,
    items: [
      { tag: 1030, text: line.name },
      { tag: 1079, number: line.price },
      { tag: 1023, decimals: 6, value: line.quantity },
      { tag: 1043, number: line.sum },
      { tag: 1199, number: line.vat },
      ...(line.vatSum > 0 ? [{ tag: 1200, number: line.vatSum }] : []),
      { tag: 1212, number: line.subject },
      { tag: 1214, number: line.method },
      ...(ffd === 4 && !measured ? [{ tag: 2108, number: 0 }] : []),
      ...line.tags,
      ...(line.mark === null ? [] : [{ tag: ffd === 4 ? 1163 : 1162, ...markValue(line.mark, ffd) }]),
    ],
  };
}

/** The marking code of a line: plain bytes, in format 1.2 as a code of unrecognised kind (tag 1300). */
function markValue(mark: string, ffd: Registration["ffd"]): { hex: string } | { items: readonly FiscalTag[] } {
  return ffd === 4 ? { items: [{ tag: 1300, hex: mark }] } : { hex: mark };
}

/** Sums of the newer codes stand in tag 1115. */
export function sumTags(sums: ReadonlyMap<number, Kopecks>): readonly FiscalTag[] {
  const totals = [...sums];
  const own = totals.flatMap(([vat, amount]) => {
    const tag = vatTags.get(vat);
    return tag === undefined ? [] : [{ tag, number: amount }];
  });
  const newer = totals.filter(([vat]) => !vatTags.has(vat)).map(([vat, amount]) => vatEntry(vat, amount));
  if (newer.length === 0) return own;
  const stub = own.length === 0 ? [{ tag: 1104, number: 0 }] : [];
  return [...own, ...stub, { tag: 1115, items: newer }];
}

function vatEntry(vat: number, amount: Kopecks): FiscalTag {
  return {
    tag: 1119,
    items: [
      { tag: 1199, number: vat },
      { tag: 1120, number: amount },
    ],
  };
}

export function sumsIn(tags: readonly FiscalTag[]): readonly (readonly [vat: number, sum: number])[] {
  const newer = tags.flatMap((tag) => (tag.tag === 1115 && "items" in tag ? tag.items : []));
  const at = (items: readonly FiscalTag[], tag: number) => numberOf(items, tag) ?? 0;
  const own = [...vatTags].map(([vat, tag]) => [vat, at(tags, tag)] as const);
  const others = newer.flatMap((one) => ("items" in one ? [[at(one.items, 1199), at(one.items, 1120)] as const] : []));
  return [...own, ...others].filter(([, sum]) => sum > 0);
}
