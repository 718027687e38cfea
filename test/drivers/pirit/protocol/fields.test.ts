import { codeField, FieldReader, FieldWriter, spell } from "@fiscald/drivers/pirit/protocol/fields.js";
import { taxRowOf, unlistedTaxRows } from "@fiscald/drivers/pirit/read/read-tables.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import fc from "fast-check";
import { hex, toHex } from "../../vectors/hex.js";

describe("fields of a PIRIT request", () => {
  test("fields of a PIRIT request are written as text in CP866, each with its separator", () => {
    expect(toHex(new FieldWriter().text("Иванов").empty().integer(7).done())).toBe("88 A2 A0 AD AE A2 1C 1C 37 1C");
  });

  test("sums of a PIRIT request have two decimals, and quantities as many as they need", () => {
    const bytes = new FieldWriter().money(kopecks(5)).quantity(quantity(1_237_000)).done();
    expect(Buffer.from(bytes).toString("latin1")).toBe("0.05\u001c1.237\u001c");
  });

  test("dates and times of a PIRIT request have six digits", () => {
    const time = parseLocalTime("2026-01-20T10:15:00");
    if (time === null) throw new Error("no time");
    expect(Buffer.from(new FieldWriter().dateTime(time).done()).toString("latin1")).toBe("200126\u001c101500\u001c");
  });

  test("a text field of a PIRIT request has no byte outside 20 to F0, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
        for (const byte of new FieldWriter().text(text).done().slice(0, -1)) {
          expect(byte).toBeGreaterThanOrEqual(0x20);
          expect(byte).toBeLessThanOrEqual(0xf0);
        }
      }),
    );
  });

  test("a character that CP866 lacks or has above F0 is written for PIRIT as a look-alike", () => {
    expect(spell("Чай чёрный «Ёлка» №1, 20°")).toBe('Чай черный "Ёлка" N1, 20o');
  });
});

describe("fields of a PIRIT answer", () => {
  const reader = (text: string) => new FieldReader(Buffer.from(text, "latin1"));

  test("fields of a PIRIT answer are read in sequence, and an empty number is zero", () => {
    const fields = reader("abc\u001c\u001c10.50\u001c");
    expect([fields.text(), fields.integer(), fields.money(), fields.left]).toEqual(["abc", 0, 1_050, 0]);
  });

  test("dates of six and eight digits in a PIRIT answer are read alike, and an empty date is null", () => {
    expect(reader("200126\u001c101500\u001c").dateTime()).toBe("2026-01-20T10:15:00");
    expect(reader("20012026\u001c101500\u001c").dateTime()).toBe("2026-01-20T10:15:00");
    expect(reader("\u001c\u001c").dateTime()).toBeNull();
    expect(reader("320126\u001c101500\u001c").dateTime()).toBeNull();
  });

  test.each([
    ["letters in a number", () => reader("1x\u001c").integer()],
    ["a comma in a sum", () => reader("1,5\u001c").money()],
    ["a missing field", () => reader("").text()],
    ["an odd number of hex digits", () => reader("ABC\u001c").hex()],
  ])("a PIRIT answer with %s counts as damaged", (_, read) => {
    let code = "";
    try {
      read();
    } catch (error) {
      code = isFault(error) ? error.code : String(error);
    }
    expect(code).toBe("link.corrupt");
  });
});

describe("marking codes in a PIRIT field", () => {
  const base64 = (bytes: string) => Buffer.from(hex(bytes)).toString("base64");
  const field = (bytes: string, dollarInCodes: "refuse" | "plain" | "escaped" = "refuse") =>
    Buffer.from(codeField(base64(bytes), { dollarInCodes })).toString("latin1");

  test("a byte below 20 in a marking code is written for PIRIT as $ and two digits", () => {
    expect(field("30 31 1D 39")).toBe("01$1D9");
  });

  test("a literal $ in a marking code is written for PIRIT as the option says, and is refused without the option", () => {
    expect(field("41 24", "plain")).toBe("A$");
    expect(field("41 24", "escaped")).toBe("A$24");
    expect(() => field("41 24")).toThrow(expect.objectContaining({ code: "receipt.unsupported" }));
  });

  test("a marking code with a byte above F0 is refused for PIRIT", () => {
    expect(() => field("41 F1")).toThrow(expect.objectContaining({ code: "receipt.unsupported" }));
  });
});

describe("a tax row of a PIRIT", () => {
  test.each([
    [0, "НДС 20%", "20", 1],
    [0, "НДС 22%", "22.0000", 11],
    [1, "10%", "10", 2],
    [2, "НДС 0%", "0", 5],
    [3, "", "0", 6],
    [4, "20/120", "20", 3],
    [4, "НДС 22/122", "18.0328", 12],
    [5, "НДС 10/110", "9.0909", 4],
    [6, "5%", "5", 7],
    [8, "5/105", "5", 9],
    [10, "НДС 18%", "18", null],
  ] satisfies [number, string, string, VatCode | null][])(
    "the PIRIT tax row %i %s of %s percent is tag 1199 = %s",
    (row, name, percent, vat) => {
      expect(taxRowOf(row, name, percent)).toMatchObject({ id: row, vat });
    },
  );

  test("a tax row that a PIRIT does not list is added by its usual number, and a listed row stays as it is", () => {
    const listed = [taxRowOf(6, "НДС 7%", "7")];
    expect(unlistedTaxRows(listed).map(({ id, vat }) => [id, vat])).toEqual([
      [7, 8],
      [8, 9],
      [9, 10],
    ]);
  });
});
