/** The receipt store: signed polls, polls that wait, results, several nodes. receipt-stories tests single orders. */
import { toKkm, toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { sql } from "kysely";
import type { OrderPoll } from "#handlers/print-server/host-callbacks.js";
import { admitDaemon, copiedDaemons } from "#handlers/print-server/print-callers.js";
import type { ReceiptTables } from "#handlers/print-server/receipt-tables.js";
import { openReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { testReceiptStore } from "#handlers/print-server/test-receipt-store.js";
import { databaseKinds } from "../../../support/site-databases.js";
import { waitFor } from "../../../support/wait-for.js";
import { pollBy, refund, resultOf, sale, useReceiptShop } from "../receipt-world.js";

describe.each(databaseKinds)("the receipt store on $name", (kind) => {
  const isPostgres = kind.name === "PostgreSQL";
  const { check, shop } = useReceiptShop(kind);

  async function hold(waitMs = 25_000, more: Partial<OrderPoll> = {}) {
    const { clock, handOut } = shop();
    const answer = handOut("d1", { waitMs, ...more });
    await waitFor("the poll is held", () => clock.pending > 0);
    return { answer };
  }

  describe("the rules of any receipt store", () => {
    testReceiptStore({
      test: check,
      async newDatabase() {
        const { address, drop } = await kind.create();
        return { open: () => openReceiptStore({ database: address, logger: silentLogger }), drop };
      },
    });
  });

  describe("signed polls", () => {
    const signedBy = (run: string | null, messageId: string) => ({
      signed: { messageId, sentAt: shop().clock.now(), run },
    });

    check("a signed poll takes one receipt, however often it is replayed", async () => {
      const { queue, handOut, stateOf } = shop();
      await queue(sale("A-1"));
      const second = await queue(sale("A-2"));
      const poll = signedBy("r1", "m1");
      expect(await handOut("d1", poll)).toMatchObject({ orderId: "A-1" });
      await expect(handOut("d1", poll)).rejects.toMatchObject({ code: "call.repeated" });
      expect(await stateOf(second)).toBe("queued");
      expect(await handOut("d1", signedBy("r1", "m2"))).toMatchObject({ orderId: "A-2" });
    });

    check("a signed poll that is replayed at two nodes together takes one receipt", async () => {
      const { store, openNode, queue } = shop();
      const nodes = [store, await openNode()];
      for (const order of ["A-1", "A-2"]) await queue(sale(order));
      const poll = pollBy("d1", signedBy("r1", "m1"));
      const answers = await Promise.allSettled(nodes.map((node) => node.nextReceipt(poll)));
      expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await store.list()).toMatchObject([{ state: "queued" }, { state: "handed" }]);
    });

    check("a signed poll that finds nothing is not recorded, and may be repeated", async () => {
      const { queue, handOut } = shop();
      const poll = signedBy("r1", "m1");
      expect(await handOut("d1", poll)).toBeNull();
      await queue(sale());
      expect(await handOut("d1", poll)).toMatchObject({ orderId: "A-1" });
    });

    check("signed polls of a till and of its copy get no receipt until the till is admitted again", async () => {
      const { clock, shared, logged, queue, handOut } = shop();
      const poll = (run: string) => handOut("d1", signedBy(run, `m${clock.monotonic()} ${run}`));
      expect(await poll("r1")).toBeNull();
      await clock.advance(1000);
      expect(await poll("r2")).toBeNull();
      await queue(sale());
      await clock.advance(1000);
      const refused = { code: "call.copied-daemon", message: expect.stringContaining("d1") };
      for (const run of ["r1", "r2", "r3"]) await expect(poll(run)).rejects.toMatchObject(refused);
      expect(logged.filter((line) => line.includes("two machines"))).toHaveLength(1);
      expect([await copiedDaemons(shared), await admitDaemon(shared, "d1")]).toEqual([["d1"], true]);
      expect(await poll("r2")).toMatchObject({ orderId: "A-1" });
    });

    check("a replayed poll of the time before a daemon's restart is refused, and shows no copied till", async () => {
      const { clock, queue, handOut } = shop();
      const replayed = signedBy("r1", "m1");
      expect(await handOut("d1", replayed)).toBeNull();
      await clock.advance(1000);
      expect(await handOut("d1", signedBy("r2", "m2"))).toBeNull();
      await queue(sale());
      await expect(handOut("d1", replayed)).rejects.toMatchObject({ code: "call.repeated" });
      expect(await handOut("d1", signedBy("r2", "m3"))).toMatchObject({ orderId: "A-1" });
    });
  });

  describe("receipts that nobody asks for", () => {
    /** A real database may be slower than the test's clock. */
    const advance = async (minutes: number, meanwhile: () => Promise<unknown> = () => shop().store.list()) => {
      for (let half = 0; half < minutes * 2; half += 1) {
        await shop().clock.advance(30_000);
        await meanwhile();
      }
    };
    const said = (what: string) => shop().logged.filter((line) => line.includes(what));
    /** The clock goes on meanwhile, because a slow database lets the store set its timer late. */
    const isSaid = (what: string) =>
      waitFor("it is warned of", async () => {
        await shop().clock.advance(30_000);
        return said(what).length > 0;
      });

    check("a receipt for a register that nobody asks for gives a warning with the registers asked for", async () => {
      await shop().handOut("d1");
      await shop().queue(sale("A-1", "100.00", { kkm: "0002" }));
      await advance(0.5);
      expect(said("no print server asks")).toEqual([]);
      await advance(5);
      await isSaid("no print server asks");
      expect(said("no print server asks")).toEqual([expect.stringMatching(/"kkm":"0002".*"0001 at 2026-11-20T12:00/)]);
    });

    check("a receipt of a daemon that no longer asks gives a warning after ten minutes, not earlier", async () => {
      await shop().queue(sale());
      await shop().handOutOne("d1");
      await advance(15, () => shop().handOut("d1", { waitMs: 1, signal: AbortSignal.abort() }));
      expect(said("asks no more")).toEqual([]);
      await advance(12);
      await isSaid("asks no more");
      expect(said("asks no more")).toEqual([expect.stringContaining("daemon:d1")]);
    });
  });

  describe("several nodes and shops", () => {
    // SQLite runs one transaction after the other, so none of them waits for another.
    if (isPostgres) {
      check("a receipt is given to a daemon that can print it while another daemon examines it in vain", async () => {
        const { store, queue, handOut } = shop();
        const receiptId = await queue(sale());
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

      check("a result waits for the host's transaction on the order's other receipt, without a deadlock", async () => {
        const { shared, store, queue, handOutOne, report } = shop();
        await queue(sale());
        const first = await handOutOne();
        await report(first, { outcome: "failed" });
        const second = await queue(sale("A-1", "90.00"));
        let result: Promise<unknown> = Promise.resolve();
        await shared.transaction(async (tx) => {
          // PostgreSQL ends the transaction that finds a deadlock first: here the host's.
          await sql`set local deadlock_timeout = '10ms'`.execute(tx);
          await store.withdraw(second, { within: tx });
          result = report(first);
          await waitFor("the result waits", async () => {
            const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`;
            return (await waiting.execute(shared.db)).rows.length > 0;
          });
          await store.enqueue(sale("A-1", "80.00"), { within: tx });
        });
        await result;
        expect((await store.list()).map(({ state }) => state)).toEqual(["replaced", "replaced", "printed"]);
      });
    }

    check("the store keeps the receipts of two resources apart", async () => {
      const { store, openNode, handOut } = shop();
      const other = await openNode("12");
      const { receiptId } = await other.enqueue(sale());
      expect([await handOut("d1"), await store.findByReceiptId(receiptId)]).toEqual([null, null]);
      expect(await store.withdraw(receiptId)).toBe(false);
      const result = resultOf({ receiptId, orderId: null });
      expect(await store.recordResult(result)).toMatchObject({ standing: "unmatched" });
      expect(await other.nextReceipt(pollBy("d1"))).toMatchObject({ receiptId });
    });

    check("each change of a receipt is announced on every node", async () => {
      const { store, openNode, queue, report } = shop();
      const seen = new Set<string | null>();
      const end = (isPostgres ? await openNode() : store).onChange((receiptId) => seen.add(receiptId));
      const receiptId = await queue(sale());
      // A node that has just begun to listen gets null, because it may have missed something.
      await waitFor("the new receipt is told", () => seen.has(receiptId) || seen.has(null));
      seen.clear();
      await report({ receiptId, orderId: null });
      await waitFor("the result is told", () => seen.has(receiptId) || seen.has(null));
      end();
    });
  });

  describe("polls that wait", () => {
    check("a waiting poll gets its answer when a receipt is enqueued", async () => {
      const { answer } = await hold();
      await shop().queue(sale());
      expect(await answer).toMatchObject({ orderId: "A-1" });
      expect(shop().clock.pending).toBe(0);
    });

    check("a poll that one node holds is woken by a receipt that another node enqueues", async () => {
      const other = await shop().openNode();
      const { answer } = await hold();
      await other.enqueue(sale());
      expect(await answer).toMatchObject({ orderId: "A-1" });
    });

    check("a waiting poll ends at once when its caller has gone, and takes no receipt", async () => {
      const caller = new AbortController();
      const { answer } = await hold(25_000, { signal: caller.signal });
      caller.abort();
      expect(await answer).toBeNull();
      expect(await shop().stateOf(await shop().queue(sale()))).toBe("queued");
    });

    check("a waiting poll is not woken by a receipt of another register, and ends at its time limit", async () => {
      const { clock, queue } = shop();
      const { answer } = await hold();
      await queue(sale("A-1", "100.00", { kkm: "0002" }));
      await clock.advance(24_000);
      await waitFor("the poll is held again", () => clock.pending > 0);
      await clock.advance(1000);
      expect(await answer).toBeNull();
    });

    check("a receipt is offered again to a waiting daemon only when it is due, at growing intervals", async () => {
      const { clock, queue, handOut, handOutOne } = shop();
      await queue(sale());
      await handOutOne("d1");
      const { answer } = await hold(5000);
      await clock.advance(5000);
      expect(await answer).toBeNull();
      await clock.advance(5000);
      expect(await handOut("d1", { waitMs: 5000 })).toMatchObject({ orderId: "A-1" });
    });

    check("a released receipt wakes a waiting daemon at once, as a new receipt does", async () => {
      const { clock, store, queue, handOut, handOutOne } = shop();
      const receiptId = await queue(sale());
      for (let offer = 1; offer <= 4; offer += 1) await handOutOne("d1");
      await store.release(receiptId);
      await handOutOne("d2");
      await clock.advance(10_000);
      expect(await handOut("d2", { waitMs: 5000, signal: AbortSignal.timeout(2000) })).toMatchObject({ receiptId });
    });

    check("a receipt whose answer could not be sent is offered at once to the same daemon's next poll", async () => {
      const { store, queue, handOut, handOutOne } = shop();
      await queue(sale());
      const receipt = await handOutOne("d1");
      const { answer } = await hold(5000);
      await store.onAnswerLost(receipt, pollBy("d1"));
      expect(await answer).toEqual(receipt);
      await store.onAnswerLost(receipt, pollBy("d1"));
      expect(await handOut("d1", { waitMs: 5000 })).toEqual(receipt);
    });

    check("a receipt that waits for an unsure earlier one is handed out when the earlier one has failed", async () => {
      const { queue, handOutOne, report } = shop();
      await queue(sale());
      const first = await handOutOne();
      await report(first, { outcome: "failed" });
      const second = await queue(sale("A-1", "90.00"));
      await report(first, { outcome: "unknown" });
      const { answer } = await hold();
      await report(first, { outcome: "failed" });
      expect(await answer).toMatchObject({ receiptId: second });
    });
  });

  describe("the results of receipts", () => {
    check("a result that an older version has stored names its sum in kopecks, and keeps its text", async () => {
      const { shared, database, store, queue, handOutOne, report } = shop();
      const id = await queue(sale());
      await report(await handOutOne(), { totalKopecks: 10_000, resultInfo: 'the "total": 5' });
      const tables = shared.withTables<ReceiptTables & { schema_versions: { part: string; version: number } }>();
      await tables.transaction(async (tx) => {
        const older = sql<string>`replace(result, '"totalKopecks":', '"total":')`;
        await tx.updateTable("print_receipts").set({ result: older }).execute();
        for (const column of ["warnings", "shop_key"]) {
          await tx.schema.alterTable("print_receipts").dropColumn(column).execute();
        }
        await tx.updateTable("schema_versions").set({ version: 3 }).where("part", "=", "print-server").execute();
      });
      const later = await openReceiptStore({ database: database.address });
      expect((await later.findByReceiptId(id))?.result).toMatchObject({
        ...{ totalKopecks: 10_000, resultInfo: 'the "total": 5' },
      });
      await later.close();
      expect(await store.list()).toHaveLength(1);
    });

    check("a result sets its receipt's state and the numbers of its document", async () => {
      const { store, queue, handOutOne, report } = shop();
      await queue(sale());
      const receipt = await handOutOne();
      await report(receipt, { fdNumber: "42", link: "https://ofd.example/42" });
      const [stored] = await store.findByOrder(toOrderId("A-1"));
      expect(stored).toMatchObject({ receiptId: receipt.receiptId, state: "printed", totalKopecks: 10_000 });
      expect(stored?.result).toMatchObject({ fdNumber: "42", link: "https://ofd.example/42" });
    });

    check("a result without a receipt id finds its receipt by the order number", async () => {
      const { queue, handOutOne, report, stateOf } = shop();
      await queue(sale());
      const unnamed = { ...(await handOutOne()), receiptId: null };
      await report(unnamed, { fdNumber: "1" });
      await queue(refund("A-1", "40.00"));
      const { receiptId } = await handOutOne();
      // The result of the sale is repeated before the refund has a result.
      expect(await report(unnamed, { fdNumber: "1" })).toMatchObject({ standing: "repeated" });
      expect(await stateOf(receiptId)).toBe("handed");
      await report(unnamed, { fdNumber: "2" });
      expect(await stateOf(receiptId)).toBe("printed");
    });

    check("a result without an id and order number is matched with the one receipt that its register has", async () => {
      const { queue, handOutOne, report, stateOf } = shop();
      await queue(sale());
      const { receiptId } = await handOutOne(null, { kkm: toKkm("0001") });
      await report({ receiptId: null, orderId: null });
      expect(await stateOf(receiptId)).toBe("printed");
    });
  });
});
