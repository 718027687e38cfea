import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { type BarcodeShape, barcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import type { SpanStyle } from "@fiscald/shared/paper/layout.js";
import type { BarcodeLine, ImageLine, ItemLine, PaperLine, TextLine } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import type { Bitmap, PaperCapabilities } from "../fiscal-driver.js";

export interface PaperPart<Step> {
  readonly steps: readonly Step[];
  /** What the register cannot print, in sentences for the operator. */
  readonly warnings: readonly (string | FaultText)[];
}

/** The steps of a line, or the text that says why the line is left out. */
type Made<Step> = readonly Step[] | string | FaultText;

export interface PaperCompiler<Step> {
  readonly paper: PaperCapabilities | null;
  texts(texts: readonly TextLine[], name: string): PaperPart<Step>;
  barcode(line: BarcodeLine, shape: BarcodeShape, name: string): Made<Step>;
  /** Absent: the maker prints no pictures. Keys of `images` are those of `ImageLine.source`. */
  readonly images?: ReadonlyMap<string, Bitmap>;
  image?(line: ImageLine, bitmap: Bitmap, name: string): readonly Step[];
  readonly pictureOption?: string;
  frame(type: "header" | "footer" | "cut", name: string): Made<Step>;
}

/** `place` makes the names of steps and groups unique within a program. Equal warnings are given once. */
export function compilePaper<Step>(
  lines: readonly PaperLine[],
  place: string,
  compiler: PaperCompiler<Step>,
): PaperPart<Step> {
  const parts: PaperPart<Step>[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (line === undefined) break;
    const name = `${place} ${index + 1}`;
    const texts = joinedTexts(lines.slice(index));
    if (line.type === "text") parts.push(compiler.texts(texts, name));
    else {
      const made = otherLine(line, name, compiler);
      const isLeftOut = typeof made === "string" || "en" in made;
      parts.push(isLeftOut ? { steps: [], warnings: [made] } : { steps: made, warnings: [] });
    }
    index += Math.max(1, texts.length);
  }
  return joined(parts);
}

function otherLine<Step>(line: Exclude<PaperLine, TextLine>, name: string, compiler: PaperCompiler<Step>): Made<Step> {
  const { paper, images, pictureOption } = compiler;
  if (line.type === "barcode") {
    const { symbology } = line;
    const shape = barcodeShape(line);
    if (shape === null) return `the data does not fit the ${symbology} bar code: left out`;
    const isKnown = paper?.barcodes.includes(symbology) === true;
    return isKnown ? compiler.barcode(line, shape, name) : `the register has no ${symbology} bar code: left out`;
  }
  if (line.type !== "image") return compiler.frame(line.type, name);
  const limit = paper?.image ?? null;
  const bitmap = images?.get(line.source);
  const option = pictureOption === undefined ? "" : ` (option \`${pictureOption}\`)`;
  if (limit === null) return `the register prints no pictures${option}: left out`;
  if (bitmap === undefined) return unfitTexts.noPicture(line.source);
  return bitmap.width > limit.maxWidth || bitmap.height > limit.maxHeight
    ? `the picture ${line.source} is too large for the register: left out`
    : (compiler.image?.(line, bitmap, name) ?? []);
}

/** Neighbouring texts share a row when all but the last have `newLine: false`. */
function joinedTexts(lines: readonly PaperLine[]): readonly TextLine[] {
  const texts: TextLine[] = [];
  for (const line of lines) {
    if (line.type !== "text") break;
    texts.push(line);
    if (line.style.newLine) break;
  }
  return texts;
}

export function compileLines<Step>(
  lines: readonly (ItemLine | PaperLine)[],
  compiler: {
    paper(lines: readonly PaperLine[], name: string): PaperPart<Step>;
    item(line: ItemLine, place: { readonly name: string; readonly path: string }): readonly Step[];
  },
): PaperPart<Step> {
  const parts: PaperPart<Step>[] = [];
  let paper: PaperLine[] = [];
  let items = 0;
  const flush = () => {
    parts.push(compiler.paper(paper, `paper ${items + 1}`));
    paper = [];
  };
  for (const line of lines) {
    if (line.type !== "item") {
      paper.push(line);
      continue;
    }
    flush();
    const steps = compiler.item(line, { name: `item ${items + 1}`, path: `items[${items}]` });
    parts.push({ steps, warnings: [] });
    items += 1;
  }
  flush();
  return joined(parts);
}

function joined<Step>(parts: readonly PaperPart<Step>[]): PaperPart<Step> {
  const warnings = new Map(parts.flatMap((part) => part.warnings.map((one) => [JSON.stringify(one), one])));
  return { steps: parts.flatMap((part) => part.steps), warnings: [...warnings.values()] };
}

export function looksOf(style: Omit<SpanStyle, "doubleWidth">): readonly string[] {
  const { bold, italic, doubleHeight, underline, overline, negative, rotation } = style;
  const looks = { bold, italic, doubleHeight, underline, overline, negative, rotation: rotation !== 0 };
  return Object.entries(looks).flatMap(([name, on]) => (on ? [name] : []));
}

export function printedPlain(looks: Iterable<string>): readonly string[] {
  return [...looks].map((look) => `the register has no ${look} text: printed plain`);
}

/** Texts in the register's characters. This precedes the layout, because some characters become several. */
export function spelled(texts: readonly TextLine[], spell: (row: string) => string): readonly TextLine[] {
  return texts.map((line): TextLine => {
    if (line.content.kind !== "text") return line;
    const rows = line.content.text.split(/\r?\n|\r/);
    return { ...line, content: { kind: "text", text: rows.map(spell).join("\n") } };
  });
}

const MAX_ROWS = 100;

/**
 * Limits how many rows of text one document may have drawn as pictures. Each row is at least a kilobyte on the wire and
 * a second of printing, and a receipt that is paid must not wait minutes for its style.
 */
export class DrawingBudget {
  private left = MAX_ROWS;

  take(rows: number): boolean {
    if (rows > this.left) return false;
    this.left -= rows;
    return true;
  }
}

export const budgetSpent = `more than ${MAX_ROWS} rows of drawn text in one document: the rest is printed plain`;
