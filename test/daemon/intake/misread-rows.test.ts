/** Orders that name a tax row which the register seems to lack: intake beside a register that is read. */

import { toOrderId } from "@fiscald/shared/ids.js";
import { useBenches } from "../../support/benches.js";
import { makeIntake, polledKkm, polledRegister, saleTable } from "../../support/make-intake.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import type { Bench } from "../../support/register-bench.js";
import { createScriptedDevice } from "../../support/scripted-driver.js";

const { open, openOn } = useBenches();
const { tables } = createScriptedDevice();
const withoutRow1 = { ...tables, taxes: tables.taxes.filter(({ id }) => id !== 1) };

/** The register is read without row 1 at the connect, and again before its first receipt. */
async function openMisread() {
  const device = createScriptedDevice({ tables: withoutRow1 });
  let readings = 0;
  device.onCall = (name) => {
    if (name === "tables") readings += 1;
  };
  const bench = openOn(device);
  await bench.sell(makeReceipt({ orderId: toOrderId("A-0"), lines: [makeItem({ tax: 6 })] }));
  expect(bench.job(1).state).toBe("printed");
  return { bench, device, readings: () => readings };
}

function offer({ stores, fleet, clock, wake }: Bench, orderId: string) {
  const snapshot = () => fleet.snapshots()[0];
  const intake = makeIntake({
    ...{ jobs: stores.jobs, journal: stores.journal, clock },
    taxListsOf: () => [snapshot()?.tables?.taxes ?? []],
    areRowsConfirmed: () => snapshot()?.rowsConfirmed ?? false,
    wake: () => wake.notify(),
  });
  const body = JSON.stringify({ response: { orderId, taskTable: saleTable({ tax: 1 }) } });
  return intake.accept({
    register: polledRegister,
    kkm: polledKkm,
    askedAt: clock.now(),
    deliveries: 0,
    leases: false,
    body,
  });
}

const jobOf = ({ stores }: Bench, orderId: string) =>
  stores.jobs.list({ limit: 10 }).find((job) => job.orderId === orderId);

test("an order is printed when a third reading shows the tax row that two readings lacked by mistake", async () => {
  const { bench, device } = await openMisread();
  device.tables = tables;
  expect(offer(bench, "A-1")).toMatchObject({ kind: "order" });
  await bench.runQueue();
  expect(jobOf(bench, "A-1")).toMatchObject({ state: "printed" });
  expect(device.taxesUsed).toEqual([6, 1]);
});

test("orders with a tax row that the register lacks cause one reading a minute, and are refused until the next", async () => {
  const { bench, readings } = await openMisread();
  for (const minute of [1, 2]) {
    expect(offer(bench, `A-${minute}`)).toMatchObject({ kind: "order" });
    await bench.runQueue();
    expect(jobOf(bench, `A-${minute}`)).toMatchObject({ state: "failed", fault: { code: "device.tax-unknown" } });
    expect(readings()).toBe(2 + minute);
    await bench.clock.advance(30_000);
    expect(offer(bench, `B-${minute}`)).toMatchObject({ kind: "refused", fault: { code: "device.tax-unknown" } });
    await bench.clock.advance(30_000);
  }
  expect(readings()).toBe(4);
});

test("a register's tax rows count as unconfirmed on a new connection", async () => {
  const { bench, device } = await openMisread();
  offer(bench, "A-1");
  await bench.runQueue();
  device.unplugged = true;
  await bench.clock.advance(11_000);
  device.unplugged = false;
  await bench.clock.advance(31_000);
  expect(bench.fleet.snapshots()).toMatchObject([{ isConnected: true, rowsConfirmed: false }]);
});

test("a sale at a tax row of 20 % VAT is not printed, not even as the first receipt of a connection", async () => {
  const [row] = tables.taxes;
  if (row === undefined) throw new Error("the scripted device has a row");
  const device = createScriptedDevice({ tables: { ...tables, taxes: [{ ...row, id: 1, title: "20%", vat: 1 }] } });
  const bench = open({ registers: [{ device }], allows20: false });
  await bench.start();
  expect(offer(bench, "A-1")).toMatchObject({ kind: "order" });
  await bench.runQueue();
  expect(jobOf(bench, "A-1")).toMatchObject({ state: "failed", fault: { code: "order.wrong-value" } });
  // A person's retry does not change the law either.
  bench.stores.jobs.requeueFailed(1, bench.clock.now());
  await bench.runQueue();
  expect(jobOf(bench, "A-1")).toMatchObject({ state: "failed", fault: { code: "order.wrong-value" } });
  expect(device.taxesUsed).toEqual([]);
  expect(offer(bench, "A-2")).toMatchObject({ kind: "refused", fault: { code: "order.wrong-value" } });
});
