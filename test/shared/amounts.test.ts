import {
  formatQuantity,
  formatRoubles,
  kopecks,
  MAX_SUM,
  multiply,
  ONE_UNIT,
  parseQuantity,
  parseRoubles,
  quantity,
  shareOf,
  splitPosition,
  spreadDiscount,
  sumKopecks,
  vatInside,
} from "@fiscald/shared/amounts.js";
import fc from "fast-check";

const units = (text: string) => parseQuantity(text) ?? quantity(-1);

describe("parseRoubles", () => {
  test.each([
    ["10.50", 1050],
    [10.5, 1050],
    [0.1 + 0.2, 30],
    [99.30000000000001, 9930],
    ["99.30000000000001", null],
    [10.00001, null],
    ["0.07", 7],
    [1.005, null],
    ["-5", -500],
    ["10.500", 1050],
    [".5", 50],
    ["10,50", null],
    ["", null],
    [".", null],
    ["1e3", null],
    [1e21, null],
    [Number.NaN, null],
    [1e-7, null],
  ])("the roubles %p are read as %p kopecks", (input, expected) => {
    expect(parseRoubles(input)).toBe(expected);
  });

  test("any sum that is formatted in roubles is read back as the same sum", () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_SUM, max: MAX_SUM }), (value) => {
        const sum = kopecks(value);
        return parseRoubles(formatRoubles(sum)) === sum && parseRoubles(Number(formatRoubles(sum))) === sum;
      }),
    );
  });
});

describe("quantities", () => {
  test("a quantity has up to six decimals, and a seventh is refused", () => {
    expect(units("1.237")).toBe(1_237_000);
    expect(parseQuantity("0.0000001")).toBeNull();
    expect(formatQuantity(units("2.500000"))).toBe("2.5");
    expect(formatQuantity(ONE_UNIT)).toBe("1");
  });
});

describe("rounding", () => {
  test.each([
    [22, 18033],
    [20, 16667],
    [10, 9091],
    [7, 6542],
    [5, 4762],
  ])("the VAT in 1000.00 at %p %% is %p kopecks", (rate, expected) => {
    expect(vatInside(kopecks(100_000), rate)).toBe(expected);
  });

  test("half a kopeck is rounded up, even in a negative sum", () => {
    expect(multiply(kopecks(1), quantity(500_000))).toBe(1);
    expect(multiply(kopecks(-1), quantity(500_000))).toBe(0);
  });

  test("31 kopecks times 0.3 / 0.6 are exactly 15.5 and become 16, where doubles would give 15", () => {
    expect(Math.round((31 * 0.3) / 0.6)).toBe(15);
    expect(shareOf(kopecks(31), quantity(300_000), quantity(600_000))).toBe(16);
    expect(shareOf(kopecks(-31), quantity(300_000), quantity(600_000))).toBe(-15);
    expect(() => shareOf(kopecks(1), ONE_UNIT, quantity(0))).toThrow(RangeError);
  });
});

describe("splitPosition", () => {
  test.each([
    ["3", 20_000, "2 x 6667 = 13334, 1 x 6666 = 6666"],
    ["7", 10_000, "4 x 1429 = 5716, 3 x 1428 = 4284"],
    ["1.237", 56_890, "1.237 x 45990 = 56890"],
    ["2.5", 99_999, "1 x 40000 = 40000, 1.5 x 39999 = 59999"],
    ["0.333", 12_345, "0.333 x 37072 = 12345"],
    ["3", 5397, "3 x 1799 = 5397"],
  ])("a position of %s units for %i kopecks is split into parts with exact sums", (count, total, expected) => {
    const parts = splitPosition(units(count), kopecks(total), kopecks(0));
    const shown = parts.map(({ quantity, price, sum }) => `${formatQuantity(quantity)} x ${price} = ${sum}`);
    expect(shown.join(", ")).toBe(expected);
  });

  test.each([
    ["0.5", 9999, 5000],
    ["0.1", 12_345, 1235],
    ["0.007", 100_000, 700],
  ])("a position keeps the order's price if that price gives the total: %s x %p = %p", (count, price, total) => {
    expect(splitPosition(units(count), kopecks(total), kopecks(price))).toEqual([
      { quantity: units(count), price, sum: total },
    ]);
  });

  test("any position of three decimals is split into at most two parts with exact sums", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        (thousandths, total) => {
          const count = quantity(thousandths * 1000);
          const parts = splitPosition(count, kopecks(total), kopecks(0));
          expect(parts.length).toBeLessThanOrEqual(2);
          expect(sumKopecks(parts.map((part) => part.sum))).toBe(total);
          expect(parts.reduce((sum, part) => sum + part.quantity, 0)).toBe(count);
          for (const part of parts) expect(multiply(part.price, part.quantity)).toBe(part.sum);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("spreadDiscount", () => {
  test("a discount spread over lines gives the remaining kopecks to the largest remainders", () => {
    expect(spreadDiscount([33_333, 33_333, 33_334].map(kopecks), kopecks(10_000))).toEqual([3333, 3333, 3334]);
  });

  test("a discount spread over lines is given in full, and no line gets more than its sum", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 30 }),
        fc.nat(),
        (sums, seed) => {
          const lines = sums.map(kopecks);
          const discount = kopecks(seed % (sumKopecks(lines) + 1));
          const shares = spreadDiscount(lines, discount);
          expect(sumKopecks(shares)).toBe(discount);
          for (const [position, share] of shares.entries()) expect(share).toBeLessThanOrEqual(lines[position] ?? -1);
        },
      ),
    );
  });
});
