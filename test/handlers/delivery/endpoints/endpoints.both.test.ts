/** One test for each row of the document's endpoint tables, on both databases. */

import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { courierReceipt } from "../../../tools/money-model/money-world.js";
import { ownWorlds } from "../account/own-worlds.js";
import { openReceiver } from "../callback-receiver.js";
import {
  type Api,
  checkAnswersAgainstDocument,
  type DeliveryWorld,
  fillCatalog,
  newOrder,
  type OrderBody,
  openWorld,
  orderBody,
  type Shop,
} from "../delivery-world.js";
import { logIn } from "../log-in.js";
import { describeOnBothStores } from "../on-both-stores.js";

checkAnswersAgainstDocument();

describeOnBothStores("the endpoint tables", (newDatabase) => {
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;
  const openOwn = ownWorlds(newDatabase);

  beforeAll(async () => {
    database = await newDatabase();
    world = await openWorld(database);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });
  beforeEach(async () => {
    shop = await world.shop(`shop ${Math.random()}`);
    await fillCatalog(shop);
  });

  describe("orders, by the typed client", () => {
    const byId = (orderId: number | string) => ({ params: { query: { orderId } } });

    async function create(...orders: OrderBody[]) {
      const { data, response } = await shop.client.POST("/v1/orders", { body: orders });
      return { status: response.status, orders: data ?? [] };
    }

    test("POST /orders creates the orders of an array", async () => {
      const { status, orders } = await create(orderBody(), orderBody({ orderId: "A-7" }));
      expect(status).toBe(201);
      expect(orders.map(({ orderId }) => orderId)).toEqual([1042, "A-7"]);
      expect(orders[0]?.goods[0]).toMatchObject({ goodId: 501, title: "Чай зелёный", taxId: 1 });
    });

    test("POST /orders?isRefund=1 creates refund orders", async () => {
      await create(orderBody());
      const payments = [{ paymentId: "p1", paymentTypeId: "1", price: 501, paidIn: "2026-11-20 10:00:00" }];
      const { data, response } = await shop.client.POST("/v1/orders", {
        params: { query: { isRefund: "1" } },
        body: [orderBody({ orderId: "1042", isRefund: true, payments })],
      });
      expect(response.status).toBe(201);
      expect(data?.[0]).toMatchObject({ isRefund: true, payments: [{ paymentId: "p1", price: 501 }] });
    });

    test("GET /orders?orderId gives one order", async () => {
      await create(orderBody());
      const { data, response } = await shop.client.GET("/v1/orders", byId(1042));
      expect(response.status).toBe(200);
      expect(data).toMatchObject({ orderId: 1042, amountToPay: 501, client: { firstname: "Анна" } });
    });

    test("GET /orders gives the list", async () => {
      await create(orderBody({ orderId: 10 }), orderBody({ orderId: 9 }));
      const { data, response } = await shop.client.GET("/v1/orders", { params: { query: { page: 1, count: 20 } } });
      expect(response.status).toBe(200);
      expect([data].flat().map((order) => order?.orderId)).toEqual([9, 10]);
    });

    test.each([
      ["headers journalStartAt, journalFinishAt, journalParams", {}, { journalParams: "deliveryStatusId=2" }],
      ["the header journalParams as JSON", {}, { journalParams: '{"deliveryStatusId":2}' }],
      ["the header journalParams-deliveryStatusId", {}, { "journalParams-deliveryStatusId": "2" }],
      ["the query", { "journalParams[deliveryStatusId]": "2" }, {}],
    ])("GET /orders with %s gives the orders that had the status in the period", async (_form, query, header) => {
      await create(orderBody({ orderId: 1 }), orderBody({ orderId: 2 }));
      await shop.client.PUT("/v1/orders", { ...byId(1), body: { deliveryStatusId: 2 } });
      const within = async (journalFinishAt: string) => {
        const period = { journalStartAt: "2020-01-01 00:00:00", journalFinishAt };
        const { data } = await shop.client.GET("/v1/orders", { params: { query, header: { ...period, ...header } } });
        return [data].flat().map((order) => order?.orderId);
      };
      expect(await within("2099-01-01 00:00:00")).toEqual([1]);
      expect(await within("2020-01-02 00:00:00")).toEqual([]);
    });

    test("PUT /orders?orderId changes one order and answers 201", async () => {
      await create(orderBody());
      const { data, response } = await shop.client.PUT("/v1/orders", {
        ...byId(1042),
        body: { description: "у двери" },
      });
      expect(response.status).toBe(201);
      expect(data).toMatchObject({ orderId: 1042, description: "у двери", amountToPay: 501 });
    });

    test("PUT /orders/multipleUpdate changes many orders and answers 204", async () => {
      await create(orderBody({ orderId: 1 }), orderBody({ orderId: 2 }));
      const attributes = {
        statusId: 1,
        deliveryStatusId: 2,
        returnReasonId: "1",
        courierId: "7",
        addressTo: "Москва, Ленина, 1",
        deliveryTimeFrom: "2026-11-22 09:00:00",
        deliveryTimeTo: "2026-11-22 12:00:00",
      } as const;
      const reply = await shop.client.PUT("/v1/orders/multipleUpdate", { body: { orderIds: [1, "2"], attributes } });
      expect(reply.response.status).toBe(204);
      const { data } = await shop.client.GET("/v1/orders");
      const changed = { ...attributes, returnReasonId: 1, courierId: 7 };
      expect(data).toMatchObject([changed, changed]);
    });

    test("POST /orders/replace updates what is known and creates what is not", async () => {
      await create(orderBody({ orderId: 1 }));
      const { data, response } = await shop.client.POST("/v1/orders/replace", {
        body: [{ orderId: 1, description: "изменён" }, orderBody({ orderId: 2 })],
      });
      expect(response.status).toBe(201);
      expect(data).toMatchObject([
        { orderId: 1, description: "изменён", amountToPay: 501 },
        { orderId: 2, description: null },
      ]);
    });

    test("DELETE /orders?orderId hides the order, 404 the second time", async () => {
      await create(orderBody());
      expect((await shop.client.DELETE("/v1/orders", byId(1042))).response.status).toBe(204);
      expect((await shop.client.GET("/v1/orders", byId(1042))).error).toMatchObject({ error: true });
      expect((await shop.client.GET("/v1/orders")).data).toEqual([]);
      expect((await shop.client.DELETE("/v1/orders", byId(1042))).response.status).toBe(404);
    });

    test("GET /orders/journalStatuses?orderId gives the delivery statuses", async () => {
      await create(orderBody());
      await shop.client.PUT("/v1/orders", { ...byId(1042), body: { deliveryStatusId: 5, returnReasonId: 1 } });
      const { data, response } = await shop.client.GET("/v1/orders/journalStatuses", byId(1042));
      expect(response.status).toBe(200);
      expect(data).toMatchObject([
        { statusId: 0, returnReasonId: null },
        { statusId: 5, returnReasonId: 1 },
      ]);
    });

    test("GET /journal gives the changes of an order", async () => {
      await create(orderBody());
      await shop.client.PUT("/v1/orders", { ...byId(1042), body: { statusId: 1, cash: 1000, phone: "+79160000000" } });
      const { data = [], response } = await shop.client.GET("/v1/journal", {
        params: { query: { entityId: 1042, page: 1, count: 20 } },
      });
      expect(response.status).toBe(200);
      expect(data).toMatchObject([
        { event: "create", source: shop.access.resource.name, courierId: "7", beforeItem: null },
        { event: "update" },
      ]);
      expect(data[1]?.beforeItem).toEqual({ statusId: 0, phone: null });
      expect(data[1]?.afterItem).toEqual({ statusId: 1, phone: "+79160000000" });
    });

    test.each(["/orders/callback", "/licenses/callback"])(
      "POST %s keeps the address that took the test call",
      async (path) => {
        const receiver = await openReceiver();
        const { url } = receiver;
        const { status, body } = await shop.post(path, { url, isActive: 1 });
        receiver.close();
        expect(status).toBe(201);
        expect(body).toEqual({ url, isActive: 1 });
        expect([receiver.tested, receiver.received]).toEqual([1, []]);
      },
    );
  });

  describe("what couriers report", () => {
    let courier: Api;

    beforeEach(async () => {
      await shop.post("/orders", [newOrder()]);
      courier = await logIn(world, shop);
    });

    test("GET /locations gives where a courier was", async () => {
      const point = {
        createdAt: "2026-11-20 14:05:00",
        longitude: "37.63",
        latitude: "55.76",
        accuracy: 12,
        orderId: 1042,
      };
      expect((await courier.post("/locations", [point])).status).toBe(204);
      const { status, body } = await shop.get("/locations", { courierId: 7, page: 1, count: 20 });
      expect(status).toBe(200);
      expect(body).toEqual([
        {
          orderId: 1042,
          deliveryStatusId: 0,
          returnReasonId: null,
          orderStatusId: 0,
          courierId: 7,
          longitude: "37.63",
          latitude: "55.76",
          accuracy: 12,
          createdAt: "2026-11-20 14:05:00",
        },
      ]);
    });

    test.each([
      ["/orderReceipts", "sale"],
      ["/orderReturnReceipts", "return"],
    ])("GET %s gives the fiscal record, 404 before there is one", async (path, operation) => {
      expect((await shop.get(path, { orderId: 1042 })).status).toBe(404);
      expect(
        (await courier.post("/orders/receipts", { orderId: 1042, operation, receipt: courierReceipt })).status,
      ).toBe(204);
      const { status, body } = await shop.get(path, { orderId: 1042 });
      expect(status).toBe(200);
      expect(body).toEqual({ orderId: 1042, ...courierReceipt });
    });

    test("GET /correctionReceipts gives the couriers' correction receipts", async () => {
      const correction = { serialNumber: "0010", amount: 99.5, commandExecutedAt: "2026-11-20 14:05:00" };
      await courier.post("/correctionReceipts", [{ correctionReceiptId: 5, ...correction }]);
      const { status, body } = await shop.get("/correctionReceipts", { courierId: 7, page: 1, count: 20 });
      expect(status).toBe(200);
      expect(body).toEqual([{ correctionReceiptId: 5, courierId: "7", ...correction, amount: "99.50" }]);
    });

    test("GET /bankTerminalLogs gives the terminals' entries, by order too", async () => {
      const entry = { terminalLogId: 1, orderId: 1042, amount: 501, transactionCreatedAt: "2026-11-20 14:05:00" };
      await courier.post("/terminalLogs", [{ ...entry, cardNumber: "2200 1234 5678 9012", paymentSystem: "МИР" }]);
      const { status, body } = await shop.get("/bankTerminalLogs", { orderId: 1042 });
      expect(status).toBe(200);
      expect(body).toMatchObject([
        { terminalLogId: 1, orderId: 1042, cardNumber: "220012******9012", amount: "501.00" },
      ]);
      expect((await shop.get("/bankTerminalLogs", { orderId: 1 })).body).toEqual([]);
    });

    test("GET /fiscalRegistratorLogs gives the registers' entries", async () => {
      const entry = { frId: "x", orderId: 1042, errorCode: "51", errorText: "нет бумаги" };
      await courier.post("/registerLogs", [{ ...entry, commandExecutedAt: "2026-11-20 14:05:00" }]);
      const { status, body } = await shop.get("/fiscalRegistratorLogs", { courierId: 7 });
      expect(status).toBe(200);
      expect(body).toMatchObject([{ frId: "x", courierId: 7, errorCode: "51", errorText: "нет бумаги" }]);
    });

    test("GET /licenses gives the licences in use, POST /licenses/close frees one", async () => {
      const deviceId = "a1";
      const { status, body } = await shop.get("/licenses");
      expect(status).toBe(200);
      expect(body).toMatchObject({
        licenseTotal: 1000,
        licenses: [{ courierId: 7, deviceId, deviceTitle: "P" }],
      });
      expect((await shop.post("/licenses/close", undefined, { query: { deviceId } })).status).toBe(204);
      expect((await shop.get("/licenses")).body.licenses).toEqual([]);
      expect((await courier.get("/orders")).status).toBe(401);
      expect((await shop.post("/licenses/close", undefined, { query: { deviceId } })).status).toBe(404);
    });
  });

  test("POST /partnerOnlineSettings/replace answers the settings without the password", async () => {
    const settings = {
      settingId: 3,
      login: "shop",
      isProduction: "1",
      company: { inn: "7700000000", taxSystem: "osn" },
    };
    const { status, body } = await shop.post("/partnerOnlineSettings/replace", { ...settings, password: "secret" });
    expect(status).toBe(201);
    expect(body).toEqual(settings);
  });

  test("GET /printServerSettings says no address that the site does not know", async () => {
    const { status, body } = await shop.get("/printServerSettings");
    expect([status, body.message]).toEqual([404, expect.stringContaining("publicUrl")]);
  });

  test("GET /printServerSettings gives the shop's own handler address", async () => {
    const other = await openOwn({ delivery: { publicUrl: "https://shop.example/", fiscalPath: "/cash" } });
    const { access, get } = await other.shop();
    const url = `https://shop.example/cash/${access.resource.id}`;
    expect((await get("/printServerSettings")).body).toEqual({ url });
  });

  test("PUT /paymentTypes takes the register's payment types and no other", async () => {
    for (const closeTypeId of [0, 1, 2, 3, 4, "1"])
      expect((await shop.put("/paymentTypes", { closeTypeId }, { query: { paymentTypeId: 1 } })).status).toBe(204);
    for (const closeTypeId of [5, -1, "cash"]) {
      const { status, body } = await shop.put("/paymentTypes", { closeTypeId }, { query: { paymentTypeId: 1 } });
      expect([status, body.message]).toEqual([
        422,
        "closeTypeId: must be an id of /dictionary/closeTypes: 0, 1, 2, 3, 4",
      ]);
    }
  });

  test("GET /locations gives what is from createdAt on, GET /correctionReceipts what is of the courier", async () => {
    const courier = await logIn(world, shop);
    const [early, sameMinute, late] = ["2026-11-20 14:05:00", "2026-11-20 14:05:59", "2026-11-20 14:06:00"] as const;
    const points = [early, sameMinute, late].map((createdAt) => ({ createdAt, longitude: "37.63", latitude: "55.76" }));
    expect((await courier.post("/locations", points)).status).toBe(204);
    const query = { courierId: 7, page: 1, count: 20 };
    expect((await shop.get("/locations", query)).body).toMatchObject([{ createdAt: early }, { createdAt: late }]);
    expect((await shop.get("/locations", { ...query, createdAt: late })).body).toMatchObject([{ createdAt: late }]);
    const correction = { correctionReceiptId: 5, serialNumber: "1", amount: 1, commandExecutedAt: early };
    expect((await courier.post("/correctionReceipts", [correction])).status).toBe(204);
    expect((await shop.get("/correctionReceipts", query)).body).toHaveLength(1);
    expect((await shop.get("/correctionReceipts", { ...query, courierId: 8 })).body).toEqual([]);
  });

  describe.each(catalogRows.map((row) => [row.kind, row] as const))("/%s", (kind, row) => {
    const path = `/${kind}`;
    const id = 990;
    const example: Record<string, unknown> = { ...row.example, [row.idField]: id };
    const field = "title" in example ? "title" : "firstname";
    const change = { [field]: kind === "taxes" ? "НДС 10%" : "Другое" };

    test(`POST ${path} creates and answers 201, GET ${path}?${row.idField} gives the one object`, async () => {
      const created = { [row.idField]: id, [field]: example[field] };
      expect(await shop.post(path, [example])).toMatchObject({ status: 201, body: [created] });
      expect(await shop.get(path, { [row.idField]: id })).toMatchObject({ status: 200, body: created });
    });

    test(`GET ${path} gives the list, page by page`, async () => {
      await shop.post(path, [example, { ...example, [row.idField]: 991 }]);
      const { status, body } = await shop.get(path, { count: 500 });
      expect(status).toBe(200);
      expect(body.slice(-2)).toMatchObject([{ [row.idField]: 990 }, { [row.idField]: 991 }]);
      const [last] = (await shop.get(path, { page: body.length, count: 1 })).body;
      expect(last).toEqual(body.at(-1));
    });

    test(`PUT ${path}?${row.idField} changes the given fields and answers 204`, async () => {
      await shop.post(path, [example]);
      expect((await shop.put(path, change, { query: { [row.idField]: id } })).status).toBe(204);
      expect((await shop.get(path, { [row.idField]: id })).body).toMatchObject({ ...change, [row.idField]: id });
    });

    test(`POST ${path}/replace updates and creates and answers 204`, async () => {
      await shop.post(path, [example]);
      const reply = await shop.post(`${path}/replace`, [
        { [row.idField]: id, ...change },
        { ...example, [row.idField]: 991 },
      ]);
      expect(reply.status).toBe(204);
      expect((await shop.get(path, { [row.idField]: id })).body).toMatchObject(change);
      expect((await shop.get(path, { [row.idField]: 991 })).status).toBe(200);
    });

    test(`DELETE ${path}?${row.idField} takes it out of the list, 404 the second time`, async () => {
      await shop.post(path, [example]);
      expect((await shop.delete(path, { [row.idField]: id })).status).toBe(204);
      const list = (await shop.get(path, { count: 500 })).body;
      expect(list.map((record: Record<string, unknown>) => record[row.idField])).not.toContain(id);
      expect((await shop.delete(path, { [row.idField]: id })).status).toBe(404);
    });
  });

  test("POST /permissions/replace sets and GET /permissions shows what roles may do", async () => {
    await shop.post("/userRoles", [{ roleId: 2, title: "Курьер" }]);
    const settings = [
      { roleId: 2, actionId: "order.cancel", isAllowed: 1 },
      { roleId: 2, actionId: "receipt.print", isAllowed: 0 },
    ];
    expect((await shop.post("/permissions/replace", settings)).status).toBe(204);
    const { status, body } = await shop.get("/permissions", { roleId: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { roleId: 2, roleTitle: "Курьер", actionId: "order.cancel", isAllowed: "1" },
      { actionId: "receipt.print", isAllowed: "0" },
    ]);
    expect((await shop.get("/permissions", { permissionId: "receipt.print" })).body).toHaveLength(1);
  });

  const vatTitles = [
    "НДС 20%",
    "НДС 10%",
    "НДС 20/120",
    "НДС 10/110",
    "НДС 0%",
    "Без НДС",
    "НДС 5%",
    "НДС 7%",
    "НДС 5/105",
    "НДС 7/107",
    "НДС 22%",
    "НДС 22/122",
  ];
  const deliveryTitles = [
    "Новый",
    "Назначен курьеру",
    "В пути",
    "Доставлен",
    "Доставлен частично",
    "Отменён",
    "Возврат",
  ];
  const closeTitles = [
    "Наличными",
    "Безналичными",
    "Предварительная оплата (аванс)",
    "Последующая оплата (кредит)",
    "Иная форма оплаты (встречное предоставление)",
  ];
  const numbered = (idField: string, titles: readonly string[], first: number) =>
    titles.map((title, index) => ({ [idField]: first + index, title }));

  test.each([
    ["orderStatuses", numbered("statusId", ["Не оплачен", "Оплачен"], 0)],
    ["orderDeliveryStatuses", numbered("statusId", deliveryTitles, 0)],
    ["closeTypes", numbered("closeTypeId", closeTitles, 0)],
    ["taxTypes", numbered("taxTypeId", vatTitles, 1)],
  ])("GET /dictionary/%s gives the fixed list", async (name, list) => {
    const { status, body } = await shop.get(`/dictionary/${name}`);
    expect(status).toBe(200);
    expect(body).toEqual(list);
  });

  test("GET /dictionary/goodCalcTypes gives every code of tag 1212 once", async () => {
    const { status, body } = await shop.get("/dictionary/goodCalcTypes");
    expect(status).toBe(200);
    const codes = [...Array.from({ length: 27 }, (_, index) => index + 1), 30, 31, 32, 33];
    expect(body.map(({ calcId }: { calcId: number }) => calcId)).toEqual(codes);
    expect(new Set(body.map(({ title }: { title: string }) => title)).size).toBe(codes.length);
    expect(body).toContainEqual({ calcId: 33, title: "Маркируемый товар с кодом" });
  });

  test("GET /dictionary/permissions gives what the access settings are about", async () => {
    const { status, body } = await shop.get("/dictionary/permissions");
    expect(status).toBe(200);
    expect(body).toContainEqual({ actionId: "order.cancel", description: "Отмена заказа" });
    await shop.post("/userRoles", [{ roleId: 2, title: "Курьер" }]);
    const settings = body.map(({ actionId }: { actionId: string }) => ({ roleId: 2, actionId, isAllowed: 1 }));
    expect((await shop.post("/permissions/replace", settings)).status).toBe(204);
  });
});
