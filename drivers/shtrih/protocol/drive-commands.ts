/** Commands of the fiscal drive (reference, sections 8.8 and 8.9). */
import type { ByteWriter } from "../../codec/byte-cursor.js";
import { act, nothing, type Password, password, read, row } from "./command-row.js";
import { fnDate, fnDateTime } from "./dates.js";
import { readDocumentHeader } from "./document-header.js";

export const driveCommands = {
  fnStatus: row({
    ...read,
    name: "FF01 drive status",
    code: [0xff, 0x01],
    request: password,
    answer: (r) => ({
      phase: r.u8(),
      currentDocument: r.u8(),
      hasDocumentData: r.u8() !== 0,
      shiftOpen: r.u8() !== 0,
      warnings: r.u8(),
      lastDocumentAt: fnDateTime(r),
      serial: r.text(16, "cp1251"),
      lastFd: r.u32(),
    }),
  }),
  fnExpiry: row({
    ...read,
    name: "FF03 drive expiry",
    code: [0xff, 0x03],
    request: password,
    answer: (r) => fnDate(r),
  }),
  cancelFnDocument: row({
    ...act,
    name: "FF08 cancel drive document",
    code: [0xff, 0x08],
    repeatable: true,
    request: password,
    answer: nothing,
  }),
  lastRegistration: row({
    ...read,
    name: "FF09 last registration",
    code: [0xff, 0x09],
    request: password,
    answer: (r) => ({
      at: fnDateTime(r),
      inn: r.text(12, "cp1251"),
      kkm: r.text(20, "cp1251"),
      taxSystems: r.u8(),
      mode: r.u8(),
    }),
  }),
  findDocument: row({
    ...read,
    name: "FF0A find document",
    code: [0xff, 0x0a],
    request: documentRequest,
    answer: readDocumentHeader,
  }),
  beginReadDocument: row({
    ...read,
    name: "FF3A read document",
    code: [0xff, 0x3a],
    request: documentRequest,
    answer: (r) => ({ type: r.u16(), length: r.u16() }),
  }),
  /** Each call returns the next piece: the link never sends it twice. */
  readDocumentPiece: row({
    ...act,
    name: "FF3B document piece",
    code: [0xff, 0x3b],
    request: password,
    answer: (r) => r.rest(),
  }),
  ofdStatus: row({
    ...read,
    name: "FF39 OFD exchange",
    code: [0xff, 0x39],
    request: password,
    answer: (r) => {
      r.skip(2);
      return { count: r.u16(), firstFd: r.u32(), firstAt: fnDateTime(r) };
    },
  }),
  freeMemory: row({
    ...read,
    name: "FF63 free memory",
    code: [0xff, 0x63],
    request: password,
    answer: (r) => ({ documentsLeft: r.u32() }),
  }),
} as const;

function documentRequest(w: ByteWriter, p: Password & { readonly fd: number }): ByteWriter {
  return password(w, p).u32(p.fd);
}
