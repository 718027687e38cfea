import {
  type Kopecks,
  kopecks,
  parseQuantity,
  parseRoubles,
  type Quantity,
  quantity,
} from "@fiscald/shared/amounts.js";
import { type LocalTime, localTimeOf, partsOf } from "@fiscald/shared/local-time.js";
import iconv from "iconv-lite";

const FS = 0x1c;
const FIRST_BYTE = 0x20;
const LAST_BYTE = 0xf0;

/** The fields of one command in their order; a missing field reads as empty. */
export class Fields {
  private readonly pieces: readonly Uint8Array[];
  private at = 0;
  /** True: a field that was read has another type, or has a byte that no field may have. */
  malformed = false;

  constructor(bytes: Uint8Array) {
    const pieces: Uint8Array[] = [];
    let start = 0;
    for (let end = bytes.indexOf(FS); end >= 0; end = bytes.indexOf(FS, start)) {
      pieces.push(bytes.subarray(start, end));
      start = end + 1;
    }
    if (start < bytes.length) pieces.push(bytes.subarray(start));
    this.pieces = pieces;
    this.malformed = pieces.some((piece) => piece.some((byte) => byte < FIRST_BYTE || byte > LAST_BYTE));
  }

  raw(): Uint8Array {
    this.at += 1;
    return this.pieces[this.at - 1] ?? new Uint8Array();
  }

  skip(count: number): this {
    this.at += count;
    return this;
  }

  text(longest = Number.POSITIVE_INFINITY): string {
    const bytes = this.raw();
    if (bytes.length > longest) this.malformed = true;
    return iconv.decode(Buffer.from(bytes), "cp866");
  }

  /** Returns a code as hex. In the field `$` and two hex digits mean a byte below 20h. */
  code(longest: number): string {
    const text = Buffer.from(this.raw()).toString("latin1");
    const bytes = text.replace(/\$([0-9A-Fa-f]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (bytes.length > longest) this.malformed = true;
    return Buffer.from(bytes, "latin1").toString("hex");
  }

  integer(): number {
    const text = this.text();
    if (text === "") return 0;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    this.malformed = true;
    return 0;
  }

  money(): Kopecks {
    return this.real(parseRoubles, kopecks(0));
  }

  quantity(): Quantity {
    return this.real(parseQuantity, quantity(0));
  }

  /** Null, and `malformed`, when date and time are not real. */
  dateTime(): LocalTime | null {
    const [date, time] = [this.text(), this.text()];
    const [day, month, year] = pairs(date);
    const [hour, minute, second] = pairs(time);
    const found =
      /^\d{6}$/.test(date) && /^\d{6}$/.test(time)
        ? localTimeOf({ year: 2000 + year, month, day, hour, minute, second })
        : null;
    if (found === null) this.malformed = true;
    return found;
  }

  private real<Value>(parse: (text: string) => Value | null, empty: Value): Value {
    const text = this.text();
    if (text === "") return empty;
    const value = parse(text);
    if (value !== null) return value;
    this.malformed = true;
    return empty;
  }
}

function pairs(text: string): readonly [number, number, number] {
  return [Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4, 6))];
}

export function dateField(time: LocalTime): string {
  const { year, month, day } = partsOf(time);
  return two(day) + two(month) + two(year % 100);
}

export function timeField(time: LocalTime): string {
  const { hour, minute, second } = partsOf(time);
  return two(hour) + two(minute) + two(second);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

export function fieldBytes(fields: readonly string[]): Uint8Array {
  return iconv.encode(fields.map((field) => `${field}\u001c`).join(""), "cp866");
}

/** Tag 1209 (format). */
export const FFD_12 = 4;

export function dottedDate(date: string): string {
  return date.replace(/^(\d\d)(\d\d)(\d{4})$/, "$1.$2.$3");
}
