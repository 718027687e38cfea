/** FF0A: the fiscal drive's record of a document by its number (reference, section 8.9). */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { ByteReader } from "../../codec/byte-cursor.js";
import { typeOfForm } from "../../codec/document-tags.js";
import type { FiscalDocument } from "../../fiscal-driver.js";
import { fnDateTime } from "./dates.js";

export interface DocumentHeader {
  readonly type: FiscalDocument["type"];
  readonly fd: number;
  readonly fiscalSign: number;
  readonly time: LocalTime | null;
  /** 1 sale, 2 sale return, 3 and 4 buys; null for documents that are no receipts. */
  readonly operation: number | null;
  readonly total: Kopecks | null;
  /** Only shift documents name theirs. */
  readonly shift: number | null;
}

export function readDocumentHeader(reader: ByteReader): DocumentHeader {
  const type = typeOfForm(reader.u8());
  reader.skip(1);
  const time = fnDateTime(reader);
  const common = { type, time, fd: reader.u32(), fiscalSign: reader.u32() };
  switch (type) {
    case "receipt":
    case "correction":
      return {
        ...common,
        operation: reader.u8(),
        total: kopecks(reader.uint(Math.min(5, reader.remaining))),
        shift: null,
      };
    case "shift-open":
    case "shift-close":
      return { ...common, operation: null, total: null, shift: reader.u16() };
    default:
      return { ...common, operation: null, total: null, shift: null };
  }
}
