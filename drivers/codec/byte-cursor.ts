/** Reads and writes little-endian fields, as most registers' commands have them. */
import { Fault } from "@fiscald/shared/fault.js";
import { type CodePage, decodeField, encodeText } from "./code-pages.js";

/** Larger integers do not fit into a number exactly (2^53); no field of a register is that large. */
const MAX_INTEGER_BYTES = 6;

export class ByteReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get remaining(): number {
    return this.bytes.length - this.position;
  }

  /** Fault `link.corrupt` when the answer is too short. */
  take(count: number): Uint8Array {
    if (count > this.remaining) {
      throw new Fault("link.corrupt", {
        message: `the answer ends after ${this.bytes.length} bytes, ${this.position + count} expected`,
      });
    }
    this.position += count;
    return this.bytes.slice(this.position - count, this.position);
  }

  rest(): Uint8Array {
    return this.take(this.remaining);
  }

  skip(count: number): this {
    this.take(count);
    return this;
  }

  u8(): number {
    return this.uint(1);
  }
  u16(): number {
    return this.uint(2);
  }
  u32(): number {
    return this.uint(4);
  }

  uint(size: number): number {
    return integerOf(this.take(size));
  }

  text(size: number, page: CodePage): string {
    return decodeField(this.take(size), page);
  }
}

export class ByteWriter {
  private readonly bytes: number[] = [];

  u8(value: number): this {
    return this.uint(value, 1);
  }
  u16(value: number): this {
    return this.uint(value, 2);
  }
  u32(value: number): this {
    return this.uint(value, 4);
  }

  uint(value: number, size: number): this {
    if (!Number.isInteger(value) || value < 0 || value >= 256 ** size || size > MAX_INTEGER_BYTES) {
      throw new RangeError(`${value} does not fit ${size} bytes`);
    }
    for (let rest = value, count = 0; count < size; count += 1, rest = Math.floor(rest / 256)) {
      this.bytes.push(rest % 256);
    }
    return this;
  }

  raw(bytes: Iterable<number>): this {
    this.bytes.push(...bytes);
    return this;
  }

  text(text: string, page: CodePage, maxBytes = Number.POSITIVE_INFINITY): this {
    return this.raw(encodeText(text, page).slice(0, maxBytes));
  }

  fixedText(text: string, page: CodePage, size: number, padding = 0): this {
    const encoded = encodeText(text, page).slice(0, size);
    return this.raw(encoded).raw(new Array(size - encoded.length).fill(padding));
  }

  done(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}

/** Unsigned little-endian integer; no bytes give 0. RangeError above 2^53. */
export function integerOf(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes.toReversed()) value = value * 256 + byte;
  if (!Number.isSafeInteger(value)) throw new RangeError(`an integer of ${bytes.length} bytes is too large`);
  return value;
}
