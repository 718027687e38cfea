/** Pictures and drawn texts as steps (Shtrih-M protocol, 7.4). */
import type { Alignment, ImageLine } from "@fiscald/shared/receipt/receipt.js";
import type { Bitmap } from "../../fiscal-driver.js";
import { commands } from "../protocol/commands.js";
import { GRAPHICS_LINE_BYTES, GRAPHICS_LINES, type RegisterFacts } from "../protocol/models.js";
import { type PaperContext, type ShtrihStep, send } from "./steps.js";

/** Lines in one C4h (load graphics) on models with the flag for several: 247 bytes, below the 255 of every link. */
const LINES_A_LOAD = 6;

export function imageSteps(
  { alignment }: ImageLine,
  bitmap: Bitmap,
  name: string,
  context: PaperContext,
): readonly ShtrihStep[] {
  const lineDots = GRAPHICS_LINE_BYTES * 8;
  return loadAndPrint(rowsOf(bitmap, offsetOf(alignment, lineDots, bitmap.width), lineDots), name, context);
}

/**
 * A picture that fits the register's graphics lines is loaded and printed as a whole. A wider picture is sent row by
 * row: equal rows are one command, and nothing is written to the register's memory.
 */
export function drawnSteps(bitmap: Bitmap, name: string, context: PaperContext): readonly ShtrihStep[] {
  const rows = rowsOf(bitmap, 0, context.facts.printWidth);
  const inked = Math.max(...rows.map((row) => row.findLastIndex((byte) => byte !== 0) + 1), 0);
  if (inked === 0 || inked > GRAPHICS_LINE_BYTES) {
    const bytes = context.facts.parameters.graphicsLineBytes ?? 0;
    // Rows are as long as the line width in F7h (model parameters), if that is enough; the paper may be wider.
    return dotLines(inked <= bytes ? rows.map((row) => row.subarray(0, bytes)) : rows, name, context);
  }
  const lines = rows.map((row) => Uint8Array.from({ length: GRAPHICS_LINE_BYTES }, (_, at) => row[at] ?? 0));
  const parts: ShtrihStep[] = [];
  for (let first = 0; first < lines.length; first += GRAPHICS_LINES) {
    const partName = first === 0 ? name : `${name} from row ${first + 1}`;
    parts.push(...loadAndPrint(lines.slice(first, first + GRAPHICS_LINES), partName, context));
  }
  return parts;
}

/** By C4h (load) and C3h (print), from line 1 on, so that no more memory is written than needed. */
function loadAndPrint(
  lines: readonly Uint8Array[],
  name: string,
  { facts, password }: PaperContext,
): readonly ShtrihStep[] {
  const options = { optional: true, group: name };
  const step = facts.parameters.has("graphicsBlocks") ? LINES_A_LOAD : 1;
  const steps: ShtrihStep[] = [];
  for (let at = 0; at < lines.length; at += step) {
    const dots = Buffer.concat(lines.slice(at, at + step).map((line) => registerDots(line, facts)));
    const request = commands.loadGraphicsLine.encode({ password, line: at + 1, dots });
    steps.push(send(`${name} line ${at + 1}`, request, options));
  }
  const withFlags = facts.parameters.has("graphicsFlags");
  const print = commands.printGraphics.encode({ password, first: 1, last: lines.length, withFlags });
  return [...steps, send(name, print, options)];
}

/** By C5h (repeated graphics line), row by row. */
function dotLines(rows: readonly Uint8Array[], name: string, { facts, password }: PaperContext): readonly ShtrihStep[] {
  const withFlags = facts.parameters.has("graphicsFlags");
  const steps: ShtrihStep[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] ?? new Uint8Array();
    let repeats = 1;
    while (at + repeats < rows.length && Buffer.from(row).equals(rows[at + repeats] ?? row.subarray(1))) repeats += 1;
    const request = commands.printDotLine.encode({ password, repeats, dots: registerDots(row, facts), withFlags });
    steps.push(send(`${name} row ${at + 1}`, request, { optional: true, group: name }));
    at += repeats;
  }
  return steps;
}

function rowsOf(bitmap: Bitmap, left: number, width: number): readonly Uint8Array[] {
  const stride = Math.ceil(bitmap.width / 8);
  return Array.from({ length: bitmap.height }, (_, y) => {
    const row = new DotRow(width);
    if (left === 0) {
      row.bytes.set(bitmap.rows.subarray(y * stride, (y + 1) * stride));
      return row.bytes;
    }
    for (let x = 0; x < bitmap.width; x += 1) {
      const byte = bitmap.rows[y * stride + (x >> 3)] ?? 0;
      if ((byte & (0x80 >> (x & 7))) !== 0) row.fill(left + x, 1);
    }
    return row.bytes;
  });
}

/** Most significant bit first. */
export class DotRow {
  readonly bytes: Uint8Array;

  constructor(width: number) {
    this.bytes = new Uint8Array(Math.ceil(width / 8));
  }

  fill(start: number, count: number): void {
    for (let x = start; x < start + count; x += 1) this.bytes[x >> 3] = (this.bytes[x >> 3] ?? 0) | (0x80 >> (x & 7));
  }
}

export function offsetOf(alignment: Alignment, paper: number, width: number): number {
  const free = Math.max(0, paper - width);
  return alignment === "left" ? 0 : alignment === "right" ? free : Math.floor(free / 2);
}

/** Flag 26 of F7h: the register wants the bits of each byte in reverse order. */
export function registerDots(dots: Uint8Array, { parameters }: RegisterFacts): Uint8Array {
  return parameters.has("swapGraphicsBits") ? dots.map(reverseBits) : dots;
}

function reverseBits(byte: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit += 1) if ((byte & (1 << bit)) !== 0) reversed |= 0x80 >> bit;
  return reversed;
}
