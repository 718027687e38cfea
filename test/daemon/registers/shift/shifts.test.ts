import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { addSeconds } from "@fiscald/shared/local-time.js";
import { closeShift, once, type Till, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt, zReport } from "../../../support/make-job.js";
import { addForeignReceipt, receiptsOn, type ScriptedDevice } from "../../../support/scripted-driver.js";

const { openTill } = useBenches();

async function openWithShift(): Promise<Till> {
  const till = openTill();
  await till.bench.sell(makeReceipt({ lines: [makeItem({ name: "Первый" })] }));
  return till;
}

const closings = (device: ScriptedDevice) => device.documents.filter(({ type }) => type === "shift-close");

test.each<[string, (device: ScriptedDevice) => Partial<ScriptedDevice>]>([
  ["that is expired", ({ shift }) => ({ shift: { ...shift, state: "expired" } })],
  ["of 23 h 50 min by the register's own clock", ({ clock }) => ({ clock: addSeconds(clock, 24 * 3600 - 600) })],
])("a shift %s is closed first, and the queued receipt is printed in the next shift", async (_, grow) => {
  const { device, bench: opened } = await openWithShift();
  Object.assign(device, grow(device));
  await opened.sell(makeReceipt({ orderId: toOrderId("A-2") }));
  const day = ["shift-open", "receipt"];
  expect(device.documents.map(({ type }) => type)).toEqual([...day, "shift-close", ...day]);
  expect(opened.job(2)).toMatchObject({ state: "printed", document: { shift: 2 } });
  expect(opened.told.shifts).toEqual([expect.objectContaining({ shift: 1, sales: 10_000, returns: 0 })]);
});

test("a shift that was opened at the register itself is recorded with the next receipt", async () => {
  const { device, bench: opened } = await openWithShift();
  device.shift = { ...device.shift, state: "closed", openedAt: null };
  addForeignReceipt(device, makeReceipt({ lines: [makeItem({ name: "Чужой" })] }));
  await opened.sell(makeReceipt({ orderId: toOrderId("A-2") }));
  expect(opened.job(2)).toMatchObject({ state: "printed", document: { shift: 2 } });
  const { openedAt } = device.shift;
  expect(opened.stores.registers.find(opened.job(2).register)?.shift).toEqual({ number: 2, state: "open", openedAt });
});

test("the shift of an idle register is closed before 24 hours are over", async () => {
  const { device, bench: opened } = await openWithShift();
  device.clock = addSeconds(device.clock, 24 * 3600 - 600);
  await opened.clock.advance(20_000);
  await opened.runQueue();
  expect(closings(device)).toHaveLength(1);
  expect(opened.told.shifts).toHaveLength(1);
});

test("a register that goes on calling its closed shift expired gets only one Z report", async () => {
  const { device, bench: opened } = await openWithShift();
  const expired = { ...device.shift, state: "expired" } as const;
  device.onCall = () => {
    device.shift = expired;
  };
  opened.queue(makeReceipt({ orderId: toOrderId("A-2") }));
  await opened.clock.advance(300_000);
  expect(closings(device)).toHaveLength(1);
});

test("a shift that must be closed while the database is busy is closed later, and the register stays ready", async () => {
  const { device, bench: opened } = await openWithShift();
  device.clock = addSeconds(device.clock, 24 * 3600 - 600);
  const release = opened.lockDatabase();
  await opened.clock.advance(12_000);
  release();
  await opened.runQueue();
  expect(opened.log.filter((line) => line.includes("register blocked"))).toEqual([]);
  expect(closings(device)).toHaveLength(1);
});

test("an expired shift is closed although the database is busy when the refused receipt is queued again", async () => {
  for (const commit of [1, 2, 3, 4]) {
    const { device, bench: opened } = await openWithShift();
    once(device, "run", () => {
      device.faults = [{ kind: "refuse", fault: new Fault("device.shift-expired") }];
    });
    const releases: (() => void)[] = [];
    opened.beforeCommits((number) => {
      if (number === commit) releases.push(opened.lockDatabase());
    });
    const job = opened.addJob(makeReceipt({ orderId: toOrderId("A-2") }));
    const end = opened.print(job);
    await opened.clock.advance(600);
    for (const release of releases) release();
    await opened.clock.advance(600);
    await end;
    await opened.runQueue();
    expect(releases).toHaveLength(1);
    expect(opened.log.filter((line) => line.includes("broken off"))).toEqual([]);
    expect(opened.told.results.filter(({ job: id }) => id === job.id)).toEqual([
      expect.objectContaining({ outcome: "printed" }),
    ]);
  }
});

test.each<{ kind: "before" | "after" | "stale"; failed: readonly unknown[] }>([
  { kind: "before", failed: [expect.stringMatching(/^link\./)] },
  { kind: "after", failed: [] },
  { kind: "stale", failed: [] },
])(
  "a closing of a shift with a lost answer ($kind) gives one Z report, and a closing not carried out is reported",
  async ({ kind, failed }) => {
    const { device, bench: opened } = await openWithShift();
    device.faults = [{ kind }];
    closeShift(opened);
    await opened.runQueue();
    expect(closings(device)).toHaveLength(1);
    expect(opened.told.failedClosings).toEqual(failed);
    expect(opened.told.shifts).toEqual([expect.objectContaining({ shift: 1, sales: 10_000 })]);
    expect(opened.job(2)).toMatchObject({ state: "printed", document: { shift: 1 } });
  },
);

test("a closing of a shift that waits for an offline register is cancelled when the shift was closed meanwhile", async () => {
  const { device, bench: opened } = openTill({ unplugged: true });
  await opened.start();
  closeShift(opened);
  device.unplugged = false;
  await opened.runQueue();
  expect(opened.job(1).state).toBe("cancelled");
  expect(opened.told.shifts).toEqual([]);
});

test("a refused closing of a shift is tried each minute until it succeeds, and reported as failed once", async () => {
  const { device, bench: opened } = await openWithShift();
  const refusal = { kind: "refuse", fault: new Fault("device.wrong-mode") } as const;
  device.faults = [refusal, refusal, refusal, refusal, refusal];
  closeShift(opened);
  await opened.clock.advance(310_000);
  await opened.runQueue();
  expect(closings(device)).toHaveLength(1);
  expect(opened.told.failedClosings).toEqual(["device.wrong-mode"]);
  expect(opened.told.shifts).toHaveLength(1);
});

test("receipts that wait for the closing of a shift are printed in the new shift, in order", async () => {
  const { device, bench: opened } = await openWithShift();
  closeShift(opened);
  for (const order of ["A-2", "A-3"]) {
    opened.addJob(makeReceipt({ orderId: toOrderId(order), lines: [makeItem({ name: order })] }));
  }
  await opened.runQueue();
  expect(receiptsOn(device).map(({ shift, items }) => [shift, items[0]?.name])).toEqual([
    [1, "Первый"],
    [2, "A-2"],
    [2, "A-3"],
  ]);
});

test("a Z report that a site ordered is reported as a Z report and as the order's result", async () => {
  const { bench: opened } = await openWithShift();
  await opened.sell(zReport);
  expect(opened.told.shifts).toHaveLength(1);
  expect(opened.told.results.at(-1)).toMatchObject({ job: 2, outcome: "printed" });
  expect(opened.log).toContain("printed z-report");
});

test("a Z report that a site ordered fails with the reason when no shift is open", async () => {
  const { bench: opened } = openTill();
  await opened.sell(zReport);
  expect(opened.job(1)).toMatchObject({ state: "failed", fault: { code: "device.shift-closed" } });
  expect(opened.told.results).toEqual([{ job: 1, outcome: "failed", fd: null }]);
  expect(opened.log).toContain("nothing to close: no shift is open");
});

test("a closing right after the first receipt of the day closes the shift that this receipt opened", async () => {
  const { device, bench: opened } = openTill();
  await opened.start();
  await opened.print(opened.addJob(makeReceipt()));
  closeShift(opened);
  await opened.runQueue();
  expect(closings(device)).toHaveLength(1);
});

test("a closing that is due while the first receipt of the day is printed closes the shift after that receipt", async () => {
  const { device, bench: opened } = openTill();
  device.onCall = (name) => {
    // The shift is about to be opened for the receipt: the last read state says that it is closed.
    if (name === "run" && device.documents.length === 0) {
      closeShift(opened);
    }
  };
  await opened.sell(makeReceipt());
  expect(device.documents.map(({ type }) => type)).toEqual(["shift-open", "receipt", "shift-close"]);
});

test("a closing that is due while the register is asked whether it has opened the shift closes that shift", async () => {
  const { device, bench: opened } = openTill({ faults: [{ kind: "after" }] });
  device.onCall = (name) => {
    if (name === "fence") closeShift(opened);
  };
  await opened.sell(makeReceipt());
  expect(device.documents.map(({ type }) => type)).toEqual(["shift-open", "shift-close", "shift-open", "receipt"]);
});

test("a closing of a shift that cannot start is reported as failed once for each cause, and is carried out later", async () => {
  const { device, bench: opened } = await openWithShift();
  device.blockedBy = new Fault("device.paper-out");
  await opened.clock.advance(11_000);
  closeShift(opened);
  await opened.clock.advance(59_000);
  expect(opened.told.failedClosings).toEqual([]);
  await opened.clock.advance(600_000);
  expect(opened.told.failedClosings).toEqual(["device.paper-out"]);
  expect(opened.log.filter((line) => line.startsWith("the shift is not closed yet"))).toHaveLength(1);
  device.blockedBy = new Fault("device.cover-open");
  await opened.clock.advance(120_000);
  expect(opened.told.failedClosings).toEqual(["device.paper-out", "device.cover-open"]);
  device.blockedBy = null;
  device.print = "printing";
  await opened.clock.advance(120_000);
  expect(opened.told.failedClosings).toEqual(["device.paper-out", "device.cover-open", "device.printing"]);
  device.print = "idle";
  await opened.runQueue();
  expect(closings(device)).toHaveLength(1);
  expect(opened.told.shifts).toHaveLength(1);
});

test("a closing of a shift that cannot start is not reported before it has waited a minute, however it was queued", async () => {
  const { device, bench: opened } = await openWithShift();
  await opened.clock.advance(3_600_000);
  device.faults = [{ kind: "refuse", fault: new Fault("device.shift-expired") }];
  device.onCall = (name) => {
    if (name === "run") device.print = "printing";
  };
  opened.queue(makeReceipt({ orderId: toOrderId("A-9") }));
  await opened.clock.advance(50_000);
  expect(opened.told.failedClosings).toEqual([]);
  await opened.clock.advance(120_000);
  expect(opened.told.failedClosings).toEqual(["device.printing"]);
});

test("a closing of a shift that loses the connection at each try is reported as failed once", async () => {
  const { device, bench: opened } = await openWithShift();
  device.onCall = (name) => {
    if (name === "shift-totals") throw new Fault("link.foreign");
  };
  closeShift(opened);
  await opened.clock.advance(600_000);
  expect(opened.told.failedClosings).toEqual(["link.foreign"]);
  device.onCall = () => {};
  await opened.runQueue();
  expect(closings(device)).toHaveLength(1);
});

test("a closing of a shift without a connection is reported a minute after a restart, whatever the wall clock does", async () => {
  const { device, bench: before } = await openWithShift();
  device.unplugged = true;
  await before.clock.advance(30_000);
  closeShift(before);
  const opened = before.crash();
  opened.startQueue();
  opened.clock.setWallClock(opened.clock.now() + 24 * 3_600_000);
  await opened.clock.advance(50_000);
  expect(opened.told.failedClosings).toEqual([]);
  opened.clock.setWallClock(opened.clock.now() - 48 * 3_600_000);
  await opened.clock.advance(250_000);
  expect(opened.told.failedClosings).toEqual([expect.stringMatching(/^link\./)]);
  device.unplugged = false;
  await opened.runQueue();
  expect(closings(device)).toHaveLength(1);
});

test("a waiting closing without a connection is not reported when the shift is closed already", async () => {
  const { device, bench: opened } = await openWithShift();
  closeShift(opened);
  await opened.runQueue();
  device.unplugged = true;
  await opened.clock.advance(30_000);
  closeShift(opened);
  await opened.clock.advance(300_000);
  expect(opened.told.failedClosings).toEqual([]);
});
