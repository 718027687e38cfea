import { layoutTexts, rowText, type TextRow } from "@fiscald/shared/paper/layout.js";
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type { Alignment, PaperLine } from "@fiscald/shared/receipt/receipt.js";
import {
  budgetSpent,
  compilePaper,
  type DrawingBudget,
  looksOf,
  type PaperPart,
  printedPlain,
} from "../../compile/paper-parts.js";
import type { Bitmap, Capabilities } from "../../fiscal-driver.js";
import type { PaperItem } from "../protocol/tasks.js";

export interface PaperSetup {
  readonly capabilities: Capabilities;
  readonly images: ReadonlyMap<string, Bitmap>;
  readonly paintText: PaintText | null;
  /** How many more rows of text the document may have drawn as pictures. */
  readonly drawing: DrawingBudget;
}

const DOTS_PER_MM = 8;
const barcodeWords = { ean13: "EAN13", code39: "CODE39", qr: "QR" } as const;

export function paperItems(lines: readonly PaperLine[], setup: PaperSetup): PaperPart<PaperItem> {
  const { images } = setup;
  const { paper } = setup.capabilities;
  return compilePaper<PaperItem>(lines, "", {
    paper,
    images,
    pictureOption: "pictures",
    texts(texts) {
      const rows = layoutTexts(texts, () => paper?.columns[0] ?? 1).map((row) => rowItem(row, setup));
      return { steps: rows.flatMap(({ steps }) => steps), warnings: rows.flatMap(({ warnings }) => warnings) };
    },
    barcode({ symbology, data, heightMm, printText, alignment }) {
      const height = Math.max(1, Math.round(heightMm * DOTS_PER_MM));
      return [{ type: "barcode", barcode: data, barcodeType: barcodeWords[symbology], alignment, height, printText }];
    },
    image: ({ alignment }, bitmap) => [pixels(bitmap, alignment)],
    // The register prints the footer by a setting of the whole task.
    frame: (type) => (type === "footer" ? [] : `the register ${byItself[type]} by itself: left out`),
  });
}

const byItself = { header: "prints its header", cut: "cuts" } as const;

/** Makes a row text if the fonts have its styles, else a picture if the register prints any, else plain text. */
function rowItem(row: TextRow, { capabilities, paintText, drawing }: PaperSetup): PaperPart<PaperItem> {
  const doubleHeight = row.spans.length > 0 && row.spans.every(({ style }) => style.doubleHeight);
  const missing = new Set(row.spans.flatMap(({ style }) => looksOf({ ...style, doubleHeight: false })));
  if (!doubleHeight && row.spans.some(({ style }) => style.doubleHeight)) missing.add("doubleHeight");
  const dots = capabilities.paper?.image?.maxWidth ?? 0;
  const plain: PaperItem = { type: "text", text: rowText(row), alignment: "left", wrap: "none", doubleHeight };
  if (missing.size === 0) return { steps: [plain], warnings: [] };
  if (dots === 0 || capabilities.paper?.drawsText !== true || paintText === null) {
    return { steps: [plain], warnings: printedPlain(missing) };
  }
  return drawing.take(1)
    ? { steps: [pixels(paintText([row], dots), "left")], warnings: [] }
    : { steps: [plain], warnings: [budgetSpent] };
}

function pixels(bitmap: Bitmap, alignment: Alignment): PaperItem {
  return { type: "pixels", pixels: dotsOf(bitmap).toString("base64"), width: bitmap.width, scale: 100, alignment };
}

/** One byte for each dot of a picture, 1 = black. */
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
