import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { closeShift, never, once, orderNamed, TILL, useBenches } from "../../../support/benches.js";
import { zReport } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { addForeignReceipt, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { openTill } = useBenches();
const LOOK = 70_000;
const CLOSING = 2;
const wasClosed = { shift: { number: 1, state: "closed" } } as const;
const wasOpen = { lastFd: 2, shift: { number: 1, state: "open" } } as const;
/** What the reading behind the fence says wrongly: the closing never began, or it was carried out. */
const earlierOf = { before: wasClosed, after: { lastFd: 2 } } as const;

const closings = ({ documents }: ScriptedDevice) => documents.filter(({ type }) => type === "shift-close");

/** Job 2 is a closing whose answer was lost. The register then answered with its state from before. */
async function leaveUnsure(kind: "before" | "after", by = closeShift, over: Partial<ScriptedDevice> = {}) {
  const till = openTill(over);
  const { bench, device } = till;
  await bench.sell("A-1");
  device.faults = [{ kind }];
  once(device, "fence", () => {
    device.earlier = [earlierOf[kind]];
  });
  by(bench);
  await bench.runQueue();
  expect(bench.job(CLOSING).state).toBe("unsure");
  return till;
}

function closeBySite(bench: Bench): void {
  bench.queue(zReport);
}

async function lookAgain(bench: Bench): Promise<void> {
  await bench.clock.advance(LOOK);
  await bench.settled();
  await bench.runQueue();
}

test.each([
  ["look", "before"],
  ["look", "after"],
  ["start", "before"],
  ["start", "after"],
] as const)(
  "an unsure closing of a shift is settled at the next %s (answer lost %s it), and reported once",
  async (when, kind) => {
    const { bench: before, device } = await leaveUnsure(kind);
    expect(before.told.shifts).toEqual([]);
    const bench = when === "look" ? before : await before.restart();
    await lookAgain(bench);
    expect(bench.job(CLOSING)).toMatchObject({ state: "printed", document: { fd: 3, shift: 1 } });
    await bench.clock.advance(3_600_000);
    expect(closings(device)).toHaveLength(1);
    expect(bench.told.shifts).toEqual([expect.objectContaining({ shift: 1, sales: 10_000, returns: 0 })]);
  },
);

test.each([[[wasOpen]], [[null, wasOpen]]])(
  "an outdated answer about the shift does not close the shift twice: %j",
  async (earlier) => {
    const { bench, device } = await leaveUnsure("after");
    device.earlier = [...earlier];
    await bench.clock.advance(300_000);
    await bench.runQueue();
    expect(bench.job(CLOSING)).toMatchObject({ state: "printed", document: { fd: 3 } });
    expect(closings(device)).toHaveLength(1);
    expect(bench.told.shifts).toHaveLength(1);
  },
);

test.each([
  ["by the schedule, with the shift closed", closeShift, 1],
  ["by the schedule, with the next shift opened by somebody", closeShift, 2],
  ["by a site, with the shift closed", closeBySite, 1],
])("a closing of a shift that an outdated answer denies is found at its next try: %s", async (_, by, shift) => {
  const { device, bench } = openTill();
  await bench.sell("A-1");
  device.faults = [{ kind: "after" }];
  once(device, "fence", () => {
    device.earlier = [wasOpen];
    if (shift === 2) device.shift = { number: shift, state: "open", openedAt: device.clock };
  });
  by(bench);
  await bench.runQueue();
  await bench.clock.advance(120_000);
  await bench.runQueue();
  expect(bench.job(CLOSING)).toMatchObject({ state: "printed", document: null });
  expect(bench.journal()).toContain("not printed, queued again");
  expect(bench.stores.registers.find(TILL)?.shift?.number).toBe(shift);
  expect(closings(device)).toHaveLength(1);
  expect(bench.told.shifts).toEqual([expect.objectContaining({ shift: 1, sales: 10_000, returns: 0 })]);
});

test("a site that ordered an unsure closing of a shift hears that it is unknown, and then that it is printed", async () => {
  const { bench } = await leaveUnsure("after", closeBySite);
  expect(bench.told.results.at(-1)).toEqual({ job: CLOSING, outcome: "unknown", fd: null });
  await lookAgain(bench);
  expect(bench.told.results.at(-1)).toEqual({ job: CLOSING, outcome: "printed", fd: 3 });
});

test("receipts sold while a closing of the shift is unsure are in the shift that is closed afterwards", async () => {
  const { bench, device } = await leaveUnsure("before");
  await bench.sell("A-2");
  await lookAgain(bench);
  expect(device.documents.map(({ type }) => type)).toEqual(["shift-open", "receipt", "receipt", "shift-close"]);
  expect(bench.told.shifts).toEqual([expect.objectContaining({ shift: 1, sales: 20_000 })]);
});

/** The document is one of a person at the register and belongs to no job. */
function closeByHand(device: ScriptedDevice): void {
  device.shift = { ...device.shift, state: "closed", openedAt: null };
  const last = device.documents.at(-1);
  if (last === undefined) throw new Error("no document");
  device.documents.push({ ...last, fd: last.fd + 1, type: "shift-close", operation: null, total: null, mark: null });
}

test.each([
  ["all documents can be read", [], { document: { fd: 4 } }],
  ["the closing cannot be read", [4], {}],
  ["the daemon's receipt cannot be read", [3], {}],
  ["neither document can be read", [3, 4], {}],
])("receipts sold before a shift is closed by hand count in its sums: %s", async (_, unreadable, expected) => {
  const { bench, device } = await leaveUnsure("before");
  await bench.sell("A-2");
  closeByHand(device);
  device.unreadable = new Set(unreadable);
  await lookAgain(bench);
  expect(bench.job(CLOSING)).toMatchObject({ state: "printed", ...expected });
  expect(bench.told.shifts).toEqual([expect.objectContaining({ shift: 1, sales: 20_000, returns: 0 })]);
});

test("an outdated answer leaves no opening of a shift unsure, and the receipt is printed in the shift that it opened", async () => {
  const { device, bench } = openTill({ faults: [{ kind: "after" }] });
  once(device, "fence", () => {
    device.earlier = [{ lastFd: 0, shift: { number: 0, state: "closed" } }];
  });
  await bench.sell("A-1");
  expect(bench.job(1)).toMatchObject({ state: "printed", document: { fd: 2, shift: 1 } });
  expect(device.documents.map(({ type }) => type)).toEqual(["shift-open", "receipt"]);
});

test("a failed closing of a shift that a person retries later closes the shift that is open then", async () => {
  const { device, bench } = openTill();
  await bench.sell("A-1");
  device.faults = [{ kind: "refuse", fault: new Fault("receipt.unsupported") }];
  closeBySite(bench);
  await bench.runQueue();
  expect(bench.job(CLOSING).state).toBe("failed");
  closeByHand(device);
  addForeignReceipt(device, orderNamed("B-1"));
  bench.operator.retry(CLOSING, "the next evening");
  await bench.runQueue();
  expect(bench.job(CLOSING)).toMatchObject({ state: "printed", document: { shift: 2 } });
  expect(bench.told.shifts).toEqual([expect.objectContaining({ shift: 2 })]);
  expect(device.shift).toMatchObject({ number: 2, state: "closed" });
});

test.each<[string, "lost" | "came", readonly number[]]>([
  ["whose answer is lost", "lost", []],
  ["whose answer is lost, and whose document cannot be read", "lost", [3]],
  ["whose document and a younger one cannot be read any more", "came", [3, 5]],
])("a shift is reported once when it is closed by another closing %s", async (_, answer, unreadable) => {
  const over = { unreadable: new Set(answer === "lost" ? unreadable : []) };
  const { bench, device } = await leaveUnsure("before", closeShift, over);
  if (answer === "lost") device.faults = [{ kind: "after" }];
  closeBySite(bench);
  await bench.runQueue();
  addForeignReceipt(device, orderNamed("B-1"));
  device.unreadable = new Set(unreadable);
  await lookAgain(bench);
  expect(bench.states(3, CLOSING)).toEqual(["printed", "cancelled"]);
  expect(bench.told.results).toContainEqual(expect.objectContaining({ job: 3, outcome: "printed" }));
  expect(bench.told.shifts).toEqual([expect.objectContaining({ shift: 1, sales: 10_000 })]);
});

test.each([
  ["by the schedule is cancelled", closeShift, "cancelled"],
  ["by a site fails with the reason", closeBySite, "failed"],
])("an unsure shift closing %s when another job closed it, and the next shift stays open", async (_, by, state) => {
  const { bench, device } = await leaveUnsure("before", by);
  await bench.sell({ ...zReport, orderId: toOrderId("Z-2") });
  expect(bench.job(3)).toMatchObject({ state: "printed", document: { fd: 3 } });
  await bench.sell("A-2");
  await lookAgain(bench);
  expect(bench.job(CLOSING)).toMatchObject({ state, fault: { code: "device.shift-closed" } });
  expect(bench.stores.attempts.doubtsOf(TILL)).toEqual([]);
  expect(device.shift).toMatchObject({ number: 2, state: "open" });
  expect(bench.told.shifts).toHaveLength(1);
});

test("a site's refused closing fails at its next try when another job has closed the shift, and the shift is reported once", async () => {
  const { device, bench } = openTill();
  await bench.sell("A-1");
  device.faults = [{ kind: "refuse", fault: new Fault("device.wrong-mode") }];
  closeBySite(bench);
  await bench.clock.advance(1_000);
  closeShift(bench);
  await bench.clock.advance(500);
  expect(bench.states(CLOSING, 3)).toEqual(["queued", "printed"]);
  await lookAgain(bench);
  expect(bench.job(CLOSING)).toMatchObject({ state: "failed", fault: { code: "device.shift-closed" } });
  expect(bench.told.shifts).toHaveLength(1);
});

test("a site's closing that was cut off, cancelled and printed anyway on the next day closes the shift of the next day", async () => {
  const { device, bench } = openTill();
  await bench.sell("A-1");
  device.onCall = (name) => (name === "run" ? never : undefined);
  closeBySite(bench);
  await bench.clock.advance(100);
  device.onCall = () => {};
  const next = bench.crash();
  await next.start();
  next.operator.cancel(CLOSING, "not now");
  device.shift = { number: 2, state: "open", openedAt: device.clock };
  next.operator.printAnyway(CLOSING, "now");
  await next.runQueue();
  expect([next.job(CLOSING).state, device.shift.state]).toEqual(["printed", "closed"]);
});
