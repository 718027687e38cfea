import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import {
  leaveUnread,
  leaveUnsure,
  newBenchPath,
  noMarks,
  orderNamed,
  TILL,
  useBenches,
  withCode,
} from "../../../support/benches.js";
import { makePaper, makeService } from "../../../support/make-job.js";
import { type Bench, issuerOfBench } from "../../../support/register-bench.js";
import { createScriptedDevice, createTill, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { open } = useBenches();

const oldDrive = toFnSerial("9999078900000001");
const { fn: newDrive } = createTill(2).identity;
const paper = makePaper(oldDrive);

function openAt(path: string, devices: Readonly<Record<string, ScriptedDevice>>): Bench {
  const registers = Object.entries(devices).map(([id, device]) => ({ device, settings: { id: toRegisterId(id) } }));
  return open({ path, registers });
}

/** Then the daemon stops. */
async function leave(path: string, device: ScriptedDevice, doubt: typeof leaveUnsure): Promise<void> {
  const bench = openAt(path, { "till-1": device });
  await doubt(bench, device);
  await bench.close();
}

/** Job 2 was printed as FD 3 of the drive; two documents fit it. */
const leaveDoubt = (path: string, device: ScriptedDevice) => leave(path, device, leaveUnsure);

/** Job 2 was printed as FD 3 of the drive, and the register was not asked since. Then the daemon stops. */
async function leaveUnasked(path: string, device: ScriptedDevice): Promise<void> {
  const bench = openAt(path, { "till-1": device });
  await bench.sell("A-1");
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name === "ran") device.unplugged = true;
  };
  await bench.sell("A-2");
  expect(bench.job(2).state).toBe("unsure");
  await bench.close();
  Object.assign(device, { unplugged: false, onCall: () => {} });
}

/** The drive is in till-2 now. What is in the place of its own register was accepted. */
async function openSwapped(path: string, { here, there }: Readonly<Record<"here" | "there", ScriptedDevice>>) {
  const bench = openAt(path, { "till-1": here, "till-2": there });
  await bench.start();
  bench.operator.acceptIdentity(TILL, "swapped");
  await bench.settled();
  await bench.clock.advance(120_000);
  return bench;
}

const swapped = (device: ScriptedDevice): ScriptedDevice =>
  createScriptedDevice({ capabilities: noMarks, identity: { ...device.identity, fn: newDrive } });

const another = (over: Partial<ScriptedDevice> = {}) => createTill(2, { capabilities: noMarks, ...over });

describe("a drive that was taken out", () => {
  async function swap(): Promise<{ bench: Bench; device: ScriptedDevice }> {
    const path = newBenchPath();
    const before = createScriptedDevice({ capabilities: noMarks });
    await leaveDoubt(path, before);
    const device = swapped(before);
    const bench = openAt(path, { "till-1": device });
    await bench.start();
    return { bench, device };
  }

  test("the numbers on the paper resolve the receipt as printed, and nothing else does", async () => {
    const { bench } = await swap();
    const actions = bench.operator;
    await expect(actions.resolvePrinted(2, 3, "?")).rejects.toEqual(withCode("job.document-mismatch"));
    const job = await actions.resolvePrinted(2, 3, "the paper lies here", paper);
    const { fn, fiscalSign } = paper;
    expect(job).toMatchObject({ state: "printed", document: { fn, fd: 3, fiscalSign } });
    expect(bench.told.results.at(-1)).toEqual({ job: 2, outcome: "printed", fd: 3 });
    expect(bench.stores.attempts.doubtsOf(TILL)).toEqual([]);
    expect(bench.stores.journal.ofJob(2)).toContainEqual(
      expect.objectContaining({ actor: "operator", what: "resolved as printed by its paper" }),
    );
  });

  test.each([
    ["another drive than the job was sent to", 3, { ...paper, fn: toFnSerial("9999078900000003") }],
    ["the drive that is there and can be read", 3, { ...paper, fn: newDrive }],
    ["a document from before the job", 1, paper],
    ["no document", null, paper],
  ])("the numbers on the paper are refused for %s", async (_, fd, numbers) => {
    const { bench } = await swap();
    const tried = bench.operator.resolvePrinted(2, fd, "?", numbers);
    await expect(tried).rejects.toEqual(withCode("job.document-mismatch"));
    expect(bench.job(2).state).toBe("unsure");
  });

  test("as not printed needs a word about each document of the old drive that made the job unsure", async () => {
    const { bench } = await swap();
    const operator = bench.operator;
    operator.acceptIdentity(TILL, "a new drive");
    await bench.settled();
    await bench.clock.advance(120_000);
    for (const checked of [[], [3]]) {
      await expect(operator.resolveNotPrinted(2, "?", checked)).rejects.toEqual(withCode("job.document-unread"));
    }
    expect(bench.job(2).state).toBe("unsure");
    expect(await operator.resolveNotPrinted(2, "other receipts", [3, 4])).toMatchObject({ state: "queued" });
  });

  test("the numbers on the paper are refused for another job's document", async () => {
    const { bench } = await swap();
    const { fd } = bench.job(1).document ?? { fd: 0 };
    bench.addJob(orderNamed("A-3"));
    const third = bench.stores.jobs.markUnsure(3, { code: "job.outcome-unknown", message: "" }, 0);
    const tried = bench.operator.resolvePrinted(third.id, fd, "?", paper);
    await expect(tried).rejects.toEqual(withCode("job.document-mismatch"));
  });

  test("a document on record that carries another site's mark is not the order's, whatever the paper says", async () => {
    const { bench } = await swap();
    const { documents } = bench.stores;
    const unowned = documents.find(oldDrive, 4);
    if (unowned === null) throw new Error("document 4 is on record");
    const mark = `A-2 ${issuerOfBench("cafe")}.0123abcd`;
    documents.keep({ ...unowned, document: { ...unowned.document, mark } }, 0);
    const tried = bench.operator.resolvePrinted(2, 4, "?", { ...paper, fiscalSign: "1000000004" });
    await expect(tried).rejects.toThrow(/document 4 carries the mark of another receipt/);
  });

  test("a document on record has its fiscal sign: another one on the paper is a slip", async () => {
    const { bench } = await swap();
    const tried = bench.operator.resolvePrinted(2, 4, "?", paper);
    await expect(tried).rejects.toThrow(/document 4 has the fiscal sign 1000000004, the paper says 1000000003/);
  });

  test("the numbers on the paper settle a job while a foreign device hangs on the register", async () => {
    const path = newBenchPath();
    await leaveDoubt(path, createScriptedDevice({ capabilities: noMarks }));
    const bench = openAt(path, { "till-1": another() });
    await bench.start();
    expect(bench.fleet.snapshots()).toMatchObject([
      { phase: "blocked", isConnected: false, fault: { code: "register.foreign-identity" } },
    ]);
    const job = await bench.operator.resolvePrinted(2, 3, "the paper lies here", paper);
    expect(job).toMatchObject({ state: "printed", document: { fn: oldDrive, fd: 3 } });
  });
});

describe("a drive that was taken out before recovery", () => {
  test("a resolution by paper holds although the register was just being read", async () => {
    const path = newBenchPath();
    const before = createScriptedDevice({ capabilities: noMarks });
    await leaveUnasked(path, before);
    const device = swapped(before);
    const fence = gate();
    device.onCall = (name) => (name === "fence" ? fence.pass() : undefined);
    const bench = openAt(path, { "till-1": device });
    const started = bench.start();
    await fence.reached;
    await bench.operator.resolvePrinted(2, 3, "the paper lies here", paper);
    fence.open();
    await started;
    expect(bench.job(2)).toMatchObject({ state: "printed", document: { fn: oldDrive, fd: 3 } });
    expect(bench.told.results.filter(({ job }) => job === 2)).toEqual([{ job: 2, outcome: "printed", fd: 3 }]);
    expect(bench.stores.jobs.reportedOutcome(2)).toBe("printed");
  });
});

test("cash leaves no document, so it is resolved as printed while its register is offline", async () => {
  const device = createScriptedDevice();
  const bench = openAt(newBenchPath(), { "till-1": device });
  await bench.sell("A-1");
  device.faults = [{ kind: "after" }];
  device.onCall = (name) => {
    if (name === "ran") device.unplugged = true;
  };
  const cash = { type: "cash", direction: "out", sum: kopecks(500) } as const;
  await bench.sell(makeService([cash], { orderId: toOrderId("C-1") }));
  expect(bench.job(2).state).toBe("unsure");
  expect(await bench.operator.resolvePrinted(2, null, "it was taken out")).toMatchObject({ state: "printed" });
});

describe("the devices of two tills, swapped", () => {
  async function exchange() {
    const path = newBenchPath();
    const device = createScriptedDevice({ capabilities: noMarks });
    await leaveDoubt(path, device);
    const asked: string[] = [];
    const listen = (id: string) => (name: string) => void asked.push(`${id} ${name}`);
    const here = another({ onCall: listen("till-1") });
    device.onCall = listen("till-2");
    const bench = await openSwapped(path, { here, there: device });
    expect(bench.fleet.snapshots().map(({ phase }) => phase)).toEqual(["ready", "ready"]);
    asked.length = 0;
    return { bench, asked };
  }

  test("a document is read on the register that holds its drive now", async () => {
    const { bench } = await exchange();
    const job = await bench.operator.resolvePrinted(2, 3, "read there");
    expect(job).toMatchObject({ state: "printed", document: { fn: oldDrive, fd: 3 } });
  });

  test("a receipt that may still be printing is checked on the job's own register", async () => {
    const { bench, asked } = await exchange();
    const unchecked = bench.operator.resolveNotPrinted(2, "nothing came out");
    await expect(unchecked).rejects.toEqual(withCode("job.document-unread"));
    await bench.operator.resolveNotPrinted(2, "nothing came out", [3, 4]);
    expect(asked).toContain("till-1 fence");
    await bench.runQueue();
    expect(bench.job(2)).toMatchObject({ state: "printed", document: { fn: newDrive } });
  });
});

test("a receipt whose drive is in another register now needs a word about its document there", async () => {
  const path = newBenchPath();
  const device = createScriptedDevice();
  await leave(path, device, leaveUnread);
  const here = another();
  const bench = await openSwapped(path, { here, there: device });
  const tried = bench.operator.resolveNotPrinted(2, "no paper came out");
  await expect(tried).rejects.toThrow(/document 3.* cannot be read now.*--checked 3/);
  expect(bench.job(2).state).toBe("unsure");
});

test("a receipt that was never searched for on a drive that is gone needs a word about the document that came next", async () => {
  const path = newBenchPath();
  const device = createScriptedDevice({ capabilities: noMarks });
  await leaveUnasked(path, device);
  const bench = openAt(path, { "till-1": swapped(device) });
  await bench.start();
  const tried = bench.operator.resolveNotPrinted(2, "no paper came out");
  await expect(tried).rejects.toThrow(/document 3 .*--checked 3/);
  expect(await bench.operator.resolveNotPrinted(2, "not in the cabinet", [3])).toMatchObject({ state: "queued" });
});

test("a receipt of a replaced register is found by its mark on another register's drive", async () => {
  const path = newBenchPath();
  const device = createScriptedDevice();
  await leaveUnasked(path, device);
  const here = another();
  const bench = await openSwapped(path, { here, there: device });
  expect(bench.job(2)).toMatchObject({ state: "printed", document: { fn: oldDrive, fd: 3 } });
  expect(receiptsOn(here)).toHaveLength(0);
});

describe("two operators resolve one job at once, at two registers", () => {
  /** Both are held up on the way, and go on in turn. */
  async function race() {
    const path = newBenchPath();
    const device = createScriptedDevice({ capabilities: noMarks });
    await leaveDoubt(path, device);
    const here = another();
    const bench = await openSwapped(path, { here, there: device });
    const fence = gate();
    const documents = gate();
    here.onCall = (name) => (name === "fence" ? fence.pass() : undefined);
    const asNotPrinted = bench.operator.resolveNotPrinted(2, "nothing came out", [3, 4]);
    await fence.reached;
    device.onCall = (name) => (name === "documents" ? documents.pass() : undefined);
    const asPrinted = bench.operator.resolvePrinted(2, 3, "the paper lies here");
    await documents.reached;
    return { bench, fence, documents, asNotPrinted, asPrinted };
  }

  test("as not printed comes first: as printed is refused, and the job is printed only once more", async () => {
    const { bench, fence, documents, asNotPrinted, asPrinted } = await race();
    fence.open();
    expect(await asNotPrinted).toMatchObject({ state: "queued" });
    documents.open();
    await expect(asPrinted).rejects.toEqual(withCode("job.wrong-state"));
    expect(bench.job(2)).toMatchObject({ state: "queued", document: null });
    expect(bench.told.results.filter(({ job, outcome }) => job === 2 && outcome === "printed")).toEqual([]);
  });

  test("as printed comes first: as not printed is refused, and nothing is printed again", async () => {
    const { bench, fence, documents, asNotPrinted, asPrinted } = await race();
    documents.open();
    expect(await asPrinted).toMatchObject({ state: "printed", document: { fd: 3 } });
    fence.open();
    await expect(asNotPrinted).rejects.toEqual(withCode("job.already-printed"));
    expect(bench.job(2)).toMatchObject({ state: "printed", document: { fd: 3 } });
  });
});

/** `pass` waits there until `open`. */
function gate() {
  let arrive = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = (): Promise<void> => {
    arrive();
    return opened;
  };
  return { reached, pass, open: () => open() };
}

describe("a register that was removed from the config", () => {
  const withoutMarks = (path: string) => leaveDoubt(path, createScriptedDevice({ capabilities: noMarks }));
  const withMarks = (path: string) => leave(path, createScriptedDevice(), leaveUnread);

  async function remove(leaveJob = withoutMarks): Promise<Bench> {
    const path = newBenchPath();
    await leaveJob(path);
    const bench = openAt(path, { "till-2": another() });
    await bench.start();
    return bench;
  }

  test("its job is not resolved as not printed while the register may be renamed and offline", async () => {
    const path = newBenchPath();
    const device = createScriptedDevice({ capabilities: noMarks });
    await leaveDoubt(path, device);
    device.unplugged = true;
    const bench = openAt(path, { hall: device, "till-2": another() });
    await bench.start();
    const tried = bench.operator.resolveNotPrinted(2, "nothing came out");
    await expect(tried).rejects.toMatchObject({ code: "register.offline", place: "hall" });
    await expect(tried).rejects.toThrow(/name its former id as renamedFrom, or take it out of the config/);
  });

  const z = { type: "report", report: "z" } as const;
  const cash = { type: "cash", direction: "out", sum: kopecks(500) } as const;

  test.each([
    { lines: [cash, z], first: "cash", after: { state: "queued", doneParts: 1 }, results: [], shifts: 0 },
    { lines: [z, cash], first: "a closing", after: { state: "queued", doneParts: 1 }, results: [], shifts: 1 },
    { lines: [z], first: "a closing alone", after: { state: "printed" }, results: ["printed"], shifts: 1 },
  ])("of a table only the line in doubt is resolved as printed: $first", async ({ lines, after, results, shifts }) => {
    const path = newBenchPath();
    const device = createScriptedDevice();
    const before = openAt(path, { "till-1": device });
    await before.sell("A-1");
    device.faults = [{ kind: "after" }];
    device.onCall = (name) => {
      if (name === "ran") device.unplugged = true;
    };
    await before.sell(makeService(lines, { orderId: toOrderId("Z-1") }));
    expect(before.job(2).state).toBe("unsure");
    await before.close();
    const bench = openAt(path, { "till-2": another() });
    await bench.start();
    expect(await bench.operator.resolvePrinted(2, null, "I saw it")).toMatchObject(after);
    expect(bench.told.results.flatMap(({ job, outcome }) => (job === 2 ? outcome : []))).toEqual(results);
    expect(bench.told.shifts).toHaveLength(shifts);
  });

  test("its unsure job is resolved by the numbers on the paper", async () => {
    const bench = await remove();
    await expect(bench.operator.resolvePrinted(2, 3, "?")).rejects.toEqual(withCode("job.document-mismatch"));
    const job = await bench.operator.resolvePrinted(2, 3, "the paper lies here", paper);
    expect(job).toMatchObject({ state: "printed", document: { fn: oldDrive, fd: 3 } });
  });

  test.each([
    ["of a model without marks", withoutMarks],
    ["whose documents could not be read", withMarks],
  ])("a job %s is resolved as not printed, queued again and can be moved", async (_, leaveJob) => {
    const bench = await remove(leaveJob);
    const unchecked = bench.operator.resolveNotPrinted(2, "nothing came out");
    await expect(unchecked).rejects.toThrow(/document 3.* cannot be read now.*--checked 3/);
    await bench.operator.resolveNotPrinted(2, "their papers are other receipts", [3, 4]);
    bench.operator.move(2, toRegisterId("till-2"), "the old one is gone");
    await bench.runQueue();
    expect(bench.job(2)).toMatchObject({ state: "printed", document: { fn: newDrive } });
  });
});
