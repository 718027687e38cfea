/** Commands for printing only: cut, texts and bar codes. */
import { act, noFields, nothing, row } from "./command-rows.js";

/** Longest printed line. */
export const MAX_TEXT = 72;

export interface PrintedText {
  readonly text: string;
  /** Bits 0 to 3 font, 4 double height, 5 double width. */
  readonly attributes: number;
}

export interface Barcode {
  readonly textPlace: number;
  readonly width: number;
  readonly height: number;
  readonly type: number;
  readonly data: Uint8Array;
}

export const paperCommands = {
  cut: row({ ...act, name: "34 cut", code: "34", request: noFields, answer: nothing }),
  serviceText: row({
    ...act,
    name: "40 text",
    code: "40",
    request: (w, p: PrintedText) => w.text(p.text, MAX_TEXT).integer(p.attributes),
    answer: nothing,
  }),
  receiptText: row({
    ...act,
    name: "49 text",
    code: "49",
    request: (w, p: PrintedText) => w.integer(0).integer(p.attributes).text(p.text, MAX_TEXT),
    answer: nothing,
  }),
  barcode: row({
    ...act,
    name: "41 bar code",
    code: "41",
    request: (w, p: Barcode) => w.integer(p.textPlace).integer(p.width).integer(p.height).integer(p.type).raw(p.data),
    answer: nothing,
  }),
} as const;
