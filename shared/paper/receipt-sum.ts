import { formatRoubles } from "../amounts.js";
import { plainStyle, type SaleReceipt, type TextLine, type TextStyle, totalOf } from "../receipt/receipt.js";

/**
 * The receipt's lines with its sum after the last Return line that asks for it (`enableCheckSumm`). This is printed
 * text only: the register's own document is the same with and without it.
 */
export function linesWithSum(receipt: SaleReceipt): SaleReceipt["lines"] {
  const place = receipt.lines.findLastIndex((line) => line.type === "item" && line.printSum) + 1;
  return place === 0 ? receipt.lines : receipt.lines.toSpliced(place, 0, ...sumTexts(receipt));
}

function sumTexts(receipt: SaleReceipt): readonly TextLine[] {
  return [text("СУММА ЧЕКА", { newLine: false }), text(`=${formatRoubles(totalOf(receipt))}`, { alignment: "right" })];
}

function text(content: string, look: Partial<TextStyle>): TextLine {
  return { type: "text", content: { kind: "text", text: content }, style: { ...plainStyle, ...look } };
}
