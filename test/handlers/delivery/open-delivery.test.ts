import { sql } from "kysely";
import { keepDeadMs, keepDeliveredMs } from "#handlers/delivery/callbacks/callback-purge.js";
import { callbackTimeoutMs, retryDelaysMs } from "#handlers/delivery/callbacks/deliver-callbacks.js";
import { internalsOf } from "#handlers/delivery/delivery-handle.js";
import { openDeliveryStore } from "#handlers/delivery/open-delivery.js";
import { createToken } from "#handlers/delivery/store/access-tokens.js";
import { consoleLogger } from "#handlers/print-server/console-logger.js";
import { openStore } from "#handlers/store/open-store.js";
import type { TestDatabase } from "../../support/site-databases.js";
import { describeOnBothStores } from "./on-both-stores.js";

describeOnBothStores("the delivery API's database", (newDatabase) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await newDatabase();
  });
  afterEach(() => database.drop());

  test.each(["delivery_migrations", "print_server_migrations"])(
    "of a newer version (%s) is refused by an older program, and left as it was",
    async (table) => {
      await (await openDeliveryStore({ database: database.address })).close();
      const { db, close } = await openStore({ address: database.address });
      const newest = sql`insert into ${sql.table(table)} (name, timestamp) values ('0099', '2030-01-01')`;
      await newest.execute(db);
      await expect(openDeliveryStore({ database: database.address })).rejects.toMatchObject({ code: "store.newer" });
      const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
      expect(rows.at(-1)).toEqual({ name: "0099" });
      await close();
    },
  );

  test("has the defaults of the README's table where nothing else is said", async () => {
    const delivery = await openDeliveryStore({ database: database.address });
    try {
      const { rules, loginLimit, logger, store, testCallback } = internalsOf(delivery).backend;
      expect(logger).toBe(consoleLogger);
      expect(rules).toEqual({
        strictTransitions: false,
        printPrepaymentReceipt: false,
        coalesceMs: 1000,
        passwordCost: 16_384,
        sessionMs: 30 * 24 * 3_600_000,
        pageBase: 1,
        registerTimeZone: "Europe/Moscow",
      });
      expect(internalsOf(delivery).bridge).not.toBeNull();
      const login = { address: "192.0.2.1", courier: "1:7", knownDevice: null };
      for (let attempt = 1; attempt <= 10; attempt += 1) loginLimit.begin(login);
      expect(() => loginLimit.begin(login)).toThrow(expect.objectContaining({ code: "api.too-many" }));
      const { resource } = await createToken(store, "shop", Date.now());
      const call = { resource: resource.id, url: "http://127.0.0.1:9/", body: {} };
      await expect(testCallback(call)).rejects.toThrow("private address");
      const minutes = retryDelaysMs.map((delay) => delay / 60_000);
      expect([callbackTimeoutMs, minutes]).toEqual([10_000, [1, 5, 15, 60, 360, 1440]]);
      const days = [keepDeliveredMs, keepDeadMs].map((time) => time / (24 * 3_600_000));
      expect(days).toEqual([7, 90]);
    } finally {
      await delivery.close();
    }
  });

  test("can be opened by two nodes at the same moment, new or not", async () => {
    for (const _round of [1, 2]) {
      const nodes = await Promise.all([1, 2].map(() => openDeliveryStore({ database: database.address })));
      for (const node of nodes) await node.close();
    }
  });
});
