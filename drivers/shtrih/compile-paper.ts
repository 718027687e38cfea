/** Paper lines as steps: all of them optional, what the model cannot do is left out with a warning. */
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type { PaperLine, TextLine } from "@fiscald/shared/receipt/receipt.js";
import type { DrawingBudget } from "../drawing-budget.js";
import type { Bitmap, Capabilities } from "../fiscal-driver.js";
import { commands } from "./commands.js";
import { barcodeSteps } from "./compile-barcodes.js";
import { imageSteps } from "./compile-pictures.js";
import { textSteps } from "./compile-texts.js";
import type { RegisterFacts } from "./register-facts.js";
import { type ShtrihStep, send } from "./steps.js";

export interface PaperContext {
  readonly facts: RegisterFacts;
  readonly capabilities: Capabilities;
  readonly images: ReadonlyMap<string, Bitmap>;
  readonly paintText: PaintText | null;
  /** Of the document that is compiled. */
  readonly drawing: DrawingBudget;
  readonly password: number;
}

export interface PaperSteps {
  readonly steps: readonly ShtrihStep[];
  readonly warnings: readonly string[];
}

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
