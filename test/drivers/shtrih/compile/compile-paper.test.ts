import type { Bitmap } from "@fiscald/drivers/fiscal-driver.js";
import { unknownModelParameters } from "@fiscald/drivers/shtrih/protocol/model-parameters.js";
import type { PaintText } from "@fiscald/shared/paper/paint-text.js";
import type { BarcodeLine, PaperLine } from "@fiscald/shared/receipt/receipt.js";
import { compileFor, facts, listing, type Over, sale, service, tea, text } from "../compile-bench.js";

/** Three rows of four dots at the left edge. */
const paintText: PaintText = (_rows, width) => {
  const rows = new Uint8Array((width / 8) * 3);
  for (const [y, byte] of [0xf0, 0x90, 0x90].entries()) rows[(y * width) / 8] = byte;
  return { width, height: 3, rows };
};
const PASSWORD = "1E 00 00 00";
const program = (lines: readonly PaperLine[], over: Over = {}) => compileFor(service(...lines), over)[0];
const printed = (lines: readonly PaperLine[], over: Over = {}) => listing(program(lines, over)).slice(1);

const code: BarcodeLine = {
  type: "barcode",
  symbology: "code39",
  data: "A1",
  heightMm: 10,
  printText: false,
  alignment: "left",
};

describe("texts for Shtrih-M", () => {
  test("texts for Shtrih-M go out row by row in the font asked for, or the nearest smaller number", () => {
    expect(printed([text("да"), text("да", { font: 1 }), text("да", { font: 3 })])).toEqual([
      `paper 1 1 row 1: 2F ${PASSWORD} 02 01 E4 E0`,
      `paper 1 2 row 1: 2F ${PASSWORD} 02 02 E4 E0`,
      `paper 1 3 row 1: 2F ${PASSWORD} 02 02 E4 E0`,
    ]);
  });

  test("bold texts for Shtrih-M go out by the bold command, wrapped to its wider letters", () => {
    const rows = printed([text("семнадцать знаков", { bold: true })]);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^paper 1 1 row 1: 12 1E 00 00 00 02 F1 E5 EC/);
    expect(rows[0]?.split(" ").slice(5)).toHaveLength(26);
  });

  test("a bold text longer than the 20 bytes of Shtrih-M's bold command goes out in that command's font", () => {
    const wide = { fonts: [{ columns: 48 }, { columns: 24 }] };
    const [row] = printed([text("а".repeat(24), { bold: true })], { facts: wide });
    expect(row).toBe(`paper 1 1 row 1: 2F ${PASSWORD} 02 02${" E0".repeat(24)}`);
  });

  test("a text for Shtrih-M with a character that becomes several is laid out as it is printed", () => {
    const [row, ...others] = printed([text("26.60 ₽", { alignment: "right" })]);
    expect(others).toEqual([]);
    expect(row).toBe(`paper 1 1 row 1: 2F ${PASSWORD} 02 01${" 20".repeat(22)} 32 36 2E 36 30 20 F0 F3 E1 2E`);
  });

  test("an empty text for Shtrih-M is a row of one space", () => {
    expect(printed([text("")])).toEqual([`paper 1 1 row 1: 2F ${PASSWORD} 02 01 20`]);
  });

  test("texts for Shtrih-M that share a row are sent as one", () => {
    expect(printed([text("а", { newLine: false }), text("б"), text("в")])).toEqual([
      `paper 1 1 row 1: 2F ${PASSWORD} 02 01 E0 E1`,
      `paper 1 3 row 1: 2F ${PASSWORD} 02 01 E2`,
    ]);
  });

  test("a full line for Shtrih-M fills the columns of the register", () => {
    const trait = { ...text(""), content: { kind: "trait" } } as const;
    expect(
      printed([trait])[0]
        ?.split(" ")
        .filter((byte) => byte === "3D"),
    ).toHaveLength(32);
  });

  test("a Shtrih-M without graphics prints looks plain, with one warning for each look", () => {
    const over = { facts: { parameters: unknownModelParameters }, context: { paintText } };
    const lines = [text("а", { italic: true, underline: true }), text("б", { italic: true, rotation: 1 })];
    expect(program(lines, over)?.warnings).toEqual([
      "the register has no italic text: printed plain",
      "the register has no underline text: printed plain",
      "the register has no rotation text: printed plain",
    ]);
    expect(printed(lines, over)).toEqual([
      `paper 1 1 row 1: 2F ${PASSWORD} 02 01 E0`,
      `paper 1 2 row 1: 2F ${PASSWORD} 02 01 E1`,
    ]);
    expect(
      program(lines, over)
        ?.steps.slice(1)
        .every((step) => step.optional === true),
    ).toBe(true);
  });

  test("a Shtrih-M driver without a painter prints looks plain, with a warning", () => {
    expect(program([text("а", { italic: true })])?.warnings).toEqual([
      "the register has no italic text: printed plain",
    ]);
  });

  test("a bold text in a larger font keeps its font on a Shtrih-M that cannot draw it", () => {
    const result = printed([text("да", { font: 1, bold: true })]);
    expect(result).toEqual([`paper 1 1 row 1: 2F ${PASSWORD} 02 02 E4 E0`]);
    expect(program([text("да", { font: 1, bold: true })])?.warnings).toEqual([
      "the register has no bold text: printed plain",
    ]);
  });

  test("texts of several fonts in one row are in the first one's font on a Shtrih-M that cannot draw them", () => {
    const lines = [text("а", { newLine: false }), text("б", { font: 1 })];
    expect(printed(lines)).toEqual([`paper 1 1 row 1: 2F ${PASSWORD} 02 01 E0 E1`]);
    expect(program(lines)?.warnings).toEqual([
      "the register has one font for a row: texts that share one are in that of the first",
    ]);
  });

  test("a row with the maximum line spacing is followed by an empty one on Shtrih-M", () => {
    expect(printed([text("да", { maxLineSpacing: true }), text("да")])).toEqual([
      `paper 1 1 row 1: 2F ${PASSWORD} 02 01 E4 E0`,
      `paper 1 1 row 2: 2F ${PASSWORD} 02 01 20`,
      `paper 1 2 row 1: 2F ${PASSWORD} 02 01 E4 E0`,
    ]);
  });
});

describe("texts that the fonts of a Shtrih-M cannot do", () => {
  const draw = (lines: readonly PaperLine[], over: Over = {}) =>
    printed(lines, { ...over, context: { paintText, ...over.context } });

  test.each<[string, readonly PaperLine[]]>([
    ["one look", [text("а", { italic: true })]],
    ["bold in another font than the bold one", [text("а", { bold: true, font: 1 })]],
    ["bold beside plain in one row", [text("а", { bold: true, newLine: false }), text("б")]],
    ["two fonts in one row", [text("а", { newLine: false }), text("б", { font: 1 })]],
  ])("a text that Shtrih-M's fonts cannot do is loaded line by line and printed as one group: %s", (_title, lines) => {
    const steps = draw(lines);
    expect(steps).toEqual([
      `paper 1 1 line 1: C4 ${PASSWORD} 01 00 0F${" 00".repeat(39)}`,
      `paper 1 1 line 2: C4 ${PASSWORD} 02 00 09${" 00".repeat(39)}`,
      `paper 1 1 line 3: C4 ${PASSWORD} 03 00 09${" 00".repeat(39)}`,
      `paper 1 1: C3 ${PASSWORD} 01 00 03 00 02`,
    ]);
    const made = program(lines, { context: { paintText } });
    expect(made?.warnings).toEqual([]);
    expect(new Set(made?.steps.slice(1).map(({ group, optional }) => `${group} ${optional}`))).toEqual(
      new Set(["paper 1 1 true"]),
    );
  });

  test("a drawn text goes six lines to a command where the Shtrih-M model takes blocks", () => {
    const parameters = { ...facts.parameters, has: (flag: string) => flag === "graphicsBlocks" };
    expect(draw([text("а", { italic: true })], { facts: { parameters } })).toEqual([
      `paper 1 1 line 1: C4 ${PASSWORD} 01 00 F0${" 00".repeat(39)} 90${" 00".repeat(39)} 90${" 00".repeat(39)}`,
      `paper 1 1: C3 ${PASSWORD} 01 00 03 00`,
    ]);
  });

  test("a drawn text beyond Shtrih-M's graphics lines goes out row by row, equal rows as one", () => {
    const wide: PaintText = (_rows, width) => {
      const stride = width / 8;
      const rows = new Uint8Array(stride * 3);
      for (const y of [0, 1, 2]) rows[y * stride + 47] = y === 0 ? 1 : 3;
      return { width, height: 3, rows };
    };
    expect(draw([text("а", { italic: true })], { context: { paintText: wide } })).toEqual([
      `paper 1 1 row 1: C5 ${PASSWORD} 01 00 02${" 00".repeat(47)} 80`,
      `paper 1 1 row 2: C5 ${PASSWORD} 02 00 02${" 00".repeat(47)} C0`,
    ]);
  });

  test("a drawn text goes out no wider than F7 allows where that is enough, else as wide as the paper", () => {
    const dotAt =
      (column: number): PaintText =>
      (_rows, width) => {
        const rows = new Uint8Array(width / 8);
        rows[column] = 1;
        return { width, height: 1, rows };
      };
    const bytesFor = (column: number) => {
      const over = { facts: { printWidth: 576 }, context: { paintText: dotAt(column) } };
      return draw([text("а", { italic: true })], over)[0]
        ?.split(" C5 ")[1]
        ?.split(" ").length;
    };
    // The password, repeats and flags stand before the bytes.
    expect([bytesFor(63), bytesFor(64)]).toEqual([4 + 2 + 1 + 64, 4 + 2 + 1 + 72]);
  });

  test("a hundred rows of one document are drawn for Shtrih-M, and the rest is printed plain with a warning", () => {
    const lines = Array.from({ length: 102 }, () => text("а", { italic: true }));
    const [made] = compileFor(service(...lines), { context: { paintText } });
    expect(made?.warnings).toEqual(["more than 100 rows of drawn text in one document: the rest is printed plain"]);
    const codes = listing(made).map((step) => step.split(": ")[1]?.slice(0, 2));
    expect(codes.filter((code) => code === "C3")).toHaveLength(100);
    expect(codes.filter((code) => code === "2F")).toHaveLength(2);
    // Items between them change nothing, and the next document has its own hundred.
    const receipt = { ...sale, lines: [...lines.slice(0, 60), tea, ...lines.slice(60)] };
    const drawn = listing(compileFor(receipt, { context: { paintText } })[0]).filter((step) => / C3 |: C3/.test(step));
    expect(drawn).toHaveLength(100);
  });

  test("a drawn text for Shtrih-M is laid out in the columns of its fonts", () => {
    const seen: unknown[] = [];
    const spy: PaintText = (rows, width) => {
      seen.push(...rows.map((row) => [row.columns, row.spans.map((span) => [span.text, span.columns])]), width);
      return paintText(rows, width);
    };
    draw([text("а", { newLine: false }), text("б", { font: 1, alignment: "right" })], { context: { paintText: spy } });
    expect(seen).toEqual([
      [
        32,
        [
          ["а", undefined],
          [`${" ".repeat(14)}б`, 16],
        ],
      ],
      384,
    ]);
  });

  test("a text that Shtrih-M's fonts can do is printed by the fonts and not drawn", () => {
    expect(draw([text("да"), text("да", { bold: true }), text("да", { font: 1 })])).toEqual([
      `paper 1 1 row 1: 2F ${PASSWORD} 02 01 E4 E0`,
      `paper 1 2 row 1: 12 ${PASSWORD} 02 E4 E0${" 00".repeat(18)}`,
      `paper 1 3 row 1: 2F ${PASSWORD} 02 02 E4 E0`,
    ]);
  });
});

describe("bar codes for Shtrih-M", () => {
  test("a linear bar code is drawn as a row of dots of the asked height, bits turned for the Shtrih-M model", () => {
    const [row = "", ...rest] = printed([code]);
    expect(rest).toEqual([]);
    expect(row).toMatch(/^paper 1 1: C5 1E 00 00 00 50 00 02 /);
    // Code 39 begins with a narrow bar, a wide space, a narrow bar: three dots a module, least significant bit first.
    expect(row.split(" ").slice(11, 13)).toEqual(["07", "70"]);
  });

  test("a linear bar code has its bits unturned on a Shtrih-M without the flag for that", () => {
    const parameters = { ...facts.parameters, has: () => false };
    const [row = ""] = printed([code], { facts: { parameters } });
    expect(row.split(" ").slice(3, 12).join(" ")).toMatch(/^C5 1E 00 00 00 50 00 E0 0E$/);
  });

  test("a linear bar code for Shtrih-M has its text under it when the order asks for that", () => {
    expect(printed([{ ...code, printText: true, alignment: "center" }])[1]).toBe(
      `paper 1 1 text: 2F ${PASSWORD} 02 01 ${"20 ".repeat(15)}41 31`,
    );
  });

  test("an EAN-13 of twelve digits has the thirteenth in its text, as its bars have", () => {
    const ean = { ...code, symbology: "ean13", data: "460000000000", printText: true } as const;
    expect(printed([ean])[1]).toBe(`paper 1 1 text: 2F ${PASSWORD} 02 01 34 36 30 30 30 30 30 30 30 30 30 30 38`);
  });

  test("a bar code that is wider than the Shtrih-M's paper is left out with a warning", () => {
    const wide = program([{ ...code, data: "A".repeat(48) }]);
    expect([wide?.steps.length, wide?.warnings]).toEqual([
      1,
      [`the code ${"A".repeat(48)} is wider than the paper: left out`],
    ]);
  });

  test("a QR code is loaded into a Shtrih-M in blocks of 64 and printed", () => {
    const steps = printed([{ ...code, symbology: "qr", data: "x".repeat(65), alignment: "right" }]);
    expect(steps.map((step) => step.split(":")[0])).toEqual(["paper 1 1 block 0", "paper 1 1 block 1", "paper 1 1"]);
    expect(steps[1]).toBe(`paper 1 1 block 1: DD ${PASSWORD} 00 01 78${" 00".repeat(63)}`);
    expect(steps[2]).toBe(`paper 1 1: DE ${PASSWORD} 03 41 00 00 00 08 04 00 01 02`);
  });

  test("a Shtrih-M that says nothing of its graphics draws EAN-13 by itself and leaves other bar codes out", () => {
    const over = { facts: { parameters: unknownModelParameters } };
    expect(printed([{ ...code, symbology: "ean13", data: "4601234567893" }], over)).toEqual([
      `paper 1 1: C2 ${PASSWORD} 15 C5 7E 21 6B`,
    ]);
    expect(program([code], over)?.warnings).toEqual(["the register has no code39 bar code: left out"]);
  });
});

describe("pictures for Shtrih-M", () => {
  const dots: Bitmap = { width: 4, height: 2, rows: Uint8Array.of(0xf0, 0x90) };
  const images = new Map([["a.png", dots]]);
  const image = { type: "image", source: "a.png", alignment: "left" } as const;

  test("a picture is loaded into a Shtrih-M line by line and printed as one group", () => {
    const steps = printed([image], { context: { images } });
    expect(steps).toEqual([
      `paper 1 1 line 1: C4 ${PASSWORD} 01 00 0F${" 00".repeat(39)}`,
      `paper 1 1 line 2: C4 ${PASSWORD} 02 00 09${" 00".repeat(39)}`,
      `paper 1 1: C3 ${PASSWORD} 01 00 02 00 02`,
    ]);
    const groups = program([image], { context: { images } })
      ?.steps.slice(1)
      .map((step) => step.group);
    expect(new Set(groups)).toEqual(new Set(["paper 1 1"]));
  });

  test("a picture for Shtrih-M stands where the order aligns it", () => {
    const right = printed([{ ...image, alignment: "right" }], { context: { images } });
    expect(right[0]).toBe(`paper 1 1 line 1: C4 ${PASSWORD} 01 00${" 00".repeat(39)} F0`);
  });

  test.each([
    ["a.png", new Map(), "the picture a.png is not there: left out"],
    [
      "a.png",
      new Map([["a.png", { width: 321, height: 1, rows: new Uint8Array(41) }]]),
      "the picture a.png is too large for the register: left out",
    ],
  ])(
    "the picture %s that is missing or too large for a Shtrih-M is left out with a warning",
    (source, given, warning) => {
      const result = program([{ ...image, source }], { context: { images: given } });
      expect([result?.steps.length, result?.warnings]).toEqual([1, [warning]]);
    },
  );
});
