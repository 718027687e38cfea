/** Draws rows of paper as text and as SVG, up to a limit, because paper can be endless and a page cannot. */
import { barcodeText } from "../receipt/barcode-data.js";
import type { Alignment, BarcodeLine } from "../receipt/receipt.js";
import { barcodeShape } from "./barcode-shape.js";
import {
  type PaperBitmap,
  type PaperRow,
  plainSpan,
  rowText,
  type Span,
  type SpanStyle,
  type TextRow,
} from "./layout.js";

export interface RenderOptions {
  /** Characters per row of the paper: 32, 42 or 48. Each takes 12 dots of the width. */
  readonly columns: number;
}

/** The most rows that are shown; older ones, at the top, are left out. */
const MAX_ROWS = 2000;
const MAX_HEIGHT = 20_000;
const CELL = 12;
const MARGIN = 12;
const DOTS_PER_MM = 8;
export const PAPER_FONT = "PT Mono";
/** The height of a line, measured in widths of its cells. */
export const LINE_PER_CELL = 2;
/** The width of a character in PT Mono, in ems. */
const ADVANCE = 0.6;

/** Prints one line per row; a note in brackets stands for a barcode or a picture. */
export function renderText(rows: readonly PaperRow[], { columns }: RenderOptions): string {
  const lines = joinPictures(rows.slice(-MAX_ROWS)).map((row) => {
    switch (row.type) {
      case "text":
        return rowText(row).trimEnd();
      case "barcode":
        return `[${row.symbology} ${row.data}]`;
      case "image":
        return `[picture ${row.bitmap.width}x${row.bitmap.height}]`;
      case "cut":
        return "- ".repeat(columns / 2).trimEnd();
      default:
        return row satisfies never;
    }
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** Joins pictures that have come row by row: on paper they are one, and the text only names it. */
function joinPictures(rows: readonly PaperRow[]): readonly PaperRow[] {
  const joined: PaperRow[] = [];
  for (const row of rows) {
    const last = joined.at(-1);
    if (row.type === "image" && last?.type === "image" && last.bitmap.width === row.bitmap.width) {
      const height = last.bitmap.height + row.bitmap.height;
      joined[joined.length - 1] = { ...last, bitmap: { ...last.bitmap, height } };
    } else joined.push(row);
  }
  return joined;
}

/** One dot of the paper is one pixel, black on white. */
export function renderSvg(rows: readonly PaperRow[], { columns }: RenderOptions): string {
  const width = columns * CELL;
  const drawn = rows.slice(-MAX_ROWS).map((row) => drawRow(row, width));
  while (drawn.length > 0 && heightOf(drawn) > MAX_HEIGHT) drawn.shift();
  let y = MARGIN;
  const body = drawn.map(({ svg, height }) => {
    const placed = svg === "" ? "" : `<g transform="translate(${MARGIN} ${y})">${svg}</g>`;
    y += height;
    return placed;
  });
  const [fullWidth, fullHeight] = [width + 2 * MARGIN, y + MARGIN];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${fullWidth}" height="${fullHeight}"`,
    ` viewBox="0 0 ${fullWidth} ${fullHeight}" font-family="${PAPER_FONT}, monospace" xml:space="preserve">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...body,
    "</svg>",
  ].join("");
}

interface Drawn {
  readonly svg: string;
  readonly height: number;
}

function heightOf(drawn: readonly Drawn[]): number {
  return drawn.reduce((sum, { height }) => sum + height, 0);
}

function drawRow(row: PaperRow, width: number): Drawn {
  switch (row.type) {
    case "text":
      return drawText(row, width);
    case "barcode":
      return drawBarcode(row, width);
    case "image":
      return drawBitmap(row.bitmap, row.alignment, width);
    case "cut":
      return { svg: `<line x1="0" y1="12" x2="${width}" y2="12" stroke="#999" stroke-dasharray="8 6"/>`, height: 24 };
  }
}

function drawText(row: TextRow, width: number): Drawn {
  const { spans, height } = placeSpans(row, (columns) => width / columns);
  return { svg: spans.map(drawSpan).join(""), height: Math.round(height) };
}

export interface PlacedSpan extends Span {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly cell: number;
}

export interface PlacedRow {
  readonly spans: readonly PlacedSpan[];
  readonly height: number;
}

/** Places spans on one baseline, whatever their sizes. `cellOf`: a character's width by the number in a full row. */
export function placeSpans({ spans, columns }: TextRow, cellOf: (columns: number) => number): PlacedRow {
  let x = 0;
  const sized = spans.map((span) => {
    const cell = cellOf(span.columns ?? columns);
    const left = x;
    x += [...span.text].length * cell * (span.style.doubleWidth ? 2 : 1);
    return { ...span, x: left, cell, height: cell * LINE_PER_CELL * (span.style.doubleHeight ? 2 : 1) };
  });
  const empty = spans.length === 0 ? cellOf(columns) * LINE_PER_CELL : 0;
  const height = Math.max(empty, ...sized.map((span) => span.height));
  return { spans: sized.map((span) => ({ ...span, y: height - span.height })), height };
}

/** Draws a span at single size and scales it, so that every style works in every size. */
function drawSpan({ text, style, x, y, cell }: PlacedSpan): string {
  const line = cell * LINE_PER_CELL;
  const characters = [...text];
  const width = characters.length * cell;
  const ink = style.negative ? "#fff" : "#000";
  const parts = [
    style.negative ? `<rect width="${width}" height="${line}"/>` : "",
    style.underline ? `<rect y="${line - 2}" width="${width}" height="1.5" fill="${ink}"/>` : "",
    style.overline ? `<rect y="0.5" width="${width}" height="1.5" fill="${ink}"/>` : "",
    ...characters.map((character, index) => drawGlyph(character, style, { x: index * cell, cell, ink })),
  ];
  const scale = `scale(${style.doubleWidth ? 2 : 1} ${style.doubleHeight ? 2 : 1})`;
  return `<g transform="translate(${round(x)} ${round(y)}) ${scale}">${parts.join("")}</g>`;
}

/** Draws at single size. The result is empty for a space. */
export function drawGlyph(
  character: string,
  style: SpanStyle,
  { x, cell, ink }: { readonly x: number; readonly cell: number; readonly ink: string },
): string {
  if (character === " ") return "";
  const line = cell * LINE_PER_CELL;
  const look = [
    `font-size="${round(cell / ADVANCE)}" fill="${ink}"`,
    // The font has one weight and no slant, so bold and italic are made here.
    style.bold ? ` stroke="${ink}" stroke-width="1"` : "",
  ].join("");
  const slant = style.italic ? ` skewX(-14) translate(${round(line * 0.15)} 0)` : "";
  const turn = turned(style.rotation, cell / 2, line / 2);
  const glyph = escapeXml(character);
  return `<text transform="translate(${round(x)} 0)${turn}${slant}" y="${round(line * 0.75)}" ${look}>${glyph}</text>`;
}

/** A letter on its side would be wider than its cell, so it is drawn smaller. */
function turned(rotation: SpanStyle["rotation"], x: number, y: number): string {
  if (rotation === 0) return "";
  const size = rotation === 2 ? 1 : 0.6;
  return ` translate(${round(x)} ${round(y)}) rotate(${rotation * 90}) scale(${size}) translate(${round(-x)} ${round(-y)})`;
}

function drawBarcode(line: BarcodeLine, width: number): Drawn {
  const shape = barcodeShape(line);
  if (shape === null) return drawText(plainRow(`[${line.symbology} ${line.data}]`, width), width);
  const asked = line.symbology === "qr" ? Math.floor((line.heightMm * DOTS_PER_MM) / shape.width) : 2;
  const module = Math.max(1, Math.min(asked, Math.floor(width / shape.width)));
  const rowHeight = line.symbology === "qr" ? module : Math.min(400, Math.max(8, line.heightMm * DOTS_PER_MM));
  const left = offset(shape.width * module, width, line.alignment);
  const path = shape.bars
    .map(
      (bar) =>
        `M${left + bar.x * module} ${bar.y * rowHeight}h${bar.width * module}v${rowHeight}h-${bar.width * module}z`,
    )
    .join("");
  const height = shape.height * rowHeight;
  const caption = line.printText ? drawText(captionRow(line, width), width) : { svg: "", height: 0 };
  return {
    svg: `<path transform="translate(0 8)" d="${path}"/><g transform="translate(0 ${height + 10})">${caption.svg}</g>`,
    height: height + caption.height + 18,
  };
}

function captionRow(line: BarcodeLine, width: number): TextRow {
  const columns = Math.round(width / CELL);
  const text = barcodeText(line);
  return plainRow(" ".repeat(offset(text.length, columns, line.alignment)) + text, width);
}

function plainRow(text: string, width: number): TextRow {
  const columns = Math.round(width / CELL);
  return { type: "text", columns, spans: [{ text: text.slice(0, columns), style: plainSpan }] };
}

/** Draws a picture as black runs in each row of dots. */
function drawBitmap({ width, height, rows }: PaperBitmap, alignment: Alignment, paperWidth: number): Drawn {
  const stride = Math.ceil(width / 8);
  const isBlack = (x: number, y: number) => (((rows[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
  const runs: string[] = [];
  for (let y = 0; y < Math.min(height, MAX_HEIGHT); y++) {
    let start = -1;
    for (let x = 0; x <= width; x++) {
      const black = x < width && isBlack(x, y);
      if (black && start < 0) start = x;
      if (black || start < 0) continue;
      runs.push(`M${start} ${y}h${x - start}v1H${start}z`);
      start = -1;
    }
  }
  const left = offset(width, paperWidth, alignment);
  const path = `<path transform="translate(${left} 0)" shape-rendering="crispEdges" d="${runs.join("")}"/>`;
  return { svg: path, height: Math.min(height, MAX_HEIGHT) };
}

function offset(size: number, room: number, alignment: Alignment): number {
  const free = Math.max(0, room - size);
  return alignment === "left" ? 0 : alignment === "right" ? free : Math.floor(free / 2);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(character: string): string {
  return entities[character] ?? (/\p{C}/u.test(character) ? "" : character);
}
