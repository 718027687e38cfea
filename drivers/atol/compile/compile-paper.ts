/** Paper lines as items of a task; a line that the register cannot print is left out with a warning. */
import { barcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { layoutTexts, rowText, type SpanStyle, type TextRow } from "@fiscald/shared/paper/layout.js";
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type { Alignment, BarcodeLine, ImageLine, PaperLine, TextLine } from "@fiscald/shared/receipt/receipt.js";
import { budgetSpent, type DrawingBudget, misfit } from "../../compile/paper-parts.js";
import type { Bitmap, Capabilities } from "../../fiscal-driver.js";
import type { PaperItem } from "../protocol/tasks.js";

export interface PaperSetup {
  readonly capabilities: Capabilities;
  readonly images: ReadonlyMap<string, Bitmap>;
  readonly paintText: PaintText | null;
  /** Of the document that is compiled. */
  readonly drawing: DrawingBudget;
}

export interface CompiledPaper {
  readonly items: readonly PaperItem[];
  readonly warnings: readonly string[];
}

const DOTS_PER_MM = 8;
const barcodeWords = { ean13: "EAN13", code39: "CODE39", qr: "QR" } as const;

/** Neighbouring texts are laid out together; `layoutTexts` sees to width, wrapping and alignment. */
export function paperItems(lines: readonly PaperLine[], setup: PaperSetup): CompiledPaper {
  const items: PaperItem[] = [];
  const warnings = new Set<string>();
  let texts: TextLine[] = [];
  const flushTexts = () => {
    for (const row of layoutTexts(texts, () => setup.capabilities.paper?.columns[0] ?? 1)) {
      const made = rowItem(row, setup);
      items.push(made.item);
      for (const warning of made.warnings) warnings.add(warning);
    }
    texts = [];
  };
  for (const line of lines) {
    if (line.type === "text") {
      texts.push(line);
      continue;
    }
    flushTexts();
    const made = otherItem(line, setup);
    if (typeof made === "string") warnings.add(made);
    else if (made !== null) items.push(made);
  }
  flushTexts();
  return { items, warnings: [...warnings] };
}

/** As a text where the register's fonts do it all, drawn where it prints pictures, else plain. */
function rowItem(
  row: TextRow,
  { capabilities, paintText, drawing }: PaperSetup,
): { readonly item: PaperItem; readonly warnings: readonly string[] } {
  const doubleHeight = row.spans.length > 0 && row.spans.every(({ style }) => style.doubleHeight);
  const missing = new Set(row.spans.flatMap(({ style }) => textStyleOf({ ...style, doubleHeight: false })));
  if (!doubleHeight && row.spans.some(({ style }) => style.doubleHeight)) missing.add("doubleHeight");
  const dots = capabilities.paper?.image?.maxWidth ?? 0;
  const plain: PaperItem = { type: "text", text: rowText(row), alignment: "left", wrap: "none", doubleHeight };
  if (missing.size === 0) return { item: plain, warnings: [] };
  if (dots === 0 || capabilities.paper?.drawsText !== true || paintText === null) {
    return { item: plain, warnings: [...missing].map((look) => `the register has no ${look} text: printed plain`) };
  }
  return drawing.take(1)
    ? { item: pixels(paintText([row], dots), "left"), warnings: [] }
    : { item: plain, warnings: [budgetSpent] };
}

function textStyleOf({
  bold,
  italic,
  doubleHeight,
  underline,
  overline,
  negative,
  rotation,
}: SpanStyle): readonly string[] {
  const looks = { bold, italic, doubleHeight, underline, overline, negative, rotation: rotation !== 0 };
  return Object.entries(looks).flatMap(([name, on]) => (on ? [name] : []));
}

/** Returns the item, a text that says why it is left out, or null when the register prints it by itself. */
function otherItem(line: Exclude<PaperLine, TextLine>, setup: PaperSetup): PaperItem | string | null {
  switch (line.type) {
    case "barcode":
      return barcodeItem(line);
    case "image":
      return imageItem(line, setup);
    case "header":
      return "the register prints its header by itself: left out";
    case "cut":
      return "the register cuts by itself: left out";
    case "footer":
      return null;
  }
}

function barcodeItem(line: BarcodeLine): PaperItem | string {
  const { symbology, data, heightMm, printText, alignment } = line;
  if (barcodeShape(line) === null) return misfit(line);
  const height = Math.max(1, Math.round(heightMm * DOTS_PER_MM));
  return { type: "barcode", barcode: data, barcodeType: barcodeWords[symbology], alignment, height, printText };
}

function imageItem({ source, alignment }: ImageLine, { capabilities, images }: PaperSetup): PaperItem | string {
  const limit = capabilities.paper?.image ?? null;
  const bitmap = images.get(source);
  if (limit === null) return "the register prints no pictures (option `pictures`): left out";
  if (bitmap === undefined) return `the picture ${source} is not there: left out`;
  if (bitmap.width > limit.maxWidth || bitmap.height > limit.maxHeight)
    return `the picture ${source} is too large: left out`;
  return pixels(bitmap, alignment);
}

function pixels(bitmap: Bitmap, alignment: Alignment): PaperItem {
  return { type: "pixels", pixels: dotsOf(bitmap).toString("base64"), width: bitmap.width, scale: 100, alignment };
}

/** One byte for each dot, 1 = black. */
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
