import { toInn, toRegisterId } from "@fiscald/shared/ids.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import { never, newBenchPath, noMarks, orderNamed, TILL, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { createScriptedDevice, createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { open } = useBenches();
const QUARTER = 15 * 60_000;

function openAs(id: string, device: ScriptedDevice, path: string, defaultTax: number | null = null): Bench {
  return open({ path, registers: [{ device, settings: { id: toRegisterId(id), defaultTax } }] });
}

function renameTo(id: string, device: ScriptedDevice, path: string, defaultTax: number | null = null): Bench {
  const settings = { id: toRegisterId(id), defaultTax };
  return open({ path, registers: [{ device, settings, renamedFrom: TILL }] });
}

/** Job 1 waits with a position without tax. The row for it was 22 % when the order was accepted, and is 10 % now. */
async function leaveUntaxed(path: string, device: ScriptedDevice): Promise<void> {
  const shop = openAs("till-1", device, path, 1);
  await shop.start();
  shop.addJob(makeReceipt({ lines: [makeItem({ tax: null })] }));
  device.unplugged = true;
  await shop.clock.advance(60_000);
  Object.assign(device, { unplugged: false, tables: tenPercent(device) });
  await shop.clock.advance(60_000);
  await shop.settled();
  expect(shop.stores.registers.find(TILL)?.tables).toEqual(device.tables);
  await shop.close();
}

function tenPercent({ tables }: ScriptedDevice): RegisterTables {
  return { ...tables, taxes: [{ id: 1, title: "НДС 10%", vat: 2 }] };
}

test("a renamed register prints jobs that are queued under its former id", async () => {
  const device = createScriptedDevice();
  const path = newBenchPath();
  const before = openAs("till-1", device, path);
  await before.sell("A-1");
  before.addJob(orderNamed("A-2"));
  await before.close();
  const after = renameTo("hall", device, path);
  await after.runQueue();
  expect(after.job(2)).toMatchObject({ state: "printed", register: "hall", document: { fd: 3 } });
});

test("a renamed register does not print a job that was accepted at another rate for positions without tax", async () => {
  const device = createScriptedDevice();
  const path = newBenchPath();
  await leaveUntaxed(path, device);
  const after = renameTo("hall", device, path, 1);
  await after.runQueue();
  const failed = { state: "failed", register: "hall", fault: { code: "device.tax-unknown" } };
  expect(after.job(1)).toMatchObject(failed);
  expect(receiptsOn(device)).toEqual([]);
});

test.each(["after", "before"] as const)(
  "a renamed register settles an unsure job of its former id without order marks (%s) and does not report it",
  async (kind) => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const path = newBenchPath();
    const before = openAs("till-1", device, path);
    await before.sell("A-1");
    const job = before.addJob(orderNamed("A-2"));
    device.faults = [{ kind }];
    device.onCall = (name) => (name === "fence" ? never : undefined);
    before.wake.notify();
    await before.until("the outcome is in doubt", () => before.job(job.id).state === "unsure", 100);
    device.onCall = () => {};
    await before.crash().close();
    const after = renameTo("hall", device, path);
    await after.runQueue();
    expect(after.job(job.id)).toMatchObject({ state: "printed", register: "hall", document: { fd: 3 } });
    expect(receiptsOn(device)).toHaveLength(2);
    await after.clock.advance(2 * QUARTER);
    const told = after.told.results.filter((result) => result.job === job.id);
    expect(told).toEqual([{ job: job.id, outcome: "printed", fd: 3 }]);
  },
);

test.each(["kkm", "fn"] as const)(
  "a register under another id without renamedFrom is blocked with the config entry to write, known by its %s",
  async (known) => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    const before = openAs("till-1", device, path);
    await before.sell("A-1");
    await before.close();
    device.identity = { ...createTill(2).identity, [known]: device.identity[known] };
    const after = openAs("hall", device, path);
    await after.start();
    const [{ phase, fault } = { phase: null, fault: null }] = after.fleet.snapshots();
    expect([phase, fault]).toMatchObject(["blocked", { code: "register.not-set-up", place: "hall" }]);
    expect(fault?.message).toContain('set "renamedFrom": "till-1" there');
  },
);

/** A database of till-1 with the printed order A-1, job 1, and the waiting order A-2. */
async function leaveOneWaiting(): Promise<string> {
  const path = newBenchPath();
  const before = openAs("till-1", createScriptedDevice(), path);
  await before.sell("A-1");
  before.addJob(orderNamed("A-2"));
  await before.close();
  return path;
}

test("jobs of a removed register are logged, and the operator can move them to another register", async () => {
  const path = await leaveOneWaiting();
  const device = createTill(2);
  const after = openAs("till-2", device, path);
  after.startQueue();
  await after.settled();
  expect(after.log.join("\n")).toContain("a waiting job belongs to a register that is not configured");
  expect(receiptsOn(device)).toEqual([]);
  after.operator.move(2, toRegisterId("till-2"), "the old one is broken");
  await after.runQueue();
  expect(after.job(2)).toMatchObject({ state: "printed", register: "till-2" });
});

test("an unsure job of a removed register is reported as unknown once, after 15 minutes", async () => {
  const path = newBenchPath();
  const device = createScriptedDevice();
  const before = openAs("till-1", device, path);
  const job = before.addJob(orderNamed("A-1"));
  // The process dies during the print: the drive has the receipt, and the database does not know of it.
  device.onCall = (name) => (name === "ran" && receiptsOn(device).length > 0 ? never : undefined);
  before.startQueue();
  await before.until("its receipt is printed", () => receiptsOn(device).length > 0, 100);
  expect(before.job(job.id).state).toBe("printing");
  await before.crash().close();

  const bench = openAs("till-2", createTill(2), path);
  await bench.start();
  await bench.clock.advance(QUARTER - 1000);
  expect(bench.told.results).toEqual([]);
  const unlock = bench.lockDatabase();
  await bench.clock.advance(1000);
  unlock();
  await bench.clock.advance(QUARTER);
  expect(bench.told.results).toEqual([{ job: 1, outcome: "unknown", fd: null }]);
  expect(bench.job(1).state).toBe("unsure");
  const again = await bench.restart();
  await again.start();
  await again.clock.advance(2 * QUARTER);
  expect(again.told.results).toHaveLength(1);
});

test("a removed register's job cannot be moved to a register with another rate for positions without tax", async () => {
  const path = newBenchPath();
  await leaveUntaxed(path, createScriptedDevice());
  const device = createTill(2);
  device.tables = tenPercent(device);
  const after = openAs("till-2", device, path, 1);
  await after.start();
  expect(() => after.operator.move(1, toRegisterId("till-2"), "?")).toThrow("no tax row of this meaning");
});

test("a removed register's job cannot be moved to a register of another taxpayer", async () => {
  const path = await leaveOneWaiting();
  const device = createTill(2);
  device.identity = { ...device.identity, inn: toInn("7700000099") };
  const after = openAs("till-2", device, path);
  await after.start();
  expect(() => after.operator.move(2, toRegisterId("till-2"), "?")).toThrow("different taxpayers");
});
