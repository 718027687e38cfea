/** One test for each rule of the delivery API, and for each default where the API's document says nothing. */

import { listCallbacks } from "#handlers/delivery/callbacks/callback-replay.js";
import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import { fetchChecked, logIn, newOrder } from "../delivery-world.js";
import { describeOnBothStores, filledShop, useOwnWorlds, useWorld } from "../use-world.js";

describeOnBothStores("the rules of the delivery API", (newDatabase) => {
  const used = useWorld(newDatabase, "a shop for each test");
  const openOwn = useOwnWorlds(newDatabase);

  const order = (orderId: string | number) => ({ query: { orderId } });
  const create = (...orders: readonly object[]) => used.shop.post("/orders", orders);
  const get = async (orderId: string | number, more: object = {}) =>
    (await used.shop.get("/orders", { orderId, ...more })).body;
  const put = (change: object, orderId: string | number = 1042) => used.shop.put("/orders", change, order(orderId));
  const journal = async (query: object = {}) =>
    (await used.shop.get("/journal", { entityId: 1042, page: 1, count: 9, ...query })).body;

  describe("ids in the delivery API", () => {
    test("a number and the same number as text are one id, shown as a number, and 07 is another id, shown as text", async () => {
      await create(newOrder({ orderId: 7 }), newOrder({ orderId: "07" }));
      expect((await get("7")).orderId).toBe(7);
      expect((await get("07")).orderId).toBe("07");
    });
  });

  describe("status codes of the delivery API", () => {
    test("HEAD answers like GET without the body, and a GET with If-None-Match gets 200, never 304", async () => {
      const headers = { authorization: `Bearer ${used.shop.access.token}`, "if-none-match": "*" };
      const head = await fetchChecked(`${used.world.origin}/v1/goods`, { method: "HEAD", headers });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      const get = await fetchChecked(`${used.world.origin}/v1/goods/`, { headers });
      expect(get.status).toBe(200);
      expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(await get.text())));
    });

    test("a Content-Type other than JSON gets 400", async () => {
      const reply = await used.shop.post("/userRoles", "[]", { headers: { "content-type": "text/plain" } });
      expect(reply.status).toBe(400);
    });

    test("a programming error is answered with 500, and the answer says nothing of its cause", async () => {
      const broken = await openOwn({});
      const other = await broken.shop();
      await broken.backend.store.db.schema.dropTable("delivery_permissions").execute();
      const { status, body } = await other.get("/permissions");
      expect([status, body]).toEqual([500, { error: true, message: "Internal service error." }]);
    });

    test("a body above the limit gets 413", async () => {
      const small = await openOwn({ router: { bodyLimitBytes: 100 } });
      const other = await small.shop();
      expect((await other.post("/userRoles", [{ roleId: 1, title: "x".repeat(200) }])).status).toBe(413);
    });

    test("a body may have 5 MB by default", async () => {
      const ofBytes = (bytes: number) => used.shop.post("/orders", `[${" ".repeat(bytes - 2)}]`);
      const limit = 5 * 1024 * 1024;
      expect([(await ofBytes(limit)).status, (await ofBytes(limit + 1)).status]).toEqual([201, 413]);
    });
  });

  describe("lists of the delivery API", () => {
    const ids = async (kind: string, idField: string, query: Record<string, number>) =>
      (await used.shop.get(`/${kind}`, query)).body.map((record: Record<string, unknown>) => record[idField]);
    const oneTo = (last: number) => Array.from({ length: last }, (_, position) => position + 1);

    test("a page of a list has 20 entries by default and 500 at most, begins at page 0 and is ordered by id", async () => {
      const rest = { parentId: null, title: "x", price: 0 };
      const many = oneTo(500).map((position) => ({ specificityId: 501 - position, ...rest }));
      await used.shop.post("/specificities", many);
      await used.shop.post("/specificities", [{ specificityId: 501, ...rest }]);
      const list = (query: Record<string, number>) => ids("specificities", "specificityId", query);
      expect(await list({})).toEqual(oneTo(20));
      expect(await list({ page: 26 })).toEqual([501]);
      expect(await list({ page: 0, count: 2 })).toEqual([1, 2]);
      expect(await list({ page: 1, count: 2 })).toEqual([1, 2]);
      expect(await list({ count: 100000 })).toHaveLength(500);
      expect(await list({ page: 999999999, count: 500 })).toEqual([]);
    });

    test("pages of every list except locations are counted from 0 when the setting says so", async () => {
      const fromZero = await openOwn({ delivery: { pageBase: 0 } });
      const other = await filledShop(fromZero);
      const courier = await logIn(fromZero, other);
      const at = (minute: number) => ({ createdAt: `2026-11-20 14:0${minute}:00` });
      const rest = { parentId: null, title: "x", price: 0 };
      for (const number of oneTo(3)) {
        await other.post("/specificities", [{ specificityId: number, ...rest }]);
        await other.post("/orders", [newOrder({ orderId: number })]);
        await courier.post("/locations", [{ ...at(number), longitude: "37.6", latitude: "55.7" }]);
      }
      for (const path of ["/correctionReceipts", "/terminalLogs", "/registerLogs"])
        for (const id of oneTo(3)) {
          const ids = { correctionReceiptId: id, terminalLogId: id, frId: id };
          const times = { commandExecutedAt: at(id).createdAt, transactionCreatedAt: at(id).createdAt };
          const entry = { ...ids, ...times, serialNumber: "1", amount: 1 };
          expect((await courier.post(path, [entry])).status).toBe(204);
        }
      await other.put("/orders", { statusId: 1 }, order(1));
      await other.put("/orders", { statusId: 0 }, order(1));
      const pages = async (path: string, query: Record<string, number> = {}) => {
        const found = [];
        for (const page of [0, 1, 2, 3]) found.push((await other.get(path, { ...query, page, count: 1 })).body[0]);
        return found;
      };
      const lists: [string, Record<string, number>?][] = [
        ["/orders"],
        ["/specificities"],
        ["/taxes"],
        ["/journal", { entityId: 1 }],
        ["/correctionReceipts"],
        ["/bankTerminalLogs"],
        ["/fiscalRegistratorLogs"],
      ];
      for (const [path, query] of lists) {
        const whole = (await other.get(path, { ...query, page: 0, count: 9 })).body;
        expect([path, whole.length]).toEqual([path, path === "/taxes" ? 2 : 3]);
        expect(await pages(path, query)).toEqual([0, 1, 2, 3].map((page) => whole[page]));
      }
      expect(await pages("/locations", { courierId: 7 })).toMatchObject([at(1), at(1), at(2), at(3)]);
    });

    test("lists show each id on one page, with the ids 7, 07 and 007 beside each other", async () => {
      const roleIds = [8, "007", 7, "07", "a"];
      const roles = roleIds.map((roleId) => ({ roleId, title: "x" }));
      await used.shop.post("/userRoles", roles);
      const sorted = [7, "007", "07", 8, "a"];
      expect(await ids("userRoles", "roleId", {})).toEqual(sorted);
      const paged = [];
      for (const page of [1, 2, 3, 4, 5]) paged.push(...(await ids("userRoles", "roleId", { page, count: 1 })));
      expect(paged).toEqual(sorted);
    });

    test.each(catalogRows.filter((row) => row.isPaged !== true).map((row) => [row.kind, row] as const))(
      "the list of /%s, which the API's document does not page, is whole unless the request asks for a page",
      async (kind, row) => {
        const own = await used.world.shop(`shop ${Math.random()}`);
        const titled = kind === "taxes" ? { title: "НДС 22%" } : kind === "clients" ? {} : { title: "x" };
        const records = oneTo(25).map((id) => ({ [row.idField]: id, ...titled }));
        await own.post(`/${kind}`, records);
        const list = async (query: Record<string, number>) =>
          (await own.get(`/${kind}`, query)).body.map((record: Record<string, unknown>) => record[row.idField]);
        expect(await list({})).toEqual(oneTo(25));
        expect(await list({ count: 20 })).toEqual(oneTo(20));
        expect(await list({ page: 2 })).toEqual([21, 22, 23, 24, 25]);
      },
    );
  });

  describe("soft deletion in the delivery API", () => {
    test("a deleted good stays readable with isActive 0, also in its orders, and is restored with isActive 1", async () => {
      await create(newOrder());
      await used.shop.delete("/goods", { goodId: 501 });
      expect((await used.shop.get("/goods", { goodId: 501 })).body.isActive).toBe(0);
      expect((await get(1042)).goods[0]).toMatchObject({
        title: "Чай зелёный",
        isActive: 0,
      });
      await used.shop.put("/goods", { isActive: 1 }, { query: { goodId: 501 } });
      expect((await used.shop.get("/goods", { goodId: 501 })).body.isActive).toBe(1);
    });
  });

  describe("orders of the delivery API", () => {
    const goods = (changes: object) => [
      { goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: 0, ...changes },
    ];
    test("an order's positions have discounts, the goods' taxes, warehouses and specificities", async () => {
      await used.shop.post("/specificities", [{ specificityId: 3, parentId: null, title: "Упаковка", price: 0 }]);
      const item = {
        discountTotal: -1,
        warehouses: [{ warehouseId: 1, count: 2 }],
        specificities: [{ specificityId: 3, price: 0, count: 1 }],
      };
      const { body } = await create(newOrder({ goods: [...goods(item), ...goods({ taxId: 2 })] }));
      expect(body[0].goods).toMatchObject([
        {
          taxId: 1,
          discountTotal: -1,
          warehouses: [{ warehouseId: 1, count: 2, tookCount: 0, title: "Основной", phone: "+74950000000" }],
          specificities: [{ specificityId: 3, title: "Упаковка" }],
        },
        { taxId: 2 },
      ]);
    });

    test("an order's inline client counts only without clientId, and its missing phone is taken from the client", async () => {
      await used.shop.post("/clients", [
        { clientId: 9, firstname: "Олег", phone: "+79161112233", inn: "770000000001" },
      ]);
      const { body } = await create(newOrder({ clientId: 9 }), newOrder({ orderId: 2 }));
      expect(body).toMatchObject([
        { client: { firstname: "Олег", inn: "770000000001" }, phone: "+79161112233" },
        { client: { firstname: "Анна", email: "anna@mail.example" }, phone: null },
      ]);
    });

    const address = { postindex: "101000", city: "Москва", street: "Ленина", home: "1", apartment: "2" };
    const line = "101000, Москва, Ленина, 1, 2";
    test.each([
      ["isEdited stays false when the positions stay", { cash: 5 }, { isEdited: false }],
      [
        "isEdited is true when the positions were changed",
        { goods: goods({ count: 1, total: 250.5 }) },
        { isEdited: true },
      ],
      ["originalPaymentId is the first payment type", { paymentId: 2 }, { originalPaymentId: 1, paymentId: 2 }],
      [
        "a one-line address is composed from the entity",
        { addressToEntity: { ...address, isUseExternalGeo: false } },
        { addressTo: line, addressFrom: null, addressToEntity: { ...address, isUseExternalGeo: false } },
      ],
    ])("after an edit of an order %s", async (_title, change, shown) => {
      await create(newOrder());
      expect((await put(change)).body).toMatchObject(shown);
    });

    test("multipleUpdate with unknown orders names each of them and changes nothing", async () => {
      await create(newOrder());
      const body = { orderIds: [1042, 1042, "two", "three"], attributes: { statusId: 1 } };
      const reply = await used.shop.put("/orders/multipleUpdate", body);
      const message = ["two", "three"].map((id, index) => `orderIds[${index + 2}]: The order "${id}" does not exist.`);
      expect([reply.status, reply.body.message]).toEqual([404, message.join("\n")]);
      expect((await get(1042)).statusId).toBe(0);
    });

    test("multipleUpdate names each order that does not allow the change, and changes nothing", async () => {
      const other = await filledShop(await openOwn({ delivery: { strictTransitions: true } }));
      const ids = ["two", "three"];
      const unmoved = ids.map((orderId) => newOrder({ orderId }));
      await other.post("/orders", [newOrder({ orderId: 1, deliveryStatusId: 1 }), ...unmoved]);
      const body = { orderIds: [1, ...ids], attributes: { deliveryStatusId: 2 } };
      const reply = await other.put("/orders/multipleUpdate", body);
      expect(reply.status).toBe(422);
      const what = "attributes.deliveryStatusId: cannot go from 0 to 2";
      const message = ids.map((id, index) => `orderIds[${index + 1}]: order "${id}": ${what}`).join("\n");
      expect(reply.body.message).toBe(message);
      expect((await other.get("/orders", order(1).query)).body.deliveryStatusId).toBe(1);
    });

    test("delivery statuses change freely by default, and each change is in the journal", async () => {
      await create(newOrder({ deliveryStatusId: 6 }));
      expect((await put({ deliveryStatusId: 0 })).status).toBe(201);
      expect((await journal())[1]).toMatchObject({
        beforeItem: { deliveryStatusId: 6 },
        afterItem: { deliveryStatusId: 0 },
      });
    });

    test("with strictTransitions only the status changes of the table are allowed", async () => {
      const other = await filledShop(await openOwn({ delivery: { strictTransitions: true } }));
      const statuses = [0, 1, 2, 3, 4, 5, 6];
      const allowed: Record<number, number[]> = {};
      for (const from of statuses) {
        allowed[from] = [];
        for (const to of statuses) {
          const orderId = `${from}-${to}`;
          const start = newOrder({ orderId, deliveryStatusId: from, returnReasonId: 1 });
          expect((await other.post("/orders", [start])).status).toBe(201);
          const { status } = await other.put("/orders", { deliveryStatusId: to }, order(orderId));
          if (status === 201 && from !== to) allowed[from]?.push(to);
        }
      }
      expect(allowed).toEqual({ 0: [1, 5], 1: [0, 2, 5], 2: [1, 3, 4, 5], 3: [6], 4: [6], 5: [6], 6: [] });
      for (const [from, to] of [
        [1, 5],
        [3, 6],
      ]) {
        await other.post("/orders", [newOrder({ orderId: `to ${to}`, deliveryStatusId: from })]);
        const { status, body } = await other.put("/orders", { deliveryStatusId: to }, order(`to ${to}`));
        expect([status, body.message]).toEqual([422, `returnReasonId: is required for delivery status ${to}`]);
      }
    });
  });

  describe("refund orders of the delivery API", () => {
    const asRefund = { query: { isRefund: 1 } };

    test("an edit whose body has isRefund changes the refund order, and no edit turns a sale into a refund or a refund into a sale", async () => {
      await create(newOrder(), newOrder({ orderId: 7 }));
      const { body: made } = await used.shop.post("/orders", [newOrder({ isRefund: true, payments: [] })], asRefund);
      const change = { ...made[0], description: "of the refund" };
      expect((await put(change)).body).toMatchObject({ isRefund: true });
      expect((await get(1042)).description).not.toBe("of the refund");
      const both = { orderId: 1042, isRefund: 1 };
      expect((await used.shop.get("/orders", both)).body.description).toBe("of the refund");
      const asSale = await used.shop.put("/orders", { isRefund: false }, { query: both });
      expect([asSale.status, asSale.body.message]).toEqual([422, "isRefund: cannot be changed"]);
      expect((await used.shop.put("/orders", { isRefund: true }, order(7))).status).toBe(404);
      // The id of a deleted sale does not mean its refund order: a late or repeated request is about the sale.
      await used.shop.delete("/orders", order(1042).query);
      const many = { orderIds: [1042], attributes: { statusId: 1 } };
      const late = [
        await put({ statusId: 1 }),
        await used.shop.put("/orders/multipleUpdate", many),
        await used.shop.delete("/orders", order(1042).query),
        await used.shop.get("/orders", order(1042).query),
      ];
      expect(late.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
      expect((await used.shop.get("/orders", both)).body.statusId).toBe(0);
    });
  });

  describe("the journal of orders", () => {
    test("the journal of delivery statuses tells a sale and a refund of one id apart", async () => {
      await create(newOrder({ deliveryStatusId: 3 }));
      await create(newOrder({ isRefund: true, payments: [], deliveryStatusId: 1 }));
      const statuses = async (query: object) =>
        (await used.shop.get("/orders/journalStatuses", { orderId: 1042, ...query })).body;
      expect(await statuses({})).toMatchObject([{ statusId: 3 }]);
      expect(await statuses({ isRefund: 1 })).toMatchObject([{ statusId: 1 }]);
    });

    test("the journal leaves out changes before startedAt", async () => {
      await create(newOrder());
      expect(await journal({ startedAt: "2099-01-01 00:00:00" })).toEqual([]);
    });
  });

  describe("a request that changes nothing", () => {
    const rows = async () => (await journal()).length;
    const told = async () =>
      (await listCallbacks(used.world.backend.store, { limit: 500 })).filter(
        ({ resource }) => resource === used.shop.access.resource.id,
      ).length;

    test("a request that changes nothing writes no journal row and sends no callback", async () => {
      const url = "http://127.0.0.1:9/";
      const callback = { resource: used.shop.access.resource.id, kind: "order", url, is_active: 1 };
      const { store } = used.world.backend;
      await store.transaction((tx) => tx.insertInto("delivery_callbacks").values(callback).execute());
      await create(newOrder());
      const before = await told();
      const same = { statusId: 0, goods: newOrder().goods };
      expect((await put({})).status).toBe(201);
      expect((await put(same)).status).toBe(201);
      expect((await used.shop.post("/orders/replace", [newOrder()])).status).toBe(201);
      const many = { orderIds: [1042], attributes: { statusId: 0 } };
      expect((await used.shop.put("/orders/multipleUpdate", many)).status).toBe(204);
      expect([await rows(), await told()]).toEqual([1, before]);
      await put({ description: "x" });
      expect(await rows()).toBe(2);
    });

    test("an unchanged order in POST replace is restored when it was deleted", async () => {
      await create(newOrder());
      await used.shop.delete("/orders", order(1042).query);
      expect((await used.shop.post("/orders/replace", [newOrder()])).status).toBe(201);
      expect((await used.shop.get("/orders", order(1042).query)).status).toBe(200);
    });
  });

  test("a whole card number in a refund order is masked, also in the sale", async () => {
    await create(newOrder());
    const payment = { paymentId: "p1", paymentTypeId: "1", price: 250.5, paidIn: "2026-11-20 10:00:00" };
    const payments = [
      { ...payment, cardMask: "2200 1234 5678 9012", rrn: "632814000001" },
      { ...payment, paymentId: "p2", cardMask: "МИР 2200-1234-5678-9012-345" },
    ];
    const created = await create(newOrder({ isRefund: true, payments }));
    expect(created.body[0].payments).toMatchObject([
      { cardMask: "220012******9012", rrn: "632814000001" },
      { cardMask: "МИР 220012*********2345" },
    ]);
    await used.shop.put("/orders", { payments: [payments[0]] }, { query: { orderId: 1042, isRefund: 1 } });
    const rows = await used.world.backend.store.db.selectFrom("delivery_orders").select("body").execute();
    expect(JSON.stringify(rows)).not.toMatch(/5678/);
  });

  test("a tax whose title names no rate is accepted when its taxId is one of taxTypes", async () => {
    expect((await used.shop.post("/taxes", [{ taxId: 11, title: "Основная" }])).status).toBe(201);
  });

  test("a courier's sourcePassword is kept as a hash and never given back", async () => {
    const { body } = await used.shop.get("/couriers", { courierId: 7 });
    expect(body).not.toHaveProperty("sourcePassword");
    const rows = await used.world.backend.store.db
      .selectFrom("delivery_records")
      .selectAll()
      .where("kind", "=", "couriers")
      .execute();
    expect(JSON.stringify(rows)).toContain("scrypt$");
    expect(JSON.stringify(rows)).not.toContain("letmein");
  });

  describe("tokens of the delivery API", () => {
    test("two tokens with one shop's name belong to one shop", async () => {
      const second = await used.world.shop(used.shop.access.resource.name);
      expect((await second.get("/goods", { goodId: 501 })).status).toBe(200);
    });

    test("tokens are stored as hashes", async () => {
      const { token } = used.shop.access;
      const rows = await used.world.backend.store.db.selectFrom("delivery_tokens").selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(token);
    });
  });
});
