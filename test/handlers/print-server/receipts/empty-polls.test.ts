/** A poll that finds nothing, again and again: on SQLite it costs no query until something has changed. */

import { toFnSerial, toInn, toKkm, toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { OrderPoll } from "#handlers/print-server/host-callbacks.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { type NoTables, openStore, type Store } from "#handlers/store/open-store.js";
import { countStatements } from "../../../support/count-statements.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { sqlite, type TestDatabase } from "../../../support/site-databases.js";

const clock = createFakeClock();
let database: TestDatabase;
let shared: Store<NoTables>;
let store: ReceiptStore;
/** Another process, as far as SQLite can tell. */
let other: ReceiptStore;

beforeEach(async () => {
  database = await sqlite.create();
  shared = await openStore({ address: database.address });
  store = await openReceiptStore({ database: shared, clock, logger: silentLogger });
  other = await openReceiptStore({ database: database.address, clock, logger: silentLogger });
});

afterEach(async () => {
  await store.close();
  await other.close();
  await shared.close();
  await database.drop();
});

function sale(orderId: string) {
  return taskTable.sale({ orderId }).item({ name: "Tea", price: "100.00" }).payRest("cash").build();
}

function poll(daemonId = "d1", overrides: Partial<OrderPoll> = {}) {
  const signal = new AbortController().signal;
  return store.nextReceipt({ kkm: toKkm("0001"), daemonId, waitMs: 0, signal, ...overrides });
}

const statementsOf = (work: () => Promise<unknown>) => countStatements(shared.db.getExecutor(), work);

test("an empty poll costs no query when nothing has changed since the last one", async () => {
  const signed = { messageId: "m", sentAt: clock.now(), run: "r1" };
  for (const overrides of [{}, { signed }]) {
    expect(await poll("d1", overrides)).toBeNull();
    expect(await poll("d1", overrides)).toBeNull();
    expect(
      await statementsOf(async () => {
        for (let time = 0; time < 5; time += 1) expect(await poll("d1", overrides)).toBeNull();
      }),
    ).toBe(0);
  }
});

test.each([
  ["this process", () => store],
  ["another process", () => other],
])("a receipt that %s enqueues is found by the very next poll", async (_, enqueueing) => {
  for (const orderId of ["A-1", "A-2"]) {
    expect([await poll("d2"), await poll("d2")]).toEqual([null, null]);
    await enqueueing().enqueue(sale(orderId));
    expect(await poll("d2")).toMatchObject({ orderId });
    const [receipt] = await store.findByOrder(toOrderId(orderId));
    await store.recordResult({
      messageId: null,
      kkm: toKkm("0001"),
      inn: toInn("7700000000"),
      fn: toFnSerial("9999078900000001"),
      outcome: "printed",
      resultCode: 0,
      resultInfo: "",
      orderId: toOrderId(orderId),
      receiptId: receipt?.receiptId ?? null,
      shiftNumber: "5",
      link: null,
      fiscalSign: "123",
      fdNumber: orderId,
      receiptNumber: "1",
      time: null,
      operation: null,
      total: null,
    });
  }
});

test("a receipt that another daemon loses by a release goes to one that had asked in vain", async () => {
  const receiptId = await store.enqueue(sale("A-1"));
  expect(await poll("d1")).toMatchObject({ receiptId });
  expect([await poll("d2"), await poll("d2")]).toEqual([null, null]);
  await other.release(receiptId);
  expect(await poll("d2")).toMatchObject({ receiptId });
});

test("a receipt of a transaction is found once that is committed, and never after a rollback", async () => {
  await poll();
  const rolledBack = shared.transaction(async (tx) => {
    await store.enqueue(sale("A-1"), { within: tx });
    throw new Error("no money");
  });
  const early = poll();
  await expect(rolledBack).rejects.toThrow();
  expect([await early, await poll()]).toEqual([null, null]);
  await shared.transaction((tx) => store.enqueue(sale("A-2"), { within: tx }));
  expect(await poll()).toMatchObject({ orderId: "A-2" });
});
