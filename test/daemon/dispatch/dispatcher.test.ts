import type { RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toInn, toOrderId } from "@fiscald/shared/ids.js";
import { closeShift, never, TILL, tillsOf, useBenches } from "../../support/benches.js";
import { makeItem, makeReceipt, makeService } from "../../support/make-job.js";
import type { Bench } from "../../support/register-bench.js";
import {
  addForeignReceipt,
  createTill,
  receiptsOn,
  type ScriptedDevice,
  scriptedCapabilities,
} from "../../support/scripted-driver.js";

const { open } = useBenches();

function openHall(
  devices: readonly ScriptedDevice[],
  settings: Partial<RegisterSettings> = {},
  options: { readonly forgetful?: boolean } = {},
): Bench {
  return open({ ...options, registers: tillsOf(devices, { group: "hall", ...settings }) });
}

const order = (id: string, name = id) => makeReceipt({ orderId: toOrderId(id), lines: [makeItem({ name })] });
const namesOn = (device: ScriptedDevice) => receiptsOn(device).map(({ items }) => items[0]?.name);

test("jobs go to their own register, one at a time and in order", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two]);
  for (const id of ["A", "B", "C"]) opened.addJob(order(id));
  await opened.sell(order("D"), { register: "till-2" });
  expect(namesOn(one)).toEqual(["A", "B", "C"]);
  expect(namesOn(two)).toEqual(["D"]);
});

test("a receipt waits for a shift closing that is tried again a minute later, and is in the next shift", async () => {
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

test("a job whose register is away moves to another of the group after its time, with mapped tax rows", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  two.tables = { ...two.tables, taxes: [{ id: 4, title: "НДС 22%", vat: 11 }] };
  const opened = openHall([one, two]);
  await opened.start();
  one.unplugged = true;
  await opened.clock.advance(20_000);
  opened.addJob(order("A"));
  opened.startQueue();
  await opened.clock.advance(29_000);
  expect(receiptsOn(two)).toEqual([]);
  await opened.clock.advance(5_000);
  expect(namesOn(two)).toEqual(["A"]);
  expect(opened.job(1)).toMatchObject({ register: "till-2", state: "printed" });
  expect(opened.stores.journal.ofJob(1).map(({ what }) => what)).toContain("moved");
});

test.each([
  ["for an hour", 3_600_000, 1],
  ["for a minute", 60_000, 0],
])(
  "a register that was away %s prints what waited, and log and page say so only after an outage",
  async (_for, ms, said) => {
    const one = createTill(1);
    const opened = openHall([one]);
    await opened.start();
    opened.startQueue();
    one.unplugged = true;
    await opened.clock.advance(20_000);
    for (const id of ["A", "B"]) opened.addJob(order(id));
    opened.wake.notify();
    await opened.clock.advance(ms);
    one.unplugged = false;
    await opened.clock.advance(120_000);
    expect(namesOn(one)).toEqual(["A", "B"]);
    expect(opened.log.filter((line) => line.includes("back after an outage"))).toHaveLength(said);
    expect(opened.whatWaited(TILL)?.orders).toBe(said === 0 ? undefined : 2);
    await opened.clock.advance(3_600_000);
    expect(opened.whatWaited(TILL)).toBeNull();
  },
);

test.each<[string, (one: ScriptedDevice) => () => void]>([
  [
    "has been busy",
    (one) => {
      let letGo: () => void = () => {};
      one.onCall = (name) => (name === "run" ? new Promise<void>((resolve) => (letGo = resolve)) : undefined);
      return () => {
        one.onCall = () => {};
        letGo();
      };
    },
  ],
  [
    "has been out of paper",
    (one) => {
      one.blockedBy = new Fault("device.paper-out");
      return () => {};
    },
  ],
  [
    "has been printing its paper",
    (one) => {
      one.print = "printing";
      return () => {};
    },
  ],
])("a job moves when its register %s beyond the set time, not before", async (_, hinder) => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two]);
  await opened.start();
  const release = hinder(one);
  opened.addJob(order("A"));
  opened.startQueue();
  await opened.clock.advance(11_000);
  opened.addJob(order("B"));
  opened.wake.notify();
  await opened.clock.advance(29_000);
  expect(namesOn(two)).not.toContain("B");
  await opened.clock.advance(2_000);
  expect(namesOn(two)).toContain("B");
  release();
});

test("orders leave a register whose shift cannot be closed, and no new order goes to it", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two]);
  await opened.sell(order("first"));
  // The closing is refused each minute, and the register's receipts would wait behind it for ever.
  one.faults = Array.from({ length: 50 }, () => ({ kind: "refuse", fault: new Fault("device.wrong-mode") }) as const);
  closeShift(opened);
  await opened.clock.advance(1_000);
  opened.addJob(order("A"));
  opened.wake.notify();
  await opened.clock.advance(29_000);
  expect(namesOn(two)).toEqual([]);
  await opened.clock.advance(5_000);
  expect(namesOn(two)).toEqual(["A"]);
  two.unplugged = true;
  opened.addJob(order("B"), { register: "till-2" });
  await opened.clock.advance(120_000);
  expect(namesOn(one)).toEqual(["first"]);
  one.faults = [];
  two.unplugged = false;
  await opened.runQueue();
  expect([...namesOn(one), ...namesOn(two)].sort()).toEqual(["A", "B", "first"]);
});

describe("a job that needs what its own register cannot do", () => {
  const online = (id: string) =>
    makeReceipt({
      orderId: toOrderId(id),
      lines: [makeItem({ name: id })],
      internet: { url: "https://shop.example" },
      contact: "a@b.example",
    });
  const offline = { ...scriptedCapabilities, fiscal: { ...scriptedCapabilities.fiscal, internet: false } };

  test("a job that its own register cannot do goes at once to a register of its group that can, and other jobs stay", async () => {
    const [one, two, three] = [
      createTill(1, { capabilities: offline }),
      createTill(2, { capabilities: offline }),
      createTill(3),
    ];
    const opened = openHall([one, two, three]);
    await opened.start();
    three.print = "printing";
    opened.startQueue();
    for (const job of [online("A"), order("B"), online("C")]) opened.addJob(job);
    opened.wake.notify();
    await opened.clock.advance(500);
    expect(opened.job(1)).toMatchObject({ register: "till-3", state: "queued", fault: null });
    three.print = "idle";
    await opened.runQueue();
    expect([namesOn(one), namesOn(two), namesOn(three)]).toEqual([["B"], [], ["A", "C"]]);
    expect(opened.stores.journal.ofJob(1).find(({ what }) => what === "moved")?.details).toMatchObject({
      reason: expect.stringContaining("till-1 cannot print it: "),
    });
  });

  test.each(["read-state", "run", "ran", "fence"])(
    "a job that moves to another register is printed once when the daemon dies at that register's %s",
    async (moment) => {
      const [one, two] = [createTill(1, { capabilities: offline }), createTill(2)];
      const opened = openHall([one, two]);
      await opened.start();
      await opened.sell(order("B"));
      two.faults = moment === "fence" ? [null, { kind: "after" }] : [];
      let hangs = false;
      two.onCall = (name) => {
        if (name !== moment) return;
        hangs = true;
        return never;
      };
      opened.addJob(online("A"));
      opened.wake.notify();
      await opened.clock.advance(2000);
      expect(hangs).toBe(true);
      two.onCall = () => {};
      const reborn = opened.crash();
      await reborn.runQueue();
      expect(reborn.job(2)).toMatchObject({ state: "printed", register: "till-2" });
      expect([namesOn(one), namesOn(two)]).toEqual([["B"], ["A"]]);
    },
  );

  test.each<[string, (two: ScriptedDevice) => void]>([
    ["the whole group lacks the same", (two) => (two.capabilities = offline)],
    ["the other one is another taxpayer's", (two) => (two.identity = { ...two.identity, inn: toInn("7700000009") })],
  ])("a job that its own register cannot do fails with that register's words when %s", async (_, change) => {
    const [one, two] = [createTill(1, { capabilities: offline }), createTill(2)];
    change(two);
    const opened = openHall([one, two]);
    opened.addJob(online("A"));
    await opened.sell(order("B"));
    expect(opened.job(1)).toMatchObject({
      state: "failed",
      fault: { code: "receipt.unsupported", message: expect.stringContaining("internetFlag") },
    });
    expect([namesOn(one), namesOn(two)]).toEqual([["B"], []]);
  });

  test.each([
    [
      "is away",
      async (opened: Bench, two: ScriptedDevice) => {
        await opened.start();
        two.unplugged = true;
        await opened.clock.advance(20_000);
      },
    ],
    [
      "was never seen in this run",
      async (opened: Bench, two: ScriptedDevice) => {
        two.unplugged = true;
        await opened.start();
      },
    ],
  ])("a job that its own register cannot do waits for one that can but %s, and other jobs go on", async (_, begin) => {
    const [one, two] = [createTill(1, { capabilities: offline }), createTill(2)];
    const opened = openHall([one, two]);
    await begin(opened, two);
    opened.addJob(online("A"));
    opened.addJob(order("B"));
    opened.startQueue();
    await opened.clock.advance(3_600_000);
    expect(opened.job(1).state).toBe("queued");
    expect(namesOn(one)).toEqual(["B"]);
    const said = "the register lacks something for the order: it waits for another one of its group";
    expect(opened.log.filter((line) => line === said)).toHaveLength(1);
    two.unplugged = false;
    await opened.runQueue();
    expect(namesOn(two)).toEqual(["A"]);
  });

  test("a job returns from a register that cannot do it, and waits for its own register", async () => {
    const [one, two] = [createTill(1), createTill(2, { capabilities: offline })];
    const opened = openHall([one, two]);
    await opened.start();
    one.unplugged = true;
    await opened.clock.advance(20_000);
    opened.addJob(online("A"));
    opened.startQueue();
    await opened.clock.advance(120_000);
    expect(opened.job(1)).toMatchObject({ register: "till-2", state: "queued" });
    one.unplugged = false;
    await opened.runQueue();
    expect([namesOn(one), namesOn(two)]).toEqual([["A"], []]);
  });

  test("a job that its own register can do is not moved, whatever the other registers can do", async () => {
    const [one, two] = [createTill(1), createTill(2, { capabilities: offline })];
    const opened = openHall([one, two]);
    await opened.sell(online("A"));
    expect(namesOn(one)).toEqual(["A"]);
  });
});

describe("a job that never moves", () => {
  async function stays(two: ScriptedDevice, job: Parameters<Bench["addJob"]>[0] = order("A"), group?: string) {
    const one = createTill(1);
    const opened = openHall([one, two], group === undefined ? {} : { group: null });
    await opened.start();
    one.unplugged = true;
    await opened.clock.advance(20_000);
    opened.addJob(job);
    opened.startQueue();
    await opened.clock.advance(120_000);
    expect(two.documents).toEqual([]);
    expect(opened.job(1)).toMatchObject({ register: "till-1", state: "queued" });
  }

  test.each<[string, (two: ScriptedDevice) => void]>([
    ["to another taxpayer's register", (two) => (two.identity = { ...two.identity, inn: toInn("7700000009") })],
    [
      "to a register without a tax row of that meaning",
      (two) => (two.tables = { ...two.tables, taxes: [{ id: 1, title: "НДС 10%", vat: 2 }] }),
    ],
    ["to a register with another tax system", (two) => (two.identity = { ...two.identity, taxSystems: 2 })],
  ])("a job never moves %s", async (_, change) => {
    const two = createTill(2);
    change(two);
    await stays(two);
  });
  test("a job never moves out of a register without a group", async () => {
    await stays(createTill(2), order("A"), "none");
  });
  test("a job about one register's own cash drawer never moves", async () => {
    await stays(createTill(2), makeService([{ type: "cash", direction: "in", sum: kopecks(100) }]));
  });
  test("an unsure job never moves to another register", async () => {
    const [one, two] = [createTill(1), createTill(2)];
    const opened = openHall([one, two]);
    one.faults = [null, { kind: "after" }];
    one.onCall = (name) => {
      if (name === "ran" && receiptsOn(one).length === 1) one.unplugged = true;
    };
    opened.addJob(order("A"));
    opened.startQueue();
    await opened.clock.advance(3_600_000);
    expect(opened.job(1)).toMatchObject({ register: "till-1", state: "unsure" });
    expect(receiptsOn(two)).toEqual([]);
    one.unplugged = false;
    await opened.runQueue();
    await opened.clock.advance(60_000);
    expect(opened.job(1).state).toBe("printed");
    expect(receiptsOn(one)).toHaveLength(1);
  });
});

test("a job that began and was proven not printed may move to another register", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two]);
  one.faults = [null, { kind: "before" }];
  one.onCall = (name) => {
    // The doubt is settled as not printed; right after it the register is gone.
    const { jobs, attempts } = opened.stores;
    const hasBegun = attempts.ofJob(1).length > 0;
    if (name === "read-state" && jobs.find(1)?.state === "queued" && hasBegun) one.unplugged = true;
  };
  opened.addJob(order("A"));
  opened.startQueue();
  await opened.clock.advance(300_000);
  expect(receiptsOn(one)).toEqual([]);
  expect(namesOn(two)).toEqual(["A"]);
});

test("sites that share a register are served in turn", async () => {
  const one = createTill(1);
  const opened = openHall([one]);
  for (const id of ["a1", "a2", "a3", "a4"]) opened.addJob(order(id), { site: "alpha" });
  for (const id of ["b1", "b2"]) opened.addJob(order(id), { site: "beta" });
  await opened.runQueue();
  expect(namesOn(one)).toEqual(["a1", "b1", "a2", "b2", "a3", "a4"]);
});

test("jobs of one order are printed one after the other, also when they wait for different registers", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two], { group: null });
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

test("a register that is stuck does not delay the jobs of the others", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two]);
  let letGo: () => void = () => {};
  one.onCall = (name) => (name === "run" ? new Promise<void>((resolve) => (letGo = resolve)) : undefined);
  opened.addJob(order("A"));
  for (const id of ["B", "C", "D"]) opened.addJob(order(id), { register: "till-2" });
  opened.startQueue();
  await opened.clock.advance(100);
  expect(namesOn(two)).toEqual(["B", "C", "D"]);
  expect(opened.job(1).state).toBe("printing");
  one.onCall = () => {};
  letGo();
  await opened.runQueue();
  expect(namesOn(one)).toEqual(["A"]);
});

test("a register that refuses one order after the other is left out, although each of the orders fails", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two]);
  await opened.start();
  one.onCall = (name) => {
    if (name === "run") one.faults = [{ kind: "refuse", fault: new Fault("device.unknown-error") }];
  };
  for (const id of ["A", "B"]) {
    await opened.sell(order(id));
  }
  expect(opened.job(1).state).toBe("failed");
  expect(namesOn(two)).toEqual(["B"]);
});

test("orders wait in their sequence while their register is still printing paper, and none moves", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two], { moveAfterSeconds: 60 });
  await opened.start();
  one.print = "printing";
  for (const id of ["A", "B", "C", "D"]) opened.addJob(order(id));
  opened.startQueue();
  await opened.clock.advance(10_000);
  one.print = "idle";
  await opened.sell(order("E"));
  expect([namesOn(one), namesOn(two)]).toEqual([["A", "B", "C", "D", "E"], []]);
});

test("a register is not left out because the database is busy", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two], { moveAfterSeconds: 1 });
  await opened.start();
  opened.addJob(order("A"));
  const release = opened.lockDatabase();
  opened.startQueue();
  await opened.clock.advance(5_000);
  expect(opened.job(1).state).toBe("queued");
  release();
  await opened.runQueue();
  expect([namesOn(one), namesOn(two)]).toEqual([["A"], []]);
});

test("a register that keeps failing is left out, and gets jobs again after its rest", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two], { moveAfterSeconds: 1 });
  await opened.start();
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

test("a register that answers is waited for beyond half a minute, until its reading ends or breaks off", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two]);
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
  two.onCall = () => {};
  letGo();
  await opened.settled();
});

test("a database that knows that it lacks prints makes an order wait for every register that may hold the receipt", async () => {
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
  // A register that is away holds nobody up any longer from now on.
  two.unplugged = true;
  await after.sell(order("B"));
  expect(namesOn(one)).toEqual(["B"]);
});

test("a shift is closed while orders wait for a register that is away after a data loss", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  const opened = openHall([one, two], {}, { forgetful: true });
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

test("a database that cannot be read just when a job has ended stops no job", async () => {
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
  let letGo: () => void = () => {};
  two.onCall = (name) => (name === "connect" ? new Promise<void>((resolve) => (letGo = resolve)) : undefined);
  after.addJob(order("A"));
  after.startQueue();
  await after.clock.advance(5_000);
  two.onCall = () => {};
  letGo();
  await after.runQueue();
  expect(receiptsOn(one)).toEqual([]);
  expect(after.job(1)).toMatchObject({ state: "printed", document: { fn: "9999078900000002" } });
});

describe("a start with the other register of the group switched off", () => {
  test("the first job after a clean stop is printed at once while the group's other register is off", async () => {
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
    ["that register was never asked since the database was new", async (before: Bench) => before.restart()],
    [
      "the daemon had died",
      async (before: Bench) => {
        await before.runQueue();
        return before.crash();
      },
    ],
  ])("the first job waits half a minute for the group's switched-off register when %s", async (_, stop) => {
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

test("an order that the operator retried blocks no other order", async () => {
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
