/** Reads a document of the drive's archive from TLV bytes, for all makers that give the tags in this form. */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { DocumentItem, FiscalDocument } from "../fiscal-document.js";
import { integerOf } from "./byte-cursor.js";
import { decodeTlvs, moneyOf, quantityOf, type Tlv, tagOf, textOf } from "./tlv.js";

/** In kopecks. A register may round the total of a receipt down by less than this. */
const ROUBLE = 100;
/** Tags that a document may have more than once: 1059 (item), 1115 (VAT sums). */
const repeatedTags: readonly number[] = [1059, 1115];

/** Stands for a document that the drive counts but that could not be read. */
export function unknownDocument(fd: number): FiscalDocument {
  return {
    fd,
    type: "unknown",
    operation: null,
    total: null,
    fiscalSign: "",
    time: null,
    shift: null,
    receiptNumber: null,
    mark: null,
    body: "unreadable",
    items: [],
    contact: null,
  };
}

export function parseTags(bytes: Uint8Array): readonly Tlv[] | null {
  try {
    return decodeTlvs(bytes);
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** Null when a tag has another form than the format's; other programs write such tags. */
export function readTags<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const forms: Readonly<Record<number, FiscalDocument["type"]>> = {
  2: "shift-open",
  3: "receipt",
  4: "receipt",
  5: "shift-close",
  31: "correction",
  41: "correction",
};

export function typeOfForm(form: number): FiscalDocument["type"] {
  return forms[form] ?? "other";
}

/** Tag 1054 (direction of the settlement): 1 = sale, 2 = return of a sale. */
export function operationOf(operation: number | null): FiscalDocument["operation"] {
  if (operation === null) return null;
  return operation === 1 ? "sale" : operation === 2 ? "return" : "other";
}

/** Order mark: tag 1086 (value) inside tag 1084 (user requisite). */
export function markOf(tags: readonly Tlv[]): string | null {
  return tagOf(tagOf(tags, 1084, decodeTlvs) ?? [], 1086, textOf);
}

export function documentItemsOf(tags: readonly Tlv[]): readonly DocumentItem[] {
  return tags.filter(({ tag }) => tag === 1059).map(({ value }) => itemOf(decodeTlvs(value)));
}

function itemOf(tags: readonly Tlv[]): DocumentItem {
  return {
    name: tagOf(tags, 1030, textOf) ?? "",
    price: tagOf(tags, 1079, moneyOf) ?? kopecks(0),
    quantity: tagOf(tags, 1023, quantityOf) ?? 0,
    sum: tagOf(tags, 1043, moneyOf) ?? kopecks(0),
  };
}

/** False: a tag repeats that a document has only once, so a piece of the document was read twice. */
function hasNoRepeatedTag(tags: readonly Tlv[]): boolean {
  const once = tags.map(({ tag }) => tag).filter((tag) => !repeatedTags.includes(tag));
  return new Set(once).size === once.length;
}

/** True for FFD 1.05 (by tag 1209, format version), where a correction has no items. */
function isOf105(tags: readonly Tlv[]): boolean {
  return tagOf(tags, 1209, integerOf) === 2;
}

/** False: the sums of the items do not make the total, so a piece of the document is missing. */
function itemsMakeTotal(total: Kopecks, tags: readonly Tlv[]): boolean {
  const items = documentItemsOf(tags).reduce((sum, item) => sum + item.sum, 0);
  return items >= total && items - total < ROUBLE;
}

export function hasItems(type: FiscalDocument["type"], tags: readonly Tlv[]): boolean {
  return type === "receipt" || (type === "correction" && !isOf105(tags));
}

/**
 * True: the pieces are the whole document, and each was read once. A document with a missing piece could lack the order
 * mark and seem to be another program's receipt; then our receipt would be printed a second time.
 */
export function isWholeDocument(
  { fd, type, total }: Pick<FiscalDocument, "fd" | "type" | "total">,
  tags: readonly Tlv[],
): boolean {
  if (!hasNoRepeatedTag(tags) || tagOf(tags, 1040, integerOf) !== fd) return false;
  return !hasItems(type, tags) || total === null || itemsMakeTotal(total, tags);
}

export async function readEach(
  fd: number,
  last: number,
  read: (fd: number) => Promise<FiscalDocument>,
): Promise<readonly FiscalDocument[]> {
  const documents: FiscalDocument[] = [];
  for (let number = fd + 1; number <= last; number += 1) documents.push(await read(number));
  return documents;
}
