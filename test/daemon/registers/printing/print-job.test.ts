import { systemClock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toInn, toOrderId } from "@fiscald/shared/ids.js";
import { once, useBenches } from "../../../support/benches.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeReceipt, zReport } from "../../../support/make-job.js";
import { addForeignReceipt, createScriptedDevice, receiptsOn } from "../../../support/scripted-driver.js";
import { waitFor } from "../../../support/wait-for.js";

const { open, openOn, openTill } = useBenches();

test("a queued receipt is printed once, recorded with its numbers and reported to the site", async () => {
  const { device, bench } = openTill();
  await bench.start();
  const job = bench.addJob(makeReceipt());

  expect(await bench.print(job)).toEqual({ kind: "done" });

  const [receipt, ...others] = receiptsOn(device);
  expect(others).toEqual([]);
  expect(bench.job(job.id)).toMatchObject({ state: "printed", document: { fd: receipt?.fd, shift: 1 } });
  expect(bench.told.results).toEqual([{ job: job.id, outcome: "printed", fd: receipt?.fd }]);
  expect(bench.stores.jobs.reportedOutcome(job.id)).toBe("printed");
});

test("the result of a job is sent before the next job is taken", async () => {
  let mayGoOn: () => void = () => {};
  let turn = () => Promise.resolve();
  const clock = { ...createFakeClock(), turn: () => turn() };
  const bench = open({ registers: [{ device: createScriptedDevice() }], clock });
  await bench.start();
  await bench.print(bench.addJob(makeReceipt()));
  const job = bench.addJob(makeReceipt({ orderId: toOrderId("A-2") }));
  turn = () => new Promise((resolve) => (mayGoOn = resolve));
  const printed = bench.fleet.get(job.register).print(job.id);

  await waitFor("the result is told", () => bench.told.results.length === 2);
  await systemClock.turn();
  expect(bench.fleet.snapshots()[0]).toMatchObject({ phase: "busy", jobInHand: job.id });
  mayGoOn();
  expect(await printed).toEqual({ kind: "done" });
});

test("the register's last document and shift are known right after a job, without a state read", async () => {
  const { device, bench } = openTill();
  await bench.start();
  const seen = () => bench.fleet.snapshots()[0]?.state;

  await bench.print(bench.addJob(makeReceipt()));
  expect(seen()).toMatchObject({ lastFd: device.documents.length, shift: { number: 1, state: "open" } });

  await bench.print(bench.addJob(zReport));
  expect(seen()).toMatchObject({ lastFd: device.documents.length, shift: { number: 1, state: "closed" } });
  expect(seen()?.shiftOpenedAt).toBeNull();
});

test("a receipt whose shift was closed after the last state read is printed in a newly opened shift", async () => {
  const { device, bench } = openTill({ shift: { number: 1, state: "open", openedAt: null } });
  await bench.start();
  device.shift = { ...device.shift, state: "closed" };

  expect(await bench.print(bench.addJob(makeReceipt()))).toEqual({ kind: "done" });

  expect(device.documents.map(({ type }) => type)).toEqual(["shift-open", "receipt"]);
});

test("a fault of the register is reported before a fault of the receipt, and the job stays queued", async () => {
  const { device, bench } = openTill({ shift: { number: 1, state: "open", openedAt: null } });
  await bench.start();
  const job = bench.addJob(makeReceipt({ expectedInn: toInn("7700000001") }));
  const paperOut = new Fault("device.paper-out");
  device.blockedBy = paperOut;

  expect(await bench.print(job)).toMatchObject({ kind: "blocked", fault: paperOut });
  expect(bench.job(job.id).state).toBe("queued");
});

test.each([
  ["read-state", "device.not-supported"],
  ["tables", "device.not-supported"],
  ["documents", "device.not-supported"],
  ["tables", "device.unknown-error"],
] as const)(
  "an order is printed although the register refuses a question for a while: %s, %s",
  async (question, code) => {
    const { device, bench: opened } = openTill();
    await opened.start();
    // A document of another program is read before the job.
    addForeignReceipt(device, makeReceipt());
    let refusals = 0;
    device.onCall = (name) => {
      if (name === question && refusals++ < 4) throw new Fault(code);
    };
    await opened.sell(makeReceipt());
    expect(refusals).toBeGreaterThan(0);
    expect(opened.told.results).toMatchObject([{ outcome: "printed" }]);
    expect(receiptsOn(device)).toHaveLength(2);
  },
);

test("a shift is closed although the register refuses to give its totals", async () => {
  const { device, bench } = openTill();
  await bench.start();
  bench.addJob(makeReceipt());
  const faults = [new Fault("device.printing"), new Fault("device.not-supported")];
  device.onCall = (name) => {
    const fault = name === "shift-totals" ? faults.shift() : undefined;
    if (fault !== undefined) throw fault;
  };
  const closing = await bench.sell(zReport);
  expect(bench.job(closing.id).state).toBe("printed");
  // The register was asked again after it had been busy, and not after it had refused.
  expect(faults).toEqual([]);
  const [receipt] = receiptsOn(device);
  expect(bench.told.shifts).toMatchObject([{ sales: receipt?.total }]);
});

test("a connection that breaks while a register is asked what stopped its job is noticed within seconds", async () => {
  const device = createScriptedDevice({ faults: [{ kind: "refuse", fault: new Fault("device.paper-out") }] });
  device.shift = { number: 1, state: "open", openedAt: null };
  const bench = openOn(device);
  await bench.start();
  let hasRun = false;
  device.onCall = (name) => {
    if (hasRun && name === "read-state") device.unplugged = true;
    hasRun ||= name === "run";
  };
  expect(await bench.print(bench.addJob(makeReceipt()))).toMatchObject({ kind: "blocked" });
  await bench.clock.advance(3_000);
  expect(bench.fleet.snapshots()).toMatchObject([{ isConnected: false, fault: { code: "link.not-found" } }]);
});

const row = { id: 1, title: "НДС 22%", vat: 11 as const };

test("an order whose tax row the register seems to lack is printed when a second reading shows the row", async () => {
  const device = createScriptedDevice();
  const { tables } = device;
  device.tables = { ...tables, taxes: tables.taxes.filter(({ id }) => id !== row.id) };
  const bench = openOn(device);
  await bench.start();
  device.tables = tables;
  expect(await bench.sell(makeReceipt())).toMatchObject({ state: "printed", tries: 0 });
  expect(device.taxesUsed).toEqual([row.id]);
});

test("an order fails when its tax row is also missing in a reading of the register made for this order", async () => {
  const device = createScriptedDevice({ tables: { ...createScriptedDevice().tables, taxes: [{ ...row, id: 7 }] } });
  let readings = 0;
  device.onCall = (name) => {
    if (name === "tables") readings += 1;
  };
  const bench = openOn(device);
  await bench.start();
  expect(bench.fleet.snapshots()).toMatchObject([{ rowsConfirmed: false }]);
  expect(await bench.sell(makeReceipt())).toMatchObject({ state: "failed", fault: { code: "device.tax-unknown" } });
  expect(bench.fleet.snapshots()).toMatchObject([{ rowsConfirmed: true }]);
  expect(readings).toBe(3);
});

test("an order whose receipt appears on the register between two other programs of the daemon is not printed again", async () => {
  const { device, bench } = openTill();
  await bench.start();
  bench.addJob(makeReceipt());
  const waiting = bench.addJob(makeReceipt({ orderId: toOrderId("A-2") }));
  const { mark: own } = bench.job(waiting.id);
  const mark = `A-2 ${own?.issuer}.${own?.digits}`;
  once(device, "ran", () => {
    addForeignReceipt(device, makeReceipt({ orderId: toOrderId("A-2") }), mark);
  });
  await bench.runQueue();
  const ofOrder = receiptsOn(device).filter((receipt) => receipt.mark === mark);
  expect(ofOrder).toHaveLength(1);
  expect(bench.job(waiting.id)).toMatchObject({ state: "printed", document: { fd: ofOrder[0]?.fd } });
});
