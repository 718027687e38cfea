/** Idempotency-Key: kept in the database for 24 hours, across restarts and nodes, and forgotten then. */

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
