/** Tags as the fiscal drive holds them: tag u16, length u16, value, all little-endian (Shtrih-M protocol, 4). */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type LocalTime, localTimeOf } from "@fiscald/shared/local-time.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { ByteReader, ByteWriter, integerOf } from "./byte-cursor.js";
import { decodeText, encodeText } from "./code-pages.js";

export interface Tlv {
  readonly tag: number;
  readonly value: Uint8Array;
}

export function encodeTlv(tag: number, value: Iterable<number>): Uint8Array {
  const bytes = Uint8Array.from(value);
  return new ByteWriter().u16(tag).u16(bytes.length).raw(bytes).done();
}

/** Fault `link.corrupt` when a tag is cut off. */
export function decodeTlvs(bytes: Uint8Array): readonly Tlv[] {
  const reader = new ByteReader(bytes);
  const tags: Tlv[] = [];
  while (reader.remaining > 0) tags.push({ tag: reader.u16(), value: reader.take(reader.u16()) });
  return tags;
}

/**
 * Fault `receipt.unsupported` when the text is longer than its tag may be: a text for the tax office is never cut.
 * `path`: where the text stands in the receipt.
 */
export function stringTag(tag: number, text: string, maxBytes: number, path?: string): Uint8Array {
  const bytes = encodeText(text, "cp866");
  if (bytes.length > maxBytes) {
    throw new Fault("receipt.unsupported", {
      message: unfitTexts.tooLong(path ?? "a text", bytes.length, tag, maxBytes),
      place: path ?? `tag ${tag}`,
    });
  }
  return encodeTlv(tag, bytes);
}

export function fixedStringTag(tag: number, text: string, size: number): Uint8Array {
  return encodeTlv(tag, new ByteWriter().fixedText(text, "cp866", size, 0x20).done());
}

export function byteTag(tag: number, value: number): Uint8Array {
  return encodeTlv(tag, [value]);
}

export function containerTag(tag: number, inner: readonly Uint8Array[]): Uint8Array {
  return encodeTlv(
    tag,
    inner.flatMap((bytes) => Array.from(bytes)),
  );
}

export function tagValue(tags: readonly Tlv[], tag: number): Uint8Array | null {
  return tags.find((candidate) => candidate.tag === tag)?.value ?? null;
}

export function tagOf<T>(tags: readonly Tlv[], tag: number, read: (value: Uint8Array) => T): T | null {
  const value = tagValue(tags, tag);
  return value === null ? null : read(value);
}

export function textOf(value: Uint8Array): string {
  return decodeText(value, "cp866").trimEnd();
}

/** VLN (integer of variable length) in kopecks. */
export function moneyOf(value: Uint8Array): Kopecks {
  return kopecks(integerOf(value));
}

/** FVLN: one byte with the number of decimals, then the integer. In millionths; further decimals are cut. */
export function quantityOf(value: Uint8Array): number {
  const decimals = value[0] ?? 0;
  const integer = integerOf(value.slice(1));
  return decimals <= 6 ? integer * 10 ** (6 - decimals) : Math.trunc(integer / 10 ** (decimals - 6));
}

/** Tag 1077 (fiscal sign) has 6 bytes; its last four, most significant first, are the number on paper. */
export function fiscalSignOf(value: Uint8Array): string {
  return fiscalSignText(integerOf(value.slice(-4).toReversed()));
}

export function fiscalSignText(sign: number): string {
  return String(sign).padStart(10, "0");
}

/** Tag 1012 (date and time): the local time in seconds since 1970. */
export function timeOf(value: Uint8Array): LocalTime | null {
  const date = new Date(integerOf(value) * 1000);
  return localTimeOf({
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  });
}
