import { type PaperRow, plainSpan, printedLength, type SpanStyle, wrapText } from "@fiscald/shared/paper/layout.js";

/** One row, cut at the paper's width. */
export function textRow(text: string, columns: number, style: Partial<SpanStyle> = {}): PaperRow {
  const [row = ""] = wrapText(text, columns, { wrap: false, alignment: "left" });
  return { type: "text", columns, spans: [{ text: row, style: { ...plainSpan, ...style } }] };
}

export function centredRow(text: string, columns: number, style: Partial<SpanStyle> = {}): PaperRow {
  const [row = ""] = wrapText(text, columns, { wrap: false, alignment: "center" });
  return { type: "text", columns, spans: [{ text: row, style: { ...plainSpan, ...style } }] };
}

/** `left` and `right` at the two edges; a text that is too long goes to a row of its own. */
export function leftRightRows(
  left: string,
  right: string,
  columns: number,
  style: Partial<SpanStyle> = {},
): readonly PaperRow[] {
  const room = columns - printedLength(right) - 1;
  const wrapped = wrapText(left, columns, { wrap: true, alignment: "left" });
  const last = wrapped.at(-1) ?? "";
  if (printedLength(last) > room)
    return [...wrapped, right.padStart(columns)].map((row) => textRow(row, columns, style));
  const joined = last + right.padStart(columns - printedLength(last));
  return [...wrapped.slice(0, -1), joined].map((row) => textRow(row, columns, style));
}
