/** Bar codes and pictures as steps (reference, section 7.4). */
import { Fault } from "@fiscald/shared/fault.js";
import { type BarcodeShape, barcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { wrapText } from "@fiscald/shared/paper/layout.js";
import type { Alignment, BarcodeLine, ImageLine } from "@fiscald/shared/receipt/receipt.js";
import type { Bitmap } from "../fiscal-driver.js";
import { commands } from "./commands.js";
import type { PaperContext, PaperSteps } from "./compile-paper.js";
import { GRAPHICS_LINE_BYTES } from "./models.js";
import type { RegisterFacts } from "./register-facts.js";
import { type ShtrihStep, send } from "./steps.js";

const DOTS_PER_MM = 8;
const MAX_MODULE_DOTS = 3;
const QR_DOTS = 4;
const DATA_BLOCK = 64;
const QR_ALIGNMENT: Readonly<Record<Alignment, number>> = { left: 0, center: 1, right: 2 };

/** Fault `receipt.barcode` when the data does not fit the symbology. */
export function barcodeSteps(line: BarcodeLine, name: string, context: PaperContext): PaperSteps {
  const shape = barcodeShape(line);
  const badEan = line.symbology === "ean13" && !/^\d{12,13}$/.test(line.data);
  if (shape === null || badEan) {
    throw new Fault("receipt.barcode", { message: `${line.symbology} cannot carry "${line.data}"` });
  }
  if (context.capabilities.paper?.barcodes.includes(line.symbology) !== true) {
    return { steps: [], warnings: [`the register has no ${line.symbology} bar code: left out`] };
  }
  if (line.symbology === "qr") return qrSteps(line, name, context);
  return context.facts.parameters.graphicsLineBytes === null
    ? printedByRegister(line, name, context)
    : drawnByUs(line, shape, name, context);
}

/** C2h draws an EAN-13 with its digits by itself, centred, of its own height. */
function printedByRegister(line: BarcodeLine, name: string, { password }: PaperContext): PaperSteps {
  const digits = Number(line.data.slice(0, 12));
  return { steps: [send(name, commands.printEan13.encode({ password, digits }), { optional: true })], warnings: [] };
}

/** One row of dots, repeated: height and place as the order wants them. */
function drawnByUs(
  line: BarcodeLine,
  shape: BarcodeShape,
  name: string,
  { facts, password }: PaperContext,
): PaperSteps {
  const moduleDots = Math.min(MAX_MODULE_DOTS, Math.floor(facts.printWidth / shape.width));
  if (moduleDots === 0) return { steps: [], warnings: [`the code ${line.data} is wider than the paper: left out`] };
  const row = new DotRow(facts.printWidth);
  const left = offsetOf(line.alignment, facts.printWidth, shape.width * moduleDots);
  for (const bar of shape.bars) row.fill(left + bar.x * moduleDots, bar.width * moduleDots);
  const dots = registerDots(row.bytes, facts);
  const repeats = Math.max(1, Math.round(line.heightMm * DOTS_PER_MM));
  const withFlags = facts.parameters.has("graphicsFlags");
  const steps = [send(name, commands.printDotLine.encode({ password, repeats, dots, withFlags }), { optional: true })];
  if (line.printText) {
    const columns = facts.fonts[0]?.columns ?? 1;
    const [text = ""] = wrapText(line.data, columns, { wrap: false, alignment: line.alignment });
    steps.push(send(`${name} text`, commands.printText.encode({ password, font: 1, text }), { optional: true }));
  }
  return { steps, warnings: [] };
}

function qrSteps(line: BarcodeLine, name: string, { password }: PaperContext): PaperSteps {
  const data = Buffer.from(line.data, "utf8");
  const options = { optional: true, group: name };
  const steps: ShtrihStep[] = [];
  for (let block = 0; block * DATA_BLOCK < data.length; block += 1) {
    const piece = Uint8Array.from(data.subarray(block * DATA_BLOCK, (block + 1) * DATA_BLOCK));
    steps.push(send(`${name} block ${block}`, commands.loadData.encode({ password, block, data: piece }), options));
  }
  const alignment = QR_ALIGNMENT[line.alignment];
  const request = commands.printQr.encode({ password, length: data.length, dotSize: QR_DOTS, alignment });
  return { steps: [...steps, send(name, request, options)], warnings: [] };
}

export function imageSteps(line: ImageLine, name: string, context: PaperContext): PaperSteps {
  const { facts, capabilities, images, password } = context;
  const bitmap = images.get(line.source);
  const limit = capabilities.paper?.image ?? null;
  if (limit === null) return { steps: [], warnings: ["the register prints no pictures: left out"] };
  if (bitmap === undefined) return { steps: [], warnings: [`the picture ${line.source} is not there: left out`] };
  if (bitmap.width > limit.maxWidth || bitmap.height > limit.maxHeight) {
    return { steps: [], warnings: [`the picture ${line.source} is too large for the register: left out`] };
  }
  const options = { optional: true, group: name };
  const steps = pictureRows(bitmap, line.alignment).map((row, index) => {
    const request = commands.loadGraphicsLine.encode({ password, line: index + 1, dots: registerDots(row, facts) });
    return send(`${name} line ${index + 1}`, request, options);
  });
  const withFlags = facts.parameters.has("graphicsFlags");
  const print = commands.printGraphics.encode({ password, first: 1, last: bitmap.height, withFlags });
  return { steps: [...steps, send(name, print, options)], warnings: [] };
}

function pictureRows(bitmap: Bitmap, alignment: Alignment): readonly Uint8Array[] {
  const width = GRAPHICS_LINE_BYTES * 8;
  const left = offsetOf(alignment, width, bitmap.width);
  const stride = Math.ceil(bitmap.width / 8);
  return Array.from({ length: bitmap.height }, (_, y) => {
    const row = new DotRow(width);
    for (let x = 0; x < bitmap.width; x += 1) {
      const byte = bitmap.rows[y * stride + (x >> 3)] ?? 0;
      if ((byte & (0x80 >> (x & 7))) !== 0) row.fill(left + x, 1);
    }
    return row.bytes;
  });
}

/** One row of dots, most significant bit first. */
class DotRow {
  readonly bytes: Uint8Array;

  constructor(width: number) {
    this.bytes = new Uint8Array(Math.ceil(width / 8));
  }

  fill(start: number, count: number): void {
    for (let x = start; x < start + count; x += 1) {
      this.bytes[x >> 3] = (this.bytes[x >> 3] ?? 0) | (0x80 >> (x & 7));
    }
  }
}

function offsetOf(alignment: Alignment, paper: number, width: number): number {
  const free = Math.max(0, paper - width);
  return alignment === "left" ? 0 : alignment === "right" ? free : Math.floor(free / 2);
}

/** Models with the flag of F7 want each byte's bits the other way round. */
function registerDots(dots: Uint8Array, { parameters }: RegisterFacts): Uint8Array {
  return parameters.has("swapGraphicsBits") ? dots.map(reverseBits) : dots;
}

function reverseBits(byte: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit += 1) if ((byte & (1 << bit)) !== 0) reversed |= 0x80 >> bit;
  return reversed;
}
