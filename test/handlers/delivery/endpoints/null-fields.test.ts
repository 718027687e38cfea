import { catalogRows } from "#handlers/delivery/catalog/catalog-table.js";
import { checkAnswersAgainstDocument, newOrder } from "../delivery-world.js";
import { describeOnBothStores, useWorld } from "../use-world.js";

checkAnswersAgainstDocument();

describeOnBothStores("null in requests", (newDatabase) => {
  const used = useWorld(newDatabase, "a shop for each test");
  const id = { query: { orderId: 1042 } };
  const shown = async (query: Record<string, string | number> = id.query) =>
    (await used.shop.get("/orders", query)).body;
  const put = (change: object) => used.shop.put("/orders", change, id);

  beforeEach(async () => {
    await used.shop.post("/suppliers", [{ supplierId: 4, title: "ООО Поставщик" }]);
    await used.shop.post("/userRoles", [{ roleId: 2, title: "Курьер" }]);
    await used.shop.post("/specificities", [{ specificityId: 3, parentId: null, title: "Упаковка", price: 0 }]);
    await used.shop.post("/clients", [{ clientId: 900, firstname: "Анна" }]);
  });

  test("an order that is sent back as the API showed it is accepted by PUT and replace, and changes nothing", async () => {
    await used.shop.post("/orders", [newOrder()]);
    const order = await shown();
    expect(order).toMatchObject({ codeAlias: null, clientId: null, prePaymentSum: null, addressToEntity: null });
    expect(order.goods[0]).toMatchObject({ vedCode: null, weight: null });
    expect(await put(order)).toMatchObject({ status: 201, body: order });
    expect(await used.shop.post("/orders/replace", [order])).toMatchObject({ status: 201, body: [order] });
    expect((await used.shop.get("/journal", { entityId: 1042, page: 1, count: 9 })).body).toHaveLength(1);
  });

  test("a refund order that is sent back as the API showed it is accepted by PUT, with its payments", async () => {
    await used.shop.post("/orders", [newOrder({ statusId: 1 })]);
    const payments = [{ paymentId: "p", paymentTypeId: 1, price: 501, paidIn: "2026-11-21 09:00:00" }];
    await used.shop.post("/orders", [newOrder({ statusId: 1, payments })], { query: { isRefund: 1 } });
    const query = { orderId: 1042, isRefund: 1 };
    const refund = await shown(query);
    expect(refund.payments).toMatchObject([{ cardMask: null, rrn: null, cardAuth: null }]);
    expect(await used.shop.put("/orders", refund, { query })).toMatchObject({ status: 201, body: refund });
  });

  test.each(catalogRows)("a record of /$kind is accepted as the API showed it, and nothing changes", async (row) => {
    const path = `/${row.kind}`;
    const [{ updatedAt: _time, ...record }] = (await used.shop.get(path)).body;
    const query = { [row.idField]: record[row.idField] };
    expect((await used.shop.put(path, record, { query })).status).toBe(204);
    expect((await used.shop.post(`${path}/replace`, [record])).status).toBe(204);
    expect((await used.shop.get(path, query)).body).toMatchObject(record);
  });

  test("null in an edit empties the fields of an order", async () => {
    const addressToEntity = { city: "Москва", street: "Ленина", home: "1", apartment: null, isUseExternalGeo: false };
    const filled = { codeAlias: "A-7", clientId: 900, phone: "+7916", description: "x", cash: 600, supplierId: 4 };
    await used.shop.post("/orders", [newOrder({ ...filled, prePaymentSum: 100, addressToEntity })]);
    const empty = Object.fromEntries(Object.keys(filled).map((name) => [name, null]));
    const nulls = { ...empty, prePaymentSum: null, addressToEntity: null, client: null };
    expect(await put(nulls)).toMatchObject({ status: 201, body: { ...nulls, addressTo: null } });
  });

  test("null in an edit empties the tax rate of a position without a good", async () => {
    const goods = (taxId: number | null) => [
      { goodId: null, description: "Доставка", taxId, count: 1, price: 501, total: 501, discountTotal: 0 },
    ];
    await used.shop.post("/orders", [newOrder({ goods: goods(1) })]);
    expect(await put({ goods: goods(null) })).toMatchObject({ status: 201, body: { goods: [{ taxId: null }] } });
    expect((await shown()).goods[0].taxId).toBeNull();
  });

  test("null in an edit empties the fields of a record, also within its address", async () => {
    const change = async (path: string, query: Record<string, number>, fields: object) => {
      expect((await used.shop.put(path, fields, { query })).status).toBe(204);
      return (await used.shop.get(path, query)).body;
    };
    const good = await change("/goods", { goodId: 501 }, { unit: null, calcId: null, warehouses: null });
    expect(good).toMatchObject({ unit: null, calcId: null, price: 250.5 });
    const addressEntity = { city: "Москва", postindex: null };
    const client = await change("/clients", { clientId: 900 }, { firstname: null, addressEntity });
    expect(client).toMatchObject({ firstname: null, addressEntity: { city: "Москва" } });
  });
});
