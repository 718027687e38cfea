/** All steps are optional; a line that the register cannot print is left out with a warning. */
import type { BarcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { layoutTexts, rowText } from "@fiscald/shared/paper/layout.js";
import type { BarcodeLine, PaperLine, TextLine } from "@fiscald/shared/receipt/receipt.js";
import { compilePaper, looksOf, type PaperPart, printedPlain, spelled } from "../../compile/paper-parts.js";
import { commands, MAX_TEXT } from "../protocol/commands.js";
import { spell } from "../protocol/fields.js";
import { type CompilerSetup, type PiritStep, send } from "./steps.js";

export interface PaperContext extends Pick<CompilerSetup, "facts" | "capabilities"> {
  /** Receipts and service documents have different commands for texts, and the cutter works between them only. */
  readonly place: "receipt" | "service";
}

export type PaperSteps = PaperPart<PiritStep>;

const DOUBLE_HEIGHT = 0x10;
const DOTS_PER_CHARACTER = 12;
const DOTS_PER_MM = 8;
const barcodeTypes = { ean13: 2, code39: 4, qr: 8 } as const;
const moduleDots = { least: 2, usual: 3, qr: 4 } as const;
const TEXT_BELOW = 2;
const MAX_HEIGHT = 255;
const FIRST_BYTE = 0x20;
const LAST_BYTE = 0xf0;

export function paperSteps(lines: readonly PaperLine[], place: string, context: PaperContext): PaperSteps {
  return compilePaper<PiritStep>(lines, place, {
    paper: context.capabilities.paper,
    texts: (texts, name) => textSteps(texts, name, context),
    barcode: (line, shape, name) => barcodeSteps(line, shape, name, context),
    frame(type, name) {
      if (type !== "cut") return `the register prints its ${type} by itself: left out`;
      return context.place === "receipt"
        ? "the register cuts the paper at the end of a receipt only"
        : [send(name, commands.cut.encode(null), { optional: true })];
    },
  });
}

function textSteps(texts: readonly TextLine[], name: string, { facts, place }: PaperContext): PaperSteps {
  const fontOf = (text: TextLine | undefined) => Math.min(text?.style.font ?? 0, facts.columns.length - 1);
  const font = fontOf(texts[0]);
  const columns = Math.min(facts.columns[font] ?? 1, MAX_TEXT);
  const doubleHeight = texts.every((text) => text.style.doubleHeight);
  const attributes = font | (doubleHeight ? DOUBLE_HEIGHT : 0);
  const rows = layoutTexts(spelled(texts, spell), () => columns);
  const steps = rows.map((row, index) => {
    const text = rowText(row) || " ";
    const stepName = `${name} row ${index + 1}`;
    return place === "receipt"
      ? send(stepName, commands.receiptText.encode({ text: withoutJoin(text), attributes }), { optional: true })
      : send(stepName, commands.serviceText.encode({ text, attributes }), { optional: true });
  });
  const mixed = texts.some((text) => fontOf(text) !== font);
  const oneFont = "the register has one font for a row: texts that share one are in that of the first";
  return { steps, warnings: [...missingStyles(texts, doubleHeight), ...(mixed ? [oneFont] : [])] };
}

/** In command 49 (text in a receipt) a first `&` would mean that the row continues the one before. */
function withoutJoin(text: string): string {
  return text.startsWith("&") ? ` ${text}` : text;
}

function missingStyles(texts: readonly TextLine[], doubleHeight: boolean): readonly string[] {
  return printedPlain(
    new Set(texts.flatMap(({ style }) => looksOf({ ...style, doubleHeight: style.doubleHeight && !doubleHeight }))),
  );
}

function barcodeSteps(
  line: BarcodeLine,
  shape: BarcodeShape,
  name: string,
  { facts }: PaperContext,
): readonly PiritStep[] | string {
  const data = Buffer.from(line.data, "utf8");
  if (data.some((byte) => byte < FIRST_BYTE || byte > LAST_BYTE)) {
    return `the register's protocol cannot carry the data of a ${line.symbology} code: left out`;
  }
  const width = moduleWidth(line, shape, (facts.columns[0] ?? 1) * DOTS_PER_CHARACTER);
  if (width === null) return `the code ${line.data} is wider than the paper: left out`;
  const height = Math.min(MAX_HEIGHT, Math.max(1, Math.round(line.heightMm * DOTS_PER_MM)));
  const type = barcodeTypes[line.symbology];
  const textPlace = line.printText && line.symbology !== "qr" ? TEXT_BELOW : 0;
  const request = commands.barcode.encode({ textPlace, width, height, type, data });
  return [send(name, request, { optional: true })];
}

function moduleWidth({ symbology }: BarcodeLine, shape: BarcodeShape, dots: number): number | null {
  const widest = symbology === "qr" ? moduleDots.qr : moduleDots.usual;
  const width = Math.min(widest, Math.floor(dots / shape.width));
  return width < moduleDots.least ? null : width;
}
