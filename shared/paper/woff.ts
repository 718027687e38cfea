import { inflateSync } from "node:zlib";
import { Fault } from "../fault.js";

const HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

interface TableEntry {
  /** Tag, checksum and original length stay as they are. */
  readonly tag: number;
  readonly checksum: number;
  readonly length: number;
  readonly data: Uint8Array;
}

/** The TrueType or OpenType font inside a WOFF 1.0 file (W3C REC-WOFF-20121213): its tables, unpacked. */
export function fontFromWoff(woff: Uint8Array): Uint8Array {
  const view = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  if (woff.byteLength < HEADER || view.getUint32(0) !== 0x774f4646) {
    throw new Fault("internal", { message: "not a WOFF font" });
  }
  const flavor = view.getUint32(4);
  const tables = readTables(woff, view);
  return assemble(flavor, tables);
}

function readTables(woff: Uint8Array, view: DataView): readonly TableEntry[] {
  return Array.from({ length: view.getUint16(12) }, (_, index) => {
    const at = HEADER + index * WOFF_ENTRY;
    const offset = view.getUint32(at + 4);
    const packedLength = view.getUint32(at + 8);
    const length = view.getUint32(at + 12);
    const packed = woff.subarray(offset, offset + packedLength);
    // A table that zlib would not shrink is stored plain.
    const data = packedLength < length ? inflateSync(packed, { maxOutputLength: length }) : packed;
    return { tag: view.getUint32(at), checksum: view.getUint32(at + 16), length, data };
  });
}

function assemble(flavor: number, tables: readonly TableEntry[]): Uint8Array {
  const bodyStart = SFNT_HEADER + tables.length * SFNT_ENTRY;
  const size = tables.reduce((sum, { length }) => sum + padded(length), bodyStart);
  const font = new Uint8Array(size);
  const view = new DataView(font.buffer);
  const powers = Math.floor(Math.log2(Math.max(1, tables.length)));
  view.setUint32(0, flavor);
  view.setUint16(4, tables.length);
  view.setUint16(6, 16 * 2 ** powers);
  view.setUint16(8, powers);
  view.setUint16(10, 16 * (tables.length - 2 ** powers));
  let offset = bodyStart;
  for (const [index, { tag, checksum, length, data }] of tables.entries()) {
    const at = SFNT_HEADER + index * SFNT_ENTRY;
    view.setUint32(at, tag);
    view.setUint32(at + 4, checksum);
    view.setUint32(at + 8, offset);
    view.setUint32(at + 12, length);
    font.set(data, offset);
    offset += padded(length);
  }
  return font;
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
