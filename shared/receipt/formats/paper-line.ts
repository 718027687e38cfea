import type { TaskLine } from "../../exchange/task-table.js";
import type { PaperLine, TextLine } from "../receipt.js";
import { withoutRefused } from "../text-hygiene.js";

const contentWords: ReadonlyMap<string, TextLine["content"]> = new Map([
  ["trait", { kind: "trait" }],
  ["dash", { kind: "dash" }],
]);

/** Returns null for a line that is not only printed on the paper. */
export function paperLine(line: TaskLine): PaperLine | null {
  switch (line.type) {
    case "String":
      return textLine(line);
    case "BarCode":
      return {
        type: "barcode",
        symbology: line.param.barCodeType,
        data: withoutRefused(line.data),
        heightMm: line.param.barCodeHeight,
        printText: line.param.barCodePrintText,
        alignment: line.param.alignment,
      };
    case "Image":
      // A shop that has no picture sends the line without data.
      if (line.data.trim() === "") return null;
      return { type: "image", source: line.data, alignment: line.param.alignment };
    case "PrintHeader":
      return { type: "header" };
    case "PrintFooter":
      return { type: "footer" };
    case "Cut":
      return { type: "cut" };
    default:
      return null;
  }
}

function textLine(line: Extract<TaskLine, { readonly type: "String" }>): TextLine {
  const { param } = line;
  return {
    type: "text",
    content: contentWords.get(line.data.toLowerCase()) ?? { kind: "text", text: withoutRefused(line.data) },
    style: {
      font: param.font,
      bold: param.bold,
      italic: param.italic,
      doubleHeight: param.dblHeight,
      underline: param.underLine,
      overline: param.overLine,
      negative: param.negative,
      rotation: param.charRotation,
      wrap: param.wrap,
      alignment: param.alignment,
      newLine: param.newLine,
      maxLineSpacing: param.lineSpacingMax,
    },
  };
}
