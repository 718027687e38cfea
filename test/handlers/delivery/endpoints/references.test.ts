import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import { type Api, checkAnswersAgainstDocument, newOrder, type Reply, type Shop } from "../delivery-world.js";
import { describeOnBothStores, filledShop, useWorld } from "../use-world.js";

checkAnswersAgainstDocument();

const item = { goodId: 501, count: 1, price: 1, total: 1, discountTotal: 0 };
const ofGoods = (changes: object) => ({ goods: [{ ...item, ...changes }] });

/** Every field of an order that names a record: its place, the record's kind, and an order with that id. */
const references: [place: string, kind: string, order: (id: number) => Record<string, unknown>][] = [
  ["courierId", "couriers", (courierId) => ({ courierId })],
  ["clientId", "clients", (clientId) => ({ clientId })],
  ["supplierId", "suppliers", (supplierId) => ({ supplierId })],
  ["returnReasonId", "orderReturnReasons", (returnReasonId) => ({ returnReasonId })],
  ["paymentId", "paymentTypes", (paymentId) => ({ paymentId })],
  ["goods[0].goodId", "goods", (goodId) => ofGoods({ goodId })],
  ["goods[0].taxId", "taxes", (taxId) => ofGoods({ taxId })],
  [
    "goods[0].warehouses[0].warehouseId",
    "warehouses",
    (warehouseId) => ofGoods({ warehouses: [{ warehouseId, count: 1 }] }),
  ],
  [
    "goods[0].specificities[0].specificityId",
    "specificities",
    (specificityId) => ofGoods({ specificities: [{ specificityId, price: 0, count: 1 }] }),
  ],
];

/** Fields of the catalog that name another record, and its kind. */
const catalogReferences: [kind: string, field: string, named: string, changes: (id: number) => object][] = [
  ["goods", "taxId", "taxes", (taxId) => ({ taxId })],
  ["goods", "parentId", "goods", (parentId) => ({ parentId })],
  ["goods", "warehouses[0].warehouseId", "warehouses", (id) => ({ warehouses: [{ warehouseId: `${id}`, count: 1 }] })],
  ["specificities", "parentId", "specificities", (parentId) => ({ parentId })],
  ["couriers", "roleId", "userRoles", (roleId) => ({ roleId })],
  ["suppliers", "taxId", "taxes", (taxId) => ({ taxId })],
];

const resources = catalogRows.map(({ kind, idField }) => [kind, idField] as const);
const asRefund = { query: { isRefund: 1 } };

/** `422 [1].orderId` */
function placeOf({ status, body }: Reply): string {
  return `${status} ${String(body?.message).split(": ")[0]}`;
}

describeOnBothStores("ids that are not to be used", (newDatabase) => {
  const used = useWorld(newDatabase, "a shop for each test");
  let other: Shop;

  beforeAll(async () => {
    other = await filledShop(used.world);
    for (const { kind } of catalogRows) expect(await addRecord(other, kind, 77)).toBe(201);
    await other.post("/orders", [newOrder({ orderId: 77 })]);
  });
  afterEach(async () => {
    // Nothing is stored in part, neither here nor in the other shop.
    for (const isRefund of [0, 1]) await used.shop.delete("/orders", { orderId: 2, isRefund });
    expect((await used.shop.get("/orders")).body).toEqual([]);
    expect((await other.get("/orders")).body).toMatchObject([{ orderId: 77, description: null, isEdited: false }]);
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

  /** Makes record 88 of the kind. The returned function deletes it. */
  async function addForgettable(kind: string): Promise<() => Promise<void>> {
    expect(await addRecord(used.shop, kind, 88)).toBe(201);
    return async () => expect((await used.shop.delete(`/${kind}`, { [rowOf(kind).idField]: 88 })).status).toBe(204);
  }

  async function refuses(order: Record<string, unknown>, place: string, word: string): Promise<void> {
    const reply = await used.shop.post("/orders", [newOrder({ orderId: 1 }), newOrder({ orderId: 2, ...order })]);
    expect(placeOf(reply)).toBe(`422 [1].${place}`);
    expect(reply.body.message).toContain(word);
  }

  test.each(references)("an order whose %s is unknown, deleted or another shop's gets 422", async (...row) => {
    const [place, kind, order] = row;
    await refuses(order(99), place, "does not exist");
    await refuses(order(77), place, "does not exist");
    await (await addForgettable(kind))();
    await refuses(order(88), place, "is deleted");
  });

  test("a refund with an unknown payment type gets 422 at that payment", async () => {
    const payments = [{ paymentId: "p", paymentTypeId: 99, price: 1, paidIn: "2026-11-20 10:00:00" }];
    await refuses({ isRefund: true, payments }, "payments[0].paymentTypeId", "does not exist");
  });

  test.each(catalogReferences)(
    "an unknown id in a record of /%s, %s, gets 422",
    async (kind, field, _named, changes) => {
      const row = rowOf(kind);
      const record = { ...row.example, [row.idField]: 600, ...changes(99) };
      expect(placeOf(await used.shop.post(`/${kind}`, [record]))).toBe(`422 [0].${field}`);
      expect((await used.shop.get(`/${kind}`, { [row.idField]: 600 })).status).toBe(404);
    },
  );

  test.each([...resources, ["orders", "orderId"] as const])(
    "/%s?%s gets 404 when no record has the id",
    async (kind, idField) => {
      const query = { [idField]: 99 };
      const change = kind === "orders" ? { description: "x" } : { title: "НДС 10%" };
      for (const { status, body } of [
        await used.shop.get(`/${kind}`, query),
        await used.shop.put(`/${kind}`, change, { query }),
        await used.shop.delete(`/${kind}`, query),
      ])
        expect([status, body.message]).toEqual([404, expect.stringContaining('"99" does not exist')]);
    },
  );

  test.each(["/orders/journalStatuses", "/orderReceipts", "/orderReturnReceipts"])(
    "%s with an unknown order gets 404",
    async (path) => {
      expect((await used.shop.get(path, { orderId: 99 })).status).toBe(404);
    },
  );

  test.each([
    ["/journal", "entityId"],
    ["/locations", "courierId"],
    ["/correctionReceipts", "courierId"],
    ["/bankTerminalLogs", "orderId"],
    ["/fiscalRegistratorLogs", "orderId"],
    ["/permissions", "roleId"],
  ])("%s with an unknown %s gives an empty list", async (path, name) => {
    expect(await used.shop.get(path, { [name]: 99, page: 1, count: 20 })).toMatchObject({ status: 200, body: [] });
  });

  test("an unknown device gets 404, and an unknown or repeated action gets 422 at its element", async () => {
    const { shop } = used;
    expect((await shop.post("/licenses/close", undefined, { query: { deviceId: "none" } })).status).toBe(404);
    await addRecord(shop, "userRoles", 2);
    const setting = { roleId: 2, actionId: "order.cancel", isAllowed: 1 };
    const replace = (second: object) => shop.post("/permissions/replace", [setting, { ...setting, ...second }]);
    expect(placeOf(await replace({ actionId: "none" }))).toBe("422 [1].actionId");
    expect(placeOf(await replace({ roleId: "2" }))).toBe("422 [1]");
    expect((await shop.get("/permissions")).body).toEqual([]);
  });

  describe("references that were deleted after they were named", () => {
    test.each(references)("an order that names the deleted %s may be changed", async (_place, kind, order) => {
      const forget = await addForgettable(kind);
      const known = newOrder({ orderId: 2, ...order(88) });
      expect((await used.shop.post("/orders", [known])).status).toBe(201);
      await forget();
      expect((await used.shop.put("/orders", { ...known, cash: 5 }, { query: { orderId: 2 } })).status).toBe(201);
      expect((await used.shop.post("/orders/replace", [{ ...known, cash: 6 }])).body[0]).toMatchObject({ cash: 6 });
      // A new order cannot name the deleted record. A refund order needs its own courier and reason.
      expect((await used.shop.post("/orders", [{ ...known, orderId: 3 }])).status).toBe(422);
      const refund = await used.shop.post("/orders", [{ ...known, payments: [] }], asRefund);
      const isOfJob = kind === "couriers" || kind === "orderReturnReasons";
      expect(placeOf(refund)).toBe(isOfJob ? `422 [0].${_place}` : "201 undefined");
    });

    test.each(catalogReferences)(
      "one of the %s that names the deleted %s may be changed",
      async (kind, _field, named, changes) => {
        const { idField } = rowOf(kind);
        const forget = await addForgettable(named);
        expect(await addRecord(used.shop, kind, 600, changes(88))).toBe(201);
        await forget();
        const query = { [idField]: 600 };
        expect((await used.shop.put(`/${kind}`, { title: "Другое" }, { query })).status).toBe(204);
        expect((await used.shop.post(`/${kind}/replace`, [{ ...query, ...changes(88) }])).status).toBe(204);
        expect(await addRecord(used.shop, kind, 601, changes(88))).toBe(422);
      },
    );
  });

  test.each(resources)("a shop can neither see nor change another shop's records of /%s", async (kind, idField) => {
    const query = { [idField]: 77 };
    const before = (await other.get(`/${kind}`, query)).body;
    const { shop } = used;
    const replies = [await shop.get(`/${kind}`, query), await shop.put(`/${kind}`, {}, { query })];
    expect([...replies, await shop.delete(`/${kind}`, query)].map(({ status }) => status)).toEqual([404, 404, 404]);
    // A replace request makes a record of the shop's own.
    expect((await shop.post(`/${kind}/replace`, [{ ...rowOf(kind).example, ...query }])).status).toBe(204);
    expect((await other.get(`/${kind}`, query)).body).toEqual(before);
  });

  test("a shop can neither see nor change another shop's orders", async () => {
    const { shop } = used;
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
    expect((await shop.post("/orders", [refund], asRefund)).status).toBe(422);
  });

  test.each([...resources, ["orders", "orderId"] as const])(
    "an array of /%s that has one id twice gets 422",
    async (kind, idField) => {
      for (const path of [`/${kind}`, `/${kind}/replace`]) {
        const one = { ...(kind === "orders" ? newOrder() : rowOf(kind).example), [idField]: 600 };
        const reply = await used.shop.post(path, [one, { ...one, [idField]: " 600" }]);
        expect(placeOf(reply)).toBe(`422 [1].${idField}`);
        expect((await used.shop.get(`/${kind}`, { [idField]: 600 })).status).toBe(404);
      }
    },
  );
});
