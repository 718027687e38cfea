/** What a sweep finds besides the outcome of what was sent: doubles, and candidates that find their owner. */
import { markTextOf } from "@fiscald/daemon/registers/recovery/compare-document.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { markDigits } from "@fiscald/shared/receipt/order-key.js";
import { formatMark } from "@fiscald/shared/receipt/order-mark.js";
import { noMarks, operatorAt, orderNamed, useBenches } from "../../../support/benches.js";
import { issuerOfBench, newBenchPath } from "../../../support/register-bench.js";
import { addForeignReceipt, createScriptedDevice, receiptsOn } from "../../../support/scripted-driver.js";
import { waitFor } from "../../../support/wait-for.js";

const { open } = useBenches();

test("a mark that was read is not forgotten when its document is read badly later", async () => {
  const device = createScriptedDevice();
  const bench = open({ registers: [{ device }] });
  await bench.start();
  const theirs = orderNamed("A-1");
  addForeignReceipt(
    device,
    theirs,
    formatMark(toOrderId("A-1"), { issuer: issuerOfBench(toSiteId("shop")), digits: markDigits(theirs) }),
  );
  const [{ fn }, fd] = [device.identity, device.documents.length];
  bench.addJob(orderNamed("B-1"));
  await bench.runQueue();
  const kept = bench.stores.documents.find(fn, fd);
  expect(kept?.document.body).toBe("full");
  if (kept !== null) bench.stores.documents.keep({ ...kept, document: unknownDocument(fd) }, 0);
  const job = bench.addJob(theirs);
  await bench.runQueue();
  expect(bench.stores.jobs.get(job.id)).toMatchObject({ state: "printed", document: { fd } });
});

// The order id of the second one is respelt in the mark.
test.each(["A-1", "ёлка"])(
  "a second receipt with the mark of the printed order %s is reported as a double",
  async (order) => {
    const device = createScriptedDevice();
    const bench = open({ registers: [{ device }] });
    bench.addJob(orderNamed(order));
    await bench.runQueue();
    addForeignReceipt(device, orderNamed(order), receiptsOn(device)[0]?.mark);
    bench.addJob(orderNamed("B-1"));
    await bench.runQueue();
    expect(bench.errors).toContainEqual(expect.stringContaining("an order was printed twice"));
    const double = { what: "printed twice", job: 1, details: expect.objectContaining({ fd: 3, printed: 2 }) };
    expect(bench.stores.journal.doubles(0, 9)).toEqual([expect.objectContaining(double)]);
  },
);

test("another site's receipt with the same order id and digits is no double", async () => {
  const device = createScriptedDevice();
  const bench = open({ registers: [{ device }] });
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  const digits = receiptsOn(device)[0]?.mark?.slice(-8);
  addForeignReceipt(device, orderNamed("A-1"), `A-1 0badcafe.${digits}`);
  bench.addJob(orderNamed("B-1"));
  await bench.runQueue();
  expect(bench.stores.journal.countDoubles()).toBe(0);
});

test("the receipt of a failed order is reported, and a retry takes it without printing", async () => {
  const device = createScriptedDevice({ faults: [null, { kind: "refuse", fault: new Fault("receipt.unsupported") }] });
  const bench = open({ registers: [{ device }] });
  const job = bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(job.id).state).toBe("failed");
  addForeignReceipt(device, orderNamed("A-1"), markTextOf(job));
  bench.addJob(orderNamed("B-1"));
  await bench.runQueue();
  expect(bench.stores.journal.doubles(0, 9)).toEqual([expect.objectContaining({ what: "printed after all", job: 1 })]);
  expect(bench.errors).toContainEqual(expect.stringContaining("ended as not printed has a receipt"));
  operatorAt(bench).retry(job.id, "it is on the paper");
  await bench.runQueue();
  expect(bench.told.results.at(-1)).toMatchObject({ job: job.id, outcome: "printed" });
  expect(receiptsOn(device)).toHaveLength(2);
});

test("of two equal orders, the other is printed once the operator has given the one document its owner", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const before = open({ registers: [{ device }] });
  before.addJob(orderNamed("A-1"));
  await before.runQueue();
  await before.close();
  const bench = open({ path: newBenchPath(), forgetful: true, registers: [{ device }] });
  const [one, other] = [bench.addJob(orderNamed("A-1")), bench.addJob(orderNamed("A-1"))];
  await bench.runQueue();
  expect([one, other].map(({ id }) => bench.stores.jobs.get(id).state)).toEqual(["unsure", "unsure"]);
  await operatorAt(bench).resolvePrinted(one.id, 2, "it is on the paper");
  await bench.runQueue();
  expect(bench.stores.jobs.get(other.id)).toMatchObject({ state: "printed", document: { fd: 3 } });
});

/** A-1 was cut off, and of its two equal documents each may be its own or the one of an order of a lost database. */
async function openTwoCandidates() {
  const device = createScriptedDevice({ capabilities: noMarks });
  const path = newBenchPath();
  const before = open({ path, registers: [{ device }] });
  before.addJob(orderNamed("A-0"));
  await before.runQueue();
  const cutOff = before.addJob(orderNamed("A-1"));
  device.onCall = (name) => {
    if (name !== "ran") return;
    device.onCall = () => {};
    addForeignReceipt(device, orderNamed("A-1"));
    return new Promise(() => {});
  };
  before.wake.notify();
  await waitFor("both receipts are on the drive", async () => {
    await before.clock.advance(1000);
    return receiptsOn(device).length === 3;
  });
  await before.crash().close();
  const bench = open({ path, forgetful: true, registers: [{ device }] });
  const lost = bench.addJob(orderNamed("A-1"), { site: "cafe" });
  await bench.runQueue();
  expect(bench.stores.attempts.ofJob(cutOff.id).at(-1)?.doubt).toMatchObject({
    reason: "ambiguous",
    candidates: [{ fd: 3 }, { fd: 4 }],
  });
  return { bench, cutOff, lost };
}

test("of two documents that may be a cut-off order's, the one is its own once the other has got its owner", async () => {
  const { bench, cutOff, lost } = await openTwoCandidates();
  await operatorAt(bench).resolvePrinted(lost.id, 4, "it is on the paper");
  expect(bench.stores.jobs.get(cutOff.id)).toMatchObject({ state: "printed", document: { fd: 3 } });
});

test("an equal order that waits keeps the last document from being the cut-off order's own", async () => {
  const { bench, cutOff, lost } = await openTwoCandidates();
  const waiting = bench.addJob(orderNamed("A-1"));
  await operatorAt(bench).resolvePrinted(lost.id, 4, "it is on the paper");
  expect([cutOff, waiting].map(({ id }) => bench.stores.jobs.get(id).state)).toEqual(["unsure", "unsure"]);
});

test("without marks, an equal receipt proves nothing while another program sells in the shift", async () => {
  const device = createScriptedDevice({ capabilities: noMarks });
  const bench = open({ registers: [{ device }] });
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  addForeignReceipt(device, orderNamed("X-1"));
  device.faults = [{ kind: "after" }];
  bench.addJob(orderNamed("A-2"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(2).state).toBe("unsure");
  expect(bench.stores.attempts.ofJob(2).at(-1)?.doubt).toMatchObject({ reason: "ambiguous", candidates: [{ fd: 4 }] });
  await operatorAt(bench).resolvePrinted(2, 4, "seen");
  expect(bench.stores.registers.find(toRegisterId("till-1"))?.lastFd).toBe(4);
});

test("a receipt that went to a drive put in just before is found there by its mark", async () => {
  const device = createScriptedDevice();
  const bench = open({ registers: [{ device }] });
  bench.addJob(orderNamed("A-1"));
  await bench.runQueue();
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name !== "run") return;
    const shift = { number: 0, state: "closed", openedAt: null } as const;
    Object.assign(device, {
      identity: { ...device.identity, fn: toFnSerial("9999078900000002") },
      documents: [],
      shift,
    });
    device.onCall = () => {};
  };
  bench.addJob(orderNamed("A-2"));
  await bench.runQueue();
  expect(bench.stores.jobs.get(2)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
});
