import { isFault } from "@fiscald/shared/fault.js";
import type { ContractWorld } from "./world.js";

/** Longer than any wait for an answer. */
export const LONG_MS = 120_000;

export async function reconnect(world: ContractWorld): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    try {
      await world.live(world.driver.connect(world.signal));
      return;
    } catch (error) {
      if (!isFault(error)) throw error;
      await world.clock.advance(1_000);
    }
  }
  throw new Error("the register did not come back");
}
