/** Which receipt is meant when an order is enqueued again: no success without a receipt of its own. */
import { type Kkm, type ReceiptId, toFnSerial, toInn, toKkm, toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { sql } from "kysely";
import type { OrderPoll, PrintResult } from "#handlers/print-server/host-callbacks.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { openStore, type Store } from "#handlers/store/open-store.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import { databaseKinds, type TestDatabase } from "../../../support/site-databases.js";
import { createTestLogger } from "../../../support/test-logger.js";

const kkm = toKkm("0001");
const otherKkm = toKkm("0002");
const own = "6c1f4c1e-7d0a-4d61-9a3e-000000000001";
const other = "6c1f4c1e-7d0a-4d61-9a3e-000000000002";

interface Head {
  readonly receiptId?: string;
  readonly name?: string;
}

function sale(orderId: string, price = "100.00", { name = "Tea", ...head }: Head = {}) {
  return taskTable
    .sale({ orderId, ...head })
    .item({ name, price })
    .payRest("cash")
    .build();
}

function refund(orderId: string, price: string, head: Head = {}) {
  return taskTable
    .return({ orderId, ...head })
    .item({ name: "Tea", price })
    .payRest("cash")
    .build();
}

describe.each(databaseKinds)("an order that is enqueued again, on $name", ({ skipped, create }) => {
  const check = skipped === null ? test : test.skip;
  let database: TestDatabase;
  let shared: Store<Record<never, never>>;
  let clock: FakeClock;
  let store: ReceiptStore;
  let warnings: string[];
  let results = 0;

  beforeEach(async () => {
    if (skipped !== null) return;
    database = await create();
    clock = createFakeClock();
    warnings = [];
    shared = await openStore({ address: database.address });
    store = await openReceiptStore({
      database: shared,
      clock,
      logger: createTestLogger((line) => warnings.push(line)),
    });
  });

  afterEach(async () => {
    if (skipped !== null) return;
    await store.close();
    await shared.close();
    await database.drop();
  });

  async function queue(...order: Parameters<ReceiptStore["enqueue"]>): Promise<ReceiptId> {
    return (await store.enqueue(...order)).receiptId;
  }

  async function handOut(daemonId = "d1", more: Partial<OrderPoll> = {}): Promise<Receipt | null> {
    return store.nextReceipt({ kkm, daemonId, waitMs: 0, signal: new AbortController().signal, ...more });
  }

  function report({ receiptId, orderId }: Pick<Receipt, "receiptId" | "orderId">, more: Partial<PrintResult> = {}) {
    results += 1;
    return store.recordResult({
      messageId: `m${results}`,
      kkm,
      inn: toInn("7700000000"),
      fn: toFnSerial("9999078900000001"),
      outcome: "printed",
      resultCode: 0,
      resultInfo: "",
      orderId,
      receiptId,
      shiftNumber: "5",
      link: null,
      fiscalSign: "123",
      fdNumber: String(results),
      receiptNumber: "1",
      time: null,
      operation: null,
      total: null,
      ...more,
    });
  }

  async function next(outcome: PrintResult["outcome"] = "printed"): Promise<Receipt> {
    const receipt = await handOut();
    if (receipt === null) throw new Error("no receipt was handed out");
    await report(receipt, { outcome });
    return receipt;
  }

  const states = async (orderId = "A-1") =>
    (await store.findByOrder(toOrderId(orderId))).map(({ receiptId, state }) => [receiptId, state]);

  check("a printed sale that is enqueued again is the same receipt, also after its shift was closed", async () => {
    const first = await store.enqueue(sale("A-1"));
    expect(first).toEqual({ receiptId: expect.any(String), isNew: true, state: "queued" });
    expect(await store.enqueue(sale("A-1"))).toEqual({ ...first, isNew: false });
    await next();
    clock.setWallClock(clock.now() + 40 * 86_400_000);
    expect(await store.enqueue(sale("A-1"))).toEqual({ ...first, isNew: false, state: "printed" });
  });

  check("a sale whose receipt was returned whole is refused with both ids, and prints with a key", async () => {
    const first = await queue(sale("A-1"));
    await next();
    const back = await queue(refund("A-1", "100.00"));
    await next();
    await expect(store.enqueue(sale("A-1"))).rejects.toMatchObject({
      code: "job.already-printed",
      message: expect.stringMatching(`${first}.*${back}`),
      details: { receiptId: first, state: "printed" },
    });
    const again = await store.enqueue(sale("A-1"), { key: "payment-2" });
    expect(again).toMatchObject({ isNew: true, state: "queued" });
    expect(again.receiptId).not.toBe(first);
  });

  check("enqueueMany lists orders that were returned whole or have mistakes, and enqueues the rest", async () => {
    await queue(sale("A-1"));
    await next();
    await queue(refund("A-1", "100.00"));
    await next();
    const known = await queue(sale("A-2"));
    const wrong = { response: { orderId: "A-3", taskTable: [] } };
    const many = await store.enqueueMany([sale("A-1"), wrong, sale("A-2"), sale("A-4")]);
    expect(many).toMatchObject({
      added: [{ isNew: true, state: "queued" }],
      known: [{ receiptId: known, isNew: false, state: "queued" }],
      refused: [{ order: sale("A-1"), fault: { code: "job.already-printed" } }, { order: wrong }],
    });
    const within = { within: shared.db } as never;
    await expect(store.enqueueMany([sale("A-5")], within)).rejects.toMatchObject({ code: "config.invalid" });
  });

  check("a second equal partial refund needs an id or a key of its own, and may go up to what was sold", async () => {
    await queue(sale("A-1"));
    await next();
    const first = await queue(refund("A-1", "40.00"));
    expect(await store.enqueue(refund("A-1", "40.00"))).toMatchObject({ receiptId: first, isNew: false });
    await next();
    await expect(store.enqueue(refund("A-1", "40.00"))).rejects.toMatchObject({
      code: "job.already-printed",
      message: expect.stringContaining("equal return"),
    });
    expect(await store.enqueue(refund("A-1", "40.00", { receiptId: own }))).toMatchObject({ isNew: true });
    expect(await next()).toMatchObject({ receiptId: own });
    const third = store.enqueue(refund("A-1", "40.00"), { key: "refund-3" });
    await expect(third).rejects.toMatchObject({
      code: "job.return-exceeds-sale",
      message: expect.stringMatching(/120\.00.*100\.00/),
    });
  });

  check("a return beyond what was sold is refused with printAnyway, and taken once with beyondSold", async () => {
    await queue(sale("A-1"));
    await next();
    const back = refund("A-1", "6000.00", { receiptId: own });
    await expect(store.enqueue(back, { printAnyway: true })).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
    expect(await store.enqueue(back, { beyondSold: true })).toMatchObject({ receiptId: own, isNew: true });
    expect(await store.enqueue(back, { beyondSold: true })).toMatchObject({ receiptId: own, isNew: false });
    await next();
    expect(await store.enqueue(back, { beyondSold: true })).toMatchObject({ receiptId: own, state: "printed" });
    expect(await states()).toHaveLength(2);
  });

  check("a return of an order whose sale has failed is refused, because nothing was sold", async () => {
    await queue(sale("A-1"));
    await next("failed");
    await expect(store.enqueue(refund("A-1", "100.00"))).rejects.toMatchObject({ code: "job.return-exceeds-sale" });
  });

  check("a further sale of an order prints once where it is asked for by name with a key", async () => {
    const first = await queue(sale("A-1"));
    await next();
    const enqueue = () => store.enqueue(sale("A-1"), { printAnyway: true, key: "second" });
    const second = await enqueue();
    expect(second).toMatchObject({ isNew: true });
    expect(second.receiptId).not.toBe(first);
    expect(await enqueue()).toEqual({ ...second, isNew: false });
    expect(await handOut()).toMatchObject({ receiptId: second.receiptId });
  });

  check.each(["printAnyway", "beyondSold"])("%s without an id or a key is refused", async (lift) => {
    await expect(store.enqueue(sale("A-1"), { [lift]: true })).rejects.toMatchObject({
      code: "order.missing-value",
      place: "receiptId",
    });
    expect(await states()).toEqual([]);
  });

  check("a key beside the receipt's own id is refused by enqueue", async () => {
    const enqueued = store.enqueue(sale("A-1", "1.00", { receiptId: own }), { key: "1" });
    await expect(enqueued).rejects.toMatchObject({ code: "order.wrong-value", place: "receiptId" });
  });

  describe.each(["queued", "printed", "withdrawn"])("the id of a receipt that is %s", (state) => {
    check.each([
      ["another order's", sale("A-2", "100.00", { receiptId: own }), "A-2"],
      ["a return's", refund("A-1", "100.00", { receiptId: own }), "return of 100.00"],
      ["a sale's of another total", sale("A-1", "90.00", { receiptId: own }), "90.00"],
    ])("a receipt's id that is offered again as %s is refused, with both named", async (_what, offered, named) => {
      const receiptId = await queue(sale("A-1", "100.00", { receiptId: own }));
      if (state === "printed") await next();
      if (state === "withdrawn") await store.withdraw(receiptId);
      const before = await store.findByReceiptId(receiptId);
      await expect(store.enqueue(offered)).rejects.toMatchObject({
        code: "receipt.id-reused",
        message: expect.stringMatching(new RegExp(`sale of 100.00 of order A-1.*${named}`)),
        details: { receiptId: own, orderId: "A-1" },
      });
      expect(await store.findByReceiptId(receiptId)).toEqual(before);
      expect(await store.list()).toHaveLength(1);
    });
  });

  check("an id with other names of goods, of the same total, is the same receipt", async () => {
    await queue(sale("A-1", "100.00", { receiptId: own }));
    await next();
    const renamed = sale("A-1", "100.00", { receiptId: own, name: "Green tea" });
    expect(await store.enqueue(renamed)).toEqual({ receiptId: own, isNew: false, state: "printed" });
  });

  check("an order with an id of its own is never answered with the receipt that took its place", async () => {
    await queue(sale("A-1", "100.00", { receiptId: own }));
    await next("failed");
    await queue(sale("A-1", "90.00", { receiptId: other }));
    const again = () => store.enqueue(sale("A-1", "100.00", { receiptId: own }));
    await expect(again()).rejects.toMatchObject({ code: "job.being-printed", details: { receiptId: other } });
    await next();
    await expect(again()).rejects.toMatchObject({ code: "job.already-printed", details: { receiptId: other } });
  });

  check.each([
    ["without an id", {}],
    ["with its own id", { receiptId: own }],
  ])("a failed sale %s is put back as one receipt, for the till that had it", async (_how, head) => {
    const order = sale("A-1", "100.00", head);
    const first = await queue(order);
    await next("failed");
    expect(await store.enqueue(order)).toEqual({ receiptId: first, isNew: true, state: "queued" });
    expect(await states()).toEqual([[first, "queued"]]);
    expect(await store.findByReceiptId(first)).toMatchObject({ result: null, finishedAt: null });
    // The till tells once more of the time before.
    const late = { receiptId: first, orderId: null };
    const repeated = { outcome: "failed", messageId: `m${results}` } as const;
    expect(await report(late, repeated)).toMatchObject({ standing: "outdated" });
    expect([await handOut("d2"), await handOut("d1")]).toMatchObject([null, { receiptId: first }]);
    // The tries are used up: the till tells the same message.
    expect(await report(late, repeated)).toMatchObject({ standing: "applied" });
  });

  check("a sale that is put back after another one failed is withheld when that one is printed after all", async () => {
    const first = await queue(sale("A-1"));
    await next("failed");
    await queue(sale("A-1", "90.00"));
    const second = await next("failed");
    expect(await store.enqueue(sale("A-1"))).toMatchObject({ receiptId: first, isNew: true });
    await report(second);
    expect(await store.findByReceiptId(first)).toMatchObject({ state: "replaced" });
    expect(await handOut()).toBeNull();
  });

  check(
    "a receipt whose row is lost gets its id again, and the same order gets another id in another database",
    async () => {
      const first = await queue(sale("A-1"));
      await sql`delete from print_receipts`.execute(shared.db);
      expect(await store.enqueue(sale("A-1"))).toMatchObject({ receiptId: first, isNew: true });
      const elsewhere = await openReceiptStore({ database: ":memory:", clock });
      expect((await elsewhere.enqueue(sale("A-1"))).receiptId).not.toBe(first);
      await elsewhere.close();
    },
  );

  check("a receipt of an older version of the kit is found by its content", async () => {
    const made = await queue(sale("A-1"));
    const older = "0193a1b2-0000-7000-8000-000000000001";
    await sql`update print_receipts set receipt_id = ${older}, content_key = 'v1:of-old',
      receipt = replace(receipt, ${made}, ${older})`.execute(shared.db);
    expect(await store.enqueue(sale("A-1"))).toMatchObject({ receiptId: older, isNew: false });
    expect(await store.enqueue(sale("A-1", "100.00", { receiptId: older }))).toMatchObject({ isNew: false });
    await next("failed");
    expect(await store.enqueue(sale("A-1"))).toMatchObject({ receiptId: older, isNew: true });
    expect(await states()).toEqual([[older, "queued"]]);
  });

  check("a return whose sale is not known, and a known receiptId with other lines, are warned of", async () => {
    await queue(refund("A-9", "40.00"));
    expect(warnings.join()).toContain("the sale of this return is not known here");
    const receiptId = toReceiptId("7b0c3a52-0000-4000-8000-000000000009");
    await queue(sale("A-1", "100.00", { receiptId }));
    const renamed = sale("A-1", "100.00", { receiptId, name: "Coffee" });
    expect(await store.enqueue(renamed)).toMatchObject({ receiptId, isNew: false });
    expect(warnings.join()).toContain("the known receiptId came with other lines");
  });

  check("an order number with unseen characters is the same number, told as it came, with a warning", async () => {
    const shown = "A\u200b-1\u00ad";
    const first = await queue(sale("A-1"));
    expect(warnings).toEqual([]);
    expect(await store.enqueue(sale(shown))).toMatchObject({ receiptId: first, isNew: false });
    expect(warnings).toEqual([]);
    for (const _ of [1, 2]) await queue(refund(shown, "40.00"));
    expect(warnings).toEqual([expect.stringContaining("nobody sees")]);
    expect((await store.findByOrder(toOrderId(shown))).map(({ orderId }) => orderId)).toEqual(["A-1", shown]);
    await next();
    const back = await handOut();
    await report({ receiptId: null, orderId: toOrderId("A-1") }, { operation: "return" });
    expect(await store.findByReceiptId(back?.receiptId ?? toReceiptId(""))).toMatchObject({ state: "printed" });
  });

  check.each(["handed", "unknown", "printed"] as const)(
    "a sale with other content is refused while the first is %s",
    async (state) => {
      await queue(sale("A-1"));
      const receipt = await handOut();
      if (state !== "handed" && receipt !== null) await report(receipt, { outcome: state });
      const code = state === "printed" ? "job.already-printed" : "job.being-printed";
      await expect(store.enqueue(sale("A-1", "90.00"))).rejects.toMatchObject({ code });
    },
  );

  check("new content takes the place of a sale that still waits, and the first content may take it back", async () => {
    const first = await queue(sale("A-1"));
    const second = await queue(sale("A-1", "90.00"));
    expect(await states()).toEqual([
      [first, "replaced"],
      [second, "queued"],
    ]);
    expect(await store.enqueue(sale("A-1"))).toEqual({ receiptId: first, isNew: true, state: "queued" });
    expect(await handOut()).toMatchObject({ receiptId: first });
    expect(await handOut("d2")).toBeNull();
  });

  check("a settlement that the printed prepayment covers is printed once", async () => {
    const item = { name: "Sofa", price: "1000.00" };
    const head = { orderId: "A-1" };
    const prepaid = taskTable.sale(head).item({ ...item, method: 1 });
    const settled = (name: string) =>
      taskTable
        .sale(head)
        .item({ ...item, name })
        .payRest("prepayment")
        .build();
    await queue(prepaid.payRest("electronic").build());
    await expect(store.enqueue(settled("Sofa"))).rejects.toMatchObject({ code: "job.being-printed" });
    await next();
    await queue(settled("Sofa"));
    await next();
    await expect(store.enqueue(settled("Chair"))).rejects.toMatchObject({ code: "job.already-printed" });
  });

  check("an order that was sold before the store was there can be returned", async () => {
    await queue(refund("OLD-1", "40.00"));
    expect(await handOut()).toMatchObject({ orderId: "OLD-1", operation: "return" });
  });

  check("a service job is taken as a new one once the earlier is printed, and put back when that failed", async () => {
    const cashIn = taskTable.service({ orderId: "CASH" }).cashIn("500.00").build();
    const first = await queue(cashIn);
    expect(await queue(cashIn)).toBe(first);
    await next("failed");
    expect(await store.enqueue(cashIn)).toEqual({ receiptId: first, isNew: true, state: "queued" });
    await next();
    const second = await queue(cashIn);
    await next();
    expect(new Set([first, second, await queue(cashIn)]).size).toBe(3);
  });

  check("service jobs of one key for two registers are two jobs, and each is done once", async () => {
    const cashInto = (into: Kkm) => taskTable.service({ orderId: "CASH", kkm: into }).cashIn("500.00").build();
    const key = { key: "float of the morning" };
    const [first, second] = [await store.enqueue(cashInto(kkm), key), await store.enqueue(cashInto(otherKkm), key)];
    expect(second).toMatchObject({ isNew: true });
    expect(await store.enqueue(cashInto(kkm), key)).toEqual({ ...first, isNew: false });
    expect(await store.enqueue(cashInto(otherKkm), key)).toEqual({ ...second, isNew: false });
  });

  check("a service job under the id of another register's job is that job, which stays", async () => {
    const cashInto = (into: Kkm) =>
      taskTable.service({ orderId: "CASH", kkm: into, receiptId: own }).cashIn("500.00").build();
    const first = await store.enqueue(cashInto(kkm));
    expect(await store.enqueue(cashInto(otherKkm))).toEqual({ ...first, isNew: false });
  });

  check("a service job with an id of its own is done once", async () => {
    const cashIn = taskTable.service({ orderId: "CASH", receiptId: own }).cashIn("500.00").build();
    await queue(cashIn);
    await next();
    expect(await store.enqueue(cashIn)).toEqual({ receiptId: own, isNew: false, state: "printed" });
  });

  check("equal service jobs for two registers are two jobs, and each is handed to its own register", async () => {
    const cashInto = (into: Kkm) => taskTable.service({ orderId: "CASH", kkm: into }).cashIn("500.00").build();
    for (const [daemon, till] of [
      ["d1", toKkm("0001")],
      ["d2", toKkm("0002")],
    ] as const) {
      await queue(cashInto(till));
      expect(await handOut(daemon, { kkm: till })).toMatchObject({ kkm: till });
    }
  });

  check("the answer of enqueue in place of a receipt's id is refused, with the way to write the id", async () => {
    const answer = await store.enqueue(sale("A-1"));
    for (const call of [store.findByReceiptId, store.release, store.withdraw]) {
      const called: Promise<unknown> = Reflect.apply(call, store, [answer]);
      await expect(called).rejects.toMatchObject({
        code: "config.invalid",
        message: expect.stringContaining("`.receiptId`"),
      });
    }
    expect(await states()).toEqual([[answer.receiptId, "queued"]]);
  });

  check("a database in place of a transaction is refused, and nothing is enqueued or withdrawn", async () => {
    const first = await queue(sale("A-0"));
    const within = { within: shared.db };
    const calls = Array.from({ length: 8 }, (_, index) =>
      Reflect.apply(store.enqueue, store, [sale("A-1", `${index + 1}.00`), within]),
    );
    for (const call of [...calls, Reflect.apply(store.withdraw, store, [first, within])]) {
      await expect(call).rejects.toMatchObject({
        code: "config.invalid",
        message: expect.stringContaining("open transaction"),
      });
    }
    expect(await store.list()).toMatchObject([{ receiptId: first, state: "queued" }]);
  });
});
