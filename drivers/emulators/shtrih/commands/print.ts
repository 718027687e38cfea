/** Commands for text, graphics, bar codes and the cutter. Lines inside a receipt are printed with the receipt. */
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { plainStyle } from "@fiscald/shared/receipt/receipt.js";
import { centredRow, textRow } from "../../paper/tape.js";
import { integer } from "../bytes.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok, outcomeOf } from "../command-table.js";
import type { ShtrihDevice } from "../device.js";

/** Bit 1 of the flags byte: print on the receipt roll. */
const RECEIPT_ROLL = 2;
const printing = { password: "op", operatorByte: true, paper: "print", ms: 20 } as const;
const loading = { password: "op", operatorByte: true, modes: [2, 3, 4, 8] } as const;

export const printCommands: readonly CommandRow[] = [
  { ...printing, code: 0x12, name: "text", min: 21, max: 21, run: (context) => printText(context, 2) },
  { ...printing, code: 0x2f, name: "text", min: 2, run: (context) => printText(context, null) },
  {
    ...printing,
    code: 0x25,
    name: "cut",
    min: 1,
    modes: [2, 3, 4, 6],
    run: ({ device }) => printRows(device, [{ type: "cut" }]),
  },
  { ...printing, code: 0x52, name: "header", run: ({ device }) => printTableText(device, 4, 14) },
  { ...printing, code: 0x54, name: "advert", run: ({ device }) => printTableText(device, 1, 3) },
  { ...loading, code: 0xc4, name: "load-graphics", min: 3, run: loadLines },
  { ...loading, ...printing, code: 0xc3, name: "print-graphics", min: 4, run: printGraphics },
  { ...loading, ...printing, code: 0xc5, name: "print-graphics", min: 3, run: printRepeatedLine },
  {
    ...loading,
    ...printing,
    code: 0xc2,
    name: "barcode",
    min: 5,
    run: ({ device, fields }) =>
      printRows(device, [barcode("ean13", String(fields.integer(5)).padStart(12, "0"), 10, true)]),
  },
  {
    ...loading,
    code: 0xdd,
    name: "load-data",
    min: 66,
    run: ({ device, fields }) => {
      const type = fields.integer(1);
      const block = fields.integer(1);
      if (type !== 0 || block > 127) return fail(0x33);
      device.data.set(fields.take(64), block * 64);
      return ok();
    },
  },
  { ...printing, code: 0xde, name: "qr", min: 10, run: printDataCode },
  {
    ...printing,
    code: 0x8c,
    name: "copy",
    modes: [2, 3],
    run: ({ device }) => {
      const document = device.core.find(device.lastReceiptFd);
      return document === null ? fail(0x56) : outcomeOf(device.core.printCopy(document));
    },
  },
  {
    code: 0xb0,
    name: "continue-print",
    password: "op",
    operatorByte: true,
    run: ({ device }) => outcomeOf(device.core.continuePrint()),
  },
];

function printRows(device: ShtrihDevice, rows: readonly PaperRow[]): Outcome {
  device.core.printRows(rows);
  return ok();
}

/** `ownFont` null: the command names its font. Fonts differ in their size only. */
function printText({ device, fields }: CommandContext, ownFont: number | null): Outcome {
  const flags = fields.integer(1);
  const font = device.model.fonts[(ownFont ?? fields.integer(1)) - 1];
  const text = fields.text();
  const [base] = device.model.fonts;
  if (font === undefined || base === undefined) return fail(0x33);
  if ((flags & RECEIPT_ROLL) === 0) return ok();
  const doubleWidth = font.width >= 2 * base.width;
  const columns = Math.floor(device.model.printWidthDots / (doubleWidth ? base.width : font.width));
  const style = { bold: font.bold === true, doubleWidth, doubleHeight: font.height >= 2 * base.height };
  const visible = doubleWidth ? [...text].slice(0, Math.floor(columns / 2)).join("") : text;
  return printRows(device, [textRow(visible, columns, style)]);
}

function printTableText(device: ShtrihDevice, first: number, last: number): Outcome {
  const texts = Array.from({ length: last - first + 1 }, (_, index) => device.textField(4, first + index, 1));
  return printRows(
    device,
    texts.filter((text) => text !== "").map((text) => centredRow(text, device.core.tape.columns)),
  );
}

/** Loads one line of graphics as wide as the printer's, or several lines of 40 bytes. */
function loadLines({ device, fields }: CommandContext): Outcome {
  const first = fields.integer(2);
  const data = fields.rest();
  const width = data.length === device.model.graphicsBytes ? data.length : 40;
  if (data.length % width !== 0) return fail(0x7e);
  for (let at = 0; at < data.length; at += width) {
    device.graphics.set(first + at / width, Uint8Array.from(data.subarray(at, at + width)));
  }
  return ok();
}

function printGraphics({ device, fields }: CommandContext): Outcome {
  const [first, last] = [fields.integer(2), fields.integer(2)];
  if (last < first) return fail(0x33);
  const lines = Array.from(
    { length: last - first + 1 },
    (_, index) => device.graphics.get(first + index) ?? new Uint8Array(40),
  );
  return printRows(device, [bitmap(device, lines)]);
}

/** C5h: prints one line of graphics repeatedly; linear bar codes are drawn in this way. */
function printRepeatedLine({ device, fields }: CommandContext): Outcome {
  const repeats = fields.integer(2);
  // F7h bit 37: a flags byte precedes the picture.
  if (device.hasFlag(37)) fields.integer(1);
  const line = fields.rest();
  return printRows(device, [
    bitmap(
      device,
      Array.from({ length: repeats }, () => line),
    ),
  ]);
}

function bitmap(device: ShtrihDevice, lines: readonly Uint8Array[]): PaperRow {
  const width = Math.max(...lines.map((line) => line.length), 1);
  const rows = new Uint8Array(width * lines.length);
  // F7h bit 26: the dot on the left is the lowest bit of its byte.
  const turned = device.hasFlag(26);
  for (const [index, line] of lines.entries()) rows.set(turned ? line.map(mirrored) : line, index * width);
  return { type: "image", alignment: "left", bitmap: { width: width * 8, height: lines.length, rows } };
}

function mirrored(byte: number): number {
  return Number.parseInt([...byte.toString(2).padStart(8, "0")].reverse().join(""), 2);
}

/** DEh (data code): type 3 = QR; the answer has the printed size. */
function printDataCode({ device, fields }: CommandContext): Outcome {
  const type = fields.integer(1);
  const length = fields.integer(2);
  const firstBlock = fields.integer(1);
  if (type !== 3) return fail(0x33);
  const start = firstBlock * 64;
  const data = new TextDecoder().decode(device.data.subarray(start, start + length));
  if (data === "") return fail(0xd1);
  device.core.printRows([barcode("qr", data, 25, false)]);
  return ok(integer(200, 2), integer(200, 2), new Uint8Array(5));
}

function barcode(symbology: "ean13" | "qr", data: string, heightMm: number, printText: boolean): PaperRow {
  return { type: "barcode", symbology, data, heightMm, printText, alignment: plainStyle.alignment };
}
