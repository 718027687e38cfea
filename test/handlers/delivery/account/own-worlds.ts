import type { DeliveryWorld, WorldOptions } from "../delivery-world.js";
import { openWorld } from "../delivery-world.js";
import type { NewDatabase } from "../on-both-stores.js";

/** Opens worlds with settings of their own for single tests; each is closed after its test, however that ends. */
export function ownWorlds(newDatabase: NewDatabase): (options: WorldOptions) => Promise<DeliveryWorld> {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return async (options) => {
    const database = await newDatabase();
    const world = await openWorld(database, options);
    ends.push(async () => {
      await world.close();
      await database.drop();
    });
    return world;
  };
}
