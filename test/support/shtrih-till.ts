/** The heart of the daemon over an emulated Shtrih-M register. */

import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { type Bench, openBench, removeBenchFolders } from "./register-bench.js";

export interface Till {
  readonly bench: Bench;
  readonly emulator: Emulator;
  readonly driver: FiscalDriver;
}

let undo: (() => Promise<void>)[] = [];

/** Closed after the test, the newest first. */
export function closeLater(...steps: (() => Promise<void>)[]): void {
  undo.push(...steps);
}

/** Call it after each test. */
export async function closeTills(): Promise<void> {
  for (const step of undo.reverse()) await step();
  undo = [];
  removeBenchFolders();
}

/** `settings`: fields of its tables, such as `table.17.1.7`, in hex. */
export async function openTill(settings: Readonly<Record<string, string>> = {}, model = "desktop"): Promise<Till> {
  const emulator = await openEmulator({ maker: "shtrih", model });
  for (const [field, hex] of Object.entries(settings)) emulator.core.setMakerSetting(field, hex);
  const driver = createShtrihDriver({
    ...{ openTransport: emulator.transportFactory, clock: systemClock, logger: silentLogger },
    options: shtrihOptionsSchema.parse({}),
  });
  const bench = openBench({ registers: [{ device: driver }] });
  closeLater(
    () => emulator.close(),
    () => bench.close(),
  );
  return { bench, emulator, driver };
}
