import { type ReceiptId, toFnSerial, toInn, toKkm, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { OrderPoll, PrintResult } from "#handlers/print-server/host-callbacks.js";
import { admitDaemon, copiedDaemons } from "#handlers/print-server/print-callers.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { testReceiptStore } from "#handlers/print-server/test-receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { openStore } from "#handlers/store/open-store.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import { databaseKinds, type TestDatabase } from "../../../support/site-databases.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { waitFor } from "../../../support/wait-for.js";

const kkm = toKkm("0001");

function sale(orderId: string, price = "100.00", extra: { readonly kkm?: string } = {}) {
  return taskTable
    .sale({ orderId, ...extra })
    .item({ name: "Tea", price })
    .payRest("cash")
    .build();
}

function refund(orderId: string, price: string) {
  return taskTable.return({ orderId }).item({ name: "Tea", price }).payRest("cash").build();
}

function pollBy(daemonId: string | null, overrides: Partial<OrderPoll> = {}): OrderPoll {
  return { kkm, daemonId, waitMs: 0, signal: new AbortController().signal, ...overrides };
}

function resultFor(receipt: Pick<Receipt, "receiptId" | "orderId">, overrides: Partial<PrintResult> = {}): PrintResult {
  return {
    messageId: null,
    kkm,
    inn: toInn("7700000000"),
    fn: toFnSerial("9999078900000001"),
    outcome: "printed",
    resultCode: 0,
    resultInfo: "",
    orderId: receipt.orderId,
    receiptId: receipt.receiptId,
    shiftNumber: "5",
    link: null,
    fiscalSign: "123",
    fdNumber: "42",
    receiptNumber: "1",
    time: null,
    operation: null,
    total: null,
    ...overrides,
  };
}

describe.each(databaseKinds)("the receipt store on $name", ({ name, skipped, create }) => {
  const isPostgres = name === "PostgreSQL";
  const check = skipped === null ? test : test.skip;
  let database: TestDatabase;
  let clock: FakeClock;
  let store: ReceiptStore;
  let warnings: string[];
  const opened: ReceiptStore[] = [];

  async function open(resource = ""): Promise<ReceiptStore> {
    const logger = createTestLogger((line) => warnings.push(line));
    const another = await openReceiptStore({ database: database.address, clock, resource, logger });
    opened.push(another);
    return another;
  }

  async function queue(...order: Parameters<ReceiptStore["enqueue"]>): Promise<ReceiptId> {
    return (await store.enqueue(...order)).receiptId;
  }

  async function openNodes(): Promise<readonly ReceiptStore[]> {
    return [store, await open()];
  }

  async function handOut(daemonId: string | null, overrides: Partial<OrderPoll> = {}): Promise<Receipt | null> {
    const answer = await store.nextReceipt(pollBy(daemonId, overrides));
    if (answer !== null && !("kind" in answer)) throw new Error("the store answers domain receipts");
    return answer;
  }

  async function handOutOne(daemonId: string | null = "d1"): Promise<Receipt> {
    const receipt = await handOut(daemonId);
    if (receipt === null) throw new Error("no receipt was handed out");
    return receipt;
  }

  async function printOne(overrides: Partial<PrintResult> = {}): Promise<Receipt> {
    const receipt = await handOutOne();
    await store.recordResult(resultFor(receipt, overrides));
    return receipt;
  }

  const stateOf = async (receiptId: Receipt["receiptId"]) =>
    receiptId === null ? null : ((await store.findByReceiptId(receiptId))?.state ?? null);

  beforeEach(async () => {
    if (skipped !== null) return;
    database = await create();
    clock = createFakeClock();
    warnings = [];
    store = await open();
  });

  afterEach(async () => {
    if (skipped !== null) return;
    for (const one of opened.splice(0)) await one.close();
    await database.drop();
  });

  describe("the rules of any receipt store", () => {
    testReceiptStore({
      test: check,
      async newDatabase() {
        const empty = await create();
        const open = () => openReceiptStore({ database: empty.address, logger: createTestLogger(() => {}) });
        return { open, drop: empty.drop };
      },
    });
  });

  describe("the receipts that follow another one of their order", () => {
    check("the successor of a failed receipt is for the daemon that had that one, until it is released", async () => {
      await queue(sale("A-1"));
      await printOne({ outcome: "failed", fdNumber: null });
      const again = await queue(sale("A-1", "90.00"));
      expect(await handOut("d2")).toBeNull();
      const corrected = await queue(sale("A-1", "80.00"));
      expect([await handOut("d2"), await handOut(null)]).toEqual([null, null]);
      expect(await stateOf(again)).toBe("replaced");
      expect(await store.release(corrected)).toBe("queued");
      expect(await handOut("d2")).toMatchObject({ receiptId: corrected });
    });

    check("the successor of a receipt is for any daemon once that receipt is released", async () => {
      await queue(sale("A-1"));
      const { receiptId } = await handOutOne("d1");
      if (receiptId === null) throw new Error("a receipt without an id");
      const second = await queue(refund("A-1", "90.00"));
      expect(await handOut("d2")).toBeNull();
      await store.release(receiptId);
      expect([await handOut("d2"), await handOut("d2")]).toMatchObject([{ receiptId }, { receiptId: second }]);
    });

    check("the successor of a printed receipt is for any daemon", async () => {
      await queue(sale("A-1"));
      await printOne();
      await queue(refund("A-1", "100.00"));
      expect(await handOut("d2")).toMatchObject({ orderId: "A-1", operation: "return" });
    });
  });

  describe("signed polls", () => {
    const signedBy = (run: string | null, messageId: string) => ({ signed: { messageId, sentAt: clock.now(), run } });

    check("a signed poll takes one receipt, however often it is replayed", async () => {
      await queue(sale("A-1"));
      const second = await queue(sale("A-2"));
      const poll = signedBy("r1", "m1");
      expect(await handOut("d1", poll)).toMatchObject({ orderId: "A-1" });
      await expect(handOut("d1", poll)).rejects.toMatchObject({ code: "call.repeated" });
      expect(await stateOf(second)).toBe("queued");
      expect(await handOut("d1", signedBy("r1", "m2"))).toMatchObject({ orderId: "A-2" });
    });

    check("a signed poll that is replayed at two nodes together takes one receipt", async () => {
      const nodes = await openNodes();
      for (const order of ["A-1", "A-2"]) await queue(sale(order));
      const poll = signedBy("r1", "m1");
      const answers = await Promise.allSettled(nodes.map((node) => node.nextReceipt(pollBy("d1", poll))));
      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await store.list()).toMatchObject([{ state: "queued" }, { state: "handed" }]);
    });

    check("a signed poll that finds nothing is not recorded, and may be repeated", async () => {
      const poll = signedBy("r1", "m1");
      expect(await handOut("d1", poll)).toBeNull();
      await queue(sale("A-1"));
      expect(await handOut("d1", poll)).toMatchObject({ orderId: "A-1" });
    });

    check("signed polls of a copied till and of the till itself take nothing until it is admitted again", async () => {
      const poll = (run: string) => handOut("d1", signedBy(run, `m${clock.monotonic()} ${run}`));
      expect(await poll("r1")).toBeNull();
      await clock.advance(1000);
      expect(await poll("r2")).toBeNull();
      await queue(sale("A-1"));
      await clock.advance(1000);
      await expect(poll("r1")).rejects.toMatchObject({
        code: "call.copied-daemon",
        message: expect.stringContaining("d1"),
      });
      await expect(poll("r2")).rejects.toMatchObject({ code: "call.copied-daemon" });
      await expect(poll("r3")).rejects.toMatchObject({ code: "call.copied-daemon" });
      expect(warnings.filter((line) => line.includes("two machines"))).toHaveLength(1);
      const opened = await openStore({ address: database.address });
      expect([await copiedDaemons(opened), await admitDaemon(opened, "d1")]).toEqual([["d1"], true]);
      await opened.close();
      expect(await poll("r2")).toMatchObject({ orderId: "A-1" });
    });

    check("a signed poll of an earlier start, sent before the later start asked, shows no copied till", async () => {
      const replayed = signedBy("r1", "m1");
      expect(await handOut("d1", replayed)).toBeNull();
      await clock.advance(1000);
      expect(await handOut("d1", signedBy("r2", "m2"))).toBeNull();
      await queue(sale("A-1"));
      await expect(handOut("d1", replayed)).rejects.toMatchObject({ code: "call.repeated" });
      expect(await handOut("d1", signedBy("r2", "m3"))).toMatchObject({ orderId: "A-1" });
    });
  });

  describe("receipts that no caller asks for", () => {
    /** A real database may be slower than the clock that the test turns. */
    const advance = async (minutes: number, meanwhile: () => Promise<unknown> = () => store.list()) => {
      for (let half = 0; half < minutes * 2; half += 1) {
        await clock.advance(30_000);
        await meanwhile();
      }
    };
    const said = (what: string) => warnings.filter((line) => line.includes(what));
    /** The clock goes on: a look that a slow database delays sets its timer late. */
    const isSaid = (what: string) =>
      waitFor("it is warned of", async () => {
        await clock.advance(30_000);
        return said(what).length > 0;
      });

    check("a receipt for a kkm that nobody asks for is warned of after a minute, with the asked kkms", async () => {
      await handOut("d1");
      await queue(sale("A-1", "100.00", { kkm: "0002" }));
      await advance(0.5);
      expect(said("no print server asks")).toEqual([]);
      await advance(5);
      await isSaid("no print server asks");
      expect(said("no print server asks")).toEqual([expect.stringMatching(/"kkm":"0002".*"0001 at 2026-11-20T12:00/)]);
    });

    check("a receipt of a daemon that asks no more is warned of after ten minutes, and not before", async () => {
      await queue(sale("A-1"));
      await handOutOne("d1");
      const poll = () => handOut("d1", { waitMs: 1, signal: AbortSignal.abort() });
      await advance(15, poll);
      expect(said("asks no more")).toEqual([]);
      await advance(12);
      await isSaid("asks no more");
      expect(said("asks no more")).toEqual([expect.stringContaining("daemon:d1")]);
    });
  });

  describe("the handing out of receipts", () => {
    // SQLite's transactions come one after the other anyway.
    if (isPostgres) {
      check("a receipt is given to a daemon that can print it while another one looks at it in vain", async () => {
        const receiptId = await queue(sale("A-1"));
        let decide = () => {};
        const decided = new Promise<null>((resolve) => {
          decide = () => resolve(null);
        });
        let inVain: Promise<unknown> = Promise.resolve();
        await new Promise<void>((resolve) => {
          inVain = store.nextReceipt(pollBy("d1"), () => {
            resolve();
            return decided;
          });
        });
        const got = await handOut("d2").finally(decide);
        expect([got?.receiptId, await inVain]).toEqual([receiptId, null]);
      });
    }

    check("a released receipt is given to another daemon", async () => {
      const receiptId = await queue(sale("A-1"));
      await handOutOne("d1");
      await store.release(receiptId);
      expect(await handOut("d2")).toMatchObject({ receiptId });
      expect(await handOut("d1")).toBeNull();
    });

    check("refuses to release a receipt that is not handed out", async () => {
      const receiptId = await queue(sale("A-1"));
      await expect(store.release(receiptId)).rejects.toMatchObject({ code: "job.wrong-state" });
      await expect(store.release(toReceiptId("nobody"))).rejects.toMatchObject({ code: "job.not-found" });
    });

    check("withdraw takes back a receipt that nobody has yet, and no other", async () => {
      const [first, second] = [await queue(sale("A-1")), await queue(sale("A-2"))];
      const other = await open("12");
      expect(await other.withdraw(first)).toBe(false);
      expect(await store.withdraw(first)).toBe(true);
      expect(await store.withdraw(first)).toBe(false);
      expect(await stateOf(first)).toBe("replaced");
      expect(await handOut("d1")).toMatchObject({ receiptId: second });
      expect(await store.withdraw(second)).toBe(false);
      // The order may be sold after all.
      expect(await store.enqueue(sale("A-1"))).toEqual({ receiptId: first, isNew: true, state: "queued" });
      expect(await handOut("d1", { kkm: toKkm("0002") })).toMatchObject({ receiptId: first });
    });

    check("the store tells which daemon has a receipt", async () => {
      const receiptId = await queue(sale("A-1"));
      const holder = async () => (await store.findByReceiptId(receiptId))?.holder;
      expect(await holder()).toBeNull();
      await handOutOne("d1");
      expect(await holder()).toBe("daemon:d1");
      await store.release(receiptId);
      expect(await holder()).toBeNull();
    });

    check("new receipts are given before an offer is repeated, and the oldest offer is repeated first", async () => {
      for (const order of ["A-1", "A-2"]) await queue(sale(order));
      const orders = [];
      for (let poll = 0; poll < 4; poll += 1) {
        orders.push((await handOutOne()).orderId);
        await clock.advance(1);
      }
      expect(orders).toEqual(["A-1", "A-2", "A-1", "A-2"]);
    });

    check("the store keeps the receipts of two resources apart", async () => {
      const other = await open("12");
      const { receiptId } = await other.enqueue(sale("A-1"));
      expect(await handOut("d1")).toBeNull();
      expect(await store.findByReceiptId(receiptId)).toBeNull();
      expect(await store.recordResult(resultFor({ receiptId, orderId: null }))).toMatchObject({
        standing: "unmatched",
      });
      expect(await other.nextReceipt(pollBy("d1"))).toMatchObject({ receiptId });
    });
  });

  describe("polls that wait", () => {
    check("a waiting poll gets its answer when a receipt is enqueued", async () => {
      const answer = handOut("d1", { waitMs: 25_000 });
      await waitFor("the poll is held", () => clock.pending > 0);
      await queue(sale("A-1"));
      expect(await answer).toMatchObject({ orderId: "A-1" });
      expect(clock.pending).toBe(0);
    });

    check("a poll that one node holds is woken by a receipt that another node enqueues", async () => {
      const other = await open();
      const answer = handOut("d1", { waitMs: 25_000 });
      await waitFor("the poll is held", () => clock.pending > 0);
      await other.enqueue(sale("A-1"));
      // Only the process that serves hears itself on SQLite.
      if (!isPostgres) await clock.advance(10_000);
      expect(await answer).toMatchObject({ orderId: "A-1" });
    });

    check("a waiting poll gets an empty answer when its time is up", async () => {
      const answer = handOut("d1", { waitMs: 25_000 });
      await waitFor("the poll is held", () => clock.pending > 0);
      await clock.advance(25_000);
      expect(await answer).toBeNull();
    });

    check("a waiting poll ends at once when its caller has gone, and takes no receipt", async () => {
      const caller = new AbortController();
      const answer = handOut("d1", { waitMs: 25_000, signal: caller.signal });
      await waitFor("the poll is held", () => clock.pending > 0);
      caller.abort();
      expect(await answer).toBeNull();
      const receiptId = await queue(sale("A-1"));
      expect(await stateOf(receiptId)).toBe("queued");
    });

    check("a waiting poll is not woken by a receipt of another register", async () => {
      const answer = handOut("d1", { waitMs: 25_000 });
      await waitFor("the poll is held", () => clock.pending > 0);
      await queue(sale("A-1", "100.00", { kkm: "0002" }));
      await clock.advance(24_000);
      await waitFor("the poll is held again", () => clock.pending > 0);
      await clock.advance(1000);
      expect(await answer).toBeNull();
    });

    check("an offer is repeated to a waiting daemon only when it is due, at growing distances", async () => {
      await queue(sale("A-1"));
      await handOutOne("d1");
      const held = handOut("d1", { waitMs: 5000 });
      await waitFor("the poll is held", () => clock.pending > 0);
      await clock.advance(5000);
      expect(await held).toBeNull();
      await clock.advance(5000);
      expect(await handOut("d1", { waitMs: 5000 })).toMatchObject({ orderId: "A-1" });
    });

    check("a released receipt is offered to a waiting daemon as soon as a new one", async () => {
      const receiptId = await queue(sale("A-1"));
      for (let offer = 1; offer <= 4; offer += 1) await handOutOne("d1");
      await store.release(receiptId);
      await handOutOne("d2");
      await clock.advance(10_000);
      expect(await handOut("d2", { waitMs: 5000, signal: AbortSignal.timeout(2000) })).toMatchObject({ receiptId });
    });

    check("an offer is repeated at once when its answer could not be sent", async () => {
      await queue(sale("A-1"));
      const receipt = await handOutOne("d1");
      await store.onAnswerLost(receipt, pollBy("d1"));
      expect(await handOut("d1", { waitMs: 5000 })).toEqual(receipt);
    });
  });

  describe("polls that wait for a lost answer", () => {
    check("a receipt whose answer broke is given to the poll that waits already", async () => {
      await queue(sale("A-1"));
      const receipt = await handOutOne("d1");
      const held = handOut("d1", { waitMs: 5000 });
      await waitFor("the poll is held", () => clock.pending > 0);
      await store.onAnswerLost(receipt, pollBy("d1"));
      expect(await held).toEqual(receipt);
    });
  });

  describe("the results of receipts", () => {
    check("a result finishes its receipt with the numbers of the document", async () => {
      await queue(sale("A-1"));
      const receipt = await printOne({ link: "https://ofd.example/42" });
      const [stored] = await store.findByOrder(toOrderId("A-1"));
      expect(stored).toMatchObject({ receiptId: receipt.receiptId, state: "printed", total: 10_000 });
      expect(stored?.result).toMatchObject({ fdNumber: "42", link: "https://ofd.example/42" });
    });

    check.each([1, 3, 4])("a failure with code %i is final, and the next receipt is handed out", async (resultCode) => {
      for (const order of ["A-1", "A-2"]) await queue(sale(order));
      const bad = await handOutOne();
      await store.recordResult(resultFor(bad, { outcome: "failed", resultCode }));
      const next = await handOutOne();
      expect(next.orderId).toBe("A-2");
      await store.recordResult(resultFor(next));
      expect(await handOut("d1")).toBeNull();
    });

    check("a result without a receipt id finds its receipt by the order number", async () => {
      await queue(sale("A-1"));
      await printOne({ receiptId: null, fdNumber: "1" });
      await queue(refund("A-1", "40.00"));
      const returned = await handOutOne();
      // The sale's result comes once more before the refund's own one.
      const again = resultFor(returned, { receiptId: null, fdNumber: "1" });
      expect(await store.recordResult(again)).toMatchObject({ standing: "repeated" });
      expect(await stateOf(returned.receiptId)).toBe("handed");
      await store.recordResult(resultFor(returned, { receiptId: null, fdNumber: "2" }));
      expect(await stateOf(returned.receiptId)).toBe("printed");
    });

    check("a result without an order number finds the one receipt that a register holds", async () => {
      await queue(sale("A-1"));
      const receipt = await handOutOne(null);
      await store.recordResult(resultFor({ receiptId: null, orderId: null }));
      expect(await stateOf(receipt.receiptId)).toBe("printed");
    });

    check("each change of a receipt is told on every node", async () => {
      const listener = isPostgres ? await open() : store;
      const seen = new Set<string | null>();
      const end = listener.onChange((receiptId) => seen.add(receiptId));
      const receiptId = await queue(sale("A-1"));
      // A node that has only just begun to listen is told that it may have missed something.
      await waitFor("the new receipt is told", () => seen.has(receiptId) || seen.has(null));
      seen.clear();
      await store.recordResult(resultFor({ receiptId, orderId: null }));
      await waitFor("the result is told", () => seen.has(receiptId) || seen.has(null));
      end();
    });
  });

  describe("a failed receipt that is printed after another one of its order was enqueued", () => {
    async function failOne(messageId = "m1"): Promise<Receipt> {
      const receipt = await handOutOne();
      await store.recordResult(resultFor(receipt, { outcome: "failed", messageId }));
      return receipt;
    }

    check("a failed receipt that is printed after all takes a waiting one of its order back", async () => {
      await queue(sale("A-1"));
      const first = await failOne();
      const second = await queue(sale("A-1", "90.00"));
      await store.recordResult(resultFor(first, { messageId: "m2" }));
      expect(await stateOf(second)).toBe("replaced");
      expect(await handOut("d1")).toBeNull();
      expect(await handOut("d2")).toBeNull();
      expect(warnings.join()).toContain("taken back");
    });

    check("a failed return that is printed after all takes a return back that would exceed what was sold", async () => {
      await queue(sale("A-1"));
      await printOne();
      await queue(refund("A-1", "40.00"));
      const first = await failOne();
      const second = await queue(refund("A-1", "70.00"));
      await store.recordResult(resultFor(first, { messageId: "m2", fdNumber: "43" }));
      expect(await stateOf(second)).toBe("replaced");
    });

    check("a failed sale that is printed after all leaves returns and other orders where they are", async () => {
      await queue(sale("A-1"));
      const first = await failOne();
      const second = await queue(sale("A-1", "90.00"));
      const back = await queue(refund("A-1", "40.00"));
      const other = await queue(sale("A-2"));
      await store.recordResult(resultFor(first, { messageId: "m2" }));
      expect(await Promise.all([second, back, other].map(stateOf))).toEqual(["replaced", "queued", "queued"]);
    });

    check("a failed sale that is printed after all leaves a second one that was asked for by name", async () => {
      await queue(sale("A-1"));
      const first = await failOne();
      const second = await queue(sale("A-1"), { printAnyway: true, key: "second" });
      await store.recordResult(resultFor(first, { messageId: "m2" }));
      expect(await handOut("d1")).toMatchObject({ receiptId: second });
    });

    check("a handed out sale whose failed predecessor is printed is neither offered nor released", async () => {
      await queue(sale("A-1"));
      const first = await failOne();
      await queue(sale("A-1", "90.00"));
      const second = await handOutOne();
      await store.recordResult(resultFor(first, { messageId: "m2" }));
      expect(warnings.join()).toContain("may be printed twice");
      if (second.receiptId === null) throw new Error("it has an id");
      // The receiver had gone before the answer was sent.
      await store.onAnswerLost(second, pollBy("d1"));
      expect(await handOut("d1")).toBeNull();
      await store.release(second.receiptId);
      expect(await handOut("d2")).toBeNull();
    });

    check("a handed out sale is offered again when its predecessor's doubt ends as failed", async () => {
      await queue(sale("A-1"));
      const first = await failOne();
      await queue(sale("A-1", "90.00"));
      const second = await handOutOne();
      await store.recordResult(resultFor(first, { outcome: "unknown", messageId: "m2" }));
      expect(await handOut("d1")).toBeNull();
      await store.recordResult(resultFor(first, { outcome: "failed", messageId: "m3" }));
      expect(await handOut("d1")).toEqual(second);
    });

    check("a released sale that is printed after all takes back the sale that was put in its place", async () => {
      const first = await queue(sale("A-1"));
      const receipt = await handOutOne();
      await store.release(first);
      const second = await queue(sale("A-1", "90.00"));
      await store.recordResult(resultFor(receipt));
      expect([await stateOf(first), await stateOf(second)]).toEqual(["printed", "replaced"]);
    });
  });

  describe("the enqueueing of receipts", () => {
    check("enqueue refuses what the till would refuse, with every problem named", async () => {
      const order = {
        response: { orderId: "A-1", taskTable: [{ type: "OpenCheckSell" }, { type: "CloseCheck" }] },
      } as const;
      await expect(queue(order)).rejects.toMatchObject({ code: "receipt.no-items" });
      expect(await store.list()).toEqual([]);
    });

    check("enqueue takes both formats and domain receipts", async () => {
      const builder = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "10.00" }).payRest("cash");
      const first = await queue(builder.receipt());
      expect(await queue(builder.build())).toBe(first);
    });

    check("enqueue belongs to the site's own transaction when that is given", async () => {
      const shared = await openStore({ address: database.address });
      const receipts = await openReceiptStore({ database: shared, clock });
      const order = (number: string) => (tx: Parameters<Parameters<typeof shared.transaction>[0]>[0]) =>
        receipts.enqueue(sale(number), { within: tx });
      await expect(
        shared.transaction(async (tx) => {
          await order("A-1")(tx);
          throw new Error("the payment failed");
        }),
      ).rejects.toThrow();
      expect(await receipts.list()).toEqual([]);
      const held = receipts.nextReceipt(pollBy("d1", { waitMs: 25_000 }));
      await waitFor("the poll is held", () => clock.pending > 0);
      await shared.transaction(order("A-2"));
      expect(await held).toMatchObject({ orderId: "A-2" });
      await receipts.close();
      await shared.close();
    });

    check("calls beside each other in one transaction see each other: one order keeps one sale", async () => {
      const shared = await openStore({ address: database.address });
      const receipts = await openReceiptStore({ database: shared, clock });
      const made = await shared.transaction((tx) => {
        const prices = ["100.00", "110.00", "120.00"];
        return Promise.all(prices.map((price) => receipts.enqueue(sale("A-1", price), { within: tx })));
      });
      const queued = (await receipts.list()).filter(({ state }) => state === "queued");
      expect(queued.map(({ receiptId }) => receiptId)).toEqual([made[2]?.receiptId]);
      await receipts.close();
      await shared.close();
    });

    check("a key is one key with blanks around it or with characters that nobody sees in it", async () => {
      const first = await queue(sale("A-1"), { key: "r1" });
      for (const key of [" r1", "r1 ", "r\u200b1"]) expect(await queue(sale("A-1"), { key })).toBe(first);
    });

    // The kit's own SQLite store has one level and no plugins.
    if (isPostgres) {
      describe("receipts in a transaction of the site's own Kysely", () => {
        let site: Kysely<Record<never, never>>;
        beforeEach(() => {
          const pool = new pg.Pool({ connectionString: database.address });
          site = new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
        });
        afterEach(() => site.destroy());

        check("enqueue in the site's own Kysely reads its own rows, whatever plugins that Kysely has", async () => {
          const enqueue = () => site.transaction().execute((tx) => queue(sale("A-1"), { within: tx }));
          const first = await enqueue();
          expect(await enqueue()).toBe(first);
          expect(await site.transaction().execute((tx) => store.withdraw(first, { within: tx }))).toBe(true);
        });

        check("enqueue refuses isolation levels that do not see what is committed during the lock", async () => {
          for (const level of ["repeatable read", "serializable"] as const) {
            const begun = site.transaction().setIsolationLevel(level);
            await expect(begun.execute((tx) => queue(sale("A-1"), { within: tx }))).rejects.toMatchObject({
              code: "config.invalid",
              message: expect.stringContaining('.setIsolationLevel("read committed")'),
            });
          }
          expect(await store.list()).toEqual([]);
        });
      });
    }
  });
});
