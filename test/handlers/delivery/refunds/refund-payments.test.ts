/** Further refund orders find their sale by the payments that an earlier one named. */

import { asRefund, paid, printAll, refundOrder } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("a payment that a refund order named for its sale", (newDatabase) => {
  const { money } = useMoney(newDatabase);

  const payment = (paymentId: string) => ({
    paymentId,
    paymentTypeId: "1",
    price: 100,
    paidIn: "2026-11-20 10:00:00",
  });
  const payments = [payment("bank-77")];
  const refund = (...bodies: readonly unknown[]) => money.shop.post("/orders", bodies, asRefund);
  const unknown = "is a refund of no known sale, by its id or by its payments: name the sale in returnedOrderId";

  /** Paid online: no courier took a payment. */
  async function soldOnline(orderId = 1042): Promise<void> {
    expect((await money.shop.post("/orders", [newOrder({ ...paid, orderId })])).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  }

  test("a known payment finds the sale of a second partial refund, which gives back no more than was sold", async () => {
    await soldOnline();
    expect((await refund(refundOrder(1, { orderId: "R-2", payments }))).body.message).toBe(`[0].orderId: ${unknown}`);
    expect((await refund(refundOrder(1, { payments }))).status).toBe(201);
    expect((await refund(refundOrder(1, { orderId: "R-2", payments }))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050", "return 25050"]);
    expect((await money.shop.get("/orders", { orderId: 1042 })).body.returnedOrder).toMatchObject({
      returnedOrderId: "R-2",
      returnedGoods: [{ sum: 250.5 }, { sum: 250.5 }],
    });
    const third = await refund(refundOrder(1, { orderId: "R-3", payments }));
    expect([third.status, third.body.message]).toEqual([422, expect.stringMatching(/^\[0\]\.goods\[0\]\.count: /)]);
  });

  test("a known payment finds the sale of two partial refunds in one request", async () => {
    await soldOnline();
    const parts = [refundOrder(1, { payments }), refundOrder(1, { orderId: "R-2", payments })];
    expect((await refund(...parts)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050", "return 25050"]);
  });

  test("a payment that two refund orders named for different sales finds no sale for a third refund", async () => {
    for (const orderId of [1042, 2, 3]) await soldOnline(orderId);
    for (const orderId of [1042, 2]) expect((await refund(refundOrder(1, { orderId, payments }))).status).toBe(201);
    const further = await refund(refundOrder(1, { orderId: "R-2", payments }));
    expect([further.status, further.body.message]).toEqual([422, `[0].orderId: ${unknown}`]);
    // Shops number the payments of refunds as they like: a sale's own refund is none the worse for it.
    const other = [...payments, payment("bank-78")];
    expect((await refund(refundOrder(1, { orderId: 3, payments: other }))).status).toBe(201);
    expect((await refund(refundOrder(1, { orderId: "R-3", payments: other }))).status).toBe(422);
    expect((await refund(refundOrder(1, { orderId: "R-3", payments: [payment("bank-78")] }))).status).toBe(201);
    expect((await money.shop.get("/orders", { orderId: 3 })).body.returnedOrder.returnedOrderId).toBe("R-3");
  });

  test("a payment finds its sale no more once its refund order is edited to another payment or deleted unpaid", async () => {
    await soldOnline();
    const first = { orderId: 1042, isRefund: 1 };
    expect((await refund(refundOrder(1, { statusId: 0, payments }))).status).toBe(201);
    const edit = { payments: [payment("bank-78")] };
    expect((await money.shop.put("/orders", edit, { query: first })).status).toBe(201);
    expect((await refund(refundOrder(1, { orderId: "R-2", payments }))).status).toBe(422);
    await money.shop.delete("/orders", first);
    expect((await refund(refundOrder(1, { orderId: "R-2", ...edit }))).status).toBe(422);
    expect((await money.shop.post("/orders/replace", [refundOrder(1, edit)], asRefund)).status).toBe(201);
    expect((await refund(refundOrder(1, { orderId: "R-2", ...edit }))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050", "return 25050"]);
  });

  test("a payment still finds its sale after its paid refund order is deleted, because the money was given back", async () => {
    await soldOnline();
    expect((await refund(refundOrder(1, { payments }))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    await money.shop.delete("/orders", { orderId: 1042, isRefund: 1 });
    expect((await refund(refundOrder(1, { orderId: "R-2", payments }))).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
  });
});
