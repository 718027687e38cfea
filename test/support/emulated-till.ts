/** The daemon's fleet and queue over emulated registers, with the makers' drivers and their bytes. */
import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { createPiritDriver } from "@fiscald/drivers/pirit/driver.js";
import { piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import { createReferenceDriver } from "@fiscald/drivers/reference/driver.js";
import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { type Emulator, type EmulatorOptions, openEmulator } from "@fiscald/emulators/open-emulator.js";
import type { Behaviour, Exchange } from "@fiscald/emulators/wire/behaviour.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { ReceiptRequisites } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "./make-job.js";
import {
  type Bench,
  type BenchOptions,
  type BenchRegister,
  newBenchPath,
  openBench,
  removeBenchFolders,
} from "./register-bench.js";

export const makers = ["reference", "shtrih", "pirit", "atol"] as const;
export type Maker = (typeof makers)[number];

/** Longer than the emulators take to execute late, and far shorter than the waits for real registers. */
const shortWaits = {
  reference: { quickMs: 300, documentMs: 300 },
  shtrih: { status: 300, ordinary: 300, report: 300, openShift: 300, printing: 1000, printPoll: 5, reactMs: 100 },
};
const serviceWaits = { connectMs: 300, requestMs: 150, quickMs: 300, documentMs: 300, fenceMs: 300, pollMs: 10 };
let drivers = 0;

/** `isShort`: the driver waits no longer than a test may take. */
export function driverOf(
  maker: Maker,
  { transportFactory: openTransport }: Emulator,
  { isShort = false } = {},
): FiscalDriver {
  const parts = { openTransport, clock: systemClock, logger: silentLogger };
  const random = () => 0.5;
  switch (maker) {
    case "reference":
      return createReferenceDriver({ ...parts, random, timeouts: isShort ? shortWaits.reference : {} });
    case "shtrih":
      return createShtrihDriver({
        ...parts,
        options: shtrihOptionsSchema.parse({}),
        timeouts: isShort ? shortWaits.shtrih : {},
      });
    case "pirit":
      return createPiritDriver({ ...parts, random, options: piritOptionsSchema.parse({}) });
    case "atol": {
      drivers += 1;
      // The driver makes the names of its read requests from `random`, and two drivers must not make the same names.
      const name = drivers / 1000;
      const options = atolOptionsSchema.parse({});
      return createAtolDriver({ ...parts, random: () => name, options, timeouts: serviceWaits });
    }
  }
}

const cashier = { name: "Иванова А.А.", inn: null };

/** The register has the settings that its maker's documents need. */
export function registerOf(maker: Maker, emulator: Emulator, how: { readonly isShort?: boolean } = {}) {
  const settings: BenchRegister["settings"] = {
    pirit: { cashier },
    atol: { cashier, defaultTax: 11 },
    reference: {},
    shtrih: {},
  }[maker];
  return { device: driverOf(maker, emulator, how), settings };
}

let undo: (() => Promise<void>)[] = [];

/** The newest is closed first. */
export function closeLater(...steps: (() => Promise<void>)[]): void {
  undo.push(...steps);
}

/** To be called after each test. */
export async function closeTills(): Promise<void> {
  for (const step of undo.reverse()) await step();
  undo = [];
  removeBenchFolders();
}

export interface EmulatedTill {
  readonly bench: Bench;
  readonly emulator: Emulator;
  readonly driver: FiscalDriver;
  readonly path: string;
}

interface TillOptions extends Partial<Omit<EmulatorOptions, "clock">>, Pick<BenchOptions, "clock" | "allows20"> {
  readonly isShort?: boolean;
  readonly settings?: BenchRegister["settings"];
  /** Fields of the register's tables, such as `table.17.1.7`, in hex. */
  readonly fields?: Readonly<Record<string, string>>;
}

export async function openTill(
  maker: Maker,
  { isShort = false, settings, fields = {}, clock, allows20 = true, ...options }: TillOptions = {},
): Promise<EmulatedTill> {
  const emulator = await openEmulator({ maker, ...options });
  for (const [field, hex] of Object.entries(fields)) emulator.core.setMakerSetting(field, hex);
  const path = newBenchPath();
  const { device: driver, settings: usual } = registerOf(maker, emulator, { isShort });
  const registers = [{ device: driver, settings: { ...usual, ...settings } }];
  const bench = openBench({ registers, path, allows20, ...(clock === undefined ? {} : { clock }) });
  closeLater(
    () => emulator.close(),
    () => bench.close(),
  );
  return { bench, emulator, driver, path };
}

/** The register has printed the first order. */
export async function openWorking(...args: Parameters<typeof openTill>): Promise<EmulatedTill> {
  const opened = await openTill(...args);
  expect((await opened.bench.sell(first)).state).toBe("printed");
  return opened;
}

export const first = makeReceipt({ lines: [makeItem({ name: "Первый" })] });
export function addSecond(bench: Bench, requisites?: ReceiptRequisites): void {
  const named = requisites === undefined ? {} : { requisites };
  bench.queue(makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Второй" })], ...named }));
}

/** However the second order was disturbed, it is one document, and the daemon knows that. */
export async function expectSecond(bench: Bench, emulator: Emulator): Promise<void> {
  await bench.until("the second order is printed", () => bench.job(2).state === "printed");
  const [, second, ...others] = emulator.core.documents.filter(({ type }) => type === "receipt");
  expect(others).toEqual([]);
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fd: second?.fd } });
}

export const receiptsOf = ({ core }: Emulator) => core.documents.filter(({ type }) => type === "receipt");

/** Calls back at these commands. */
export function onCommand(
  { device }: Emulator,
  name: string,
  act: (exchange: Exchange) => "handled" | "pass",
): Behaviour {
  const behaviour: Behaviour = { onCommand: (exchange) => (exchange.names.includes(name) ? act(exchange) : "pass") };
  device.addBehaviour(behaviour);
  return behaviour;
}
