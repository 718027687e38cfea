/** What had failed is printed after all, or in doubt: what becomes of the receipts that its order has since. */

import { toFnSerial, toInn, toKkm, toReceiptId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { sql } from "kysely";
import type { OrderPoll, PrintResult } from "#handlers/print-server/host-callbacks.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { openStore } from "#handlers/store/open-store.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { databaseKinds, type TestDatabase } from "../../support/site-databases.js";
import { createTestLogger } from "../../support/test-logger.js";
import { waitFor } from "../../support/wait-for.js";

const kkm = toKkm("0001");

function sale(price = "100.00") {
  return taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price }).payRest("cash").build();
}

function refund(price: string) {
  return taskTable.return({ orderId: "A-1" }).item({ name: "Tea", price }).payRest("cash").build();
}

function pollBy(daemonId: string): OrderPoll {
  return { kkm, daemonId, waitMs: 0, signal: new AbortController().signal };
}

describe.each(databaseKinds)("receipts that another one superseded, on $name", ({ name, skipped, create }) => {
  const check = skipped === null ? test : test.skip;
  /** SQLite has one writer at a time: nothing there can wait for one another. */
  const onPostgres: (...args: Parameters<typeof check>) => void = name === "PostgreSQL" ? check : () => {};
  let database: TestDatabase;
  let clock: FakeClock;
  let store: ReceiptStore;
  let logged: string[];
  let results = 0;

  beforeEach(async () => {
    if (skipped !== null) return;
    database = await create();
    clock = createFakeClock();
    logged = [];
    const logger = createTestLogger((line) => logged.push(line));
    store = await openReceiptStore({ database: database.address, clock, logger });
  });
  afterEach(async () => {
    if (skipped !== null) return;
    await store.close();
    await database.drop();
  });

  async function handOut(daemonId = "d1"): Promise<Receipt> {
    const answer = await store.nextReceipt(pollBy(daemonId));
    if (answer === null || !("kind" in answer)) throw new Error("no receipt was handed out");
    return answer;
  }

  function report({ receiptId, orderId }: Receipt, outcome: PrintResult["outcome"]) {
    results += 1;
    return store.recordResult({
      messageId: `m${results}`,
      kkm,
      inn: toInn("7700000000"),
      fn: toFnSerial("9999078900000001"),
      outcome,
      resultCode: outcome === "printed" ? 0 : 4,
      resultInfo: "",
      orderId,
      receiptId,
      shiftNumber: "5",
      link: null,
      fiscalSign: "123",
      fdNumber: outcome === "printed" ? String(results) : null,
      receiptNumber: "1",
      time: null,
      operation: null,
      total: null,
    });
  }

  async function next(outcome: PrintResult["outcome"]): Promise<Receipt> {
    const receipt = await handOut();
    await report(receipt, outcome);
    return receipt;
  }

  const stateOf = async (receiptId: string | null) =>
    receiptId === null ? null : ((await store.findByReceiptId(toReceiptId(receiptId)))?.state ?? null);
  const release = (receiptId: string | null) => store.release(toReceiptId(receiptId ?? ""));

  /** The first sale is told failed; another one is handed out. */
  async function failedAndHandedOut(): Promise<readonly [Receipt, Receipt]> {
    await store.enqueue(sale());
    const first = await next("failed");
    await store.enqueue(sale("90.00"));
    return [first, await handOut()];
  }

  describe("a withheld receipt whose holder is gone", () => {
    check("a withheld receipt is not released while the earlier one is in doubt, and is once that failed", async () => {
      const [first, second] = await failedAndHandedOut();
      await report(first, "unknown");
      await expect(release(second.receiptId)).rejects.toMatchObject({ code: "job.being-printed" });
      await report(first, "failed");
      expect(await release(second.receiptId)).toBe("queued");
      expect(await handOut("d2")).toEqual(second);
    });

    check("a withheld receipt is released to nobody when the earlier one is printed", async () => {
      const [first, second] = await failedAndHandedOut();
      await report(first, "printed");
      expect(await release(second.receiptId)).toBe("replaced");
      expect(await store.nextReceipt(pollBy("d2"))).toBeNull();
    });
  });

  check("returns of an order are taken back only as far as they exceed what was sold", async () => {
    await store.enqueue(sale());
    await next("printed");
    await store.enqueue(refund("60.00"));
    const first = await next("failed");
    const { receiptId: second } = await store.enqueue(refund("60.00"), { key: "another" });
    const { receiptId: third } = await store.enqueue(refund("40.00"));
    await report(first, "printed");
    expect([await stateOf(second), await stateOf(third)]).toEqual(["replaced", "queued"]);
  });

  check.each(["printed", "unknown"] as const)("a print beside a %s receipt is told with both ids", async (outcome) => {
    const [first, second] = await failedAndHandedOut();
    await report(second, outcome);
    expect(logged.join()).not.toContain("printed twice");
    await report(first, "printed");
    const told = logged.filter((line) => line.includes("printed twice")).join();
    expect(told).toContain(String(first.receiptId));
    expect(told).toContain(String(second.receiptId));
  });

  check("a printed partial refund that fits is not told of when the failed earlier one is printed", async () => {
    await store.enqueue(sale());
    await next("printed");
    await store.enqueue(refund("60.00"));
    const first = await next("failed");
    await store.enqueue(refund("40.00"));
    await next("printed");
    await report(first, "printed");
    expect(logged.join()).not.toContain("twice");
  });

  describe("a waiting receipt whose earlier one is unsure", () => {
    check("a receipt that waits for an unsure earlier one is handed out when the doubt ends as failed", async () => {
      await store.enqueue(sale());
      const first = await next("failed");
      const { receiptId: second } = await store.enqueue(sale("90.00"));
      await report(first, "unknown");
      expect(await store.nextReceipt(pollBy("d1"))).toBeNull();
      const held = store.nextReceipt({ ...pollBy("d1"), waitMs: 25_000 });
      await waitFor("the poll is held", () => clock.pending > 0);
      await report(first, "failed");
      expect(await held).toMatchObject({ receiptId: second });
    });

    check("a receipt that waits for an unsure earlier one is taken back when the doubt ends as printed", async () => {
      await store.enqueue(sale());
      const first = await next("failed");
      const { receiptId: second } = await store.enqueue(sale("90.00"));
      await report(first, "unknown");
      await report(first, "printed");
      expect(await stateOf(second)).toBe("replaced");
      expect(await store.nextReceipt(pollBy("d2"))).toBeNull();
    });
  });

  onPostgres("a result waits for the host's transaction on the order's other receipt, without a deadlock", async () => {
    await store.enqueue(sale());
    const first = await next("failed");
    const { receiptId: second } = await store.enqueue(sale("90.00"));
    const shared = await openStore({ address: database.address });
    const receipts = await openReceiptStore({ database: shared, clock, logger: silentLogger });
    let result: Promise<unknown> = Promise.resolve();
    try {
      await shared.transaction(async (tx) => {
        // Who finds a deadlock first is its victim: the host.
        await sql`set local deadlock_timeout = '10ms'`.execute(tx);
        await receipts.withdraw(second, { within: tx });
        result = report(first, "printed");
        await waitFor("the result waits", async () => {
          const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`;
          return (await waiting.execute(shared.db)).rows.length > 0;
        });
        await receipts.enqueue(sale("80.00"), { within: tx });
      });
      await result;
    } finally {
      await receipts.close();
      await shared.close();
    }
    expect((await store.list()).map(({ state }) => state)).toEqual(["replaced", "replaced", "printed"]);
  });
});
