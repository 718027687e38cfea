/** What an answer shows can be sent back as it is: null is "not set", and empties a field. */
import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import {
  checkAnswersAgainstDocument,
  type DeliveryWorld,
  fillCatalog,
  newOrder,
  openWorld,
  type Shop,
} from "../delivery-world.js";
import { describeOnBothStores } from "../on-both-stores.js";

checkAnswersAgainstDocument();

describeOnBothStores("null in requests", (newDatabase) => {
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;

  beforeAll(async () => {
    database = await newDatabase();
    world = await openWorld(database);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });
  beforeEach(async () => {
    shop = await world.shop();
    await fillCatalog(shop);
    await shop.post("/suppliers", [{ supplierId: 4, title: "ООО Поставщик" }]);
    await shop.post("/userRoles", [{ roleId: 2, title: "Курьер" }]);
    await shop.post("/specificities", [{ specificityId: 3, parentId: null, title: "Упаковка", price: 0 }]);
    await shop.post("/clients", [{ clientId: 900, firstname: "Анна" }]);
  });

  const id = { query: { orderId: 1042 } };

  test("an order's own answer is taken back by PUT and by replace, and changes nothing", async () => {
    await shop.post("/orders", [newOrder()]);
    const { body: shown } = await shop.get("/orders", id.query);
    expect(shown).toMatchObject({ codeAlias: null, clientId: null, prePaymentSum: null, addressToEntity: null });
    expect(shown.goods[0]).toMatchObject({ vedCode: null, weight: null });
    expect(await shop.put("/orders", shown, id)).toMatchObject({ status: 201, body: shown });
    expect(await shop.post("/orders/replace", [shown])).toMatchObject({ status: 201, body: [shown] });
    const { body: journal } = await shop.get("/journal", {
      entityId: 1042,
      startedAt: "2020-01-01 00:00:00",
      page: 1,
      count: 9,
    });
    expect(journal).toHaveLength(1);
  });

  test("a refund's own answer too, with its payments", async () => {
    await shop.post("/orders", [newOrder({ statusId: 1 })]);
    const payments = [{ paymentId: "p", paymentTypeId: 1, price: 501, paidIn: "2026-11-21 09:00:00" }];
    await shop.post("/orders", [newOrder({ statusId: 1, payments })], { query: { isRefund: 1 } });
    const query = { orderId: 1042, isRefund: 1 };
    const { body: shown } = await shop.get("/orders", query);
    expect(shown.payments).toMatchObject([{ cardMask: null, rrn: null, cardAuth: null }]);
    expect(await shop.put("/orders", shown, { query })).toMatchObject({ status: 201, body: shown });
  });

  test.each(catalogRows.map((row) => [row.kind, row] as const))(
    "what /%s shows is taken back by PUT and by replace, and changes nothing",
    async (kind, { idField }) => {
      const path = `/${kind}`;
      const {
        body: [{ updatedAt: _time, ...shown }],
      } = await shop.get(path);
      const query = { [idField]: shown[idField] };
      expect((await shop.put(path, shown, { query })).status).toBe(204);
      expect((await shop.post(`${path}/replace`, [shown])).status).toBe(204);
      expect((await shop.get(path, query)).body).toMatchObject(shown);
    },
  );

  test("is 'not set' when an order is made", async () => {
    const { supplierId, codeAlias, ...rest } = newOrder({ supplierId: null, codeAlias: null });
    const nulls = { clientId: null, phone: null, cash: null, description: null, addressFromEntity: null };
    const made = await shop.post("/orders", [{ ...rest, supplierId, codeAlias, ...nulls }]);
    expect(made).toMatchObject({ status: 201, body: [{ codeAlias: null, ...nulls }] });
    // A position without its own rate has that of its good.
    expect(made.body[0].goods[0].taxId).toBe(1);
  });

  test("empties the fields of an order", async () => {
    const addressToEntity = { city: "Москва", street: "Ленина", home: "1", apartment: null, isUseExternalGeo: false };
    const filled = { codeAlias: "A-7", clientId: 900, phone: "+7916", description: "x", cash: 600, supplierId: 4 };
    await shop.post("/orders", [newOrder({ ...filled, prePaymentSum: 100, addressToEntity })]);
    const empty = Object.fromEntries(Object.keys(filled).map((name) => [name, null]));
    const nulls = { ...empty, prePaymentSum: null, addressToEntity: null, client: null };
    const { status, body } = await shop.put("/orders", nulls, id);
    expect([status, body]).toEqual([201, expect.objectContaining({ ...nulls, addressTo: null })]);
  });

  test("empties the rate of a position that has no good", async () => {
    const goods = (taxId: number | null) => [
      { goodId: null, description: "Доставка", taxId, count: 1, price: 501, total: 501, discountTotal: 0 },
    ];
    await shop.post("/orders", [newOrder({ goods: goods(1) })]);
    const { status, body } = await shop.put("/orders", { goods: goods(null) }, id);
    expect([status, body.goods[0].taxId]).toEqual([201, null]);
    expect((await shop.get("/orders", id.query)).body.goods[0].taxId).toBeNull();
  });

  test("of multipleUpdate takes the courier and the line of the address away", async () => {
    await shop.post("/orders", [newOrder()]);
    const update = (attributes: object) => shop.put("/orders/multipleUpdate", { orderIds: [1042], attributes });
    expect((await update({ addressTo: "Москва, Ленина, 1" })).status).toBe(204);
    const { body: shown } = await shop.get("/orders", id.query);
    // The line came alone: its empty entity, sent back, does not take it away.
    expect((await shop.put("/orders", shown, id)).body.addressTo).toBe("Москва, Ленина, 1");
    expect((await update({ addressTo: null, courierId: null })).status).toBe(204);
    expect((await shop.get("/orders", id.query)).body).toMatchObject({ addressTo: null, courierId: null });
  });

  test("empties the fields of a record, also within its address", async () => {
    const query = { goodId: 501 };
    expect((await shop.put("/goods", { unit: null, calcId: null, warehouses: null }, { query })).status).toBe(204);
    expect((await shop.get("/goods", query)).body).toMatchObject({ unit: null, calcId: null, price: 250.5 });
    const addressEntity = { city: "Москва", postindex: null };
    await shop.put("/clients", { firstname: null, addressEntity }, { query: { clientId: 900 } });
    const { body } = await shop.get("/clients", { clientId: 900 });
    expect(body).toMatchObject({ firstname: null, addressEntity: { city: "Москва" } });
  });

  test.each([
    ["/goods", "goodId", 501, ["goodId", "taxId", "title", "price", "isActive"]],
    ["/orders", "orderId", 1042, ["orderId", "statusId", "paymentId", "amountToPay", "goods", "isAgreed"]],
  ])("is refused for what %s always has", async (path, idField, value, fields) => {
    await shop.post("/orders", [newOrder()]);
    for (const field of fields) {
      const { status, body } = await shop.put(path, { [field]: null }, { query: { [idField]: value } });
      expect([status, body.message]).toEqual([422, expect.stringMatching(`^${field}`)]);
    }
  });
});
