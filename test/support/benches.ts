/** What tests that open several benches in a row share: they are closed after each test, and their files removed. */
import { copyFileSync, rmSync } from "node:fs";
import { OperatorActions } from "@fiscald/daemon/registers/operator/operator-actions.js";
import type { RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import { queueShiftClose } from "@fiscald/daemon/registers/shift/queue-shift-close.js";
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { makeItem, makeReceipt } from "./make-job.js";
import {
  type Bench,
  type BenchOptions,
  type BenchRegister,
  benchSettings,
  openBench,
  removeBenchFolders,
} from "./register-bench.js";
import { addForeignReceipt, type ScriptedDevice, scriptedCapabilities } from "./scripted-driver.js";

export interface Benches {
  open(options: BenchOptions): Bench;
  /** One that came of another, by a crash. */
  keep(bench: Bench): void;
}

/** Call it at the top of a test file. */
export function useBenches(): Benches {
  let benches: Bench[] = [];
  afterEach(async () => {
    for (const bench of benches) await bench.close();
    benches = [];
    removeBenchFolders();
  });
  return {
    open(options) {
      const bench = openBench(options);
      benches.push(bench);
      return bench;
    },
    keep: (bench) => void benches.push(bench),
  };
}

/** They are till-1, till-2 and so on, all with these settings. */
export function tillsOf(
  devices: readonly (ScriptedDevice | FiscalDriver)[],
  settings: Partial<RegisterSettings> = {},
): BenchRegister[] {
  return devices.map((device, index) => ({ device, settings: { id: toRegisterId(`till-${index + 1}`), ...settings } }));
}

/** Copies a database that no daemon has open. The function puts the copy back in its place. */
export function copyDatabase(path: string): () => void {
  copyFileSync(path, `${path}.copy`);
  return () => {
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    copyFileSync(`${path}.copy`, path);
  };
}

/** Of a model whose receipts carry no order mark. */
export const noMarks = { ...scriptedCapabilities, fiscal: { ...scriptedCapabilities.fiscal, orderMark: false } };

/** A sale of one item that is named like its order. */
export function orderNamed(id: string): SaleReceipt {
  return makeReceipt({ orderId: toOrderId(id), lines: [makeItem({ name: id })] });
}

/** The closing of its shift is queued, as at a closing time. */
export function closeShift({ stores, clock, wake }: Bench): void {
  queueShiftClose({ settings: benchSettings(), stores, clock }, "it is time");
  wake.notify();
}

/** An operator at this bench; what he settles is told as its sites are told. */
export function operatorAt({ stores, fleet, clock, wake, events }: Bench): OperatorActions {
  return new OperatorActions({
    ...{ stores, fleet, events, clock },
    log: silentLogger,
    newDigits: () => "feedc0de",
    hasKit: () => true,
    wake: () => wake.notify(),
  });
}

/**
 * Job 1 is printed. Job 2 is unsure: its answer was lost, and another program's receipt of the same goods came before the
 * fence.
 */
export async function leaveUnsure(bench: Bench, device: ScriptedDevice): Promise<void> {
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name !== "fence") return;
    addForeignReceipt(device, orderNamed("A-2"));
    device.onCall = () => {};
  };
  bench.addJob(orderNamed("A-2"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(2).state).toBe("unsure");
}

/** Job 1 is printed. Job 2 is document 3, with its mark; it is unsure, because that could not be read meanwhile. */
export async function leaveUnread(bench: Bench, device: ScriptedDevice): Promise<void> {
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  device.faults = [{ kind: "after" }];
  device.unreadable = new Set([3]);
  bench.addJob(orderNamed("A-2"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(2).state).toBe("unsure");
}
