/**
 * Setting the clock of a Shtrih-M: between commands 22h and 23h the register accepts only the confirmation of the
 * date.
 */
import { type Emulator, openEmulator } from "@fiscald/drivers/emulator/open-emulator.js";
import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { type LocalTime, localTimeAt } from "@fiscald/shared/local-time.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { ServiceJob } from "@fiscald/shared/receipt/receipt.js";
import { type Bench, openBench, removeBenchFolders } from "../../../support/register-bench.js";
import { waitFor } from "../../../support/wait-for.js";

let undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  undo = [];
  removeBenchFolders();
});

const syncTime: ServiceJob = {
  kind: "service",
  orderId: null,
  receiptId: null,
  kkm: null,
  format: "task-table",
  cancelFirst: false,
  lines: [{ type: "sync-time" }],
};

/** With its clock right, so that an order may set it. */
async function open(): Promise<{ emulator: Emulator; bench: Bench; now: LocalTime }> {
  const emulator = await openEmulator({ maker: "shtrih" });
  const waits = { status: 300, ordinary: 300, report: 300, openShift: 300, printing: 1000, printPoll: 5, reactMs: 100 };
  const bench = openBench({
    registers: [
      {
        device: createShtrihDriver({
          openTransport: emulator.transportFactory,
          clock: systemClock,
          logger: silentLogger,
          options: shtrihOptionsSchema.parse({}),
          timeouts: waits,
        }),
      },
    ],
  });
  undo.push(
    () => emulator.close(),
    () => bench.close(),
  );
  const now = localTimeAt(bench.clock.now(), "Europe/Moscow");
  emulator.core.setTime(now);
  return { emulator, bench, now };
}

/** How often 23h has come: STX, length 8, its code. */
const confirmations = ({ device }: Emulator) =>
  device.wire.last(1000).filter(({ direction, hex }) => direction === "in" && hex.includes("020823")).length;

test("a connection lost before the confirmation: the driver reconnects and the clock is set", async () => {
  const { emulator, bench } = await open();
  bench.startQueue();
  await bench.settled();
  emulator.faults.add({ effect: "unplug", ms: 5, when: { command: "set-date" } });
  bench.addJob(syncTime);
  bench.wake.notify();
  await waitFor("the clock is set", async () => {
    await bench.clock.advance(1000);
    return bench.stores.jobs.get(1).state === "printed";
  });
  expect(bench.fleet.snapshots()[0]).toMatchObject({ phase: "ready", fault: null });
  expect(confirmations(emulator)).toBeGreaterThan(0);
});

test("a date that another program is setting is left unconfirmed for a person", async () => {
  const { emulator, bench } = await open();
  // 22h of another program: 1 January 2030, waiting for 23h.
  emulator.core.setMakerSetting("date-to-confirm", "01011e");
  bench.addJob(syncTime);
  bench.startQueue();
  await bench.clock.advance(60_000);
  await bench.settled();
  expect(bench.fleet.snapshots()[0]).toMatchObject({ phase: "blocked", fault: { code: "device.clock" } });
  expect(confirmations(emulator)).toBe(0);
});
