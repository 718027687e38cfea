/** Orders that a lost database has forgotten and that the site offers again, unchanged or changed. */
import { copyFileSync, rmSync } from "node:fs";
import { createOperatorActions } from "@fiscald/daemon/registers/operator-actions.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toKkm, toOrderId, toReceiptId, toRegisterId } from "@fiscald/shared/ids.js";
import { noMarks, useBenches } from "../../support/benches.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { type Bench, newBenchPath } from "../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
} from "../../support/scripted-driver.js";

const { open } = useBenches();

const item = (name: string, price: number) => makeItem({ name, price: kopecks(price), total: kopecks(price) });
const sale = makeReceipt({ orderId: toOrderId("A-1"), lines: [item("Чай", 10_000)] });
const changed = makeReceipt({ orderId: toOrderId("A-1"), lines: [item("Чай", 10_000), item("Сахар", 5_000)] });

function openOn(devices: readonly ScriptedDevice[], path = newBenchPath()): Bench {
  const registers = devices.map((device, index) => ({
    device,
    settings: { id: toRegisterId(`till-${index + 1}`) },
  }));
  const bench = open({ path, registers });
  return bench;
}

/** What these receipts leave on a register whose daemon then loses its database. */
async function printAndForget(devices: readonly ScriptedDevice[], receipts: Parameters<Bench["addJob"]>[]) {
  const before = openOn(devices);
  for (const args of receipts) {
    before.addJob(...args);
    await before.runQueue();
  }
  await before.close();
}

/** Prints this one, then puts back the database as it was before it. */
async function printAndRollBack(devices: readonly ScriptedDevice[], args: Parameters<Bench["addJob"]>) {
  const path = newBenchPath();
  const before = openOn(devices, path);
  devices.forEach((_, index) => {
    before.addJob(makeReceipt({ orderId: toOrderId(`warm-${index}`) }), { register: `till-${index + 1}` });
  });
  await before.runQueue();
  await before.close();
  copyFileSync(path, `${path}.copy`);
  const printing = openOn(devices, path);
  printing.addJob(...args);
  await printing.runQueue();
  await printing.close();
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  copyFileSync(`${path}.copy`, path);
  return openOn(devices, path);
}

describe("an order that was printed, forgotten and then offered by its site under another id", () => {
  const ofKit = makeReceipt({ ...sale, receiptId: toReceiptId("0f0e5bd6-5ad1-4a0c-8f3c-1f1d3f1b2a01") });
  const back = makeReceipt({ ...sale, operation: "return" });

  test.each([
    ["a receipt of the kit", ofKit],
    ["a return", back],
  ])("%s is not printed a second time: a person is asked", async (_, receipt) => {
    const device = createScriptedDevice();
    await printAndForget([device], [[receipt, { site: "old" }]]);
    const after = openOn([device]);
    await after.start();
    const job = after.addJob(receipt, { site: "new" });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(1);
    expect(after.stores.jobs.get(job.id).state).toBe("unsure");
    expect(after.told.results).toEqual([{ job: job.id, outcome: "unknown", fd: null }]);
    const { stores, fleet, clock, wake } = after;
    const facts = { result: () => {} };
    const operator = createOperatorActions({ stores, fleet, facts, clock, wake: () => wake.notify() });
    expect(await operator.resolvePrinted(job.id, 2, "it is this one")).toMatchObject({
      state: "printed",
      document: { fd: 2 },
    });
    expect(receiptsOn(device)).toHaveLength(1);
  });

  test("nor is it when the database was put back from a copy", async () => {
    const device = createScriptedDevice();
    const after = await printAndRollBack([device], [ofKit, { site: "old" }]);
    await after.start();
    const job = after.addJob(ofKit, { site: "new" });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
    expect(after.stores.jobs.get(job.id).state).toBe("unsure");
  });

  test("a sale without an id of its own is refused with the numbers of its receipt", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale, { site: "old" }]]);
    const after = openOn([device]);
    await after.start();
    const job = after.addJob(sale, { site: "new" });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(1);
    expect(after.told.refusals).toEqual([{ job: job.id, code: "job.already-printed", fd: 2 }]);
  });

  test("another return of the order is printed", async () => {
    const device = createScriptedDevice();
    await printAndForget(
      [device],
      [
        [changed, { site: "old" }],
        [back, { site: "old" }],
      ],
    );
    const after = openOn([device]);
    await after.start();
    const other = makeReceipt({ ...back, lines: [item("Сахар", 5_000)] });
    const job = after.addJob(other, { site: "new" });
    await after.runQueue();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "printed" });
  });
});

describe("an order that was printed, forgotten and then changed by the site", () => {
  test("is refused with the numbers of its receipt, also when the site repeats it", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    await after.start();
    const job = after.addJob(changed);
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(1);
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "failed", fault: { code: "job.already-printed" } });
    expect(after.told.refusals).toEqual([{ job: job.id, code: "job.already-printed", fd: 2 }]);
  });

  test("is refused too when its new content took the place of the one that the copy still had queued", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    const before = openOn([device], path);
    before.addJob(sale);
    await before.close();
    copyFileSync(path, `${path}.copy`);
    const printing = openOn([device], path);
    await printing.runQueue();
    await printing.close();
    copyFileSync(`${path}.copy`, path);
    const after = openOn([device], path);
    after.stores.jobs.cancel(1, { code: "job.replaced", message: "other content" }, 0);
    after.addJob(changed);
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(1);
    expect(after.stores.jobs.get(2).state).toBe("failed");
  });

  test("is printed when the operator says so", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    await after.start();
    const job = after.addJob(changed);
    await after.runQueue();
    const facts = { result: () => {} };
    const { stores, fleet, clock, wake } = after;
    createOperatorActions({ stores, fleet, facts, clock, wake: () => wake.notify() }).printAnyway(job.id, "both due");
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
    expect(after.stores.jobs.get(job.id).state).toBe("printed");
  });

  test("is printed when it carries the kit's own id: the kit has asked its memory", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    await after.start();
    after.addJob({ ...changed, receiptId: toReceiptId("5f0c9a1e-0000-4000-8000-000000000001") });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(2);
  });

  test("is another order for a longer id that begins like it", async () => {
    const device = createScriptedDevice();
    await printAndForget([device], [[sale]]);
    const after = openOn([device]);
    await after.start();
    after.addJob({ ...changed, orderId: toOrderId("A") });
    after.addJob({ ...changed, orderId: toOrderId("A-1 1") });
    await after.runQueue();
    expect(receiptsOn(device)).toHaveLength(3);
  });

  test("is refused as a return that exceeds the sale, and printed as one that does not", async () => {
    const device = createScriptedDevice();
    const back = (name: string, price: number) =>
      makeReceipt({ orderId: toOrderId("A-1"), operation: "return", lines: [item(name, price)] });
    await printAndForget([device], [[changed], [back("Чай", 10_000)]]);
    const after = openOn([device]);
    await after.start();
    after.addJob(back("Всё", 15_000));
    await after.runQueue();
    after.addJob(back("Сахар", 5_000));
    await after.runQueue();
    expect([1, 2].map((id) => after.stores.jobs.get(id).state)).toEqual(["failed", "printed"]);
    expect(after.told.refusals).toEqual([{ job: 1, code: "job.return-exceeds-sale", fd: 3 }]);
  });
});

test("a document with the order's own mark whose numbers cannot be read makes it unsure, not printed again", async () => {
  const device = createScriptedDevice();
  await printAndForget([device], [[sale]]);
  device.documents = device.documents.map((document) => ({ ...document, time: null }));
  const after = openOn([device]);
  await after.start();
  const job = after.addJob(sale);
  await after.runQueue();
  expect(after.stores.jobs.get(job.id).state).toBe("unsure");
  expect(receiptsOn(device)).toHaveLength(1);
});

describe("without marks, after the database was put back from a copy", () => {
  test("an order that comes again later is unsure, and printed once the operator has looked", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const after = await printAndRollBack([device], [sale]);
    await after.start();
    const job = after.addJob(sale);
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("unsure");
    expect(after.told.results).toContainEqual({ job: job.id, outcome: "unknown", fd: null });
    expect(receiptsOn(device)).toHaveLength(2);
    const facts = { result: () => {} };
    const { stores, fleet, clock, wake } = after;
    const actions = createOperatorActions({ stores, fleet, facts, clock, wake: () => wake.notify() });
    await actions.resolveNotPrinted(job.id, "it was the cashier");
    await after.runQueue();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "printed", document: { fd: 4 } });
  });

  test("so is one that another register of its site printed, and that register is asked about it", async () => {
    const devices = [
      createScriptedDevice({ capabilities: noMarks }),
      createScriptedDevice({ capabilities: noMarks }),
    ] as const;
    devices[1].identity = { ...devices[1].identity, kkm: toKkm("2"), fn: toFnSerial("9999078900000002") };
    const after = await printAndRollBack(devices, [sale, { register: "till-2" }]);
    await after.start();
    const job = after.addJob(sale, { register: "till-1" });
    await after.runQueue();
    expect(after.stores.jobs.get(job.id)).toMatchObject({ state: "unsure", register: "till-2" });
    expect(devices.flatMap((device) => receiptsOn(device))).toHaveLength(3);
  });

  test("an order with other lines of the same sum is printed", async () => {
    const device = createScriptedDevice({ capabilities: noMarks });
    const after = await printAndRollBack([device], [sale]);
    await after.start();
    const job = after.addJob(makeReceipt({ orderId: toOrderId("B-1"), lines: [item("Кофе", 10_000)] }));
    await after.runQueue();
    expect(after.stores.jobs.get(job.id).state).toBe("printed");
  });
});

test("what somebody else registered while the daemon was at work never makes a later order unsure", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const bench = openOn([device]);
  bench.addJob(makeReceipt({ orderId: toOrderId("warm") }));
  await bench.runQueue();
  addForeignReceipt(device, sale);
  bench.addJob(makeReceipt({ orderId: toOrderId("B-1"), lines: [item("Кофе", 700)] }));
  await bench.runQueue();
  const job = bench.addJob(sale);
  await bench.runQueue();
  expect(bench.stores.jobs.get(job.id).state).toBe("printed");
});

test("a drive that is new in the register is compared from its first document, also without marks", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const path = newBenchPath();
  const before = openOn([device], path);
  before.addJob(makeReceipt({ orderId: toOrderId("warm") }));
  await before.runQueue();
  before.addJob(sale);
  await before.close();
  copyFileSync(path, `${path}.copy`);
  // The drive is swapped, the order is printed with the new one; then the database of before is put back.
  device.identity = { ...device.identity, fn: toFnSerial("9999078900000002") };
  device.documents = [];
  const printing = openOn([device], path);
  await printing.runQueue();
  await printing.close();
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  copyFileSync(`${path}.copy`, path);
  const after = openOn([device], path);
  await after.runQueue();
  expect(receiptsOn(device)).toHaveLength(1);
  expect(after.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
});
