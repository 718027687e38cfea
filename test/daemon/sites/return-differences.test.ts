import { ratesOfSales } from "@fiscald/daemon/sites/registered-rates.js";
import { differencesFromSale } from "@fiscald/daemon/sites/return-differences.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import type { ItemLine, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { TaxMeaning } from "@fiscald/shared/receipt/tax-meaning.js";
import { makeDocument, makeItem, makeJob, makeReceipt } from "../../support/make-job.js";

const taxes: readonly TaxMeaning[] = [
  { id: 1, vat: 11, title: null },
  { id: 2, vat: 2, title: null },
  { id: 3, vat: null, title: null },
  { id: 4, vat: 1, title: null },
];
const tea = makeItem({ name: "Чай", tax: 1 });
const milk = makeItem({ name: "Молоко", tax: 2, goodsCode: "AQID" });
const of = (lines: readonly ItemLine[], operation: "sale" | "return" = "sale") => ({
  receipt: makeReceipt({ operation, lines }),
  taxes,
  operation,
  state: "printed" as const,
});

test.each<readonly [string, readonly ItemLine[], readonly string[]]>([
  ["the same goods", [milk, tea], []],
  ["another rate", [{ ...tea, tax: 2 }], ["items[0].tax: у позиции «Чай» ставка НДС 10%, а в чеке продажи НДС 22%"]],
  ["goods that were not sold", [tea, makeItem({ name: "Кофе" })], ["items[1].name: в чеке продажи нет позиции «Кофе»"]],
  [
    "more pieces than were sold",
    [{ ...tea, quantity: quantity(2_000_000), price: kopecks(50_00) }],
    ["items[0].quantity: позиции «Чай» возвращено всего 2, а продано 1"],
  ],
  [
    "payments of credit (tag 1214 = 7) under a name and in pieces of their own, one at a rate that no sale has",
    [
      makeItem({ name: "Оплата кредита", tax: 1, method: 7 }),
      makeItem({ name: "Оплата кредита", tax: 4, method: 7 }),
      { ...tea, method: 7, quantity: quantity(2_000_000), price: kopecks(50_00) },
    ],
    ["items[1].tax: у позиции «Оплата кредита» ставка НДС 20%, а в чеке продажи НДС 22%, НДС 10%"],
  ],
  ["another name under the same code", [{ ...milk, name: "Молоко 3,2%" }], []],
  ["a name that is written with other Unicode characters", [{ ...tea, name: " Чаи\u0306" }], []],
  ["a rate that is not known", [{ ...tea, tax: 3 }], []],
])("a return with %s is compared with the sale of its order", (_what, lines, expected) => {
  const found = differencesFromSale(of(lines, "return"), [of([tea]), of([milk])]);
  expect(found.map(({ path, text }) => `${path}: ${text.ru}`)).toEqual(expected);
});

test("a return is not compared when no sale of its order is printed", () => {
  const others = [{ ...of([milk]), state: "failed" as const }, of([milk], "return")];
  for (const known of [[], others]) expect(differencesFromSale(of([tea], "return"), known)).toEqual([]);
});

test("after a repair a return is compared with the receipt that replaced the wrong one", () => {
  const [signOfWrong, requisites] = ["0012345678", { additional: "12345678" }];
  const sold = (line: ItemLine, over: object = {}) => ({ ...of([line]), ...over });
  const wrong = sold({ ...tea, tax: 2 }, { document: makeDocument({ fiscalSign: signOfWrong }) });
  const back = {
    ...of([{ ...tea, tax: 2 }], "return"),
    receipt: makeReceipt({ operation: "return", lines: [tea], requisites }),
  };
  const right = { ...of([tea]), receipt: makeReceipt({ lines: [tea], requisites }) };
  const found = (returned: ItemLine) => differencesFromSale(of([returned], "return"), [wrong, back, right]);
  expect(found(tea)).toEqual([]);
  expect(found({ ...tea, tax: 2 })).toMatchObject([{ path: "items[0].tax" }]);
});

test("goods that an earlier return took back count as returned, and goods of a returned wrong document do not", () => {
  const two = { ...tea, quantity: quantity(2_000_000) };
  const requisites = { additional: "12345678" };
  const wrong = { ...of([two]), document: makeDocument({ fiscalSign: "0012345678" }) };
  const back = { ...of([two], "return"), receipt: makeReceipt({ operation: "return", lines: [two], requisites }) };
  const known = [wrong, back, of([two])];
  const found = (returned: ItemLine, before: Parameters<typeof differencesFromSale>[1] = known) =>
    differencesFromSale(of([returned], "return"), before);
  expect(found(two)).toEqual([]);
  expect(found(tea, [...known, of([tea], "return")])).toEqual([]);
  expect(found(two, [...known, of([tea], "return")])).toMatchObject([{ path: "items[0].quantity" }]);
  expect(found(two, [...known, { ...of([tea], "return"), state: "failed" as const }])).toEqual([]);
});

test("the rates of an order's sales are listed newest first, without the rates of a wrong document that was returned", () => {
  const requisites = { additional: "12345678" };
  const jobOf = (id: number, receipt: SaleReceipt, fiscalSign = `${id}`) =>
    makeJob({ id, receipt, state: "printed", document: makeDocument({ fiscalSign }) });
  const sales = [{}, {}, { requisites }].map((over) => makeReceipt({ lines: [tea], ...over }));
  const [first, wrong, right] = sales as [SaleReceipt, SaleReceipt, SaleReceipt];
  const back = makeReceipt({ operation: "return", lines: [tea], requisites });
  const jobs = [jobOf(1, first), jobOf(2, wrong, "0012345678"), jobOf(3, back), jobOf(4, right)];
  const found = ratesOfSales(jobs, { ofJob: () => [] });
  expect(found.map(({ receipt }) => receipt)).toEqual([right, first]);
});
