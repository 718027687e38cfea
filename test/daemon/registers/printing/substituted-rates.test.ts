/** A Shtrih-M register whose table 17, field 71 is 1: from 2026 on it registers 22 % where 20 % is sent. */

import { toOrderId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { taxIdOfRate } from "@fiscald/shared/receipt/vat.js";
import { closeLater, closeTills, openTill, receiptsOf } from "../../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { type Bench, openBench } from "../../../support/register-bench.js";
import { createScriptedDevice } from "../../../support/scripted-driver.js";
import { waitFor } from "../../../support/wait-for.js";

const RATE_SUBSTITUTION = "table.17.1.71";
afterEach(closeTills);

/** Row 1 of the register's tax table is 20 %. */
function receiptAtRow1(over: Partial<SaleReceipt>, method = 4): SaleReceipt {
  return makeReceipt({ orderId: toOrderId("A-1"), lines: [makeItem({ tax: 1, method })], ...over });
}

async function printed(bench: Bench, job: number): Promise<void> {
  await bench.until("the receipt is printed", () => bench.job(job).state === "printed");
}

async function waits(bench: Bench, job: number, reason: string): Promise<void> {
  await bench.until("the receipt waits with its reason", () => bench.job(job).fault?.message.includes(reason) === true);
  expect(bench.job(job)).toMatchObject({ state: "queued", fault: { code: "register.setting-wrong" } });
}

test.each<[string, Partial<SaleReceipt>, number]>([
  ["a return whose sale is not known", { operation: "return" }, 4],
  ["a payment of credit whose sale is not known", {}, 7],
  ["a sale that names 20 % in words", { lines: [makeItem({ tax: taxIdOfRate(1) })] }, 4],
])(
  "%s waits on a register that prints 22 % VAT instead, and is printed without help after the setting is right",
  async (_what, over, method) => {
    const { bench, emulator } = await openTill("shtrih", { fields: { [RATE_SUBSTITUTION]: "01" } });
    const job = bench.queue(receiptAtRow1(over, method));
    await waits(bench, job.id, "table 17, field 71 is 1: with value 2");
    expect(receiptsOf(emulator)).toEqual([]);

    emulator.core.setMakerSetting(RATE_SUBSTITUTION, "02");
    await printed(bench, job.id);
    expect(receiptsOf(emulator)[0]?.lines[0]).toMatchObject({ vat: 1, vatSum: 1667 });
  },
);

test("a sale accepted while its tax row meant 20 % VAT waits after the register begins to substitute 22 %", async () => {
  const { bench, emulator } = await openTill("shtrih");
  await bench.start();
  const job = bench.addJob(receiptAtRow1({}));
  emulator.core.setMakerSetting(RATE_SUBSTITUTION, "01");
  bench.startQueue();
  await waits(bench, job.id, "table 17, field 71 is 1: with value 2");
  expect(receiptsOf(emulator)).toEqual([]);
});

test("a sale at a tax row of 20 % VAT means 22 % on a register that substitutes it, and its document agrees", async () => {
  const { bench, emulator } = await openTill("shtrih", { fields: { [RATE_SUBSTITUTION]: "01" } });
  bench.startQueue();
  await waitFor("its tables are known", async () => bench.fleet.snapshots()[0]?.tables !== null);
  const lists = bench.fleet.snapshots().flatMap(({ tables }) => (tables === null ? [] : [tables.taxes]));
  expect(lists[0]?.[0]).toMatchObject({ id: 1, vat: 1, inSale: 11 });
  const job = bench.addJob(receiptAtRow1({}));
  await printed(bench, job.id);
  expect(receiptsOf(emulator)[0]?.lines[0]).toMatchObject({ vat: 11 });
  await bench.clock.advance(5_000);
  expect(bench.stores.checks.open()).toEqual([]);
});

test("a POSCENTER with factory settings prints sales at 22 % VAT, and a return at 20 % waits until the setting is right", async () => {
  const { bench, emulator } = await openTill("shtrih", { model: "poscenter" });
  const sales = ["A-1", "A-2"].map((id) => bench.addJob(receiptAtRow1({ orderId: toOrderId(id) })));
  const back = bench.queue(receiptAtRow1({ orderId: toOrderId("OLD-1"), operation: "return" }));
  for (const { id } of sales) await printed(bench, id);
  await waits(bench, back.id, "table 17, field 71 is 1: with value 2");
  expect(receiptsOf(emulator).map(({ lines }) => lines[0]?.vat)).toEqual([11, 11]);

  emulator.core.setMakerSetting(RATE_SUBSTITUTION, "02");
  await printed(bench, back.id);
  expect(receiptsOf(emulator).at(-1)).toMatchObject({ operation: "return", lines: [{ vat: 1 }] });
  await bench.clock.advance(5_000);
  expect(bench.stores.checks.open()).toEqual([]);
});

test.each<[string, number | null, number, number]>([
  ["at row 1", 1, 4, 11],
  ["at the row of 22 %", 11, 4, 11],
  ["without a tax, by the default row 1", null, 4, 11],
  ["of a prepayment at row 5", 5, 1, 12],
])(
  "a return %s of a sale that was printed at 22 %% is printed at 22 %% on a register that substitutes it",
  async (_what, tax, method, vat) => {
    const { bench, emulator } = await openTill("shtrih", { model: "poscenter", settings: { defaultTax: 1 } });
    const lines = [makeItem({ tax, method })];
    await printed(bench, bench.queue(makeReceipt({ orderId: toOrderId("A-1"), lines })).id);
    await printed(bench, bench.queue(makeReceipt({ orderId: toOrderId("A-1"), lines, operation: "return" })).id);
    expect(receiptsOf(emulator).map(({ operation, lines: [line] }) => [operation, line?.vat])).toEqual([
      ["sale", vat],
      ["return", vat],
    ]);
    await bench.clock.advance(5_000);
    expect(bench.stores.checks.open()).toEqual([]);
  },
);

test("a return of today's sale is printed at 22 % by row 1 on a register that substitutes 22 % and has no row of 22 %", async () => {
  const { bench, emulator } = await openTill("shtrih", { model: "poscenter", fields: { "table.6.11.1": "0807" } });
  await printed(bench, bench.queue(receiptAtRow1({})).id);
  await printed(bench, bench.queue(receiptAtRow1({ operation: "return" })).id);
  expect(receiptsOf(emulator).map(({ lines: [line] }) => line?.vat)).toEqual([11, 11]);
  await bench.clock.advance(5_000);
  expect(bench.stores.checks.open()).toEqual([]);
});

test("a return of today's sale keeps its 22 % after a restart and after the setting is changed for an old return", async () => {
  const { bench, emulator } = await openTill("shtrih", { model: "poscenter" });
  await bench.start();
  const sale = bench.addJob(receiptAtRow1({}));
  const back = bench.addJob(receiptAtRow1({ operation: "return" }));
  emulator.core.setMakerSetting(RATE_SUBSTITUTION, "02");
  const again = await bench.restart();
  closeLater(() => again.close());
  again.startQueue();
  for (const { id } of [sale, back]) await printed(again, id);
  const late = again.queue(receiptAtRow1({ operation: "return", lines: [makeItem({ name: "Second", tax: 1 })] }));
  await printed(again, late.id);
  expect(receiptsOf(emulator).map(({ lines: [line] }) => line?.vat)).toEqual([11, 11, 11]);
});

test("a register that does not substitute 20 % VAT prints that rate at its tax row", async () => {
  const { bench, emulator } = await openTill("shtrih");
  const job = bench.queue(receiptAtRow1({ operation: "return" }));
  await printed(bench, job.id);
  expect(receiptsOf(emulator)[0]?.lines[0]).toMatchObject({ vat: 1 });
});

test.each([
  ["prints nothing", "02"],
  ["writes its documents to the memory card", "03"],
])(
  "a sale without a buyer's address waits on a register that %s, and a sale with an address does not",
  async (_what, hex) => {
    const { bench } = await openTill("shtrih", { fields: { "table.17.1.7": hex } });
    const [without, withAddress] = [
      bench.addJob(makeReceipt({ orderId: toOrderId("A-1") })),
      bench.addJob(makeReceipt({ orderId: toOrderId("A-2"), contact: "buyer@example.org" })),
    ];
    bench.startQueue();
    await waits(bench, without.id, `table 17, field 7 is ${Number(hex)}`);
    await printed(bench, withAddress.id);
  },
);

test("every receipt waits on a register that expects the tax sums from the program", async () => {
  const { bench, emulator } = await openTill("shtrih", { fields: { "table.1.1.14": "01" } });
  const job = bench.queue(makeReceipt());
  await waits(bench, job.id, "table 1, field 14 is 1");
  emulator.core.setMakerSetting("table.1.1.14", "00");
  await printed(bench, job.id);
});

test("a sale without a rate waits while the register's default rate is not in force, and is printed at a new default", async () => {
  const taxes = [
    { id: 1, title: "20%", vat: 1 as const },
    { id: 2, title: "22%", vat: 11 as const },
  ];
  const device = createScriptedDevice();
  device.tables = { ...device.tables, taxes };
  const settings = { defaultTax: 1 };
  const bench = openBench({ registers: [{ device, settings }], allows20: false });
  closeLater(() => bench.close());
  const sale = bench.addJob(makeReceipt({ orderId: toOrderId("A-1"), lines: [makeItem({ tax: null })] }));
  const refund = makeReceipt({ operation: "return", orderId: toOrderId("A-2"), lines: [makeItem({ tax: null })] });
  const returned = bench.queue(refund);
  await waits(bench, sale.id, "defaultTax 1 is 20%");
  await printed(bench, returned.id);
  device.tables = { ...device.tables, taxes: [{ id: 1, title: "22%", vat: 11 }] };
  await printed(bench, sale.id);
  expect(device.taxesUsed).toEqual([1, 1]);
});
