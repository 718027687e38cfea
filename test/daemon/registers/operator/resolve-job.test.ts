import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId } from "@fiscald/shared/ids.js";
import {
  leaveUnread,
  leaveUnsure,
  listen,
  noMarks,
  once,
  orderNamed,
  TILL,
  tillsOf,
  useBenches,
  withCode,
} from "../../../support/benches.js";
import { makeItem, makePaper, makeReceipt, makeService } from "../../../support/make-job.js";
import { issuerOfBench } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  createTill,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";

const { open, openTill } = useBenches();

/** Job 2 is unsure: documents 3 and 4 fit it. */
async function openUnsure() {
  const { bench, device } = openTill({ capabilities: noMarks });
  await leaveUnsure(bench, device);
  return { bench, device, operator: bench.operator };
}

/** Job 2 is unsure: it is document 3, which can be read now. */
async function openUnread() {
  const { bench, device } = openTill();
  await leaveUnread(bench, device);
  device.unreadable = new Set();
  return { bench, device, operator: bench.operator };
}

/** The register answers as if no document came after number 2. */
function hideNewest(device: ScriptedDevice): () => void {
  const { documents } = device;
  device.onCall = (name) => {
    device.documents = name === "documents" ? documents.slice(0, 2) : documents;
  };
  return () => Object.assign(device, { documents, onCall: () => {} });
}

test("an unsure receipt that is resolved as printed gets the numbers of the document on the register", async () => {
  const { bench, operator } = await openUnsure();
  const job = await operator.resolvePrinted(2, 3, "seen on paper");
  expect(job).toMatchObject({ state: "printed", document: { fd: 3, fiscalSign: "1000000003" } });
  expect(bench.told.results.at(-1)).toEqual({ job: 2, outcome: "printed", fd: 3 });
  const entry = { actor: "operator", what: "resolved as printed", details: { reason: "seen on paper", fd: 3 } };
  expect(bench.stores.journal.ofJob(2)).toContainEqual(expect.objectContaining(entry));
});

test("an unsure receipt cannot be resolved with another job's document, a missing one, or one with another total", async () => {
  const { bench, device, operator } = await openUnsure();
  addForeignReceipt(device, makeReceipt({ lines: [makeItem({ price: kopecks(77_700) })] }));
  for (const fd of [1, 2, 5, 99]) {
    await expect(operator.resolvePrinted(2, fd, "guess")).rejects.toEqual(withCode("job.document-mismatch"));
    expect(bench.job(2).state).toBe("unsure");
  }
});

test("an unsure receipt that is resolved as not printed passes the fence on the register and is then printed", async () => {
  const { bench, device, operator } = await openUnsure();
  const asked = listen(device);
  await operator.resolveNotPrinted(2, "no paper came out");
  expect(asked[0]).toBe("fence");
  await bench.runQueue();
  expect(bench.job(2)).toMatchObject({ state: "printed", document: { fd: 5 } });
  expect(receiptsOn(device)).toHaveLength(4);
});

test("a receipt cannot be resolved as not printed while its register has an open receipt that a person may close", async () => {
  const { bench, device, operator } = await openUnsure();
  device.openReceipt = { document: "receipt", operation: "sale", subtotal: kopecks(100) };
  await expect(operator.resolveNotPrinted(2, "no paper")).rejects.toEqual(withCode("device.receipt-open"));
  expect(bench.job(2).state).toBe("unsure");
  device.openReceipt = null;
  expect(await operator.resolveNotPrinted(2, "no paper")).toMatchObject({ state: "queued" });
});

test("a receipt cannot be resolved as not printed while the register shows a document with its order mark", async () => {
  const { bench, device, operator } = await openUnread();
  await expect(operator.resolveNotPrinted(2, "no paper")).rejects.toEqual(withCode("job.already-printed"));
  await bench.runQueue();
  expect(bench.job(2)).toMatchObject({ state: "printed", document: { fd: 3 } });
  expect(receiptsOn(device)).toHaveLength(2);
});

test("a receipt cannot be resolved as not printed while the register leaves out a document that may be its own", async () => {
  const { bench, device, operator } = await openUnread();
  const show = hideNewest(device);
  await expect(operator.resolveNotPrinted(2, "no paper")).rejects.toEqual(withCode("job.document-unread"));
  show();
  await bench.runQueue();
  expect(receiptsOn(device)).toHaveLength(2);
});

test("a receipt cannot be resolved as not printed while the drive shows fewer documents than at the fence", async () => {
  const { bench, device, operator } = await openUnread();
  // What the fence read was not the drive's own number.
  device.documents = device.documents.slice(0, 2);
  await expect(operator.resolveNotPrinted(2, "no paper came out")).rejects.toMatchObject({
    code: "job.document-left-out",
    message: expect.stringMatching(/document 3\b.* last one is 2\b/),
    hint: {
      en: expect.stringMatching(/once .*that number.*`fiscald accept-identity`.*out of the config.*`fiscald move`/),
      ru: expect.stringMatching(/с этим номером.*`fiscald accept-identity`.*из настроек.*`fiscald move`/),
    },
  });
  operator.report(TILL, "z", "the drive comes to that number");
  await bench.clock.advance(20_000);
  expect(bench.fleet.snapshots()).toMatchObject([{ phase: "blocked", fault: { code: "device.fn-state" } }]);
  operator.acceptIdentity(TILL, "the drive is the right one");
  await bench.runQueue();
  expect(device.documents.map(({ type }) => type)).toEqual(["shift-open", "receipt", "shift-close"]);
  expect(bench.job(2).state).toBe("unsure");
  await operator.resolveNotPrinted(2, "no paper came out");
  await bench.runQueue();
  expect(bench.job(2).state).toBe("printed");
  expect(receiptsOn(device)).toHaveLength(2);
});

test("a receipt without an order mark is resolved as not printed only after each document that may be its own was checked", async () => {
  const { bench, device, operator } = await openUnsure();
  hideNewest(device);
  for (const checked of [[], [3]]) {
    await expect(operator.resolveNotPrinted(2, "no paper", checked)).rejects.toEqual(withCode("job.document-unread"));
  }
  expect(bench.job(2).state).toBe("unsure");
  await operator.resolveNotPrinted(2, "both papers are other receipts", [3, 4]);
  expect(bench.job(2).state).not.toBe("unsure");
});

test("a job that is not unsure, an unknown job, and a job whose register is away cannot be resolved", async () => {
  const { bench, device, operator } = await openUnsure();
  await expect(operator.resolveNotPrinted(1, "why")).rejects.toEqual(withCode("job.wrong-state"));
  await expect(operator.resolveNotPrinted(77, "why")).rejects.toEqual(withCode("job.not-found"));
  device.unplugged = true;
  await expect(operator.resolveNotPrinted(2, "why")).rejects.toEqual(withCode("link.lost"));
  await bench.settled();
  await expect(operator.resolvePrinted(2, 3, "why")).rejects.toEqual(withCode("link.lost"));
  expect(bench.job(2).state).toBe("unsure");
});

async function openHall(one: ScriptedDevice) {
  const two = createTill(2);
  const bench = open({ registers: tillsOf([one, two], { group: "hall" }) });
  await bench.sell("A-1");
  return { bench, two };
}

/** A-2 is cut off after its close on till-1, whose drive then counts only its first document. */
async function openLowCount() {
  const device = createScriptedDevice();
  const hall = await openHall(device);
  const { bench } = hall;
  const documents = device.documents;
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name === "ran") device.documents = documents.slice(0, 1);
  };
  bench.queue("A-2");
  await bench.clock.advance(20_000);
  return { ...hall, device, documents };
}

test("a document that was on the drive before the job was sent is refused as the job's document", async () => {
  const device = createScriptedDevice({ unreadable: new Set([4]) });
  const { bench } = await openHall(device);
  // Another program's document, of the same sum and without an order mark.
  addForeignReceipt(device, orderNamed("X-1"));
  device.faults = [{ kind: "after" }];
  await bench.sell("A-2");
  expect(bench.job(2)).toMatchObject({ state: "unsure" });
  await expect(bench.operator.resolvePrinted(2, 3, "mistyped")).rejects.toMatchObject({
    code: "job.document-mismatch",
    message: expect.stringMatching(/3 is older than the job.* 3/),
  });
  device.unreadable.clear();
  const settled = await bench.operator.resolvePrinted(2, 4, "read now");
  expect(settled).toMatchObject({ state: "printed", document: { fd: 4 } });
});

test("a job is resolved as printed although the register is lost before other jobs are compared again", async () => {
  const { device, bench } = await openUnread();
  device.onCall = (name) => {
    if (name === "fence") device.unplugged = true;
  };
  const settled = await bench.operator.resolvePrinted(2, 3, "read now");
  expect(settled).toMatchObject({ state: "printed", document: { fd: 3 } });
});

test("resolving a job as not printed is refused while the drive has fewer documents than when the job was sent", async () => {
  const { bench, device, documents, two } = await openLowCount();
  expect(bench.fleet.snapshots()).toMatchObject([{ phase: "blocked", fault: { code: "device.fn-state" } }, {}]);
  await expect(bench.operator.resolveNotPrinted(2, "no paper came out")).rejects.toMatchObject({
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

test("a job cannot be resolved as not printed when its order mark is on a document above the last one shown before", async () => {
  const { bench, device, documents, two } = await openLowCount();
  bench.operator.acceptIdentity(TILL, "it is the right one");
  await bench.clock.advance(20_000);
  expect(bench.stores.attempts.ofJob(2).at(-1)).toMatchObject({ fenceFd: 1, doubt: { reason: "no-evidence" } });
  device.documents = documents;
  const tried = bench.operator.resolveNotPrinted(2, "no paper came out");
  await expect(tried).rejects.toEqual(withCode("job.already-printed"));
  await bench.clock.advance(120_000);
  expect(receiptsOn(two)).toEqual([]);
});

/** A-2 is document 3, which could not be read. `seen` makes the document that the operator's request reads. */
async function openSeen(seen: (document: FiscalDocument) => FiscalDocument) {
  const { device, bench } = await openUnread();
  device.documents = device.documents.map((document) => (document.fd === 3 ? seen(document) : document));
  return bench;
}

const paper = makePaper(toFnSerial("9999078900000001"));
const unread = { mark: null, body: "unreadable", items: [], shift: null } as const;

test.each([
  ["whose head alone can be read", (document: FiscalDocument) => ({ ...document, ...unread })],
  ["of which nothing can be read", () => unknownDocument(3)],
])("the numbers on the paper are accepted for a document %s", async (_, seen) => {
  const bench = await openSeen(seen);
  await expect(bench.operator.resolvePrinted(2, 3, "it is there")).rejects.toThrow(/cannot be read now.*--fn/);
  const settled = await bench.operator.resolvePrinted(2, 3, "the paper lies here", paper);
  expect(settled).toMatchObject({ state: "printed", document: { fd: 3, shift: 1, fiscalSign: "1000000003" } });
});

test("a document whose sum cannot be read is refused as the job's document without the numbers on its paper", async () => {
  const bench = await openSeen((document) => ({ ...document, mark: null, body: "header", items: [], total: null }));
  await expect(bench.operator.resolvePrinted(2, 3, "it is there")).rejects.toEqual(withCode("job.document-mismatch"));
  expect(bench.job(2).state).toBe("unsure");
});

test("numbers on the paper that contradict the readable part of the document are refused", async () => {
  const bench = await openSeen((document) => ({ ...document, ...unread, total: kopecks(77_700) }));
  await expect(bench.operator.resolvePrinted(2, 3, "?", paper)).rejects.toThrow(/ of 777\.00/);
  const slip = { ...paper, fiscalSign: "1000000004" };
  await expect(bench.operator.resolvePrinted(2, 3, "?", slip)).rejects.toThrow(/the fiscal sign 1000000003/);
  await expect(bench.operator.resolvePrinted(2, 9, "?", paper)).rejects.toThrow(/has no document 9/);
  expect(bench.job(2).state).toBe("unsure");
});

const withMark = (mark: string) => openSeen((document) => ({ ...document, mark }));

test("a document with the order mark of an unknown issuer is accepted as the job's document", async () => {
  const bench = await withMark("A-2 99999999.0123abcd");
  expect(await bench.operator.resolvePrinted(2, 3, "the former daemon's")).toMatchObject({ state: "printed" });
});

test.each([
  ["another order", "A-9 99999999.0123abcd"],
  ["another site", `A-2 ${issuerOfBench("cafe")}.0123abcd`],
  ["another receipt of the same order", `A-2 ${issuerOfBench("shop")}.0123abcd`],
])("a document with the order mark of %s is refused as the job's document", async (_, mark) => {
  const bench = await withMark(mark);
  await expect(bench.operator.resolvePrinted(2, 3, "?")).rejects.toThrow(/carries the mark of another receipt/);
});

test.each(["printed", "not printed"])(
  "resolving a job as %s is refused when the drive was changed since the register was asked",
  async (answer) => {
    const { device, bench } = await openUnsure();
    device.identity = { ...device.identity, fn: toFnSerial("9999078900000002") };
    const tried =
      answer === "printed" ? bench.operator.resolvePrinted(2, 3, "?") : bench.operator.resolveNotPrinted(2, "?");
    await expect(tried).rejects.toEqual(expect.objectContaining({ code: "link.lost" }));
    expect(bench.job(2).state).toBe("unsure");
  },
);

test("a receipt whose shift was being opened is resolved as printed by its paper, and is not printed again", async () => {
  const { device, bench } = openTill();
  device.faults = [{ kind: "after" }];
  once(device, "ran", () => {
    device.unplugged = true;
  });
  bench.queue("A-1");
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
