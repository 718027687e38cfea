/**
 * The tags of a fiscal document in the same notation for all makers: money in kopecks, quantities in millionths, texts
 * without padding. A tag inside a container is listed beside the tags outside the container. Tag 1115 (sums of VAT at
 * newer rates) is one text with all its sums: `11=1967,12=300`.
 */
import { parseQuantity, parseRoubles } from "@fiscald/shared/amounts.js";
import { VAT_SUMS } from "@fiscald/shared/receipt/vat.js";
import type { DocumentTags, TagValues } from "../fiscal-document.js";
import { integerOf } from "./byte-cursor.js";
import { readTags } from "./document-tags.js";
import { decodeTlvs, moneyOf, quantityOf, type Tlv, textOf } from "./tlv.js";

/**
 * `day`: the drive has seconds, a print service has a date. `sign`: only the presence of the tag counts, because
 * marking codes are stored in several forms. `open`: a container of other tags. `sums`: sums with the codes of their
 * rates.
 */
type TagKind = "text" | "number" | "money" | "quantity" | "day" | "sign" | "open" | "sums";
type PlainKind = Exclude<TagKind, "open" | "sums">;

const ITEM = 1059;
const SIGN = 1;

/** Tags that a program of this product may send. The register makes all other tags of a document by itself. */
const kinds: ReadonlyMap<number, TagKind> = new Map<number, TagKind>([
  ...rows("text", [1008, 1021, 1203, 1187, 1085, 1086, 1227, 1228, 1192, 1254, 1243, 1244, 1245, 1246]),
  ...rows("text", [1030, 1179, 1191, 1197, 1225, 1226, 1171, 1230, 1231, 1262, 1263, 1264, 1265, 1272]),
  ...rows("text", [1005, 1016, 1026, 1044, 1073, 1074, 1075]),
  ...rows("number", [1173, 1054, 1055, 1125, 1057, 1199, 1212, 1214, 1222, 1271, 2108]),
  ...rows("money", [1102, 1103, 1104, 1105, 1106, 1107, 1120]),
  ...rows("day", [1178]),
  ...rows("money", [1020, 1031, 1081, 1215, 1216, 1217, 1043, 1079, 1229]),
  ...rows("quantity", [1023]),
  ...rows("sign", [1162, 1163, 1291]),
  ...rows("sums", [VAT_SUMS]),
  ...rows("open", [1174, 1084, 1223, 1224, 1256, 1260, 1270]),
]);

function rows(kind: TagKind, tags: readonly number[]): readonly (readonly [number, TagKind])[] {
  return tags.map((tag) => [tag, kind] as const);
}

/**
 * The field `tags` of a `FiscalDocument`, from a document of a drive. The field is left out where a value has another
 * form than its tag; all other facts of the document stay known.
 */
export function tagsOfTlvs(tags: readonly Tlv[]): { readonly tags?: DocumentTags } {
  const read = readTags(() => ({
    head: valuesOfTlvs(tags),
    items: tags.filter(({ tag }) => tag === ITEM).map(({ value }) => valuesOfTlvs(decodeTlvs(value))),
  }));
  return read === null ? {} : { tags: read };
}

function valuesOfTlvs(tags: readonly Tlv[]): TagValues {
  const values: Record<number, string | number> = {};
  for (const { tag, value } of tags) {
    const kind = kinds.get(tag);
    if (kind === "open") Object.assign(values, valuesOfTlvs(decodeTlvs(value)));
    else if (kind === "sums")
      for (const inner of decodeTlvs(value)) values[tag] = withSum(values, valuesOfTlvs(decodeTlvs(inner.value)));
    else if (kind !== undefined) values[tag] = together(values[tag], readBytes(kind, value));
  }
  return values;
}

/** Adds one sum (1119) to the text of tag 1115. Sums of 0 are left out, because some registers list every rate. */
export function withSum({ [VAT_SUMS]: before = "" }: TagValues, { 1199: rate, 1120: sum }: TagValues): string {
  return [...String(before).split(","), sum === undefined || sum === 0 ? "" : `${rate}=${sum}`]
    .filter(Boolean)
    .sort()
    .join(",");
}

function readBytes(kind: PlainKind, value: Uint8Array): string | number {
  switch (kind) {
    case "text":
      return textOf(value);
    case "number":
      return integerOf(value);
    case "money":
      return moneyOf(value);
    case "quantity":
      return quantityOf(value);
    case "day":
      return dayOf(integerOf(value));
    case "sign":
      return SIGN;
  }
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

export type MoneyUnit = "roubles" | "kopecks";

/** Tags of a document in JSON with tag numbers as keys. The items are a list of such objects, or one object. */
export function tagsOfJson(document: Readonly<Record<string, unknown>>, unit: MoneyUnit): DocumentTags {
  return {
    head: valuesOfJson(document, unit),
    items: objectsIn(document[ITEM]).map((item) => valuesOfJson(item, unit)),
  };
}

function valuesOfJson(tags: Readonly<Record<string, unknown>>, unit: MoneyUnit): TagValues {
  const values: Record<number, string | number> = {};
  for (const [key, value] of Object.entries(tags)) {
    const tag = Number(key);
    const kind = kinds.get(tag);
    if (kind === "open") for (const inner of objectsIn(value)) Object.assign(values, valuesOfJson(inner, unit));
    else if (kind === "sums")
      for (const inner of objectsIn(value).flatMap((container) => objectsIn(container[1119])))
        values[tag] = withSum(values, valuesOfJson(inner, unit));
    else if (kind !== undefined) {
      for (const one of Array.isArray(value) ? value : [value]) {
        const read = readJson(kind, one, unit);
        if (read !== null) values[tag] = together(values[tag], read);
      }
    }
  }
  return values;
}

/** Null: the value has a form that its tag does not allow. */
function readJson(kind: PlainKind, value: unknown, unit: MoneyUnit): string | number | null {
  if (value === null || value === undefined) return null;
  return kind === "sign" ? SIGN : readPlain(kind, value, unit);
}

function readPlain(kind: Exclude<PlainKind, "sign">, value: unknown, unit: MoneyUnit): string | number | null {
  const isPlain = typeof value === "string" || typeof value === "number";
  if (typeof value === "boolean") return kind === "number" ? Number(value) : null;
  if (!isPlain) return null;
  switch (kind) {
    case "text":
      return String(value).trimEnd();
    case "number":
      return wholeNumber(value);
    case "money":
      return unit === "roubles" ? parseRoubles(value) : wholeNumber(value);
    case "quantity":
      return unit === "roubles" ? parseQuantity(value) : wholeNumber(value);
    case "day":
      return typeof value === "number" ? dayOf(value) : value.slice(0, 10).replaceAll(".", "-");
  }
}

function wholeNumber(value: string | number): number | null {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : null;
}

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (one): one is Record<string, unknown> => typeof one === "object" && one !== null,
  );
}

/** Joins the values of a tag that occurs several times, such as the phones of a supplier. */
function together(before: string | number | undefined, value: string | number): string | number {
  return before === undefined || typeof before === "number" ? value : `${before},${value}`;
}
