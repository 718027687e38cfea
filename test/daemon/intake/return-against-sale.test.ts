/** A return, or a payment of credit, that does not fit its printed sale is printed, and site and people are told. */
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { type Shop, type ShopOrder, useShops } from "../../support/make-shop.js";
import { close, pay, sell, table } from "../../support/order-samples.js";

const open = useShops();
const rows: readonly TaxRow[] = [
  { id: 1, title: "НДС 22%", vat: 11 },
  { id: 2, title: "НДС 10%", vat: 2 },
  { id: 3, title: "НДС 20%", vat: 1 },
];
const lines = [{ name: "Чай", price: 1500 }];
const otherRate: ShopOrder = { lines: [{ name: "Чай", price: 1500, tax: 2 }], back: true };
const rateOf2025: ShopOrder = { lines: [{ name: "Чай", price: 1500, tax: 3 }], back: true };
const otherGoods: ShopOrder = { lines: [{ name: "Кофе", price: 300 }], back: true };
const onCredit = table([
  sell,
  { type: "Registration", data: "Чай", param: { price: 1500, quantity: 1, tax: 1, paymentMode: 6 } },
  pay(1500, 3),
  close,
]);
let shop: Shop;

beforeEach(() => {
  shop = open({ taxListsOf: () => [rows] });
});

test.each([
  ["with another rate", otherRate, "items[0].tax", "у позиции «Чай» ставка НДС 10%"],
  ["by the row of 20 %", rateOf2025, "items[0].tax", "у позиции «Чай» ставка НДС 20%, а в чеке продажи НДС 22%"],
  ["of goods that were not in it", otherGoods, "items[0].name", "в чеке продажи нет позиции «Кофе»"],
])("a return of a printed sale %s is printed with a warning", (_what, back, path, message) => {
  shop.sell({ lines });
  shop.sell(back);
  expect(shop.told().at(-1)).toMatchObject({
    ...{ job: 2, resultCode: 0, outcome: "printed" },
    warnings: [{ path, message: expect.stringContaining(message) }],
  });
  expect(shop.journal.ofJob(2)).toContainEqual(expect.objectContaining({ what: "the return differs from its sale" }));
  expect(shop.log.filter((line) => line.includes("an order is odd"))).toHaveLength(1);
});

test.each([
  ["at the row of another rate", { name: "Чай", price: 1500, tax: 3 }, ["items[0].tax"]],
  ["under another name at the row of another rate", { name: "Оплата кредита", price: 1500, tax: 3 }, ["items[0].tax"]],
  ["at the rate of its sale", { name: "Оплата кредита", price: 1500, tax: 1 }, []],
])("a payment of credit %s is printed, with a warning of a rate that its sale does not have", (_how, line, paths) => {
  shop.take(onCredit);
  shop.printAll();
  shop.sell({ lines: [{ ...line, paymentMode: 7 }] });
  const warnings = paths.map((path) => ({
    path,
    message: expect.stringContaining("НДС 20%, а в чеке продажи НДС 22%"),
  }));
  expect(shop.told().at(-1)).toMatchObject({ job: 2, outcome: "printed", ...(paths.length > 0 ? { warnings } : {}) });
  expect("warnings" in (shop.told().at(-1) ?? {})).toBe(paths.length > 0);
});

test("a sale and a return of exactly the same goods have no warnings", () => {
  shop.sell({ lines });
  shop.sell({ lines, back: true });
  expect(shop.told().filter((body) => "warnings" in body)).toEqual([]);
  expect(shop.printed()).toBe(2);
});

test("a return of more pieces than an earlier return has left is printed with a warning", () => {
  const pieces = (quantity: number) => shop.sell({ lines: [{ name: "Чай", price: 100, quantity }], back: true });
  shop.sell({
    lines: [
      { name: "Кофе", price: 300 },
      { name: "Чай", price: 100, quantity: 2 },
    ],
  });
  pieces(1);
  pieces(2);
  expect(shop.told().map((body) => "warnings" in body)).toEqual([false, false, true]);
  expect(shop.told().at(-1)).toMatchObject({
    warnings: [{ path: "items[0].quantity", message: expect.stringContaining("возвращено всего 3, а продано 2") }],
  });
});
