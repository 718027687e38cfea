import { createTestLogger } from "../../../support/test-logger.js";
import { type DeliveryWorld, fillCatalog, logIn, newOrder } from "../delivery-world.js";
import { describeOnBothStores, useOwnWorlds } from "../use-world.js";

describeOnBothStores("fields that no request has", (newDatabase) => {
  const openOwn = useOwnWorlds(newDatabase);
  const logged: string[] = [];
  let world: DeliveryWorld;

  beforeEach(async () => {
    logged.length = 0;
    world = await openOwn({ delivery: { logger: createTestLogger((line) => logged.push(line)) } });
  });

  const item = { goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: 0 };

  test("an unknown field is logged once for each token and field, with the nearest known name", async () => {
    const shop = await world.shop("one");
    await fillCatalog(shop);
    const odd = {
      phoneNumber: "+79990000000",
      goods: [
        { ...item, discountTotl: 1 },
        { ...item, discountTotl: 1 },
      ],
    };
    const order = newOrder({ ...odd, amountToPay: 1002 });
    expect((await shop.post("/orders", [order, { ...order, orderId: 2 }])).status).toBe(201);
    expect((await shop.put("/orders", odd, { query: { orderId: 2 } })).status).toBe(201);
    const texts = logged.map((line) => line.replace(/ \{.*/, ""));
    expect(texts).toEqual([
      'field "goods[].discountTotl" of a request is not known and was not read; "discountTotal" is near it',
      'field "phoneNumber" of a request is not known and was not read',
    ]);
    expect(logged[1]).toContain('{"resource":1,"token":"one","request":"POST /orders"}');
    const other = await world.shop("other");
    await other.post("/orders", [{ phoneNumber: "1" }]);
    expect(logged).toHaveLength(3);
  });

  test("the log line of each warning names its order, in a batch, an edit and a courier's report", async () => {
    const shop = await world.shop();
    await fillCatalog(shop);
    await shop.post("/orders", [newOrder(), newOrder({ orderId: "A-2", phone: "nobody" })]);
    await shop.put("/orders", { phone: "no one" }, { query: { orderId: 1042 } });
    const courier = await logIn(world, shop);
    const payment = { paymentId: "p", paymentTypeId: 1, price: 999, paidIn: "2026-11-20 14:05:00" };
    await courier.post("/orders/payments", { orderId: 1042, payments: [payment] });
    const warnings = logged.filter((line) => line.includes(" of a request "));
    const named = warnings.map((line) => [line.replace(/ .*/, ""), /"orderId":[^,}]*/.exec(line)?.[0]]);
    expect(named).toEqual([
      ["[1].phone", '"orderId":"A-2"'],
      ["phone", '"orderId":"1042"'],
      ["payments", '"orderId":"1042"'],
    ]);
  });

  test("an unknown field in a list that is written as an object is named at its place in the list", async () => {
    const shop = await world.shop();
    await fillCatalog(shop);
    const { body } = await shop.post("/orders", [newOrder({ goods: { "3": { ...item, discountTotl: 1 } } })]);
    const message = 'is not known and was not read; "discountTotal" is near it';
    expect(body[0].warnings).toEqual([{ path: "goods[0].discountTotl", message }]);
  });

  test("fields that only answers have are no mistake in a request, so that a record can be sent back as it was read", async () => {
    const shop = await world.shop();
    await fillCatalog(shop);
    await shop.post("/orders", [newOrder()]);
    const order = (await shop.get("/orders", { orderId: 1042 })).body;
    expect((await shop.put("/orders", order, { query: { orderId: 1042 } })).status).toBe(201);
    const courier = (await shop.get("/couriers", { courierId: 7 })).body;
    expect((await shop.put("/couriers", courier, { query: { courierId: 7 } })).status).toBe(204);
    expect(logged).toEqual([]);
  });

  test("an unknown field of a courier's request is also logged, and its name cannot break the log", async () => {
    const shop = await world.shop();
    await fillCatalog(shop);
    await shop.post("/orders", [newOrder()]);
    const courier = await logIn(world, shop);
    const status = { orderId: 1042, deliveryStatusId: 2, ["evil\n\u202e"]: 1 };
    for (const _time of [1, 2]) expect((await courier.post("/orders/status", status)).status).toBe(201);
    expect(logged).toEqual([expect.stringMatching(/^field "evil\?\?" of a request/)]);
  });
});
