import { defaultRules } from "@fiscald/shared/receipt/check-receipt.js";
import { rateProblems } from "@fiscald/shared/receipt/formats/item-rates.js";
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import {
  hasRowFor,
  meaningOfTaxes,
  rateInWords,
  rowsAsMeant,
  type SoldAtRates,
  withRowsOf,
} from "@fiscald/shared/receipt/tax-meaning.js";
import { type TaxRow, type VatCode, vatCodes } from "@fiscald/shared/receipt/vat.js";
import fc from "fast-check";
import { makeItem, makeReceipt } from "../../support/make-job.js";

const row = (id: number, vat: VatCode | null, title = `row ${id}`): TaxRow => ({ id, vat, title });
const receiptOf = (...ids: readonly (number | null)[]) => makeReceipt({ lines: ids.map((tax) => makeItem({ tax })) });
const list = [row(1, 11), row(2, 2), row(9, null, "Особая")];

describe("what the tax ids of an order mean", () => {
  test.each([
    ["a row with a known rate", [list], null, 1, { vat: 11, title: null }],
    ["a row with an unknown rate", [list], null, 9, { vat: null, title: "Особая" }],
    ["a row that no list has", [list], null, 7, { vat: null, title: null }],
    ["a row of a table that was never read", [], null, 1, { vat: null, title: null }],
    ["no tax id, by the default row", [list], row(2, 2), null, { vat: 2, title: null }],
    [
      "no tax id, by a default row with an unknown rate",
      [list],
      row(9, null, "Особая"),
      null,
      { vat: null, title: "Особая" },
    ],
    ["no tax id, without a default row", [list], null, null, { vat: null, title: null }],
    ["a row that has the same rate in two lists", [list, [row(1, 11, "НДС")]], null, 1, { vat: 11, title: null }],
    ["a row that only an older list has", [[row(2, 2)], list], null, 1, { vat: 11, title: null }],
    [
      "a row that has two rates in two lists",
      [list, [row(1, 1)]],
      null,
      1,
      { vat: null, title: "НДС 22% (1199: 11) / НДС 20% (1199: 1)" },
    ],
  ] as const)("the tax ids of an order mean what is known of their rows: %s", (_, lists, defaultRow, id, meaning) => {
    expect(meaningOfTaxes(receiptOf(id, id), { lists, defaultRow })).toEqual([{ id, ...meaning }]);
  });

  test("a service job has no meanings of tax ids", () => {
    const receipt = { ...receiptOf(), kind: "service", lines: [] } as const;
    expect(meaningOfTaxes(receipt, { lists: [list], defaultRow: null })).toEqual([]);
  });
});

describe("the rows of a register for an order", () => {
  const meant = (ids: readonly (number | null)[], defaultRow: TaxRow | null = null) => {
    const receipt = receiptOf(...ids);
    return { receipt, meanings: meaningOfTaxes(receipt, { lists: [list], defaultRow }) };
  };

  test.each([
    ["other ids", [row(5, 11), row(6, 2)], null, [1, 2], [5, 6]],
    ["two rows of that rate, one with the same id", [row(3, 11), row(1, 11)], null, [1], [1]],
    ["no row of that rate", [row(1, 1)], null, [1], null],
    ["the raw row under the same title", [row(9, null, "Особая")], null, [9], [9]],
    ["the raw row under another title", [row(9, null, "Другая")], null, [9], null],
    ["a known rate in place of the raw row", [row(9, 2, "Особая")], null, [9], null],
    ["the raw title under another id", [row(8, null, "Особая")], null, [9], null],
    ["any rows, for an id that no table had", [row(7, 2)], null, [7], [7]],
  ] as const)(
    "an order's tax ids on a register with %s become its rows, or the order cannot be printed there",
    (_, taxes, defaultTax, ids, expected) => {
      const { receipt, meanings } = meant(ids);
      const mapped = withRowsOf({ taxes, defaultTax }, receipt, meanings);
      expect(mapped === null ? null : itemsOf(mapped.receipt).map(({ tax }) => tax)).toEqual(expected);
    },
  );

  test.each([
    ["its present default row when the order's register had none", null, 4, 4],
    ["no row when neither register has a default", null, null, null],
    ["the row of the rate that was the default when the order was accepted", row(1, 11), 6, 5],
    ["its present default row when that row has the same rate", row(2, 2), 7, 7],
  ] as const)(
    "positions without a tax id get the right default row on another register: %s",
    (_, defaultRow, defaultTax, expected) => {
      const { receipt, meanings } = meant([null], defaultRow);
      const taxes = [row(5, 11), row(6, 2), row(7, 2)];
      expect(withRowsOf({ taxes, defaultTax }, receipt, meanings)?.defaultTax).toBe(expected);
    },
  );

  test("an order's tax ids never become another rate, and never a raw id on another register", () => {
    const rates = fc.constantFrom(...vatCodes, null);
    const rows = fc.uniqueArray(fc.record({ id: fc.nat(5), title: fc.constantFrom("a", "b"), vat: rates }), {
      selector: ({ id }) => id,
    });
    const ids = fc.array(fc.option(fc.nat(5)), { minLength: 1, maxLength: 4 });
    const lists = fc.array(rows, { maxLength: 3 });
    fc.assert(
      fc.property(ids, lists, rows, fc.option(fc.nat(5)), (wanted, known, taxes, defaultTax) => {
        const receipt = receiptOf(...wanted);
        const meanings = meaningOfTaxes(receipt, { lists: known, defaultRow: known[0]?.[0] ?? null });
        const mapped = withRowsOf({ taxes, defaultTax }, receipt, meanings);
        for (const [index, id] of wanted.entries()) {
          const { vat = null, title = null } = meanings.find((meaning) => meaning.id === id) ?? {};
          const printed = mapped === null ? undefined : (itemsOf(mapped.receipt)[index]?.tax ?? mapped.defaultTax);
          const used = taxes.find((candidate) => candidate.id === printed);
          if (mapped !== null && vat !== null) expect(used?.vat).toBe(vat);
          if (mapped !== null && vat === null && title !== null) expect(used).toMatchObject({ vat: null, title });
          if (vat === null) expect(hasRowFor({ taxes, defaultTax }, id, meanings)).toBe(false);
          const older = id === null ? [] : known.flatMap((rowsOf) => rowsOf.filter((one) => one.id === id));
          if (new Set(older.map((one) => one.vat)).size > 1) expect(mapped).toBeNull();
        }
      }),
    );
  });
});

test("the meanings of an order's tax ids are shown in words, and as rows under the site's ids", () => {
  const meanings = meaningOfTaxes(receiptOf(1, 9, 7), { lists: [list], defaultRow: null });
  expect(meanings.map(rateInWords)).toEqual(["НДС 22% (1199: 11)", 'unknown: "Особая"', "unknown"]);
  expect(rowsAsMeant(meanings)).toEqual([row(1, 11, "НДС 22%"), row(9, null, "Особая")]);
});

describe("a tax row of 20 % that a register registers as 22 %", () => {
  const lists: readonly (readonly TaxRow[])[] = [[{ ...row(1, 1), inSale: 11 }]];
  const rateOf = (over: Partial<SaleReceipt>, methods: readonly number[] = [4]) => {
    const lines = methods.map((method) => makeItem({ tax: 1, method }));
    return meaningOfTaxes(makeReceipt({ lines, ...over }), { lists, defaultRow: null })[0]?.vat;
  };

  test("a tax row of 20 % VAT registered as 22 % means 22 % in a sale, and 20 % in a return and a payment of credit without a known sale", () => {
    expect(rateOf({})).toBe(11);
    expect(rateOf({ operation: "return" })).toBe(1);
    expect(rateOf({}, [7])).toBe(1);
  });

  const soldAt = (vat: VatCode, method = 4, registered = vat) => ({
    receipt: makeReceipt({ lines: [makeItem({ tax: 1, method })] }),
    meant: [{ id: 1, vat, title: null }],
    registered: [{ id: 1, vat: registered, title: null }],
  });

  test.each([
    ["a return of a sale at 22 %", "return", 4, [soldAt(11)], 11],
    ["a return of a sale of 2025", "return", 4, [soldAt(1)], 1],
    ["a return of a sale that meant 20 % and was registered at 22 %", "return", 4, [soldAt(1, 4, 11)], 11],
    ["a return of a prepayment of 2025 beside its settlement at 22 %", "return", 1, [soldAt(11), soldAt(1, 1)], 1],
    ["a return of a settlement at 22 % beside its prepayment of 2025", "return", 4, [soldAt(1, 1), soldAt(11)], 11],
    ["a return of the last of two sales", "return", 4, [soldAt(11), soldAt(1)], 11],
    ["a return whose sale had another rate by an earlier table", "return", 4, [soldAt(2)], 1],
    ["a payment of credit that was given at 22 %", "sale", 7, [soldAt(11, 6)], 11],
    ["a payment of credit that was given at 20 %", "sale", 7, [soldAt(1, 6)], 1],
    ["a sale after one of 2025", "sale", 4, [soldAt(1)], 11],
  ] as const)(
    "a tax row of 20 %% VAT registered as 22 %% means in %s what it meant in that sale",
    (_what, operation, method, sold, expected) => {
      const receipt = makeReceipt({ operation, lines: [makeItem({ tax: 1, method })] });
      expect(meaningOfTaxes(receipt, { lists, defaultRow: null, sold })[0]?.vat).toBe(expected);
    },
  );

  test("a return has the rate of its sale, 22 % or 20 %, although the row has the other rate now", () => {
    const receipt = makeReceipt({ operation: "return", lines: [makeItem({ tax: 1 })] });
    const rateBy = (now: VatCode, sold: VatCode) =>
      meaningOfTaxes(receipt, { lists: [[row(1, now)]], defaultRow: null, sold: [soldAt(sold)] })[0]?.vat;
    expect([rateBy(1, 11), rateBy(11, 1)]).toEqual([11, 1]);
  });

  const soldAs = (name: string, vat: VatCode, { tax = 1 as number | null, method = 4 } = {}) => ({
    receipt: makeReceipt({ lines: [makeItem({ name, tax, method })] }),
    meant: [{ id: tax, vat, title: null }],
    registered: [{ id: tax, vat, title: null }],
  });
  const teaOf2025 = [soldAs("Coffee", 11), soldAs("Tea", 1)];

  test.each([
    ["a return of the tea of 2025 beside the coffee of today", "return", "Tea", 4, teaOf2025, 1],
    ["a return of the coffee of today beside the tea of 2025", "return", "Coffee", 4, [...teaOf2025].reverse(), 11],
    [
      "a payment of the sofa's credit of 2025 beside a blanket of today",
      ...(["sale", "Sofa", 7, [soldAs("Blanket", 11), soldAs("Sofa", 1, { method: 6 })], 1] as const),
    ],
    [
      "a payment of the sofa's credit of today beside a blanket of 2025",
      ...(["sale", "Sofa", 7, [soldAs("Blanket", 1), soldAs("Sofa", 11, { method: 6 })], 11] as const),
    ],
    [
      "a return of what a right document sold at 22 % in words beside other goods of 2025",
      ...(["return", "Tea", 4, [soldAs("Tea", 11, { tax: 1011 }), soldAs("Coffee", 1)], 11] as const),
    ],
    [
      "a return of goods at row 1 beside goods of that name at 10 %",
      ...(["return", "Tea", 4, [soldAs("Tea", 2, { tax: 2 }), soldAs("Tea", 11)], 11] as const),
    ],
    ["a return of goods that no sale has, by the one rate of their row", "return", "Milk", 4, [soldAs("Tea", 11)], 11],
    ["a return of goods that no sale has, where the row was sold at two rates", "return", "Milk", 4, teaOf2025, 1],
  ] as const)(
    "a tax row of 20 %% VAT registered as 22 %% means the rate of the sale of the same goods: %s",
    (_what, operation, name, method, sold, expected) => {
      const receipt = makeReceipt({ operation, lines: [makeItem({ name, tax: 1, method })] });
      expect(meaningOfTaxes(receipt, { lists, defaultRow: null, sold })[0]?.vat).toBe(expected);
    },
  );

  test("a return of a position without a tax id has the default rate of its sale, not today's default", () => {
    const receipt = makeReceipt({ operation: "return", lines: [makeItem({ name: "Tea", tax: null })] });
    const rateOf = (sold: readonly SoldAtRates[]) =>
      meaningOfTaxes(receipt, { lists: [[row(6, 6), row(7, 7)]], defaultRow: row(7, 7), sold })[0]?.vat;
    expect([rateOf([soldAs("Tea", 6, { tax: null })]), rateOf([soldAs("Coffee", 6, { tax: null })])]).toEqual([6, 6]);
    expect([rateOf([]), rateOf([soldAs("Coffee", 6, { tax: 6 })])]).toEqual([7, 7]);
  });

  test("a correction has the rate of its own day, whatever its sale had", () => {
    const correction = { type: "self", date: "2025-12-30" } as const;
    const receipt = makeReceipt({ operation: "return", correction, lines: [makeItem({ tax: 1 })] });
    expect(meaningOfTaxes(receipt, { lists, defaultRow: null, sold: [soldAt(11)] })[0]?.vat).toBe(1);
  });

  test("a tax row of 20 % VAT registered as 22 % means 20 % when two positions of one receipt mean different rates by it", () => {
    expect(rateOf({}, [4, 7])).toBe(1);
  });

  test("a tax row of 20 % VAT registered as 22 % is accepted today, and a row that registers 20 % is refused in a sale", () => {
    const [taxes = []] = lists;
    const given = { tax: 1, method: 4, path: "tax" };
    const problems = (operation: "sale" | "return", rows: readonly TaxRow[]) =>
      rateProblems({ ...given, sign: { operation } }, { taxes: rows, today: "2026-11-28" }, defaultRules).length;
    expect([problems("sale", taxes), problems("return", taxes)]).toEqual([0, 0]);
    expect(problems("sale", [row(1, 1)])).toBe(1);
  });
});
