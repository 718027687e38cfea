/**
 * Lays out text on paper as rows of characters. The product wraps, aligns and joins text only here: drivers lay out
 * lines before they send them, emulators and the preview draw the rows.
 */
import { type Alignment, type BarcodeLine, plainStyle, type TextLine, type TextStyle } from "../receipt/receipt.js";

/** The style of characters in a span, a piece of a row. */
export interface SpanStyle
  extends Pick<TextStyle, "bold" | "italic" | "underline" | "overline" | "negative" | "doubleHeight" | "rotation"> {
  readonly doubleWidth: boolean;
}

export interface Span {
  readonly text: string;
  readonly style: SpanStyle;
  /** How many characters of single width fill the paper in this span's font; absent = as in the row's font. */
  readonly columns?: number;
}

/** A picture with one bit per dot, rows padded to whole bytes, most significant bit first, 1 = black. */
export interface PaperBitmap {
  readonly width: number;
  readonly height: number;
  readonly rows: Uint8Array;
}

export interface TextRow {
  readonly type: "text";
  readonly spans: readonly Span[];
  /** How many characters of single width fill the paper in this row's font, which is the font of its first text. */
  readonly columns: number;
}

export type PaperRow =
  | TextRow
  | BarcodeLine
  | { readonly type: "image"; readonly bitmap: PaperBitmap; readonly alignment: Alignment }
  | { readonly type: "cut" };

/** A line that an emulator prints: text in the terms of an order, or a finished row. */
export type PrintedLine = TextLine | PaperRow;

export interface WrapOptions {
  /** False: text that does not fit is cut off. */
  readonly wrap: boolean;
  readonly alignment: Alignment;
}

/**
 * Text as rows of at most `columns` characters, aligned by leading spaces. Breaks are between words, and inside a word
 * only if it is longer than a row. A line break in the text ends the row, a tab is a space, control and zero-width
 * characters are dropped. An empty text is one empty row. RangeError when `columns` < 1.
 */
export function wrapText(text: string, columns: number, options: WrapOptions): readonly string[] {
  return breakText(text, columns, columns, options.wrap).map((row) => align(row, columns, options.alignment));
}

export function printedLength(text: string): number {
  return charactersOf(printable(text)).length;
}

/**
 * `columnsOf`: characters per row of a font number; `isWide`: the font is a smaller font at double width. A text with
 * `newLine: false` is continued by the next text, each in its own font. A text with the maximum line spacing is
 * followed by an empty row: no register has a command for the spacing of one line, and a register's setting of it
 * changes everything that the register prints.
 */
export function layoutTexts(
  lines: readonly TextLine[],
  columnsOf: (font: TextStyle["font"]) => number,
  isWide: (font: TextStyle["font"]) => boolean = () => false,
): readonly TextRow[] {
  const composer = new RowComposer(columnsOf, isWide);
  for (const line of lines) composer.add(line);
  return composer.end();
}

/** Printed lines as rows of 32, 42 or 48 characters; neighbouring texts are joined where `newLine` is false. */
export function layoutPrinted(
  lines: readonly PrintedLine[],
  { columns }: { readonly columns: number },
): readonly PaperRow[] {
  const composer = new RowComposer(() => columns);
  const rows: PaperRow[] = [];
  for (const line of lines) {
    if (line.type === "text" && "content" in line) {
      composer.add(line);
      continue;
    }
    rows.push(...composer.end(), line);
  }
  return [...rows, ...composer.end()];
}

export const plainSpan = spanStyleOf(plainStyle);

function spanStyleOf(style: TextStyle): SpanStyle {
  const { bold, italic, underline, overline, negative, doubleHeight, rotation } = style;
  return { bold, italic, underline, overline, negative, doubleHeight, doubleWidth: false, rotation };
}

export function rowText(row: TextRow): string {
  return row.spans.map((span) => span.text).join("");
}

interface OpenRow {
  readonly columns: number;
  /** Share of the paper's width that is taken: pieces of a row may differ in their fonts. */
  used: number;
  readonly spans: Span[];
  spacious: boolean;
}

/** A tolerance in columns: far less than a column of any font, far more than the rounding when shares are added. */
const ROUNDING = 1e-6;

class RowComposer {
  private rows: TextRow[] = [];
  private open: OpenRow | null = null;

  constructor(
    private readonly columnsOf: (font: TextStyle["font"]) => number,
    private readonly isWide: (font: TextStyle["font"]) => boolean = () => false,
  ) {}

  add(line: TextLine): void {
    const { style, content } = line;
    const columns = this.columnsOf(style.font);
    const room = this.roomFor(columns);
    if (content.kind === "text") {
      const [first = "", ...others] = breakText(content.text, columns, room, style.wrap);
      this.place(first, columns, style);
      for (const other of others) {
        this.endRow();
        this.place(other, columns, style);
      }
    } else {
      if (room === 0) this.endRow();
      this.place((content.kind === "trait" ? "=" : "-").repeat(room === 0 ? columns : room), columns, style);
    }
    if (style.newLine) this.endRow();
  }

  end(): readonly TextRow[] {
    this.endRow();
    const rows = this.rows;
    this.rows = [];
    return rows;
  }

  /** `columns`: how many characters of the font fill the paper. */
  private roomFor(columns: number): number {
    return Math.floor((1 - (this.open?.used ?? 0)) * columns + ROUNDING);
  }

  private place(text: string, columns: number, style: TextStyle): void {
    const doubleWidth = this.isWide(style.font);
    const single = doubleWidth ? 2 * columns : columns;
    this.open ??= { columns: single, used: 0, spans: [], spacious: false };
    const { open } = this;
    open.spacious ||= style.maxLineSpacing;
    const piece = align(text, this.roomFor(columns), style.alignment);
    if (piece === "") return;
    const ownFont = single === open.columns ? {} : { columns: single };
    for (const { text, style: look } of withPlainMargin(piece, style)) {
      open.spans.push({ text, style: { ...look, doubleWidth }, ...ownFont });
    }
    open.used += charactersOf(piece).length / columns;
  }

  private endRow(): void {
    const { open } = this;
    this.open = null;
    if (open === null) return;
    const { columns, spans } = open;
    this.rows.push({ type: "text", spans, columns });
    if (open.spacious) this.rows.push({ type: "text", spans: [], columns });
  }
}

/** The spaces that align a text stay white: no underline and no black background covers them. */
function withPlainMargin(piece: string, style: TextStyle): readonly Span[] {
  const look = spanStyleOf(style);
  const covers = style.underline || style.overline || style.negative;
  const margin = covers && style.alignment !== "left" ? piece.length - piece.trimStart().length : 0;
  if (margin === 0) return [{ text: piece, style: look }];
  return [
    { text: piece.slice(0, margin), style: { ...plainSpan, doubleHeight: style.doubleHeight } },
    { text: piece.slice(margin), style: look },
  ];
}

/** `firstRoom`: free columns of the first row; a word that does not fit there goes to the next row whole. */
function breakText(text: string, columns: number, firstRoom: number, wrap: boolean): readonly string[] {
  if (!Number.isInteger(columns) || columns < 1) throw new RangeError(`a row cannot have ${columns} columns`);
  const rows: string[] = [];
  for (const paragraph of printable(text).split("\n")) {
    const room = rows.length === 0 ? firstRoom : columns;
    rows.push(...(wrap ? wrapParagraph(paragraph, columns, room) : [charactersOf(paragraph).slice(0, room).join("")]));
  }
  return rows.map((row) => row.replaceAll("\u00a0", " "));
}

function wrapParagraph(paragraph: string, columns: number, firstRoom: number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  let used = columns - firstRoom;
  let hasWord = used > 0;
  const endRow = () => {
    rows.push(row.trimEnd());
    row = "";
    used = 0;
    hasWord = false;
  };
  for (const { spaces, word } of wordsOf(paragraph)) {
    const length = charactersOf(word).length;
    if (hasWord && word !== "" && used + spaces.length + length > columns) endRow();
    else {
      const kept = spaces.slice(0, Math.max(0, columns - used - length));
      row += kept;
      used += kept.length;
    }
    for (const character of charactersOf(word)) {
      if (used === columns) endRow();
      row += character;
      used += 1;
      hasWord = true;
    }
  }
  rows.push(row);
  return rows;
}

/** Spaces at the beginning and the end of a paragraph are kept, because sites draw columns with them. */
function wordsOf(paragraph: string): readonly { readonly spaces: string; readonly word: string }[] {
  return [...paragraph.matchAll(/( *)([^ ]+| +$|$)/g)]
    .map(([, spaces = "", word = ""]) => (word.trim() === "" ? { spaces: spaces + word, word: "" } : { spaces, word }))
    .filter(({ spaces, word }) => spaces !== "" || word !== "");
}

function align(row: string, columns: number, alignment: Alignment): string {
  if (alignment === "left") return row;
  const text = row.trim();
  const free = columns - charactersOf(text).length;
  if (text === "" || free <= 0) return text;
  return " ".repeat(alignment === "right" ? free : Math.floor(free / 2)) + text;
}

function printable(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replaceAll("\t", " ")
    .replace(/[^\P{C}\n]|\p{Mn}|\p{Me}/gu, "");
}

/** After `printable` each code point takes one cell. */
function charactersOf(text: string): readonly string[] {
  return [...text];
}
