/** Benches for tests that open several of them: all are closed after each test, and their files removed. */
import { copyFileSync, existsSync, rmSync } from "node:fs";
import type { RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import { queueShiftClose } from "@fiscald/daemon/registers/shift/queue-shift-close.js";
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { defaultSettings } from "./make-snapshot.js";
import {
  type Bench,
  type BenchOptions,
  type BenchRegister,
  openBench,
  orderNamed,
  removeBenchFolders,
} from "./register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  type ScriptedDevice,
  scriptedCapabilities,
} from "./scripted-driver.js";

export { newBenchPath, orderNamed } from "./register-bench.js";

export interface Till {
  readonly bench: Bench;
  readonly device: ScriptedDevice;
}

type OneRegister = Omit<BenchOptions, "registers"> & Pick<BenchRegister, "settings">;

export interface Benches {
  open(options: BenchOptions): Bench;
  openOn(device: ScriptedDevice | FiscalDriver, options?: OneRegister): Bench;
  /** Opens a bench with one register, which differs from the usual one by `over`. */
  openTill(over?: Partial<ScriptedDevice>, options?: OneRegister): Till;
}

/** To be called at the top of a test file. */
export function useBenches(): Benches {
  let benches: Bench[] = [];
  afterEach(async () => {
    for (const bench of benches) await bench.close();
    benches = [];
    removeBenchFolders();
  });
  const open = (options: BenchOptions) => openBench({ ...options, onOpened: (bench) => benches.push(bench) });
  const openOn: Benches["openOn"] = (device, { settings = {}, ...options } = {}) =>
    open({ ...options, registers: [{ device, settings }] });
  return {
    open,
    openOn,
    openTill(over = {}, options = {}) {
      const device = createScriptedDevice(over);
      return { device, bench: openOn(device, options) };
    },
  };
}

/** The register of a bench that has only one. */
export const TILL = toRegisterId("till-1");

/** The registers are till-1, till-2 and so on, all with the same settings. */
export function tillsOf(
  devices: readonly (ScriptedDevice | FiscalDriver)[],
  settings: Partial<RegisterSettings> = {},
): BenchRegister[] {
  return devices.map((device, index) => ({ device, settings: { id: toRegisterId(`till-${index + 1}`), ...settings } }));
}

/** Copies a closed database and the files with the suffixes `beside`. The returned function puts the copy back. */
export function copyDatabase(path: string, beside: readonly string[] = []): () => void {
  const copied = ["", ...beside].filter((suffix) => existsSync(`${path}${suffix}`));
  for (const suffix of copied) copyFileSync(`${path}${suffix}`, `${path}.copy${suffix}`);
  return () => {
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    for (const suffix of copied) copyFileSync(`${path}.copy${suffix}`, `${path}${suffix}`);
  };
}

/** For a model whose receipts carry no order mark. */
export const noMarks = { ...scriptedCapabilities, fiscal: { ...scriptedCapabilities.fiscal, orderMark: false } };

export const withCode = (code: string) => expect.objectContaining({ code });

/** A promise that never resolves: the device waits for it while the daemon dies. */
export const never = new Promise<void>(() => {});

/** Acts when the device is next asked for `name`; later calls have no effect. */
export function once(device: ScriptedDevice, name: string, act: () => void | Promise<void>): void {
  device.onCall = (asked) => {
    if (asked !== name) return undefined;
    device.onCall = () => {};
    return act();
  };
}

/** Records everything that the device is asked for from now on. */
export function listen(device: ScriptedDevice): string[] {
  const asked: string[] = [];
  device.onCall = (name) => void asked.push(name);
  return asked;
}

export function closeShift({ stores, clock, wake }: Bench): void {
  queueShiftClose({ settings: defaultSettings(), stores, clock }, "it is time");
  wake.notify();
}

/**
 * Job 1 is printed. Job 2 is unsure: its answer was lost, and another program's receipt of the same goods was
 * registered before the fence.
 */
export async function leaveUnsure(bench: Bench, device: ScriptedDevice): Promise<void> {
  await bench.sell("A-1");
  device.faults = [{ kind: "after" }];
  once(device, "fence", () => addForeignReceipt(device, orderNamed("A-2")));
  expect((await bench.sell("A-2")).state).toBe("unsure");
}

/** Job 1 is printed. Job 2 is document 3, with its mark; it is unsure, because that document could not be read. */
export async function leaveUnread(bench: Bench, device: ScriptedDevice): Promise<void> {
  await bench.sell("A-1");
  device.faults = [{ kind: "after" }];
  device.unreadable = new Set([3]);
  expect((await bench.sell("A-2")).state).toBe("unsure");
}
