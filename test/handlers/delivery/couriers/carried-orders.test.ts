/** However many orders the shop has had, a report costs the same. SQLite plans queries without knowing the rows. */
import { createQueryId, type KyselyPlugin, type RootOperationNode } from "kysely";
import { carriedOrders } from "#handlers/delivery/couriers/courier-orders.js";
import { createSqliteFile, type TestDatabase } from "../../../support/site-databases.js";
import { type DeliveryWorld, openWorld } from "../delivery-world.js";

let database: TestDatabase;
let world: DeliveryWorld;
beforeAll(async () => {
  database = await createSqliteFile();
  world = await openWorld(database);
});
afterAll(async () => {
  await world.close();
  await database.drop();
});

test.each([
  ["his order by its id", { orderId: "1042" }, /\(resource=\? AND order_id=\?\)/],
  ["all of his orders", {}, /\(courier_id=\? AND is_active=\? AND resource=\?\)/],
])("the query for a shop's courier finds %s without reading all of the shop's orders", async (_title, filter, plan) => {
  const nodes: RootOperationNode[] = [];
  const watch: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { db } = world.backend.store;
  await carriedOrders(db.withPlugin(watch), { sessionId: 1, courierId: "7", owner: 1, roleId: null }, filter);
  const steps = nodes.map(async (node) => {
    const query = db.getExecutor().compileQuery(node, createQueryId());
    const { rows } = await db.executeQuery<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
    return rows.map(({ detail }) => detail);
  });
  expect((await Promise.all(steps)).flat()).toEqual([expect.stringMatching(plan)]);
});
