/** Fields of requests and answers (PIRIT protocol, 3): text in CP866, each field followed by its separator. */
import { formatQuantity, formatRoubles, type Kopecks, parseRoubles, type Quantity } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type LocalTime, localTimeOf, partsOf } from "@fiscald/shared/local-time.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { decodeText, encodeText } from "../../codec/code-pages.js";
import type { PiritOptions } from "../options.js";

const FS = 0x1c;
const FIRST_BYTE = 0x20;
const LAST_BYTE = 0xf0;
const DOLLAR = 0x24;

/** A field may have no byte above EFh: instead of the letters that CP866 has there these are sent. */
const similarLetters: Readonly<Record<string, string>> = {
  ё: "е",
  Є: "Е",
  є: "е",
  Ї: "I",
  ї: "i",
  Ў: "У",
  ў: "у",
  "°": "o",
  "∙": "*",
  "·": ".",
  "√": "V",
  "№": "N",
  "¤": "?",
  "■": "#",
};

export function spell(text: string): string {
  return decodeText(textBytes(text), "cp866");
}

function textBytes(text: string): Uint8Array {
  const plain = Array.from(text.normalize("NFC"), (character) => similarLetters[character] ?? character).join("");
  return encodeText(plain, "cp866").map((byte) => {
    if (byte < FIRST_BYTE) return FIRST_BYTE;
    return byte > LAST_BYTE ? 0x3f : byte;
  });
}

/**
 * Goods and marking codes in a field: bytes below 20h as `$` and two hex digits (PIRIT protocol, 2). Fault
 * `receipt.unsupported` for a byte that no field can have.
 */
export function codeField(base64: string, { dollarInCodes }: Pick<PiritOptions, "dollarInCodes">): Uint8Array {
  const bytes = [...Buffer.from(base64, "base64")];
  if (bytes.some((byte) => byte > LAST_BYTE)) throw new Fault("receipt.unsupported", { message: unfitTexts.codeBytes });
  if (dollarInCodes === "refuse" && bytes.includes(DOLLAR)) {
    throw new Fault("receipt.unsupported", { message: unfitTexts.codeDollar });
  }
  const escapes = (byte: number) => byte < FIRST_BYTE || (byte === DOLLAR && dollarInCodes === "escaped");
  return Uint8Array.from(bytes.flatMap((byte) => (escapes(byte) ? escaped(byte) : [byte])));
}

function escaped(byte: number): readonly number[] {
  return [...Buffer.from(`$${byte.toString(16).toUpperCase().padStart(2, "0")}`, "latin1")];
}

export class FieldWriter {
  private readonly bytes: number[] = [];

  text(text: string, longest = Number.POSITIVE_INFINITY): this {
    return this.raw(textBytes(text).slice(0, longest));
  }

  raw(bytes: Uint8Array): this {
    this.bytes.push(...bytes, FS);
    return this;
  }

  integer(value: number): this {
    return this.text(String(value));
  }

  money(value: Kopecks): this {
    return this.text(formatRoubles(value));
  }

  quantity(value: Quantity): this {
    return this.text(formatQuantity(value));
  }

  dateTime(time: LocalTime): this {
    const { year, month, day, hour, minute, second } = partsOf(time);
    return this.text([day, month, year % 100].map(two).join("")).text([hour, minute, second].map(two).join(""));
  }

  empty(count = 1): this {
    for (let number = 0; number < count; number += 1) this.bytes.push(FS);
    return this;
  }

  done(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}

/** Fault `link.corrupt` for a field of the wrong type. */
export class FieldReader {
  private readonly fields: readonly Uint8Array[];
  private at = 0;

  constructor(bytes: Uint8Array) {
    const fields: Uint8Array[] = [];
    let start = 0;
    for (let end = bytes.indexOf(FS); end >= 0; end = bytes.indexOf(FS, start)) {
      fields.push(bytes.slice(start, end));
      start = end + 1;
    }
    if (start < bytes.length) fields.push(bytes.slice(start));
    this.fields = fields;
  }

  get left(): number {
    return this.fields.length - this.at;
  }

  skip(count: number): this {
    this.at += count;
    return this;
  }

  text(): string {
    const field = this.fields[this.at];
    if (field === undefined) throw corrupt(`the answer has ${this.fields.length} fields, more were expected`);
    this.at += 1;
    return decodeText(field, "cp866").trimEnd();
  }

  integer(): number {
    const text = this.text();
    if (text === "") return 0;
    if (/^-?\d{1,15}$/.test(text)) return Number(text);
    throw corrupt(`"${text}" is no integer`);
  }

  money(): Kopecks {
    const text = this.text();
    const value = parseRoubles(text === "" ? "0" : text);
    if (value === null) throw corrupt(`"${text}" is no sum`);
    return value;
  }

  hex(): Uint8Array {
    const text = this.text();
    if (!/^([0-9A-Fa-f]{2})*$/.test(text)) throw corrupt("a block of data is no hex");
    return Uint8Array.from(Buffer.from(text, "hex"));
  }

  /** Null when the fields are empty or zeros; the date has six or eight digits. */
  dateTime(): LocalTime | null {
    return dateTimeOf(this.text(), this.text());
  }

  date(): LocalTime | null {
    return dateTimeOf(this.text(), "000000");
  }
}

function dateTimeOf(date: string, time: string): LocalTime | null {
  const day = /^(\d\d)(\d\d)(?:20)?(\d\d)$/.exec(date);
  const clock = /^(\d\d)(\d\d)(\d\d)$/.exec(time);
  if (day === null || clock === null) return null;
  const [, dayOfMonth, month, year] = day.map(Number);
  const [, hour, minute, second] = clock.map(Number);
  if (dayOfMonth === undefined || month === undefined || year === undefined) return null;
  if (hour === undefined || minute === undefined || second === undefined) return null;
  return localTimeOf({ year: 2000 + year, month, day: dayOfMonth, hour, minute, second });
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function corrupt(message: string): Fault {
  return new Fault("link.corrupt", { message });
}
