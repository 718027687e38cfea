import type { OpenDeliveryOptions } from "#handlers/delivery/open-delivery.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { type MoneyWorld, openMoneyWorld } from "../../../tools/money-model/money-world.js";
import type { NewDatabase } from "../on-both-stores.js";

export interface MoneyOfEach {
  /** That of the test that runs. */
  readonly money: MoneyWorld;
  /** What it has logged. */
  readonly logged: readonly string[];
}

/** Opens a shop with its till and its courier, on a database of its own, for each test of the suite that calls it. */
export function moneyOfEach(newDatabase: NewDatabase, delivery: Partial<OpenDeliveryOptions> = {}): MoneyOfEach {
  const logged: string[] = [];
  let database: TestDatabase;
  let current: MoneyWorld;
  beforeEach(async () => {
    logged.length = 0;
    database = await newDatabase();
    current = await openMoneyWorld(database, { logger: createTestLogger((line) => logged.push(line)), ...delivery });
  });
  afterEach(async () => {
    await current.close();
    await database.drop();
  });
  const money: MoneyWorld = {
    get world() {
      return current.world;
    },
    get shop() {
      return current.shop;
    },
    get till() {
      return current.till;
    },
    get courier() {
      return current.courier;
    },
    close: () => current.close(),
  };
  return { money, logged };
}
