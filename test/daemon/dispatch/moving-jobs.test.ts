/** Which jobs leave their own register for another register of its group, and which never do. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toInn, toOrderId } from "@fiscald/shared/ids.js";
import { closeShift, never } from "../../support/benches.js";
import { makeItem, makeReceipt, makeService } from "../../support/make-job.js";
import type { Bench } from "../../support/register-bench.js";
import { createTill, receiptsOn, type ScriptedDevice, scriptedCapabilities } from "../../support/scripted-driver.js";

import { hold, namesOn, order, takeAway, useHall } from "./hall.js";

const { openHall, openPair, startPair } = useHall();

test("a job whose register stays away moves to another register after the set time, with that register's tax rows", async () => {
  const [one, two] = [createTill(1), createTill(2)];
  two.tables = { ...two.tables, taxes: [{ id: 4, title: "НДС 22%", vat: 11 }] };
  const opened = openHall([one, two]);
  await opened.start();
  await takeAway(opened, one);
  opened.addJob(order("A"));
  opened.startQueue();
  await opened.clock.advance(29_000);
  expect(receiptsOn(two)).toEqual([]);
  await opened.clock.advance(5_000);
  expect(namesOn(two)).toEqual(["A"]);
  expect(opened.job(1)).toMatchObject({ register: "till-2", state: "printed" });
  expect(opened.stores.journal.ofJob(1).map(({ what }) => what)).toContain("moved");
});

test.each<[string, (one: ScriptedDevice) => () => void]>([
  ["has been busy", (one) => hold(one, "run")],
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
])("a job moves to another register when its own %s beyond the set time, and not before", async (_, hinder) => {
  const { one, two, opened } = await startPair();
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

test("orders leave a register whose shift cannot be closed, and new orders are not given to that register", async () => {
  const { one, two, opened } = openPair();
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

describe("a job that its own register cannot print", () => {
  const online = (id: string) =>
    makeReceipt({
      orderId: toOrderId(id),
      lines: [makeItem({ name: id })],
      internet: { url: "https://shop.example" },
      contact: "a@b.example",
    });
  const offline = { ...scriptedCapabilities, fiscal: { ...scriptedCapabilities.fiscal, internet: false } };

  test("a job that its own register cannot print moves at once to a register of its group that can, and other jobs stay", async () => {
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
      const { one, two, opened } = openPair({}, { capabilities: offline });
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
    ["the whole group lacks the same feature", (two) => (two.capabilities = offline)],
    ["the other register has another INN", (two) => (two.identity = { ...two.identity, inn: toInn("7700000009") })],
  ])("a job that its own register cannot print fails with that register's reason when %s", async (_, change) => {
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
  ])("a job waits when the only register that can print it %s, and other jobs go on", async (_, begin) => {
    const { one, two, opened } = openPair({}, { capabilities: offline });
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

  test("a job that moved to a register that cannot print it returns and waits for its own register", async () => {
    const { one, two, opened } = openPair({}, {}, { capabilities: offline });
    await opened.start();
    await takeAway(opened, one);
    opened.addJob(online("A"));
    opened.startQueue();
    await opened.clock.advance(120_000);
    expect(opened.job(1)).toMatchObject({ register: "till-2", state: "queued" });
    one.unplugged = false;
    await opened.runQueue();
    expect([namesOn(one), namesOn(two)]).toEqual([["A"], []]);
  });
});

describe("a job that never moves", () => {
  async function stays(two: ScriptedDevice, job: Parameters<Bench["addJob"]>[0] = order("A"), group?: string) {
    const one = createTill(1);
    const opened = openHall([one, two], group === undefined ? {} : { group: null });
    await opened.start();
    await takeAway(opened, one);
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
    const { one, two, opened } = openPair();
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

test("a job that began and is proven not printed may move to another register", async () => {
  const { one, two, opened } = openPair();
  one.faults = [null, { kind: "before" }];
  one.onCall = (name) => {
    // The job is settled as not printed; right after that the register is gone.
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
