/** The heart over a maker's own print service: the name of each run is on record before it, and settles every doubt. */
import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import type { FaultInput } from "@fiscald/drivers/emulator/fault-spec.js";
import { type Emulator, openEmulator } from "@fiscald/drivers/emulator/open-emulator.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { type Bench, newBenchPath, openBench, removeBenchFolders } from "../../support/register-bench.js";
import { waitFor } from "../../support/wait-for.js";

const waits = { connectMs: 300, requestMs: 150, quickMs: 300, documentMs: 300, fenceMs: 300, pollMs: 10 };
let drivers = 0;

function register(emulator: Emulator) {
  drivers += 1;
  const name = drivers / 1000;
  const device = createAtolDriver({
    openTransport: emulator.transportFactory,
    clock: systemClock,
    logger: silentLogger,
    random: () => name,
    options: atolOptionsSchema.parse({}),
    timeouts: waits,
  });
  return { device, settings: { cashier: { name: "Иванова А.А.", inn: null }, defaultTax: 11 } };
}

let undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.reverse()) await step();
  undo = [];
  removeBenchFolders();
});

async function openOn(protocol: "v1" | "v2"): Promise<{ bench: Bench; emulator: Emulator; path: string }> {
  const emulator = await openEmulator({ maker: "atol", protocol });
  const path = newBenchPath();
  const bench = openBench({ registers: [register(emulator)], path });
  undo.push(
    () => emulator.close(),
    () => bench.close(),
  );
  bench.addJob(makeReceipt({ lines: [makeItem({ name: "Первый" })] }));
  await bench.runQueue();
  expect(bench.stores.jobs.get(1).state).toBe("printed");
  return { bench, emulator, path };
}

function addSecond(bench: Bench): void {
  bench.addJob(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Второй" })] }));
  bench.wake.notify();
}

async function expectSecond(bench: Bench, emulator: Emulator): Promise<void> {
  await waitFor("the second order is printed", async () => {
    await bench.clock.advance(1000);
    return bench.stores.jobs.get(2).state === "printed";
  });
  const [, second, ...others] = emulator.core.documents.filter(({ type }) => type === "receipt");
  expect(others).toEqual([]);
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: second?.fd } });
}

const faults: readonly FaultInput[] = [
  { effect: "silent", when: { command: "post sell" } },
  { effect: "drop-answer", when: { command: "post sell" } },
  { effect: "late-execution", ms: 200, when: { command: "post sell" } },
  { effect: "unplug", ms: 5, when: { command: "post sell" } },
  { effect: "power-cut", ms: 5, when: { command: "close-receipt" } },
  { effect: "drop-answer", when: { command: "close-receipt" } },
  { effect: "late-execution", ms: 600, when: { command: "close-receipt" } },
];

describe.each(["v1", "v2"] as const)("generation %s", (protocol) => {
  test.each(faults)("one document for one order with $effect at $when.command", async (fault) => {
    const { bench, emulator } = await openOn(protocol);
    emulator.faults.add(fault);
    addSecond(bench);
    await expectSecond(bench, emulator);
  });

  test("a daemon that dies with its POST on the way finds it by the name that it had stored", async () => {
    const { bench, emulator, path } = await openOn(protocol);
    // The service takes the POST long after everybody has given it up.
    emulator.faults.add({ effect: "late-execution", ms: 250, when: { command: "post sell" } });
    addSecond(bench);
    await waitFor("the second order is being printed", async () => {
      await bench.clock.advance(100);
      return emulator.faults.list().some(({ struck }) => struck > 0);
    });
    const [attempt] = bench.stores.attempts.ofJob(2);
    expect(attempt?.baseline.requestId).toMatch(/^shop\|[0-9a-f]+\|till-1\|0$/);
    await bench.crash().close();
    const reborn = openBench({ registers: [register(emulator)], path });
    undo.push(() => reborn.close());
    reborn.startQueue();
    await expectSecond(reborn, emulator);
  });
});
