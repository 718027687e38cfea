/** A service job that has set the clock and is retried for its remaining part while a shift is open. */
import { type Emulator, openEmulator } from "@fiscald/drivers/emulator/open-emulator.js";
import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { ServiceJob } from "@fiscald/shared/receipt/receipt.js";
import { operatorAt, useBenches } from "../../../support/benches.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeReceipt } from "../../../support/make-job.js";

let emulator: Emulator;
afterEach(() => emulator.close());
const { open } = useBenches();
const { kkm, orderId, receiptId, format, cancelFirst } = makeReceipt();
const lines: ServiceJob["lines"] = [{ type: "sync-time" }, { type: "cash", direction: "out", sum: kopecks(100) }];

test("a retried service job completes without setting the clock again", async () => {
  emulator = await openEmulator({ maker: "shtrih" });
  const device = createShtrihDriver({
    openTransport: emulator.transportFactory,
    clock: systemClock,
    logger: silentLogger,
    options: shtrihOptionsSchema.parse({}),
  });
  // Not before the registration of the drive.
  const bench = open({ registers: [{ device }], clock: createFakeClock({ now: Date.now() }) });
  emulator.core.setTime(localTimeAt(bench.clock.now(), "Europe/Moscow"));
  emulator.faults.add({ effect: "error", code: 0x46, when: { command: "cash-out" }, times: 100 });
  const job = bench.addJob({ kind: "service", kkm, orderId, receiptId, format, cancelFirst, lines });
  await bench.runQueue();
  expect(bench.stores.jobs.get(job.id)).toMatchObject({ state: "failed", doneParts: 1 });

  emulator.faults.clear();
  const sale = bench.addJob(makeReceipt());
  await bench.runQueue();
  expect(bench.stores.jobs.get(sale.id).state).toBe("printed");
  operatorAt(bench).retry(job.id, "there is cash now");
  await bench.runQueue();
  expect(bench.stores.jobs.get(job.id).state).toBe("printed");
  expect(emulator.core.shiftRecord.cashOut).toBe(100);
});
