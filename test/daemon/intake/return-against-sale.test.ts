/** A return with a rate or goods that its printed sale lacks is printed, and site and people are told. */
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { type Shop, type ShopOrder, useShops } from "../../support/make-shop.js";

const open = useShops();
const rows: readonly TaxRow[] = [
  { id: 1, title: "НДС 22%", vat: 11 },
  { id: 2, title: "НДС 10%", vat: 2 },
];
const lines = [{ name: "Чай", price: 1500 }];
const otherRate: ShopOrder = { lines: [{ name: "Чай", price: 1500, tax: 2 }], back: true };
const otherGoods: ShopOrder = { lines: [{ name: "Кофе", price: 300 }], back: true };
let shop: Shop;

beforeEach(() => {
  shop = open({ taxListsOf: () => [rows] });
});

test.each([
  ["with another rate", otherRate, "items[0].tax", "позиция «Чай» возвращается со ставкой"],
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
