/** Idempotency-Key: kept in the database for 24 hours, across restarts and nodes, and forgotten then. */

import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { type Api, checkAnswersAgainstDocument, type DeliveryWorld, openWorld } from "../delivery-world.js";
import { describeOnBothStores } from "../on-both-stores.js";

checkAnswersAgainstDocument();

const HOUR_MS = 60 * 60 * 1000;
const keyed = (key: string) => ({ headers: { "idempotency-key": key } });
const role = [{ roleId: 1, title: "Курьер" }];

describeOnBothStores("an Idempotency-Key", (newDatabase) => {
  let database: TestDatabase;
  let clock: FakeClock;
  const worlds: DeliveryWorld[] = [];
  let token: string;

  async function openNode(): Promise<Api> {
    const world = await openWorld(database, { delivery: { clock } });
    worlds.push(world);
    return world.api(token);
  }

  beforeEach(async () => {
    database = await newDatabase();
    clock = createFakeClock();
    const first = await openWorld(database, { delivery: { clock } });
    worlds.push(first);
    token = (await first.shop()).access.token;
  });
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close();
    await database.drop();
  });

  test("is of one courier: another one's request with the same key is carried out too", async () => {
    const [world] = worlds;
    if (world === undefined) throw new Error("no world is open");
    const shop = world.api(token);
    await shop.post(
      "/couriers",
      [7, 8].map((courierId) => ({ courierId, title: "x", sourcePassword: "letmein-2026" })),
    );
    const { store } = world.backend;
    await store.transaction((tx) => setLicenseTotal(tx, 2));
    const shops = await store.db.selectFrom("delivery_resources").select("id").where("id", ">", 0).execute();
    const resourceId = shops[0]?.id;
    const point = [{ createdAt: "2026-11-20 14:05:00", longitude: "37.6", latitude: "55.7" }];
    for (const courierId of [7, 8]) {
      const login = { resourceId, courierId, password: "letmein-2026", deviceId: `of ${courierId}`, deviceTitle: "x" };
      const { body } = await world.api(null, "/courier/v1").post("/sessions", login);
      const courier = world.api(body.token, "/courier/v1");
      expect((await courier.post("/locations", point, keyed("a point"))).status).toBe(204);
    }
    const stored = await store.db.selectFrom("delivery_locations").select("courier_id").orderBy("id").execute();
    expect(stored).toEqual([{ courier_id: "7" }, { courier_id: "8" }]);
  });

  const keysKept = async () =>
    (await worlds.at(-1)?.backend.store.db.selectFrom("delivery_idempotency").selectAll().execute()) ?? [];

  test("gives the first answer for 24 hours, and is a new request after that", async () => {
    const api = await openNode();
    const first = await api.post("/userRoles", role, keyed("day"));
    await clock.advance(24 * HOUR_MS);
    expect(await api.post("/userRoles", role, keyed("day"))).toMatchObject({ status: 201, body: first.body });
    await clock.advance(1);
    // Now the role exists: the same request is judged anew.
    expect((await api.post("/userRoles", role, keyed("day"))).status).toBe(422);
    expect((await api.post("/userRoles", [{ roleId: 2, title: "x" }], keyed("day"))).status).toBe(201);
  });

  test("is known after a restart, until its 24 hours are over", async () => {
    await (await openNode()).post("/userRoles", role, keyed("restart"));
    for (const world of worlds.splice(0)) await world.close();
    await clock.advance(23 * HOUR_MS);
    expect((await (await openNode()).post("/userRoles", role, keyed("restart"))).status).toBe(201);
    for (const world of worlds.splice(0)) await world.close();
    await clock.advance(HOUR_MS + 1);
    expect((await (await openNode()).post("/userRoles", role, keyed("restart"))).status).toBe(422);
  });

  test("sent to two nodes at one moment has one effect and one answer", async () => {
    const [one, other] = [await openNode(), await openNode()];
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, turn) => (turn % 2 === 0 ? one : other).post("/userRoles", role, keyed("nodes"))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    await clock.advance(24 * HOUR_MS);
    expect((await other.post("/userRoles", role, keyed("nodes"))).status).toBe(201);
    await clock.advance(1);
    expect((await one.post("/userRoles", role, keyed("nodes"))).status).toBe(422);
  });

  test("is deleted with the next keyed request after its time: the table stays small", async () => {
    const api = await openNode();
    for (let roleId = 10; roleId < 30; roleId += 1)
      await api.post("/userRoles", [{ roleId, title: "x" }], keyed(`key ${roleId}`));
    expect(await keysKept()).toHaveLength(20);
    await clock.advance(24 * HOUR_MS + 1);
    await api.post("/userRoles", role, keyed("new"));
    expect(await keysKept()).toMatchObject([{ idempotency_key: "shop new" }]);
  });

  test.each(["", "x".repeat(256), "ключ"])("%j is no key: 400", async (key) => {
    const api = await openNode();
    // HTTP carries bytes: what is no Latin-1 arrives as such.
    const header = Buffer.from(key, "utf8").toString("latin1");
    const { status, body } = await api.post("/userRoles", role, keyed(header));
    if (key === "") expect(status).toBe(400);
    else expect([status, body.message]).toEqual([400, expect.stringContaining("Idempotency-Key")]);
  });
});
