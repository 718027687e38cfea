import { existsSync } from "node:fs";
import { consoleLogger } from "@fiscald/shared/logger.js";
import { keepDeadMs, keepDeliveredMs } from "#handlers/delivery/callbacks/callback-purge.js";
import { callbackTimeoutMs, retryDelaysMs } from "#handlers/delivery/callbacks/deliver-callbacks.js";
import { openDelivery } from "#handlers/delivery/open-delivery.js";
import { createToken } from "#handlers/delivery/store/access-tokens.js";
import { openReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { openStore } from "#handlers/store/open-store.js";
import type { TestDatabase } from "../../support/site-databases.js";
import { describeOnBothStores } from "./use-world.js";

describeOnBothStores("the delivery API's database", (newDatabase) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await newDatabase();
  });
  afterEach(() => database.drop());

  test.each([
    ["delivery", "whole", openDelivery],
    ["print-server", "whole", openDelivery],
    ["print-server", "receipts alone", openReceiptStore],
  ])(
    "a database of a newer version of %s is refused by an older program (%s), and not changed",
    async (part, _what, openOlder) => {
      await (await openDelivery({ database: database.address })).close();
      const store = (await openStore({ address: database.address })).withTables<{
        schema_versions: { part: string; version: number };
      }>();
      const setVersion = (version: number) =>
        store.transaction((tx) =>
          tx.updateTable("schema_versions").set({ version }).where("part", "=", part).execute(),
        );
      await setVersion(99);
      await expect(openOlder({ database: database.address })).rejects.toMatchObject({ code: "store.newer" });
      const { version } = await store.db
        .selectFrom("schema_versions")
        .select("version")
        .where("part", "=", part)
        .executeTakeFirstOrThrow();
      expect(version).toBe(99);
      await store.close();
      // The last connection to SQLite removes the log file, so the refused connection has left none.
      expect(existsSync(`${database.address}-wal`)).toBe(false);
    },
  );

  test("openDelivery without options has the defaults that the README names", async () => {
    const delivery = await openDelivery({ database: database.address });
    try {
      const { rules, loginLimit, logger, store, testCallback } = delivery.backend;
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
      expect(delivery.bridge).not.toBeNull();
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

  test("a new or an existing database can be opened by two nodes at the same moment", async () => {
    for (const _round of [1, 2]) {
      const nodes = await Promise.all([1, 2].map(() => openDelivery({ database: database.address })));
      for (const node of nodes) await node.close();
    }
  });
});
