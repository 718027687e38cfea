/** Texts as steps: by the register's own fonts where they can do it, drawn where it prints pictures, else plain. */
import { layoutTexts, rowText } from "@fiscald/shared/paper/layout.js";
import type { TextLine, TextStyle } from "@fiscald/shared/receipt/receipt.js";
import { spellIn } from "../../codec/code-pages.js";
import { budgetSpent, looksOf, printedPlain, spelled } from "../../compile/paper-parts.js";
import { commands } from "../protocol/commands.js";
import type { RegisterFacts } from "../protocol/models.js";
import { BOLD_LENGTH } from "../protocol/paper-commands.js";
import { drawnSteps } from "./compile-pictures.js";
import type { PaperContext, PaperSteps } from "./compiler-setup.js";
import { send } from "./steps.js";

/** A font of 12h (bold text) or 2Fh (text in a font). The bold font is a font of its own, with wider letters. */
interface OwnFont {
  readonly bold: boolean;
  /** Number that the register gives the font, from 1. */
  readonly number: number;
}

const BOLD_FONT: OwnFont = { bold: true, number: 2 };

/** `texts`: one text, or several that share rows. */
export function textSteps(texts: readonly TextLine[], name: string, context: PaperContext): PaperSteps {
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

/** Number of the font that an order names, or the nearest smaller number where the register has no such font. */
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
