/** Jobs that were accepted for another device than the one that prints them, or before its tables were reprogrammed. */

import { requireLawfulRates } from "@fiscald/daemon/registers/printing/lawful-rates.js";
import type { RegisterSettings } from "@fiscald/daemon/registers/register-settings.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toInn, toOrderId } from "@fiscald/shared/ids.js";
import { meaningOfTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import { TILL, tillsOf, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  createTill,
  receiptsOn,
  type ScriptedDevice,
  swapDrive,
} from "../../../support/scripted-driver.js";

const { open, openOn, openTill } = useBenches();

const MINUTE = 60_000;
const tillId = TILL;
const { paymentTypes } = createScriptedDevice().tables;
/** Row 1 was 22 % and is 10 % now. */
const otherRows: RegisterTables = {
  taxes: [
    { id: 1, title: "НДС 10%", vat: 2 },
    { id: 3, title: "НДС 22%", vat: 11 },
  ],
  paymentTypes,
};
const withoutThatRate: RegisterTables = { taxes: otherRows.taxes.slice(0, 1), paymentTypes };
const order = (id: string, tax: number | null) =>
  makeReceipt({ orderId: toOrderId(id), lines: [makeItem({ name: id, tax })] });

/** A-1 is printed, and `waiting` waits. Then the device is unplugged, and `change` is applied. */
async function replaceDevice(options: {
  readonly waiting: number | null;
  readonly change: (device: ScriptedDevice) => void;
  readonly accept: boolean;
  readonly settings?: Partial<RegisterSettings>;
}) {
  const device = createScriptedDevice();
  const shop = open({ registers: [{ device, settings: options.settings ?? {} }] });
  await shop.sell(order("A-1", 1));
  device.unplugged = true;
  await shop.clock.advance(MINUTE);
  const job = shop.addJob(order("A-2", options.waiting));
  options.change(device);
  device.unplugged = false;
  if (options.accept) {
    await shop.clock.advance(MINUTE);
    expect(shop.fleet.get(tillId).snapshot().phase).toBe("blocked");
    shop.operator.acceptIdentity(tillId, "the old one is broken");
  }
  await shop.runQueue();
  return { shop, device, job: shop.job(job.id) };
}

function another(device: ScriptedDevice, tables: RegisterTables): void {
  swapDrive(device);
  Object.assign(device, { identity: createTill(2).identity, tables, taxesUsed: [] });
}

const replaced = (device: ScriptedDevice) => another(device, otherRows);
const reprogrammed = (device: ScriptedDevice) => void Object.assign(device, { tables: otherRows, taxesUsed: [] });

test.each([
  ["on a replacement device", { waiting: 1, change: replaced, accept: true }],
  ["after the device was reprogrammed", { waiting: 1, change: reprogrammed, accept: false }],
  [
    "on a replacement device, for a position without tax",
    { waiting: null, change: replaced, accept: true, settings: { defaultTax: 1 } },
  ],
])("a queued job is printed with the tax row of the same meaning %s", async (_where, how) => {
  const { shop, device, job } = await replaceDevice(how);
  expect([job.state, device.taxesUsed]).toEqual(["printed", [3]]);
  // New orders use the present rows. An earlier receipt keeps the meaning that its row had.
  await shop.sell(order("A-3", 1));
  const again = shop.operator.printAnyway(1, "the buyer has lost it");
  await shop.runQueue();
  expect([shop.job(again.id).state, device.taxesUsed]).toEqual(["printed", [3, 1, 3]]);
});

test("a tax table that is reprogrammed between two receipts while the shift is closed is read before the next receipt", async () => {
  const { device, bench: shop } = openTill();
  device.faults = [{ kind: "refuse", fault: new Fault("device.bad-value") }];
  await shop.sell(order("A-1", 1));
  expect(device.shift.state).toBe("closed");
  shop.addJob(order("A-2", 1));
  Object.assign(device, { tables: otherRows });
  await shop.runQueue();
  expect(device.taxesUsed).toEqual([3]);
});

test("a tax table that was reprogrammed before another program opened the shift is read before the next receipt", async () => {
  const { device, bench: shop } = openTill();
  const job = await shop.sell(order("A-1", 1));
  device.shift = { ...device.shift, state: "closed" };
  addForeignReceipt(device, order("X-1", 1));
  Object.assign(device, { tables: otherRows, taxesUsed: [] });
  // An idle read shows the new shift before the next order comes.
  await shop.clock.advance(10 * MINUTE);
  expect(shop.fleet.get(tillId).snapshot().state?.shift.number).toBe(2);
  const { taxes } = shop.job(job.id);
  const again = shop.operator.printAnyway(job.id, "the buyer has lost it");
  await shop.runQueue();
  expect(shop.job(again.id)).toMatchObject({ state: "printed", taxes });
  expect(device.taxesUsed).toEqual([3]);
});

test.each([
  ["has no row of the same meaning", withoutThatRate, {}, 1, "device.tax-unknown"],
  ["belongs to another taxpayer", otherRows, { inn: toInn("7800000000") }, 1, "order.wrong-inn"],
  ["is registered for other tax systems", otherRows, { taxSystems: 2 }, 1, "device.tax-unknown"],
  ["has no row of the rate for positions without tax", withoutThatRate, {}, null, "device.tax-unknown"],
] as const)("a queued job is not printed when the new device %s", async (_, tables, identity, waiting, code) => {
  const { shop, device, job } = await replaceDevice({
    waiting,
    accept: true,
    change(device) {
      another(device, tables);
      device.identity = { ...device.identity, ...identity };
    },
    settings: { defaultTax: 1 },
  });
  expect(job).toMatchObject({ state: "failed", fault: { code } });
  expect(receiptsOn(device)).toEqual([]);
  expect(shop.told.results).toContainEqual({ job: job.id, outcome: "failed", fd: null });
});

test.each([
  ["did not report its tax systems", 0, 1],
  ["no longer reports its tax systems", 1, 0],
] as const)("a queued job with a tax row is printed when the device %s", async (_, before, now) => {
  const device = createScriptedDevice();
  device.identity = { ...device.identity, taxSystems: before };
  const shop = openOn(device);
  await shop.start();
  device.unplugged = true;
  await shop.clock.advance(MINUTE);
  const job = shop.addJob(order("A-1", 1));
  Object.assign(device, { tables: otherRows, identity: { ...device.identity, taxSystems: now }, unplugged: false });
  await shop.runQueue();
  expect(shop.job(job.id)).toMatchObject({ state: "printed" });
  expect(device.taxesUsed).toEqual([3]);
});

test.each([
  ["its rate becomes known", { id: 9, title: "Особая", vat: 2 as const }],
  ["it gets another title", { id: 9, title: "Другая", vat: null }],
])("a job that names a tax row of an unknown rate is not printed after %s", async (_, row) => {
  const unknown = { id: 9, title: "Особая", vat: null };
  const device = createScriptedDevice();
  device.tables = { taxes: [...device.tables.taxes, unknown], paymentTypes };
  const bench = openOn(device);
  await bench.start();
  device.unplugged = true;
  await bench.clock.advance(MINUTE);
  const job = bench.addJob(order("A-1", 9));
  Object.assign(device, { unplugged: false, tables: { taxes: [...otherRows.taxes, row], paymentTypes } });
  await bench.runQueue();
  expect(bench.job(job.id)).toMatchObject({ state: "failed", fault: { code: "device.tax-unknown" } });
});

test("a job of a register whose tax table was never read is printed by its own row numbers, and on no other register", async () => {
  const [one, two] = [createTill(1, { unplugged: true }), createTill(2)];
  const bench = open({ registers: tillsOf([one, two], { group: "hall", moveAfterSeconds: 1 }) });
  const receipt = order("A-1", 1);
  const { id } = bench.stores.jobs.insertJob({
    ...{ source: "site", site: null, raw: null, polledKkm: null, key: null, forced: false, register: tillId },
    ...{ receipt, taxes: { taxes: meaningOfTaxes(receipt, { lists: [], defaultRow: null }), taxpayer: null } },
    ...{ state: "queued", fault: null, now: 0 },
  });
  bench.startQueue();
  await bench.clock.advance(10 * MINUTE);
  expect(receiptsOn(two)).toEqual([]);
  one.unplugged = false;
  await bench.runQueue();
  expect(bench.job(id)).toMatchObject({ state: "printed", register: tillId });
  expect(one.taxesUsed).toEqual([1]);
});

test("an order at a tax row of an unlawful rate is refused before and after the rows are read again", async () => {
  const unlawful = { id: 9, title: '"Особая" (18 %)', vat: null };
  const device = createScriptedDevice();
  device.tables = { taxes: [...device.tables.taxes, unlawful], paymentTypes };
  const bench = openOn(device);
  await bench.start();
  const confirmed = () => bench.fleet.snapshots()[0]?.rowsConfirmed;
  for (const [id, isConfirmed] of [
    ["A-1", false],
    ["A-2", true],
  ] as const) {
    expect(confirmed()).toBe(isConfirmed);
    expect(await bench.sell(order(id, 9))).toMatchObject({
      state: "failed",
      fault: {
        code: "device.tax-unknown",
        message: `"${id}": tax row 9 is "Особая" (18 %), which is no rate of the law`,
      },
    });
  }
  expect(device.taxesUsed).toEqual([]);
});

test("the fault of a position whose rate is not in force on the day of the print names the field of its tax", () => {
  const receipt = makeReceipt({ lines: [makeItem({ tax: 2 }), makeItem({ tax: 1 })] });
  const taxes = [
    { id: 1, title: "НДС 20%", vat: 1 },
    { id: 2, title: "НДС 22%", vat: 11 },
  ] as const;
  const check = () =>
    requireLawfulRates(
      receipt,
      { receipt, defaultTax: null },
      { taxes, defaultTax: null },
      { today: "2026-11-28", allows20: false },
    );
  expect(check).toThrow(expect.objectContaining({ code: "order.wrong-value", place: "items[1].tax" }));
});
