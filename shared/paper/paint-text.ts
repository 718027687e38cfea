/** Draws lines of text as pictures, for a register without a font in the style that an order asks for. */
import type { PaperBitmap, SpanStyle, TextRow } from "./layout.js";
import { loadRasterizer, type Rasterizer } from "./rasterizer.js";
import { drawGlyph, LINE_PER_CELL, type PlacedSpan, placeSpans } from "./render.js";

/** Pure: the same rows give the same dots. The picture is `width` dots wide; characters are whole dots wide. */
export type PaintText = (rows: readonly TextRow[], width: number) => PaperBitmap;

/** Loads the renderer and its font (2 MB) on first use. Rejects where they are not installed. */
export async function loadTextPainter(): Promise<PaintText> {
  const glyphs = glyphStore(await loadRasterizer());
  return (rows, width) => paintRows(rows, width, glyphs);
}

/** A letter's dots in a box that reaches half a cell over both sides of its cell, as slanted and bold letters do. */
interface Glyph {
  readonly width: number;
  readonly black: readonly { readonly x: number; readonly y: number }[];
}

interface GlyphRequest {
  readonly character: string;
  readonly cell: number;
  readonly style: SpanStyle;
}

type Glyphs = (wanted: readonly GlyphRequest[]) => (request: GlyphRequest) => Glyph;

function paintRows(rows: readonly TextRow[], width: number, glyphs: Glyphs): PaperBitmap {
  const placed = rows.map((row) => placeSpans(row, (columns) => Math.max(1, Math.floor(width / columns))));
  const glyphOf = glyphs(placed.flatMap(({ spans }) => spans.flatMap(requestsOf)));
  const height = placed.reduce((sum, { height }) => sum + height, 0);
  const bitmap = { width, height, rows: new Uint8Array(Math.ceil(width / 8) * height) };
  let top = 0;
  for (const { spans, height } of placed) {
    for (const span of spans) paintSpan(bitmap, span, top + span.y, glyphOf);
    top += height;
  }
  return bitmap;
}

function requestsOf({ text, cell, style }: PlacedSpan): readonly GlyphRequest[] {
  return [...text].map((character) => ({ character, cell, style }));
}

function paintSpan(
  bitmap: PaperBitmap,
  span: PlacedSpan,
  top: number,
  glyphOf: (request: GlyphRequest) => Glyph,
): void {
  const { style, x, cell, height } = span;
  const wide = style.doubleWidth ? 2 : 1;
  const tall = style.doubleHeight ? 2 : 1;
  const characters = requestsOf(span);
  const width = characters.length * cell * wide;
  const ink = !style.negative;
  if (style.negative) fill(bitmap, x, top, width, height, true);
  for (const [index, request] of characters.entries()) {
    const glyph = glyphOf(request);
    const left = x + (index * cell - (glyph.width - cell) / 2) * wide;
    for (const dot of glyph.black) fill(bitmap, left + dot.x * wide, top + dot.y * tall, wide, tall, ink);
  }
  const thickness = Math.max(1, Math.round(cell / 8)) * tall;
  if (style.underline) fill(bitmap, x, top + height - thickness, width, thickness, ink);
  if (style.overline) fill(bitmap, x, top, width, thickness, ink);
}

function fill(paper: PaperBitmap, left: number, top: number, width: number, height: number, black: boolean): void {
  const stride = Math.ceil(paper.width / 8);
  const [right, bottom] = [Math.min(left + width, paper.width), Math.min(top + height, paper.height)];
  for (let y = Math.max(top, 0); y < bottom; y += 1) {
    for (let x = Math.max(left, 0); x < right; x += 1) {
      const at = y * stride + (x >> 3);
      const bit = 0x80 >> (x & 7);
      const byte = paper.rows[at] ?? 0;
      paper.rows[at] = black ? byte | bit : byte & ~bit;
    }
  }
}

const MAX_KEPT = 4000;
/** A grey that is lighter than this (0 to 255) is white; the value keeps thin strokes whole. */
const THRESHOLD = 160;
const NO_DOTS: Glyph = { width: 0, black: [] };

/** Keeps drawn letters, because the renderer takes about a millisecond for each. */
function glyphStore(rasterizer: Rasterizer): Glyphs {
  const kept = new Map<string, Glyph>();
  return (wanted) => {
    const missing = new Map(wanted.map((request) => [keyOf(request), request] as const));
    for (const key of kept.keys()) missing.delete(key);
    if (kept.size + missing.size > MAX_KEPT) {
      kept.clear();
      for (const request of wanted) missing.set(keyOf(request), request);
    }
    for (const [key, glyph] of drawGlyphs(rasterizer, [...missing])) kept.set(key, glyph);
    return (request) => kept.get(keyOf(request)) ?? NO_DOTS;
  };
}

function keyOf({ character, cell, style }: GlyphRequest): string {
  return [character, cell, style.bold, style.italic, style.rotation].join("|");
}

/** Draws all letters of one size in one picture, each letter in a box of its own. */
function drawGlyphs(
  rasterizer: Rasterizer,
  missing: readonly (readonly [key: string, request: GlyphRequest])[],
): readonly (readonly [key: string, glyph: Glyph])[] {
  const sizes = new Set(missing.map(([, { cell }]) => cell));
  return [...sizes].flatMap((cell) => {
    const same = missing.filter(([, request]) => request.cell === cell);
    const box = boxOf(cell);
    const letters = same.map(([, { character, style }], index) =>
      drawGlyph(character, style, { x: index * box + (box - cell) / 2, cell, ink: "#000" }),
    );
    const [width, height] = [same.length * box, cell * LINE_PER_CELL];
    const { rgba } = rasterizer.pixels(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${letters.join("")}</svg>`,
    );
    return same.map(([key], index) => {
      const black: { x: number; y: number }[] = [];
      for (let y = 0; y < height; y += 1) {
        for (let x = 0; x < box; x += 1) {
          if ((rgba[(y * width + index * box + x) * 4] ?? 255) < THRESHOLD) black.push({ x, y });
        }
      }
      return [key, { width: box, black }] as const;
    });
  });
}

/** About two cells in whole dots: the cell and half a cell on each side. */
function boxOf(cell: number): number {
  return cell + 2 * Math.ceil(cell / 2);
}
