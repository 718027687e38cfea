/** A drive's archived document, read from its tags: the same at every maker that hands them out as TLV. */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { DocumentItem, FiscalDocument } from "../fiscal-document.js";
import { decodeTlvs, moneyOf, quantityOf, type Tlv, tagOf, textOf } from "./tlv.js";

/** A receipt may be rounded down by less than this. */
const ROUBLE = 100;
/** Tags that a document may have more than once: items, VAT sums. */
const repeatedTags: readonly number[] = [1059, 1115];

/** The entry for a document that the drive counts but that could not be read. */
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

/** Null for bytes that are no chain of tags. */
export function parseTags(bytes: Uint8Array): readonly Tlv[] | null {
  try {
    return decodeTlvs(bytes);
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** Null for tags in another form than the format's, as another program may write them: the document is unreadable. */
export function readTags<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Forms of the fiscal document format. */
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

/** Tag 1054: 1 = sale, 2 = return of a sale. */
export function operationOf(operation: number | null): FiscalDocument["operation"] {
  if (operation === null) return null;
  return operation === 1 ? "sale" : operation === 2 ? "return" : "other";
}

/** Tag 1086 inside 1084. */
export function markOf(tags: readonly Tlv[]): string | null {
  return tagOf(tagOf(tags, 1084, decodeTlvs) ?? [], 1086, textOf);
}

/** Tags 1059. */
export function itemsOf(tags: readonly Tlv[]): readonly DocumentItem[] {
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

/** A piece that came twice shows as a tag that a document has once. */
export function hasNoRepeatedTag(tags: readonly Tlv[]): boolean {
  const once = tags.map(({ tag }) => tag).filter((tag) => !repeatedTags.includes(tag));
  return new Set(once).size === once.length;
}

/** A piece that is missing shows as items that do not make the total. */
export function itemsMakeTotal(total: Kopecks, tags: readonly Tlv[]): boolean {
  const items = itemsOf(tags).reduce((sum, item) => sum + item.sum, 0);
  return items >= total && items - total < ROUBLE;
}
