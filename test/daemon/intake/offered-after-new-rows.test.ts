/** An order failed because its tax rows are gone, and its site offers it again with present ids. */
import { Fault } from "@fiscald/shared/fault.js";
import { toInn, toRegisterId } from "@fiscald/shared/ids.js";
import { useBenches } from "../../support/benches.js";
import { answerOf, makeIntake, polledRegister, saleTable } from "../../support/make-intake.js";
import type { Bench } from "../../support/register-bench.js";

const { openTill } = useBenches();
const till = polledRegister;

/** What the site knows at the poll: the failure, and the present rows. */
const toldAll = { failure: true, rows: true };

function offer(
  { stores, clock, wake }: Bench,
  { at = till, tax = 1, receiptId = "", told = toldAll, inn = "7700000000", areRowsKnown = true } = {},
) {
  const askedAt = clock.now();
  const intake = makeIntake({
    ...{ jobs: stores.jobs, journal: stores.journal, clock },
    events: {
      told: () => (told.failure ? "yes" : "meanwhile"),
      taxListDeliveredAt: () => (told.rows ? askedAt - 1 : askedAt),
    },
    findRegister: () => null,
    taxListsOf: () => (areRowsKnown ? stores.registers.all().map(({ tables }) => tables.taxes) : []),
    taxpayerOf: () => ({ inn: toInn(inn), taxSystems: 0 }),
    wake: () => wake.notify(),
  });
  const ids = receiptId === "" ? { orderId: "A-1" } : { orderId: "A-1", receiptId };
  return intake.accept(answerOf({ response: { ...ids, taskTable: saleTable({ tax }) } }, { register: at, askedAt }));
}

/** Row 1 was 22 % when the order was accepted. Now it is 10 %, and there is no row of 22 %. */
async function failForItsRow(options: Parameters<typeof offer>[1] = {}) {
  const { device, bench: shop } = openTill();
  await shop.start();
  device.unplugged = true;
  await shop.clock.advance(60_000);
  offer(shop, options);
  const taxes = [{ id: 1, title: "НДС 10%", vat: 2 as const }];
  Object.assign(device, { unplugged: false, tables: { ...device.tables, taxes } });
  await shop.runQueue();
  expect(shop.job(1)).toMatchObject({ state: "failed", fault: { code: "device.tax-unknown" } });
  return { shop, device };
}

test("an order that failed because its tax row was changed and that comes again is printed by the present tax rows", async () => {
  const { shop, device } = await failForItsRow();
  expect(offer(shop)).toMatchObject({ kind: "order", job: { id: 1 } });
  await shop.runQueue();
  expect(shop.job(1).state).toBe("printed");
  expect(device.taxesUsed).toEqual([1]);
});

test.each([
  ["the failure", { failure: false, rows: true }],
  ["the present rows", { failure: true, rows: false }],
])("an order that its site offers before it heard of %s is not printed by the present tax rows", async (_, told) => {
  const { shop, device } = await failForItsRow();
  const failed = shop.job(1);
  for (let again = 0; again < 5; again += 1) {
    expect(offer(shop, { told })).toMatchObject({ kind: "repeat", job: { id: 1 } });
    await shop.runQueue();
  }
  // A try that can only fail would use up one of the order's three tries.
  expect(shop.job(1)).toEqual(failed);
  expect(device.taxesUsed).toEqual([]);
  // The site has heard of both by then and offers the order once more.
  offer(shop);
  await shop.runQueue();
  expect(device.taxesUsed).toEqual([1]);
});

test.each([
  ["that its site knew", { failure: true, rows: false }, 11],
  ["that its site knows now", toldAll, 1],
])("an order that failed for a bad value and comes again is printed at the rate %s", async (_, told, row) => {
  const { device, bench: shop } = openTill();
  await shop.start();
  device.faults = [{ kind: "before", fault: new Fault("device.bad-value") }];
  offer(shop);
  await shop.runQueue();
  expect(shop.job(1)).toMatchObject({ state: "failed", fault: { code: "device.bad-value" } });
  device.unplugged = true;
  await shop.clock.advance(60_000);
  const taxes = [
    { id: 1, title: "НДС 10%", vat: 2 as const },
    { id: 11, title: "НДС 22%", vat: 11 as const },
  ];
  Object.assign(device, { unplugged: false, tables: { ...device.tables, taxes } });
  await shop.clock.advance(60_000);
  expect(offer(shop, { told })).toMatchObject({ kind: "order", job: { id: 1 } });
  await shop.runQueue();
  expect(device.taxesUsed).toEqual([row]);
});

test("an order that failed because its tax row was changed fails again when the operator retries it", async () => {
  const { shop } = await failForItsRow();
  shop.operator.retry(1, "?");
  await shop.runQueue();
  expect(shop.job(1).state).toBe("failed");
});

const other = toRegisterId("till-2");

test("an order that failed because its tax row was changed and that is offered again with an unknown row is refused", async () => {
  const receiptId = "11111111-2222-4333-8444-555555555555";
  const { shop } = await failForItsRow({ receiptId });
  expect(offer(shop, { receiptId, tax: 3 })).toMatchObject({ kind: "refused", fault: { code: "device.tax-unknown" } });
  expect(shop.job(1)).toMatchObject({ state: "failed", tries: 1 });
});

test.each([
  ["for a register of another taxpayer", { at: other, inn: "7700000001" }],
  ["for another register whose rows are not known", { at: other, areRowsKnown: false }],
])("an order that failed as its tax row was changed and that is offered again %s fails again", async (_, again) => {
  const receiptId = "11111111-2222-4333-8444-555555555555";
  const { shop } = await failForItsRow({ receiptId });
  expect(offer(shop, { receiptId, ...again })).toMatchObject({ kind: "order", job: { id: 1 } });
  await shop.runQueue();
  expect(shop.job(1)).toMatchObject({ state: "failed", fault: { code: "device.tax-unknown" } });
});
