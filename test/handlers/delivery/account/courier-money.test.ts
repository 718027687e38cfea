/** What a courier collects and brings back, however often and in whatever pieces he reports it. */
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import {
  asRefund,
  byId,
  courierReceipt,
  paid,
  printAll,
  refundOrder,
  sale,
  tea,
} from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("a courier's money", (newDatabase) => {
  const { money } = useMoney(newDatabase);

  beforeEach(() => money.shop.post("/orders", [newOrder({ deliveryStatusId: 2 })]));

  const half = { paymentId: "p1", paymentTypeId: "2", price: 250.5, paidIn: "2026-11-20 14:00:00" };
  const prepaidOnline = { ...paid, prePaymentSum: 200 };
  const settled = [
    { typeClose: 0, sum: 30100 },
    { typeClose: 2, sum: 20000 },
  ];
  const orderNow = async () => (await money.shop.get("/orders", byId.query)).body;
  const pay = (payments: readonly object[], orderId = 1042) =>
    money.courier.post("/orders/payments", { orderId, payments });
  const arrive = (deliveryStatusId: number) =>
    money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId });
  const bringBack = (goods: readonly object[], more: object = {}) =>
    money.courier.post("/orders/returns", { orderId: 1042, goods, payments: [], ...more });
  const cancel = (count: number, more: object = {}, orderId = 1042) => {
    const items = [{ goodId: 501, returnReasonId: 1, count, ...more }];
    return money.courier.post("/orders/canceledItems", { orderId, items });
  };

  test("that our till printed and he reported as his own is one receipt", async () => {
    await pay([half, { ...half, paymentId: "p2" }]);
    await arrive(3);
    const receipt = sale(await money.till.poll());
    const known = { ...courierReceipt, fn: "9999078900000001", fdNumber: "1" };
    const told = await money.courier.post("/orders/receipts", { orderId: 1042, operation: "sale", receipt: known });
    expect(told.status).toBe(204);
    await money.till.report(receipt);
    expect(await orderNow()).toMatchObject({ receiptStatusId: 1 });
    const { body } = await money.shop.get("/orderAccounts", { orderId: 1042 });
    expect(body).toMatchObject({ isBalanced: true, sold: "501.00", collected: "501.00" });
    expect(body.entries).toMatchObject([
      {
        issuedBy: "shop",
        state: "registered",
        fdNumber: "1",
        payments: [{ sum: "501.00" }],
        taxes: [{ sum: "501.00" }],
      },
      { issuedBy: "courier", state: "void", fdNumber: "1" },
    ]);
  });

  test.each([
    ["in cash", "2", settled],
    ["by card", "1", settled.map(({ typeClose, sum }) => ({ typeClose: typeClose === 0 ? 1 : typeClose, sum }))],
  ])(
    "at the door %s is on paper, although the rest was prepaid on the internet",
    async (_how, paymentTypeId, payments) => {
      await money.shop.post("/orders", [newOrder({ ...prepaidOnline, orderId: 2, deliveryStatusId: 2, statusId: 0 })]);
      await pay([{ ...half, paymentId: "p3", paymentTypeId, price: 301 }], 2);
      await money.courier.post("/orders/status", { orderId: 2, deliveryStatusId: 3 });
      expect(sale(await money.till.printNext())).toMatchObject({ payments, internet: null, printDoc: true });
    },
  );

  test("that he took back leaves what was paid in the shop in the form that the shop named", async () => {
    await money.shop.put("/orders", { statusId: 1 }, byId);
    await pay([half, { ...half, paymentId: "p2", price: -250.5 }]);
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toEqual([{ typeClose: 1, sum: 50100 }]);
  });

  const [first, second] = [1, 2].map((number) => tea(1, { markValue: `010460000000000${number}` }));
  const bread = { goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0 };
  test.each([
    ["another mark", [first, second], [second]],
    ["the count that is left", [tea(2)], [tea(1)]],
    ["one of two that are alike", [tea(1), tea(1)], [tea(1)]],
    ["the same position in another place", [bread, tea(2)], [tea(2)]],
    ["the same position, sent back", [tea(2)], [tea(2)]],
  ])("is on the receipt where an edit follows his cancellation: %s", async (_title, goods, edited) => {
    expect((await money.shop.put("/orders", { goods }, byId)).status).toBe(201);
    expect((await cancel(1)).status).toBe(204);
    await pay([half]);
    expect((await money.shop.put("/orders", { goods: edited }, byId)).status).toBe(201);
    await arrive(4);
    expect(await printAll(money.till)).toEqual(["sale 25050"]);
    expect((await money.shop.get("/orderAccounts", { orderId: 1042 })).body.findings).toEqual([]);
  });

  test("may be more than the order costs where he gives change", async () => {
    await pay([{ ...half, price: 1000 }]);
    await arrive(3);
    expect(sale(await money.till.printNext()).payments).toEqual([{ typeClose: 0, sum: 50100 }]);
    expect((await money.shop.get("/orderAccounts", { orderId: 1042 })).body.isBalanced).toBe(true);
  });

  test("that nobody has reported is in the form of the order's payment type", async () => {
    await money.shop.post("/orders", [newOrder({ ...prepaidOnline, orderId: 2, paymentId: 2, deliveryStatusId: 3 })]);
    expect(sale(await money.till.printNext())).toMatchObject({ payments: settled });
  });

  test("need not cover a prepayment of another program that the sale does not use, and the shop is told", async () => {
    await money.shop.put("/orders", { ...prepaidOnline, prePaymentSum: 501 }, byId);
    expect((await cancel(1)).status).toBe(204);
    await arrive(4);
    expect(sale(await money.till.printNext())).toMatchObject({ payments: [{ typeClose: 2, sum: 25050 }] });
    const { body } = await money.shop.get("/orderAccounts", { orderId: 1042 });
    expect(body).toMatchObject({ used: "250.50", findings: [expect.stringContaining("give back the other 250.50")] });
  });

  test("of a weighed good may be cancelled part by part until nothing is left", async () => {
    const goods = [{ goodId: 501, count: 0.3, price: 100, total: 30, discountTotal: 0 }];
    await money.shop.put("/orders", { goods, amountToPay: 30 }, byId);
    expect((await cancel(0.1)).status).toBe(204);
    expect((await cancel(0.2)).status).toBe(204);
    expect((await cancel(0.000001)).status).toBe(422);
    expect((await cancel(0)).body.message).toBe("items[0].count: must be above zero");
  });

  test.each([1, 1.5])("of %d marked pieces is cancelled as a whole, a part of it is 422", async (count) => {
    const goods = [tea(count, { markValue: "0104600000000001" })];
    await money.shop.put("/orders", { goods, amountToPay: count * 250.5 }, byId);
    const part = await cancel(0.5);
    expect([part.status, part.body.message]).toEqual([
      422,
      "items[0].count: must be whole: one marking code is one piece",
    ]);
    expect((await cancel(count)).status).toBe(204);
  });

  test("of a position that nobody takes says why, as each part of it does", async () => {
    await money.shop.post("/orderReturnReasons", [{ reasonId: 2, title: "Брак", type: "cancel" }]);
    await cancel(1);
    expect((await orderNow()).goods[0]).toMatchObject({ returnReasonId: null, canceledItems: [{ returnReasonId: 1 }] });
    await cancel(1, { returnReasonId: 2 });
    const canceledItems = [{ returnReasonId: 1 }, { returnReasonId: 2 }];
    expect((await orderNow()).goods[0]).toMatchObject({ returnReasonId: 2, canceledItems });
  });

  test("of a good that stands in two positions without numbers may be cancelled in both, and taken from both warehouses", async () => {
    await money.shop.post("/warehouses", [{ warehouseId: 2, title: "Второй" }]);
    const goods = [1, 2].map((warehouseId) => tea(1, { warehouses: [{ warehouseId, count: 1 }] }));
    expect((await money.shop.put("/orders", { goods }, byId)).status).toBe(201);
    const items = [{ goodId: 501, warehouseId: 2, tookCount: 1 }];
    expect((await money.courier.post("/orders/taken", { orderId: 1042, items })).status).toBe(204);
    expect((await orderNow()).goods).toMatchObject([
      { warehouses: [{ tookCount: 0 }] },
      { warehouses: [{ tookCount: 1 }] },
    ]);
    expect([(await cancel(1)).status, (await cancel(1)).status]).toEqual([204, 204]);
    expect((await orderNow()).goods).toMatchObject([1, 1].map((count) => ({ canceledItems: [{ count }] })));
    const more = await cancel(1);
    expect([more.status, more.body.message]).toEqual([422, "items[0].count: is more than is left"]);
    const elsewhere = { orderId: 1042, items: [{ goodId: 501, warehouseId: 3, tookCount: 1 }] };
    const { status, body } = await money.courier.post("/orders/taken", elsewhere);
    expect([status, body.message]).toEqual([422, "items[0].warehouseId: is not a warehouse of this position"]);
  });

  test("of a position without a good is cancelled, and comes back, by its number", async () => {
    const of = (position: number, changes: object = {}) =>
      tea(1, { goodId: null, taxId: 1, position, description: `Доставка ${position}`, ...changes });
    const goods = [of(1), of(2, { price: 100, total: 100 }), of(3, { price: 50, total: 50 })];
    expect((await money.shop.put("/orders", { goods, amountToPay: 400.5 }, byId)).status).toBe(201);
    const nameless = await cancel(1, { goodId: undefined });
    expect([nameless.status, nameless.body.message]).toEqual([
      422,
      "items[0].goodId: is required, or the position's number",
    ]);
    expect((await cancel(1, { goodId: undefined, position: 1 })).status).toBe(204);
    await pay([{ ...half, price: 150 }]);
    await arrive(4);
    expect(await printAll(money.till)).toEqual(["sale 15000"]);
    expect((await bringBack([{ goodId: null, position: 3, count: 1 }])).status).toBe(204);
    expect(await printAll(money.till)).toEqual(["return 5000"]);
  });

  describe("payments", () => {
    test("that stand twice in one array are 422 and pay nothing", async () => {
      const { status, body } = await pay([half, half]);
      expect(status).toBe(422);
      expect(body.message).toMatch(/^payments\[1\]\.paymentId: /);
      expect(await orderNow()).toMatchObject({ statusId: 0, payments: [] });
    });

    test("that were reported before are left alone, with another sum they are 422", async () => {
      expect((await pay([half])).status).toBe(204);
      expect((await pay([half])).status).toBe(204);
      expect(await orderNow()).toMatchObject({ statusId: 0, payments: [{ paymentId: "p1" }] });
      expect((await pay([{ ...half, price: 501 }])).body.message).toMatch(/^payments\[0\]\.paymentId: /);
      expect((await pay([half, { ...half, paymentId: "p2" }])).status).toBe(204);
      expect(await orderNow()).toMatchObject({ statusId: 1 });
    });

    test("of another order are 422", async () => {
      await money.shop.post("/orders", [newOrder({ orderId: 2, deliveryStatusId: 2 })]);
      await pay([half]);
      const { status, body } = await pay([{ ...half, price: 501 }], 2);
      expect(status).toBe(422);
      expect(body.message).toBe("payments[0].paymentId: is a payment of order 1042");
      expect((await money.shop.get("/orders", { orderId: 2 })).body).toMatchObject({ statusId: 0, payments: [] });
    });

    test("that were taken back stand on no receipt", async () => {
      await pay([
        { ...half, paymentTypeId: "1", price: 501 },
        { ...half, paymentId: "p2", paymentTypeId: "1", price: -501 },
        { ...half, paymentId: "p3", price: 501 },
      ]);
      await arrive(3);
      expect(sale(await money.till.printNext()).payments).toEqual([{ typeClose: 0, sum: 50100 }]);
    });

    test("pay an order that is edited down to them", async () => {
      await pay([half]);
      await money.shop.put("/orders", { goods: [tea(1)], amountToPay: 250.5 }, byId);
      expect(await orderNow()).toMatchObject({ statusId: 1 });
    });

    test("pay an order of which a part was cancelled, before or after", async () => {
      await cancel(1);
      await pay([half]);
      expect(await orderNow()).toMatchObject({ statusId: 1 });
      await money.shop.post("/orders", [newOrder({ orderId: 2, deliveryStatusId: 2 })]);
      await pay([{ ...half, paymentId: "p2" }], 2);
      await cancel(1, {}, 2);
      expect((await money.shop.get("/orders", { orderId: 2 })).body).toMatchObject({ statusId: 1 });
    });
  });

  describe("returns", () => {
    const sold = async (goods: readonly object[] = [tea(2)]) => {
      const total = goods.reduce((sum: number, item) => sum + ("total" in item ? Number(item.total) : 0), 0);
      await money.shop.put("/orders", { goods, amountToPay: total, statusId: 1, deliveryStatusId: 3 }, byId);
      expect(await printAll(money.till)).toHaveLength(1);
    };

    test("a good that stands twice in one array comes back no more than was sold", async () => {
      await sold();
      const twice = [
        { goodId: 501, count: 1 },
        { goodId: 501, count: 2 },
      ];
      const { status, body } = await bringBack(twice);
      expect(status).toBe(422);
      expect(body.message).toMatch(/^goods\[1\]\.count: /);
      expect(await printAll(money.till)).toEqual([]);
    });

    test("what was cancelled cannot come back", async () => {
      await cancel(1);
      await pay([half]);
      await arrive(4);
      expect(await printAll(money.till)).toEqual(["sale 25050"]);
      expect((await bringBack([{ goodId: 501, count: 2 }])).status).toBe(422);
      expect((await bringBack([{ goodId: 501, count: 1 }])).status).toBe(204);
      expect(await printAll(money.till)).toEqual(["return 25050"]);
    });

    test("a second part is a second refund order, a third is too much", async () => {
      await sold();
      expect((await bringBack([{ goodId: 501, count: 1 }])).status).toBe(204);
      expect((await bringBack([{ goodId: 501, count: 1 }])).status).toBe(204);
      expect((await bringBack([{ goodId: 501, count: 1 }])).status).toBe(422);
      expect(await printAll(money.till)).toEqual(["return 25050", "return 25050"]);
      expect((await orderNow()).returnedOrder).toMatchObject({
        returnedOrderId: "1042-2",
        returnedGoods: [{ count: 1 }, { count: 1 }],
      });
      expect((await money.shop.get("/orders", { orderId: "1042-2", isRefund: 1 })).body.isRefund).toBe(true);
    });

    test("the same return sent again is 422 by its payments", async () => {
      await sold();
      const back = { payments: [{ ...half, paymentId: "back-1" }] };
      expect((await bringBack([{ goodId: 501, count: 1 }], back)).status).toBe(204);
      const again = await bringBack([{ goodId: 501, count: 1 }], back);
      expect(again.body.message).toMatch(/^payments\[0\]\.paymentId: /);
      expect(await printAll(money.till)).toEqual(["return 25050"]);
    });

    test("parts of a discounted position add up to what was paid", async () => {
      await sold([tea(3, { price: 33.34, total: 100.02, discountTotal: -10.01 })]);
      for (const _part of [1, 2, 3]) expect((await bringBack([{ goodId: 501, count: 1 }])).status).toBe(204);
      const sums = (await printAll(money.till)).map((line) => Number(line.replace("return ", "")));
      expect(sums.reduce((sum, part) => sum + part, 0)).toBe(9001);
      expect(Math.max(...sums) - Math.min(...sums)).toBeLessThanOrEqual(1);
    });

    test("the last piece takes what is left of its good, and its refund order may be edited", async () => {
      await sold([tea(2), tea(1, { price: 200, total: 200 })]);
      const cheap = tea(2, { price: 200, total: 400 });
      expect((await money.shop.post("/orders", [refundOrder(2, { goods: [cheap] })], asRefund)).status).toBe(201);
      expect((await bringBack([{ goodId: 501, count: 1 }])).status).toBe(204);
      const edited = { query: { orderId: "1042-2", isRefund: 1 } };
      expect((await money.shop.put("/orders", { description: "at the door" }, edited)).status).toBe(201);
      expect(await printAll(money.till)).toEqual(["return 40000", "return 30100"]);
    });

    test("a good that was sold at two rates comes back at both", async () => {
      await sold([tea(1, { taxId: 1 }), tea(1, { taxId: 2 })]);
      await bringBack([{ goodId: 501, count: 2 }]);
      expect(itemsOf(sale(await money.till.printNext()))).toMatchObject([{ tax: 21 }, { tax: 22 }]);
    });

    test("a good in two positions comes back from both", async () => {
      await sold([tea(1, { position: 1 }), tea(1, { position: 2, discountTotal: -50.5 })]);
      expect((await bringBack([{ goodId: 501, count: 1, position: 2 }])).status).toBe(204);
      expect((await bringBack([{ goodId: 501, count: 1, position: 2 }])).status).toBe(422);
      expect((await bringBack([{ goodId: 501, count: 1 }])).status).toBe(204);
      expect(await printAll(money.till)).toEqual(["return 20000", "return 25050"]);
    });

    describe("with a receipt of the courier's own register that comes by itself", () => {
      const own = (fdNumber: string, more: object = {}) =>
        money.courier.post("/orders/receipts", {
          orderId: 1042,
          operation: "return",
          receipt: { ...courierReceipt, fdNumber },
          ...more,
        });
      const one = [{ goodId: 501, count: 1 }];

      test("are the refund order that has none yet, and the rest may still come back", async () => {
        await sold();
        await bringBack(one);
        expect((await own("318")).status).toBe(204);
        expect((await own("318")).status).toBe(204);
        expect(await printAll(money.till)).toEqual([]);
        expect((await money.shop.get("/orders", { orderId: 1042, isRefund: 1 })).body).toMatchObject({
          receiptStatusId: 1,
        });
        expect((await bringBack(one)).status).toBe(204);
        expect(await printAll(money.till)).toEqual(["return 25050"]);
      });

      test("is never a sale of a refund", async () => {
        await sold();
        await bringBack(one);
        const reply = await own("318", { isRefund: true, operation: "sale" });
        expect(reply.body.message).toMatch(/^operation: /);
      });
    });
  });
});
