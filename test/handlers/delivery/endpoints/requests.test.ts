import { createServer } from "node:http";
import express, { type Express } from "express";
import { createDeliveryRouter, mountDelivery } from "#handlers/delivery/mount-delivery.js";
import { checkAnswersAgainstDocument, fetchChecked, listen, newOrder, type Reply } from "../delivery-world.js";
import { describeOnBothStores, filledShop, useWorld } from "../use-world.js";

checkAnswersAgainstDocument();
const position = { goodId: 501, count: 2, price: 250.5, total: 501, discountTotal: 0 };
const byId = { query: { orderId: 1042 } };

function problemsOf({ status, body }: Reply): readonly string[] {
  expect(status).toBe(422);
  return body.message.split("\n");
}

/** `400 body: must be an array` */
async function said(reply: Promise<Reply>): Promise<string> {
  const { status, body } = await reply;
  return `${status} ${body.message}`;
}

describeOnBothStores("what is wrong with a request", (newDatabase) => {
  const used = useWorld(newDatabase, "one shop");

  beforeAll(async () => {
    expect((await used.shop.post("/orders", [newOrder()])).status).toBe(201);
  });
  afterEach(async () => {
    expect((await used.shop.get("/orders")).body).toMatchObject([{ orderId: 1042, isEdited: false, cash: null }]);
  });

  test("all wrong fields of a request are named in words, one on each line", async () => {
    const { orderId: _, deliveryTimeTo: __, ...order } = newOrder();
    const wrong = {
      ...order,
      order_id: 1,
      statusId: 7,
      isAgreed: "yes",
      phone: [7],
      addressToEntity: { city: "", street: {}, home: "", isUseExternalGeo: [] },
      goods: [{ ...position, count: "two", total: [], unit: {} }],
      payments: {},
    };
    expect(problemsOf(await used.shop.post("/orders", [newOrder({ orderId: 2 }), wrong]))).toEqual([
      "[1].orderId: is required, and is not written as order_id",
      "[1].statusId: must be an id of /dictionary/orderStatuses: 0, 1",
      "[1].isAgreed: must be 1 or 0",
      "[1].addressToEntity.street: must be a string, not an object",
      "[1].addressToEntity.home: must not be empty",
      "[1].addressToEntity.isUseExternalGeo: must be a string or true or false",
      "[1].phone: must be a string, not an array",
      "[1].deliveryTimeTo: is required",
      "[1].goods[0].count: must be a quantity with at most six decimals",
      "[1].goods[0].total: must be a sum in roubles with at most two decimals, such as 250.50",
      "[1].goods[0].unit: must be a string, not an object",
      "[1].payments: must be an array, not an object",
    ]);
  });

  test("a refusal names twenty refund orders without a known sale and counts the others", async () => {
    const refunds = Array.from({ length: 23 }, (_, number) => newOrder({ orderId: `R-${number}`, isRefund: true }));
    const problems = problemsOf(await used.shop.post("/orders", refunds, { query: { isRefund: 1 } }));
    expect(problems).toHaveLength(21);
    expect(problems[1]).toMatch(
      /^\[1\]\.orderId: is a refund of no known sale, by its id or by its payments: name the sale in returnedOrderId$/,
    );
    expect(problems.at(-1)).toBe("and 3 more");
  });

  test("known ids, repeated ids, unknown records and broken rules of one request are all named", async () => {
    const goods = [
      { ...position, total: 1 },
      { ...position, goodId: "none" },
    ];
    const orders = [
      newOrder(),
      newOrder({ orderId: 3, courierId: 99, goods }),
      newOrder({ orderId: 3, isInternetPayment: 1, internetPaymentUrl: "  ", prePaymentSum: 501.01 }),
    ];
    expect(problemsOf(await used.shop.post("/orders", orders))).toEqual([
      "[2].orderId: repeats the id of element [1]",
      '[0].orderId: "1042" exists already: /replace changes it, and brings it back if it was deleted',
      '[1].courierId: "99" does not exist in couriers',
      '[1].goods[1].goodId: "none" does not exist in goods',
      "[1].goods[0].total: must be price x count, 501.00; a discount goes into discountTotal, as a negative sum",
      "[2].internetPaymentUrl: must be filled when isInternetPayment is 1",
      "[2].prePaymentSum: must be between 0 and the order's total",
    ]);
  });

  test("an edit, a replace request and an array of records each get all their wrong fields named", async () => {
    const edit = { orderId: 5, courierId: 99, prePaymentSum: -0.01 };
    expect(problemsOf(await used.shop.put("/orders", edit, byId))).toEqual([
      "orderId: cannot be changed",
      'courierId: "99" does not exist in couriers',
      "prePaymentSum: must be between 0 and the order's total",
    ]);
    const replaced = await used.shop.post("/orders/replace", [
      { orderId: 1042, supplierId: 4 },
      { orderId: 8, statusId: 0 },
    ]);
    const needed = ["deliveryStatusId", "courierId", "paymentId", "amountToPay", "deliveryTimeFrom", "deliveryTimeTo"];
    expect(problemsOf(replaced)).toEqual([
      ...needed.map((field) => `[1].${field}: is required`),
      '[0].supplierId: "4" does not exist in suppliers',
    ]);
    const taxes = [
      { taxId: 1, title: "НДС 22%" },
      { taxId: "x", title: "much" },
      { taxId: "y", title: "much" },
    ];
    expect(problemsOf(await used.shop.post("/taxes", taxes))).toEqual([
      '[0].taxId: "1" exists already: /replace changes it, and brings it back if it was deleted',
      expect.stringMatching(/^\[1\]\.title: names no rate/),
      expect.stringMatching(/^\[2\]\.title: names no rate/),
    ]);
  });

  test("a request made in a wrong way is answered with the right way to make it", async () => {
    const { shop, world } = used;
    const attributes = { phone: "1" };
    expect([
      await said(shop.post("/taxes", { taxId: 3, title: "НДС 22%" })),
      await said(shop.put("/orders/multipleUpdate", { orderIds: [1042], attributes })),
      await said(world.api(null).get("/orders")),
      await said(world.api("unknown").get("/orders")),
    ]).toEqual([
      "400 body: must be an array, also for one object",
      "422 attributes.phone: is none of statusId,deliveryStatusId,returnReasonId,courierId,addressTo,deliveryTimeFrom,deliveryTimeTo",
      "401 Authorization: must be: Bearer TOKEN",
      "401 The access token is missing or not valid.",
    ]);
    for (const [method, path, message] of [
      ["PATCH", "/goods", "/goods takes GET, POST, PUT, DELETE and not PATCH."],
      ["GET", "/order", "There is no address /order; /orders is near it."],
    ] as const) {
      for (const headers of [{}, { authorization: `Bearer ${shop.access.token}` }]) {
        const answer = await fetch(`${world.origin}/v1${path}`, { method, headers });
        expect([answer.status, await answer.json()]).toEqual([404, { error: true, message }]);
      }
    }
  });

  const ofPeriod = "journalParams=deliveryStatusId%3D3";
  test.each([
    ["/orders?isRefund=1", "isRefund: needs orderId beside it"],
    ["/orders?orderId[]=1042", "orderId[]: is not a parameter of this address"],
    ["/orders?orderId=1042&orderId=1042", "orderId: is given more than once"],
    ["/goods?goodid=501", "goodid: is not a parameter of this address; it has goodId, page, count"],
    [`/orders?orderId=1042&${ofPeriod}`, "orderId: is of one order"],
    [
      `/orders?journalStartAt=2026-11-21 00:00:00&journalFinishAt=2026-11-20 00:00:00&${ofPeriod}`,
      "journalFinishAt: is before journalStartAt",
    ],
    ["/dictionary/closeTypes?closeTypeId=1", "closeTypeId: is not a parameter of this address; it has none"],
    ["/orders?count=many", "count: must be a whole number"],
    ["/journal?page=1&count=1", "entityId: is required as a query parameter"],
    ...["-1", "1.5", "abc", "", "1e3", "99999999999999999999"].map((page) => [
      `/goods?page=${page}`,
      "page: must be a whole number",
    ]),
  ])("GET %s gets 400 with the reason", async (path = "", message = "") => {
    expect(await said(used.shop.get(path))).toContain(`400 ${message}`);
  });

  test("a DELETE without an id gets 400, and page parameters are ignored by lists without pages", async () => {
    expect((await used.shop.delete("/goods")).status).toBe(400);
    expect((await used.shop.get("/dictionary/closeTypes?page=1&count=20")).status).toBe(200);
  });

  test("a delivery window that ends before it starts gets 422 from every request that can set the window", async () => {
    const late = { deliveryTimeTo: "2026-11-21 08:59:59" };
    const problem = "deliveryTimeTo: is before deliveryTimeFrom, 2026-11-21 09:00:00";
    const many = { orderIds: [1042], attributes: late };
    expect([
      await said(used.shop.post("/orders", [newOrder({ orderId: 9, ...late })])),
      await said(used.shop.put("/orders", late, byId)),
      await said(used.shop.put("/orders/multipleUpdate", many)),
    ]).toEqual([`422 [0].${problem}`, `422 ${problem}`, `422 orderIds[0]: order "1042": attributes.${problem}`]);
  });

  test("the login of a courier of a shop without licences says how licences are made", async () => {
    const login = { resourceId: used.shop.access.resource.id, courierId: 7, password: "letmein-2026" };
    const feed = used.world.api(null, "/courier/v1");
    const reply = await said(feed.post("/sessions", { ...login, deviceId: "d", deviceTitle: "t" }));
    expect(reply).toMatch(/^403 .*`fiscald-site licenses set N`/);
  });

  test.each([
    ["goods[0].total", { count: 9_999_999, price: 99_999_999.99, total: 99_999_999.99, discountTotal: 0 }],
    ["goods[0].discountTotal", { count: 0.000001, price: 1, total: 0, discountTotal: 99_999_999 }],
    ["goods[0].discountTotal", { count: 1, price: 1, total: 1, discountTotal: -1.01 }],
  ])("a position beyond the limits of a receipt gets 422 at %s", async (place, item) => {
    expect(await said(used.shop.post("/orders", [newOrder({ orderId: 2, goods: [item] })]))).toContain(
      `422 [0].${place}`,
    );
  });

  test("refunds that name more payments than an SQL statement can have values get 422", async () => {
    const payments = (order: number) =>
      Array.from({ length: 100 }, (_, number) => ({
        paymentId: `${order}-${number}`,
        paymentTypeId: 1,
        price: 1,
        paidIn: "2026-11-20 10:00:00",
      }));
    const refunds = Array.from({ length: 400 }, (_, orderId) =>
      newOrder({ orderId, goods: [], payments: payments(orderId) }),
    );
    expect(await said(used.shop.post("/orders", refunds, { query: { isRefund: 1 } }))).toContain("422 [0].orderId");
  });

  const brokenText = Buffer.concat([Buffer.from('[{"orderId":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}]')]);
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const unreadable: (readonly [title: string, body: string | Buffer])[] = [
    ["null", "null"],
    ["a number", "5"],
    ["a text", '"x"'],
    ["no JSON at all", ""],
    ["half a JSON", '[{"orderId":'],
    ["broken UTF-8", brokenText],
    ...[65, 5000, 100_000].map((levels) => [`a JSON of ${levels} levels`, nested(levels)] as const),
  ];
  test.each(unreadable)("a body that is %s gets 400", async (_title, text) => {
    const options = { headers: { "content-type": "application/json" } };
    expect(await said(used.shop.post("/orders", text, options))).toMatch(/^400 body: |^400 Content-Type/);
  });

  /** The answers of an app with a parser of its own to this body. */
  async function answersOf(app: Express, paths: readonly string[], body: string, more: object = {}) {
    const server = createServer(app);
    const address = await listen(server);
    const headers = { authorization: `Bearer ${used.shop.access.token}`, "content-type": "application/json", ...more };
    const answers = [];
    for (const path of paths) {
      const answer = await fetchChecked(`${address}${path}`, { method: "POST", headers, body });
      answers.push([answer.status, await answer.json()]);
    }
    server.closeAllConnections();
    server.close();
    return answers;
  }

  test.each([{}, { "idempotency-key": "deep" }])(
    "a deeply nested JSON that the host app has parsed gets 400, with the headers %j",
    async (more) => {
      const app = express().use("/v1", express.json(), createDeliveryRouter({ backend: used.world.backend }));
      expect(await answersOf(app, ["/v1/orders"], nested(20_000), more)).toMatchObject([[400, { error: true }]]);
    },
  );

  test.each([
    ["half a JSON", "100kb", '[{"roleId":', 400],
    ["a body above the host's limit", "10b", '[{"roleId":1,"title":"x"}]', 413],
  ])("when the host's own parser refuses %s, the API answers in its own form", async (_title, limit, body, status) => {
    const app = express().use(express.json({ limit }));
    const delivery = await mountDelivery(app, { database: used.database.address });
    const answer = [status, { error: true, message: expect.any(String) }];
    expect(await answersOf(app, ["/v1/userRoles", "/courier/v1/locations"], body)).toEqual([answer, answer]);
    await delivery.close();
  });

  test.each(["\u0000", "a\u0000b", "\ud800", "\n"])("the id %j gets 422 in a body and 400 in a URL", async (id) => {
    expect((await used.shop.post("/userRoles", [{ roleId: `x${id}y`, title: "x" }])).status).toBe(422);
    if (id !== "\ud800") expect((await used.shop.get("/userRoles", { roleId: `x${id}y` })).status).toBe(400);
  });

  test("a URL whose escapes cannot be decoded gets no server error", async () => {
    const headers = { authorization: `Bearer ${used.shop.access.token}` };
    expect((await fetchChecked(`${used.world.origin}/v1/goods?goodId=%ff%zz`, { headers })).status).toBeLessThan(500);
  });

  test("unknown fields are ignored wherever they stand, and only multipleUpdate refuses them", async () => {
    const own = await filledShop(used.world);
    const more = { fraction: "1/2" };
    const address = { city: "Москва", street: "Лесная", home: "1", isUseExternalGeo: "1" };
    const orders = [
      newOrder({ orderId: 1, goods: [position], addressToEntity: address }),
      newOrder({ orderId: 2, goods: [{ ...position, ...more }], addressToEntity: { ...address, ...more }, ...more }),
    ];
    const { body } = await own.post("/orders", orders);
    const unknown = (path: string) => ({ path, message: "is not known and was not read" });
    const warnings = ["goods[0].fraction", "addressToEntity.fraction", "fraction"].map(unknown);
    expect(body[0]).not.toHaveProperty("warnings");
    expect(body[1]).toEqual({ ...body[0], orderId: 2, warnings });
    const many = own.put("/orders/multipleUpdate", { orderIds: [1], attributes: { statusId: 0, ...more } });
    expect(await said(many)).toContain("422 attributes");
  });
});
