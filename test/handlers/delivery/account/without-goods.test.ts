/** The document lets an order have no positions (spec: Order, `goods`): what is paid for it must not stay without a receipt in silence. */

import {
  asRefund,
  byId,
  courierReceipt,
  paid,
  printAll,
  refundOrder,
  tea,
} from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("an order without positions", (newDatabase) => {
  const { money, logged } = useMoney(newDatabase);

  const create = async (changes: object) =>
    expect((await money.shop.post("/orders", [newOrder({ goods: undefined, ...changes })])).status).toBe(201);
  const expectTold = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    expect(body).toMatchObject([{ errorCode: "receipt.no-items" }]);
    expect((await money.shop.get("/orders", { orderId: 1042 })).body.frReceiptStatusId).toBe(2);
    expect(logged.filter((line) => line.includes("No receipt can be made"))).toHaveLength(1);
  };
  const expectNothingTold = async () => {
    expect(await printAll(money.till)).toEqual([]);
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    expect(body.filter(({ errorCode }: { errorCode: string | null }) => errorCode !== null)).toEqual([]);
    expect(logged.filter((line) => line.includes("No receipt can be made"))).toEqual([]);
  };

  test("is told when it is paid, and is printed when its positions come", async () => {
    await create(paid);
    expect(await printAll(money.till)).toEqual([]);
    await expectTold();
    expect((await money.shop.put("/orders", { goods: [tea(2)] }, byId)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    expect((await money.shop.get("/orders", { orderId: 1042 })).body.frReceiptStatusId).toBe(1);
  });

  test("is told as a refund order too, and its return is printed when its positions come", async () => {
    expect((await money.shop.post("/orders", [newOrder(paid)])).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    const query = { isRefund: 1, orderId: 1042 };
    const refund = refundOrder(1, { goods: undefined, amountToPay: 250.5 });
    expect((await money.shop.post("/orders", [refund], asRefund)).status).toBe(201);
    expect(await printAll(money.till)).toEqual([]);
    expect((await money.shop.get("/orders", query)).body.frReceiptStatusId).toBe(2);
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    expect(body).toMatchObject([{ errorCode: null }, { errorCode: "receipt.no-items" }]);
    expect((await money.shop.put("/orders", { goods: [tea(1)] }, { query })).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 25050"]);
    expect((await money.shop.get("/orders", query)).body.frReceiptStatusId).toBe(1);
  });

  test("is told when it is delivered and the courier has collected what it costs", async () => {
    await create({});
    const payments = [{ paymentId: "p1", paymentTypeId: "2", price: 501, paidIn: "2026-11-20 10:00:00" }];
    expect((await money.courier.post("/orders/payments", { orderId: 1042, payments })).status).toBe(204);
    expect((await money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 3 })).status).toBe(204);
    await expectTold();
  });

  test("is not told where the courier's own register has printed its receipt", async () => {
    await create({ statusId: 1 });
    const delivered = { orderId: 1042, deliveryStatusId: 3, receipt: courierReceipt };
    expect((await money.courier.post("/orders/status", delivered)).status).toBe(204);
    await expectNothingTold();
    const { body: order } = await money.shop.get("/orders", { orderId: 1042 });
    expect(order).toMatchObject({ receiptStatusId: 1, frReceiptStatusId: 1, frUsedPaymentId: order.paymentId });
  });

  test.each([
    ["costs nothing", { ...paid, amountToPay: 0 }],
    ["is not paid", { deliveryStatusId: 3 }],
    ["is prepaid and on its way", { ...paid, prePaymentSum: 100 }],
    ["comes back", { ...paid, deliveryStatusId: 6 }],
  ])("that %s troubles nobody", async (_what, changes) => {
    await create(changes);
    await expectNothingTold();
  });
});
