import { courierReceipt, paid } from "../../../tools/money-model/money-world.js";
import { type Api, checkAnswersAgainstDocument, logIn, newOrder } from "../delivery-world.js";
import { describeOnBothStores, useWorld } from "../use-world.js";

checkAnswersAgainstDocument();

const payment = (paymentId: string, paymentTypeId: number, price = 501) => ({
  paymentId,
  paymentTypeId,
  price,
  paidIn: "2026-11-20 14:05:00",
});

describeOnBothStores("a courier's application", (newDatabase) => {
  const used = useWorld(newDatabase, "a shop for each test");
  let courier: Api;

  const forbid = async (...actionIds: readonly string[]) => {
    const settings = actionIds.map((actionId) => ({ roleId: 2, actionId, isAllowed: 0 }));
    expect((await used.shop.post("/permissions/replace", settings)).status).toBe(204);
  };
  const report = async (path: string, body: object = {}) => {
    const reply = await courier.post(`/orders/${path}`, { orderId: 1042, ...body });
    return { status: reply.status, body: reply.body };
  };

  beforeEach(async () => {
    await used.shop.post("/userRoles", [{ roleId: 2, title: "Курьер" }]);
    await used.shop.put("/couriers", { roleId: 2 }, { query: { courierId: 7 } });
    await used.shop.post("/orders", [newOrder({ codeAlias: "A-1" })]);
    courier = await logIn(used.world, used.shop);
  });

  test("a courier's application reads payment types, reasons and delivery statuses of its shop", async () => {
    expect((await courier.get("/paymentTypes")).body).toEqual((await used.shop.get("/paymentTypes")).body);
    expect((await courier.get("/orderReturnReasons")).body).toEqual((await used.shop.get("/orderReturnReasons")).body);
    const statuses = (await used.shop.get("/dictionary/orderDeliveryStatuses")).body;
    expect((await courier.get("/dictionary/orderDeliveryStatuses")).body).toEqual(statuses);
    const other = { resourceId: used.shop.access.resource.id + 1 };
    expect((await courier.get("/paymentTypes", other)).body.message).toBe("resourceId: is not the courier's shop");
  });

  test("a courier's application reads an order by its id, and gets 404 for an unknown or another's order", async () => {
    const { status, body } = await courier.get("/orders", { orderId: 1042 });
    expect([status, body.displayId, body.goods.length]).toEqual([200, "A-1", 1]);
    await used.shop.post("/couriers", [{ courierId: 8, title: "Другой" }]);
    await used.shop.put("/orders", { courierId: 8 }, { query: { orderId: 1042 } });
    for (const orderId of [1042, 7]) expect((await courier.get("/orders", { orderId })).status).toBe(404);
  });

  test("each report is answered with the order as the report leaves it", async () => {
    expect(await report("taken", { items: [] })).toMatchObject({
      status: 201,
      body: { orderId: 1042, displayId: "A-1" },
    });
    expect(await report("payments", { payments: [payment("p1", 1)] })).toMatchObject({
      body: { statusId: 1, payments: [{ paymentId: "p1" }] },
    });
    const items = [{ goodId: 501, returnReasonId: 0, count: 1 }];
    expect(await report("canceledItems", { items })).toMatchObject({
      body: { goods: [{ canceledItems: [{ count: 1, returnReasonId: null }] }] },
    });
    expect(await report("status", { deliveryStatusId: 4 })).toMatchObject({ body: { deliveryStatusId: 4 } });
    const back = { goods: [{ goodId: 501, count: 1 }], payments: null };
    expect(await report("returns", back)).toMatchObject({
      status: 201,
      body: { isRefund: false, isReturned: true, returnedOrder: { returnedOrderId: 1042 } },
    });
  });

  test("a role without settings may do everything, and a courier's application reads what is forbidden", async () => {
    const forbidden = async () =>
      (await courier.get("/permissions")).body.flatMap((right: { actionId: string; isAllowed: boolean }) =>
        right.isAllowed ? [] : [right.actionId],
      );
    expect(await forbidden()).toEqual([]);
    await forbid("payment.cash", "report.x");
    expect(await forbidden()).toEqual(["payment.cash", "report.x"]);
  });

  const oneBack = { goods: [{ goodId: 501, count: 1 }], payments: [] };
  test.each([
    ["payment.cash", "payments", { payments: [payment("p", 2)] }],
    ["payment.card", "payments", { payments: [payment("p", 1)] }],
    ["order.changePaymentType", "payments", { payments: [payment("p", 2)] }],
    ["order.cancel", "status", { deliveryStatusId: 5, returnReasonId: 1 }],
    ["order.return", "status", { deliveryStatusId: 6, returnReasonId: 1 }],
    ["order.return", "returns", oneBack],
    ["order.cancelItem", "canceledItems", { items: [{ goodId: 501, returnReasonId: 1, count: 1 }] }],
  ])("without permission %s a courier's %s gets 403 and changes nothing, with it 201", async (actionId, path, body) => {
    await forbid(actionId);
    const before = (await used.shop.get("/orders", { orderId: 1042 })).body;
    const { status, body: answer } = await report(path, body);
    expect([status, answer.message]).toEqual([403, expect.stringContaining(actionId)]);
    expect((await used.shop.get("/orders", { orderId: 1042 })).body).toEqual(before);
    const allowed = [{ roleId: 2, actionId, isAllowed: 1 }];
    await used.shop.post("/permissions/replace", allowed);
    expect((await report(path, body)).status).toBe(201);
  });

  test("cash that a courier gives back with a return needs payment.cash, and money of a card does not", async () => {
    await forbid("payment.cash", "payment.card", "order.changePaymentType");
    await used.shop.put("/orders", { statusId: 1, deliveryStatusId: 3 }, { query: { orderId: 1042 } });
    const back = (type: number) => report("returns", { ...oneBack, payments: [payment(`back-${type}`, type, 250.5)] });
    expect(await back(2)).toMatchObject({ status: 403, body: { message: expect.stringContaining("payment.cash") } });
    expect((await back(1)).status).toBe(201);
  });

  test("without order.view the courier reads no orders, and a report is still answered with its order", async () => {
    await forbid("order.view");
    expect((await courier.get("/orders")).status).toBe(403);
    expect(await report("status", { deliveryStatusId: 2 })).toMatchObject({ status: 201, body: { orderId: 1042 } });
  });

  test.each([
    ["payment.cash", "payments", { payments: [payment("p", 2)] }],
    ["receipt.print", "receipts", { operation: "sale" }],
    ["receipt.print", "status", { deliveryStatusId: 3 }],
  ])(
    "a receipt of the courier's register is stored without %s too, and the answer of %s warns",
    async (actionId, path, body) => {
      await forbid(actionId);
      const warnings = [{ path: "receipt", message: expect.stringContaining(actionId) }];
      expect(await report(path, { ...body, receipt: courierReceipt })).toMatchObject({
        status: 201,
        body: { warnings },
      });
      expect((await used.shop.get("/orderReceipts", { orderId: 1042 })).status).toBe(200);
    },
  );

  test.each([
    ["fn", "0x10"],
    ["fn", "999907890000000"],
    ["fn", 9999078900000002],
    ["fdNumber", "A1"],
    ["fdNumber", ""],
    ["fiscalSign", "12345678901"],
    ["dateTimeReceipt", "2026-13-45 10:00:00"],
    ["dateTimeReceipt", "2099-11-20 10:00:00"],
  ])("a courier's receipt with the %s %s gets 422 at that field", async (field, value) => {
    const receipt = { ...courierReceipt, [field]: value };
    const { status, body } = await report("receipts", { operation: "sale", receipt });
    expect([status, body.message]).toEqual([422, expect.stringMatching(`^receipt\\.${field}: `)]);
    expect((await used.shop.get("/orderReceipts", { orderId: 1042 })).status).toBe(404);
  });

  test("numbers of a courier's receipt may be JSON numbers too", async () => {
    const numbers = { shiftNumber: 12, receiptNumber: 4, fdNumber: 318, fiscalSign: 1234567890 };
    await report("receipts", { operation: "sale", receipt: { ...courierReceipt, ...numbers } });
    expect((await used.shop.get("/orderReceipts", { orderId: 1042 })).body).toMatchObject(courierReceipt);
  });

  test("a payment that the shop named is not collected a second time when the courier reports it", async () => {
    const named = { ...paid, orderId: 5, payments: [payment("bank-1", 1)] };
    await used.shop.post("/orders", [newOrder(named)]);
    const { body } = await courier.post("/orders/payments", { orderId: 5, payments: [payment("bank-1", 1)] });
    expect(body.payments).toHaveLength(1);
    expect(body.warnings).toEqual([{ path: "payments", message: expect.stringContaining("at the door") }]);
    expect((await used.shop.get("/orderAccounts", { orderId: 5 })).body.collected).toBe("0.00");
  });
});
