/** The client that `openapi-typescript` generates calls each kind of address; endpoints.both.test.ts has the orders. */
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { courierReceipt } from "../../../tools/money-model/money-world.js";
import { openReceiver } from "../callback-receiver.js";
import { checkAnswersAgainstDocument, createTypedClient, orderBody, type TypedClient } from "../delivery-world.js";
import { describeOnBothStores, useWorld } from "../use-world.js";

checkAnswersAgainstDocument();

const at = "2026-11-20 14:05:00";

describeOnBothStores("a client generated from the OpenAPI document", (newDatabase) => {
  const used = useWorld(newDatabase, "a shop for each test");

  async function statusesOf(...calls: readonly (() => Promise<{ readonly response: Response }>)[]) {
    const statuses = [];
    for (const call of calls) statuses.push((await call()).response.status);
    return statuses;
  }

  async function logIn(): Promise<TypedClient> {
    await used.world.backend.store.transaction((tx) => setLicenseTotal(tx, 1000));
    const who = { resourceId: used.shop.access.resource.id, courierId: 7, password: "letmein-2026" };
    const body = { ...who, deviceId: "a1", deviceTitle: "P" };
    const { data } = await createTypedClient(used.world.origin, "").POST("/courier/v1/sessions", { body });
    return createTypedClient(used.world.origin, data?.token ?? "");
  }

  test("the generated client creates, reads, changes, replaces and deletes a record of the catalog", async () => {
    const { client } = used.shop;
    const byId = { params: { query: { goodId: 7 } } };
    const good = { goodId: 7, parentId: null, title: "Чай", taxId: "1", price: 10 };
    const { data, response } = await client.POST("/v1/goods", { body: [good] });
    expect([response.status, data]).toMatchObject([201, [{ ...good, taxId: 1 }]]);
    expect((await client.PUT("/v1/goods", { ...byId, body: { price: 20.5 } })).response.status).toBe(204);
    expect((await client.POST("/v1/goods/replace", { body: [{ goodId: 7, unit: "кг" }] })).response.status).toBe(204);
    expect((await client.GET("/v1/goods", byId)).data).toMatchObject({ ...good, taxId: 1, price: 20.5, unit: "кг" });
    expect((await client.DELETE("/v1/goods", byId)).response.status).toBe(204);
    const wrong = await client.POST("/v1/goods", { body: [{ ...good, price: -1 }] });
    expect(wrong.error).toEqual({ error: true, message: expect.stringContaining("[0].price: ") });
  });

  test("the generated client sets permissions, callbacks and settings, and reads dictionaries and licences", async () => {
    const { client } = used.shop;
    await client.POST("/v1/userRoles", { body: [{ roleId: 2, title: "Курьер" }] });
    const forbidden = { roleId: 2, actionId: "payment.cash", isAllowed: 0 as const };
    const company = { inn: "7700000000", taxSystem: "osn" as const };
    const settings = { settingId: 1, login: "x", password: "y", isProduction: 1, company };
    const receiver = await openReceiver();
    const callback = { url: receiver.url, isActive: 1 as const };
    const statuses = await statusesOf(
      () => client.POST("/v1/permissions/replace", { body: [forbidden] }),
      () => client.POST("/v1/orders/callback", { body: callback }),
      () => client.POST("/v1/licenses/callback", { body: callback }),
      () => client.POST("/v1/partnerOnlineSettings/replace", { body: settings }),
      () => client.GET("/v1/dictionary/permissions"),
      () => client.GET("/v1/licenses"),
    );
    receiver.close();
    expect(statuses).toEqual([204, 201, 201, 201, 200, 200]);
    const { data } = await client.GET("/v1/permissions", { params: { query: { roleId: 2 } } });
    expect(data).toMatchObject([{ actionId: "payment.cash", isAllowed: "0" }]);
  });

  test("the generated client logs a courier in, reports his day, and logs him out", async () => {
    await used.shop.client.POST("/v1/orders", { body: [orderBody()] });
    const courier = await logIn();
    const payments = [{ paymentId: "p1", paymentTypeId: 1, price: 501, paidIn: at }];
    const good = { goodId: 501, count: 1, returnReasonId: 1 };
    const entry = { orderId: 1042, commandExecutedAt: at };
    const terminalEntry = { terminalLogId: 1, amount: 501, transactionCreatedAt: at };
    const correction = { ...entry, correctionReceiptId: 5, serialNumber: "0010", amount: 99.5 };
    const reported = await statusesOf(
      () => courier.POST("/courier/v1/orders/taken", { body: { orderId: 1042, items: [] } }),
      () => courier.POST("/courier/v1/orders/canceledItems", { body: { orderId: 1042, items: [good] } }),
      () => courier.POST("/courier/v1/orders/payments", { body: { orderId: 1042, payments } }),
      () => courier.POST("/courier/v1/orders/status", { body: { orderId: 1042, deliveryStatusId: 4 } }),
      () =>
        courier.POST("/courier/v1/orders/receipts", {
          body: { orderId: 1042, operation: "sale", receipt: courierReceipt },
        }),
      () => courier.POST("/courier/v1/orders/returns", { body: { orderId: 1042, goods: [good], payments: [] } }),
    );
    expect(reported).toEqual([201, 201, 201, 201, 201, 201]);
    const logged = await statusesOf(
      () => courier.POST("/courier/v1/locations", { body: [{ longitude: "37.63", latitude: "55.76", createdAt: at }] }),
      () => courier.POST("/courier/v1/terminalLogs", { body: [terminalEntry] }),
      () => courier.POST("/courier/v1/registerLogs", { body: [{ ...entry, frId: "x", errorCode: "51" }] }),
      () => courier.POST("/courier/v1/correctionReceipts", { body: [correction] }),
      () => courier.GET("/courier/v1/paymentTypes"),
      () => courier.GET("/courier/v1/orderReturnReasons"),
      () => courier.GET("/courier/v1/permissions"),
      () => courier.GET("/courier/v1/dictionary/orderDeliveryStatuses"),
    );
    expect(logged).toEqual([204, 204, 204, 204, 200, 200, 200, 200]);
    const { data } = await courier.GET("/courier/v1/orders", { params: { query: { orderId: 1042 } } });
    expect(data).toMatchObject({ orderId: 1042, deliveryStatusId: 4, isReturned: true });
    expect((await courier.DELETE("/courier/v1/sessions")).response.status).toBe(204);
    expect((await courier.GET("/courier/v1/orders")).response.status).toBe(401);
  });
});
