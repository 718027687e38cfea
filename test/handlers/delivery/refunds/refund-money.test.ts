import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
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

describeOnBothStores("the money that refunds give back", (newDatabase) => {
  const { money } = useMoney(newDatabase);

  const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 501, paidIn: "2026-11-20 10:00:00" }];
  const back = payments.map((payment) => ({ ...payment, price: 1 }));
  const refund = (body: unknown) => money.shop.post("/orders", [body], asRefund);

  const withKopecks = (item: { price: number }) => ({ ...item, price: Number(item.price.toFixed(2)) });

  /** Makes a sale that was paid to the courier by payment p1, delivered and printed. */
  async function soldByCourier(): Promise<void> {
    await money.shop.post("/orders", [newOrder({ deliveryStatusId: 2 })]);
    await money.courier.post("/orders/payments", { orderId: 1042, payments });
    await money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 3 });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  }

  test("a deleted sale can be refunded, and stays deleted", async () => {
    await soldByCourier();
    expect((await money.shop.delete("/orders", byId.query)).status).toBe(204);
    expect((await refund(refundOrder(1))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    expect((await money.shop.get("/orders", { orderId: 1042, isRefund: 0 })).status).toBe(404);
  });

  test("the id of a refund order without isRefund gets 404 with a hint, and a finding names a refund of too much money", async () => {
    await soldByCourier();
    expect((await refund(refundOrder(1, { orderId: "back", returnedOrderId: 1042 }))).status).toBe(201);
    const given = { orderId: "back", payments: [{ ...payments[0], paymentId: "p2", price: 999 }] };
    const { status, body } = await money.courier.post("/orders/payments", given);
    const hint = 'The order "back" does not exist. A refund order has this id: `isRefund` 1.';
    expect([status, body.message]).toEqual([404, hint]);
    expect((await money.courier.post("/orders/payments", { ...given, isRefund: true })).status).toBe(201);
    const { findings } = (await money.shop.get("/orderAccounts", { orderId: 1042 })).body;
    const remedy = "report it as a negative payment of order back with `isRefund` 1.";
    expect(findings).toContainEqual(expect.stringContaining(remedy));
    const unknown = await money.courier.post("/orders/payments", { ...given, orderId: "none" });
    expect(unknown.body.message).toBe('The order "none" does not exist.');
  });

  test("a refund order for an order that was cancelled unsold is accepted, with a warning that there is nothing to give back", async () => {
    await money.shop.post("/orders", [newOrder({ deliveryStatusId: 5 })]);
    const { status, body } = await refund(refundOrder(1));
    expect(status).toBe(201);
    const what = "order 1042 is cancelled and was never sold: nothing to give back.";
    expect(body[0].warnings).toContainEqual({ path: "goods", message: expect.stringContaining(what) });
  });

  test("a refund order made before its sale was edited and printed has the rates of the sale's receipt", async () => {
    const ratesOf = (receipt: SaleReceipt) => itemsOf(receipt).map(({ tax }) => tax);
    const bread = { goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0 };
    await money.shop.post("/orders", [newOrder({ ...paid, statusId: 0, goods: [tea(3), bread] })]);
    expect((await refund(refundOrder(1))).status).toBe(201);
    const change = { statusId: 1, goods: [tea(3, { taxId: 2 }), bread] };
    expect((await money.shop.put("/orders", change, byId)).status).toBe(201);
    const [rate] = ratesOf(sale(await money.till.printNext()));
    expect(ratesOf(sale(await money.till.printNext()))).toEqual([rate]);
  });

  test("the answer to a refund order whose sale is not printed yet says what its return waits for", async () => {
    const order = newOrder(paid);
    await money.shop.post("/orders", [order]);
    const message = "have no return's receipt yet: the sale that it gives back is not printed yet.";
    const warnings = expect.arrayContaining([{ path: "goods", message }]);
    expect((await refund(refundOrder(1))).body).toEqual([expect.objectContaining({ warnings })]);
    expect(await printAll(money.till)).toEqual(["sale 50100", "return 25050"]);
  });

  test("refunds in one request are added up and compared with what was sold", async () => {
    await soldByCourier();
    const both = [1, 2].map((number) => refundOrder(2, { orderId: `R-${number}`, payments: back }));
    const { status, body } = await money.shop.post("/orders", both, asRefund);
    expect(status).toBe(422);
    expect(body.message).toMatch(/^\[1\]\.goods\[0\]\.count: /);
    expect(await printAll(money.till)).toEqual([]);
  });

  test("a refund of more money than the good cost gets 422, and so does a refund of a good that was not sold", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, goods: [tea(2, { discountTotal: -100 })] })]);
    expect((await refund(refundOrder(2))).body.message).toMatch(/^\[0\]\.goods\[0\]\.total: /);
    const bread = { goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0 };
    expect((await refund(refundOrder(1, { goods: [bread] }))).body.message).toMatch(/^\[0\]\.goods\[0\]\.goodId: /);
  });

  test("a refund of positions without a good returns no more of a description than was sold", async () => {
    const of = (description: string, count: number) => tea(count, { goodId: null, taxId: 1, description });
    await money.shop.post("/orders", [newOrder({ ...paid, goods: [of("Доставка", 1), of("Книга", 2)] })]);
    await printAll(money.till);
    const back = (count: number, ...goods: readonly object[]) => refund(refundOrder(count, { goods }));
    expect((await back(2, of("Доставка", 2))).body.message).toMatch(/^\[0\]\.goods\[0\]\.count: /);
    const other = of("Доставка курьером", 1);
    expect((await back(1, other)).body.message).toMatch(/^\[0\]\.goods\[0\]\.description: "Доставка курьером" was not/);
    const inTwo = await back(2, of("Доставка", 1), of("Доставка", 1));
    expect(inTwo.body.message).toMatch(/^\[0\]\.goods\[1\]\.count: /);
    expect((await back(3, of("Доставка", 1), of("Книга", 2))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 75150"]);
  });

  test("a refunded piece gives back no more than the piece cost, whatever is left of the other pieces", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, goods: [tea(2), tea(1, { discountTotal: -100 })] })]);
    await printAll(money.till);
    for (const [count, sum] of [
      [1, 501],
      [1, 250.52],
      [2, 501.03],
      [3, 651.51],
    ] as const) {
      const goods = [{ goodId: 501, count, price: sum / count, total: sum, discountTotal: 0 }];
      const { status, body } = await refund(refundOrder(count, { goods: goods.map(withKopecks) }));
      expect([sum, status, body.message.split(": ")[0]]).toEqual([sum, 422, "[0].goods[0].total"]);
    }
    expect((await refund(refundOrder(2))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("pieces whose price was rounded up to a kopeck can be refunded one by one", async () => {
    // Three pieces for 100.00 may cost 33.34 each, but all three give back 100.00 at most.
    await money.shop.post("/orders", [
      newOrder({ ...paid, goods: [{ goodId: 501, count: 3, price: 33.33, total: 100, discountTotal: 0 }] }),
    ]);
    await printAll(money.till);
    const query = { query: { orderId: 1042, isRefund: 1 } };
    const piece = (count: number, sum: number) => ({ goodId: 501, count, price: sum, total: sum, discountTotal: 0 });
    expect((await refund(refundOrder(1, { statusId: 0, goods: [piece(1, 33.34)] }))).status).toBe(201);
    const two = [piece(1, 33.34), piece(1, 33.34)];
    expect((await money.shop.put("/orders", { goods: two }, query)).status).toBe(201);
    const three = [...two, piece(1, 33.33)];
    expect((await money.shop.put("/orders", { goods: three }, query)).body.message).toMatch(/^goods\[2\]\.total: /);
    expect((await money.shop.put("/orders", { goods: [...two, piece(1, 33.32)] }, query)).status).toBe(201);
  });

  test("a refund that names a position of the sale gives back no more than was paid for that position", async () => {
    const goods = [tea(1, { position: 1 }), tea(2, { position: 2, discountTotal: -300 })];
    await money.shop.post("/orders", [newOrder({ ...paid, goods })]);
    await printAll(money.till);
    const wrong = await refund(refundOrder(1, { goods: [tea(1, { position: 2 })] }));
    expect(wrong.body.message).toBe(
      "[0].goods[0].total: is more than is left of position 2 of order 1042 after its refunds, which is 100.51",
    );
    const again = tea(1, { position: 1, price: 100, total: 100 });
    const twice = await refund(refundOrder(1, { goods: [tea(1, { position: 1 }), again] }));
    expect(twice.body.message).toMatch(/^\[0\]\.goods\[1\]\.count: .*position 1 /);
    const right = [tea(1, { position: 1 }), tea(2, { position: 2, discountTotal: -300 })];
    expect((await refund(refundOrder(1, { goods: right }))).status).toBe(201);
  });

  test("an edited refund is checked against its sale, and an edited sale against its refunds", async () => {
    await money.shop.post("/orders", [newOrder()]);
    await refund(refundOrder(1));
    const edit = { query: { orderId: 1042, isRefund: 1 } };
    expect((await money.shop.put("/orders", { goods: [tea(3)] }, edit)).body.message).toMatch(/^goods\[0\]\.count: /);
    expect((await money.shop.put("/orders", { goods: [tea(2)] }, edit)).status).toBe(201);
    const smaller = await money.shop.put("/orders", { goods: [tea(1)], amountToPay: 250.5 }, byId);
    expect(smaller.body.message).toMatch(/^goods: /);
    const [, second] = (await money.shop.get("/orders")).body;
    expect(second.isRefund).toBe(true);
    expect((await money.shop.get("/orders", byId.query)).body.returnedOrder.returnedGoods).toMatchObject([
      { sum: 501 },
    ]);
  });

  test("a deleted unpaid refund leaves the sale as it was, and a deleted paid refund still counts", async () => {
    await money.shop.post("/orders", [newOrder(paid)]);
    await printAll(money.till);
    const last = { orderId: 1042, isRefund: 1 };
    await refund(refundOrder(2, { statusId: 0 }));
    expect((await money.shop.delete("/orders", last)).status).toBe(204);
    expect((await money.shop.get("/orders", byId.query)).body).toMatchObject({
      isReturned: false,
      returnedOrder: null,
    });
    await money.shop.post("/orders/replace", [refundOrder(1)], asRefund);
    await money.shop.delete("/orders", last);
    expect((await money.shop.get("/orders", byId.query)).body).toMatchObject({ isReturned: true });
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    const again = [{ ...refundOrder(3), orderId: 1042 }];
    expect((await money.shop.post("/orders/replace", again, asRefund)).status).toBe(422);
  });

  test.each(["as it was scanned", "by its good alone"])(
    "a part of a marked piece, named %s, gets 422",
    async (named) => {
      const mark = { markValue: "0104600000000001" };
      await money.shop.post("/orders", [newOrder({ ...paid, goods: [tea(1, mark)], amountToPay: 250.5 })]);
      expect(await printAll(money.till)).toEqual(["sale 25050"]);
      const part = tea(0.5, named === "by its good alone" ? {} : mark);
      const { status, body } = await refund(refundOrder(0.5, { goods: [part] }));
      expect([status, body.message]).toEqual([422, "[0].goods[0].count: must be whole: one marking code is one piece"]);
      const ofCourier = { orderId: 1042, goods: [{ goodId: 501, count: 0.5 }], payments: [] };
      expect((await money.courier.post("/orders/returns", ofCourier)).status).toBe(422);
      expect((await refund(refundOrder(1, { goods: [tea(1, mark)] }))).status).toBe(201);
      expect(await printAll(money.till)).toEqual(["return 25050"]);
    },
  );

  describe("a courier's return of a marked position", () => {
    const markValue = "0104600000000001";
    const whole = { orderId: 1042, goods: [{ goodId: 501, count: 1.5 }], payments: [] };
    const sold = async (count: number) => {
      const goods = [tea(count, { markValue })];
      expect(
        (await money.shop.post("/orders", [newOrder({ ...paid, deliveryStatusId: 3, goods, amountToPay: 375.75 })]))
          .status,
      ).toBe(201);
      await money.till.printNext();
    };

    test("a marked position of one and a half pieces can be returned only as a whole", async () => {
      await sold(1.5);
      const part = { ...whole, goods: [{ goodId: 501, count: 0.5 }] };
      expect((await money.courier.post("/orders/returns", part)).status).toBe(422);
      expect((await money.courier.post("/orders/returns", whole)).status).toBe(201);
    });

    test.each(["with it", "before it"])(
      "a part of a marked piece is returned when the courier's receipt came %s",
      async (when) => {
        await sold(1);
        const part = { orderId: 1042, goods: [{ goodId: 501, count: 0.5 }], payments: [] };
        const receipt = { receipt: courierReceipt };
        if (when === "before it") {
          await money.courier.post("/orders/receipts", { orderId: 1042, operation: "return", ...receipt });
        }
        const { status } = await money.courier.post(
          "/orders/returns",
          when === "with it" ? { ...part, ...receipt } : part,
        );
        expect(status).toBe(201);
        expect(await printAll(money.till)).toEqual([]);
      },
    );
  });

  test("a part of a marked good that is sold by weight can be refunded", async () => {
    const cheese = { markValue: "0104600000000001", unit: "кг" };
    await money.shop.post("/orders", [newOrder({ ...paid, goods: [tea(1, cheese)], amountToPay: 250.5 })]);
    expect(await printAll(money.till)).toEqual(["sale 25050"]);
    expect((await refund(refundOrder(0.5, { goods: [tea(0.5, cheese)] }))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 12525"]);
  });

  test("a refund that names a marking code gives back no more than the piece with that code cost", async () => {
    const marked = ["0104600000000001", "0104600000000002"].map((markValue) => tea(1, { markValue }));
    await money.shop.post("/orders", [newOrder({ ...paid, goods: marked })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const twice = await refund(refundOrder(2, { goods: marked.slice(0, 1).map((item) => ({ ...item, ...tea(2) })) }));
    const tooMuch = /^\[0\]\.goods\[0\]\.count: is more than is left of the mark/;
    expect([twice.status, twice.body.message]).toEqual([422, expect.stringMatching(tooMuch)]);
    expect((await refund(refundOrder(1, { goods: marked.slice(0, 1) }))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
  });
});
