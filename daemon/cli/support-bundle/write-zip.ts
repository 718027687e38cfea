import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  /** With `/` between folders. */
  readonly name: string;
  readonly data: Uint8Array | string;
}

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const endOfCentral = 0x06054b50;
const deflated = 8;
const utf8Names = 0x0800;
/** 2.0: deflate and folders. */
const versionNeeded = 20;
/** An ordinary file of its owner alone, for those who unpack it on Unix. */
const madeOnUnix = (3 << 8) | versionNeeded;
const ownerOnly = 0o100600 * 0x10000;

/** A zip file (APPNOTE 6.3, without zip64: less than 4 GB and 65536 entries) as one buffer. `at` is the time of all entries. */
export function writeZip(entries: readonly ZipEntry[], at: Date): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, data } of entries) {
    const nameBytes = Buffer.from(name, "utf8");
    const plain = Buffer.from(data);
    const packed = deflateRawSync(plain);
    const facts = factsOf(plain, packed, nameBytes.length, at);
    const local = Buffer.concat([uint32(localHeader), facts, nameBytes, packed]);
    const central = [
      uint32(centralHeader),
      uint16(madeOnUnix),
      facts,
      Buffer.alloc(6),
      uint32(ownerOnly),
      uint32(offset),
    ];
    centrals.push(...central, nameBytes);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const counts = [uint16(0), uint16(0), uint16(entries.length), uint16(entries.length)];
  const end = [uint32(endOfCentral), ...counts, uint32(directory.length), uint32(offset), uint16(0)];
  return Buffer.concat([...locals, directory, ...end]);
}

/** What both headers of an entry have in common, from "version needed" to the length of the extra field. */
function factsOf(plain: Buffer, packed: Buffer, nameLength: number, at: Date): Buffer {
  const { time, day } = dosTime(at);
  return Buffer.concat([
    ...[versionNeeded, utf8Names, deflated, time, day].map(uint16),
    ...[crc32(plain), packed.length, plain.length].map(uint32),
    ...[nameLength, 0].map(uint16),
  ]);
}

/** Local time in steps of two seconds, years from 1980. */
function dosTime(at: Date): { readonly time: number; readonly day: number } {
  return {
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
    day: (Math.max(0, at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
  };
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
