import type { PaperLine, TextLine } from "@fiscald/shared/receipt/receipt.js";
import { compilePaper } from "../../compile/paper-parts.js";
import { commands } from "../protocol/commands.js";
import { barcodeSteps } from "./compile-barcodes.js";
import { imageSteps } from "./compile-pictures.js";
import { textSteps } from "./compile-texts.js";
import type { PaperContext, PaperSteps } from "./compiler-setup.js";
import { send } from "./steps.js";

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
