/** What no document tells after the database was put back or deleted: cash, and receipts on a drive that was taken out since. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import { copyDatabase, operatorAt, tillsOf, useBenches } from "../../../support/benches.js";
import { makeReceipt, makeService, zReport } from "../../../support/make-job.js";
import { type Bench, newBenchPath } from "../../../support/register-bench.js";
import { createScriptedDevice, createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { open, keep } = useBenches();

const till = toRegisterId("till-1");
const warm = makeReceipt({ orderId: toOrderId("warm") });
const sale = makeReceipt({ orderId: toOrderId("A-1") });
const cashIn = (orderId: string, ...rest: readonly ServiceLine[]) =>
  makeService([{ type: "cash", direction: "in", sum: kopecks(50_000) }, ...rest], { orderId: toOrderId(orderId) });

const openOn = (device: ScriptedDevice, path: string, forgetful = false) =>
  open({ path, registers: [{ device }], forgetful });

/** A copy is made after `before`; then comes what it forgets, and the copy is put back. */
async function loseWhatCame(device: ScriptedDevice, before: (bench: Bench) => void, since: (bench: Bench) => void) {
  const path = newBenchPath();
  const first = openOn(device, path);
  first.addJob(warm);
  await first.runQueue();
  before(first);
  await first.close();
  const putBack = copyDatabase(path);
  const second = openOn(device, path);
  await second.start();
  since(second);
  await second.runQueue();
  await second.close();
  putBack();
  return openOn(device, path, true);
}

const nothing = () => {};
const swapDrive = (device: ScriptedDevice) => {
  device.identity = { ...device.identity, fn: toFnSerial("9999078900000002") };
  device.documents = [];
};

describe("cash that was moved in the time that the database has forgotten", () => {
  test("is not moved again by a job that the copy still had queued", async () => {
    const device = createScriptedDevice();
    const after = await loseWhatCame(device, (bench) => void bench.addJob(cashIn("C-1")), nothing);
    expect(after.stores.jobs.get(2).state).toBe("queued");
    await after.runQueue();
    expect(after.stores.jobs.get(2)).toMatchObject({ state: "unsure", fault: { code: "job.outcome-unknown" } });
    expect(after.told.results).toContainEqual({ job: 2, outcome: "unknown", fd: null });
    expect(device.drawer.cashIn).toBe(50_000);
  });

  test("nor by one that the site offers again later", async () => {
    const device = createScriptedDevice();
    const after = await loseWhatCame(device, nothing, (bench) => void bench.addJob(cashIn("C-1")));
    await after.start();
    const job = after.addJob(cashIn("C-1"));
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("unsure");
    expect(device.drawer.cashIn).toBe(50_000);
  });

  test("nor after a second data loss in a later shift", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    const first = openOn(device, path, true);
    first.addJob(warm);
    await first.runQueue();
    operatorAt(first).report(till, "z", "counted");
    await first.runQueue();
    first.addJob(sale);
    await first.runQueue();
    const job = first.addJob(cashIn("C-1"));
    await first.close();
    const putBack = copyDatabase(path);
    const second = openOn(device, path);
    await second.runQueue();
    expect(second.stores.jobs.get(job.id).state).toBe("printed");
    await second.close();
    putBack();
    const third = openOn(device, path, true);
    await third.runQueue();
    expect(third.stores.jobs.get(job.id).state).toBe("unsure");
    expect(device.drawer.cashIn).toBe(50_000);
  });

  test("nor by another register of the site, for an order that names none", async () => {
    const [one, two] = [createScriptedDevice(), createTill(2)];
    const registers = tillsOf([one, two], { sites: [toSiteId("shop")] });
    const path = newBenchPath();
    const first = open({ path, registers });
    await first.start();
    for (const receipt of [warm, sale]) {
      for (const register of ["till-1", "till-2"]) first.addJob(receipt, { register });
    }
    await first.runQueue();
    await first.close();
    const putBack = copyDatabase(path);
    const second = open({ path, registers });
    await second.start();
    second.addJob(cashIn("C-1"), { register: "till-1" });
    await second.runQueue();
    await second.close();
    putBack();
    const third = open({ path, registers, forgetful: true });
    await third.start();
    const again = third.addJob(cashIn("C-1"), { register: "till-2" });
    await third.runQueue();
    expect(third.stores.jobs.get(again.id).state).toBe("unsure");
    expect([one.drawer.cashIn, two.drawer.cashIn]).toEqual([50_000, 0]);
  });

  test("is what the operator says it is", async () => {
    const device = createScriptedDevice();
    const after = await loseWhatCame(device, nothing, (bench) => void bench.addJob(cashIn("C-1")));
    await after.start();
    const [first, second] = [after.addJob(cashIn("C-1")), after.addJob(cashIn("C-2"))];
    await after.runQueue();
    const actions = operatorAt(after);
    expect(await actions.resolvePrinted(first.id, null, "it is in the drawer")).toMatchObject({ state: "printed" });
    expect(after.told.results.at(-1)).toEqual({ job: first.id, outcome: "printed", fd: null });
    await actions.resolveNotPrinted(second.id, "it is not");
    await after.runQueue();
    expect(after.stores.jobs.get(second.id).state).toBe("printed");
    expect(device.drawer.cashIn).toBe(100_000);
  });

  test("of a table that closes the shift too, the document is named that closed it", async () => {
    const device = createScriptedDevice();
    const table = cashIn("C-1", ...zReport.lines);
    const after = await loseWhatCame(device, nothing, (bench) => void bench.addJob(table));
    await after.start();
    const job = after.addJob(table);
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("unsure");
    const actions = operatorAt(after);
    await expect(actions.resolvePrinted(job.id, null, "?")).rejects.toThrow("name the document that closed the shift");
    const closing = device.documents.find(({ type }) => type === "shift-close");
    const settled = await actions.resolvePrinted(job.id, closing?.fd ?? null, "here it is");
    expect(settled).toMatchObject({ state: "printed", document: { fd: closing?.fd } });
  });

  test("is no matter any more once a person has accepted the register as it is", async () => {
    const device = createScriptedDevice();
    const after = await loseWhatCame(device, nothing, (bench) => void bench.addJob(cashIn("C-1")));
    await after.start();
    operatorAt(after).acceptIdentity(till, "compared with the site");
    await after.settled();
    const job = after.addJob(cashIn("C-2"));
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("printed");
  });
});

test("a deleted database knows nothing of the drawer", async () => {
  const device = createScriptedDevice();
  const before = openOn(device, newBenchPath());
  before.addJob(cashIn("C-1"));
  await before.runQueue();
  await before.close();
  const after = openOn(device, newBenchPath(), true);
  const job = after.addJob(cashIn("C-1"));
  await after.runQueue();
  expect(after.stores.jobs.get(job.id).state).toBe("unsure");
  expect(device.drawer.cashIn).toBe(50_000);
});

describe("a drive that was taken out in the time that the database has forgotten", () => {
  /** The order is printed on the drive that goes. */
  async function loseWithDrive(device: ScriptedDevice) {
    const after = await loseWhatCame(device, (bench) => void bench.addJob(sale), nothing);
    expect(receiptsOn(device)).toHaveLength(2);
    swapDrive(device);
    return after;
  }

  test("blocks the register until a person has accepted it", async () => {
    const device = createScriptedDevice();
    let after = await loseWithDrive(device);
    await after.start();
    after = await after.restart();
    keep(after);
    await after.start();
    const [register] = after.fleet.snapshots();
    expect(register).toMatchObject({ phase: "blocked", fault: { code: "register.foreign-identity" } });
    expect(after.stores.jobs.get(2).state).toBe("queued");
    operatorAt(after).acceptIdentity(till, "compared with the OFD's cabinet");
    await after.settled();
    await after.runQueue();
    expect(after.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
  });

  test("is no matter where the database remembers all", async () => {
    const device = createScriptedDevice();
    const bench = openOn(device, newBenchPath());
    bench.addJob(warm);
    await bench.runQueue();
    await bench.close();
    swapDrive(device);
    const after = openOn(device, newBenchPath());
    const job = after.addJob(sale);
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("printed");
  });
});
