/** `resolve` when the job's own register cannot show its document: another drive, another device, or none. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import {
  leaveUnread,
  leaveUnsure,
  newBenchPath,
  noMarks,
  once,
  orderNamed,
  TILL,
  useBenches,
  withCode,
} from "../../../support/benches.js";
import { makePaper, makeService, zReport } from "../../../support/make-job.js";
import { type Bench, issuerOfBench } from "../../../support/register-bench.js";
import { createScriptedDevice, createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { open, openOn, openTill } = useBenches();

const oldDrive = toFnSerial("9999078900000001");
const { fn: newDrive } = createTill(2).identity;
const other = toRegisterId("till-2");
const paper = makePaper(oldDrive);
const asPrinted = { state: "printed", document: { fn: oldDrive, fd: 3 } };
const another = (over: Partial<ScriptedDevice> = {}) => createTill(2, { capabilities: noMarks, ...over });
/** With the new drive in the register. */
const withNewDrive = ({ identity }: ScriptedDevice) =>
  createScriptedDevice({ capabilities: noMarks, identity: { ...identity, fn: newDrive } });

/** The cable comes off at the end of the run, and the answer is lost. */
function cutOff(device: ScriptedDevice): void {
  device.faults = [{ kind: "after" }];
  once(device, "ran", () => void Object.assign(device, { unplugged: true }));
}

/** Job 2 was printed as document 3, and the register was not asked since. */
async function leaveUnasked(bench: Bench, device: ScriptedDevice): Promise<void> {
  await bench.sell("A-1");
  cutOff(device);
  expect((await bench.sell("A-2")).state).toBe("unsure");
}

interface Left {
  readonly doubt?: (bench: Bench, device: ScriptedDevice) => Promise<void>;
  readonly device?: ScriptedDevice;
  readonly now: (device: ScriptedDevice) => Readonly<Record<string, ScriptedDevice>>;
}

/** Job 2 is in doubt on till-1 when the daemon stops. By default documents 3 and 4 fit it. */
async function leave({ doubt = leaveUnsure, device = createScriptedDevice({ capabilities: noMarks }), now }: Left) {
  const path = newBenchPath();
  const before = openOn(device, { path });
  await doubt(before, device);
  await before.close();
  Object.assign(device, { unplugged: false, onCall: () => {} });
  const devices = now(device);
  const registers = Object.entries(devices).map(([id, it]) => ({ device: it, settings: { id: toRegisterId(id) } }));
  const bench = open({ path, registers });
  return { bench, operator: bench.operator, device, here: devices["till-1"] ?? device };
}

async function leaveAndStart(left: Left) {
  const opened = await leave(left);
  await opened.bench.start();
  return opened;
}

async function acceptTill({ operator, settled, clock }: Bench): Promise<void> {
  operator.acceptIdentity(TILL, "it is the right one");
  await settled();
  await clock.advance(120_000);
}

/** The drive is in till-2 now. A person has accepted the device that is till-1. */
async function leaveSwapped(left: Omit<Left, "now"> = {}, here = another()) {
  const opened = await leaveAndStart({ ...left, now: (device) => ({ "till-1": here, "till-2": device }) });
  await acceptTill(opened.bench);
  return opened;
}

const swap = () => leaveAndStart({ now: (device) => ({ "till-1": withNewDrive(device) }) });

test("a receipt on a removed drive is resolved as printed only by the numbers on its paper", async () => {
  const { bench, operator } = await swap();
  await expect(operator.resolvePrinted(2, 3, "?")).rejects.toEqual(withCode("job.document-mismatch"));
  const job = await operator.resolvePrinted(2, 3, "the paper lies here", paper);
  expect(job).toMatchObject({ ...asPrinted, document: { fiscalSign: paper.fiscalSign } });
  expect(bench.told.results.at(-1)).toEqual({ job: 2, outcome: "printed", fd: 3 });
  expect(bench.stores.attempts.doubtsOf(TILL)).toEqual([]);
  const entry = { actor: "operator", what: "resolved as printed by its paper" };
  expect(bench.stores.journal.ofJob(2)).toContainEqual(expect.objectContaining(entry));
});

test.each([
  ["another drive than the job was sent to", 3, { ...paper, fn: toFnSerial("9999078900000003") }],
  ["the drive that is there and can be read", 3, { ...paper, fn: newDrive }],
  ["a document from before the job", 1, paper],
  ["no document", null, paper],
  ["another fiscal sign than the document on record has", 4, paper, /fiscal sign 1000000004, .* 1000000003/],
])("the numbers on the paper of a receipt are refused for %s", async (_, fd, numbers, reason = /./) => {
  const { bench, operator } = await swap();
  await expect(operator.resolvePrinted(2, fd, "?", numbers)).rejects.toMatchObject({
    ...{ code: "job.document-mismatch", message: expect.stringMatching(reason) },
  });
  expect(bench.job(2).state).toBe("unsure");
});

test("a removed drive's receipt is resolved as not printed only when a person has checked each document that may be it", async () => {
  const { bench, operator } = await swap();
  await acceptTill(bench);
  for (const checked of [[], [3]]) {
    await expect(operator.resolveNotPrinted(2, "?", checked)).rejects.toEqual(withCode("job.document-unread"));
  }
  expect(bench.job(2).state).toBe("unsure");
  expect(await operator.resolveNotPrinted(2, "other receipts", [3, 4])).toMatchObject({ state: "queued" });
});

test("the numbers on the paper are refused when they belong to another job's document", async () => {
  const { bench, operator } = await swap();
  const { fd } = bench.job(1).document ?? { fd: 0 };
  bench.addJob(orderNamed("A-3"));
  bench.stores.jobs.markUnsure(3, { code: "job.outcome-unknown", message: "" }, 0);
  await expect(operator.resolvePrinted(3, fd, "?", paper)).rejects.toEqual(withCode("job.document-mismatch"));
});

test("a recorded document with another site's order mark is refused as the order's document, whatever the paper says", async () => {
  const { bench, operator } = await swap();
  const { documents } = bench.stores;
  const unowned = documents.find(oldDrive, 4);
  if (unowned === null) throw new Error("document 4 is on record");
  const mark = `A-2 ${issuerOfBench("cafe")}.0123abcd`;
  documents.keep({ ...unowned, document: { ...unowned.document, mark } }, 0);
  const tried = operator.resolvePrinted(2, 4, "?", { ...paper, fiscalSign: "1000000004" });
  await expect(tried).rejects.toThrow(/document 4 carries the mark of another receipt/);
});

test("the numbers on the paper resolve a job while a foreign device is connected as its register", async () => {
  const { bench, operator } = await leaveAndStart({ now: () => ({ "till-1": another() }) });
  const fault = { code: "register.foreign-identity" };
  expect(bench.fleet.snapshots()).toMatchObject([{ phase: "blocked", isConnected: false, fault }]);
  expect(await operator.resolvePrinted(2, 3, "the paper lies here", paper)).toMatchObject(asPrinted);
});

test("the numbers on the paper resolve a job although its register is just being read", async () => {
  const now = (device: ScriptedDevice) => ({ "till-1": withNewDrive(device) });
  const { bench, operator, here } = await leave({ doubt: leaveUnasked, now });
  const fence = gate(here, "fence");
  const started = bench.start();
  await fence.reached;
  await operator.resolvePrinted(2, 3, "the paper lies here", paper);
  fence.open();
  await started;
  expect(bench.job(2)).toMatchObject(asPrinted);
  expect(bench.told.results.filter(({ job }) => job === 2)).toEqual([{ job: 2, outcome: "printed", fd: 3 }]);
  expect(bench.stores.jobs.reportedOutcome(2)).toBe("printed");
});

test("a receipt on a removed drive that was never read needs a check of the next document to count as not printed", async () => {
  const now = (device: ScriptedDevice) => ({ "till-1": withNewDrive(device) });
  const { operator } = await leaveAndStart({ doubt: leaveUnasked, now });
  await expect(operator.resolveNotPrinted(2, "no paper")).rejects.toThrow(/document 3 .*--checked 3/);
  expect(await operator.resolveNotPrinted(2, "not in the cabinet", [3])).toMatchObject({ state: "queued" });
});

const cash = { type: "cash", direction: "out", sum: kopecks(500) } as const;

test("an unsure payout of cash leaves no document, and is resolved as printed while its register is offline", async () => {
  const { device, bench } = openTill();
  await bench.sell("A-1");
  cutOff(device);
  expect((await bench.sell(makeService([cash], { orderId: toOrderId("C-1") }))).state).toBe("unsure");
  expect(await bench.operator.resolvePrinted(2, null, "it was taken out")).toMatchObject({ state: "printed" });
});

test("a receipt on a swapped device is read on the register that holds its drive now", async () => {
  const { bench, operator } = await leaveSwapped();
  expect(bench.fleet.snapshots().map(({ phase }) => phase)).toEqual(["ready", "ready"]);
  expect(await operator.resolvePrinted(2, 3, "read there")).toMatchObject(asPrinted);
});

test("a receipt that may still be printing is checked on the job's own register", async () => {
  const asked: string[] = [];
  const { bench, operator } = await leaveSwapped({}, another({ onCall: (name) => void asked.push(name) }));
  asked.length = 0;
  await expect(operator.resolveNotPrinted(2, "nothing")).rejects.toEqual(withCode("job.document-unread"));
  await operator.resolveNotPrinted(2, "nothing came out", [3, 4]);
  expect(asked).toContain("fence");
  await bench.runQueue();
  expect(bench.job(2)).toMatchObject({ state: "printed", document: { fn: newDrive } });
});

test("a receipt with an unreadable document on another register needs a check of it to count as not printed", async () => {
  const { bench, operator } = await leaveSwapped({ doubt: leaveUnread, device: createScriptedDevice() });
  const tried = operator.resolveNotPrinted(2, "no paper came out");
  await expect(tried).rejects.toThrow(/document 3.* cannot be read now.*--checked 3/);
  expect(bench.job(2).state).toBe("unsure");
});

test("a receipt of a replaced register is found by its order mark on the register that has the drive now", async () => {
  const { bench, here } = await leaveSwapped({ doubt: leaveUnasked, device: createScriptedDevice() });
  expect(bench.job(2)).toMatchObject(asPrinted);
  expect(receiptsOn(here)).toHaveLength(0);
});

/** Two devices whose answers are held up and then released one after the other. */
async function race() {
  const { bench, operator, device, here } = await leaveSwapped();
  const fence = gate(here, "fence");
  const notPrinted = operator.resolveNotPrinted(2, "nothing came out", [3, 4]);
  await fence.reached;
  const documents = gate(device, "documents");
  const printed = operator.resolvePrinted(2, 3, "the paper lies here");
  await documents.reached;
  return { bench, fence, documents, notPrinted, printed };
}

test("a job resolved as not printed cannot be resolved as printed by a slower request, and is printed only once more", async () => {
  const { bench, fence, documents, notPrinted, printed } = await race();
  fence.open();
  expect(await notPrinted).toMatchObject({ state: "queued" });
  documents.open();
  await expect(printed).rejects.toEqual(withCode("job.wrong-state"));
  expect(bench.job(2)).toMatchObject({ state: "queued", document: null });
  expect(bench.told.results.filter(({ job, outcome }) => job === 2 && outcome === "printed")).toEqual([]);
});

test("a job resolved as printed cannot be resolved as not printed by a slower request, and is not printed again", async () => {
  const { bench, fence, documents, notPrinted, printed } = await race();
  documents.open();
  expect(await printed).toMatchObject(asPrinted);
  fence.open();
  await expect(notPrinted).rejects.toEqual(withCode("job.already-printed"));
  expect(bench.job(2)).toMatchObject(asPrinted);
});

/** The device hangs in this question until `open`. */
function gate(device: ScriptedDevice, question: string) {
  let [arrive, open] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  device.onCall = (name) => {
    if (name !== question) return undefined;
    arrive();
    return opened;
  };
  return { reached, open: () => open() };
}

const removed = { now: () => ({ "till-2": another() }) };
const withMarks = () => ({ doubt: leaveUnread, device: createScriptedDevice() });

test("a removed register's job cannot be resolved as not printed while an offline register may be the same device", async () => {
  const { operator } = await leaveAndStart({
    now: (device) => ({ hall: Object.assign(device, { unplugged: true }), "till-2": another() }),
  });
  const tried = operator.resolveNotPrinted(2, "nothing came out");
  await expect(tried).rejects.toMatchObject({ code: "register.offline", place: "hall" });
  await expect(tried).rejects.toThrow(/name its former id as renamedFrom, or take it out of the config/);
});

test.each([
  { lines: [cash, ...zReport.lines], first: "cash", after: { state: "queued", doneParts: 1 }, results: [], shifts: 0 },
  {
    lines: [...zReport.lines, cash],
    first: "a closing",
    after: { state: "queued", doneParts: 1 },
    results: [],
    shifts: 1,
  },
  { lines: zReport.lines, first: "a closing alone", after: { state: "printed" }, results: ["printed"], shifts: 1 },
])("only the unsure line of an order is resolved as printed: $first", async ({ lines, after, results, shifts }) => {
  const doubt = async (bench: Bench, device: ScriptedDevice) => {
    await bench.sell("A-1");
    cutOff(device);
    expect((await bench.sell(makeService(lines, { orderId: toOrderId("Z-1") }))).state).toBe("unsure");
  };
  const { bench, operator } = await leaveAndStart({ ...removed, doubt, device: createScriptedDevice() });
  expect(await operator.resolvePrinted(2, null, "I saw it")).toMatchObject(after);
  expect(bench.told.results.flatMap(({ job, outcome }) => (job === 2 ? outcome : []))).toEqual(results);
  expect(bench.told.shifts).toHaveLength(shifts);
});

test("a removed register's unsure job is resolved as printed by the numbers on the paper", async () => {
  const { operator } = await leaveAndStart(removed);
  await expect(operator.resolvePrinted(2, 3, "?")).rejects.toEqual(withCode("job.document-mismatch"));
  expect(await operator.resolvePrinted(2, 3, "the paper lies here", paper)).toMatchObject(asPrinted);
});

test.each([
  ["of a model without marks", () => ({})],
  ["whose documents could not be read", withMarks],
])("a removed register's job %s is resolved as not printed, queued again and can be moved", async (_, left) => {
  const { bench, operator } = await leaveAndStart({ ...removed, ...left() });
  const unchecked = operator.resolveNotPrinted(2, "nothing came out");
  await expect(unchecked).rejects.toThrow(/document 3.* cannot be read now.*--checked 3/);
  await operator.resolveNotPrinted(2, "their papers are other receipts", [3, 4]);
  operator.move(2, other, "the old one is gone");
  await bench.runQueue();
  expect(bench.job(2)).toMatchObject({ state: "printed", document: { fn: newDrive } });
});
