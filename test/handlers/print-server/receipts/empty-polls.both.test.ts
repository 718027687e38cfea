/** A repeated poll that finds nothing costs no query until something has changed. */

import { getEventListeners } from "node:events";
import { toKkm, toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { OrderPoll } from "#handlers/print-server/host-callbacks.js";
import type { ReceiptTables } from "#handlers/print-server/receipt-tables.js";
import { watchWakes } from "#handlers/print-server/receipts/receipt-signals.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { countStatements } from "../../../support/count-statements.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { databaseKinds } from "../../../support/site-databases.js";
import { waitFor } from "../../../support/wait-for.js";
import { pollBy, refund, sale, useReceiptShop } from "../receipt-world.js";

const [kind] = databaseKinds;
if (kind === undefined) throw new Error("no database");
const { check, shop } = useReceiptShop(kind);
/** For the database this is another process. */
let other: ReceiptStore;
beforeEach(async () => {
  if (kind.skipped !== null) return;
  other = await shop().openNode();
  await waitFor("the signals are heard", () => shop().shared.version() !== null);
});

const poll = (daemonId = "d1", overrides: Partial<OrderPoll> = {}) => shop().handOut(daemonId, overrides);
const statementsOf = (work: () => Promise<unknown>) => countStatements(shop().shared.db.getExecutor(), work);

/** The signal of another node takes a moment. */
const orderThatIsFound = (daemonId: string) =>
  waitFor("a receipt is found", async () => (await poll(daemonId))?.orderId ?? false);

check("an empty poll costs no query when nothing has changed since the last poll", async () => {
  const signed = { messageId: "m", sentAt: shop().clock.now(), run: "r1" };
  for (const overrides of [{}, { signed }]) {
    await waitFor(
      "a poll costs no query",
      async () => (await statementsOf(async () => expect(await poll("d1", overrides)).toBeNull())) === 0,
    );
    expect(
      await statementsOf(async () => {
        for (let time = 0; time < 5; time += 1) expect(await poll("d1", overrides)).toBeNull();
      }),
    ).toBe(0);
  }
});

/** How far the clock is ahead. The value only grows, because no clock of a process goes back. */
let aheadMs = 0;
const now = performance.now.bind(performance);
beforeAll(() => {
  performance.now = () => now() + aheadMs;
});
afterAll(() => {
  performance.now = now;
});

async function orderAfter(ms: number, daemonId: string) {
  aheadMs += ms;
  return (await poll(daemonId))?.orderId;
}

check.each([
  ["this process enqueues is found by the very next poll", () => shop().store, 0],
  ["another process enqueues is found by a poll that comes 100 ms later", () => other, 100],
])("a receipt that %s", async (_, enqueueing, ms) => {
  const found = (daemon: string) =>
    kind.name === "PostgreSQL" && ms > 0 ? orderThatIsFound(daemon) : orderAfter(ms, daemon);
  for (const orderId of ["A-1", "A-2"]) {
    expect([await poll("d2"), await poll("d2")]).toEqual([null, null]);
    await enqueueing().enqueue(sale(orderId));
    expect(await found("d2")).toBe(orderId);
    const [receipt] = await shop().store.findByOrder(toOrderId(orderId));
    await shop().report({ receiptId: receipt?.receiptId ?? null, orderId: toOrderId(orderId) });
  }
});

check("a receipt is handed out once although empty polls at two nodes came before it", async () => {
  const ask = async () => {
    const receipts = await Promise.all([poll("d1"), other.nextReceipt(pollBy("d2"))]);
    return receipts.flatMap((receipt) => receipt?.orderId ?? []);
  };
  expect([await ask(), await ask()]).toEqual([[], []]);
  await other.enqueue(sale("A-1"));
  const found = async () => {
    const orders = await ask();
    return orders.length > 0 && orders;
  };
  expect([await waitFor("a receipt is found", found), await ask()]).toEqual([["A-1"], ["A-1"]]);
});

check("a receipt released from another daemon goes to a daemon that had asked in vain", async () => {
  const receiptId = await shop().queue(sale());
  expect(await poll("d1")).toMatchObject({ receiptId });
  expect([await poll("d2"), await poll("d2")]).toEqual([null, null]);
  await other.release(receiptId);
  expect(await orderThatIsFound("d2")).toBe("A-1");
});

check("a release wakes the poll of the register for which a further receipt of the order was kept back", async () => {
  const { clock, queue, store } = shop();
  const sold = await queue(sale("A-1", "100.00", { kkm: "0001" }));
  expect(await poll("d1")).toMatchObject({ receiptId: sold });
  const returned = await queue(refund("A-1", "40.00", { kkm: "0002" }));
  const answer = store.nextReceipt(pollBy("d2", { kkm: toKkm("0002"), waitMs: 50_000 }));
  await waitFor("the poll waits", () => clock.pending > 0);
  await store.release(sold);
  expect(await answer).toMatchObject({ receiptId: returned });
});

check("a node that has admitted a till refuses the till once another node has found a copy of it", async () => {
  const signedBy = (run: string) => ({ signed: { messageId: `m ${run}`, sentAt: shop().clock.now(), run } });
  expect([await poll("d1", signedBy("r1")), await poll("d1", signedBy("r1"))]).toEqual([null, null]);
  await shop().clock.advance(1000);
  await other.nextReceipt(pollBy("d1", signedBy("r2")));
  await shop().clock.advance(1000);
  const refused = () =>
    poll("d1", signedBy("r1")).then(
      () => false,
      (fault: unknown) => fault,
    );
  expect(await waitFor("the first start is refused", refused)).toMatchObject({ code: "call.copied-daemon" });
});

check("a poll that waits costs no query until its time is up", async () => {
  const { clock, shared } = shop();
  // Tests that run beside this one send signals of their own in the same database.
  const store = await openReceiptStore({ database: shared, clock, resource: "quiet", logger: silentLogger });
  const answer = store.nextReceipt(pollBy("d1", { waitMs: 25_000 }));
  await waitFor("the poll waits", () => clock.pending > 0);
  const count = await statementsOf(async () => {
    for (let second = 1; second < 25; second += 1) await clock.advance(1000);
  });
  await clock.advance(1000);
  expect([await answer, count]).toEqual([null, 0]);
  await store.close();
});

check(
  "a waiting poll finds within ten seconds a receipt that another transaction gives up without a signal",
  async () => {
    const { clock, queue, store, stateOf } = shop();
    const receiptId = await queue(sale());
    let isWanted = false;
    const answer = store.nextReceipt(pollBy("d1", { waitMs: 50_000 }), async (receipt) => (isWanted ? receipt : null));
    await waitFor("the poll waits", () => clock.pending > 0);
    isWanted = true;
    await clock.advance(10_000);
    expect([await answer, await stateOf(receiptId)]).toMatchObject([{ receiptId }, "handed"]);
  },
);

check(
  "the first poll at a node is written down at once, the others together, at the latest when the store is closed",
  async () => {
    const { clock, shared } = shop();
    const written = () => shared.withTables<ReceiptTables>().db.selectFrom("print_callers").select("holder").execute();
    const kkms = Array.from({ length: 1001 }, (_, number) => `${number}`);
    const store = await openReceiptStore({ database: shared, clock, resource: "12", logger: silentLogger });
    for (const kkm of kkms) await store.nextReceipt(pollBy("d1", { kkm }));
    expect(await written()).toHaveLength(1);
    await clock.advance(30_000);
    await waitFor("the polls are written", async () => (await written()).length === kkms.length);
    await store.nextReceipt(pollBy("d2"));
    await store.close();
    expect(await written()).toContainEqual({ holder: "daemon:d2" });
  },
);

check("a receipt of a transaction is found after the transaction's commit, and never after a rollback", async () => {
  const { shared, store } = shop();
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

test("a signal between two waits of a long poll ends the next wait, and leaves no listener behind", async () => {
  let wake = (_payload: string) => {};
  const signals = {
    subscribe(_channel: string, listener: typeof wake) {
      wake = listener;
      return () => {};
    },
    close: async () => {},
  };
  const { signal } = new AbortController();
  const clock = createFakeClock();
  const wakes = watchWakes({ store: { signals }, resource: "", clock }).of("0001");
  const woken = wakes.next(60_000, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  wake("");
  await woken;
  wake("");
  await wakes.next(60_000, signal);
  expect([getEventListeners(signal, "abort").length, clock.pending]).toEqual([0, 0]);
});
