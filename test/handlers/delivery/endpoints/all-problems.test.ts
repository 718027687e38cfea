/** One answer names all that is wrong with a body, in words; a filter that would be ignored is refused. */
import type { TestDatabase } from "../../../support/site-databases.js";
import { type DeliveryWorld, fillCatalog, newOrder, openWorld, type Reply, type Shop } from "../delivery-world.js";
import { describeOnBothStores } from "../on-both-stores.js";

const position = { goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: 0 };

function problemsOf({ status, body }: Reply): readonly string[] {
  expect(status).toBe(422);
  return body.message.split("\n");
}

describeOnBothStores("what is wrong with a request", (newDatabase) => {
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;

  beforeAll(async () => {
    database = await newDatabase();
    world = await openWorld(database);
    shop = await world.shop();
    await fillCatalog(shop);
    expect((await shop.post("/orders", [newOrder()])).status).toBe(201);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  test("wrong fields are all named, one a line, in words", async () => {
    const { orderId: _, deliveryTimeTo: __, ...order } = newOrder();
    const wrong = {
      ...order,
      order_id: 1,
      statusId: 7,
      isAgreed: "yes",
      phone: 7,
      addressToEntity: { city: "", street: null, home: "1", isUseExternalGeo: 1 },
      goods: [{ ...position, count: "two", total: [], unit: 5 }],
      payments: {},
    };
    expect(problemsOf(await shop.post("/orders", [newOrder({ orderId: 2 }), wrong]))).toEqual([
      "[1].orderId: is required, and is not written as order_id",
      "[1].statusId: must be an id of /dictionary/orderStatuses: 0, 1",
      "[1].isAgreed: must be true or false, not a string",
      "[1].addressToEntity.city: must not be empty",
      "[1].addressToEntity.street: must be a string, not null",
      "[1].addressToEntity.isUseExternalGeo: must be a string or true or false",
      "[1].phone: must be a string, not a number",
      "[1].deliveryTimeTo: is required",
      "[1].goods[0].count: must be a quantity with at most six decimals",
      "[1].goods[0].total: must be a sum in roubles with at most two decimals, such as 250.50",
      "[1].goods[0].unit: must be a string, not a number",
      "[1].payments: must be an array, not an object",
    ]);
  });

  test("refund orders of no known sale are all named, twenty of them, and how many more there are", async () => {
    const refunds = Array.from({ length: 23 }, (_, number) => newOrder({ orderId: `R-${number}`, isRefund: true }));
    const problems = problemsOf(await shop.post("/orders", refunds, { query: { isRefund: 1 } }));
    expect(problems).toHaveLength(21);
    expect(problems[1]).toMatch(
      /^\[1\]\.orderId: is a refund of no known sale, by its id or by its payments: name in /,
    );
    expect(problems.at(-1)).toBe("and 3 more");
  });

  test("known ids, repeated ids, unknown records and broken rules are all named", async () => {
    const orders = [
      newOrder(),
      newOrder({
        orderId: 3,
        courierId: 99,
        goods: [
          { ...position, total: 1 },
          { ...position, goodId: "none" },
        ],
      }),
      newOrder({ orderId: 3, isInternetPayment: 1, prePaymentSum: 900 }),
    ];
    expect(problemsOf(await shop.post("/orders", orders))).toEqual([
      "[2].orderId: repeats the id of element [1]",
      '[0].orderId: "1042" exists already: /replace changes it, and brings it back if it was deleted',
      '[1].courierId: "99" does not exist in couriers',
      '[1].goods[1].goodId: "none" does not exist in goods',
      "[1].goods[0].total: must be price x count, 501.00",
      "[2].internetPaymentUrl: must be filled when isInternetPayment is 1",
      "[2].prePaymentSum: must be between 0 and the order's total",
    ]);
  });

  test("an edit, a replacement and a catalog's array name all of theirs", async () => {
    const edit = { orderId: 5, courierId: 99, prePaymentSum: 900 };
    expect(problemsOf(await shop.put("/orders", edit, { query: { orderId: 1042 } }))).toEqual([
      "orderId: cannot be changed",
      'courierId: "99" does not exist in couriers',
      "prePaymentSum: must be between 0 and the order's total",
    ]);
    const replaced = await shop.post("/orders/replace", [
      { orderId: 1042, supplierId: 4 },
      { orderId: 8, statusId: 0 },
    ]);
    expect(problemsOf(replaced)).toEqual([
      "[1].deliveryStatusId: is required",
      "[1].courierId: is required",
      "[1].paymentId: is required",
      "[1].amountToPay: is required",
      "[1].deliveryTimeFrom: is required",
      "[1].deliveryTimeTo: is required",
      '[0].supplierId: "4" does not exist in suppliers',
    ]);
    const taxes = [
      { taxId: 1, title: "НДС 22%" },
      { taxId: "x", title: "much" },
      { taxId: "y", title: "much" },
    ];
    expect(problemsOf(await shop.post("/taxes", taxes))).toEqual([
      '[0].taxId: "1" exists already: /replace changes it, and brings it back if it was deleted',
      expect.stringMatching(/^\[1\]\.title: names no rate/),
      expect.stringMatching(/^\[2\]\.title: names no rate/),
    ]);
  });

  test("what is asked in a wrong way is answered with the right one", async () => {
    const said = async (reply: Promise<Reply>) => {
      const { status, body } = await reply;
      return `${status} ${body.message}`;
    };
    expect([
      await said(shop.post("/taxes", { taxId: 3, title: "НДС 22%" })),
      await said(shop.put("/orders/multipleUpdate", { orderIds: [1042], attributes: { phone: "1" } })),
      await said(world.api(null).get("/orders")),
      await said(world.api("unknown").get("/orders")),
    ]).toEqual([
      "400 body: must be an array, also for one object",
      "422 attributes.phone: is none of statusId,deliveryStatusId,returnReasonId,courierId,addressTo,deliveryTimeFrom,deliveryTimeTo",
      "401 Authorization: must be: Bearer TOKEN",
      "401 The access token is missing or not valid.",
    ]);
    const headers = { authorization: `Bearer ${shop.access.token}` };
    const wrongMethod = await fetch(`${world.origin}/v1/goods`, { method: "PATCH", headers });
    expect(await wrongMethod.json()).toEqual({
      error: true,
      message: "/goods takes GET, POST, PUT, DELETE and not PATCH.",
    });
    const wrongPath = await fetch(`${world.origin}/v1/order`, { headers });
    expect(await wrongPath.json()).toEqual({
      error: true,
      message: "There is no address /order; /orders is near it.",
    });
  });

  test.each([
    ["a filter of one order without the order", "/orders?isRefund=1", "isRefund: needs orderId beside it"],
    ["a list of ids", "/orders?orderId[]=1042", "orderId[]: is not a parameter of this address"],
    ["a parameter twice", "/orders?orderId=1&orderId=1042", "orderId: is given more than once"],
    [
      "a misspelt parameter",
      "/goods?goodid=501",
      "goodid: is not a parameter of this address; it has goodId, page, count",
    ],
    ["one order of a period", "/orders?orderId=1042&journalParams=deliveryStatusId%3D3", "orderId: is of one order"],
    [
      "a period that ends before it starts",
      "/orders?journalStartAt=2026-11-21 00:00:00&journalFinishAt=2026-11-20 00:00:00&journalParams=deliveryStatusId%3D3",
      "journalFinishAt: is before journalStartAt",
    ],
    [
      "a parameter where there is none",
      "/dictionary/closeTypes?closeTypeId=1",
      "closeTypeId: is not a parameter of this address; it has none",
    ],
  ])("%s is 400", async (_title, path, message) => {
    const { status, body } = await shop.get(path);
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test("paging that an address has no use for is no mistake", async () => {
    expect((await shop.get("/dictionary/closeTypes?page=1&count=20")).status).toBe(200);
  });

  test("a delivery window that ends before it starts is 422 wherever it comes from", async () => {
    const early = "2026-11-21 08:59:59";
    const problem = "deliveryTimeTo: is before deliveryTimeFrom, 2026-11-21 09:00:00";
    expect(problemsOf(await shop.post("/orders", [newOrder({ orderId: 9, deliveryTimeTo: early })]))).toEqual([
      `[0].${problem}`,
    ]);
    expect(problemsOf(await shop.put("/orders", { deliveryTimeTo: early }, { query: { orderId: 1042 } }))).toEqual([
      problem,
    ]);
    const many = { orderIds: [1042], attributes: { deliveryTimeTo: early } };
    expect(problemsOf(await shop.put("/orders/multipleUpdate", many))).toEqual([
      `orderIds[0]: order "1042": attributes.${problem}`,
    ]);
  });

  test("a fresh shop's courier is told how licences are made", async () => {
    const login = { resourceId: shop.access.resource.id, courierId: 7, password: "letmein-2026" };
    const reply = await world.api(null, "/courier/v1").post("/sessions", { ...login, deviceId: "d", deviceTitle: "t" });
    expect(reply).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("`fiscald-site licenses set N`") },
    });
  });
});
