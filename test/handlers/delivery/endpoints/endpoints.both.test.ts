/** One test for each row of the document's endpoint tables, on both databases. */

import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import { courierReceipt } from "../../../tools/money-model/money-world.js";
import { openReceiver } from "../callback-receiver.js";
import {
  type Api,
  checkAnswersAgainstDocument,
  logIn,
  newOrder,
  type OrderBody,
  orderBody,
} from "../delivery-world.js";
import { describeOnBothStores, useOwnWorlds, useWorld } from "../use-world.js";

checkAnswersAgainstDocument();

describeOnBothStores("the endpoints of the delivery API", (newDatabase) => {
  const used = useWorld(newDatabase, "a shop for each test");
  const openOwn = useOwnWorlds(newDatabase);

  describe("orders, by the typed client", () => {
    const byId = (orderId: number | string) => ({ params: { query: { orderId } } });

    async function create(...orders: OrderBody[]) {
      const { data, response } = await used.shop.client.POST("/v1/orders", { body: orders });
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
      const { data, response } = await used.shop.client.POST("/v1/orders", {
        params: { query: { isRefund: "1" } },
        body: [orderBody({ orderId: "1042", isRefund: true, payments })],
      });
      expect(response.status).toBe(201);
      expect(data?.[0]).toMatchObject({ isRefund: true, payments: [{ paymentId: "p1", price: 501 }] });
    });

    test("GET /orders?orderId gives the order with that id", async () => {
      await create(orderBody());
      const { data, response } = await used.shop.client.GET("/v1/orders", byId(1042));
      expect(response.status).toBe(200);
      expect(data).toMatchObject({ orderId: 1042, amountToPay: 501, client: { firstname: "Анна" } });
    });

    test("GET /orders gives the list of orders", async () => {
      await create(orderBody({ orderId: 10 }), orderBody({ orderId: 9 }));
      const { data, response } = await used.shop.client.GET("/v1/orders", {
        params: { query: { page: 1, count: 20 } },
      });
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
      await used.shop.client.PUT("/v1/orders", { ...byId(1), body: { deliveryStatusId: 2 } });
      const within = async (journalFinishAt: string) => {
        const period = { journalStartAt: "2020-01-01 00:00:00", journalFinishAt };
        const { data } = await used.shop.client.GET("/v1/orders", {
          params: { query, header: { ...period, ...header } },
        });
        return [data].flat().map((order) => order?.orderId);
      };
      expect(await within("2099-01-01 00:00:00")).toEqual([1]);
      expect(await within("2020-01-02 00:00:00")).toEqual([]);
    });

    test("PUT /orders?orderId changes one order and answers 201", async () => {
      await create(orderBody());
      const { data, response } = await used.shop.client.PUT("/v1/orders", {
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
      const reply = await used.shop.client.PUT("/v1/orders/multipleUpdate", {
        body: { orderIds: [1, "2"], attributes },
      });
      expect(reply.response.status).toBe(204);
      const { data } = await used.shop.client.GET("/v1/orders");
      const changed = { ...attributes, returnReasonId: 1, courierId: 7 };
      expect(data).toMatchObject([changed, changed]);
    });

    test("POST /orders/replace updates known orders and creates unknown ones", async () => {
      await create(orderBody({ orderId: 1 }));
      const { data, response } = await used.shop.client.POST("/v1/orders/replace", {
        body: [{ orderId: 1, description: "изменён" }, orderBody({ orderId: 2 })],
      });
      expect(response.status).toBe(201);
      expect(data).toMatchObject([
        { orderId: 1, description: "изменён", amountToPay: 501 },
        { orderId: 2, description: null },
      ]);
    });

    test("DELETE /orders?orderId hides the order, and a second DELETE gets 404", async () => {
      await create(orderBody());
      expect((await used.shop.client.DELETE("/v1/orders", byId(1042))).response.status).toBe(204);
      expect((await used.shop.client.GET("/v1/orders", byId(1042))).error).toMatchObject({ error: true });
      expect((await used.shop.client.GET("/v1/orders")).data).toEqual([]);
      expect((await used.shop.client.DELETE("/v1/orders", byId(1042))).response.status).toBe(404);
    });

    test("GET /orders/journalStatuses?orderId gives the delivery statuses", async () => {
      await create(orderBody());
      await used.shop.client.PUT("/v1/orders", { ...byId(1042), body: { deliveryStatusId: 5, returnReasonId: 1 } });
      const { data, response } = await used.shop.client.GET("/v1/orders/journalStatuses", byId(1042));
      expect(response.status).toBe(200);
      expect(data).toMatchObject([
        { statusId: 0, returnReasonId: null },
        { statusId: 5, returnReasonId: 1 },
      ]);
    });

    test("GET /journal gives the changes of an order", async () => {
      await create(orderBody());
      await used.shop.client.PUT("/v1/orders", {
        ...byId(1042),
        body: { statusId: 1, cash: 1000, phone: "+79160000000" },
      });
      const { data = [], response } = await used.shop.client.GET("/v1/journal", {
        params: { query: { entityId: 1042, page: 1, count: 20 } },
      });
      expect(response.status).toBe(200);
      expect(data).toMatchObject([
        { event: "create", source: used.shop.access.resource.name, courierId: "7", beforeItem: null },
        { event: "update" },
      ]);
      expect(data[1]?.beforeItem).toEqual({ statusId: 0, phone: null });
      expect(data[1]?.afterItem).toEqual({ statusId: 1, phone: "+79160000000" });
    });

    test.each(["/orders/callback", "/licenses/callback"])(
      "POST %s stores the callback address that took the test call",
      async (path) => {
        const receiver = await openReceiver();
        const { url } = receiver;
        const { status, body } = await used.shop.post(path, { url, isActive: 1 });
        receiver.close();
        expect(status).toBe(201);
        expect(body).toEqual({ url, isActive: 1 });
        expect([receiver.tested, receiver.received]).toEqual([1, []]);
      },
    );
  });

  describe("what couriers report", () => {
    const at = "2026-11-20 14:05:00";
    let courier: Api;

    beforeEach(async () => {
      await used.shop.post("/orders", [newOrder()]);
      courier = await logIn(used.world, used.shop);
    });

    const report = async (path: string, ...entries: readonly object[]) =>
      expect((await courier.post(path, entries)).status).toBe(204);

    test("GET /locations gives a courier's places since createdAt, one a minute", async () => {
      const place = { longitude: "37.63", latitude: "55.76" };
      const [sameMinute, late] = ["2026-11-20 14:05:59", "2026-11-20 14:06:00"] as const;
      await report("/locations", { ...place, accuracy: 12, orderId: 1042, createdAt: at });
      await report("/locations", { ...place, createdAt: sameMinute }, { ...place, createdAt: late });
      const query = { courierId: 7, page: 1, count: 20 };
      const common = { returnReasonId: null, courierId: 7, ...place };
      const points = [
        { ...common, orderId: 1042, deliveryStatusId: 0, orderStatusId: 0, accuracy: 12, createdAt: at },
        { ...common, orderId: null, deliveryStatusId: null, orderStatusId: null, accuracy: null, createdAt: late },
      ];
      expect(await used.shop.get("/locations", query)).toMatchObject({ status: 200, body: points });
      expect((await used.shop.get("/locations", { ...query, createdAt: late })).body).toEqual(points.slice(1));
    });

    test.each([
      ["/orderReceipts", "sale"],
      ["/orderReturnReceipts", "return"],
    ])("GET %s gives the fiscal record, and 404 before the record exists", async (path, operation) => {
      expect((await used.shop.get(path, { orderId: 1042 })).status).toBe(404);
      const told = await courier.post("/orders/receipts", { orderId: 1042, operation, receipt: courierReceipt });
      expect(told.status).toBe(201);
      const { status, body } = await used.shop.get(path, { orderId: 1042 });
      expect([status, body]).toEqual([200, { orderId: 1042, ...courierReceipt }]);
    });

    const times = { commandExecutedAt: at };
    test.each([
      [
        "/correctionReceipts",
        "/correctionReceipts",
        { correctionReceiptId: 5, serialNumber: "0010", amount: 99.5, ...times },
        { courierId: "7", amount: "99.50" },
      ],
      [
        "/terminalLogs",
        "/bankTerminalLogs",
        { terminalLogId: 1, amount: 501, cardNumber: "2200 1234 5678 9012", transactionCreatedAt: at },
        { courierId: 7, amount: "501.00", cardNumber: "220012******9012" },
      ],
      ["/registerLogs", "/fiscalRegistratorLogs", { frId: "x", errorCode: "51", ...times }, { courierId: 7 }],
    ] as const)("an entry of POST %s is shown by GET %s of its courier and order", async (to, from, entry, shown) => {
      await report(to, { orderId: 1042, ...entry });
      const list = async (query: object) => (await used.shop.get(from, { page: 1, count: 20, ...query })).body;
      expect(await list({ courierId: 7, orderId: 1042 })).toMatchObject([{ ...entry, ...shown }]);
      expect([await list({ courierId: 8 }), await list({ orderId: 1 })]).toEqual([[], []]);
    });

    test("GET /licenses gives the licences in use, and POST /licenses/close frees a licence", async () => {
      const deviceId = "a1";
      const inUse = { licenseTotal: 1000, licenses: [{ courierId: 7, deviceId, deviceTitle: "P" }] };
      expect(await used.shop.get("/licenses")).toMatchObject({ status: 200, body: inUse });
      const close = async () => (await used.shop.post("/licenses/close", undefined, { query: { deviceId } })).status;
      expect(await close()).toBe(204);
      expect((await used.shop.get("/licenses")).body.licenses).toEqual([]);
      expect([(await courier.get("/orders")).status, await close()]).toEqual([401, 404]);
    });
  });

  test("POST /partnerOnlineSettings/replace answers with the settings without the password", async () => {
    const company = { inn: "7700000000", taxSystem: "osn" };
    const settings = { settingId: 3, login: "shop", isProduction: "1", company };
    const made = await used.shop.post("/partnerOnlineSettings/replace", { ...settings, password: "secret" });
    expect([made.status, made.body]).toEqual([201, settings]);
  });

  test("GET /printServerSettings gives the shop's own handler address, and 404 when publicUrl is not set", async () => {
    const unknown = await used.shop.get("/printServerSettings");
    expect([unknown.status, unknown.body.message]).toEqual([404, expect.stringContaining("publicUrl")]);
    const other = await openOwn({ delivery: { publicUrl: "https://shop.example/", fiscalPath: "/cash" } });
    const { access, get } = await other.shop();
    const url = `https://shop.example/cash/${access.resource.id}`;
    expect((await get("/printServerSettings")).body).toEqual({ url });
  });

  test("PUT /paymentTypes accepts only the register's payment types", async () => {
    const put = async (closeTypeId: unknown) => {
      const query = { paymentTypeId: 1 };
      const { status, body } = await used.shop.put("/paymentTypes", { closeTypeId }, { query });
      return [status, body?.message];
    };
    for (const known of [0, 1, 2, 3, 4, "1"]) expect(await put(known)).toEqual([204, undefined]);
    const reason = "closeTypeId: must be an id of /dictionary/closeTypes: 0, 1, 2, 3, 4";
    for (const unknown of [5, -1, "cash"]) expect(await put(unknown)).toEqual([422, reason]);
  });

  test.each(catalogRows)(
    "records of /$kind are created, listed, changed, replaced and deleted",
    async ({ kind, idField, example }) => {
      const path = `/${kind}`;
      const of = (id: number) => ({ ...example, [idField]: id });
      const get = (query: Record<string, number>) => used.shop.get(path, query);
      const field = "title" in example ? "title" : "firstname";
      const created = { [idField]: 990, [field]: example[field] };
      expect(await used.shop.post(path, [of(990), of(991)])).toMatchObject({
        status: 201,
        body: [created, { [idField]: 991 }],
      });
      expect(await get({ [idField]: 990 })).toMatchObject({ status: 200, body: created });

      const { status, body: list } = await get({ count: 500 });
      expect([status, list.slice(-2)]).toMatchObject([200, [{ [idField]: 990 }, { [idField]: 991 }]]);
      expect((await get({ page: list.length, count: 1 })).body).toEqual(list.slice(-1));

      const [changed, replaced] = kind === "taxes" ? ["НДС 10%", "НДС 0%"] : ["Другое", "Третье"];
      expect((await used.shop.put(path, { [field]: changed }, { query: { [idField]: 990 } })).status).toBe(204);
      expect((await get({ [idField]: 990 })).body).toMatchObject({ [idField]: 990, [field]: changed });
      const both = [{ [idField]: 990, [field]: replaced }, of(992)];
      expect((await used.shop.post(`${path}/replace`, both)).status).toBe(204);
      expect((await get({ [idField]: 990 })).body).toMatchObject({ [field]: replaced });
      expect((await get({ [idField]: 992 })).status).toBe(200);

      expect((await used.shop.delete(path, { [idField]: 990 })).status).toBe(204);
      const left = (await get({ count: 500 })).body.map((record: Record<string, unknown>) => record[idField]);
      expect(left).not.toContain(990);
      expect((await used.shop.delete(path, { [idField]: 990 })).status).toBe(404);
      expect((await used.shop.post(`${path}/replace`, [of(990)])).status).toBe(204);
      expect((await get({ [idField]: 990 })).body).toMatchObject(created);
    },
  );

  test("POST /permissions/replace sets what roles may do, and GET /permissions shows it", async () => {
    const known = (await used.shop.get("/dictionary/permissions")).body;
    expect(known).toContainEqual({ actionId: "order.cancel", description: "Отмена заказа" });
    await used.shop.post("/userRoles", [{ roleId: 2, title: "Курьер" }]);
    const settings = known.map(({ actionId }: { actionId: string }) => ({ roleId: 2, actionId, isAllowed: 1 }));
    expect((await used.shop.post("/permissions/replace", settings)).status).toBe(204);
    const refused = [{ roleId: 2, actionId: "receipt.print", isAllowed: 0 }];
    expect((await used.shop.post("/permissions/replace", refused)).status).toBe(204);
    const { status, body } = await used.shop.get("/permissions", { roleId: 2 });
    expect([status, body.length]).toEqual([200, known.length]);
    const shown = body.find(({ actionId }: { actionId: string }) => actionId === "order.cancel");
    expect(shown).toMatchObject({ roleId: 2, roleTitle: "Курьер", isAllowed: "1" });
    const printing = (await used.shop.get("/permissions", { permissionId: "receipt.print" })).body;
    expect(printing).toMatchObject([{ roleId: 2, isAllowed: "0" }]);
  });

  const closeTitles = [
    "Наличными",
    "Безналичными",
    "Предварительная оплата (аванс)",
    "Последующая оплата (кредит)",
    "Иная форма оплаты (встречное предоставление)",
  ];
  const vatTitles =
    "НДС 20%,НДС 10%,НДС 20/120,НДС 10/110,НДС 0%,Без НДС,НДС 5%,НДС 7%,НДС 5/105,НДС 7/107,НДС 22%,НДС 22/122";
  const deliveryTitles = "Новый,Назначен курьеру,В пути,Доставлен,Доставлен частично,Отменён,Возврат";
  test.each([
    ["orderStatuses", "statusId", ["Не оплачен", "Оплачен"], 0],
    ["orderDeliveryStatuses", "statusId", deliveryTitles.split(","), 0],
    ["closeTypes", "closeTypeId", closeTitles, 0],
    ["taxTypes", "taxTypeId", vatTitles.split(","), 1],
  ])("GET /dictionary/%s gives the fixed list", async (name, idField, titles, first) => {
    const { status, body } = await used.shop.get(`/dictionary/${name}`);
    expect([status, body]).toEqual([200, titles.map((title, index) => ({ [idField]: first + index, title }))]);
  });

  test("GET /dictionary/goodCalcTypes gives every code of tag 1212 once", async () => {
    const { status, body } = await used.shop.get("/dictionary/goodCalcTypes");
    const codes = [...Array.from({ length: 27 }, (_, index) => index + 1), 30, 31, 32, 33];
    expect([status, body.map(({ calcId }: { calcId: number }) => calcId)]).toEqual([200, codes]);
    expect(new Set(body.map(({ title }: { title: string }) => title)).size).toBe(codes.length);
    expect(body).toContainEqual({ calcId: 33, title: "Маркируемый товар с кодом" });
  });
});
