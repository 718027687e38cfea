import { toInn, toKkm, toOrderId } from "@fiscald/shared/ids.js";
import { newBenchPath, noMarks, once, TILL, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { createScriptedDevice, receiptsOn, type ScriptedDevice, swapDrive } from "../../../support/scripted-driver.js";

const { openOn, openTill } = useBenches();

const first = makeReceipt({ orderId: toOrderId("A-1"), lines: [makeItem({ name: "Первый" })] });
const second = makeReceipt({ orderId: toOrderId("A-2"), lines: [makeItem({ name: "Второй" })] });

/** Printed by a daemon that has ended since. */
async function printFirst(device: ScriptedDevice, path = newBenchPath()): Promise<void> {
  const before = openOn(device, { path });
  await before.sell(first);
  await before.close();
}

test("after a lost database, an order queued before the register is first seen is found on the register", async () => {
  const device = createScriptedDevice();
  await printFirst(device);
  const after = openOn(device);
  await after.sell(first);
  expect(receiptsOn(device)).toHaveLength(1);
  expect(after.job(1).state).toBe("printed");
  expect(after.log.join()).not.toContain("is not recognised");
  // The site is told in the same transaction, when the register's numbers are on record.
  expect(after.told.inns).toEqual([device.identity.inn]);
});

test("without order marks a new order with the lines of an old sale is printed, and the log warns of it", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  await printFirst(device);
  const after = openOn(device);
  await after.sell(makeReceipt({ orderId: toOrderId("B-7"), lines: first.lines }));
  expect(receiptsOn(device)).toHaveLength(2);
  expect(after.log.join()).toContain("an order that another daemon printed on it is not recognised");
});

test("after a swap of drives an unsure job of the old drive stays unsure, and the register prints on the new drive", async () => {
  const { device, bench } = openTill();
  await bench.sell(first);
  device.faults = [{ kind: "after" }];
  once(device, "ran", () => void swapDrive(device));
  bench.addJob(second);
  await bench.sell(makeReceipt({ orderId: toOrderId("A-3") }));
  expect(bench.job(2).state).toBe("unsure");
  expect(bench.told.results).toContainEqual({ job: 2, outcome: "unknown", fd: null });
  expect(bench.job(3)).toMatchObject({ state: "printed", document: { fn: "9999078900000002", fd: 2 } });
  // The register's sites get the list of registers when it is first seen, and again with the new drive.
  expect(bench.told.tables).toEqual([TILL, TILL]);
});

test("a register whose drive's document number goes backwards prints nothing", async () => {
  const device = createScriptedDevice();
  const path = newBenchPath();
  await printFirst(device, path);
  device.documents.pop();
  const after = openOn(device, { path });
  after.queue(second);
  await after.clock.advance(60_000);
  expect(after.fleet.snapshots()[0]).toMatchObject({ phase: "blocked", fault: { code: "device.fn-state" } });
  expect(after.job(2).state).toBe("queued");
});

test.each([
  ["kkm", { kkm: toKkm("0009999999999999") }, "printed"],
  // An order of the earlier taxpayer is not sold by another one.
  ["taxpayer", { inn: toInn("7700000001") }, "failed"],
] as const)("another device, known by its %s, blocks the register until a person accepts it", async (_, other, end) => {
  const device = createScriptedDevice();
  const path = newBenchPath();
  await printFirst(device, path);

  device.identity = { ...device.identity, ...other };
  const after = openOn(device, { path });
  const job = after.queue(second);
  await after.clock.advance(300_000);
  expect(after.fleet.snapshots()[0]).toMatchObject({ phase: "blocked", fault: { code: "register.foreign-identity" } });
  expect(receiptsOn(device)).toHaveLength(1);
  expect(after.told.connections).toEqual(["till-1 disconnected"]);

  after.fleet.get(job.register).acceptIdentity("the old one was replaced");
  await after.runQueue();
  expect(after.job(2).state).toBe(end);
  await after.sell(makeReceipt({ orderId: toOrderId("A-3"), lines: [makeItem({ name: "Третий" })] }));
  expect(after.job(3).state).toBe("printed");
});
