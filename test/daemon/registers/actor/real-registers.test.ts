/** Each maker's real driver against its emulator, over real bytes, with one fault on the connection. */

import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import type { Emulator } from "@fiscald/emulators/open-emulator.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { renderText } from "@fiscald/shared/paper/render.js";
import type { ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import { TILL } from "../../../support/benches.js";
import {
  addSecond,
  closeTills,
  expectSecond,
  type Maker,
  openTill,
  openWorking,
  receiptsOf,
} from "../../../support/emulated-till.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeReceipt, makeService } from "../../../support/make-job.js";

const makers = ["reference", "shtrih"] as const;
afterEach(closeTills);

const openIdle = (maker: Maker, options: Parameters<typeof openTill>[1] = {}) =>
  openTill(maker, { ...options, isShort: true });
const openOn = (maker: Maker, options: Parameters<typeof openTill>[1] = {}) =>
  openWorking(maker, { ...options, isShort: true });

describe.each(makers)("a register of %s", (maker) => {
  test("a receipt printed through a real driver is read back and agrees with what was sent", async () => {
    const { bench, emulator } = await openOn(maker);
    const [receipt] = receiptsOf(emulator);
    expect(bench.job(1)).toMatchObject({ state: "printed", document: { fd: receipt?.fd } });
    const story = bench.log.filter((line) => !line.startsWith("register"));
    expect(story).toEqual(["connected", "printed"]);
    expect(bench.journal()).toContain("read-back agrees");
  });

  const faults: readonly FaultInput[] = [
    { effect: "drop-answer", when: { command: "close-receipt" } },
    { effect: "stale-answer", when: { command: "close-receipt" } },
    { effect: "silent", when: { command: "close-receipt" } },
    { effect: "drop-answer", when: { command: "open-receipt" } },
    { effect: "drop-answer", when: { command: "item" } },
    { effect: "unplug", ms: 5, when: { command: "close-receipt" } },
    { effect: "power-cut", ms: 5, when: { command: "close-receipt" } },
    { effect: "late-execution", ms: 150, when: { command: "close-receipt" } },
    { effect: "late-execution", ms: 150, when: { command: "open-receipt" } },
  ];

  test.each(faults)("an order on a real driver gives one document with $effect at $when.command", async (fault) => {
    const { bench, emulator } = await openOn(maker);
    emulator.faults.add(fault);
    addSecond(bench);
    await expectSecond(bench, emulator);
    const fd = receiptsOf(emulator).at(-1)?.fd;
    expect(bench.told.results.at(-1)).toEqual({ job: 2, outcome: "printed", fd });
  });

  test("an order's own tag 1084 replaces the order mark, and a lost answer to the close prints no second receipt", async () => {
    const { bench, emulator } = await openOn(maker);
    emulator.faults.add({ effect: "unplug", ms: 5, when: { command: "close-receipt" } });
    addSecond(bench, { userProperty: { name: "Стол", value: "7" } });
    await expectSecond(bench, emulator);
    const own = {
      tag: 1084,
      items: [
        { tag: 1085, text: "Стол" },
        { tag: 1086, text: "7" },
      ],
    };
    expect(receiptsOf(emulator).at(-1)?.tags).toContainEqual(own);
    expect(bench.job(2)).toMatchObject({ state: "printed", mark: null });
    expect(bench.journal()).toContain("found printed");
    expect(bench.journal()).not.toContain("document differs");
  });

  test.each([true, false])(
    "an order printed at an altered rate gives one document when its close is cut off (order mark: %s)",
    async (orderMark) => {
      const { bench, emulator } = await openOn(maker, { settings: { orderMark } });
      emulator.faults.add({ effect: "alter", change: [{ tag: 1199, from: 11, to: 1 }] });
      emulator.faults.add({ effect: "drop-answer", when: { command: "close-receipt" } });
      addSecond(bench);
      await expectSecond(bench, emulator);
    },
  );

  const paperOf = ({ core: { tape } }: Emulator) => renderText(tape.rows, { columns: tape.columns });

  test("a test slip is printed, even by a paused register, and refused during a job or without paper", async () => {
    const { bench, emulator } = await openOn(maker);
    bench.operator.pause(TILL, "new roll");
    bench.operator.testSlip(TILL, "is it alive?");
    await bench.runQueue();
    expect(bench.job(2)).toMatchObject({ state: "printed", site: null, document: null });
    expect(paperOf(emulator)).toMatch(/ПРОБНАЯ ПЕЧАТЬ[\s\S]*Касса: Till[\s\S]*Это не кассовый чек/);
    expect(receiptsOf(emulator)).toHaveLength(1);
    bench.operator.resume(TILL, "done");
    bench.addJob(makeReceipt({ orderId: toOrderId("A-2") }));
    const printed = bench.fleet.get(TILL).print(3);
    expect(() => bench.operator.testSlip(TILL, "?")).toThrow(expect.objectContaining({ code: "register.busy" }));
    await printed;
    emulator.faults.add({ effect: "paper-out" });
    await bench.until("the register is blocked", () => bench.fleet.snapshots()[0]?.phase === "blocked");
    expect(() => bench.operator.testSlip(TILL, "?")).toThrow(expect.objectContaining({ code: "device.paper-out" }));
    expect(bench.stores.jobs.list({ limit: 9 })).toHaveLength(3);
  });

  test("a copy of a receipt is printed with a journal line and without a document", async () => {
    const { bench, emulator } = await openOn(maker);
    const documents = emulator.core.documents.length;
    await bench.operator.copy(1, "the buyer lost it");
    expect(paperOf(emulator).split("Первый")).toHaveLength(3);
    expect(emulator.core.documents).toHaveLength(documents);
    expect(bench.journal()).toContain("copy printed");
  });

  test("a copy of a receipt is refused when paper is out, before the register is asked for the copy", async () => {
    const { bench, emulator } = await openOn(maker);
    emulator.faults.add({ effect: "paper-out" });
    emulator.faults.add({ effect: "drop-answer", when: { command: "copy" } });
    await expect(bench.operator.copy(1, "?")).rejects.toMatchObject({ code: "device.paper-out" });
    expect(emulator.faults.list().map(({ struck }) => struck)).toEqual([expect.any(Number), 0]);
    expect(bench.journal()).not.toContain("copy printed");
  });
});

test("a copy is refused by a Shtrih register for every document except its last one", async () => {
  const { bench } = await openOn("shtrih");
  await bench.sell(makeReceipt({ orderId: toOrderId("A-2") }));
  await expect(bench.operator.copy(1, "?")).rejects.toMatchObject({ code: "device.no-copy" });
  await bench.operator.copy(2, "?");
});

test("a receipt that a Shtrih register refuses to close although its sums are correct is tried again", async () => {
  const { bench, emulator } = await openOn("shtrih");
  emulator.faults.add({ effect: "error", code: 0x4d, when: { command: "close-receipt", nth: 1 } });
  addSecond(bench);
  await expectSecond(bench, emulator);
});

test.each([
  ["is printed by the second try when it is refused once", 1, "printed", null],
  ["fails with the register's fault when the second try is refused too", 9, "failed", "device.closing-refused"],
] as const)(
  "a receipt whose closing a Shtrih register refuses as bad parameters (33h) %s",
  async (_what, times, state, code) => {
    const { bench, emulator } = await openIdle("shtrih");
    emulator.faults.add({ effect: "error", code: 0x33, times, when: { command: "close-receipt" } });
    const { id } = bench.queue(makeReceipt());
    await bench.until("it has ended", () => ["printed", "failed"].includes(bench.stores.jobs.get(id).state));
    const job = bench.stores.jobs.get(id);
    expect([job.state, job.fault?.code ?? null]).toEqual([state, code]);
    expect(receiptsOf(emulator)).toHaveLength(state === "printed" ? 1 : 0);
    const closings = bench.stores.attempts.ofJob(id).filter(({ witness }) => witness.kind === "receipt");
    expect(closings).toHaveLength(2);
  },
);

test("a Shtrih register that refuses tag 1084 prints without order marks from then on, with one warning for the model", async () => {
  const { bench, emulator } = await openOn("shtrih", { model: "nano" });
  await bench.sell(makeReceipt({ orderId: toOrderId("A-2") }));
  expect(receiptsOf(emulator).map(({ tags }) => tags.some(({ tag }) => tag === 1084))).toEqual([false, false]);
  for (const id of [1, 2]) {
    expect(bench.job(id)).toMatchObject({ state: "printed" });
    expect(bench.stores.attempts.ofJob(id).at(-1)?.witness).toMatchObject({ kind: "receipt", mark: null });
  }
  const warnings = bench.log.filter((line) => /1084.*orderMark/.test(line));
  expect(warnings).toHaveLength(1);
  // The second order did not try the order mark again.
  expect(bench.stores.attempts.ofJob(2)).toHaveLength(1);
});

test("a Shtrih register that refuses tag 1084 does not print an order with a tag 1084 of its own", async () => {
  const { bench, emulator } = await openIdle("shtrih", { model: "nano" });
  addSecond(bench, { userProperty: { name: "Стол", value: "7" } });
  await bench.runQueue();
  expect(receiptsOf(emulator)).toEqual([]);
  expect(bench.job(1)).toMatchObject({ state: "failed", fault: { code: "receipt.unsupported" } });
});

test("a lost answer of a Shtrih register without order marks is resolved by the lines of the receipt", async () => {
  const { bench, emulator } = await openOn("shtrih", { model: "nano" });
  emulator.faults.add({ effect: "drop-answer", when: { command: "close-receipt" } });
  addSecond(bench);
  await expectSecond(bench, emulator);
});

test("a Shtrih job moves no cash if its report needs an open shift, and moves cash once if a later part fails", async () => {
  const { bench, emulator } = await openOn("shtrih");
  const cashIn = { type: "cash", direction: "in", sum: kopecks(700) } as const;
  const [x, z] = [{ type: "report", report: "x" } as const, { type: "report", report: "z" } as const];
  const run = async (id: string, ...lines: readonly ServiceLine[]) => {
    const { id: job } = await bench.sell(makeService(lines, { orderId: toOrderId(id), cancelFirst: true }));
    return bench.job(job);
  };
  const before = emulator.core.cash;
  await run("Z", z);
  expect(await run("S-1", cashIn, x)).toMatchObject({
    state: "failed",
    doneParts: 0,
    fault: { code: "device.shift-closed" },
  });
  expect(emulator.core.cash).toBe(before);

  await bench.sell(makeReceipt({ orderId: toOrderId("A-2"), payments: [{ typeClose: 1, sum: kopecks(10_000) }] }));
  emulator.faults.add({ effect: "error", code: 0x37, when: { command: "x-report" } });
  const half = await run("S-2", cashIn, x);
  expect(half).toMatchObject({ state: "failed", doneParts: 1 });
  bench.operator.retry(half.id, "the report again");
  await bench.runQueue();
  expect(bench.job(half.id)).toMatchObject({ state: "printed" });
  expect(emulator.core.cash).toBe(before + cashIn.sum);
});

test.each(["in", "out"] as const)(
  "cash %s that the register reports as done and does not count is sent once, and a person confirms it",
  async (direction) => {
    const { bench, emulator } = await openOn("shtrih");
    let sent = 0;
    emulator.device.addBehaviour({
      onCommand({ names, act, answer }) {
        if (names.includes(`cash-${direction}`)) sent += 1;
        if (!names.includes("money-register")) return "pass";
        answer(act()?.map((byte, index) => (index < 3 ? byte : 0)) ?? null);
        return "handled";
      },
    });
    const move = async (id: string) => {
      const order = makeService([{ type: "cash", direction, sum: kopecks(10_000) }], { orderId: toOrderId(id) });
      const job = await bench.sell(order);
      await bench.clock.advance(120_000);
      await bench.settled();
      return bench.job(job.id);
    };
    const before = emulator.core.cash;
    const moved = () => Math.abs(emulator.core.cash - before);
    const first = await move("S-1");
    expect(first).toMatchObject({ state: "unsure", fault: { code: "device.cash-unproven" } });
    expect([sent, moved()]).toEqual([1, 10_000]);
    expect(bench.told.results.at(-1)).toEqual({ job: first.id, outcome: "unknown", fd: null });
    await bench.operator.resolvePrinted(first.id, null, "the drawer was counted");
    expect(await move("S-2")).toMatchObject({ state: "printed" });
    expect([sent, moved()]).toEqual([2, 20_000]);
    expect(bench.log).toContainEqual(
      expect.stringMatching(/^printed, but not quite as wanted.*answered that cash was moved/),
    );
  },
);

const syncTime = { type: "sync-time" } as const;

/** The register's clock is right, so that an order may set it. */
async function openWithTime(now?: number) {
  const opened = await openIdle("shtrih", now === undefined ? {} : { clock: createFakeClock({ now }) });
  opened.emulator.core.setTime(localTimeAt(opened.bench.clock.now(), "Europe/Moscow"));
  return opened;
}

/** How often the date was confirmed, without which the register accepts nothing else: STX, length 8, 23h. */
const confirmations = ({ device }: Emulator) =>
  device.wire.last(1000).filter(({ direction, hex }) => direction === "in" && hex.includes("020823")).length;

test("a Shtrih register's clock is set although the connection is lost before the date is confirmed", async () => {
  const { bench, emulator } = await openWithTime();
  bench.startQueue();
  await bench.settled();
  emulator.faults.add({ effect: "unplug", ms: 5, when: { command: "set-date" } });
  bench.queue(makeService([syncTime]));
  await bench.until("the clock is set", () => bench.job(1).state === "printed");
  expect(bench.fleet.snapshots()[0]).toMatchObject({ phase: "ready", fault: null });
  expect(confirmations(emulator)).toBeGreaterThan(0);
});

test("a date that another program is setting on a Shtrih register is not confirmed by the daemon, and a person is needed", async () => {
  const { bench, emulator } = await openWithTime();
  // Another program has sent 22h with 1 January 2030, which waits for 23h.
  emulator.core.setMakerSetting("date-to-confirm", "01011e");
  bench.queue(makeService([syncTime]));
  await bench.clock.advance(60_000);
  await bench.settled();
  expect(bench.fleet.snapshots()[0]).toMatchObject({ phase: "blocked", fault: { code: "device.clock" } });
  expect(confirmations(emulator)).toBe(0);
});

test("a Shtrih register's clock is not set again when its job is retried for the remaining parts", async () => {
  // The present must not be before the registration of the drive.
  const { bench, emulator } = await openWithTime(Date.now());
  emulator.faults.add({ effect: "error", code: 0x46, when: { command: "cash-out" }, times: 100 });
  const job = await bench.sell(makeService([syncTime, { type: "cash", direction: "out", sum: kopecks(100) }]));
  expect(bench.job(job.id)).toMatchObject({ state: "failed", doneParts: 1 });

  emulator.faults.clear();
  expect((await bench.sell(makeReceipt())).state).toBe("printed");
  bench.operator.retry(job.id, "there is cash now");
  await bench.runQueue();
  expect(bench.job(job.id).state).toBe("printed");
  expect(emulator.core.shiftRecord.cashOut).toBe(100);
});
