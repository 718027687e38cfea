import { openDeliveryStore } from "@fiscald/handlers/delivery/open-delivery.js";
import { openStore } from "@fiscald/handlers/store/open-store.js";
import type { TestDatabase } from "../../support/site-databases.js";
import { describeOnBothStores } from "./on-both-stores.js";

describeOnBothStores("the delivery API's database", (newDatabase) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await newDatabase();
  });
  afterEach(() => database.drop());

  test.each(["delivery", "print-server"])(
    "of a newer version of %s is refused by an older program, and left as it was",
    async (part) => {
      await (await openDeliveryStore({ database: database.address })).close();
      const store = (await openStore({ address: database.address })).withTables<{
        schema_versions: { part: string; version: number };
      }>();
      const setVersion = (version: number) =>
        store.transaction((tx) =>
          tx.updateTable("schema_versions").set({ version }).where("part", "=", part).execute(),
        );
      await setVersion(99);
      await expect(openDeliveryStore({ database: database.address })).rejects.toMatchObject({ code: "store.newer" });
      const { version } = await store.db
        .selectFrom("schema_versions")
        .select("version")
        .where("part", "=", part)
        .executeTakeFirstOrThrow();
      expect(version).toBe(99);
      await store.close();
    },
  );

  test("can be opened by two nodes at the same moment, new or not", async () => {
    for (const _round of [1, 2]) {
      const nodes = await Promise.all([1, 2].map(() => openDeliveryStore({ database: database.address })));
      for (const node of nodes) await node.close();
    }
  });
});
