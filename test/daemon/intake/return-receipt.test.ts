/** The receipt of a return is made from a printed receipt and what a person wants back. */
import { positionsLeft, type ReturnedLine, receiptOfReturn } from "@fiscald/daemon/intake/return-receipt.js";
import { type Kopecks, kopecks, type Quantity, quantity } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import { toInn, toReceiptId } from "@fiscald/shared/ids.js";
import { type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";

const agent = {
  type: 64,
  supplierName: "Поставщик",
  supplierPhones: ["+79990000000"],
  supplierInn: toInn("7707083893"),
};
const tea = makeItem({ name: "Чай", ...sold(3, 100_00), tax: 2, method: 4, agent });
const shoes = makeItem({ name: "Туфли", ...sold(1, 50_01), tax: 1, method: 4, markingCode: "MDEwNDYw" });
const receiptId = toReceiptId("3b241101-e2bb-4255-8caf-4136c566a962");
const sale = makeReceipt({
  lines: [tea, shoes],
  payments: [
    { typeClose: 0, sum: kopecks(100_00) },
    { typeClose: 1, sum: kopecks(60_00) },
  ],
  contact: "buyer@example.com",
  requisites: { additional: "sale's own", buyer: { name: "Покупатель" } },
});

function sold(count: number, total: number) {
  return { quantity: units(count), price: kopecks(Math.ceil(total / count)), total: kopecks(total) };
}

function units(count: number): Quantity {
  return quantity(count * 1_000_000);
}

function back(
  lines: readonly ReturnedLine[] | null,
  returns: readonly SaleReceipt[] = [],
  fixes: string | null = null,
) {
  return receiptOfReturn({ printed: sale, returns, lines, fixes, receiptId });
}

function sumOf({ payments }: SaleReceipt): Kopecks {
  return kopecks(payments.reduce((sum, payment) => sum + payment.sum, 0));
}

test("a whole return has the sale's lines, rates, marking codes, agents, buyer and payments, without the change", () => {
  expect(back(null)).toEqual({
    ...sale,
    ...{ operation: "return", receiptId, lines: [tea, shoes] },
    payments: [
      { typeClose: 0, sum: 90_01 },
      { typeClose: 1, sum: 60_00 },
    ],
    requisites: { buyer: { name: "Покупатель" } },
  });
});

test("a return that puts a wrong document right names the document's fiscal sign in tag 1192", () => {
  expect(back(null, [], "0123456789").requisites).toEqual({
    buyer: { name: "Покупатель" },
    additional: "0123456789",
  });
});

test("a returned part of a line costs its share, and is paid back in the sale's payment types in proportion", () => {
  const part = back([{ position: 1, quantity: units(1) }]);
  expect(part.lines).toEqual([{ ...tea, quantity: units(1), total: 33_33 }]);
  expect(part.payments).toEqual([
    { typeClose: 0, sum: 20_00 },
    { typeClose: 1, sum: 13_33 },
  ]);
});

test("returns of all parts one after the other add up to exactly the lines and the payments of the sale", () => {
  const returns: SaleReceipt[] = [];
  for (const position of [1, 1, 2, 1]) returns.push(back([{ position, quantity: units(1) }], returns));
  expect(returns.map(sumOf)).toEqual([33_33, 33_34, 50_01, 33_33]);
  expect(returns.map(totalOf)).toEqual(returns.map(sumOf));
  const ofForm = (form: number) =>
    returns.flatMap(({ payments }) => payments.filter(({ typeClose }) => typeClose === form).map(({ sum }) => sum));
  expect([ofForm(0), ofForm(1)].map((sums) => sums.reduce((one, other) => one + other, 0))).toEqual([90_01, 60_00]);
  expect(positionsLeft(sale, returns)).toEqual([]);
});

test("goods that a site's return took back count where name and method (tag 1214) agree, whatever their price and rate", () => {
  const ofSite = makeReceipt({
    operation: "return",
    lines: [makeItem({ name: " Чай ", quantity: units(2), total: kopecks(70_00), tax: 9, method: 4 })],
    payments: [{ typeClose: 1, sum: kopecks(70_00) }],
  });
  const advance = makeReceipt({
    operation: "return",
    lines: [makeItem({ name: "Чай", ...sold(1, 30_00), method: 3 })],
  });
  expect(positionsLeft(sale, [ofSite, advance])).toEqual([
    { position: 1, item: tea, quantity: units(1), total: 30_00 },
    { position: 2, item: shoes, quantity: units(1), total: 50_01 },
  ]);
  // The card's money is gone, so that the rest goes back in cash.
  expect(back(null, [ofSite]).payments).toEqual([{ typeClose: 0, sum: 80_01 }]);
});

test("the rest of a sale goes back in the forms that are left, also where they are exactly the rest's sum", () => {
  const lines = [{ ...tea, quantity: units(2), total: kopecks(60_00) }];
  const byCard = makeReceipt({ operation: "return", lines, payments: [{ typeClose: 1, sum: kopecks(60_00) }] });
  expect(back(null, [byCard]).payments).toEqual([{ typeClose: 0, sum: 90_01 }]);
});

test.each([
  ["more of a line than is left", [{ position: 1, quantity: units(4) }], "job.return-exceeds-sale"],
  ["a line that the receipt lacks", [{ position: 3, quantity: null }], "usage.wrong"],
  ["a line twice", [1, 1].map((position) => ({ position, quantity: units(1) })), "usage.wrong"],
  ["a quantity of nothing", [{ position: 1, quantity: units(0) }], "usage.wrong"],
])("a return of %s is refused", (_what, lines, code) => {
  expect(codeOf(() => back(lines))).toBe(code);
});

test("a return of a receipt that was returned whole is refused", () => {
  expect(codeOf(() => back(null, [back(null)]))).toBe("job.return-exceeds-sale");
});

function codeOf(act: () => unknown): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return isFault(error) ? error.code : error;
  }
}
