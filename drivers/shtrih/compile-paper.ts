/** Paper lines as steps: all of them optional, what the model cannot do is left out with a warning. */
import { layoutTexts, rowText } from "@fiscald/shared/paper/layout.js";
import type { PaperLine, TextLine } from "@fiscald/shared/receipt/receipt.js";
import type { Bitmap, Capabilities } from "../fiscal-driver.js";
import { commands } from "./commands.js";
import { barcodeSteps, imageSteps } from "./compile-graphics.js";
import type { RegisterFacts } from "./register-facts.js";
import { type ShtrihStep, send } from "./steps.js";

export interface PaperContext {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly images: ReadonlyMap<string, Bitmap>;
  readonly password: number;
}

export interface PaperSteps {
  readonly steps: readonly ShtrihStep[];
  readonly warnings: readonly string[];
}

/** The register's number of its bold, double-width font. */
const BOLD_FONT = 2;

/** `place` makes the names of steps and groups different within a program. */
export function paperSteps(lines: readonly PaperLine[], place: string, context: PaperContext): PaperSteps {
  const parts: PaperSteps[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    const name = `${place} ${index + 1}`;
    if (line.type === "text") {
      const texts = joinedTexts(lines.slice(index));
      parts.push(textSteps(texts, name, context));
      index += texts.length;
    } else {
      parts.push(otherSteps(line, name, context));
      index += 1;
    }
  }
  return {
    steps: parts.flatMap((part) => part.steps),
    warnings: [...new Set(parts.flatMap((part) => part.warnings))],
  };
}

/** Neighbouring texts that share a row, because all but the last say `newLine: false`. */
function joinedTexts(lines: readonly PaperLine[]): readonly TextLine[] {
  const texts: TextLine[] = [];
  for (const line of lines) {
    if (line.type !== "text") break;
    texts.push(line);
    if (line.style.newLine) break;
  }
  return texts;
}

function textSteps(texts: readonly TextLine[], name: string, { facts, password }: PaperContext): PaperSteps {
  const columnsOfFont = (font: number): number => (facts.fonts[font - 1] ?? facts.fonts[0])?.columns ?? 1;
  const bold = texts.every((text) => text.style.bold) && facts.fonts.length >= BOLD_FONT;
  const font = Math.min((texts[0]?.style.font ?? 0) + 1, facts.fonts.length);
  const rows = layoutTexts(texts, (styleFont) => columnsOfFont(bold ? BOLD_FONT : styleFont + 1));
  const steps = rows.map((row, index) => {
    const text = rowText(row) || " ";
    const request = bold
      ? commands.printBold.encode({ password, text })
      : commands.printText.encode({ password, font, text });
    return send(`${name} row ${index + 1}`, request, { optional: true });
  });
  return { steps, warnings: missingStyles(texts, bold) };
}

function missingStyles(texts: readonly TextLine[], bold: boolean): readonly string[] {
  const missing = new Set<string>();
  for (const { style } of texts) {
    if (style.bold && !bold) missing.add("bold");
    for (const name of ["italic", "doubleHeight", "underline", "overline", "negative"] as const) {
      if (style[name]) missing.add(name);
    }
    if (style.rotation !== 0) missing.add("rotation");
  }
  return [...missing].map((style) => `the register has no ${style} text: printed plain`);
}

function otherSteps(line: Exclude<PaperLine, TextLine>, name: string, context: PaperContext): PaperSteps {
  const { capabilities, password } = context;
  switch (line.type) {
    case "barcode":
      return barcodeSteps(line, name, context);
    case "image":
      return imageSteps(line, name, context);
    case "header":
      return { steps: [send(name, commands.printHeader.encode({ password }), { optional: true })], warnings: [] };
    case "footer":
      return { steps: [send(name, commands.printAdvert.encode({ password }), { optional: true })], warnings: [] };
    case "cut":
      return capabilities.paper?.cut === true
        ? { steps: [send(name, commands.cut.encode({ password, partial: true }), { optional: true })], warnings: [] }
        : { steps: [], warnings: ["the register has no cutter: the paper is not cut"] };
  }
}
