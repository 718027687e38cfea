/** Task tables without a receipt, faults retried without progress, and receipts that a register cannot print. */

import { kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import type { ServiceLine } from "@fiscald/shared/receipt/receipt.js";
import { TILL, tillsOf, useBenches } from "../../../support/benches.js";
import { makeReceipt, makeService } from "../../../support/make-job.js";
import { createScriptedDevice, createScriptedDriver, createTill } from "../../../support/scripted-driver.js";

const { open, openTill } = useBenches();
const cashIn: ServiceLine = { type: "cash", direction: "in", sum: kopecks(700) };
const xReport: ServiceLine = { type: "report", report: "x" };

const table = (...lines: readonly ServiceLine[]) =>
  makeService(lines, { orderId: toOrderId("S-1"), cancelFirst: true });

test("an order that only cancels an open receipt counts as printed at once, with result code 0", async () => {
  const { bench } = openTill();
  const job = await bench.sell(table());
  expect(bench.told.results).toEqual([{ job: job.id, outcome: "printed", fd: null }]);
  expect(bench.stores.attempts.ofJob(job.id)).toEqual([]);
});

test("an order that fails after its first part is reported with the parts that are done", async () => {
  const { device, bench } = openTill();
  const refuse = { kind: "refuse", fault: new Fault("device.not-enough-cash") } as const;
  device.faults = [null, refuse, refuse, refuse];
  const job = await bench.sell(table(cashIn, xReport));
  expect(bench.job(job.id)).toMatchObject({ state: "failed", doneParts: 1 });
  expect(bench.stores.journal.ofJob(job.id).at(-1)).toMatchObject({
    what: "failed",
    details: { done: "внесение 7.00" },
  });
});

test.each([
  ["a cashier that all its documents need", { needsCashier: true }, {}, "cashier"],
  ["a tax system, although it is registered for several", {}, { taxSystems: 3 }, "taxSystem"],
])("a register that lacks %s is blocked, and the rest of its group prints", async (_, settings, identity, named) => {
  const [first, second] = [createScriptedDevice(), createTill(2)];
  first.identity = { ...first.identity, ...identity };
  const bench = open({
    registers: [
      { device: first, settings: { id: TILL, group: "hall", ...settings } },
      { device: second, settings: { id: toRegisterId("till-2"), group: "hall" } },
    ],
  });
  const job = await bench.sell(makeReceipt({ taxSystem: 1 }));
  expect(bench.fleet.snapshots()[0]).toMatchObject({ phase: "blocked", fault: { code: "register.not-set-up" } });
  expect(bench.fleet.snapshots()[0]?.fault?.message).toContain(named);
  expect(bench.job(job.id)).toMatchObject({ state: "printed", register: "till-2" });
});

/** A group of two registers, of which the first `unable` ones find that they cannot print the receipt. */
function openGroup(unable: number) {
  const devices = [createTill(1), createTill(2)];
  const compile = () => {
    throw new Fault("receipt.unsupported", { message: "the name is too long for this firmware" });
  };
  const drivers = devices.map((device, index) =>
    Object.assign(createScriptedDriver(device), index < unable ? { compile } : {}),
  );
  const registers = tillsOf(drivers, { group: "hall" });
  return { bench: open({ registers }), devices };
}

test.each([
  ["is printed by the other register of its group", 1, { state: "printed", register: "till-2" }],
  ["fails when no register of its group can print it", 2, { state: "failed", fault: { code: "receipt.unsupported" } }],
])("a receipt that a register cannot print %s", async (_, unable, expected) => {
  const { bench } = openGroup(unable);
  await bench.start();
  expect(await bench.sell(makeReceipt())).toMatchObject(expected);
});

test("a receipt that a register cannot print waits a day for the other register of its group, then fails", async () => {
  const { bench, devices } = openGroup(1);
  await bench.start();
  for (const device of devices.slice(1)) device.unplugged = true;
  await bench.clock.advance(60_000);
  const { id } = bench.queue(makeReceipt());
  const hours = async (count: number) => {
    for (let hour = 0; hour < count; hour += 1) await bench.clock.advance(3_600_000);
    await bench.settled();
  };
  await hours(23);
  expect(bench.job(id).state).toBe("queued");
  await hours(2);
  expect(bench.job(id)).toMatchObject({ state: "failed", fault: { code: "receipt.unsupported" } });
});
