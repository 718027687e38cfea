/** Commands that print (reference, section 7.4). */
import type { ByteWriter } from "../../codec/byte-cursor.js";
import { act, type Password, password, row } from "./command-row.js";

/** Receipt paper, no journal. */
const RECEIPT_TAPE = 0x02;
/** Bytes of a text of 12h. */
export const BOLD_LENGTH = 20;

export const paperCommands = {
  /** `text` of at most BOLD_LENGTH letters: a longer one would be cut. */
  printBold: row({
    ...act,
    name: "12 bold text",
    code: [0x12],
    request: (w, p: Password & { readonly text: string }) =>
      password(w, p).u8(RECEIPT_TAPE).fixedText(p.text, "cp1251", BOLD_LENGTH),
  }),
  printText: row({
    ...act,
    name: "2F text",
    code: [0x2f],
    request: (w, p: Password & { readonly font: number; readonly text: string }) =>
      password(w, p).u8(RECEIPT_TAPE).u8(p.font).text(p.text, "cp1251"),
  }),
  cut: row({
    ...act,
    name: "25 cut",
    code: [0x25],
    request: (w, p: Password & { readonly partial: boolean }) => password(w, p).u8(p.partial ? 1 : 0),
  }),
  printHeader: row({ ...act, name: "52 header", code: [0x52] }),
  printAdvert: row({ ...act, name: "54 advert", code: [0x54] }),
  printEan13: row({
    ...act,
    name: "C2 EAN-13",
    code: [0xc2],
    request: (w, p: Password & { readonly digits: number }) => password(w, p).uint(p.digits, 5),
  }),
  loadGraphicsLine: row({
    ...act,
    name: "C4 load graphics",
    code: [0xc4],
    repeatable: true,
    request: (w, p: Password & { readonly line: number; readonly dots: Uint8Array }) =>
      password(w, p).u16(p.line).raw(p.dots),
  }),
  printGraphics: row({
    ...act,
    name: "C3 print graphics",
    code: [0xc3],
    request: (w, p: Password & GraphicsFlags & { readonly first: number; readonly last: number }) =>
      graphicsFlags(password(w, p).u16(p.first).u16(p.last), p),
  }),
  printDotLine: row({
    ...act,
    name: "C5 dot line",
    code: [0xc5],
    request: (w, p: Password & GraphicsFlags & { readonly repeats: number; readonly dots: Uint8Array }) =>
      graphicsFlags(password(w, p).u16(p.repeats), p).raw(p.dots),
  }),
  loadData: row({
    ...act,
    name: "DD load data",
    code: [0xdd],
    repeatable: true,
    request: (w, p: Password & { readonly block: number; readonly data: Uint8Array }) =>
      password(w, p)
        .u8(0)
        .u8(p.block)
        .raw(p.data)
        .raw(new Array(64 - p.data.length).fill(0)),
  }),
  printQr: row({
    ...act,
    name: "DE QR code",
    code: [0xde],
    request: (w, p: Password & { readonly length: number; readonly dotSize: number; readonly alignment: number }) =>
      // Version and mask 0 and 8 = chosen by the register, correction level 1 = M.
      password(w, p).u8(3).u16(p.length).u8(0).raw([0, 8, p.dotSize, 0, 1]).u8(p.alignment),
  }),
  printCopy: row({ ...act, name: "8C copy", code: [0x8c] }),
  continuePrint: row({ ...act, name: "B0 continue print", code: [0xb0] }),
} as const;

/** Newer models expect a byte that names the tape. */
export interface GraphicsFlags {
  readonly withFlags: boolean;
}

function graphicsFlags(writer: ByteWriter, { withFlags }: GraphicsFlags): ByteWriter {
  return withFlags ? writer.u8(RECEIPT_TAPE) : writer;
}
