/** The config changes between two runs: a register gets another id, or is taken out, with jobs of it on record. */
import { createOperatorActions } from "@fiscald/daemon/registers/operator-actions.js";
import { toFnSerial, toInn, toKkm, toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { type Bench, newBenchPath, openBench, removeBenchFolders } from "../../support/register-bench.js";
import {
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
  scriptedCapabilities,
} from "../../support/scripted-driver.js";
import { waitFor } from "../../support/wait-for.js";

let open: Bench[] = [];
afterEach(async () => {
  for (const bench of open) await bench.close();
  open = [];
  removeBenchFolders();
});

const noMarks = { ...scriptedCapabilities, fiscal: { ...scriptedCapabilities.fiscal, orderMark: false } };
const order = (id: string) => makeReceipt({ orderId: toOrderId(id), lines: [makeItem({ name: id })] });

function openAs(id: string, device: ScriptedDevice, path: string): Bench {
  const bench = openBench({ path, registers: [{ device, settings: { id: toRegisterId(id) } }] });
  open.push(bench);
  return bench;
}

const actionsOf = ({ stores, fleet, clock, wake }: Bench) =>
  createOperatorActions({ stores, fleet, facts: { result: () => {} }, clock, wake: () => wake.notify() });

describe("a register under another id", () => {
  test("prints what waits for it under the former one", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    const before = openAs("till-1", device, path);
    before.addJob(order("A-1"));
    await before.runQueue();
    before.addJob(order("A-2"));
    await before.close();
    const after = openAs("hall", device, path);
    await after.runQueue();
    expect(after.stores.jobs.get(2)).toMatchObject({ state: "printed", register: "hall", document: { fd: 3 } });
  });

  test.each(["after", "before"] as const)(
    "settles the doubt that was left under the former one, without marks (%s)",
    async (kind) => {
      const device = createScriptedDevice({ capabilities: noMarks });
      const path = newBenchPath();
      const before = openAs("till-1", device, path);
      before.addJob(order("A-1"));
      await before.runQueue();
      const job = before.addJob(order("A-2"));
      device.faults = [{ kind }];
      device.onCall = (name) => (name === "fence" ? new Promise<void>(() => {}) : undefined);
      before.wake.notify();
      await waitFor("the outcome is in doubt", async () => {
        await before.clock.advance(100);
        return before.stores.jobs.get(job.id).state === "unsure";
      });
      device.onCall = () => {};
      await before.crash().close();
      const after = openAs("hall", device, path);
      await after.runQueue();
      expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "printed", register: "hall", document: { fd: 3 } });
      expect(receiptsOn(device)).toHaveLength(2);
    },
  );
});

describe("a register that is configured no longer", () => {
  const other = () => {
    const device = createScriptedDevice();
    device.identity = { ...device.identity, kkm: toKkm("0000000000000002"), fn: toFnSerial("9999078900000002") };
    return device;
  };

  test("leaves its jobs visible, and the operator can give them to another one", async () => {
    const path = newBenchPath();
    const before = openAs("till-1", createScriptedDevice(), path);
    before.addJob(order("A-1"));
    await before.runQueue();
    before.addJob(order("A-2"));
    await before.close();
    const device = other();
    const after = openAs("till-2", device, path);
    after.startQueue();
    await after.settled();
    expect(after.log.join("\n")).toContain("a waiting job belongs to a register that is not configured");
    expect(receiptsOn(device)).toEqual([]);
    actionsOf(after).move(2, toRegisterId("till-2"), "the old one is broken");
    await after.runQueue();
    expect(after.stores.jobs.get(2)).toMatchObject({ state: "printed", register: "till-2" });
  });

  test("gives none to a register of another taxpayer", async () => {
    const path = newBenchPath();
    const before = openAs("till-1", createScriptedDevice(), path);
    before.addJob(order("A-1"));
    await before.runQueue();
    before.addJob(order("A-2"));
    await before.close();
    const device = other();
    device.identity = { ...device.identity, inn: toInn("7700000099") };
    const after = openAs("till-2", device, path);
    await after.start();
    expect(() => actionsOf(after).move(2, toRegisterId("till-2"), "?")).toThrow("different taxpayers");
  });
});
