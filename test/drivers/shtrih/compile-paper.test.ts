import type { Bitmap } from "@fiscald/drivers/fiscal-driver.js";
import { unknownModelParameters } from "@fiscald/drivers/shtrih/model-parameters.js";
import type { BarcodeLine, PaperLine } from "@fiscald/shared/receipt/receipt.js";
import { compileFor, facts, listing, type Over, service, text } from "./compile-bench.js";

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

describe("texts", () => {
  test("go out row by row in the font that is asked for, the nearest smaller number where it is missing", () => {
    expect(printed([text("да"), text("да", { font: 1 }), text("да", { font: 3 })])).toEqual([
      `paper 1 1 row 1: 2F ${PASSWORD} 02 01 E4 E0`,
      `paper 1 2 row 1: 2F ${PASSWORD} 02 02 E4 E0`,
      `paper 1 3 row 1: 2F ${PASSWORD} 02 02 E4 E0`,
    ]);
  });

  test("bold ones by the bold command, wrapped to its wider letters", () => {
    const rows = printed([text("семнадцать знаков", { bold: true })]);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^paper 1 1 row 1: 12 1E 00 00 00 02 F1 E5 EC/);
  });

  test("an empty one is a row of one space", () => {
    expect(printed([text("")])).toEqual([`paper 1 1 row 1: 2F ${PASSWORD} 02 01 20`]);
  });

  test("those that share a row are sent as one", () => {
    expect(printed([text("а", { newLine: false }), text("б"), text("в")])).toEqual([
      `paper 1 1 row 1: 2F ${PASSWORD} 02 01 E0 E1`,
      `paper 1 3 row 1: 2F ${PASSWORD} 02 01 E2`,
    ]);
  });

  test("a full line fills the columns of the register", () => {
    const trait = { ...text(""), content: { kind: "trait" } } as const;
    expect(
      printed([trait])[0]
        ?.split(" ")
        .filter((byte) => byte === "3D"),
    ).toHaveLength(32);
  });

  test("what the register cannot do is told once and printed plain", () => {
    const lines = [text("а", { italic: true, underline: true }), text("б", { italic: true, rotation: 1 })];
    expect(program(lines)?.warnings).toEqual([
      "the register has no italic text: printed plain",
      "the register has no underline text: printed plain",
      "the register has no rotation text: printed plain",
    ]);
    expect(
      program(lines)
        ?.steps.slice(1)
        .every((step) => step.optional === true),
    ).toBe(true);
  });
});

describe("bar codes", () => {
  test("a linear one is a row of dots, as high as asked, bits turned for this model", () => {
    const [row = "", ...rest] = printed([code]);
    expect(rest).toEqual([]);
    expect(row).toMatch(/^paper 1 1: C5 1E 00 00 00 50 00 02 /);
    // Code 39 begins with a narrow bar, a wide space, a narrow bar: three dots a module, least significant bit first.
    expect(row.split(" ").slice(11, 13)).toEqual(["07", "70"]);
  });

  test("without the model's flag the bits are as they are", () => {
    const parameters = { ...facts.parameters, has: () => false };
    const [row = ""] = printed([code], { facts: { parameters } });
    expect(row.split(" ").slice(3, 12).join(" ")).toMatch(/^C5 1E 00 00 00 50 00 E0 0E$/);
  });

  test("with its text under it when asked", () => {
    expect(printed([{ ...code, printText: true, alignment: "center" }])[1]).toBe(
      `paper 1 1 text: 2F ${PASSWORD} 02 01 ${"20 ".repeat(15)}41 31`,
    );
  });

  test("one that is wider than the paper is left out with a warning", () => {
    const wide = program([{ ...code, data: "A".repeat(60) }]);
    expect([wide?.steps.length, wide?.warnings]).toEqual([
      1,
      [`the code ${"A".repeat(60)} is wider than the paper: left out`],
    ]);
  });

  test("a QR code is loaded in blocks of 64 and printed", () => {
    const steps = printed([{ ...code, symbology: "qr", data: "x".repeat(65), alignment: "right" }]);
    expect(steps.map((step) => step.split(":")[0])).toEqual(["paper 1 1 block 0", "paper 1 1 block 1", "paper 1 1"]);
    expect(steps[1]).toBe(`paper 1 1 block 1: DD ${PASSWORD} 00 01 78${" 00".repeat(63)}`);
    expect(steps[2]).toBe(`paper 1 1: DE ${PASSWORD} 03 41 00 00 00 08 04 00 01 02`);
  });

  test("a register that tells nothing of its graphics draws EAN-13 by itself and nothing else", () => {
    const over = { facts: { parameters: unknownModelParameters } };
    expect(printed([{ ...code, symbology: "ean13", data: "4601234567893" }], over)).toEqual([
      `paper 1 1: C2 ${PASSWORD} 15 C5 7E 21 6B`,
    ]);
    expect(program([code], over)?.warnings).toEqual(["the register has no code39 bar code: left out"]);
  });
});

describe("pictures", () => {
  const dots: Bitmap = { width: 4, height: 2, rows: Uint8Array.of(0xf0, 0x90) };
  const images = new Map([["a.png", dots]]);
  const image = { type: "image", source: "a.png", alignment: "left" } as const;

  test("are loaded line by line and printed, as one group", () => {
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

  test("stand where they are aligned", () => {
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
  ])("%s that cannot be printed is left out with a warning", (source, given, warning) => {
    const result = program([{ ...image, source }], { context: { images: given } });
    expect([result?.steps.length, result?.warnings]).toEqual([1, [warning]]);
  });
});
