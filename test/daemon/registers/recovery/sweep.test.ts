/** What a sweep finds besides the outcome of what was sent: doubles, and candidates that get an owner. */

import { markTextOf } from "@fiscald/daemon/registers/recovery/compare-document.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId, toSiteId } from "@fiscald/shared/ids.js";
import { markDigits } from "@fiscald/shared/receipt/order-key.js";
import { formatMark } from "@fiscald/shared/receipt/order-mark.js";
import { never, newBenchPath, noMarks, once, orderNamed, TILL, useBenches } from "../../../support/benches.js";
import { issuerOfBench } from "../../../support/register-bench.js";
import { addForeignReceipt, createScriptedDevice, receiptsOn, swapDrive } from "../../../support/scripted-driver.js";

const { open, openOn, openTill } = useBenches();

test("an order mark that was read once is still known when its document is read badly later", async () => {
  const { device, bench } = openTill();
  await bench.start();
  const theirs = orderNamed("A-1");
  addForeignReceipt(
    device,
    theirs,
    formatMark(toOrderId("A-1"), { issuer: issuerOfBench(toSiteId("shop")), digits: markDigits(theirs) }),
  );
  const [{ fn }, fd] = [device.identity, device.documents.length];
  await bench.sell("B-1");
  const kept = bench.stores.documents.find(fn, fd);
  expect(kept?.document.body).toBe("full");
  if (kept !== null) bench.stores.documents.keep({ ...kept, document: unknownDocument(fd) }, 0);
  expect(await bench.sell(theirs)).toMatchObject({ state: "printed", document: { fd } });
});

test("a late document of a program without an order mark makes the program's queued order unsure", async () => {
  const { device, bench } = openTill({ capabilities: noMarks });
  await bench.sell("A-1");
  device.faults = [{ kind: "before" }];
  device.onCall = () => {
    const [attempt] = bench.stores.attempts.ofJob(2);
    if (attempt?.outcome === "not-printed" && receiptsOn(device).length === 1) {
      addForeignReceipt(device, orderNamed("A-2"));
    }
  };
  await bench.sell("A-2");
  expect([bench.states(2), receiptsOn(device).length]).toEqual([["unsure"], 2]);
});

// The order id of the second one is respelt in the order mark.
test.each(["A-1", "ёлка"])(
  "a second receipt with the order mark of the printed order %s is reported as a double",
  async (order) => {
    const { device, bench } = openTill();
    await bench.sell(order);
    addForeignReceipt(device, orderNamed(order), receiptsOn(device)[0]?.mark);
    await bench.sell("B-1");
    expect(bench.errors).toContainEqual(expect.stringContaining("an order was printed twice"));
    const double = { what: "printed twice", job: 1, details: expect.objectContaining({ fd: 3, printed: 2 }) };
    expect(bench.stores.journal.doubles(0, 9)).toEqual([expect.objectContaining(double)]);
  },
);

test("another site's receipt with the same order id and digits is not reported as a double", async () => {
  const { device, bench } = openTill();
  await bench.sell("A-1");
  const digits = receiptsOn(device)[0]?.mark?.slice(-8);
  addForeignReceipt(device, orderNamed("A-1"), `A-1 0badcafe.${digits}`);
  await bench.sell("B-1");
  expect(bench.stores.journal.countDoubles()).toBe(0);
});

test("the receipt found for a failed order is reported, and a retry takes that receipt and prints nothing", async () => {
  const { device, bench } = openTill({ faults: [null, { kind: "refuse", fault: new Fault("receipt.unsupported") }] });
  const job = await bench.sell("A-1");
  expect(bench.job(job.id).state).toBe("failed");
  addForeignReceipt(device, orderNamed("A-1"), markTextOf(job));
  await bench.sell("B-1");
  expect(bench.stores.journal.doubles(0, 9)).toEqual([expect.objectContaining({ what: "printed after all", job: 1 })]);
  expect(bench.errors).toContainEqual(expect.stringContaining("ended as not printed has a receipt"));
  bench.operator.retry(job.id, "it is on the paper");
  await bench.runQueue();
  expect(bench.told.results.at(-1)).toMatchObject({ job: job.id, outcome: "printed" });
  expect(receiptsOn(device)).toHaveLength(2);
});

test("one of two equal orders is printed after the operator has given the only document to the other order", async () => {
  const { device, bench: before } = openTill({ capabilities: noMarks });
  await before.sell("A-1");
  await before.close();
  const bench = open({ path: newBenchPath(), forgetful: true, registers: [{ device }] });
  const [one, other] = [bench.addJob(orderNamed("A-1")), bench.addJob(orderNamed("A-1"))];
  await bench.runQueue();
  expect([one, other].map(({ id }) => bench.job(id).state)).toEqual(["unsure", "unsure"]);
  await bench.operator.resolvePrinted(one.id, 2, "it is on the paper");
  await bench.runQueue();
  expect(bench.job(other.id)).toMatchObject({ state: "printed", document: { fd: 3 } });
});

/** A-1 was cut off. Each of two equal documents may be its own or that of an order of a lost database. */
async function openTwoCandidates() {
  const device = createScriptedDevice({ capabilities: noMarks });
  const path = newBenchPath();
  const before = openOn(device, { path });
  await before.sell("A-0");
  const cutOff = before.addJob(orderNamed("A-1"));
  once(device, "ran", () => {
    addForeignReceipt(device, orderNamed("A-1"));
    return never;
  });
  before.wake.notify();
  await before.until("both receipts are on the drive", () => receiptsOn(device).length === 3);
  await before.crash().close();
  const bench = open({ path, forgetful: true, registers: [{ device }] });
  const lost = await bench.sell("A-1", { site: "cafe" });
  expect(bench.stores.attempts.ofJob(cutOff.id).at(-1)?.doubt).toMatchObject({
    reason: "ambiguous",
    candidates: [{ fd: 3 }, { fd: 4 }],
  });
  return { bench, cutOff, lost };
}

test("after the operator gave one of two documents to another order, a cut-off order gets the other document", async () => {
  const { bench, cutOff, lost } = await openTwoCandidates();
  await bench.operator.resolvePrinted(lost.id, 4, "it is on the paper");
  expect(bench.job(cutOff.id)).toMatchObject({ state: "printed", document: { fd: 3 } });
});

test("a cut-off order stays unsure after the operator gave one of two documents away, while an equal order waits", async () => {
  const { bench, cutOff, lost } = await openTwoCandidates();
  const waiting = bench.addJob(orderNamed("A-1"));
  await bench.operator.resolvePrinted(lost.id, 4, "it is on the paper");
  expect([cutOff, waiting].map(({ id }) => bench.job(id).state)).toEqual(["unsure", "unsure"]);
});

test("without order marks, an equal receipt proves nothing while another program sells in the shift", async () => {
  const { device, bench } = openTill({ capabilities: noMarks });
  await bench.sell("A-1");
  addForeignReceipt(device, orderNamed("X-1"));
  device.faults = [{ kind: "after" }];
  await bench.sell("A-2");
  expect(bench.job(2).state).toBe("unsure");
  expect(bench.stores.attempts.ofJob(2).at(-1)?.doubt).toMatchObject({ reason: "ambiguous", candidates: [{ fd: 4 }] });
  await bench.operator.resolvePrinted(2, 4, "seen");
  expect(bench.stores.registers.find(TILL)?.lastFd).toBe(4);
});

test("a receipt printed on a drive that was put in just before is found on that drive by its order mark", async () => {
  const { device, bench } = openTill();
  await bench.sell("A-1");
  device.faults = [{ kind: "after" }];
  once(device, "run", () => void swapDrive(device));
  await bench.sell("A-2");
  expect(bench.job(2)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
});
