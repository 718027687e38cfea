/** Commands that print (Shtrih-M protocol, 7.4). */
import type { ByteWriter } from "../../codec/byte-cursor.js";
import { order, type Password, password } from "./command-row.js";

/** Flag for the receipt paper without the journal. */
const RECEIPT_TAPE = 0x02;
export const BOLD_LENGTH = 20;

export const paperCommands = {
  printBold: order("12 bold text", (w, p: Password & { readonly text: string }) =>
    password(w, p).u8(RECEIPT_TAPE).fixedText(p.text, "cp1251", BOLD_LENGTH),
  ),
  printText: order("2F text", (w, p: Password & { readonly font: number; readonly text: string }) =>
    password(w, p).u8(RECEIPT_TAPE).u8(p.font).text(p.text, "cp1251"),
  ),
  cut: order("25 cut", (w, p: Password & { readonly partial: boolean }) => password(w, p).u8(p.partial ? 1 : 0)),
  printHeader: order("52 header", password),
  printAdvert: order("54 advert", password),
  printEan13: order("C2 EAN-13", (w, p: Password & { readonly digits: number }) => password(w, p).uint(p.digits, 5)),
  loadGraphicsLine: order(
    "C4 load graphics",
    (w, p: Password & { readonly line: number; readonly dots: Uint8Array }) => password(w, p).u16(p.line).raw(p.dots),
    { repeatable: true },
  ),
  printGraphics: order(
    "C3 print graphics",
    (w, p: Password & GraphicsFlags & { readonly first: number; readonly last: number }) =>
      graphicsFlags(password(w, p).u16(p.first).u16(p.last), p),
  ),
  printDotLine: order(
    "C5 dot line",
    (w, p: Password & GraphicsFlags & { readonly repeats: number; readonly dots: Uint8Array }) =>
      graphicsFlags(password(w, p).u16(p.repeats), p).raw(p.dots),
  ),
  loadData: order(
    "DD load data",
    (w, p: Password & { readonly block: number; readonly data: Uint8Array }) =>
      password(w, p)
        .u8(0)
        .u8(p.block)
        .raw(p.data)
        .raw(new Array(64 - p.data.length).fill(0)),
    { repeatable: true },
  ),
  printQr: order(
    "DE QR code",
    (w, p: Password & { readonly length: number; readonly dotSize: number; readonly alignment: number }) =>
      // Version and mask 0 and 8 = chosen by the register, correction level 1 = M.
      password(w, p).u8(3).u16(p.length).u8(0).raw([0, 8, p.dotSize, 0, 1]).u8(p.alignment),
  ),
  printCopy: order("8C copy", password),
  continuePrint: order("B0 continue print", password),
} as const;

/** A byte that names the tape, which newer models expect. */
export interface GraphicsFlags {
  readonly withFlags: boolean;
}

function graphicsFlags(writer: ByteWriter, { withFlags }: GraphicsFlags): ByteWriter {
  return withFlags ? writer.u8(RECEIPT_TAPE) : writer;
}
