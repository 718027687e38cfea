/** Commands of the fiscal drive (Shtrih-M protocol, 8.8 and 8.9). */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { type LocalTime, localTimeOf } from "@fiscald/shared/local-time.js";
import { type ByteReader, type ByteWriter, integerOf } from "../../codec/byte-cursor.js";
import { operationOf, readTags, typeOfForm } from "../../codec/document-tags.js";
import { decodeTlvs, tagOf } from "../../codec/tlv.js";
import type { FiscalDocument } from "../../fiscal-document.js";
import { order, type Password, password, question, row } from "./command-row.js";

const LAST_REPORT = 0;
const FORMAT_TAG = 1209;

/** The answer to FF0Ah (find document): the drive's record of a document. */
export interface DocumentHeader {
  readonly type: FiscalDocument["type"];
  readonly fd: number;
  readonly fiscalSign: number;
  readonly time: LocalTime | null;
  readonly operation: FiscalDocument["operation"];
  readonly total: Kopecks | null;
  /** Null for all but shift documents, which alone have the number. */
  readonly shift: number | null;
}

export const driveCommands = {
  fnStatus: question("FF01 drive status", password, (r) => ({
    phase: r.u8(),
    currentDocument: r.u8(),
    warnings: r.skip(2).u8(),
    serial: r.skip(5).text(16, "cp1251"),
    lastFd: r.u32(),
  })),
  fnExpiry: question("FF03 drive expiry", password, (r) => localTimeOf({ ...readYmd(r), hour: 0, minute: 0 })),
  cancelFnDocument: order("FF08 cancel drive document", password, { repeatable: true }),
  lastRegistration: question("FF09 last registration", password, (r) => ({
    inn: r.skip(5).text(12, "cp1251"),
    kkm: r.text(20, "cp1251"),
    taxSystems: r.u8(),
  })),
  /** Tag 1209 of the last report of registration: the drive's format. Null: the answer lacks it. */
  registeredFormat: question(
    "FF60 registration tag",
    (w: ByteWriter, p: Password) => password(w, p).u8(LAST_REPORT).u16(FORMAT_TAG),
    (r) => {
      const bytes = r.rest();
      return readTags(() => tagOf(decodeTlvs(bytes), FORMAT_TAG, integerOf));
    },
  ),
  findDocument: question("FF0A find document", documentRequest, readDocumentHeader),
  beginReadDocument: question("FF3A read document", documentRequest, (r) => ({ length: r.skip(2).u16() })),
  /** Each call returns the next piece, so the link never sends it twice. */
  readDocumentPiece: row("FF3B document piece", password, (r) => r.rest()),
  ofdStatus: question("FF39 OFD exchange", password, (r) => ({
    count: r.skip(2).u16(),
    firstFd: r.u32(),
    firstAt: fnDateTime(r),
  })),
  freeMemory: question("FF63 free memory", password, (r) => ({ documentsLeft: r.u32() })),
} as const;

function documentRequest(w: ByteWriter, p: Password & { readonly fd: number }): ByteWriter {
  return password(w, p).u32(p.fd);
}

function readDocumentHeader(reader: ByteReader): DocumentHeader {
  const type = typeOfForm(reader.u8());
  reader.skip(1);
  const time = fnDateTime(reader);
  const common = { type, time, fd: reader.u32(), fiscalSign: reader.u32() };
  switch (type) {
    case "receipt":
    case "correction":
      return {
        ...common,
        operation: operationOf(reader.u8()),
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

/** To the minute; null when all bytes are zero. */
function fnDateTime(reader: ByteReader): LocalTime | null {
  const day = readYmd(reader);
  return localTimeOf({ ...day, hour: reader.u8(), minute: reader.u8() });
}

function readYmd(reader: ByteReader) {
  return { year: 2000 + reader.u8(), month: reader.u8(), day: reader.u8() };
}
