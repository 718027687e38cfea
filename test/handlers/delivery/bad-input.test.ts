/** What must never be a 500, never half-written, and always named with its place. */
import type { TestDatabase } from "../../support/site-databases.js";
import { type DeliveryWorld, fillCatalog, newOrder, openWorld, type Shop } from "./delivery-world.js";
import { describeOnBothStores } from "./on-both-stores.js";

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
  const accepted = new Set(['orderId "x"', "goods []", 'client.email "x"', "client {}", "goods[0].warehouses []"]);
  const cases = fields
    .flatMap(([place, make]) => wrong.map((value) => [place, JSON.stringify(value), make(value)] as const))
    .filter(([place, text]) => !accepted.has(`${place} ${text}`) && `${place} ${text}` !== "goods[0].count 1.5");

  test.each(cases)("%s = %s is 422 at its place", async (place, _text, changes) => {
    const { status, body } = await shop.post("/orders", [newOrder(changes)]);
    expect(status).toBe(422);
    expect(body.message.startsWith(`[0].${place}`)).toBe(true);
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

  test("10,000 elements are 422", async () => {
    const many = Array.from({ length: 10_000 }, (_, position) => ({ roleId: position, title: "x" }));
    const { status, body } = await shop.post("/userRoles", many);
    expect(status).toBe(422);
    expect(body.message).toContain("500");
  });

  test("a deep JSON is refused without harm", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect((await shop.post("/orders", deep)).status).toBeLessThan(500);
  });

  test("count=100000 is the maximum page", async () => {
    expect((await shop.get("/goods", { count: 100000 })).status).toBe(200);
    expect((await shop.get("/goods", { page: 999999999, count: 500 })).body).toEqual([]);
  });

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

  test.each(hostile)("%s in every string is kept as it is", async (text) => {
    const title = { title: text, description: text, unit: text, article: text, imageUrl: text };
    const good = { goodId: text, parentId: null, taxId: 1, price: 1, ...title };
    expect((await shop.post("/goods", [good])).status).toBe(201);
    expect((await shop.get("/goods", { goodId: text })).body).toMatchObject(title);
    expect((await shop.get("/orders", { orderId: text })).status).toBe(404);
    expect((await shop.get("/permissions", { permissionId: text })).body).toEqual([]);
  });

  test.each(["\u0000", "a\u0000b", "\ud800", "\n"])("the id %j is 422 in a body and 400 in an address", async (id) => {
    expect((await shop.post("/userRoles", [{ roleId: `x${id}y`, title: "x" }])).status).toBe(422);
    if (id !== "\ud800") expect((await shop.get("/userRoles", { roleId: `x${id}y` })).status).toBe(400);
  });

  test("NUL and half characters in other strings come back as they were, or are refused", async () => {
    const title = "a\u0000b";
    const { status } = await shop.post("/userRoles", [{ roleId: "nul", title }]);
    expect([201, 422]).toContain(status);
    if (status === 201) expect((await shop.get("/userRoles", { roleId: "nul" })).body.title).toBe(title);
  });

  test("an address that cannot be decoded is 400", async () => {
    const reply = await fetch(`${world.origin}/v1/goods?goodId=%ff%zz`, {
      headers: { authorization: `Bearer ${shop.access.token}` },
    });
    expect(reply.status).toBeLessThan(500);
  });

  test("another shop's ids are unknown in references", async () => {
    const other = await world.shop("foreign");
    await other.post("/userRoles", [{ roleId: "foreign", title: "x" }]);
    const { status, body } = await shop.post("/couriers", [{ courierId: 50, title: "x", roleId: "foreign" }]);
    expect(status).toBe(422);
    expect(body.message).toContain("[0].roleId");
  });
});
