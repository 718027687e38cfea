/** Ids of nothing, of something deleted, of another shop, and twice in one array: the right code at the right place. */
import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import {
  type Api,
  checkAnswersAgainstDocument,
  type DeliveryWorld,
  fillCatalog,
  newOrder,
  openWorld,
  type Shop,
} from "../delivery-world.js";
import { describeOnBothStores } from "../on-both-stores.js";

checkAnswersAgainstDocument();

const item = { goodId: 501, count: 1, price: 1, total: 1, discountTotal: 0 };

/** Every field of an order that names a record: where it stands, the record's kind, and an order with that id. */
const references: [place: string, kind: string, order: (id: number) => Record<string, unknown>][] = [
  ["courierId", "couriers", (courierId) => ({ courierId })],
  ["clientId", "clients", (clientId) => ({ clientId })],
  ["supplierId", "suppliers", (supplierId) => ({ supplierId })],
  ["returnReasonId", "orderReturnReasons", (returnReasonId) => ({ returnReasonId })],
  ["paymentId", "paymentTypes", (paymentId) => ({ paymentId })],
  ["goods[0].goodId", "goods", (goodId) => ({ goods: [{ ...item, goodId }] })],
  ["goods[0].taxId", "taxes", (taxId) => ({ goods: [{ ...item, taxId }] })],
  [
    "goods[0].warehouses[0].warehouseId",
    "warehouses",
    (warehouseId) => ({ goods: [{ ...item, warehouses: [{ warehouseId, count: 1 }] }] }),
  ],
  [
    "goods[0].specificities[0].specificityId",
    "specificities",
    (specificityId) => ({ goods: [{ ...item, specificities: [{ specificityId, price: 0, count: 1 }] }] }),
  ],
];

/** Fields of the catalog that name another record. */
const catalogReferences: [kind: string, field: string, changes: Record<string, unknown>][] = [
  ["goods", "taxId", { taxId: 77 }],
  ["goods", "parentId", { parentId: 77 }],
  ["goods", "warehouses[0].warehouseId", { warehouses: [{ warehouseId: "77", count: 1 }] }],
  ["specificities", "parentId", { parentId: 77 }],
  ["couriers", "roleId", { roleId: 77 }],
  ["suppliers", "taxId", { taxId: 77 }],
];

describeOnBothStores("ids that are not to be used", (newDatabase) => {
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;
  let other: Shop;

  beforeAll(async () => {
    database = await newDatabase();
    world = await openWorld(database);
    other = await world.shop("foreign");
    await fillCatalog(other);
    for (const { kind } of catalogRows) expect(await addRecord(other, kind, 77)).toBe(201);
    await other.post("/orders", [newOrder({ orderId: 77 })]);
  });
  beforeEach(async () => {
    shop = await world.shop(`shop ${Math.random()}`);
    await fillCatalog(shop);
  });
  afterEach(async () => {
    // Nothing half-written: neither here nor in the other shop.
    expect((await shop.get("/orders")).body).toEqual([]);
    expect((await other.get("/orders")).body).toMatchObject([{ orderId: 77, description: null, isEdited: false }]);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  function rowOf(kind: string) {
    const row = catalogRows.find((known) => known.kind === kind);
    if (row === undefined) throw new Error(`there is no ${kind}`);
    return row;
  }

  async function addRecord(api: Api, kind: string, id: number, changes: object = {}): Promise<number> {
    const row = rowOf(kind);
    return (await api.post(`/${kind}`, [{ ...row.example, [row.idField]: id, ...changes }])).status;
  }

  async function refuses(order: Record<string, unknown>, place: string, word: string): Promise<void> {
    const { status, body } = await shop.post("/orders", [newOrder({ orderId: 1 }), newOrder({ orderId: 2, ...order })]);
    expect({ status, place: body.message.split(": ")[0] }).toEqual({ status: 422, place: `[1].${place}` });
    expect(body.message).toContain(word);
  }

  describe("unknown ids", () => {
    test.each(references)("%s is 422 at its place", (place, _kind, order) =>
      refuses(order(99), place, "does not exist"),
    );

    test("payments[0].paymentTypeId is 422 at its place", async () => {
      const payments = [{ paymentId: "p", paymentTypeId: 99, price: 1, paidIn: "2026-11-20 10:00:00" }];
      await refuses({ isRefund: true, payments }, "payments[0].paymentTypeId", "does not exist");
    });

    test.each(catalogReferences)("/%s %s is 422 at its place", async (kind, field, changes) => {
      const row = rowOf(kind);
      const { status, body } = await shop.post(`/${kind}`, [{ ...row.example, [row.idField]: 600, ...changes }]);
      expect([status, body.message.split(": ")[0]]).toEqual([422, `[0].${field}`]);
      expect((await shop.get(`/${kind}`, { [row.idField]: 600 })).status).toBe(404);
    });

    test.each([...catalogRows.map(({ kind, idField }) => [kind, idField]), ["orders", "orderId"]])(
      "/%s?%s is 404 to read, change and delete",
      async (kind, idField) => {
        const query = { [idField]: 99 };
        const change = kind === "orders" ? { description: "x" } : { title: "НДС 10%" };
        const replies = [
          await shop.get(`/${kind}`, query),
          await shop.put(`/${kind}`, change, { query }),
          await shop.delete(`/${kind}`, query),
        ];
        expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
        for (const { body } of replies) expect(body.message).toContain('"99" does not exist');
      },
    );

    test.each(["/orders/journalStatuses", "/orderReceipts", "/orderReturnReceipts"])("%s is 404", async (path) => {
      expect((await shop.get(path, { orderId: 99 })).status).toBe(404);
    });

    test.each([
      ["/journal", "entityId"],
      ["/locations", "courierId"],
      ["/correctionReceipts", "courierId"],
      ["/bankTerminalLogs", "orderId"],
      ["/fiscalRegistratorLogs", "orderId"],
      ["/permissions", "roleId"],
    ])("%s of an unknown %s is an empty list", async (path, name) => {
      const paging = path === "/permissions" ? {} : { page: 1, count: 20 };
      expect(await shop.get(path, { [name]: 99, ...paging })).toMatchObject({ status: 200, body: [] });
    });

    test("a device and an action are named too", async () => {
      expect((await shop.post("/licenses/close", undefined, { query: { deviceId: "none" } })).status).toBe(404);
      await addRecord(shop, "userRoles", 2);
      const settings = [
        { roleId: 2, actionId: "order.cancel", isAllowed: 1 },
        { roleId: 2, actionId: "none", isAllowed: 1 },
      ];
      const { status, body } = await shop.post("/permissions/replace", settings);
      expect([status, body.message.split(": ")[0]]).toEqual([422, "[1].actionId"]);
      expect((await shop.get("/permissions")).body).toEqual([]);
    });
  });

  describe("deleted references", () => {
    test.each(references)("%s is 422 at its place", async (place, kind, order) => {
      const row = rowOf(kind);
      expect(await addRecord(shop, kind, 88)).toBe(201);
      expect((await shop.delete(`/${kind}`, { [row.idField]: 88 })).status).toBe(204);
      await refuses(order(88), place, "is deleted");
    });
  });

  describe("references that were deleted after they were named", () => {
    afterEach(async () => {
      for (const isRefund of [0, 1]) await shop.delete("/orders", { orderId: 2, isRefund });
    });

    /** A fresh record 88 of the kind, deleted by `forget`. */
    async function addForgettable(kind: string): Promise<() => Promise<void>> {
      expect(await addRecord(shop, kind, 88)).toBe(201);
      return async () => expect((await shop.delete(`/${kind}`, { [rowOf(kind).idField]: 88 })).status).toBe(204);
    }

    test.each(references)("an order that names %s is changed and sent again as it is", async (_place, kind, order) => {
      const forget = await addForgettable(kind);
      const known = newOrder({ orderId: 2, ...order(88) });
      expect((await shop.post("/orders", [known])).status).toBe(201);
      await forget();
      const query = { orderId: 2 };
      expect((await shop.put("/orders", { ...known, cash: 5 }, { query })).status).toBe(201);
      expect((await shop.post("/orders/replace", [{ ...known, cash: 6 }])).body[0]).toMatchObject({ cash: 6 });
      // Another order cannot name it, nor can this one where it did not.
      expect((await shop.post("/orders", [{ ...known, orderId: 3 }])).status).toBe(422);
    });

    const ofSale = references.filter(([place]) => place !== "courierId" && place !== "returnReasonId");
    test.each(ofSale)("a sale that names %s is given back", async (_place, kind, order) => {
      const forget = await addForgettable(kind);
      const known = newOrder({ orderId: 2, ...order(88) });
      await shop.post("/orders", [known]);
      await forget();
      const { status, body } = await shop.post("/orders", [{ ...known, payments: [] }], { query: { isRefund: 1 } });
      expect([status, body.message]).toEqual([201, undefined]);
    });

    test.each([
      ["couriers", "courierId"],
      ["orderReturnReasons", "returnReasonId"],
    ])("a new refund order needs one of the %s that is there", async (kind, field) => {
      const forget = await addForgettable(kind);
      await shop.post("/orders", [newOrder({ orderId: 2 })]);
      await forget();
      const refund = newOrder({ orderId: 2, payments: [], [field]: 88 });
      const { body } = await shop.post("/orders", [refund], { query: { isRefund: 1 } });
      expect(body.message).toBe(`[0].${field}: "88" is deleted in ${kind}`);
    });

    test.each(catalogReferences)("one of the %s that names %s is changed", async (kind, field, changes) => {
      const { idField, references: named = {} } = rowOf(kind);
      const forget = await addForgettable(
        Object.entries(named).find(([path]) => path.startsWith(field.split("[")[0] ?? ""))?.[1] ?? "",
      );
      const reference = JSON.parse(JSON.stringify(changes).replace("77", "88"));
      expect(await addRecord(shop, kind, 600, reference)).toBe(201);
      await forget();
      const title = { title: "Другое" };
      expect((await shop.put(`/${kind}`, title, { query: { [idField]: 600 } })).status).toBe(204);
      expect((await shop.post(`/${kind}/replace`, [{ [idField]: 600, ...reference }])).status).toBe(204);
      expect(await addRecord(shop, kind, 601, reference)).toBe(422);
    });
  });

  describe("other shop's ids", () => {
    test.each(references)("%s is as unknown as any", (place, _kind, order) =>
      refuses(order(77), place, "does not exist"),
    );

    test.each(catalogRows.map(({ kind, idField }) => [kind, idField] as const))(
      "/%s are neither seen nor changed",
      async (kind, idField) => {
        const query = { [idField]: 77 };
        const before = (await other.get(`/${kind}`, query)).body;
        expect((await shop.get(`/${kind}`, query)).status).toBe(404);
        expect((await shop.put(`/${kind}`, {}, { query })).status).toBe(404);
        expect((await shop.delete(`/${kind}`, query)).status).toBe(404);
        // A replace makes the shop's own one.
        expect((await shop.post(`/${kind}/replace`, [{ ...rowOf(kind).example, [idField]: 77 }])).status).toBe(204);
        expect((await other.get(`/${kind}`, query)).body).toEqual(before);
      },
    );

    test("orders are neither seen nor changed", async () => {
      const query = { orderId: 77 };
      const replies = [
        await shop.get("/orders", query),
        await shop.put("/orders", { description: "x" }, { query }),
        await shop.delete("/orders", query),
        await shop.put("/orders/multipleUpdate", { orderIds: [77], attributes: { statusId: 1 } }),
        await shop.get("/orders/journalStatuses", query),
      ];
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
      expect((await shop.get("/journal", { entityId: 77, page: 1, count: 9 })).body).toEqual([]);
      const refund = newOrder({ orderId: 77, isRefund: true, payments: [] });
      expect((await shop.post("/orders", [refund], { query: { isRefund: 1 } })).status).toBe(422);
    });
  });

  describe("duplicate ids in one array", () => {
    test.each(["/orders", "/orders/replace"])("POST %s is 422, 7 and its text being one id", async (path) => {
      const { status, body } = await shop.post(path, [newOrder({ orderId: 7 }), newOrder({ orderId: " 7" })]);
      expect([status, body.message.split(": ")[0]]).toEqual([422, "[1].orderId"]);
    });

    test.each(catalogRows.map(({ kind, idField }) => [kind, idField] as const))(
      "POST /%s and its replace are 422",
      async (kind, idField) => {
        for (const path of [`/${kind}`, `/${kind}/replace`]) {
          const one = { ...rowOf(kind).example, [idField]: 600 };
          const { status, body } = await shop.post(path, [one, { ...one, [idField]: "600" }]);
          expect([status, body.message.split(": ")[0]]).toEqual([422, `[1].${idField}`]);
          expect((await shop.get(`/${kind}`, { [idField]: 600 })).status).toBe(404);
        }
      },
    );

    test("POST /permissions/replace is 422", async () => {
      await addRecord(shop, "userRoles", 2);
      const setting = { roleId: 2, actionId: "order.cancel", isAllowed: 1 };
      const { status, body } = await shop.post("/permissions/replace", [setting, { ...setting, roleId: "2" }]);
      expect([status, body.message.split(": ")[0]]).toEqual([422, "[1]"]);
    });
  });
});
