/** The heart over a maker's own print service: the name of each run is on record before it, and settles every doubt. */
import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import type { Behaviour, Exchange } from "@fiscald/drivers/emulator/behaviour.js";
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

const first = makeReceipt({ lines: [makeItem({ name: "Первый" })] });
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
  bench.addJob(first);
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
    expect(attempt?.baseline.requestId).toMatch(/^shop\|[0-9a-f]+\|till-1\|0\|0$/);
    await bench.crash().close();
    const reborn = openBench({ registers: [register(emulator)], path });
    undo.push(() => reborn.close());
    reborn.startQueue();
    await expectSecond(reborn, emulator);
  });
});

/** More documents than a register that is seen for the first time is asked for. */
function pass100Documents({ core }: Emulator): void {
  for (let shift = 0; shift < 60; shift += 1) {
    core.closeShift({ paper: false, tags: [] });
    core.openShift({ paper: false, tags: [] });
  }
}

/** An empty database, and the site offers the first order again. */
async function offerAgain(emulator: Emulator): Promise<Bench> {
  const bench = openBench({ registers: [register(emulator)] });
  undo.push(() => bench.close());
  bench.addJob(first);
  bench.startQueue();
  await waitFor("the order is settled", async () => {
    await bench.clock.advance(1000);
    return !["queued", "printing"].includes(bench.stores.jobs.get(1).state);
  });
  return bench;
}

const receiptsOf = ({ core }: Emulator) => core.documents.filter(({ type }) => type === "receipt");

describe("an order that was printed long ago and that a lost database has forgotten", () => {
  test("is answered with its own document by the name of its run", async () => {
    const { bench, emulator } = await openOn("v2");
    await bench.close();
    pass100Documents(emulator);
    const after = await offerAgain(emulator);
    const [receipt, ...others] = receiptsOf(emulator);
    expect(others).toEqual([]);
    expect(after.stores.jobs.get(1)).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
  });

  test("is found although the tries before it ended otherwise: with the cover open, in another state of the shift", async () => {
    const emulator = await openEmulator({ maker: "atol" });
    undo.push(() => emulator.close());
    const bench = openBench({ registers: [register(emulator)] });
    undo.push(() => bench.close());
    emulator.core.openShift({ paper: false, tags: [] });
    // The state was read before the cover was opened; the program's own look at the register finds it open.
    const coverOpen: Behaviour = {
      onCommand: ({ names, act, answer }) => {
        const inHand = bench.stores.attempts.ofJob(1).at(-1);
        if (!names.includes("POST operations/queryDeviceStatus") || inHand?.outcome !== null) return "pass";
        if (bench.stores.attempts.ofJob(1).length > 1) return "pass";
        const text = Buffer.from(act() ?? []).toString("latin1");
        answer(Uint8Array.from(Buffer.from(text.replace('"coverOpened":false', '"coverOpened":true '), "latin1")));
        return "handled";
      },
    };
    emulator.device.addBehaviour(coverOpen);
    bench.addJob(first);
    await bench.runQueue();
    emulator.device.removeBehaviour(coverOpen);
    expect(bench.stores.attempts.ofJob(1)).toHaveLength(2);
    await bench.close();
    pass100Documents(emulator);
    emulator.core.closeShift({ paper: false, tags: [] });
    const after = await offerAgain(emulator);
    const [receipt, ...others] = receiptsOf(emulator);
    expect(others).toEqual([]);
    expect(after.stores.jobs.get(1)).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
  });
});

/** Steps in at these commands. */
function onCommand({ device }: Emulator, name: string, act: (exchange: Exchange) => "handled" | "pass"): Behaviour {
  const behaviour: Behaviour = { onCommand: (exchange) => (exchange.names.includes(name) ? act(exchange) : "pass") };
  device.addBehaviour(behaviour);
  return behaviour;
}

async function expectUnsure(bench: Bench, reason: string): Promise<void> {
  await waitFor("the second order is unsure", async () => {
    await bench.clock.advance(1000);
    return bench.stores.attempts.ofJob(2).some(({ doubt }) => doubt?.reason === reason);
  });
  expect(bench.stores.jobs.get(2).state).toBe("unsure");
  expect(bench.told.results).toContainEqual({ job: 2, outcome: "unknown", fd: null });
}

describe("a job that the service says it has carried out", () => {
  test("on another drive, its default register having been switched, is unsure and never printed again", async () => {
    const { bench, emulator } = await openOn("v2");
    // Another register did it: the answer is all there is of it.
    onCommand(emulator, "close-receipt", ({ answer }) => {
      const fiscalParams = {
        ...{ fiscalDocumentNumber: 77, fiscalDocumentSign: "0000000077", fiscalReceiptNumber: 7, shiftNumber: 9 },
        ...{ fiscalDocumentDateTime: "2026-11-20T15:00:00+03:00", fnNumber: "9999000011112222", total: 100 },
      };
      answer(Uint8Array.from(Buffer.from(JSON.stringify({ code: 0, result: { fiscalParams, warnings: null } }))));
      return "handled";
    });
    addSecond(bench);
    await expectUnsure(bench, "misplaced");
    expect(receiptsOf(emulator)).toHaveLength(1);
    expect(bench.stores.attempts.ofJob(2)).toHaveLength(1);
  });
});

describe("a job that a killed service left in progress, with nothing on the drive", () => {
  test("is unsure, does not hinder the next one, and is printed when the service ends it after all", async () => {
    const emulator = await openEmulator({ maker: "atol", unconfirmed: { killed: "late" } });
    const bench = openBench({ registers: [register(emulator)] });
    undo.push(
      () => emulator.close(),
      () => bench.close(),
    );
    bench.addJob(first);
    await bench.runQueue();
    const before = onCommand(emulator, "close-receipt", () => {
      emulator.device.powerCut(5);
      return "handled";
    });
    addSecond(bench);
    await expectUnsure(bench, "no-final-status");
    emulator.device.removeBehaviour(before);
    expect(receiptsOf(emulator)).toHaveLength(1);
    await waitFor("the service has taken the job up again", async () => receiptsOf(emulator).length === 2);
    bench.addJob(makeReceipt({ orderId: toOrderId("A-3"), lines: [makeItem({ name: "Третий" })] }));
    bench.wake.notify();
    await waitFor("both are printed", async () => {
      await bench.clock.advance(1000);
      return [2, 3].every((id) => bench.stores.jobs.get(id).state === "printed");
    });
    const fds = receiptsOf(emulator).map(({ fd }) => fd);
    expect([1, 2, 3].map((id) => bench.stores.jobs.get(id).document?.fd)).toEqual(fds);
  });
});
