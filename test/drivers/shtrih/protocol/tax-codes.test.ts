import { taxCodeOf, vatCodeOf } from "@fiscald/drivers/shtrih/protocol/tax-codes.js";

const plain = { nanoTaxCodes: false, tax7of107As90: false };

describe("the tax byte of Shtrih-M's FF46", () => {
  test.each([
    [1, 0x01],
    [2, 0x02],
    [3, 0x04],
    [4, 0x08],
    [5, 0x10],
    [6, 0x20],
    [7, 0x81],
    [8, 0x82],
    [9, 0x84],
    [10, 0x88],
    [11, 0xcb],
    [12, 0xcc],
    [63, 0xff],
    [64, null],
    [0, null],
  ])("tax row %i of a Shtrih-M is the tax byte %p", (row, code) => {
    expect(taxCodeOf(row, plain)).toBe(code);
  });

  test("each variant of Shtrih-M's tax bytes has a switch of its own", () => {
    expect(taxCodeOf(11, { ...plain, nanoTaxCodes: true })).toBe(0x90);
    expect(taxCodeOf(12, { ...plain, nanoTaxCodes: true })).toBe(0xa0);
    expect(taxCodeOf(10, { ...plain, tax7of107As90: true })).toBe(0x90);
    expect(taxCodeOf(1, { nanoTaxCodes: true, tax7of107As90: true })).toBe(0x01);
  });
});

describe("the rate of a Shtrih-M tax row", () => {
  test.each([
    [1, 2000, 1],
    [1, 2200, 11],
    [2, 1000, 2],
    [3, 0, 5],
    [4, 0, 6],
    [5, 2000, 3],
    [6, 1000, 4],
    [7, 500, 7],
    [8, 700, 8],
    [9, 500, 9],
    [10, 700, 10],
    [11, 2200, 11],
    [12, 2200, 12],
    [1, 1800, null],
    [5, 0, null],
  ])("Shtrih-M tax row %i with %i hundredths of a percent has the code %p of tag 1199", (row, rate, vat) => {
    expect(vatCodeOf(row, rate)).toBe(vat);
  });
});
