import { layoutPrinted, layoutTexts, rowText, wrapText } from "@fiscald/shared/paper/layout.js";
import { plainStyle, type TextLine, type TextStyle } from "@fiscald/shared/receipt/receipt.js";
import fc from "fast-check";

const left = { wrap: true, alignment: "left" } as const;

function text(content: string, look: Partial<TextStyle> = {}): TextLine {
  return { type: "text", content: { kind: "text", text: content }, style: { ...plainStyle, ...look } };
}

describe("wrapping a text", () => {
  test.each<[string, string, number, readonly string[]]>([
    ["breaks between words", "Чай чёрный байховый", 10, ["Чай чёрный", "байховый"]],
    ["breaks a word only when the word is longer than a row", "аб аааааааааааа в", 5, ["аб", "ааааа", "ааааа", "аа в"]],
    ["keeps an empty text as one empty row", "", 5, [""]],
    ["keeps spaces that draw columns", "Итого   5", 10, ["Итого   5"]],
    ["keeps spaces at the start", "  чай", 10, ["  чай"]],
    ["drops the spaces at a break", "abcde   fg", 5, ["abcde", "fg"]],
    ["makes no row of spaces that do not fit", "abcde    ", 5, ["abcde"]],
    ["drops leading spaces rather than break a word", "   abcde", 5, ["abcde"]],
    ["breaks at line breaks of every system", "a\nb\r\n\rc", 5, ["a", "b", "", "c"]],
    ["takes a tab as a space", "a\tb", 5, ["a b"]],
    ["drops control and zero-width characters", "a\u0007\u200bb\u00adc\ufeff", 5, ["abc"]],
    ["keeps words that are tied by a no-break space together", "1\u00a0520 руб", 6, ["1 520", "руб"]],
    ["counts a letter with its accent as one", "и\u0306и\u0306 и\u0306", 3, ["йй", "й"]],
    ["counts a character outside the basic plane as one", "😀😀😀", 2, ["😀😀", "😀"]],
    ["works on the narrowest paper", "аб в", 1, ["а", "б", "в"]],
  ])("wrapping a text %s", (_title, content, columns, rows) => {
    expect(wrapText(content, columns, left)).toEqual(rows);
  });

  test("a text that is not to be wrapped is cut at the paper's width", () => {
    expect(wrapText("one two three", 7, { wrap: false, alignment: "left" })).toEqual(["one two"]);
  });

  test("each row of a wrapped text is aligned by spaces before it", () => {
    expect(wrapText("ab c", 3, { wrap: true, alignment: "right" })).toEqual([" ab", "  c"]);
    expect(wrapText("ab", 7, { wrap: true, alignment: "center" })).toEqual(["  ab"]);
  });

  test("wrapping a text for a paper without columns throws an error", () => {
    expect(() => wrapText("a", 0, left)).toThrow(RangeError);
  });

  test("wrapping never makes a row longer than the paper and never loses a letter", () => {
    const anyText = fc.string({
      unit: fc.constantFrom("а", "б", "Z", " ", " ", "\n", "\t", "\u00a0", "й"),
      maxLength: 200,
    });
    const alignment = fc.constantFrom("left" as const, "right" as const, "center" as const);
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 50 }), alignment, (content, columns, align) => {
        const rows = wrapText(content, columns, { wrap: true, alignment: align });
        for (const row of rows) expect([...row].length).toBeLessThanOrEqual(columns);
        expect(rows.join("").replace(/\s/g, "")).toBe(content.replace(/\s/g, ""));
      }),
    );
  });

  test("wrapping keeps a word whole whenever a row can hold the word", () => {
    const word = fc.string({ unit: fc.constantFrom("а", "б", "в"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 8, max: 30 }),
        (words, columns) => {
          const rows = wrapText(words.join(" "), columns, left);
          expect(rows.flatMap((row) => row.split(" "))).toEqual(words);
        },
      ),
    );
  });
});

describe("texts in rows", () => {
  const rowsOf = (lines: readonly TextLine[], columns = 10) => layoutTexts(lines, () => columns).map(rowText);

  const [trait, dash] = (["trait", "dash"] as const).map(
    (kind): TextLine => ({ type: "text", content: { kind }, style: plainStyle }),
  );
  const begun = (content: string) => text(content, { newLine: false });
  const right = { alignment: "right" } as const;

  test.each<[string, readonly (TextLine | undefined)[], readonly string[]]>([
    ["without a line feed is continued in its row by the next text", [begun("Чек "), text("№ 5")], ["Чек № 5"]],
    ["that continues a row is aligned in the rest of the row", [begun("Итог"), text("1.50", right)], ["Итог  1.50"]],
    ["that does not fit what is left goes to the next row", [begun("Итого:"), text("100.50")], ["Итого:", "100.50"]],
    ["that is the last one ends its row even without a line feed", [begun("конец")], ["конец"]],
    [
      "of = and - fills a row, or the rest of a row",
      [trait, dash, begun("a "), dash],
      ["==========", "----------", "a --------"],
    ],
  ])("a text %s", (_what, lines, rows) => {
    expect(rowsOf(lines.flatMap((line) => line ?? []))).toEqual(rows);
  });

  test("two texts that share a row of paper keep their own styles", () => {
    const [row] = layoutTexts([text("a", { bold: true, newLine: false }), text("b", { negative: true })], () => 10);
    expect(row?.spans.map(({ text, style }) => [text, style.bold, style.negative])).toEqual([
      ["a", true, false],
      ["b", false, true],
    ]);
  });

  test("a text in a font with fewer columns wraps earlier", () => {
    const rows = layoutTexts([text("аб вг", { font: 1 }), text("аб вг")], (font) => (font === 1 ? 2 : 5));
    expect(rows.map((row) => [rowText(row), row.columns])).toEqual([
      ["аб", 2],
      ["вг", 2],
      ["аб вг", 5],
    ]);
  });

  test("texts of several fonts share a row by their letters' widths", () => {
    const fonts = (font: number) => (font === 1 ? 10 : 20);
    const [row] = layoutTexts([text("Итог", { newLine: false }), text("1.5", { font: 1, alignment: "right" })], fonts);
    // The texts take four of twenty and eight of ten columns, so the second text reaches the edge.
    expect(row?.spans.map(({ text, columns }) => [text, columns])).toEqual([
      ["Итог", undefined],
      ["     1.5", 10],
    ]);
    expect(row?.columns).toBe(20);
  });

  test("a font that is marked as wide is laid out as a smaller font at double width", () => {
    const rows = layoutTexts(
      [text("аб", { font: 1, newLine: false }), text("в")],
      (font) => (font === 1 ? 5 : 10),
      (font) => font === 1,
    );
    expect(rows.map(({ columns }) => columns)).toEqual([10]);
    expect(rows[0]?.spans.map(({ text, style, columns }) => [text, style.doubleWidth, columns])).toEqual([
      ["аб", true, undefined],
      ["в", false, undefined],
    ]);
  });

  test("a text in a larger font that does not fit a row goes on in the next row with its own columns", () => {
    const fonts = (font: number) => (font === 1 ? 5 : 10);
    const rows = layoutTexts([text("шесть6", { newLine: false }), text("аб вг де", { font: 1 })], fonts);
    expect(rows.map((row) => [rowText(row), row.columns])).toEqual([
      ["шесть6аб", 10],
      ["вг де", 5],
    ]);
  });

  test("each row of a text with the maximum line spacing is followed by an empty row", () => {
    expect(rowsOf([text("Чай чёрный байховый", { maxLineSpacing: true }), text("б")])).toEqual([
      "Чай чёрный",
      "",
      "байховый",
      "",
      "б",
    ]);
  });

  test("a row shared by texts with the maximum line spacing is followed by one empty row", () => {
    expect(rowsOf([text("а", { newLine: false, maxLineSpacing: true }), text("б", { maxLineSpacing: true })])).toEqual([
      "аб",
      "",
    ]);
  });

  test("an underline or a black ground does not cover the spaces that align a text", () => {
    const [row] = layoutTexts([text("  ab", { negative: true, alignment: "center" })], () => 10);
    expect(row?.spans.map(({ text, style }) => [text, style.negative])).toEqual([
      ["    ", false],
      ["ab", true],
    ]);
    const [own] = layoutTexts([text("  ab", { underline: true })], () => 10);
    expect(own?.spans.map(({ text, style }) => [text, style.underline])).toEqual([["  ab", true]]);
  });

  test("a barcode ends the row of a text before it", () => {
    const barcode = {
      type: "barcode",
      symbology: "qr",
      data: "x",
      heightMm: 20,
      printText: false,
      alignment: "left",
    } as const;
    const rows = layoutPrinted([text("a", { newLine: false }), barcode, text("b")], { columns: 10 });
    expect(rows.map((row) => (row.type === "text" ? rowText(row) : row.type))).toEqual(["a", "barcode", "b"]);
  });
});
