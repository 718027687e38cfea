/** Paper lines as steps: all of them optional; a line that the model cannot print is left out with a warning. */
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type { PaperLine, TextLine } from "@fiscald/shared/receipt/receipt.js";
import { compilePaper, DrawingBudget, type PaperPart } from "../../compile/paper-parts.js";
import type { Bitmap, Capabilities, CompileContext } from "../../fiscal-driver.js";
import { commands } from "../protocol/commands.js";
import type { RegisterFacts } from "../protocol/models.js";
import { barcodeSteps } from "./compile-barcodes.js";
import { imageSteps } from "./compile-pictures.js";
import type { CompilerSetup } from "./compile-receipt.js";
import { textSteps } from "./compile-texts.js";
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

export type PaperSteps = PaperPart<ShtrihStep>;

export function paperContextOf(
  { images, paintText = null }: CompileContext,
  { facts, capabilities, options }: CompilerSetup,
): PaperContext {
  const password = options.operatorPassword;
  return { facts, capabilities, images, paintText, drawing: new DrawingBudget(), password };
}

export function paperSteps(lines: readonly PaperLine[], place: string, context: PaperContext): PaperSteps {
  return compilePaper(lines, place, {
    texts: (texts, name) => textSteps(texts, name, context),
    other: (line, name) => otherSteps(line, name, context),
  });
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
