/** `resolve` by the documents on the register. */

import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId } from "@fiscald/shared/ids.js";
import {
  leaveUnread,
  leaveUnsure,
  noMarks,
  once,
  orderNamed,
  TILL,
  tillsOf,
  useBenches,
  withCode,
} from "../../../support/benches.js";
import { makePaper, makeService } from "../../../support/make-job.js";
import { issuerOfBench } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  createTill,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";

const { open, openTill } = useBenches();

/** Two tills of one group; till-1 has printed A-1. */
async function openHall(one: ScriptedDevice) {
  const two = createTill(2);
  const bench = open({ registers: tillsOf([one, two], { group: "hall" }) });
  await bench.sell("A-1");
  return { bench, two };
}

/** A-2 is cut off after its close on till-1, whose drive counts only its first document since. */
async function openLowCount() {
  const device = createScriptedDevice();
  const hall = await openHall(device);
  const { bench } = hall;
  const documents = device.documents;
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name === "ran") device.documents = documents.slice(0, 1);
  };
  bench.addJob(orderNamed("A-2"));
  bench.wake.notify();
  await bench.clock.advance(20_000);
  return { ...hall, device, documents };
}

test("a document that was on the drive before the job was sent is refused as the job's document", async () => {
  const device = createScriptedDevice({ unreadable: new Set([4]) });
  const { bench } = await openHall(device);
  // Another program's, of the same sum and without a mark.
  addForeignReceipt(device, orderNamed("X-1"));
  device.faults = [{ kind: "after" }];
  await bench.sell("A-2");
  expect(bench.job(2)).toMatchObject({ state: "unsure" });
  const tried = bench.operator.resolvePrinted(2, 3, "mistyped");
  await expect(tried).rejects.toMatchObject({
    code: "job.document-mismatch",
    message: expect.stringMatching(/3 is older than the job.* 3/),
  });
  device.unreadable.clear();
  const settled = await bench.operator.resolvePrinted(2, 4, "read now");
  expect(settled).toMatchObject({ state: "printed", document: { fd: 4 } });
});

test("a job is resolved as printed although the register goes away before other jobs are compared again", async () => {
  const { device, bench } = openTill();
  await leaveUnread(bench, device);
  device.unreadable.clear();
  device.onCall = (name) => {
    if (name === "fence") device.unplugged = true;
  };
  const settled = await bench.operator.resolvePrinted(2, 3, "read now");
  expect(settled).toMatchObject({ state: "printed", document: { fd: 3 } });
});

test("resolving a job as not printed is refused while the drive has fewer documents than when the job was sent", async () => {
  const { bench, device, documents, two } = await openLowCount();
  expect(bench.fleet.snapshots()).toMatchObject([{ phase: "blocked", fault: { code: "device.fn-state" } }, {}]);
  const tried = bench.operator.resolveNotPrinted(2, "no paper came out");
  await expect(tried).rejects.toMatchObject({
    code: "job.document-left-out",
    message: expect.stringMatching(/no document 2 now.* last one is 1$/),
  });
  await bench.clock.advance(120_000);
  expect(receiptsOn(two)).toEqual([]);
  // The next answer about the number is right.
  device.documents = documents;
  await bench.clock.advance(20_000);
  expect(bench.job(2)).toMatchObject({ state: "printed", register: "till-1", document: { fd: 3 } });
});

test("resolving a job as not printed is refused when its order mark is on a document above the last document that the register showed", async () => {
  const { bench, device, documents, two } = await openLowCount();
  const operator = bench.operator;
  operator.acceptIdentity(TILL, "it is the right one");
  await bench.clock.advance(20_000);
  expect(bench.stores.attempts.ofJob(2).at(-1)).toMatchObject({ fenceFd: 1, doubt: { reason: "no-evidence" } });
  device.documents = documents;
  const tried = operator.resolveNotPrinted(2, "no paper came out");
  await expect(tried).rejects.toEqual(withCode("job.already-printed"));
  await bench.clock.advance(120_000);
  expect(receiptsOn(two)).toEqual([]);
});

/** A-2 is FD 3, which could not be read; it is `seen` when the operator comes. */
async function openSeen(seen: (document: FiscalDocument) => FiscalDocument) {
  const { device, bench } = openTill();
  await leaveUnread(bench, device);
  device.unreadable.clear();
  device.documents = device.documents.map((document) => (document.fd === 3 ? seen(document) : document));
  return bench;
}

describe("resolving a job as printed, by a document that cannot be read in full", () => {
  const paper = makePaper(toFnSerial("9999078900000001"));
  const unread = { mark: null, body: "unreadable", items: [], shift: null } as const;

  test.each([
    ["whose head alone can be read", (document: FiscalDocument) => ({ ...document, ...unread })],
    ["of which nothing can be read", () => unknownDocument(3)],
  ])("the numbers on the paper are accepted for a document %s", async (_, seen) => {
    const bench = await openSeen(seen);
    const operator = bench.operator;
    await expect(operator.resolvePrinted(2, 3, "it is there")).rejects.toThrow(/cannot be read now.*--fn/);
    const settled = await operator.resolvePrinted(2, 3, "the paper lies here", paper);
    expect(settled).toMatchObject({ state: "printed", document: { fd: 3, shift: 1, fiscalSign: "1000000003" } });
  });

  test("a document whose sum cannot be read is refused as the job's without its paper", async () => {
    const bench = await openSeen((document) => ({ ...document, mark: null, body: "header", items: [], total: null }));
    const tried = bench.operator.resolvePrinted(2, 3, "it is there");
    await expect(tried).rejects.toEqual(withCode("job.document-mismatch"));
    expect(bench.job(2).state).toBe("unsure");
  });

  test("numbers on the paper that contradict the readable part of the document are refused", async () => {
    const bench = await openSeen((document) => ({ ...document, ...unread, total: kopecks(77_700) }));
    const operator = bench.operator;
    await expect(operator.resolvePrinted(2, 3, "?", paper)).rejects.toThrow(/ of 777\.00/);
    const slip = { ...paper, fiscalSign: "1000000004" };
    await expect(operator.resolvePrinted(2, 3, "?", slip)).rejects.toThrow(/the fiscal sign 1000000003/);
    await expect(operator.resolvePrinted(2, 9, "?", paper)).rejects.toThrow(/has no document 9/);
    expect(bench.job(2).state).toBe("unsure");
  });
});

describe("resolving a job as printed, by a document with another mark", () => {
  const withMark = (mark: string) => openSeen((document) => ({ ...document, mark }));

  test("a document with the order mark of an unknown issuer is accepted as the job's", async () => {
    const bench = await withMark("A-2 99999999.0123abcd");
    expect(await bench.operator.resolvePrinted(2, 3, "the former daemon's")).toMatchObject({ state: "printed" });
  });

  test.each([
    ["another order", "A-9 99999999.0123abcd"],
    ["another site", `A-2 ${issuerOfBench("cafe")}.0123abcd`],
    ["another receipt of the same order", `A-2 ${issuerOfBench("shop")}.0123abcd`],
  ])("a document with the order mark of %s is refused as the job's", async (_, mark) => {
    const bench = await withMark(mark);
    const tried = bench.operator.resolvePrinted(2, 3, "?");
    await expect(tried).rejects.toThrow(/carries the mark of another receipt/);
  });
});

test.each(["printed", "not printed"])(
  "resolving a job as %s is refused when the drive was changed since the register was asked",
  async (answer) => {
    const { device, bench } = openTill({ capabilities: noMarks });
    await leaveUnsure(bench, device);
    device.identity = { ...device.identity, fn: toFnSerial("9999078900000002") };
    const actions = bench.operator;
    const tried = answer === "printed" ? actions.resolvePrinted(2, 3, "?") : actions.resolveNotPrinted(2, "?");
    await expect(tried).rejects.toEqual(expect.objectContaining({ code: "link.lost" }));
    expect(bench.job(2).state).toBe("unsure");
  },
);

test("a receipt whose shift was being opened is resolved as printed by its paper, and not printed again", async () => {
  const { device, bench } = openTill();
  device.faults = [{ kind: "after" }];
  once(device, "ran", () => {
    device.unplugged = true;
  });
  bench.addJob(orderNamed("A-1"));
  bench.startQueue();
  await bench.clock.advance(5_000);
  expect(bench.stores.attempts.ofJob(1)).toMatchObject([{ witness: { kind: "shift-open" }, outcome: "unsure" }]);
  addForeignReceipt(device, orderNamed("A-1"));
  const [sold] = receiptsOn(device);
  if (sold === undefined) throw new Error("nothing was sold");
  const { fd, fiscalSign, shift, time, receiptNumber } = sold;
  if (shift === null || time === null) throw new Error("no numbers");
  const paper = { fn: device.identity.fn, fiscalSign, shift, time, receiptNumber };
  const job = await bench.operator.resolvePrinted(1, fd, "sold by hand", paper);
  expect(job).toMatchObject({ state: "printed", document: { fd } });
  device.unplugged = false;
  await bench.clock.advance(60_000);
  expect([receiptsOn(device).length, bench.told.results]).toEqual([1, [{ job: 1, outcome: "printed", fd }]]);
});

test("cash in an order with a Z report is resolved as printed, and the rest of the order is carried out", async () => {
  const device = createScriptedDevice();
  const { bench } = await openHall(device);
  device.faults = [{ kind: "after" }];
  once(device, "ran", () => {
    addForeignReceipt(device, orderNamed("X-1"));
  });
  const table = makeService(
    [
      { type: "cash", direction: "out", sum: kopecks(500) },
      { type: "report", report: "z" },
    ],
    { orderId: toOrderId("Z-1") },
  );
  await bench.sell(table);
  expect(bench.job(2).state).toBe("unsure");
  await bench.operator.resolvePrinted(2, null, "the cash is out");
  await bench.runQueue();
  expect(bench.job(2).state).toBe("printed");
  expect(device.drawer.cashOut).toBe(500);
  expect(device.shift.state).toBe("closed");
});
