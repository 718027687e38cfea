/** Tests of what each receipt store has to do on any database, for any test runner. */
import { deepEqual, equal, ok } from "node:assert/strict";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { taskTable } from "../receipts/task-table-builder.js";
import type { OrderPoll, PrintResult } from "./host-callbacks.js";
import type { PlainReceipt } from "./order-body.js";
import type { TestedReceiptStore } from "./own-receipt-store.js";

export interface ReceiptStoreSuite {
  /** `test` of your test runner: `node:test`, jest, vitest ... */
  readonly test: (title: string, run: () => Promise<void>) => unknown;
  readonly newDatabase: () => Promise<ReceiptDatabase>;
}

export interface ReceiptDatabase {
  /** A second store is another node, or the first one after a restart. The suite closes each store. */
  open(): Promise<TestedReceiptStore>;
  drop(): Promise<void>;
}

type Outcome = PrintResult["outcome"];

const kkm = "0000000000000001";
const otherKkm = "0000000000000002";

/** Registers the tests of the suite. */
export function testReceiptStore({ test, newDatabase }: ReceiptStoreSuite): void {
  for (const [title, run] of Object.entries(cases)) {
    test(title, async () => {
      const database = await newDatabase();
      const opened: TestedReceiptStore[] = [];
      try {
        const open = async () => {
          const store = await database.open();
          opened.push(store);
          return store;
        };
        await run(await open(), open);
      } finally {
        for (const store of opened) await store.close();
        await database.drop();
      }
    });
  }
}

type Open = () => Promise<TestedReceiptStore>;

const outcomes: readonly (readonly [Outcome, Outcome, Outcome])[] = [
  ["unknown", "printed", "printed"],
  ["failed", "printed", "printed"],
  ["printed", "unknown", "printed"],
  ["printed", "failed", "printed"],
  ["unknown", "failed", "failed"],
  ["failed", "unknown", "unknown"],
];

const cases: Readonly<Record<string, (store: TestedReceiptStore, open: Open) => Promise<void>>> = {
  async "gives a receipt with its id to whoever asks first"(store) {
    const { receiptId } = await store.enqueue(sale("A-1"));
    const receipt = await take(store, "d1");
    deepEqual([receipt.orderId, receipt.receiptId], ["A-1", receiptId]);
    equal(await stateOf(store, receiptId), "handed");
  },
  async "offers a receipt again only to the daemon that has it, until its result comes"(store) {
    await store.enqueue(sale("A-1"));
    const receipt = await take(store, "d1");
    deepEqual([await poll(store, "d2"), await poll(store, null)], [null, null]);
    deepEqual(await poll(store, "d1", { kkm: otherKkm }), receipt);
    deepEqual(await poll(store, "d1"), receipt);
    await store.recordResult(resultOf(receipt));
    equal(await poll(store, "d1"), null);
  },
  async "offers a receipt that went to a caller without a name again only for that kkm"(store) {
    await store.enqueue(sale("A-1"));
    const receipt = await take(store, null);
    deepEqual([await poll(store, null, { kkm: otherKkm }), await poll(store, "d1")], [null, null]);
    deepEqual(await poll(store, null), receipt);
  },
  async "gives a receipt for a named register to that one only"(store) {
    await store.enqueue(sale("A-1", { kkm: otherKkm }));
    equal(await poll(store, "d1"), null);
    equal((await poll(store, "d1", { kkm: otherKkm }))?.orderId, "A-1");
  },
  async "gives a new receipt before it repeats an offer"(store) {
    for (const order of ["A-1", "A-2"]) await store.enqueue(sale(order));
    deepEqual([(await take(store, "d1")).orderId, (await take(store, "d1")).orderId], ["A-1", "A-2"]);
    ok((await take(store, "d1")).receiptId);
  },
  async "never gives one receipt to two daemons that ask at the same moment"(store, open) {
    const nodes = [store, await open()];
    for (let order = 0; order < 20; order += 1) await store.enqueue(sale(`A-${order}`));
    const polls = Array.from({ length: 40 }, (_, turn) => nodes[turn % 2]?.nextReceipt(pollBy(`d${turn}`)));
    const ids = (await Promise.all(polls)).flatMap((receipt) => receipt?.receiptId ?? []);
    deepEqual([ids.length, new Set(ids).size], [20, 20]);
  },
  async "hands nothing out to a caller that has gone"(store) {
    const { receiptId } = await store.enqueue(sale("A-1"));
    equal(await poll(store, "d1", { signal: AbortSignal.abort() }), null);
    equal(await stateOf(store, receiptId), "queued");
  },
  async "remembers everything over a restart"(before, open) {
    const [first, second] = [await before.enqueue(sale("A-1")), await before.enqueue(sale("A-2"))];
    await take(before, "d1");
    const store = await open();
    equal(await stateOf(store, first.receiptId), "handed");
    equal((await poll(store, "d2"))?.receiptId, second.receiptId);
    equal((await poll(store, "d1"))?.receiptId, first.receiptId);
  },
  ...Object.fromEntries(
    outcomes.map(([first, second, left]) => [
      `after ${first} and then ${second} a receipt is ${left}`,
      async (store: TestedReceiptStore) => {
        const { receiptId } = await store.enqueue(sale("A-1"));
        const receipt = await take(store, "d1");
        await store.recordResult(resultOf(receipt, { outcome: first, messageId: "m1" }));
        await store.recordResult(resultOf(receipt, { outcome: second, messageId: "m2" }));
        equal(await stateOf(store, receiptId), left);
      },
    ]),
  ),
  async "knows a repeated result, and a late repeat of an older one"(store) {
    const { receiptId } = await store.enqueue(sale("A-1"));
    const receipt = await take(store, "d1");
    const unknown = resultOf(receipt, { outcome: "unknown", messageId: "m1" });
    const failed = resultOf(receipt, { outcome: "failed", messageId: "m2" });
    equal((await store.recordResult(unknown)).standing, "applied");
    equal((await store.recordResult(unknown)).standing, "repeated");
    equal((await store.recordResult(failed)).standing, "applied");
    equal((await store.recordResult(unknown)).standing, "outdated");
    equal(await stateOf(store, receiptId), "failed");
  },
  async "goes on with the next receipt after a failure"(store) {
    for (const order of ["A-1", "A-2"]) await store.enqueue(sale(order));
    await store.recordResult(resultOf(await take(store, "d1"), { outcome: "failed", resultCode: 1 }));
    const next = await take(store, "d1");
    equal(next.orderId, "A-2");
    await store.recordResult(resultOf(next));
    equal(await poll(store, "d1"), null);
  },
  async "finds the receipt of a result by its order's number where the print server sends no receipt id"(store) {
    const { receiptId } = await store.enqueue(sale("A-1"));
    const { standing, receipt } = await store.recordResult(resultOf(await take(store, "d1"), { receiptId: null }));
    deepEqual([standing, receipt?.receiptId], ["applied", receiptId]);
    equal(await stateOf(store, receiptId), "printed");
  },
  async "leaves the other receipts of an order as they are when a result names one of them"(store) {
    await store.enqueue(sale("A-1"));
    const sold = await take(store, "d1");
    await store.recordResult(resultOf(sold, { messageId: "m1" }));
    const { receiptId: refundId } = await store.enqueue(refund("A-1"));
    equal((await take(store, "d1")).receiptId, refundId);
    for (const messageId of ["m1", "m2"]) await store.recordResult(resultOf(sold, { messageId }));
    equal(await stateOf(store, refundId), "handed");
  },
  async "says that it has no receipt for a result"(store) {
    const found = await store.recordResult(resultOf({ receiptId: "nobody", orderId: null }));
    deepEqual([found.standing, found.receipt], ["unmatched", null]);
  },
  async "takes an equal sale of an order for the same one until it has failed"(store) {
    const enqueue = async () => (await store.enqueue(sale("A-1"))).receiptId;
    const first = await enqueue();
    equal(await enqueue(), first);
    const receipt = await take(store, "d1");
    equal(await enqueue(), first);
    await store.recordResult(resultOf(receipt, { outcome: "unknown", messageId: "m1" }));
    equal(await enqueue(), first);
    await store.recordResult(resultOf(receipt, { outcome: "failed", messageId: "m2" }));
    const again = await enqueue();
    equal((await poll(store, "d1"))?.receiptId, again);
  },
  async "adds one receipt when two nodes enqueue it at the same moment"(store, open) {
    const nodes = [store, await open()];
    const enqueues = Array.from({ length: 10 }, (_, turn) => nodes[turn % 2]?.enqueue(sale("A-1")));
    const answers = await Promise.all(enqueues);
    equal(new Set(answers.map((answer) => answer?.receiptId)).size, 1);
  },
};

function sale(orderId: string, head: { readonly kkm?: string } = {}): Receipt {
  return taskTable
    .sale({ orderId, ...head })
    .item({ name: "Tea", price: "100.00" })
    .payRest("cash")
    .receipt();
}

function refund(orderId: string): Receipt {
  return taskTable.return({ orderId }).item({ name: "Tea", price: "100.00" }).payRest("cash").receipt();
}

function pollBy(daemonId: string | null, more: Partial<OrderPoll> = {}): OrderPoll {
  return { kkm, daemonId, waitMs: 0, signal: new AbortController().signal, ...more };
}

function poll(store: TestedReceiptStore, daemonId: string | null, more: Partial<OrderPoll> = {}) {
  return store.nextReceipt(pollBy(daemonId, more));
}

async function take(store: TestedReceiptStore, daemonId: string | null): Promise<PlainReceipt> {
  const receipt = await poll(store, daemonId);
  ok(receipt !== null, "no receipt was handed out");
  return receipt;
}

async function stateOf(store: TestedReceiptStore, receiptId: string): Promise<string | null> {
  return (await store.findByReceiptId(receiptId))?.state ?? null;
}

function resultOf(receipt: Pick<PlainReceipt, "receiptId" | "orderId">, more: Partial<PrintResult> = {}): PrintResult {
  return {
    messageId: null,
    kkm,
    inn: "7700000000",
    fn: "9999078900000001",
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
    totalKopecks: null,
    stage: null,
    ...more,
  };
}
