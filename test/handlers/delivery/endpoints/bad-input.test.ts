/** What must never be a 500, never half-written, and always named with its place. */

import { createServer } from "node:http";
import { findRefusedCharacter } from "@fiscald/shared/receipt/text-hygiene.js";
import express from "express";
import { createDeliveryRouter } from "#handlers/delivery/create-router.js";
import { mountDelivery } from "#handlers/delivery/mount-delivery.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { courierReceipt } from "../../../tools/money-model/money-world.js";
import {
  checkAnswersAgainstDocument,
  type DeliveryWorld,
  fetchChecked,
  fillCatalog,
  listen,
  newOrder,
  openWorld,
  type Shop,
} from "../delivery-world.js";
import { logIn } from "../log-in.js";
import { describeOnBothStores } from "../on-both-stores.js";
import { noise } from "./hostile-values.js";

const apiDocument = checkAnswersAgainstDocument();

describeOnBothStores("bad input", (newDatabase) => {
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;

  beforeAll(async () => {
    database = await newDatabase();
    world = await openWorld(database);
    shop = await world.shop();
    await fillCatalog(shop);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });
  afterEach(async () => {
    expect((await shop.get("/orders")).body).toEqual([]);
  });

  const item = { goodId: 501, count: 1, price: 1, total: 1, discountTotal: 0 };
  const wrong = [null, true, 1.5, "x", [], {}, [[]]];
  const fields: [string, (value: unknown) => Record<string, unknown>][] = [
    ["orderId", (value) => ({ orderId: value })],
    ["statusId", (value) => ({ statusId: value })],
    ["goods", (value) => ({ goods: value })],
    ["goods[0]", (value) => ({ goods: [value] })],
    ["goods[0].count", (value) => ({ goods: [{ ...item, count: value }] })],
    ["goods[0].warehouses", (value) => ({ goods: [{ ...item, warehouses: value }] })],
    [
      "goods[0].warehouses[0].warehouseId",
      (value) => ({ goods: [{ ...item, warehouses: [{ warehouseId: value, count: 1 }] }] }),
    ],
    ["addressToEntity", (value) => ({ addressToEntity: value })],
    ["client", (value) => ({ client: value })],
    ["client.email", (value) => ({ client: { email: value } })],
    ["deliveryTimeFrom", (value) => ({ deliveryTimeFrom: value })],
  ];
  /** These are right after all. */
  const accepted = new Set([
    'orderId "x"',
    "goods []",
    'client.email "x"',
    "client {}",
    "goods[0].warehouses []",
    "addressToEntity null",
    "client null",
    "client.email null",
  ]);
  const cases = fields
    .flatMap(([place, make]) => wrong.map((value) => [place, JSON.stringify(value), make(value)] as const))
    .filter(([place, text]) => !accepted.has(`${place} ${text}`) && `${place} ${text}` !== "goods[0].count 1.5");

  test.each(cases)("%s = %s is 422 at its place", async (place, _text, changes) => {
    const { status, body } = await shop.post("/orders", [newOrder(changes)]);
    expect(status).toBe(422);
    expect(body.message.startsWith(`[0].${place}`)).toBe(true);
  });

  const priceOf = (field: string, value: number) => ({ goods: [{ ...item, [field]: value }] });
  const notNegative: [place: string, changes: Record<string, unknown>][] = [
    ["amountToPay", { amountToPay: -0.01 }],
    ["cash", { cash: -0.01 }],
    ["prePaymentSum", { prePaymentSum: -0.01 }],
    ["goods[0].price", priceOf("price", -0.01)],
    ["goods[0].total", priceOf("total", -1)],
    ["goods[0].discountTotal", priceOf("discountTotal", -1.01)],
  ];
  test.each(notNegative)("%s below zero is 422 at its place", async (place, changes) => {
    const { status, body } = await shop.post("/orders", [newOrder(changes)]);
    expect([status, body.message.split(": ")[0]]).toEqual([422, `[0].${place}`]);
  });

  const payment = { paymentId: "p", paymentTypeId: 1, price: 1.005, paidIn: "2026-11-20 10:00:00" };
  const partsOfKopeck: [place: string, changes: Record<string, unknown>][] = [
    ["amountToPay", { amountToPay: 501.005 }],
    ["cash", { cash: 0.001 }],
    ["prePaymentSum", { prePaymentSum: 0.001 }],
    ["goods[0].price", priceOf("price", 1.001)],
    ["goods[0].total", priceOf("total", 1.001)],
    ["goods[0].discountTotal", priceOf("discountTotal", -0.001)],
    ["payments[0].price", { payments: [payment] }],
  ];
  test.each(partsOfKopeck)("%s with a part of a kopeck is 422 at its place", async (place, changes) => {
    const { status, body } = await shop.post("/orders", [newOrder(changes)]);
    expect([status, body.message]).toEqual([422, expect.stringMatching(/: must be a sum in roubles with at most two/)]);
    expect(body.message.split(": ")[0]).toBe(`[0].${place}`);
  });

  test.each([-0.01, 250.505])("a good that costs %d is 422 at its price", async (price) => {
    const good = { goodId: 777, parentId: null, taxId: 1, title: "Чай", price };
    const { status, body } = await shop.post("/goods", [good]);
    expect([status, body.message.split(": ")[0]]).toEqual([422, "[0].price"]);
  });

  test.each([
    ["null", "null"],
    ["a number", "5"],
    ["a text", '"x"'],
    ["an empty body", ""],
    ["half a JSON", '[{"orderId":'],
  ])("%s as a body is 400", async (_title, text) => {
    expect((await shop.post("/orders", text, { headers: { "content-type": "application/json" } })).status).toBe(400);
  });

  test("broken UTF-8 is 400", async () => {
    const broken = Buffer.concat([Buffer.from('[{"orderId":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}]')]);
    const { status, body } = await shop.post("/orders", broken);
    expect(status).toBe(400);
    expect(body.message).toContain("UTF-8");
  });

  describe("10,000 elements", () => {
    const many = <Element>(make: (position: number) => Element) =>
      Array.from({ length: 10_000 }, (_, position) => make(position));
    const thousands: [title: string, path: string, body: unknown][] = [
      ["orders", "/orders", many((orderId) => newOrder({ orderId, goods: [] }))],
      ["roles", "/userRoles", many((roleId) => ({ roleId, title: "x" }))],
      ["orders to replace", "/orders/replace", many((orderId) => ({ orderId }))],
      ["roles to replace", "/userRoles/replace", many((roleId) => ({ roleId, title: "x" }))],
      ["permissions", "/permissions/replace", many(() => ({ roleId: 1, actionId: "order.cancel", isAllowed: 1 }))],
      ["positions", "/orders", [newOrder({ goods: many(() => item) })]],
      [
        "payments",
        "/orders",
        [
          newOrder({
            isRefund: true,
            payments: many((id) => ({ paymentId: id, paymentTypeId: 1, price: 1, paidIn: "2026-11-20 10:00:00" })),
          }),
        ],
      ],
    ];

    test.each(thousands)("%s are 422 at their place", async (_title, path, body) => {
      const reply = await shop.post(path, body);
      expect(reply.status).toBe(422);
      expect(reply.body.message).toMatch(/^(body|\[0\]\.goods|\[0\]\.payments): .*(500|1000|100)/);
    });

    test("orderIds of multipleUpdate are 422", async () => {
      const reply = await shop.put("/orders/multipleUpdate", {
        orderIds: many((id) => id),
        attributes: { statusId: 1 },
      });
      expect(reply.status).toBe(422);
      expect(reply.body.message).toContain("orderIds");
    });
  });

  describe("wrong types below other operations", () => {
    const settings = { settingId: 1, login: "x", password: "y", isProduction: 1 };
    const cases: [title: string, path: string, body: unknown, place: string][] = [
      ["a refund's payment", "/orders", [newOrder({ payments: [{ paymentId: {} }] })], "[0].payments[0].paymentId"],
      [
        "a position's specificity",
        "/orders",
        [newOrder({ goods: [{ ...item, specificities: [{ specificityId: [] }] }] })],
        "[0].goods[0].specificities[0].specificityId",
      ],
      ["a second element", "/userRoles", [{ roleId: 1, title: "x" }, 7], "[1]"],
      [
        "a good's warehouse",
        "/goods",
        [{ goodId: 9, parentId: null, taxId: 1, title: "x", price: 1, warehouses: [7] }],
        "[0].warehouses[0]",
      ],
      ["a client's address", "/clients", [{ clientId: 9, addressEntity: { city: 5 } }], "[0].addressEntity.city"],
      ["a client's birthday", "/clients", [{ clientId: 9, birthday: "yesterday" }], "[0].birthday"],
      ["the company", "/partnerOnlineSettings/replace", { ...settings, company: { inn: 1 } }, "company.inn"],
      [
        "the agent",
        "/partnerOnlineSettings/replace",
        { ...settings, company: { inn: "7700000000", taxSystem: "osn" }, agent: { type: "none" } },
        "agent.type",
      ],
      ["a permission", "/permissions/replace", [{ roleId: 1, actionId: 5, isAllowed: 1 }], "[0].actionId"],
      ["a callback", "/orders/callback", { url: 5, isActive: 1 }, "url"],
    ];

    test.each(cases)("%s is 422 at its place", async (_title, path, body, place) => {
      const reply = await shop.post(path, body);
      expect([reply.status, reply.body.message.split(": ")[0]]).toEqual([422, place]);
    });

    test("the attributes of multipleUpdate are 422 at their place", async () => {
      const body = { orderIds: [1], attributes: { deliveryStatusId: "2x" } };
      const reply = await shop.put("/orders/multipleUpdate", body);
      expect([reply.status, reply.body.message.split(": ")[0]]).toEqual([422, "attributes.deliveryStatusId"]);
    });
  });

  describe("what a database cannot hold is 422 at its place", () => {
    const order = { orderId: 1042, deliveryStatusId: 2 };
    const point = { createdAt: "2026-11-20 14:05:00", longitude: "37.6", latitude: "55.7" };
    const cases: [title: string, path: string, body: unknown, place: string][] = [
      ["a shop's number above int4", "/orders/status", { ...order, resourceId: 2 ** 31 }, "resourceId"],
      ["a shop's number below one", "/locations", [{ ...point, resourceId: -1 }], "[0].resourceId"],
      ["NUL in a longitude", "/orders/status", { ...order, longitude: "37\u0000" }, "longitude"],
      ["half a character in a latitude", "/locations", [{ ...point, latitude: "\ud800" }], "[0].latitude"],
      [
        "a drive's number longer than a key",
        "/orders/status",
        { ...order, receipt: { ...courierReceipt, fn: noise(2000) } },
        "receipt.fn",
      ],
      [
        "a document's number longer than a key",
        "/orders/receipts",
        { orderId: 1042, operation: "sale", receipt: { ...courierReceipt, fdNumber: noise(2000) } },
        "receipt.fdNumber",
      ],
    ];

    test.each(cases)("%s, from a courier", async (_title, path, body, place) => {
      const courier = await logIn(world, shop);
      const reply = await courier.post(path, body);
      expect([reply.status, String(reply.body?.message).split(": ")[0]]).toEqual([422, place]);
    });

    test.each([
      [
        "NUL in a courier's name, which stands in the journal",
        "/couriers",
        [{ courierId: 8, title: "a\u0000b" }],
        "[0].title",
      ],
      ["half a character in a name", "/couriers", [{ courierId: 8, title: "\udc00" }], "[0].title"],
      [
        "a price and a count whose product no number holds",
        "/orders",
        [newOrder({ goods: [{ count: 9_999_999, price: 99_999_999.99, total: 99_999_999.99, discountTotal: 0 }] })],
        "[0].goods[0].total",
      ],
      [
        "a markup that makes one unit dearer than any receipt",
        "/orders",
        [
          newOrder({
            statusId: 1,
            isInternetPayment: 1,
            internetPaymentUrl: "https://shop.example",
            goods: [{ count: 0.000001, price: 1, total: 0, discountTotal: 99_999_999 }],
          }),
        ],
        "[0].goods[0].discountTotal",
      ],
    ])("%s", async (_title, path, body, place) => {
      const reply = await shop.post(path, body);
      expect([reply.status, String(reply.body?.message).split(": ")[0]]).toEqual([422, place]);
    });

    test("refunds that name more payments than a statement has values", async () => {
      const payments = (order: number) =>
        Array.from({ length: 100 }, (_, position) => ({
          paymentId: `${order}-${position}`,
          paymentTypeId: 1,
          price: 1,
          paidIn: "2026-11-20 10:00:00",
        }));
      const refunds = Array.from({ length: 400 }, (_, orderId) =>
        newOrder({ orderId, goods: [], payments: payments(orderId) }),
      );
      const reply = await shop.post("/orders", refunds, { query: { isRefund: 1 } });
      expect([reply.status, reply.body.message.split(": ")[0]]).toEqual([422, "[0].orderId"]);
    });
  });

  test.each([65, 5000, 100_000])("a JSON of %i levels is 400", async (levels) => {
    const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect((await shop.post("/orders", deep)).status).toBe(400);
  });

  test("a deep JSON that the host has parsed is 400, with a key too", async () => {
    const app = express().use("/v1", express.json(), createDeliveryRouter({ backend: world.backend }));
    const server = createServer(app);
    const address = await listen(server);
    const body = `[${"[".repeat(20_000)}${"]".repeat(20_000)}]`;
    const common = { authorization: `Bearer ${shop.access.token}`, "content-type": "application/json" };
    const statuses = [];
    for (const headers of [common, { ...common, "idempotency-key": "deep" }])
      statuses.push((await fetchChecked(`${address}/v1/orders`, { method: "POST", headers, body })).status);
    server.closeAllConnections();
    server.close();
    expect(statuses).toEqual([400, 400]);
  });

  test.each([
    ["half a JSON", "100kb", '[{"roleId":', 400],
    ["a body above the host's limit", "10b", '[{"roleId":1,"title":"x"}]', 413],
  ])(
    "%s that the host's own parser refuses is reported in the shape of the API",
    async (_title, limit, body, wanted) => {
      const app = express().use(express.json({ limit }));
      const delivery = await mountDelivery(app, { database: database.address });
      const server = createServer(app);
      const address = await listen(server);
      for (const path of ["/v1/userRoles", "/courier/v1/locations"]) {
        const headers = { authorization: `Bearer ${shop.access.token}`, "content-type": "application/json" };
        const reply = await fetchChecked(`${address}${path}`, { method: "POST", headers, body });
        expect([reply.status, await reply.json()]).toEqual([wanted, { error: true, message: expect.any(String) }]);
      }
      server.closeAllConnections();
      server.close();
      await delivery.close();
    },
  );

  test.each(["-1", "1.5", "abc", "", "1e3", "99999999999999999999"])("page=%s is 400", async (page) => {
    expect((await shop.get("/goods", { page })).status).toBe(400);
  });

  const hostile = [
    "'; drop table delivery_orders; --",
    '" or 1=1 --',
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "{{7*7}}#{7*7}",
    "__proto__",
    "\u202etxt",
    "🧾".repeat(10),
  ];

  test.each(hostile)("%s in every string is kept as it is, or refused where a receipt cannot hold it", async (text) => {
    const isHeld = findRefusedCharacter(text) === null;
    const ofReceipt = isHeld ? { title: text, unit: text } : { title: "Чай", unit: "шт" };
    const title = { ...ofReceipt, description: text, article: text, imageUrl: text };
    const good = { goodId: text, parentId: null, taxId: 1, price: 1, ...title };
    if (!isHeld) expect((await shop.post("/goods", [{ ...good, title: text }])).status).toBe(422);
    expect((await shop.post("/goods", [good])).status).toBe(201);
    expect((await shop.get("/goods", { goodId: text })).body).toMatchObject(title);
    expect((await shop.get("/orders", { orderId: text })).status).toBe(404);
    expect((await shop.get("/permissions", { permissionId: text })).body).toEqual([]);
  });

  test.each(hostile)(
    "%s in every string of an order is kept as it is, or refused where a receipt cannot hold it",
    async (text) => {
      const isHeld = findRefusedCharacter(text) === null;
      const ofReceipt = isHeld ? { unit: text, customDeclarationCode: text } : {};
      const address = { postindex: text, city: text, street: text, home: text, apartment: text };
      const place = { ...address, latitude: "55.7", longitude: text.slice(0, 32), isUseExternalGeo: "1" };
      const strings = { codeAlias: text, internetPaymentUrl: text, phone: text, description: text };
      const client = { firstname: text, lastname: text, email: text };
      const codes = { ...ofReceipt, vedCode: text, countryCode: text, markValue: text };
      const goods = [{ ...item, ...codes, markBinaryValue: text, description: text }];
      const order = { ...strings, client, addressFromEntity: place, addressToEntity: place, goods };
      const own = await world.shop(`shop ${Math.random()}`);
      await fillCatalog(own);
      expect((await own.post("/orders", [newOrder({ orderId: text, ...order })])).status).toBe(201);
      expect((await own.get("/orders", { orderId: text })).body).toMatchObject({ orderId: text, ...order });
      const journal = (await own.get("/journal", { entityId: text, page: 1, count: 9 })).body;
      expect(journal[0].afterItem).toMatchObject({ phone: text, description: text, addressToEntity: place });
      expect((await own.get("/orders")).body).toHaveLength(1);
    },
  );

  test("fields that no table has are left out, wherever they stand; multipleUpdate refuses them", async () => {
    const own = await world.shop(`shop ${Math.random()}`);
    await fillCatalog(own);
    const more = { fraction: "1/2" };
    const address = { city: "Москва", street: "Лесная", home: "1", isUseExternalGeo: "1", ...more };
    const [plain, odd] = [
      { orderId: 1, goods: [item] },
      { orderId: 2, goods: [{ ...item, ...more }], ...more },
    ];
    const orders = [
      newOrder({ ...plain, addressToEntity: { ...address, fraction: undefined } }),
      newOrder({ ...odd, addressToEntity: address }),
    ];
    expect((await own.post("/orders", orders)).status).toBe(201);
    const kept = async (orderId: number) => {
      const { orderId: _id, ...rest } = (await own.get("/orders", { orderId })).body;
      return rest;
    };
    expect(await kept(2)).toEqual(await kept(1));
    const many = await own.put("/orders/multipleUpdate", { orderIds: [1], attributes: { statusId: 0, ...more } });
    expect([many.status, many.body.message]).toMatchObject([422, expect.stringMatching(/^attributes/)]);
  });

  test.each(hostile)("%s in every parameter of an address does no harm", async (text) => {
    for (const [path, methods] of Object.entries(apiDocument.paths)) {
      const get = Object(methods["get"]);
      if (!path.startsWith("/v1/") || get.parameters === undefined) continue;
      for (const { name, in: where } of get.parameters) {
        if (where !== "query") continue;
        const { status } = await shop.get(path.slice(3), { page: 1, count: 1, [name]: text });
        expect({ path, name, status }).toEqual({
          path,
          name,
          status: [200, 400, 404].includes(status) ? status : "one of 200, 400, 404",
        });
      }
    }
  });

  test.each(["\u0000", "a\u0000b", "\ud800", "\n"])("the id %j is 422 in a body and 400 in an address", async (id) => {
    expect((await shop.post("/userRoles", [{ roleId: `x${id}y`, title: "x" }])).status).toBe(422);
    if (id !== "\ud800") expect((await shop.get("/userRoles", { roleId: `x${id}y` })).status).toBe(400);
  });

  test("an address that cannot be decoded is 400", async () => {
    const reply = await fetchChecked(`${world.origin}/v1/goods?goodId=%ff%zz`, {
      headers: { authorization: `Bearer ${shop.access.token}` },
    });
    expect(reply.status).toBeLessThan(500);
  });
});
