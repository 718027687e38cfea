/** A shop with a receiver of its callbacks, and a clock that only the test advances. */
import { type CallbackState, listCallbacks } from "#handlers/delivery/callbacks/callback-replay.js";
import type { DeliveryStore } from "#handlers/delivery/store/delivery-store.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { waitFor } from "../../../support/wait-for.js";
import { openReceiver, type Receiver } from "../callback-receiver.js";
import { type DeliveryWorld, fillCatalog, openWorld, type Shop } from "../delivery-world.js";
import type { NewDatabase } from "../use-world.js";

interface CallbackWorld {
  readonly clock: FakeClock;
  readonly world: DeliveryWorld;
  readonly shop: Shop;
  receiver: Receiver;
}

export function useCallbackWorld(newDatabase: NewDatabase) {
  let database: TestDatabase;
  let used: CallbackWorld;

  beforeEach(async () => {
    database = await newDatabase();
    const clock = createFakeClock();
    const world = await openWorld(database, { delivery: { clock, coalesceMs: 1000 } });
    used = { clock, world, shop: await world.shop(), receiver: await openReceiver() };
    await fillCatalog(used.shop);
    await used.shop.post("/orders/callback", { url: used.receiver.url, isActive: 1 });
  });
  afterEach(async () => {
    used.receiver.close();
    await used.world.close();
    await database.drop();
  });

  const store = (): DeliveryStore => used.world.backend.store;
  /** Waits until the sender has seen what is due by then. An older, later timer does not count. */
  const timerSet = (withinMs: number) =>
    waitFor("the sender waits", () => used.clock.nextDueMs !== null && used.clock.nextDueMs <= withinMs);

  return {
    get clock() {
      return used.clock;
    },
    get world() {
      return used.world;
    },
    get shop() {
      return used.shop;
    },
    get receiver() {
      return used.receiver;
    },
    set receiver(receiver: Receiver) {
      used.receiver = receiver;
    },
    store,
    timerSet,
    arrived: (count: number) => waitFor(`${count} callbacks arrived`, () => used.receiver.received.length >= count),
    settled: (state: CallbackState, count = 1) =>
      waitFor(`${count} callbacks are ${state}`, async () => (await listCallbacks(store(), { state })).length >= count),
    /** Moves the clock by the time in which changes are collected into one callback. */
    async sendOut(): Promise<void> {
      await timerSet(1000);
      await used.clock.advance(1000);
    },
  };
}
