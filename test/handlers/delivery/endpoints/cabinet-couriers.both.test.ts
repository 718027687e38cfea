import { loadCabinetRecords } from "#handlers/delivery/catalog/cabinet-records.js";
import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import { setLicenseTotal, switchCabinet } from "#handlers/delivery/catalog/delivery-settings.js";
import { waitFor } from "../../../support/wait-for.js";
import { openReceiver } from "../callback-receiver.js";
import { type Api, checkAnswersAgainstDocument, type DeliveryWorld, newOrder, type Shop } from "../delivery-world.js";
import { describeOnBothStores, useOwnWorlds } from "../use-world.js";

checkAnswersAgainstDocument();

describeOnBothStores("a courier whom several shops share (the cabinet's)", (newDatabase) => {
  const openOwn = useOwnWorlds(newDatabase);
  let world: DeliveryWorld;
  let one: Shop;
  let other: Shop;
  let courier: Api;

  beforeEach(async () => {
    world = await openOwn();
    const { store } = world.backend;
    await loadCabinetRecords(
      store,
      {
        taxes: [{ taxId: 1, title: "НДС 22%" }],
        paymentTypes: [{ paymentTypeId: 1, title: "Картой", closeTypeId: 1 }],
        orderReturnReasons: [{ reasonId: 1, title: "Отказ" }],
        couriers: [{ courierId: 7, title: "Общий", sourcePassword: "letmein", roleId: 2 }],
        userRoles: [{ roleId: 2, title: "Курьер" }],
      },
      Date.now(),
    );
    const permissions = ["order.cancel", "receipt.print"].map((actionId) => ({ roleId: 2, actionId, isAllowed: 1 }));
    await loadCabinetRecords(store, { permissions }, Date.now());
    await store.transaction((tx) => switchCabinet(tx, true));
    await store.transaction((tx) => setLicenseTotal(tx, 5));
    one = await world.shop("one");
    other = await world.shop("other");
    for (const shop of [one, other])
      await shop.post("/goods", [{ goodId: 501, parentId: null, taxId: 1, title: "Чай", price: 250.5 }]);
    courier = await login();
  });

  async function openSession(where: object = {}) {
    const feed = world.api(null, "/courier/v1");
    const body = { courierId: 7, password: "letmein", deviceId: "a1", deviceTitle: "Pixel", ...where };
    const { status, body: session } = await feed.post("/sessions", body);
    expect(status).toBe(201);
    return session;
  }

  async function login(): Promise<Api> {
    return world.api((await openSession()).token, "/courier/v1");
  }

  const idOf = (shop: Shop) => shop.access.resource.id;
  const switchOff = () => world.backend.store.transaction((tx) => switchCabinet(tx, false));
  const orderIn = (shop: Shop, orderId: number, changes: object = {}) =>
    shop.post("/orders", [newOrder({ orderId, ...changes })]);
  const statusOf = (orderId: number, more: object = {}) =>
    courier.post("/orders/status", { orderId, deliveryStatusId: 2, ...more });
  const ownCourier = (shop: Shop) => shop.put("/couriers", { title: "Свой" }, { query: { courierId: 7 } });
  const listed = async (shop: Shop, path: string) => (await shop.get(path, { courierId: 7, page: 1, count: 9 })).body;

  test.each(["couriers", "taxes", "paymentTypes", "orderReturnReasons", "userRoles", "suppliers"])(
    "the shared /%s of the cabinet are read-only over the API",
    async (kind) => {
      const query = { [catalogRows.find((row) => row.kind === kind)?.idField ?? ""]: 7 };
      const writes = [
        await one.post(`/${kind}`, []),
        await one.post(`/${kind}/replace`, []),
        await one.put(`/${kind}`, {}, { query }),
        await one.delete(`/${kind}`, query),
      ];
      expect(writes.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect((await one.get(`/${kind}`)).status).toBe(200);
    },
  );

  test("a cabinet's courier is seen by all shops, while each shop's goods stay its own and writable", async () => {
    for (const api of [one, other]) expect((await api.get("/couriers")).body).toMatchObject([{ title: "Общий" }]);
    const good = { goodId: 1, parentId: null, taxId: 1, title: "x", price: 1 };
    expect((await one.post("/goods", [good])).status).toBe(201);
    expect((await other.get("/goods", { goodId: 1 })).status).toBe(404);
  });

  test("after the cabinet is switched off, a shop may edit the cabinet's courier, and no other shop sees the edit", async () => {
    await switchOff();
    expect((await ownCourier(one)).status).toBe(204);
    expect((await one.get("/couriers")).body).toMatchObject([{ title: "Свой" }]);
    expect((await other.get("/couriers")).body).toMatchObject([{ title: "Общий" }]);
  });

  test("a cabinet's courier sees the orders of all shops, each with its shop", async () => {
    await orderIn(one, 1);
    await orderIn(other, 2);
    const { body } = await courier.get("/orders");
    expect(body).toMatchObject([
      { orderId: 1, resourceId: idOf(one) },
      { orderId: 2, resourceId: idOf(other) },
    ]);
  });

  test("a cabinet's courier sees orders page by page when a page is asked for, and all orders otherwise", async () => {
    await orderIn(one, 1, { codeAlias: "A-1" });
    await orderIn(one, 2);
    await orderIn(other, 2, { codeAlias: "B-2" });
    const shown = async (query: Record<string, number>) => (await courier.get("/orders", query)).body;
    const all = [
      { resourceId: idOf(one), orderId: 1, displayId: "A-1" },
      { resourceId: idOf(one), orderId: 2, displayId: "2" },
      { resourceId: idOf(other), orderId: 2, displayId: "B-2" },
    ];
    expect(await shown({})).toMatchObject(all);
    expect(await shown({ page: 1, count: 2 })).toMatchObject(all.slice(0, 2));
    expect(await shown({ page: 2, count: 2 })).toMatchObject(all.slice(2));
    expect((await courier.get("/orders", { count: "x" })).status).toBe(400);
  });

  test("a cabinet's courier has to name the shop when two shops have an order with one id, and changes only that order", async () => {
    for (const shop of [one, other]) await orderIn(shop, 5);
    const { status, body } = await statusOf(5);
    expect([status, body.message]).toEqual([422, expect.stringContaining("resourceId")]);
    expect((await statusOf(5, { resourceId: idOf(other) })).status).toBe(201);
    expect((await one.get("/orders", { orderId: 5 })).body.deliveryStatusId).toBe(0);
    expect((await other.get("/orders", { orderId: 5 })).body.deliveryStatusId).toBe(2);
  });

  test("the journal of an order names the cabinet's courier by his title", async () => {
    await orderIn(one, 6);
    await statusOf(6);
    const journal = (await one.get("/journal", { entityId: 6, page: 1, count: 9 })).body;
    expect(journal.map((row: { source: string }) => row.source)).toEqual(["one", "Общий"]);
  });

  test("a cabinet's courier has no access to a shop that has its own courier with his id", async () => {
    await switchOff();
    await ownCourier(one);
    for (const [orderId, shop] of [one, other].entries()) await orderIn(shop, orderId);
    expect((await courier.get("/orders")).body).toMatchObject([{ resourceId: idOf(other) }]);
    expect((await statusOf(0)).status).toBe(404);
  });

  test("every shop sees the place of the cabinet's courier, and only the order's own shop sees the order", async () => {
    await orderIn(one, 8);
    const point = { longitude: "37.6", latitude: "55.7" };
    await courier.post("/locations", [
      { ...point, createdAt: "2026-11-20 14:05:00" },
      { ...point, createdAt: "2026-11-20 14:06:00", orderId: 8 },
    ]);
    expect(await listed(one, "/locations")).toMatchObject([{ orderId: null }, { orderId: 8 }]);
    expect(await listed(other, "/locations")).toMatchObject([{ orderId: null }]);
  });

  test("a cabinet's courier has the cabinet's permissions, except in a shop that sets its own", async () => {
    const forbidden = async (resource: object = {}): Promise<readonly string[]> =>
      (await openSession(resource)).permissions.flatMap((right: { actionId: string; isAllowed: boolean }) =>
        right.isAllowed ? [] : [right.actionId],
      );
    expect(await forbidden()).toEqual([]);
    const own = [{ roleId: 2, actionId: "receipt.print", isAllowed: 0 }];
    expect((await one.post("/permissions/replace", own)).status).toBe(204);
    expect(await forbidden({ resourceId: idOf(one) })).toEqual(["receipt.print"]);
    expect(await forbidden({ resourceId: idOf(other) })).toEqual([]);
    const allowed = (await one.get("/permissions", { roleId: 2 })).body;
    expect(allowed).toMatchObject([{ isAllowed: "1", roleTitle: "Курьер" }, { isAllowed: "0" }]);
  });

  test("a shop with its own role does not get the cabinet's permissions for that role", async () => {
    await switchOff();
    await one.put("/userRoles", { title: "Своя" }, { query: { roleId: 2 } });
    expect((await one.get("/permissions")).body).toEqual([]);
    expect((await other.get("/permissions")).body).toHaveLength(2);
  });

  test("a cabinet's courier has one location a minute, whichever shops the reported points belong to", async () => {
    await orderIn(one, 8);
    await orderIn(other, 9);
    const point = { createdAt: "2026-11-20 14:05:00", longitude: "37.6", latitude: "55.7" };
    await courier.post("/locations", [{ ...point, orderId: 8 }]);
    await courier.post("/locations", [point, { ...point, orderId: 9 }]);
    const { store } = world.backend;
    expect(await store.db.selectFrom("delivery_locations").select("resource").execute()).toEqual([
      { resource: idOf(one) },
    ]);
  });

  const at = "2026-11-20 14:05:00";
  const logs: [path: string, readBy: string, entry: Record<string, unknown>][] = [
    ["/terminalLogs", "/bankTerminalLogs", { terminalLogId: 1, cardNumber: "1", transactionCreatedAt: at }],
    ["/registerLogs", "/fiscalRegistratorLogs", { frId: 1, commandExecutedAt: at }],
    [
      "/correctionReceipts",
      "/correctionReceipts",
      { correctionReceiptId: 1, serialNumber: "1", amount: 5, commandExecutedAt: at },
    ],
  ];

  test.each(logs)(
    "%s without an order belong to the shop that the courier names, and no other shop sees them",
    async (path, readBy, entry) => {
      const unnamed = await courier.post(path, [entry]);
      expect([unnamed.status, unnamed.body.message.split(": ")[0]]).toEqual([422, "[0].resourceId"]);
      expect((await courier.post(path, [{ ...entry, resourceId: idOf(one) }])).status).toBe(204);
      expect([(await listed(one, readBy)).length, await listed(other, readBy)]).toEqual([1, []]);
      expect((await courier.post(path, [{ ...entry, resourceId: 999 }])).status).toBe(422);
    },
  );

  test("a cabinet's courier cannot report to a shop that has its own courier with his id, and that shop does not see him", async () => {
    await courier.post("/locations", [{ createdAt: "2026-11-20 14:05:00", longitude: "37.6", latitude: "55.7" }]);
    await switchOff();
    await ownCourier(one);
    const entry = { frId: 1, commandExecutedAt: "2026-11-20 14:05:00", resourceId: idOf(one) };
    expect((await courier.post("/registerLogs", [entry])).status).toBe(422);
    expect([await listed(one, "/locations"), (await listed(other, "/locations")).length]).toEqual([[], 1]);
  });

  test("closing the session of a cabinet's courier ends the session for all shops, and each shop that asked is notified", async () => {
    const receivers = [await openReceiver(), await openReceiver()] as const;
    for (const [position, shop] of [one, other].entries())
      await shop.post("/licenses/callback", { url: receivers[position]?.url, isActive: 1 });
    for (const shop of [one, other])
      expect((await shop.get("/licenses")).body).toMatchObject({ licenseUse: 1, licenses: [{ deviceId: "a1" }] });
    expect((await one.post("/licenses/close", undefined, { query: { deviceId: "a1" } })).status).toBe(204);
    expect((await courier.get("/orders")).status).toBe(401);
    expect((await other.get("/licenses")).body).toMatchObject({ licenseUse: 0, licenses: [] });
    await waitFor("both shops are told", () => receivers.every(({ received }) => received.length > 0));
    expect(receivers.map(({ received }) => received.length)).toEqual([1, 1]);
    for (const receiver of receivers) receiver.close();
  });
});
