import { layoutTexts, rowText } from "@fiscald/shared/paper/layout.js";
import type { PaperLine, TextLine, TextStyle } from "@fiscald/shared/receipt/receipt.js";
import { spellIn } from "../../codec/code-pages.js";
import { budgetSpent, compilePaper, looksOf, printedPlain, spelled } from "../../compile/paper-parts.js";
import { commands } from "../protocol/commands.js";
import type { RegisterFacts } from "../protocol/models.js";
import { BOLD_LENGTH } from "../protocol/paper-commands.js";
import { barcodeSteps } from "./compile-barcodes.js";
import { drawnSteps, imageSteps } from "./compile-pictures.js";
import { type PaperContext, type PaperSteps, type ShtrihStep, send } from "./steps.js";

export function paperSteps(lines: readonly PaperLine[], place: string, context: PaperContext): PaperSteps {
  const { capabilities, images, password } = context;
  const { paper } = capabilities;
  const frames = {
    header: commands.printHeader.encode({ password }),
    footer: commands.printAdvert.encode({ password }),
    cut: paper?.cut === true ? commands.cut.encode({ password, partial: true }) : null,
  };
  return compilePaper<ShtrihStep>(lines, place, {
    paper,
    images,
    texts: (texts, name) => textSteps(texts, name, context),
    barcode: (line, shape, name) => barcodeSteps(line, shape, name, context),
    image: (line, bitmap, name) => imageSteps(line, bitmap, name, context),
    frame(type, name) {
      const request = frames[type];
      return request === null
        ? "the register has no cutter: the paper is not cut"
        : [send(name, request, { optional: true })];
    },
  });
}

/** Two fonts: 12h prints bold, 2Fh any font. The bold font is a font of its own, with wider letters. */
interface OwnFont {
  readonly bold: boolean;
  /** The register's number of the font, from 1 on. */
  readonly number: number;
}

const BOLD_FONT: OwnFont = { bold: true, number: 2 };

function textSteps(texts: readonly TextLine[], name: string, context: PaperContext): PaperSteps {
  const { capabilities, facts, paintText, drawing } = context;
  const nearest = nearestFont(texts, facts);
  const plain = printedBy(nearest, texts, name, context);
  const warnings = missing(texts, nearest, facts);
  if (warnings.length === 0 || capabilities.paper?.drawsText !== true || paintText === null) {
    return { ...plain, warnings };
  }
  const rows = layoutTexts(
    texts,
    (font) => columnsOf(fontNumber(font, facts), facts),
    (font) => facts.fonts[fontNumber(font, facts) - 1]?.wide === true,
  );
  if (!drawing.take(rows.length)) return { ...plain, warnings: [budgetSpent] };
  return { steps: drawnSteps(paintText(rows, facts.printWidth), name, context), warnings: [] };
}

function printedBy(font: OwnFont, texts: readonly TextLine[], name: string, context: PaperContext): PaperSteps {
  const { facts, password } = context;
  const inPage = spelled(texts, (row) => spellIn(row, "cp1251"));
  const rows = layoutTexts(inPage, () => columnsOf(font.number, facts));
  const steps = rows.map((row, index) => {
    const text = rowText(row) || " ";
    // 12h takes short rows only; 2Fh prints a longer row in the same font.
    const request =
      font.bold && text.length <= BOLD_LENGTH
        ? commands.printBold.encode({ password, text })
        : commands.printText.encode({ password, font: font.number, text });
    return send(`${name} row ${index + 1}`, request, { optional: true });
  });
  return { steps, warnings: [] };
}

function nearestFont(texts: readonly TextLine[], facts: RegisterFacts): OwnFont {
  const number = fontNumber(texts[0]?.style.font ?? 0, facts);
  const bold = texts.every(({ style }) => style.bold && fontNumber(style.font, facts) === 1);
  return bold && facts.fonts.length >= BOLD_FONT.number ? BOLD_FONT : { bold: false, number };
}

/** Instead of a missing font the nearest smaller number counts. */
function fontNumber(font: TextStyle["font"], { fonts }: RegisterFacts): number {
  return Math.max(1, Math.min(font + 1, fonts.length));
}

function columnsOf(fontNumber: number, { fonts }: RegisterFacts): number {
  return (fonts[fontNumber - 1] ?? fonts[0])?.columns ?? 1;
}

function missing(texts: readonly TextLine[], font: OwnFont, facts: RegisterFacts): readonly string[] {
  const looks = new Set(texts.flatMap(({ style }) => looksOf({ ...style, bold: style.bold && !font.bold })));
  const warnings = printedPlain(looks);
  const mixed = !font.bold && texts.some(({ style }) => fontNumber(style.font, facts) !== font.number);
  return mixed
    ? [...warnings, "the register has one font for a row: texts that share one are in that of the first"]
    : warnings;
}
