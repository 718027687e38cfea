import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { closeShift, TILL } from "../../support/benches.js";
import type { Bench } from "../../support/register-bench.js";
import { addForeignReceipt, createTill, receiptsOn } from "../../support/scripted-driver.js";

import { hold, namesOn, order, takeAway, useHall } from "./hall.js";

const { openHall, openPair, startPair } = useHall();
const DAY_MS = 24 * 3_600_000;

test("jobs go to their own register, one at a time and in order", async () => {
  const { one, two, opened } = openPair();
  for (const id of ["A", "B", "C"]) opened.addJob(order(id));
  await opened.sell(order("D"), { register: "till-2" });
  expect(namesOn(one)).toEqual(["A", "B", "C"]);
  expect(namesOn(two)).toEqual(["D"]);
});

test("a receipt waits for a closing of the shift that is tried again a minute later, and is printed in the next shift", async () => {
  const till = createTill(1);
  const opened = openHall([till]);
  await opened.sell(order("A"));
  till.faults = [{ kind: "refuse", fault: new Fault("device.printing") }];
  closeShift(opened);
  opened.addJob(order("B"));
  opened.startQueue();
  await opened.clock.advance(90_000);
  const types = till.documents.map(({ type }) => type);
  expect(types).toEqual(["shift-open", "receipt", "shift-close", "shift-open", "receipt"]);
});

test.each([
  ["for an hour", 3_600_000, 1],
  ["for a minute", 60_000, 0],
])(
  "a register that was away %s prints the orders that waited, and log and page report them only after an outage",
  async (_for, ms, said) => {
    const [one, two] = [createTill(1), createTill(2)];
    const opened = openHall([one, two], { group: null });
    await opened.start();
    opened.startQueue();
    two.unplugged = true;
    await takeAway(opened, one);
    opened.addJob(order("A"));
    opened.addJob({ ...order("B"), paidAt: opened.clock.now() - 2 * DAY_MS });
    opened.addJob(order("C"), { register: "till-2" });
    const [today = "", paid = ""] = [0, 2].map((days) =>
      localTimeAt(opened.clock.now() - days * DAY_MS, "Europe/Moscow").slice(0, 10),
    );
    opened.wake.notify();
    await opened.clock.advance(ms);
    one.unplugged = false;
    await opened.clock.advance(120_000);
    expect(namesOn(one)).toEqual(["A", "B"]);
    expect(opened.log.filter((line) => line.includes("back after an outage"))).toHaveLength(said);
    expect(opened.whatWaited(TILL)?.days).toEqual(said === 0 ? undefined : { [today]: 1, [paid]: 1 });
    await opened.clock.advance(3_600_000);
    expect(opened.whatWaited(TILL)).toBeNull();
  },
);

test.each([
  ["before", true],
  ["after", false],
])(
  "no outage is reported of a register that was away for seconds when its pause of an hour ended %s it came back",
  async (_when, isBefore) => {
    const one = createTill(1);
    const opened = openHall([one]);
    await opened.start();
    opened.startQueue();
    opened.operator.pause(TILL, "new roll");
    opened.addJob(order("A"));
    await opened.clock.advance(3_600_000);
    await takeAway(opened, one);
    if (isBefore) opened.operator.resume(TILL, "done");
    one.unplugged = false;
    await opened.clock.advance(60_000);
    if (!isBefore) opened.operator.resume(TILL, "done");
    await opened.clock.advance(60_000);
    expect([namesOn(one), opened.whatWaited(TILL)]).toEqual([["A"], null]);
  },
);

test("orders that waited while the program was off are reported when it starts again", async () => {
  const one = createTill(1);
  const opened = openHall([one]);
  opened.addJob(order("A"));
  await opened.clock.advance(3_600_000);
  await opened.runQueue();
  expect(opened.whatWaited(TILL)?.orders).toBe(1);
});

test("sites that share a register are served in turn", async () => {
  const one = createTill(1);
  const opened = openHall([one]);
  for (const id of ["a1", "a2", "a3", "a4"]) opened.addJob(order(id), { site: "alpha" });
  for (const id of ["b1", "b2"]) opened.addJob(order(id), { site: "beta" });
  await opened.runQueue();
  expect(namesOn(one)).toEqual(["a1", "b1", "a2", "b2", "a3", "a4"]);
});

test("jobs of one order are printed one after the other, even when they are for different registers", async () => {
  const { one, two, opened } = openPair({ group: null });
  one.unplugged = true;
  opened.addJob(order("A", "предоплата"));
  opened.addJob(order("A", "расчёт"), { register: "till-2" });
  opened.startQueue();
  await opened.clock.advance(60_000);
  expect(receiptsOn(two)).toEqual([]);
  one.unplugged = false;
  await opened.runQueue();
  expect(namesOn(two)).toEqual(["расчёт"]);
});

test("a stuck register does not delay the jobs of other registers", async () => {
  const { one, two, opened } = openPair();
  const letGo = hold(one, "run");
  opened.addJob(order("A"));
  for (const id of ["B", "C", "D"]) opened.addJob(order(id), { register: "till-2" });
  opened.startQueue();
  await opened.clock.advance(100);
  expect(namesOn(two)).toEqual(["B", "C", "D"]);
  expect(opened.job(1).state).toBe("printing");
  letGo();
  await opened.runQueue();
  expect(namesOn(one)).toEqual(["A"]);
});

test("a register that refuses one order after the other gets no more orders, although each refused order fails", async () => {
  const { one, two, opened } = await startPair();
  one.onCall = (name) => {
    if (name === "run") one.faults = [{ kind: "refuse", fault: new Fault("device.unknown-error") }];
  };
  for (const id of ["A", "B"]) {
    await opened.sell(order(id));
  }
  expect(opened.job(1).state).toBe("failed");
  expect(namesOn(two)).toEqual(["B"]);
});

test("orders wait in sequence and do not move to another register while the paper of an earlier receipt is coming out", async () => {
  const { one, two, opened } = await startPair({ moveAfterSeconds: 60 });
  one.print = "printing";
  for (const id of ["A", "B", "C", "D"]) opened.addJob(order(id));
  opened.startQueue();
  await opened.clock.advance(10_000);
  one.print = "idle";
  await opened.sell(order("E"));
  expect([namesOn(one), namesOn(two)]).toEqual([["A", "B", "C", "D", "E"], []]);
});

test("a register still gets its orders after the database was busy", async () => {
  const { one, two, opened } = await startPair({ moveAfterSeconds: 1 });
  opened.addJob(order("A"));
  const release = opened.lockDatabase();
  opened.startQueue();
  await opened.clock.advance(5_000);
  expect(opened.job(1).state).toBe("queued");
  release();
  await opened.runQueue();
  expect([namesOn(one), namesOn(two)]).toEqual([["A"], []]);
});

test("a register that keeps failing gets no jobs for a while, and gets jobs again after its rest", async () => {
  const { one, two, opened } = await startPair({ moveAfterSeconds: 1 });
  one.onCall = (name) => {
    if (name === "run") one.faults = [{ kind: "before" }];
  };
  await opened.sell(order("A"));
  one.onCall = () => {};
  one.faults = [];
  await opened.sell(order("B"));
  await opened.clock.advance(61_000);
  await opened.sell(order("C"));
  expect([namesOn(one), namesOn(two)]).toEqual([["C"], ["A", "B"]]);
});

test("a register that is read and stays ready does not wake the dispatcher, which looks by itself each ten seconds", async () => {
  const { opened } = await startPair();
  await opened.sell(order("A"));
  await opened.clock.advance(10_000);
  let wakes = 0;
  opened.wake.notify = () => {
    wakes += 1;
  };
  await opened.clock.advance(60_000);
  expect(wakes).toBe(1);
});

test("an order of a paused register moves to another of its group when that one has had its rest", async () => {
  const { one, two, opened } = await startPair({ moveAfterSeconds: 1 });
  one.onCall = (name) => {
    if (name === "run") one.faults = [{ kind: "before" }];
  };
  await opened.sell(order("A"));
  one.onCall = () => {};
  one.faults = [];
  opened.fleet.get(toRegisterId("till-2")).pause(opened.clock.now());
  opened.queue(order("B"), { register: "till-2" });
  await opened.clock.advance(30_000);
  expect(opened.job(2).state).toBe("queued");
  await opened.clock.advance(45_000);
  expect([namesOn(one), namesOn(two)]).toEqual([["B"], ["A"]]);
});

test("an order moves to a register whose tax systems are known only from a later reading", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const { identity } = two;
  two.identity = { ...identity, taxSystems: 0 };
  const wrapDriver = (driver: FiscalDriver) =>
    Object.assign(driver, { readIdentity: (signal: AbortSignal) => driver.connect(signal) });
  const opened = openHall([one, two], { moveAfterSeconds: 1 }, { hooks: { wrapDriver } });
  await opened.start();
  opened.fleet.get(toRegisterId("till-1")).pause(opened.clock.now());
  opened.queue(order("A"));
  await opened.clock.advance(60_000);
  expect(opened.job(1).state).toBe("queued");
  two.identity = identity;
  await opened.clock.advance(60_000);
  expect([namesOn(one), namesOn(two)]).toEqual([[], ["A"]]);
});

test("an order waits longer than half a minute for a register that is being read, until the reading is done or breaks off", async () => {
  const { one, two, opened } = openPair();
  let letGo: (by?: Fault) => void = () => {};
  const reading = () =>
    new Promise<void>((resolve, reject) => (letGo = (by) => (by === undefined ? resolve() : reject(by))));
  two.onCall = (name) => (name === "documents" ? reading() : undefined);
  addForeignReceipt(two, order("other"));
  opened.addJob(order("A"));
  opened.startQueue();
  await opened.clock.advance(60_000);
  expect(receiptsOn(one)).toEqual([]);
  letGo(new Fault("link.timeout"));
  // The next reading hangs too.
  await opened.clock.advance(60_000);
  opened.addJob(order("B"));
  opened.wake.notify();
  await opened.clock.advance(1_000);
  expect(namesOn(one)).toEqual(["A", "B"]);
  letGo();
  await opened.settled();
});

test("when the database is known to lack prints, an order waits for every register that may have printed it", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const before = openHall([one, two]);
  await before.sell(order("A"), { register: "till-2" });
  await before.close();
  two.unplugged = true;
  const after = openHall([one, two], { group: null }, { forgetful: true });
  after.addJob(order("A"));
  after.startQueue();
  await after.clock.advance(3_600_000);
  expect(receiptsOn(one)).toEqual([]);
  expect(after.log).toContain("the database was put back or deleted: orders wait until these registers were read");
  expect(after.awaited(TILL)).toBe("till-2");
  two.unplugged = false;
  await after.runQueue();
  expect(receiptsOn(one)).toEqual([]);
  expect(after.job(1)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
  expect(after.awaited(TILL)).toBeNull();
  // From now on a register that is away holds nobody up any longer.
  two.unplugged = true;
  await after.sell(order("B"));
  expect(namesOn(one)).toEqual(["B"]);
});

test("a shift is closed while orders wait for a register that is away after a data loss", async () => {
  const { one, two, opened } = openPair({}, {}, {}, { forgetful: true });
  one.shift = { number: 1, state: "open", openedAt: null };
  two.unplugged = true;
  opened.startQueue();
  await opened.clock.advance(1_000);
  opened.addJob(order("A"));
  closeShift(opened);
  await opened.clock.advance(60_000);
  expect(one.shift.state).toBe("closed");
  expect(namesOn(one)).toEqual([]);
});

test("a database that cannot be read at the moment when a job has ended does not stop the queue", async () => {
  const device = createTill(1);
  const opened = openHall([device]);
  await opened.start();
  const { stateOf } = opened.stores.jobs;
  const failing = new Set(["disk I/O error"]);
  Object.assign(opened.stores.jobs, {
    stateOf(id: number) {
      for (const message of failing) if (failing.delete(message)) throw new Error(message);
      return stateOf(id);
    },
  });
  opened.addJob(order("A"));
  await opened.sell(order("B"));
  expect(namesOn(device)).toEqual(["A", "B"]);
  expect(opened.errors.splice(0)).toEqual([expect.stringContaining("the queue cannot be read")]);
});

test("a receipt that the other register of the group printed, before the database was restored, is not printed again", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const before = openHall([one, two]);
  await before.sell(order("A"), { register: "till-2" });
  await before.close();
  const after = openHall([one, two]);
  const letGo = hold(two, "connect");
  after.addJob(order("A"));
  after.startQueue();
  await after.clock.advance(5_000);
  letGo();
  await after.runQueue();
  expect(receiptsOn(one)).toEqual([]);
  expect(after.job(1)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
});

describe("a start with the other register of the group switched off", () => {
  test("the first job after a clean stop is printed at once while the other register of the group is off", async () => {
    const [one, two] = [createTill(1), createTill(2)];
    const before = openHall([one, two]);
    await before.sell(order("A"));
    two.unplugged = true;
    const opened = await before.restart();
    opened.addJob(order("B"));
    opened.startQueue();
    await opened.clock.advance(2_000);
    expect(namesOn(one)).toEqual(["A", "B"]);
  });

  test.each([
    ["the database is new", async (before: Bench) => before],
    ["the register that is off was not asked since the database was new", async (before: Bench) => before.restart()],
    [
      "the daemon was killed",
      async (before: Bench) => {
        await before.runQueue();
        return before.crash();
      },
    ],
  ])("the first job waits half a minute for the group's other register, which is off, when %s", async (_, stop) => {
    const [one, two] = [createTill(1), createTill(2, { unplugged: true })];
    const before = openHall([one, two]);
    await before.start();
    const opened = await stop(before);
    opened.addJob(order("B"));
    opened.startQueue();
    await opened.clock.advance(29_000);
    expect(namesOn(one)).toEqual([]);
    await opened.clock.advance(2_000);
    expect(namesOn(one)).toEqual(["B"]);
  });
});

test("a failed order that its site offers again waits a growing time before each try", async () => {
  const device = createTill(1);
  const opened = openHall([device]);
  const refuse = { kind: "refuse", fault: new Fault("device.bad-value") } as const;
  device.faults = [refuse, refuse];
  const runs: number[] = [];
  device.onCall = (name) => void (name === "run" && runs.push(opened.clock.monotonic()));
  await opened.sell(order("A"));
  for (const pauseMs of [2_000, 4_000]) {
    runs.length = 0;
    opened.stores.jobs.requeueFailed(1, opened.clock.now());
    opened.wake.notify();
    const offeredAt = opened.clock.monotonic();
    await opened.runQueue();
    expect((runs[0] ?? 0) - offeredAt).toBe(pauseMs);
  }
  expect(opened.job(1).state).toBe("printed");
});

test("an order that the operator retried does not hold up other orders", async () => {
  const device = createTill(1);
  const opened = openHall([device]);
  device.faults = [{ kind: "refuse", fault: new Fault("device.bad-value") }];
  await opened.sell(order("A"));
  opened.stores.jobs.requeueByOperator(1, { markDigits: null }, opened.clock.now());
  opened.wake.notify();
  await opened.clock.advance(10);
  await opened.settled();
  expect(opened.job(1).state).toBe("printed");
});
