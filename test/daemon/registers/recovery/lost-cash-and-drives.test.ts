import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import { copyDatabase, newBenchPath, noMarks, orderNamed, TILL, useBenches } from "../../../support/benches.js";
import { makeService, zReport } from "../../../support/make-job.js";
import {
  addForeignReceipt,
  createTill,
  receiptsOn,
  type ScriptedDevice,
  swapDrive,
} from "../../../support/scripted-driver.js";
import { type AfterLoss, lossWorld, ours, type Story, type When } from "./loss-world.js";

const benches = useBenches();
const { open, openOn } = benches;
const { lose, comeAgain } = lossWorld(benches);

const cashIn = (order: string, ...rest: readonly ServiceLine[]) =>
  makeService([{ type: "cash", direction: "in", sum: kopecks(50_000) }, ...rest], { orderId: toOrderId(order) });
const moved = cashIn("C-1");

const cases: readonly (readonly [title: string, When, Story, AfterLoss["outcome"]])[] = [
  ["that the older copy has queued", "waits", { since: [["on", moved]] }, "unsure"],
  ["that the site offers again", "later", { since: [["on", moved]] }, "unsure"],
  ["that comes again after the database was deleted", "waits", { since: [["on", moved]], loss: "deleted" }, "unsure"],
  [
    "that another register of its site has moved",
    "later",
    {
      ...{ devices: () => [createTill(1), createTill(2)], since: [["on", moved, { register: "till-2" }]] },
      place: { register: "till-1" },
    },
    "unsure",
  ],
  ["without a loss", "later", { since: [["on", orderNamed("B-1")]], loss: "none" }, "printed"],
];

test.each(cases)("a cash order %s (%s) is not carried out twice after a data loss", async (_, when, story, outcome) => {
  expect((await comeAgain({ ...story, order: moved }, when)).outcome).toBe(outcome);
});

test("an unsure cash order counts as carried out, or is carried out, as the operator decides", async () => {
  const bench = await lose({ since: [["on", moved]] });
  await bench.start();
  const [first, second] = [bench.addJob(moved), bench.addJob(cashIn("C-2"))];
  await bench.runQueue();
  expect(await bench.operator.resolvePrinted(first.id, null, "it is in the drawer")).toMatchObject({
    state: "printed",
  });
  expect(bench.told.results.at(-1)).toEqual({ job: first.id, outcome: "printed", fd: null });
  await bench.operator.resolveNotPrinted(second.id, "it is not");
  await bench.runQueue();
  expect(bench.stores.jobs.stateOf(second.id)).toBe("printed");
  expect(bench.devices[0]?.drawer.cashIn).toBe(100_000);
});

test("resolving a cash order that also closes the shift needs the document that closed the shift", async () => {
  const table = cashIn("C-1", ...zReport.lines);
  const bench = await lose({ since: [["on", table]] });
  await bench.start();
  const { id } = await bench.sell(table);
  await expect(bench.operator.resolvePrinted(id, null, "?")).rejects.toThrow("name the document that closed the shift");
  const fd = bench.devices[0]?.documents.findLast(({ type }) => type === "shift-close")?.fd ?? null;
  expect(await bench.operator.resolvePrinted(id, fd, "here it is")).toMatchObject({
    state: "printed",
    document: { fd },
  });
});

test("a new cash order is carried out after a person has accepted the register", async () => {
  const bench = await lose({ since: [["on", moved]] });
  await bench.start();
  bench.operator.acceptIdentity(TILL, "compared with the site");
  await bench.settled();
  expect((await bench.sell(cashIn("C-2"))).state).toBe("printed");
});

test("a cash order is unsure again after a second loss of the database in a later shift", async () => {
  const device = createTill(1);
  const path = newBenchPath();
  const openAt = (forgetful = false) => open({ path, registers: [{ device }], forgetful });
  const first = openAt(true);
  await first.sell(orderNamed("warm"));
  first.operator.report(TILL, "z", "counted");
  await first.runQueue();
  await first.sell(ours);
  const { id } = first.addJob(moved);
  await first.close();
  const putBack = copyDatabase(path);
  const second = openAt();
  await second.runQueue();
  expect(second.stores.jobs.stateOf(id)).toBe("printed");
  await second.close();
  putBack();
  const third = openAt(true);
  await third.runQueue();
  expect([third.stores.jobs.stateOf(id), device.drawer.cashIn]).toEqual(["unsure", 50_000]);
});

test("a register with a drive changed during a data loss prints only after a person accepts it, even after a restart", async () => {
  const device = createTill(1);
  let bench = await lose({ devices: () => [device], since: [["on", ours]] }, ours);
  const job = bench.stores.jobs.list({ state: "queued", limit: 1 })[0]?.id ?? 0;
  swapDrive(device);
  await bench.start();
  bench = Object.assign(await bench.restart(), { devices: bench.devices });
  await bench.start();
  const blocked = { phase: "blocked", fault: { code: "register.foreign-identity" } };
  expect(bench.fleet.snapshots()).toMatchObject([blocked]);
  expect(bench.stores.jobs.stateOf(job)).toBe("queued");
  bench.operator.acceptIdentity(TILL, "compared with the OFD's cabinet");
  await bench.settled();
  await bench.runQueue();
  expect(bench.job(job)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
});

test("a changed drive is read from its first document after a data loss, and an order without an order mark stays unsure", async () => {
  const device = createTill(1, { capabilities: noMarks });
  const bench = await lose({ devices: () => [device] }, ours);
  swapDrive(device);
  addForeignReceipt(device, ours);
  await bench.start();
  bench.operator.acceptIdentity(TILL, "compared with the site");
  await bench.settled();
  await bench.runQueue();
  expect(bench.stores.jobs.list({ state: "unsure", limit: 2 })).toHaveLength(1);
  expect(receiptsOn(device)).toHaveLength(1);
});

const printsOn = async (path: string, device: ScriptedDevice) => {
  const bench = openOn(device, { path });
  const { state } = await bench.sell(ours);
  await bench.close();
  return state;
};

test("without a data loss, other programs' sales on a drive that was away delay no order", async () => {
  const device = createTill(1, { capabilities: noMarks });
  const path = newBenchPath();
  addForeignReceipt(device, ours);
  expect(await printsOn(path, device)).toBe("printed");
  const putBack = swapDrive(device);
  expect(await printsOn(path, device)).toBe("printed");
  putBack();
  addForeignReceipt(device, ours);
  expect(await printsOn(path, device)).toBe("printed");
});

test("earlier documents of a drive make an equal order unsure after the database that knew them is lost", async () => {
  const device = createTill(1, { capabilities: noMarks });
  const path = newBenchPath();
  addForeignReceipt(device, ours);
  const first = openOn(device, { path });
  await first.start();
  first.stores.documents.lose(TILL);
  await first.close();
  const bench = open({ path, forgetful: true, registers: [{ device }] });
  expect((await bench.sell(ours)).state).toBe("unsure");
  expect(receiptsOn(device)).toHaveLength(1);
});
