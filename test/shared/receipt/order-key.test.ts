import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { toOrderId, toReceiptId, toSiteId } from "@fiscald/shared/ids.js";
import { orderKey } from "@fiscald/shared/receipt/order-key.js";
import type { ItemLine, Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { close, item, online, pay, receiptFrom, refund, saleFrom, sell, table } from "../../support/order-samples.js";

const site = toSiteId("shop");
const keyOf = (receipt: Receipt) => orderKey({ site, receipt }).key;

const goods = item({ price: 19.99, quantity: 3, tax: 11, discountType: 1, discountValue: 10 }, "Чайник");
const base = saleFrom(table([sell, goods, pay(53.97), close]));
const service = receiptFrom(
  table([
    { type: "CashIncome", param: { summ: 10 } },
    { type: "Report", param: { reportType: 1 } },
    { type: "String", data: "x" },
    { type: "Cut" },
  ]),
);

function withItem(change: Partial<ItemLine>): SaleReceipt {
  return { ...base, lines: base.lines.map((line) => (line.type === "item" ? { ...line, ...change } : line)) };
}

describe("the order key, version 1", () => {
  test("the order key of a sale never changes between versions", () => {
    expect(orderKey({ site, receipt: base })).toEqual({
      version: 1,
      canonical: '["v1","shop","sale","A-1",[["Чайник",3000000,5397,11,1,4,null,null]],[[1,5397]]]',
      key: "78d6d952504ad5a2c0471e30ac81b25ba9a8f0466f56fecf40da5c139da528d2",
    });
  });

  test("the order key of a service job never changes between versions", () => {
    expect(orderKey({ site, receipt: service })).toEqual({
      version: 1,
      canonical: '["v1","shop","service","A-1",false,[["cash","in",1000],["report","z"],["text","x"],["cut"]]]',
      key: "5d88d1a5f964b978a3d6ba9face0de97971bd4372c45aef5d4219e0045ccb7db",
    });
  });

  test("the order key of a receipt with a receiptId never changes between versions, whatever else the receipt has", () => {
    const receiptId = toReceiptId("6F1D2C3B-0A1B-4C2D-8E3F-001122334455");
    const key = orderKey({ site, receipt: { ...base, receiptId } });
    expect(key).toEqual({
      version: 1,
      canonical: '["v1","shop","receipt-id","6f1d2c3b-0a1b-4c2d-8e3f-001122334455"]',
      key: "b5c25f82a992def6d9f81d25f75e023371ce8ef6efc264171ea2b1bcc5e56030",
    });
    expect(orderKey({ site, receipt: { ...base, receiptId, operation: "return" } })).toEqual(key);
  });

  test("the order key of an agent's marked position never changes between versions", () => {
    const agent = { type: 32, supplierName: "ООО", supplierPhones: [], supplierInn: null };
    expect(orderKey({ site, receipt: withItem({ markingCode: "AAEC", subject: 33, agent }) }).canonical).toBe(
      '["v1","shop","sale","A-1",[["Чайник",3000000,5397,11,33,4,"AAEC",[32,null]]],[[1,5397]]]',
    );
  });

  test.each<[string, Receipt]>([
    ["another contact", { ...base, contact: "a@b" }],
    ["an internet flag", { ...base, internet: { url: "shop.example" } }],
    ["no paper", { ...base, printDoc: false }],
    [
      "text lines",
      saleFrom(table([sell, { type: "String", data: "Скидка" }, goods, pay(53.97), { type: "Cut" }, close])),
    ],
    ["payments in parts", saleFrom(table([sell, goods, pay(3.97), pay(60), pay(-10), close]))],
    [
      "the online format and a timestamp",
      saleFrom(
        online(
          {
            items: [{ name: " Чайник ", price: "19.99", quantity: "3.000", sum: 53.97, tax: 11 }],
            total: 53.97,
            payments: [{ type: 1, sum: 53.97 }],
          },
          { external_id: "A-1", timestamp: "20.11.2026 14:05:00" },
        ),
      ),
    ],
    ["the price after the discount", withItem({ price: kopecks(1799) })],
    ["a name in its decomposed form", withItem({ name: " Чайник".normalize("NFD") })],
    [
      "payments that were not added up yet",
      { ...base, payments: [3000, 5000, -2603].map((sum) => ({ typeClose: 1, sum: kopecks(sum) })) },
    ],
    ["another department", withItem({ department: 2 })],
  ])("the order key of a sale is the same with %s", (_, receipt) => {
    expect(keyOf(receipt)).toBe(keyOf(base));
  });

  test.each<[string, Receipt]>([
    ["another order number", { ...base, orderId: toOrderId("A-2") }],
    ["the other direction", saleFrom(table([refund, { ...goods, type: "Return" }, pay(53.97), close]))],
    ["another payment type", saleFrom(table([sell, goods, pay(53.97, 2), close]))],
    ["more cash given", saleFrom(table([sell, goods, pay(60, 0), close]))],
    ["another tax row", withItem({ tax: 1 })],
    ["no tax row", withItem({ tax: null })],
    ["another name", withItem({ name: "Чайники" })],
    ["another quantity", withItem({ quantity: quantity(2_000_000) })],
    ["another method of settlement", withItem({ method: 1 })],
    ["a requisite of the position", withItem({ requisites: { additional: "x" } })],
    ["another buyer", { ...base, requisites: { buyer: { name: "ООО Ромашка" } } }],
    ["the same position twice", { ...base, lines: [...base.lines, ...base.lines] }],
  ])("the order key of a sale differs with %s", (_, receipt) => {
    expect(keyOf(receipt)).not.toBe(keyOf(base));
  });

  test("the order key of a sale differs between sites, and between two sequences of its positions", () => {
    const two = (first: object, second: object) => keyOf(saleFrom(table([sell, first, second, pay(200), close])));
    const [tea, coffee] = [item({ price: 50, quantity: 1 }, "Чай"), item({ price: 150, quantity: 1 }, "Кофе")];
    expect(two(tea, coffee)).not.toBe(two(coffee, tea));
    expect(orderKey({ site: toSiteId("other"), receipt: base }).key).not.toBe(keyOf(base));
  });

  test("the order key of a service job depends on every line", () => {
    const cash = (summ: number) => ({ type: "CashIncome", param: { summ } });
    expect(keyOf(receiptFrom(table([cash(1)])))).not.toBe(keyOf(receiptFrom(table([cash(2)]))));
    expect(keyOf(receiptFrom(table([cash(1)])))).not.toBe(keyOf(receiptFrom(table([cash(1), { type: "Cut" }]))));
  });
});
