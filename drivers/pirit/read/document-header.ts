/** The block of 78/11: a document as the drive archives it (reference, section 7). Its layout is the drive's own. */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { type LocalTime, localTimeOf } from "@fiscald/shared/local-time.js";
import { ByteReader } from "../../codec/byte-cursor.js";

export interface DocumentHeader {
  /** Form of the document as the block names it; null = it does not. */
  readonly form: number | null;
  readonly time: LocalTime | null;
  readonly fiscalSign: number;
  /** The fields after the sign. */
  readonly rest: Uint8Array;
}

const TIME_BYTES = 5;
const HEAD_BYTES = TIME_BYTES + 4 + 4;
const RECEIPT_BYTES = 1 + 5;

/**
 * The manual does not say whether the form of the document comes before its time: the place of the document's own
 * number decides. Null when it is in neither place.
 */
export function readHeader(block: Uint8Array, fd: number): DocumentHeader | null {
  for (const lead of [1, 0]) {
    if (block.length < lead + HEAD_BYTES) continue;
    const reader = new ByteReader(block);
    const form = lead === 0 ? null : reader.u8();
    const [year, month, day, hour, minute] = [reader.u8(), reader.u8(), reader.u8(), reader.u8(), reader.u8()];
    if (reader.u32() !== fd) continue;
    const time = localTimeOf({ year: 2000 + year, month, day, hour, minute });
    if (time === null) continue;
    return { form, time, fiscalSign: reader.u32(), rest: reader.rest() };
  }
  return null;
}

/** Tags 1054 and 1020 behind the sign of a receipt; null when they are not there. */
export function readReceiptPart(rest: Uint8Array): { readonly operation: number; readonly total: Kopecks } | null {
  if (rest.length < RECEIPT_BYTES) return null;
  const reader = new ByteReader(rest);
  return { operation: reader.u8(), total: kopecks(reader.uint(5)) };
}
