import { layoutTexts, type PaperBitmap } from "@fiscald/shared/paper/layout.js";
import { loadTextPainter } from "@fiscald/shared/paper/paint-text.js";
import { plainStyle, type TextLine, type TextStyle } from "@fiscald/shared/receipt/receipt.js";

const WIDTH = 384;
const columns = [32, 16, 24];

function text(content: string, look: Partial<TextStyle> = {}): TextLine {
  return { type: "text", content: { kind: "text", text: content }, style: { ...plainStyle, ...look } };
}

async function paint(...lines: readonly TextLine[]): Promise<PaperBitmap> {
  const paintText = await loadTextPainter();
  return paintText(
    layoutTexts(lines, (font) => columns[font] ?? 32),
    WIDTH,
  );
}

function isBlack({ width, rows }: PaperBitmap, x: number, y: number): boolean {
  return ((rows[y * Math.ceil(width / 8) + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0;
}

interface Ink {
  readonly count: number;
  readonly left: number;
  readonly right: number;
  /** The black dots of each row. */
  readonly rows: readonly number[];
}

function inkOf(bitmap: PaperBitmap): Ink {
  let [left, right] = [bitmap.width, -1];
  const rows = Array.from({ length: bitmap.height }, (_, y) => {
    let count = 0;
    for (let x = 0; x < bitmap.width; x += 1) {
      if (!isBlack(bitmap, x, y)) continue;
      count += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
    }
    return count;
  });
  return { count: rows.reduce((sum, count) => sum + count, 0), left, right, rows };
}

const WORD = "Проба gЩ";
const WORD_DOTS = 8 * 12;

test("a plain painted row is two cells high and as wide as the paper, with the same dots every time", async () => {
  const bitmap = await paint(text(WORD));
  expect([bitmap.width, bitmap.height]).toEqual([WIDTH, 24]);
  expect(inkOf(bitmap).right).toBeLessThan(WORD_DOTS);
  expect(await paint(text(WORD))).toEqual(bitmap);
});

test("bold painted letters have all dots of the plain letters, and more", async () => {
  const [plain, bold] = [await paint(text(WORD)), await paint(text(WORD, { bold: true }))];
  expect(inkOf(bold).count).toBeGreaterThan(inkOf(plain).count * 1.3);
  let lost = 0;
  for (let y = 0; y < 24; y += 1)
    for (let x = 0; x < WIDTH; x += 1) if (isBlack(plain, x, y) && !isBlack(bold, x, y)) lost += 1;
  expect(lost).toBe(0);
});

test("italic painted letters lean to the right", async () => {
  const middle = (bitmap: PaperBitmap, from: number, to: number) => {
    let [sum, count] = [0, 0];
    for (let y = from; y < to; y += 1)
      for (let x = 0; x < WIDTH; x += 1)
        if (isBlack(bitmap, x, y)) {
          sum += x;
          count += 1;
        }
    return sum / count;
  };
  const lean = (bitmap: PaperBitmap) => middle(bitmap, 0, 11) - middle(bitmap, 11, 24);
  const straight = await paint(text("IIIIIIII"));
  const italic = await paint(text("IIIIIIII", { italic: true }));
  expect(lean(italic) - lean(straight)).toBeGreaterThan(1);
});

test("a painted line under or over a text is as wide as the text and does not change the letters", async () => {
  const plain = inkOf(await paint(text(WORD)));
  const under = inkOf(await paint(text(WORD, { underline: true })));
  const over = inkOf(await paint(text(WORD, { overline: true })));
  expect(under.rows[23]).toBe(WORD_DOTS);
  expect(over.rows[0]).toBe(WORD_DOTS);
  expect(under.rows.slice(0, 20)).toEqual(plain.rows.slice(0, 20));
  expect(over.rows.slice(4)).toEqual(plain.rows.slice(4));
});

test("a negative painted text is the plain picture with black and white exchanged", async () => {
  const [plain, negative] = [await paint(text(WORD)), await paint(text(WORD, { negative: true }))];
  for (let y = 0; y < 24; y += 1)
    for (let x = 0; x < WORD_DOTS; x += 1) expect(isBlack(negative, x, y)).toBe(!isBlack(plain, x, y));
  expect(inkOf(negative).right).toBe(WORD_DOTS - 1);
});

test("a painted text of double height has every row of dots twice", async () => {
  const [plain, tall] = [await paint(text(WORD)), await paint(text(WORD, { doubleHeight: true }))];
  expect(inkOf(tall).rows).toEqual(inkOf(plain).rows.flatMap((count) => [count, count]));
});

test("a text painted in four quarter turns gives four pictures, and half a turn keeps all black dots", async () => {
  const turned = await Promise.all(([0, 1, 2, 3] as const).map((rotation) => paint(text(WORD, { rotation }))));
  expect(new Set(turned.map(({ rows }) => Buffer.from(rows).toString("hex"))).size).toBe(4);
  const [upright, , upsideDown] = turned.map((bitmap) => inkOf(bitmap).count);
  expect(Math.abs((upright ?? 0) - (upsideDown ?? 0))).toBeLessThan((upright ?? 0) * 0.1);
});

test("a text in a larger font is painted larger", async () => {
  const sizes = await Promise.all(([0, 2, 1] as const).map((font) => paint(text("Щ", { font }))));
  expect(sizes.map(({ height }) => height)).toEqual([24, 32, 48]);
  const inks = sizes.map((bitmap) => inkOf(bitmap).count);
  expect(inks).toEqual([...inks].sort((a, b) => a - b));
});

test("a text in a wide font is painted with every column of dots twice, in the same height", async () => {
  const paintText = await loadTextPainter();
  const columnsOf = () => 16;
  const wide = paintText(
    layoutTexts([text("ЩИ")], columnsOf, () => true),
    WIDTH,
  );
  const plain = await paint(text("ЩИ"));
  expect(wide.height).toBe(24);
  for (let y = 0; y < 24; y += 1)
    for (let x = 0; x < 48; x += 1) expect(isBlack(wide, x, y)).toBe(isBlack(plain, x >> 1, y));
});

test("alignment moves the letters of a painted text, and its margin stays white", async () => {
  const look = { negative: true, underline: true };
  const places = await Promise.all(
    (["left", "center", "right"] as const).map(async (alignment) => {
      const { left, right } = inkOf(await paint(text(WORD, { ...look, alignment })));
      return [left, right];
    }),
  );
  expect(places).toEqual([
    [0, 95],
    [144, 239],
    [288, 383],
  ]);
});

test("letters of two fonts in one painted row stand on the same base line", async () => {
  const bitmap = await paint(text("И", { newLine: false }), text("И", { font: 1 }));
  expect(bitmap.height).toBe(48);
  const bottom = (from: number, to: number) => {
    let last = -1;
    for (let y = 0; y < 48; y += 1) for (let x = from; x < to; x += 1) if (isBlack(bitmap, x, y)) last = y;
    return last;
  };
  const [small, large] = [bottom(0, 12), bottom(12, 36)];
  expect(small).toBeGreaterThan(36);
  expect(Math.abs(48 - small - (48 - large) / 2)).toBeLessThanOrEqual(2);
});

test("an empty row and a letter that the font lacks are painted at a row's height", async () => {
  expect((await paint(text(""))).height).toBe(24);
  expect((await paint(text("\u{10ffff}х"))).height).toBe(24);
});
