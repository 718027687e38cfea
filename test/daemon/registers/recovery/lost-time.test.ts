/** Orders of a lost database that take more than one step: read later, held, moved, or printed meanwhile. */

import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { copyDatabase, never, newBenchPath, orderNamed, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { addForeignReceipt, createScriptedDevice, createTill, receiptsOn } from "../../../support/scripted-driver.js";
import { lossWorld, ours, type Story } from "./loss-world.js";

const benches = useBenches();
const { open, openOn } = benches;
const { lose, comeAgain } = lossWorld(benches);

const changed = makeReceipt({
  ...ours,
  lines: [makeItem({ name: "Другое", price: kopecks(700), total: kopecks(700) })],
});
const printed: Story = { since: [["on", ours]] };
const tills = () => [createTill(1), createTill(2)];

test("a held order whose order mark is on a document counts as printed and is not printed again", async () => {
  const bench = await lose(printed);
  const job = bench.addJob(ours, { state: "held" });
  await bench.start();
  expect(bench.job(job.id)).toMatchObject({ state: "printed", document: { fd: 5 } });
  expect(bench.told.results).toEqual([{ job: job.id, outcome: "printed", fd: 5 }]);
});

test("a held order stays held while a document may be its receipt, and is unsure after its approval", async () => {
  const bench = await lose(printed);
  const job = await bench.sell(changed, { state: "held" });
  expect([bench.stores.jobs.stateOf(job.id), bench.told.results]).toEqual(["held", []]);
  bench.operator.approve(job.id, "the sum is right");
  await bench.runQueue();
  expect(bench.stores.jobs.stateOf(job.id)).toBe("unsure");
});

test("an unsure order is reported to its site once, and moves to the register whose document may be its receipt", async () => {
  const since = [["foreign", ours, { register: "till-2" }]] as const;
  const { bench, job } = await comeAgain({ devices: tills, since }, "later");
  expect(bench.job(job)).toMatchObject({ state: "unsure", register: "till-2" });
  expect(bench.told.results).toEqual([{ job, outcome: "unknown", fd: null }]);
});

test("when another register's documents become readable, an order is found by its order mark, and others are printed", async () => {
  const since = [["on", ours, { register: "till-2" }]] as const;
  const { bench, devices, job } = await comeAgain({ devices: tills, since, areUnreadable: true }, "waits");
  expect(bench.job(job).state).toBe("unsure");
  for (const { unreadable } of devices) unreadable.clear();
  const again = await bench.restart();
  await again.start();
  expect(again.job(job)).toMatchObject({ state: "printed", document: { fd: 5 } });
  expect(await again.sell(orderNamed("B-1"))).toMatchObject({ state: "printed" });
});

test("when an unreadable document proves to be the receipt of one of two equal orders, the other order is printed", async () => {
  const device = createTill(1);
  const bench = await lose({ devices: () => [device], since: [["on", orderNamed("B-1")]], loss: "deleted" });
  const last = device.documents.length;
  device.unreadable.add(last);
  bench.startQueue();
  await bench.settled();
  for (const order of ["A-1", "B-1"]) bench.addJob(orderNamed(order));
  await bench.runQueue();
  expect([1, 2].map((id) => bench.job(id).state)).toEqual(["unsure", "unsure"]);
  device.unreadable.clear();
  await bench.clock.advance(120_000);
  await bench.runQueue();
  const jobs = [1, 2].map((id) => bench.job(id));
  expect(jobs).toMatchObject([{ state: "printed" }, { state: "printed", document: { fd: last } }]);
});

test("a printed order without an order mark is unsure when its document becomes readable only after others were printed", async () => {
  const device = createTill(1);
  const first = await lose({ devices: () => [device], before: "off", since: [["off", ours]] });
  device.unreadable.add(5);
  first.startQueue();
  await first.clock.advance(1000);
  const held = await first.sell(orderNamed("B-1"));
  await first.operator.resolveNotPrinted(held.id, "not this one", [5]);
  await first.runQueue();
  const later = await first.restart();
  device.unreadable.clear();
  later.startQueue();
  await later.clock.advance(1000);
  expect((await later.sell(ours)).state).toBe("unsure");
});

test("a printed order without an order mark is unsure even when the old copy of the database was put back twice", async () => {
  const device = createTill(1);
  const path = newBenchPath();
  const openAt = (orderMark: boolean) => open({ path, registers: [{ device, settings: { orderMark } }] });
  const printOne = async (orderMark: boolean, receipt: SaleReceipt) => {
    const bench = openAt(orderMark);
    await bench.sell(receipt);
    await bench.close();
  };
  await printOne(false, orderNamed("warm"));
  const putBack = copyDatabase(path);
  await printOne(false, ours);
  for (const order of ["B-1", "B-2"]) {
    putBack();
    await printOne(true, { ...changed, orderId: toOrderId(order) });
  }
  putBack();
  expect((await openAt(true).sell(ours)).state).toBe("unsure");
  expect(receiptsOn(device)).toHaveLength(4);
});

test("a receipt is not printed again when the restored copy of the database was made in the middle of the receipt", async () => {
  const device = createScriptedDevice();
  const path = newBenchPath();
  const before = openOn(device, { path });
  await before.sell(orderNamed("warm"));
  before.addJob(ours);
  device.onCall = (name) => (name === "run" ? never : undefined);
  before.wake.notify();
  await before.clock.advance(100);
  expect(before.job(2).state).toBe("printing");
  // The daemon dies here; the copy is what is on the disk.
  device.onCall = () => {};
  await before.crash().close();
  const restore = copyDatabase(path);
  const printing = openOn(device, { path });
  await printing.runQueue();
  await printing.close();
  restore();
  const after = openOn(device, { path });
  await after.runQueue();
  expect(receiptsOn(device)).toHaveLength(2);
  expect(after.job(2)).toMatchObject({ state: "printed", document: { fd: 3 } });
});

test("a receipt that the operator forces is printed although its order mark is on a document", async () => {
  const bench = await lose({ ...printed, loss: "other computer" });
  await bench.start();
  const job = bench.addJob(ours);
  bench.stores.jobs.cancel(job.id, { code: "job.cancelled", message: "no" }, 0);
  bench.operator.printAnyway(job.id, "the buyer has lost it");
  await bench.runQueue();
  expect(bench.devices.flatMap((device) => receiptsOn(device))).toHaveLength(3);
});

test("another program's equal receipt does not delay an order when the register was away in a run without prints", async () => {
  const device = createTill(1);
  const bench = await lose({ devices: () => [device], loss: "none" });
  bench.startQueue();
  await bench.clock.advance(1000);
  device.unplugged = true;
  await bench.clock.advance(60_000);
  addForeignReceipt(device, ours);
  device.unplugged = false;
  expect((await bench.sell(ours)).state).toBe("printed");
});

const served = (sites: readonly string[], settings: object = {}) => ({ sites: sites.map(toSiteId), ...settings });

test("after a data loss a register prints only after every register to which its orders may have moved was read", async () => {
  const devices = [1, 2, 3].map((number) => createTill(number));
  const [first, , third] = devices;
  if (first === undefined || third === undefined) throw new Error("three tills");
  const settings = [served(["shop"]), served(["shop"], { group: "hall" }), served(["cafe"], { group: "hall" })];
  const registers = settings.map((one, index) => ({
    device: devices[index] ?? first,
    settings: { id: toRegisterId(`till-${index + 1}`), ...one },
  }));
  addForeignReceipt(third, ours, null);
  third.unplugged = true;
  const bench = open({ registers, forgetful: true });
  bench.startQueue();
  await bench.settled();
  const job = bench.addJob(ours);
  await bench.clock.advance(60_000);
  expect([bench.job(job.id).state, receiptsOn(first).length]).toEqual(["queued", 0]);
  third.unplugged = false;
  await bench.clock.advance(60_000);
  expect(bench.job(job.id).state).toBe("unsure");
});

test("after a data loss a register does not wait for the reading of a register that shares no order with it", async () => {
  const registers = [["shop"], ["shop", "cafe"], ["cafe"]].map((sites, index) => ({
    device: createTill(index + 1, { unplugged: index === 2 }),
    settings: { id: toRegisterId(`till-${index + 1}`), ...served(sites) },
  }));
  const bench = open({ registers, forgetful: true });
  bench.startQueue();
  await bench.settled();
  bench.addJob(ours);
  await bench.clock.advance(60_000);
  expect(bench.job(1).state).toBe("printed");
});

test.each([0, 1])(
  "after a deleted database an order of %i shifts ago is found behind 250 receipts of other programs",
  async (shifts) => {
    const device = createTill(1);
    const bench = await lose({ devices: () => [device], since: [["on", ours]], loss: "deleted" });
    device.shift = { ...device.shift, number: device.shift.number + shifts };
    const other = makeReceipt({ orderId: toOrderId("other"), lines: changed.lines });
    for (let count = 0; count < 250; count += 1) addForeignReceipt(device, other);
    expect(await bench.sell(ours)).toMatchObject({ state: "printed", document: { fd: 5 } });
  },
);
