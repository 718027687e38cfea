/** Opens the worlds of suites before their tests, and closes them after the tests, even after failures. */
import type { OpenDeliveryOptions } from "#handlers/delivery/open-delivery.js";
import { databaseKinds, type TestDatabase } from "../../support/site-databases.js";
import { createTestLogger } from "../../support/test-logger.js";
import { type MoneyWorld, openMoneyWorld } from "../../tools/money-model/money-world.js";
import { type DeliveryWorld, fillCatalog, openWorld, type Shop, type WorldOptions } from "./delivery-world.js";

export type NewDatabase = () => Promise<TestDatabase>;

/** Runs the suite on SQLite, and on PostgreSQL if a server is named; else those tests are reported as skipped. */
export function describeOnBothStores(title: string, suite: (newDatabase: NewDatabase) => void): void {
  for (const kind of databaseKinds) {
    const describeKind = kind.skipped === null ? describe : describe.skip;
    describeKind(`${title} on ${kind.name}`, () => suite(kind.create));
  }
}

export interface UsedWorld {
  readonly database: TestDatabase;
  readonly world: DeliveryWorld;
  readonly shop: Shop;
}

/** One world for all tests of the suite, with one shop for all tests or a new shop for each. */
export function useWorld(
  newDatabase: NewDatabase,
  shops: "one shop" | "a shop for each test",
  options: WorldOptions = {},
): UsedWorld {
  let database: TestDatabase;
  let world: DeliveryWorld;
  let shop: Shop;
  beforeAll(async () => {
    database = await newDatabase();
    world = await openWorld(database, options);
    if (shops === "one shop") shop = await filledShop(world);
  });
  beforeEach(async () => {
    if (shops === "a shop for each test") shop = await filledShop(world);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });
  return {
    get database() {
      return database;
    },
    get world() {
      return world;
    },
    get shop() {
      return shop;
    },
  };
}

export async function filledShop(world: DeliveryWorld): Promise<Shop> {
  const shop = await world.shop(`shop ${Math.random()}`);
  await fillCatalog(shop);
  return shop;
}

/** Worlds that single tests open or close, on new databases or on a given database. */
export function useOwnWorlds(newDatabase: NewDatabase) {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return async (options: WorldOptions = {}, given?: TestDatabase): Promise<DeliveryWorld> => {
    const database = given ?? (await newDatabase());
    if (given === undefined) ends.push(() => database.drop());
    const world = await openWorld(database, options);
    let closed: Promise<void> | null = null;
    const close = () => {
      closed ??= world.close();
      return closed;
    };
    ends.push(close);
    return { ...world, close };
  };
}

export interface UsedMoney {
  readonly money: MoneyWorld;
  readonly logged: readonly string[];
}

/** For each test of the suite: a shop with its till and courier on a new database. */
export function useMoney(newDatabase: NewDatabase, delivery: Partial<OpenDeliveryOptions> = {}): UsedMoney {
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
