import { barcodeShape } from "@fiscald/shared/paper/barcode-shape.js";
import { layoutTexts, type PaperRow } from "@fiscald/shared/paper/layout.js";
import { renderPng } from "@fiscald/shared/paper/rasterizer.js";
import { renderSvg, renderText } from "@fiscald/shared/paper/render.js";
import { type BarcodeLine, plainStyle, type TextStyle } from "@fiscald/shared/receipt/receipt.js";

const paper = { columns: 32 };

function rowsOf(content: string, look: Partial<TextStyle> = {}): readonly PaperRow[] {
  const style = { ...plainStyle, ...look };
  const columnsOf = (font: number) => (font === 0 ? 32 : 16);
  return layoutTexts([{ type: "text", content: { kind: "text", text: content }, style }], columnsOf);
}

function barcode(facts: Partial<BarcodeLine>): BarcodeLine {
  return { type: "barcode", symbology: "qr", data: "x", heightMm: 20, printText: false, alignment: "left", ...facts };
}

/** Reads width and height from the IHDR chunk. */
function sizeOf(png: Uint8Array): { width: number; height: number } {
  const view = new DataView(png.buffer, png.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

describe("paper as text", () => {
  test("paper as text has one line per row, with notes for bar codes, pictures and cuts of the paper", () => {
    const rows: readonly PaperRow[] = [
      ...rowsOf("Чай"),
      barcode({ symbology: "ean13", data: "4601234567893" }),
      { type: "image", bitmap: { width: 8, height: 2, rows: Uint8Array.of(1, 2) }, alignment: "left" },
      { type: "cut" },
    ];
    expect(renderText(rows, { columns: 4 })).toBe("Чай\n[ean13 4601234567893]\n[picture 8x2]\n- -\n");
  });

  test("paper as text shows a picture that came row by row as one picture", () => {
    const row = (width: number, height: number): PaperRow => ({
      type: "image",
      bitmap: { width, height, rows: new Uint8Array((width / 8) * height) },
      alignment: "left",
    });
    const rows = [row(8, 2), row(8, 3), row(16, 1), ...rowsOf("Чай"), row(16, 1)];
    expect(renderText(rows, paper)).toBe("[picture 8x5]\n[picture 16x1]\nЧай\n[picture 16x1]\n");
  });

  test("paper as text keeps the newest 2000 rows of a very long paper", () => {
    const rows = Array.from({ length: 2050 }, (_, index) => rowsOf(`row ${index}`)).flat();
    const lines = renderText(rows, paper).trimEnd().split("\n");
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([2000, "row 50", "row 2049"]);
  });
});

describe("paper as a picture", () => {
  test("paper as a picture is a PNG of twelve dots per column", async () => {
    const png = await renderPng(rowsOf("Чай"), paper);
    expect([...png.subarray(1, 4)]).toEqual([..."PNG"].map((letter) => letter.charCodeAt(0)));
    expect(sizeOf(png)).toEqual({ width: 32 * 12 + 24, height: 48 });
  });

  test("paper as a picture has Cyrillic and Latin letters, each with a shape of its own", async () => {
    const pictures = await Promise.all(
      ["Щ", "Ы", "W", "M", "№", "₽", " "].map((letter) => renderPng(rowsOf(letter), paper)),
    );
    expect(new Set(pictures.map((png) => Buffer.from(png).toString("base64"))).size).toBe(pictures.length);
  });

  const styles: readonly [string, Partial<TextStyle>][] = [
    ["bold", { bold: true }],
    ["italic", { italic: true }],
    ["double height", { doubleHeight: true }],
    ["underline", { underline: true }],
    ["overline", { overline: true }],
    ["negative", { negative: true }],
    ["a quarter turn", { rotation: 1 }],
    ["a half turn", { rotation: 2 }],
    ["three quarter turns", { rotation: 3 }],
    ["a wider font", { font: 1 }],
    ["centring", { alignment: "center" }],
    ["right alignment", { alignment: "right" }],
  ];

  test("every style of a text changes the picture of the paper in its own way", async () => {
    const looks = [{}, ...styles.map(([, look]) => look)];
    const pictures = await Promise.all(looks.map((look) => renderPng(rowsOf("Чай", look), paper)));
    expect(new Set(pictures.map((png) => Buffer.from(png).toString("base64"))).size).toBe(looks.length);
  });

  test("markup in a text stays text in the picture of the paper", () => {
    const svg = renderSvg(rowsOf("<b>&\"'"), paper);
    expect(svg).not.toContain("<b>");
    expect(svg).toContain("&lt;");
    expect(svg).toContain("&amp;");
  });

  test("control characters in a register's raw row do not hinder the picture of the paper", async () => {
    const rows: readonly PaperRow[] = [
      { type: "text", columns: 32, spans: [{ text: "a\u0000\u001bb", style: { ...spanOf() } }] },
    ];
    await expect(renderPng(rows, paper)).resolves.toBeDefined();
  });

  test("the picture of a very long paper stays below a size that memory can hold", async () => {
    const rows = Array.from({ length: 3000 }, () => rowsOf("a", { doubleHeight: true })).flat();
    const svg = renderSvg(rows, paper);
    const height = Number(/height="(\d+)"/.exec(svg)?.[1]);
    expect(height).toBeGreaterThan(10_000);
    expect(height).toBeLessThanOrEqual(20_100);
  });

  test("a picture on the paper is drawn dot by dot", () => {
    const bitmap = { width: 10, height: 2, rows: Uint8Array.of(0b11000000, 0b01000000, 0, 0) };
    const svg = renderSvg([{ type: "image", bitmap, alignment: "left" }], paper);
    expect(svg).toContain('d="M0 0h2v1H0zM9 0h1v1H9z"');
  });

  test("a barcode with impossible data is drawn as text", async () => {
    const bad = renderSvg([barcode({ symbology: "ean13", data: "12" })], paper);
    expect(bad).toContain("<text");
    expect(bad).not.toContain("<path");
  });

  test("a barcode on the paper has its text below only when the order asks for it", () => {
    const line = barcode({ symbology: "ean13", data: "4601234567893" });
    expect(renderSvg([line], paper)).not.toContain("<text");
    expect(renderSvg([{ ...line, printText: true }], paper)).toContain("<text");
    const twelve = barcode({ symbology: "ean13", data: "460123456789", printText: true });
    expect(renderSvg([twelve], paper)).toBe(renderSvg([{ ...line, printText: true }], paper));
  });

  test("a barcode of any length and height ends within the paper's edge", () => {
    const svg = renderSvg([barcode({ data: "x".repeat(1000), heightMm: 200, alignment: "right" })], paper);
    const ends = [...svg.matchAll(/M(\d+) \d+h(\d+)/g)].map(([, start, width]) => Number(start) + Number(width));
    expect(Math.max(...ends)).toBe(32 * 12);
  });
});

describe("the shape of a barcode", () => {
  test("the shape of an EAN-13 barcode is 95 modules wide, with guard bars at its edges", () => {
    const shape = barcodeShape({ symbology: "ean13", data: "4601234567893" });
    expect(shape?.width).toBe(95);
    expect(shape?.bars.slice(0, 2)).toEqual([
      { x: 0, y: 0, width: 1 },
      { x: 2, y: 0, width: 1 },
    ]);
    expect(shape?.bars.at(-1)).toEqual({ x: 94, y: 0, width: 1 });
  });

  test.each([
    ["a wrong check digit", { symbology: "ean13", data: "4601234567890" }],
    ["letters in an EAN-13", { symbology: "ean13", data: "46012345678AB" }],
    ["small letters in a Code39", { symbology: "code39", data: "abc" }],
    ["more than a QR code can hold", { symbology: "qr", data: "x".repeat(5000) }],
  ] as const)("a barcode with %s has no shape", (_title, line) => {
    expect(barcodeShape(line)).toBeNull();
  });
});

function spanOf() {
  const [row] = rowsOf("a");
  if (row?.type !== "text" || row.spans[0] === undefined) throw new Error("no span");
  return row.spans[0].style;
}
