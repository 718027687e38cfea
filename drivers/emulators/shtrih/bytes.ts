import { type LocalTime, localTimeOf, partsOf } from "@fiscald/shared/local-time.js";
import iconv from "iconv-lite";

/** Reads the parameters of a command; a field beyond the end reads as zeros. */
export class Fields {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get left(): number {
    return Math.max(0, this.bytes.length - this.at);
  }

  integer(size: number): number {
    return this.take(size).reduceRight((value, byte) => value * 256 + byte, 0);
  }

  /** Null for all FF, which means "absent". */
  optionalMoney(): number | null {
    const bytes = this.take(5);
    return bytes.every((byte) => byte === 0xff) ? null : bytes.reduceRight((value, byte) => value * 256 + byte, 0);
  }

  take(size: number): Uint8Array {
    const part = this.bytes.subarray(this.at, this.at + size);
    this.at += size;
    return part;
  }

  rest(): Uint8Array {
    return this.take(this.left);
  }

  /** CP1251 up to a NUL. */
  text(size = this.left): string {
    return fromCp1251(this.take(size));
  }
}

export function fromCp1251(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return iconv.decode(Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)), "win1251");
}

export function cp1251(text: string): Uint8Array {
  return iconv.encode(text, "win1251");
}

export function integer(value: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0, rest = value; at < size; at++, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

/** CP1251, cut or filled with NUL to `size`. */
export function fixedText(text: string, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(cp1251(text).subarray(0, size));
  return bytes;
}

/** ASCII, filled with spaces. */
export function spacedText(text: string, size: number): Uint8Array {
  return cp1251(text.padEnd(size).slice(0, size));
}

export function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return Buffer.concat(parts.map((part) => Uint8Array.from(part)));
}

/** The drive's format: year-2000, month, day, hour, minute. */
export function driveDateTime(time: LocalTime | null): Uint8Array {
  if (time === null) return new Uint8Array(5);
  const { year, month, day, hour, minute } = partsOf(time);
  return Uint8Array.of(year - 2000, month, day, hour, minute);
}

/** The drive's format: year-2000, month, day. */
export function driveDate(time: LocalTime | null): Uint8Array {
  return driveDateTime(time).subarray(0, 3);
}

/** The register's format: day, month, year-2000. */
export function deviceDate(time: LocalTime): Uint8Array {
  const { year, month, day } = partsOf(time);
  return Uint8Array.of(day, month, year - 2000);
}

export function deviceTime(time: LocalTime): Uint8Array {
  const { hour, minute, second } = partsOf(time);
  return Uint8Array.of(hour, minute, second);
}

export function withTimeOfDay(base: LocalTime, [hour = 99, minute = 99, second = 99]: Uint8Array): LocalTime | null {
  return localTimeOf({ ...partsOf(base), hour, minute, second });
}

export function withDate(base: LocalTime, [day = 0, month = 0, year = 0]: Uint8Array): LocalTime | null {
  return localTimeOf({ ...partsOf(base), day, month, year: 2000 + year });
}
