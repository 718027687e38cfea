import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import {
  type Api,
  checkAnswersAgainstDocument,
  type DeliveryWorld,
  fillCatalog,
  logIn,
  newOrder,
  type Shop,
} from "../delivery-world.js";
import { describeOnBothStores, filledShop, useOwnWorlds } from "../use-world.js";

checkAnswersAgainstDocument();

const HOUR_MS = 60 * 60 * 1000;
const keyed = (key: string) => ({ headers: { "idempotency-key": key } });
const role = [{ roleId: 1, title: "Курьер" }];

describeOnBothStores("an Idempotency-Key", (newDatabase) => {
  const openOwn = useOwnWorlds(newDatabase);
  let database: TestDatabase;
  let clock: FakeClock;
  let first: DeliveryWorld;
  let shop: Shop;

  const open = () => openOwn({ delivery: { clock } }, database);
  const at = (node: DeliveryWorld): Api => node.api(shop.access.token);
  const makeRole = async (api: Api, key: string, body: object = role) =>
    (await api.post("/userRoles", body, keyed(key))).status;

  beforeEach(async () => {
    database = await newDatabase();
    clock = createFakeClock();
    first = await open();
    shop = await first.shop();
  });
  afterEach(async () => {
    await first.close();
    await database.drop();
  });

  test("an Idempotency-Key belongs to one courier, and another courier's request with the same key is executed", async () => {
    await fillCatalog(shop);
    await shop.post("/couriers", [{ courierId: 8, title: "x", sourcePassword: "letmein-2026" }]);
    const point = [{ createdAt: "2026-11-20 14:05:00", longitude: "37.6", latitude: "55.7" }];
    for (const courierId of [7, 8]) {
      const courier = await logIn(first, shop, `of ${courierId}`, courierId);
      expect((await courier.post("/locations", point, keyed("a point"))).status).toBe(204);
    }
    const { db } = first.backend.store;
    const stored = await db.selectFrom("delivery_locations").select("courier_id").orderBy("id").execute();
    expect(stored).toEqual([{ courier_id: "7" }, { courier_id: "8" }]);
  });

  test("a request repeated with its Idempotency-Key gets the first answer for 24 hours, and counts as new after that", async () => {
    const { body } = await shop.post("/userRoles", role, keyed("day"));
    await clock.advance(24 * HOUR_MS);
    expect(await shop.post("/userRoles", role, keyed("day"))).toMatchObject({ status: 201, body });
    await clock.advance(1);
    // The role exists now, so the same request is judged anew.
    expect([await makeRole(shop, "day"), await makeRole(shop, "day", [{ roleId: 2, title: "x" }])]).toEqual([422, 201]);
  });

  test("an Idempotency-Key is known after a restart, until its 24 hours are over", async () => {
    await makeRole(shop, "restart");
    await first.close();
    await clock.advance(23 * HOUR_MS);
    const second = await open();
    expect(await makeRole(at(second), "restart")).toBe(201);
    await second.close();
    await clock.advance(HOUR_MS + 1);
    expect(await makeRole(at(await open()), "restart")).toBe(422);
  });

  test("requests with one Idempotency-Key sent to two nodes at once have one effect and one answer", async () => {
    const nodes = [at(await open()), at(await open())] as const;
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => makeRole(nodes[turn % 2 === 0 ? 0 : 1], "nodes")),
    );
    expect(new Set(statuses)).toEqual(new Set([201]));
    await clock.advance(24 * HOUR_MS);
    expect(await makeRole(nodes[1], "nodes")).toBe(201);
    await clock.advance(1);
    expect(await makeRole(nodes[0], "nodes")).toBe(422);
  });

  test("expired Idempotency-Keys are deleted with the next request that has a key", async () => {
    const kept = () => first.backend.store.db.selectFrom("delivery_idempotency").selectAll().execute();
    for (let roleId = 10; roleId < 30; roleId += 1) await makeRole(shop, `key ${roleId}`, [{ roleId, title: "x" }]);
    expect(await kept()).toHaveLength(20);
    await clock.advance(24 * HOUR_MS + 1);
    await makeRole(shop, "new");
    expect(await kept()).toMatchObject([{ idempotency_key: "shop new" }]);
  });

  test("an Idempotency-Key gets 422 with another body, and counts as new for another shop or after a failed request", async () => {
    const [one, other] = [await filledShop(first), await filledShop(first)];
    const order = (api: Api, key: string, changes: object) =>
      api.post("/orders", [newOrder({ ...changes })], keyed(key));
    expect((await order(one, "k", {})).status).toBe(201);
    expect((await order(one, "k", { orderId: 2 })).status).toBe(422);
    expect((await order(other, "k", { orderId: 2 })).status).toBe(201);
    expect((await order(one, "failed", { orderId: 3, paymentId: 9 })).status).toBe(422);
    await one.post("/paymentTypes", [{ paymentTypeId: 9, title: "x" }]);
    expect((await order(one, "failed", { orderId: 3, paymentId: 9 })).status).toBe(201);
  });

  test.each(["", "x".repeat(256), "ключ"])("the Idempotency-Key %j gets 400", async (key) => {
    // HTTP carries bytes, so text beyond Latin-1 arrives as its bytes.
    const { status, body } = await shop.post("/userRoles", role, keyed(Buffer.from(key, "utf8").toString("latin1")));
    expect([status, body.message]).toEqual([400, expect.stringContaining(key === "" ? "" : "Idempotency-Key")]);
  });
});
