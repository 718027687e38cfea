import { type PaperRow, plainSpan, printedLength, type SpanStyle, wrapText } from "@fiscald/shared/paper/layout.js";

/** The printed paper, newest row last; the oldest rows beyond `maxRows` are dropped. Drawn by shared/paper. */
export class Tape {
  readonly rows: PaperRow[] = [];
  /** By document number: its first row and the row after its last. The count includes the rows that were dropped. */
  private readonly documents = new Map<number, readonly [start: number, end: number]>();
  private torn = 0;

  constructor(
    /** Characters per row of the widest paper font in use: 32, 42 or 48. */
    readonly columns: number,
    private readonly maxRows = 20_000,
  ) {}

  add(rows: readonly PaperRow[]): void {
    this.rows.push(...rows);
    const over = this.rows.length - this.maxRows;
    if (over <= 0) return;
    this.rows.splice(0, over);
    this.torn += over;
  }

  addDocument(fd: number, rows: readonly PaperRow[]): void {
    this.add(rows);
    const end = this.torn + this.rows.length;
    this.documents.set(fd, [end - rows.length, end]);
  }

  /** Null: the document is not, or no longer, on this tape. */
  documentRows(fd: number): readonly PaperRow[] | null {
    const [start, end] = this.documents.get(fd) ?? [-1, -1];
    return start < this.torn ? null : this.rows.slice(start - this.torn, end - this.torn);
  }
}

export function textRow(text: string, columns: number, style: Partial<SpanStyle> = {}): PaperRow {
  const [row = ""] = wrapText(text, columns, { wrap: false, alignment: "left" });
  return { type: "text", columns, spans: [{ text: row, style: { ...plainSpan, ...style } }] };
}

export function centredRow(text: string, columns: number, style: Partial<SpanStyle> = {}): PaperRow {
  const [row = ""] = wrapText(text, columns, { wrap: false, alignment: "center" });
  return { type: "text", columns, spans: [{ text: row, style: { ...plainSpan, ...style } }] };
}

/** Prints `left` and `right` at the two edges; a text that is too long goes to a row of its own. */
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
