/** A fiscal document is of one order: reported for another one too, it is refused, and that one's receipt is still due. */
import { newOrder } from "../delivery-world.js";
import { asRefund, courierReceipt, paid, printAll, refundOrder } from "../model/money-world.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { moneyOfEach } from "./money-of-each.js";

describeOnBothStores("a document of the courier's own register that is another order's already", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase);
  const orderNow = async (orderId: number) => (await money.shop.get("/orders", { orderId })).body;

  test("is 422 with a payment, changes nothing, and the receipt is printed by ours", async () => {
    for (const orderId of [1042, 2]) await money.shop.post("/orders", [newOrder({ orderId, deliveryStatusId: 2 })]);
    const pay = (orderId: number, receipt: object = {}) => {
      const payment = { paymentTypeId: "1", price: 501, paidIn: "2026-11-20 14:00:00" };
      const payments = [{ ...payment, paymentId: `p-${orderId}` }];
      return money.courier.post("/orders/payments", { orderId, payments, ...receipt });
    };
    const receipt = { receipt: courierReceipt };
    expect((await pay(1042, receipt)).status).toBe(204);
    expect((await pay(1042, receipt)).status).toBe(204);
    const before = await orderNow(2);
    const second = await pay(2, receipt);
    expect([second.status, second.body.message]).toEqual([422, "receipt.fdNumber: is a document of order 1042"]);
    expect(await orderNow(2)).toEqual(before);
    expect((await money.shop.get("/orderReceipts", { orderId: 2 })).status).toBe(404);
    expect((await pay(2)).status).toBe(204);
    await money.courier.post("/orders/status", { orderId: 2, deliveryStatusId: 3 });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  });

  test("is 422 as a return that comes by itself, and the return is printed by ours", async () => {
    for (const orderId of [1042, 2]) await money.shop.post("/orders", [newOrder({ ...paid, orderId })]);
    expect(await printAll(money.till)).toEqual(["sale 50100", "sale 50100"]);
    for (const orderId of [1042, 2]) {
      const goods = [{ goodId: 501, count: 1 }];
      const brought = await money.courier.post("/orders/returns", { orderId, goods, payments: [] });
      expect(brought.status).toBe(204);
    }
    const own = (orderId: number) =>
      money.courier.post("/orders/receipts", { orderId, operation: "return", receipt: courierReceipt });
    expect((await own(1042)).status).toBe(204);
    expect((await own(1042)).status).toBe(204);
    const second = await own(2);
    expect([second.status, second.body.message]).toEqual([422, "receipt.fdNumber: is a document of order 1042"]);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
  });
});

describeOnBothStores("a document of the courier's own register that is a sale", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase);

  test.each([
    { how: "status", body: { deliveryStatusId: 6 }, printed: ["return 50100"] },
    { how: "returns", body: { goods: [{ goodId: 501, count: 1 }], payments: [] }, printed: ["return 25050"] },
  ])("is 422 as a return by /orders/$how, and that is printed by ours", async ({ how, body, printed }) => {
    await money.shop.post("/orders", [newOrder(paid)]);
    const send = (path: string, fields: object) => money.courier.post(path, { orderId: 1042, ...fields });
    const receipt = courierReceipt;
    expect((await send("/orders/status", { deliveryStatusId: 3, receipt })).status).toBe(204);
    const reply = await send(`/orders/${how}`, { ...body, receipt });
    expect([reply.status, reply.body?.message]).toEqual([422, "receipt.fdNumber: is a sale of order 1042"]);
    expect(await printAll(money.till)).toEqual([]);
    expect((await send(`/orders/${how}`, body)).status).toBe(204);
    expect(await printAll(money.till)).toEqual(printed);
  });
});

describeOnBothStores("a document of the courier's own register for a refund order", (newDatabase) => {
  const { money } = moneyOfEach(newDatabase);

  test.each(["status", "payments"])("is its return where it comes by /orders/%s: ours is not printed", async (how) => {
    await money.shop.post("/orders", [newOrder(paid)]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 1, paidIn: "2026-11-20 10:00:00" }];
    await money.courier.post("/orders/payments", { orderId: 1042, payments });
    expect((await money.shop.post("/orders", [refundOrder(1, { orderId: "R-1", payments })], asRefund)).status).toBe(
      201,
    );
    const own = { orderId: "R-1", isRefund: true, receipt: courierReceipt };
    const further = { paymentId: "p2", paymentTypeId: "1", price: -1, paidIn: "2026-11-20 14:00:00" };
    const body = how === "status" ? { deliveryStatusId: 3 } : { payments: [further] };
    const reply = await money.courier.post(`/orders/${how}`, { ...own, ...body });
    expect([reply.status, reply.body?.message]).toEqual([204, undefined]);
    expect(await printAll(money.till)).toEqual([]);
  });
});
