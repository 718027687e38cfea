/** Paper lines as items of a task; a line that the register cannot print is left out with a warning. */
import { barcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { layoutTexts, rowText, type TextRow } from "@fiscald/shared/paper/layout.js";
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type { Alignment, BarcodeLine, ImageLine, PaperLine, TextLine } from "@fiscald/shared/receipt/receipt.js";
import {
  budgetSpent,
  compilePaper,
  type DrawingBudget,
  looksOf,
  misfit,
  type PaperPart,
  printedPlain,
} from "../../compile/paper-parts.js";
import type { Bitmap, Capabilities } from "../../fiscal-driver.js";
import type { PaperItem } from "../protocol/tasks.js";

export interface PaperSetup {
  readonly capabilities: Capabilities;
  readonly images: ReadonlyMap<string, Bitmap>;
  readonly paintText: PaintText | null;
  /** What the present document may still draw. */
  readonly drawing: DrawingBudget;
}

const DOTS_PER_MM = 8;
const barcodeWords = { ean13: "EAN13", code39: "CODE39", qr: "QR" } as const;

/** Paper items of a document. `layoutTexts` sees to width, wrapping and alignment. */
export function paperItems(lines: readonly PaperLine[], setup: PaperSetup): PaperPart<PaperItem> {
  const columns = () => setup.capabilities.paper?.columns[0] ?? 1;
  return compilePaper(lines, "", {
    texts(texts) {
      const rows = layoutTexts(texts, columns).map((row) => rowItem(row, setup));
      return { steps: rows.flatMap(({ steps }) => steps), warnings: rows.flatMap(({ warnings }) => warnings) };
    },
    other: (line) => otherItem(line, setup),
  });
}

/** One row: as a text where the register's fonts do it all, drawn where it prints pictures, else plain. */
function rowItem(row: TextRow, { capabilities, paintText, drawing }: PaperSetup): PaperPart<PaperItem> {
  const doubleHeight = row.spans.length > 0 && row.spans.every(({ style }) => style.doubleHeight);
  const missing = new Set(row.spans.flatMap(({ style }) => looksOf({ ...style, doubleHeight: false })));
  if (!doubleHeight && row.spans.some(({ style }) => style.doubleHeight)) missing.add("doubleHeight");
  const dots = capabilities.paper?.image?.maxWidth ?? 0;
  const plain: PaperItem = { type: "text", text: rowText(row), alignment: "left", wrap: "none", doubleHeight };
  if (missing.size === 0) return printed(plain);
  if (dots === 0 || capabilities.paper?.drawsText !== true || paintText === null) {
    return { steps: [plain], warnings: printedPlain(missing) };
  }
  return drawing.take(1)
    ? printed(pixels(paintText([row], dots), "left"))
    : { steps: [plain], warnings: [budgetSpent] };
}

function printed(item: PaperItem): PaperPart<PaperItem> {
  return { steps: [item], warnings: [] };
}

function leftOut(why: string): PaperPart<PaperItem> {
  return { steps: [], warnings: [`${why}: left out`] };
}

function otherItem(line: Exclude<PaperLine, TextLine>, setup: PaperSetup): PaperPart<PaperItem> {
  switch (line.type) {
    case "barcode":
      return barcodeItem(line);
    case "image":
      return imageItem(line, setup);
    case "header":
      return leftOut("the register prints its header by itself");
    case "cut":
      return leftOut("the register cuts by itself");
    case "footer":
      // The register prints the footer by a setting of the whole task.
      return { steps: [], warnings: [] };
  }
}

function barcodeItem(line: BarcodeLine): PaperPart<PaperItem> {
  const { symbology, data, heightMm, printText, alignment } = line;
  if (barcodeShape(line) === null) return { steps: [], warnings: [misfit(line)] };
  const height = Math.max(1, Math.round(heightMm * DOTS_PER_MM));
  const barcodeType = barcodeWords[symbology];
  return printed({ type: "barcode", barcode: data, barcodeType, alignment, height, printText });
}

function imageItem({ source, alignment }: ImageLine, { capabilities, images }: PaperSetup): PaperPart<PaperItem> {
  const limit = capabilities.paper?.image ?? null;
  const bitmap = images.get(source);
  if (limit === null) return leftOut("the register prints no pictures (option `pictures`)");
  if (bitmap === undefined) return leftOut(`the picture ${source} is not there`);
  if (bitmap.width > limit.maxWidth || bitmap.height > limit.maxHeight) {
    return leftOut(`the picture ${source} is too large`);
  }
  return printed(pixels(bitmap, alignment));
}

function pixels(bitmap: Bitmap, alignment: Alignment): PaperItem {
  return { type: "pixels", pixels: dotsOf(bitmap).toString("base64"), width: bitmap.width, scale: 100, alignment };
}

/** The dots of a picture, one byte each, 1 = black. */
function dotsOf({ width, height, rows }: Bitmap): Buffer {
  const stride = Math.ceil(width / 8);
  const dots = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (((rows[y * stride + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0) dots[y * width + x] = 1;
    }
  }
  return dots;
}
