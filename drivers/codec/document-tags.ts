/** A drive's archived document, read from its tags: the same at every maker that hands them out as TLV. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { DocumentItem, FiscalDocument } from "../fiscal-driver.js";
import { decodeTlvs, moneyOf, quantityOf, type Tlv, tagValue, textOf } from "./tlv.js";

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
  const requisite = tagValue(tags, 1084);
  const mark = requisite === null ? null : tagValue(decodeTlvs(requisite), 1086);
  return mark === null ? null : textOf(mark);
}

/** Tags 1059. */
export function itemsOf(tags: readonly Tlv[]): readonly DocumentItem[] {
  return tags.filter(({ tag }) => tag === 1059).map(({ value }) => itemOf(decodeTlvs(value)));
}

function itemOf(tags: readonly Tlv[]): DocumentItem {
  const name = tagValue(tags, 1030);
  const quantity = tagValue(tags, 1023);
  return {
    name: name === null ? "" : textOf(name),
    price: moneyOf(tagValue(tags, 1079) ?? new Uint8Array()),
    quantity: quantity === null ? 0 : quantityOf(quantity),
    sum: moneyOf(tagValue(tags, 1043) ?? new Uint8Array()),
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
