import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { type DeliveryWorld, fillCatalog, newOrder, openWorld, type Shop } from "../delivery-world.js";
import { describeOnBothStores } from "../use-world.js";

describeOnBothStores("the period of GET /orders", (newDatabase) => {
  let database: TestDatabase;
  let clock: FakeClock;
  let world: DeliveryWorld;
  let shop: Shop;

  beforeAll(async () => {
    database = await newDatabase();
    clock = createFakeClock();
    world = await openWorld(database, { delivery: { clock } });
    shop = await world.shop();
    await fillCatalog(shop);
    await clock.advance(500);
    // Status 1 is set at 12:00:00.500, status 2 at 12:00:02.500.
    await shop.post("/orders", [newOrder({ orderId: 1, deliveryStatusId: 1 })]);
    await clock.advance(2000);
    await shop.put("/orders", { deliveryStatusId: 2 }, { query: { orderId: 1 } });
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  async function ids(deliveryStatusId: number, start: string, finish: string): Promise<readonly number[]> {
    const { body } = await shop.get("/orders", {
      "journalParams[deliveryStatusId]": deliveryStatusId,
      journalStartAt: `2026-11-20 ${start}`,
      journalFinishAt: `2026-11-20 ${finish}`,
    });
    return body.map((order: { orderId: number }) => order.orderId);
  }

  test.each([
    [1, "11:00:00", "12:00:00", [1]],
    [1, "11:00:00", "11:59:59", []],
    [2, "12:00:00", "12:00:02", [1]],
    [2, "12:00:00", "12:00:01", []],
    [1, "12:00:02", "12:00:09", [1]],
    [1, "12:00:03", "12:00:09", []],
  ])("GET /orders with status %d from %s to %s gives the orders %j", async (status, start, finish, wanted) => {
    expect(await ids(status, start, finish)).toEqual(wanted);
  });
});
