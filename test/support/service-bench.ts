/** The heart of the daemon over an emulated print service of ATOL. */
import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import { type Emulator, type EmulatorOptions, openEmulator } from "@fiscald/emulators/open-emulator.js";
import type { Behaviour, Exchange } from "@fiscald/emulators/wire/behaviour.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { ReceiptRequisites } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "./make-job.js";
import { type Bench, newBenchPath, openBench, removeBenchFolders } from "./register-bench.js";
import { waitFor } from "./wait-for.js";

const waits = { connectMs: 300, requestMs: 150, quickMs: 300, documentMs: 300, fenceMs: 300, pollMs: 10 };
let drivers = 0;

/** Each has names of its own for what it only asks. */
export function register(emulator: Emulator) {
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

export const first = makeReceipt({ lines: [makeItem({ name: "Первый" })] });
let undo: (() => Promise<void>)[] = [];

/** Closed after the test, the newest first. */
export function closeLater(...steps: (() => Promise<void>)[]): void {
  undo.push(...steps);
}

/** Call it after each test. */
export async function closeServiceBenches(): Promise<void> {
  for (const step of undo.reverse()) await step();
  undo = [];
  removeBenchFolders();
}

/** A register of ATOL. */
export async function openIdle(
  options: Partial<EmulatorOptions> = {},
): Promise<{ bench: Bench; emulator: Emulator; path: string }> {
  const emulator = await openEmulator({ maker: "atol", ...options });
  const path = newBenchPath();
  const bench = openBench({ registers: [register(emulator)], path });
  closeLater(
    () => emulator.close(),
    () => bench.close(),
  );
  return { bench, emulator, path };
}

/** It has printed the first order. */
export async function openOn(protocol: "v1" | "v2"): ReturnType<typeof openIdle> {
  const opened = await openIdle({ protocol });
  const { bench } = opened;
  bench.addJob(first);
  await bench.runQueue();
  expect(bench.stores.jobs.get(1).state).toBe("printed");
  return opened;
}

export function addSecond(bench: Bench, requisites?: ReceiptRequisites): void {
  const named = requisites === undefined ? {} : { requisites };
  bench.addJob(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Второй" })], ...named }));
  bench.wake.notify();
}

/** The second order, however it was disturbed, is one document and known as such. */
export async function expectSecond(bench: Bench, emulator: Emulator): Promise<void> {
  await waitFor("the second order is printed", async () => {
    await bench.clock.advance(1000);
    return bench.stores.jobs.get(2).state === "printed";
  });
  const [, second, ...others] = emulator.core.documents.filter(({ type }) => type === "receipt");
  expect(others).toEqual([]);
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: second?.fd } });
}

export const receiptsOf = ({ core }: Emulator) => core.documents.filter(({ type }) => type === "receipt");

/** Steps in at these commands. */
export function onCommand(
  { device }: Emulator,
  name: string,
  act: (exchange: Exchange) => "handled" | "pass",
): Behaviour {
  const behaviour: Behaviour = { onCommand: (exchange) => (exchange.names.includes(name) ? act(exchange) : "pass") };
  device.addBehaviour(behaviour);
  return behaviour;
}
