/** What happens to receipts on a register whose documents differ from what was sent. */

import { findTroubles } from "@fiscald/daemon/console/troubles/find-troubles.js";
import { toTrouble } from "@fiscald/daemon/console/troubles/found.js";
import { readStored } from "@fiscald/daemon/console/troubles/gather-facts.js";
import { faultInRussian } from "@fiscald/daemon/sites/result-body.js";
import type { Job } from "@fiscald/daemon/store/job.js";
import { warningsIn } from "@fiscald/daemon/store/journal.js";
import type { DocumentTags, TagValues } from "@fiscald/drivers/fiscal-document.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toOrderId, toSiteId } from "@fiscald/shared/ids.js";
import type { ItemLine } from "@fiscald/shared/receipt/receipt.js";
import { TILL, type Till, tillsOf, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt, zReport } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";
import { makePresent, soundProgram } from "../../../support/trouble-facts.js";

const { open, openTill } = useBenches();

const otherDrive = toFnSerial("9999078900009999");

/** Tax rows of scripted registers: 1 = 22 %, 6 = without VAT. */
function receiptAt(order: string, tax: number) {
  return makeReceipt({ orderId: toOrderId(order), lines: [makeItem({ tax })] });
}

const changeLines =
  (change: (line: TagValues) => TagValues) =>
  ({ head, items }: DocumentTags): DocumentTags => ({ head, items: items.map(change) });

const swapsRate = changeLines((line) => (line[1199] === 11 ? { ...line, 1199: 1 } : line));

/** The troubles of the register's documents, as page, commands and alerts show them. */
function troublesOf({ stores, clock }: Bench, ...sites: readonly string[]) {
  const outbox = {
    countUndelivered: () => ({ pending: 0, refused: 0 }),
    oldestAt: () => null,
    waitingResults: () => new Map(),
  };
  const dayFacts = { lastMonth: () => [], lastDocumentAt: () => null };
  const stored = readStored(
    { ...stores, outbox, dayFacts },
    { sites: sites.map((id) => ({ id: toSiteId(id) })), registers: [] },
    clock.now(),
  );
  const present = makePresent({ now: clock.now() });
  const found = findTroubles({ present, stored, program: soundProgram, jobs: stores.jobs });
  return found
    .filter(({ kind }) => kind.startsWith("receipt-"))
    .map((trouble) => toTrouble(trouble, new Map(), clock.now()));
}

/** The first receipt, at a rate that the register leaves as it is, proves the model. */
async function openAltering(alter: ScriptedDevice["alter"] = swapsRate): Promise<Till> {
  const till = openTill();
  await till.bench.sell(receiptAt("A-1", 6));
  till.device.alter = alter;
  return till;
}

async function pass(bench: Bench, ms: number): Promise<void> {
  bench.wake.notify();
  for (let passed = 0; passed < ms; passed += 1000) await bench.clock.advance(1000);
  await bench.settled();
}

test("after a register changed a receipt's rate, the next receipt at that rate waits until a person accepts the change", async () => {
  const { bench } = await openAltering();
  const differing: number[] = [];
  Object.assign(bench.events, { warningsChanged: ({ id }: Job) => void differing.push(id) });
  const [first, second] = ["A-2", "A-3"].map((order) => bench.addJob(receiptAt(order, 1)));
  const free = bench.addJob(receiptAt("A-4", 6));
  await pass(bench, 5_000);

  expect(bench.told.results.map(({ job, outcome }) => [job, outcome])).toEqual([
    [1, "printed"],
    [first?.id, "printed"],
    [free.id, "printed"],
  ]);
  expect(bench.job(second?.id ?? 0)).toMatchObject({
    state: "queued",
    fault: {
      code: "register.alters-receipts",
      message: "tag 1199: the register was sent НДС 22% and registered НДС 20% (document 3)",
    },
  });
  expect(troublesOf(bench)).toMatchObject([
    { kind: "receipt-altered", text: { ru: expect.stringContaining("НДС 20% вместо НДС 22%") } },
  ]);

  // The result has the differences, if the site has not taken it before.
  expect(differing).toEqual([first?.id]);
  expect(warningsIn(bench.stores.journal.ofJob(first?.id ?? 0))).toMatchObject([
    { text: { ru: expect.stringContaining("НДС 20% вместо НДС 22%") } },
  ]);

  const { fault } = bench.job(second?.id ?? 0);
  expect(faultInRussian(fault ?? { code: "internal", message: "none" })).not.toMatch(/[a-z]/i);

  bench.operator.acceptDifferences(TILL, null, "a name that is cut");
  await pass(bench, 5_000);
  expect(bench.job(second?.id ?? 0).state).toBe("queued");
  bench.operator.acceptDifferences(TILL, { tag: 1199, sent: "11", read: "1" }, "that is how it is");
  await bench.runQueue();
  expect(bench.job(second?.id ?? 0).state).toBe("printed");
  await bench.sell(receiptAt("A-5", 1));
  await pass(bench, 10_000);
  expect(troublesOf(bench)).toEqual([]);
});

test("a receipt whose answer was lost is compared after it is found in the drive", async () => {
  const { device, bench } = await openAltering();
  device.faults = [{ kind: "after" }];
  const [found, next] = ["A-2", "A-3"].map((order) => bench.addJob(receiptAt(order, 1)));
  await pass(bench, 30_000);
  expect(bench.journal()).toContain("found printed");
  expect(warningsIn(bench.stores.journal.ofJob(found?.id ?? 0))).toMatchObject([
    { text: { ru: expect.stringContaining("НДС 20% вместо НДС 22%") } },
  ]);
  expect(bench.job(next?.id ?? 0)).toMatchObject({ state: "queued", fault: { code: "register.alters-receipts" } });
});

test("receipts that waited because the register changed a rate are printed and compared after a person says that the register is mended", async () => {
  const { device, bench } = await openAltering();
  for (const order of ["A-2", "A-3", "A-4"]) bench.addJob(receiptAt(order, 1));
  await pass(bench, 5_000);
  bench.operator.differencesMended(TILL, "it was not");
  await pass(bench, 5_000);
  expect(receiptsOn(device)).toHaveLength(3);
  const named = expect.stringContaining("Неверные чеки: A-2 (ФД 3), A-3 (ФД 4).");
  expect(troublesOf(bench, "shop")).toMatchObject([{ kind: "receipt-altered", text: { ru: named } }]);
  const withSites = expect.stringContaining("Неверные чеки: A-2 (shop) (ФД 3), A-3 (shop) (ФД 4).");
  expect(troublesOf(bench, "shop", "other")).toMatchObject([{ text: { ru: withSites } }]);

  device.alter = (sent) => sent;
  bench.operator.differencesMended(TILL, "the table of rates is right now");
  await pass(bench, 10_000);
  expect(receiptsOn(device)).toHaveLength(4);
  expect(troublesOf(bench)).toEqual([]);
});

test("a receipt that waits for a changed rate does not fill the journal", async () => {
  const { bench } = await openAltering();
  for (const order of ["A-2", "A-3"]) bench.addJob(receiptAt(order, 1));
  await pass(bench, 600_000);
  expect(bench.journal().filter((what) => what === "not printed, queued again")).toHaveLength(1);
});

test("receipts that wait for a changed rate move to another register of the group", async () => {
  const [device, other] = [createTill(1), createTill(2)];
  const bench = open({ registers: tillsOf([device, other], { group: "hall" }) });
  await bench.sell(receiptAt("A-1", 6));
  device.alter = swapsRate;
  await bench.sell(receiptAt("A-2", 1));
  const moved = await bench.sell(receiptAt("A-3", 1));
  expect(bench.job(moved.id)).toMatchObject({ state: "printed", register: "till-2" });
});

test("receipts that wait for a changed rate are printed after the register gets another firmware", async () => {
  const { device, bench } = await openAltering();
  for (const order of ["A-2", "A-3"]) bench.addJob(receiptAt(order, 1));
  await pass(bench, 5_000);
  device.alter = (sent) => sent;
  device.identity = { ...device.identity, firmware: "2" };
  device.unplugged = true;
  await pass(bench, 30_000);
  device.unplugged = false;
  await bench.runQueue();
  expect(receiptsOn(device)).toHaveLength(3);
  await pass(bench, 10_000);
  expect(troublesOf(bench)).toEqual([]);
});

function costing(order: string, price: number, more: Partial<ItemLine> = {}) {
  const item = makeItem({ tax: 1, price: kopecks(price), total: kopecks(price), ...more });
  return makeReceipt({ orderId: toOrderId(order), lines: [item] });
}

/** A third of a kopeck is left over. */
function aThird(order: string, price: number) {
  return costing(order, price, { quantity: quantity(333_000), total: kopecks((price * 333 - 333) / 1000) });
}

const isPart = (line: TagValues) => line[1023] === 333_000;
const rounds = changeLines((line) => (isPart(line) ? { ...line, 1043: Number(line[1043]) + 1 } : line));
const thirds = [5_001, 7_001, 8_001].map((price, index) => aThird(`A-${index + 2}`, price));
const cuts = changeLines((line) => ({ ...line, 1030: String(line[1030]).slice(0, 2) }));
const sales = ["A-2", "A-3", "A-4"].map((order) => receiptAt(order, 6));

test.each([
  ["rounds sums of lines", rounds, thirds, "16.66 вместо 16.65"],
  ["cuts a name", cuts, sales, "(1030)"],
])("a register that %s prints all receipts, with one warning for the model", async (_what, alter, receipts, said) => {
  const { device, bench } = await openAltering(alter);
  for (const receipt of receipts) bench.addJob(receipt);
  await bench.runQueue();
  await pass(bench, 30_000);
  expect(receiptsOn(device)).toHaveLength(4);
  expect(troublesOf(bench)).toMatchObject([{ kind: "receipt-differs", text: { ru: expect.stringContaining(said) } }]);
});

test("a register that changes a sum stops all receipts, and a further change stops them after the first was accepted", async () => {
  const becomes = (sum: number) => changeLines((line) => ({ ...line, 1043: sum }));
  const { device, bench } = await openAltering(becomes(2_000));
  const first = bench.addJob(costing("A-2", 5_000));
  await pass(bench, 5_000);
  const waiting = bench.addJob(costing("A-3", 99_900));
  await pass(bench, 5_000);
  expect(bench.job(waiting.id)).toMatchObject({
    state: "queued",
    fault: { message: "tag 1043: the register was sent 50.00 and registered 20.00 (document 3)" },
  });
  expect(troublesOf(bench)).toMatchObject([{ text: { ru: expect.stringContaining("20.00 вместо 50.00") } }]);
  expect(bench.stores.journal.ofJob(first.id)).toContainEqual(
    expect.objectContaining({
      what: "document differs",
      details: expect.objectContaining({ differences: [{ tag: 1043, sent: "50.00", read: "20.00" }] }),
    }),
  );
  bench.operator.acceptDifferences(TILL, { tag: 1043, sent: "5000", read: "2000" }, "it was a slip");
  device.alter = becomes(100);
  await pass(bench, 30_000);
  expect(receiptsOn(device)).toHaveLength(3);
  expect(troublesOf(bench)).toMatchObject([{ text: { ru: expect.stringContaining("1.00 вместо 999.00") } }]);
});

test.each<[string, (device: ScriptedDevice) => Partial<ScriptedDevice>, number]>([
  ["keeps them while its FFD cannot be read", ({ identity }) => ({ identity: { ...identity, ffd: null } }), 1],
  ["keeps them while its tax systems are unknown", ({ identity }) => ({ identity: { ...identity, taxSystems: 0 } }), 1],
  ["keeps them when its tables have changed", ({ tables }) => ({ tables: { ...tables, paymentTypes: [] } }), 1],
  ["prints them when its FFD has changed", ({ identity }) => ({ identity: { ...identity, ffd: "1.05" } }), 0],
  ["prints them when its drive has changed", ({ identity }) => ({ identity: { ...identity, fn: otherDrive } }), 0],
])("a register that reconnects while receipts wait for an altered value %s", async (_what, change, waiting) => {
  const { device, bench } = await openAltering();
  bench.addJob(receiptAt("A-2", 1));
  await pass(bench, 5_000);
  Object.assign(device, change(device));
  device.unplugged = true;
  await pass(bench, 30_000);
  device.unplugged = false;
  await pass(bench, 30_000);
  expect(bench.stores.checks.held(TILL)).toHaveLength(waiting);
});

test("a receipt whose drive is exchanged before its comparison is reported as not compared", async () => {
  const { device, bench } = openTill();
  await bench.sell(receiptAt("A-1", 6));
  const lost = await bench.sell(receiptAt("A-2", 1));
  device.unplugged = true;
  Object.assign(device, { identity: { ...device.identity, fn: otherDrive }, documents: [] });
  await pass(bench, 30_000);
  device.unplugged = false;
  await pass(bench, 30_000);
  expect(bench.stores.journal.ofJob(lost.id).map(({ what }) => what)).toContain("document not compared");
  expect(troublesOf(bench)).toMatchObject([{ kind: "receipt-not-compared" }]);
  const values = bench.stores.checks.notCompared().map(({ value }) => value);
  expect(values).toContain("1199=11 (9999078900000001)");
  device.alter = changeLines((line) => ({ ...line, 1199: 1 }));
  const altered = await bench.sell(receiptAt("A-3", 1));
  await pass(bench, 5_000);
  expect(bench.stores.checks.held(TILL)).toMatchObject([{ job: altered.id, tag: 1199 }]);
});

test("a payment method that a model never shows as sent gives only a warning, because it may be read wrongly", async () => {
  const { device, bench } = openTill({ alter: changeLines((line) => ({ ...line, 1214: 1 })) });
  for (const order of ["A-1", "A-2"]) bench.addJob(receiptAt(order, 6));
  await bench.runQueue();
  expect(receiptsOn(device)).toHaveLength(2);
  expect(troublesOf(bench)).toMatchObject([
    { kind: "receipt-differs", text: { ru: expect.stringContaining("(1214)") } },
  ]);
});

test("documents that cannot be read keep no receipt waiting, and are reported as not compared", async () => {
  const { device, bench } = openTill();
  for (let fd = 1; fd < 100; fd += 1) device.unreadable.add(fd);
  for (const order of ["A-1", "A-2", "A-3"]) bench.addJob(receiptAt(order, 1));
  await bench.runQueue();
  expect(receiptsOn(device)).toHaveLength(3);
  expect(troublesOf(bench)).toMatchObject([{ kind: "receipt-not-compared", about: { registers: ["till-1"] } }]);
});

test("a shift is closed without waiting for the comparison of a document, which is compared later", async () => {
  const { device, bench } = await openAltering();
  await bench.sell(receiptAt("A-2", 1));
  const asked: string[] = [];
  device.onCall = (name) => void asked.push(name);
  await bench.print(bench.addJob(zReport));
  expect(device.shift.state).toBe("closed");
  expect(asked).not.toContain("documents");
  await pass(bench, 5_000);
  expect(asked).toContain("documents");
  expect(troublesOf(bench)).toMatchObject([{ kind: "receipt-altered" }]);
});

test("waiting documents are compared while nothing is printed, including those from before a crash", async () => {
  const { device, bench } = await openAltering((sent) => sent);
  await bench.sell(receiptAt("A-2", 6));
  device.alter = changeLines((line) => ({ ...line, 1043: kopecks(1) }));
  for (const order of ["A-3", "A-4"]) bench.addJob(receiptAt(order, 6));
  await pass(bench, 1000);
  expect(receiptsOn(device)).toHaveLength(4);
  const again = bench.crash();
  await again.start();
  await pass(again, 20_000);
  expect(troublesOf(again)).toMatchObject([
    { kind: "receipt-altered", text: { ru: expect.stringContaining("(1043)") } },
  ]);
});

test.each<[string, () => Error]>([
  ["breaks the connection each time", () => new Fault("link.corrupt", { message: "the answer ends early" })],
  ["fails by a programming error", () => new TypeError("no such tag")],
])("a document whose comparison %s is left uncompared, and keeps no receipt waiting", async (_what, failure) => {
  const { device, bench } = openTill();
  await bench.sell(receiptAt("A-1", 6));
  device.onCall = (name) => {
    if (name === "documents") throw failure();
  };
  bench.addJob(receiptAt("A-2", 1));
  await pass(bench, 20_000);
  bench.addJob(receiptAt("A-3", 1));
  await pass(bench, 120_000);
  expect(receiptsOn(device)).toHaveLength(3);
});
