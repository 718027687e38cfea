import type { BarcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { wrapText } from "@fiscald/shared/paper/layout.js";
import { barcodeText } from "@fiscald/shared/receipt/barcode-data.js";
import type { Alignment, BarcodeLine } from "@fiscald/shared/receipt/receipt.js";
import { commands } from "../protocol/commands.js";
import { DotRow, offsetOf, registerDots } from "./compile-pictures.js";
import type { PaperContext } from "./steps.js";
import { type ShtrihStep, send } from "./steps.js";

const DOTS_PER_MM = 8;
const MAX_MODULE_DOTS = 3;
const QR_DOTS = 4;
const DATA_BLOCK = 64;
const QR_ALIGNMENT: Readonly<Record<Alignment, number>> = { left: 0, center: 1, right: 2 };

export function barcodeSteps(
  line: BarcodeLine,
  shape: BarcodeShape,
  name: string,
  context: PaperContext,
): readonly ShtrihStep[] | string {
  if (line.symbology === "qr") return qrSteps(line, name, context);
  return context.facts.parameters.graphicsLineBytes === null
    ? printedByRegister(line, name, context)
    : drawnByUs(line, shape, name, context);
}

/** C2h (bar code): the register draws an EAN-13 with its digits, centred, in its own height. */
function printedByRegister(line: BarcodeLine, name: string, { password }: PaperContext): readonly ShtrihStep[] {
  const digits = Number(line.data.slice(0, 12));
  return [send(name, commands.printEan13.encode({ password, digits }), { optional: true })];
}

/** C5h (repeated graphics line): one row of dots is repeated; height and position are the order's. */
function drawnByUs(
  line: BarcodeLine,
  shape: BarcodeShape,
  name: string,
  { facts, password }: PaperContext,
): readonly ShtrihStep[] | string {
  const moduleDots = Math.min(MAX_MODULE_DOTS, Math.floor(facts.printWidth / shape.width));
  if (moduleDots === 0) return `the code ${line.data} is wider than the paper: left out`;
  const row = new DotRow(facts.printWidth);
  const left = offsetOf(line.alignment, facts.printWidth, shape.width * moduleDots);
  for (const bar of shape.bars) row.fill(left + bar.x * moduleDots, bar.width * moduleDots);
  const dots = registerDots(row.bytes, facts);
  const repeats = Math.max(1, Math.round(line.heightMm * DOTS_PER_MM));
  const withFlags = facts.parameters.has("graphicsFlags");
  const steps = [send(name, commands.printDotLine.encode({ password, repeats, dots, withFlags }), { optional: true })];
  if (line.printText) {
    const columns = facts.fonts[0]?.columns ?? 1;
    const [text = ""] = wrapText(barcodeText(line), columns, { wrap: false, alignment: line.alignment });
    steps.push(send(`${name} text`, commands.printText.encode({ password, font: 1, text }), { optional: true }));
  }
  return steps;
}

function qrSteps(line: BarcodeLine, name: string, { password }: PaperContext): readonly ShtrihStep[] {
  const data = Buffer.from(line.data, "utf8");
  const options = { optional: true, group: name };
  const steps: ShtrihStep[] = [];
  for (let block = 0; block * DATA_BLOCK < data.length; block += 1) {
    const piece = Uint8Array.from(data.subarray(block * DATA_BLOCK, (block + 1) * DATA_BLOCK));
    steps.push(send(`${name} block ${block}`, commands.loadData.encode({ password, block, data: piece }), options));
  }
  const alignment = QR_ALIGNMENT[line.alignment];
  const request = commands.printQr.encode({ password, length: data.length, dotSize: QR_DOTS, alignment });
  return [...steps, send(name, request, options)];
}
