import { kopecks, multiply, quantity } from "@fiscald/shared/amounts.js";
import { measureOf } from "@fiscald/shared/receipt/measure.js";
import { type ItemLine, itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import { mapTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import { type RegisterTables, type TaxRow, taxIdOfRate, type VatCode } from "@fiscald/shared/receipt/vat.js";
import fc from "fast-check";
import { close, item, itemOf, pay, saleFrom, sell, table, tea } from "../../support/order-samples.js";
import { anyTableReceipt } from "../../support/receipt-arbitrary.js";

function lineWith(change: Partial<ItemLine>): ItemLine {
  return { ...itemOf(saleFrom(table([sell, tea, pay(100), close]))), ...change };
}

describe("splitLine", () => {
  const split = (units: number, total: number, markingCode: string | null = null) =>
    splitLine(lineWith({ quantity: quantity(units * 1_000_000), total: kopecks(total), markingCode }))
      .map((part) => `${part.quantity / 1_000_000} x ${part.price} = ${part.total}`)
      .join(", ");

  test.each([
    [3, 20_000, "2 x 6667 = 13334, 1 x 6666 = 6666"],
    [7, 10_000, "4 x 1429 = 5716, 3 x 1428 = 4284"],
    [3, 5397, "3 x 1799 = 5397"],
    [2, 0, "2 x 0 = 0"],
    [2.5, 99_999, "1 x 40000 = 40000, 1.5 x 39999 = 59999"],
  ])("a line of %p units for %p kopecks is split into %s", (units, total, expected) => {
    expect(split(units, total)).toBe(expected);
  });

  test("a marked line is not split, and is a kopeck off when no price gives the exact total", () => {
    expect(split(1, 12_345, "AAEC")).toBe("1 x 12345 = 12345");
    expect(split(1.5, 100, "AAEC")).toBe("1.5 x 66 = 100");
  });

  test("a marked line whose total no price approaches is refused", () => {
    expect(() => split(7, 10_000, "AAEC")).toThrow(expect.objectContaining({ code: "receipt.total-mismatch" }));
  });

  test("any split line keeps its quantity and total, and each part is exact", () => {
    fc.assert(
      fc.property(anyTableReceipt, (receipt) => {
        for (const line of itemsOf(receipt).filter(({ markingCode }) => markingCode === null)) {
          const parts = splitLine(line);
          expect(parts.reduce((sum, part) => sum + part.total, 0)).toBe(line.total);
          expect(parts.reduce((sum, part) => sum + part.quantity, 0)).toBe(line.quantity);
          for (const part of parts) expect(multiply(part.price, part.quantity)).toBe(part.total);
        }
      }),
    );
  });
});

describe("mapTaxes", () => {
  const row = (id: number, vat: VatCode | null): TaxRow => ({ id, title: `row ${id}`, vat });
  const tables = (...taxes: readonly TaxRow[]): RegisterTables => ({ taxes, paymentTypes: [] });
  const from = tables(row(1, 1), row(4, 6), row(11, 11), row(20, null));
  const taxesOf = (to: RegisterTables, ...ids: readonly (number | undefined)[]) => {
    const lines = ids.map((tax) => item({ price: 1, quantity: 1, tax }));
    const receipt = saleFrom(table([sell, { type: "Cut" }, ...lines, pay(ids.length), close]));
    const mapped = mapTaxes(receipt, from, to);
    return mapped === null ? null : itemsOf(mapped).map(({ tax }) => tax);
  };

  test.each([
    ["rows with other ids", tables(row(5, 11), row(6, 6)), [11, 4, undefined], [5, 6, null]],
    ["the same id when two rows mean the same", tables(row(3, 11), row(11, 11)), [11], [11]],
    ["no row of that rate", tables(row(1, 1)), [11], null],
    [
      "two rows of 22 % because it registers 22 % in place of 20 %",
      tables(row(1, 11), row(11, 11)),
      [1],
      [taxIdOfRate(1)],
    ],
    ["one row of 22 % and none of 20 %", tables(row(11, 11)), [1], null],
    ["a row whose meaning is unknown", tables(row(20, null)), [20], null],
    ["a row that the order's register does not have", tables(row(9, 9)), [9], null],
  ])(
    "the taxes of an order that needs a register with %s are mapped to its rows, or the register cannot print it",
    (_, to, ids, expected) => {
      expect(taxesOf(to, ...ids)).toEqual(expected);
    },
  );
});

describe("measureOf", () => {
  test.each([
    [null, 0],
    ["", 0],
    ["шт.", 0],
    ["КГ", 11],
    ["г", 10],
    [" л. ", 41],
    ["мл", 40],
    ["м", 22],
    ["ч", 71],
    ["м²", 32],
    ["упак", 255],
  ])("the unit %p has the code %i of tag 2108", (unit, expected) => {
    expect(measureOf(unit)).toBe(expected);
  });
});
