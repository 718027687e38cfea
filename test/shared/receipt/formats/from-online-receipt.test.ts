import { vatRates } from "@fiscald/shared/receipt/vat.js";
import { online, problemsFrom, read, saleFrom } from "../../../support/order-samples.js";

const line = (over: object = {}) => ({ name: "Чай", price: 100, quantity: 2, sum: 200, ...over });
const oneLine = (over: object, total: unknown) =>
  online({ items: [line(over)], total, payments: [{ type: 0, sum: total }] });
const internet = { isInternetPayment: 1, internetPaymentUrl: "shop.example" };

describe("an online receipt", () => {
  test.each([
    ["no items", online({ items: [] }), "receipt.no-items 3 receipt.items"],
    ["items left out", online({ items: null }), "order.missing-value 3 receipt.items"],
    ["items that are an object", online({ items: { 0: line() } }), "order.wrong-value 1 receipt.items"],
    ["101 items", online({ items: Array.from({ length: 101 }, () => line()) }), "order.too-large 1 receipt.items"],
    ["a line without a name", oneLine({ name: "" }, 200), "order.missing-value 3 receipt.items[0].name"],
    ["a line without a price", oneLine({ price: null }, 200), "order.missing-value 3 receipt.items[0].price"],
    ["a line without a sum", oneLine({ sum: null }, 200), "order.missing-value 3 receipt.items[0].sum"],
    ["a negative price", oneLine({ price: -1 }, 200), "order.wrong-value 1 receipt.items[0].price"],
    ["a negative quantity", oneLine({ quantity: -2 }, 200), "order.wrong-value 1 receipt.items[0].quantity"],
    ["a negative sum", oneLine({ sum: -1 }, 200), "order.wrong-value 1 receipt.items[0].sum"],
    ["a sum of three decimals", oneLine({ sum: 199.999 }, 200), "order.wrong-value 1 receipt.items[0].sum"],
    ["a sum two kopecks too high", oneLine({ sum: 200.02 }, 200.02), "receipt.total-mismatch 1 receipt.items[0].sum"],
    [
      "a line above the largest sum",
      oneLine({ price: 99_999_999, quantity: 3 }, 200),
      "order.wrong-value 1 receipt.items[0].price",
    ],
    ["no total", online({ total: null }), "order.missing-value 3 receipt.total"],
    ["a total of nine digits", online({ total: 100_000_000 }), "order.wrong-value 1 receipt.total"],
    ["a total of three decimals", online({ total: "200.001" }), "order.wrong-value 1 receipt.total"],
    ["a total that is not the sum", online({ total: 199.99 }), "receipt.total-mismatch 1 receipt.total"],
    ["no payments", online({ payments: [] }), "receipt.no-payments 3 receipt.payments"],
    ["payments left out", online({ payments: null }), "order.missing-value 3 receipt.payments"],
    [
      "payments below the total",
      online({ payments: [{ type: 0, sum: 199.98 }] }),
      "receipt.payments-mismatch 1 receipt.payments",
    ],
    [
      "cashless above the total",
      online({ payments: [{ type: 1, sum: 200.02 }] }),
      "receipt.payments-mismatch 1 receipt.payments",
    ],
    [
      "a payment without a type",
      online({ payments: [{ sum: 200 }] }),
      "order.missing-value 3 receipt.payments[0].type",
    ],
    ["no receipt", { external_id: "B-1" }, "order.missing-value 3 receipt.items"],
    ["no order number", online({}, { external_id: null }), "order.missing-value 3 external_id"],
    ["a fraction as an order number", online({}, { external_id: 1.5 }), "order.wrong-value 1 external_id"],
    ["an INN of nine digits", online({}, { service: { inn: "770000000" } }), "order.wrong-value 1 service.inn"],
    ["an unknown operation", online({}, { operation: "buy" }), "order.wrong-value 1 operation"],
    [
      "an internet payment without an address",
      online({ attributes: { email: "a@b" } }, { isInternetPayment: 1 }),
      "receipt.internet 3 internetPaymentUrl",
    ],
    ["an internet payment without a contact", online({}, internet), "receipt.internet 3 receipt.attributes"],
    [
      "an internet payment whose e-mail is none",
      online({ attributes: { email: "a@" } }, internet),
      "order.wrong-value 1 receipt.attributes.email",
    ],
  ])("an online receipt with %s is refused", (_, order, expected) => {
    const [first] = problemsFrom(order);
    expect(`${first?.code} ${first?.resultCode} ${first?.path}`).toBe(expected);
  });

  test("an online receipt of a hundred items is accepted", () => {
    const items = Array.from({ length: 100 }, () => line());
    expect(saleFrom(online({ items, total: 20_000, payments: [{ type: 0, sum: 20_000 }] })).lines).toHaveLength(100);
  });

  test.each([
    ["a discount as the difference of the sum", { sum: 150.5 }, 15_050],
    ["the kopeck of rounding", { price: 33.33, quantity: 3, sum: 100 }, 10_000],
    ["texts for numbers", { price: "100.00", quantity: "2", sum: "199.90" }, 19_990],
  ])("an online receipt is read with %s", (_, over, total) => {
    expect(saleFrom(oneLine(over, total / 100)).lines).toMatchObject([{ total }]);
  });

  test.each([
    [undefined, "sale"],
    ["sell", "sale"],
    ["SELL_REFUND", "return"],
  ])("an online receipt with operation %p is a %s", (operation, expected) => {
    expect(saleFrom(online({}, { operation })).operation).toBe(expected);
  });

  test("an online receipt without an e-mail has the phone as contact, and unused fields are ignored", () => {
    const receipt = saleFrom(
      online(
        { attributes: { sno: "nonsense", email: "", phone: "8 912 345 67 89" } },
        { service: { inn: "", payment_address: 7, callback: {} } },
      ),
    );
    expect(receipt).toMatchObject({ contact: "+79123456789", expectedInn: null, taxSystem: null });
  });

  test("an online receipt with service.inn is accepted only by registers of that taxpayer", () => {
    expect(saleFrom(online({}, { service: { INN: 7700000000 } })).expectedInn).toBe("7700000000");
  });

  test("an online receipt whose timestamp cannot be read is printed with a warning", () => {
    expect(read(online({}, { timestamp: "31.02.2026 10:00:00" }))).toMatchObject({
      kind: "receipt",
      warnings: [{ path: "timestamp" }],
    });
    expect(read(online({}, { timestamp: "28.02.2026 10:00:00" }))).toMatchObject({ warnings: [] });
  });

  test.each([
    ["36.07", 0],
    ["36.08", 0],
    ["36.09", 1],
    ["33.33", 1],
  ])("an online receipt with tax_sum %s of 200.00 at 22 percent has %i warnings", (tax_sum, count) => {
    const taxes = [{ id: 4, title: vatRates[11].title, vat: 11 as const }];
    expect(read(online({ items: [line({ tax: 4, tax_sum })] }), { taxes })).toMatchObject({
      kind: "receipt",
      warnings: Array.from({ length: count }, () => ({ path: "receipt.items[0].tax_sum" })),
    });
  });
});

test("an online receipt whose rates are only in the receipt's `vats` is refused at the position without a rate", () => {
  const vats = [{ type: "vat22", sum: 36.07 }];
  const [tea, coffee] = [line({ vat: { type: "vat22" } }), line({ name: "Кофе" })];
  const body = (items: readonly object[], total: number) =>
    online({ items, vats, total, payments: [{ type: 1, sum: total }] });
  expect(problemsFrom(body([tea, coffee], 400))).toMatchObject([
    { code: "order.missing-value", path: "receipt.items[1].vat" },
  ]);
  expect(saleFrom(body([tea], 200)).lines).toMatchObject([{ tax: 1011 }]);
  expect(saleFrom(online({ vats: [] })).lines).toMatchObject([{ tax: null }]);
});

test("printDoc false of an online receipt leaves the paper out only when the buyer gets an electronic receipt", () => {
  const silent = online({ attributes: { email: "a@b.ru" } }, { printDoc: false });
  expect(saleFrom(silent)).toMatchObject({ printDoc: false });
  expect(read(online({}, { printDoc: 0 }))).toMatchObject({ receipt: { printDoc: true }, warnings: [{}] });
});
