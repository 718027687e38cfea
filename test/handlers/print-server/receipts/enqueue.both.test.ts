/** Enqueuing: which receipt an id names, transactions of the site, and the details of refusals. */
import { toOrderId, toReceiptId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { OrderBody } from "#handlers/print-server/order-body.js";
import { openReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { databaseKinds } from "../../../support/site-databases.js";
import { waitFor } from "../../../support/wait-for.js";
import { ownIds, pollBy, refund, sale, useReceiptShop } from "../receipt-world.js";

const { own } = ownIds;

describe.each(databaseKinds)("receipts that are enqueued, on $name", (kind) => {
  const { check, shop } = useReceiptShop(kind);

  async function next(): Promise<void> {
    await shop().report(await shop().handOutOne());
  }

  describe.each(["queued", "printed", "withdrawn"])("the id of a receipt that is %s", (state) => {
    check.each([
      ["another order's", sale("A-2", "100.00", { receiptId: own }), "A-2"],
      ["a return's", refund("A-1", "100.00", { receiptId: own }), "return of 100.00"],
      ["a sale's of another total", sale("A-1", "90.00", { receiptId: own }), "90.00"],
    ])("an id that is offered again for %s is refused, with both receipts named", async (_what, offered, named) => {
      const { store, queue } = shop();
      const receiptId = await queue(sale("A-1", "100.00", { receiptId: own }));
      if (state === "printed") await next();
      if (state === "withdrawn") await store.withdraw(receiptId);
      const before = await store.list();
      await expect(store.enqueue(offered)).rejects.toMatchObject({
        code: "receipt.id-reused",
        message: expect.stringMatching(new RegExp(`sale of 100.00 of order A-1.*${named}`)),
        details: { receiptId: own, orderId: "A-1" },
      });
      expect(await store.list()).toEqual(before);
    });
  });

  check(
    "enqueue warns of a misspelt key and of a position without a rate, and a strict store refuses both",
    async () => {
      const { store } = shop();
      const bare = { price: 100, quantity: 1, nds: 20 };
      const misspelt: OrderBody = {
        response: {
          orderId: "A-9",
          taskTable: [
            { type: "OpenCheckSell" },
            { type: "Registration", data: "Tea", param: bare },
            { type: "Payment", param: { summ: 100, typeClose: 1 } },
            { type: "CloseCheck" },
          ],
        },
      };
      const paths = ["taskTable[1].param.nds", "taskTable[1].param.tax"].map((path) => ({ path }));
      expect(await store.enqueue(misspelt)).toMatchObject({ isNew: true, warnings: paths });
      const strict = await openReceiptStore({ database: ":memory:", logger: silentLogger, strict: true });
      await expect(strict.enqueue(misspelt)).rejects.toMatchObject({
        code: "order.wrong-value",
        details: { problems: paths.map((path) => expect.objectContaining(path)) },
      });
      await strict.close();
    },
  );

  const plain = { orderId: "A-1", contact: "a@shop.example", cashier: { name: "Anna" } };
  const soldAs = (head: object) =>
    taskTable
      .sale({ ...plain, ...head })
      .item({ name: "Tea", price: 100 })
      .payRest("cash");
  const changes = [
    ["contact", { contact: "b@shop.example" }],
    ["cashier", { cashier: { name: "Boris" } }],
    ["taxSystem", { taxSystem: "osn" }],
    ["kkm", { kkm: "0001" }],
    ["printDoc", { electronicOnly: true }],
    ["expectedInn", {}],
    ["settlementPlace", { settlementPlace: "Kiosk" }],
  ] as const;
  const changed = (field: string, head: object) => {
    const built = soldAs(head).build();
    return field === "expectedInn" ? { response: { ...built.response, service: { inn: "7700000000" } } } : built;
  };

  check.each(changes)("a queued receipt is handed out with the newest %s of the shop", async (field, head) => {
    const { store, queue, handOutOne } = shop();
    const first = await queue(soldAs({}).build());
    const again = await store.enqueue(changed(field, head));
    expect(again).toMatchObject({ receiptId: first, isNew: false, state: "queued" });
    const expected = Reflect.get((await openedElsewhere(changed(field, head))) ?? {}, field);
    expect(expected ?? null).not.toBeNull();
    expect(Reflect.get(await handOutOne(), field)).toEqual(expected);
  });

  async function openedElsewhere(order: OrderBody) {
    const other = await openReceiptStore({ database: ":memory:", logger: silentLogger });
    await other.enqueue(order);
    const [found] = await other.list();
    await other.close();
    return found?.receipt;
  }

  check.each(changes)(
    "a handed out receipt that is enqueued again with another %s stays as it is, with a warning",
    async (field, head) => {
      const { store, logged, queue, handOutOne } = shop();
      const receiptId = await queue(soldAs({}).build());
      const handed = await handOutOne();
      const { warnings } = await store.enqueue(changed(field, head));
      const late = warnings.filter(({ message }) => message.includes("neither kept nor printed"));
      expect(late.map(({ path }) => path)).toEqual([field]);
      expect(logged.filter((line) => line.includes("neither kept nor printed"))).toHaveLength(1);
      expect((await store.findByReceiptId(receiptId))?.receipt).toEqual(handed);
      expect((await store.enqueue(soldAs({}).build())).warnings).toHaveLength(1);
    },
  );

  check(
    "a failed receipt that is queued again is handed out with the newest content, and so is a later receipt",
    async () => {
      const { queue, handOutOne, report } = shop();
      const receiptId = await queue(soldAs({ taxSystem: "patent" }).build());
      await report(await handOutOne(), { outcome: "failed" });
      await queue(soldAs({}).build());
      expect(await queue(soldAs({ taxSystem: "osn" }).build())).toBe(receiptId);
      expect(await handOutOne()).toMatchObject({ receiptId, taxSystem: 1 });
    },
  );

  check("one mistake in many orders is logged once, and a return without a known sale once an order", async () => {
    const { store, logged } = shop();
    for (const order of ["A-1", "A-2"]) {
      expect((await store.enqueue(sale(order))).warnings).toHaveLength(1);
      expect((await store.enqueue(refund(`B${order}`, "1.00"))).warnings).toMatchObject([{}, { path: "orderId" }]);
    }
    expect(logged.filter((line) => line.includes(".param.tax"))).toHaveLength(1);
    expect(logged.filter((line) => line.includes("sale of this return is not known"))).toHaveLength(2);
  });

  check("a position that was not sold, or is returned more often than it was sold, gives a warning", async () => {
    const { store, queue } = shop();
    const two = (operation: "sale" | "return") =>
      taskTable[operation]({ orderId: "A-1" })
        .item({ name: "Tea", price: 120, quantity: 2, tax: "22 %" })
        .item({ name: "Cup", price: 300, tax: "22 %" });
    await queue(two("sale").payRest("cash").build());
    await next();
    const tea = taskTable.return({ orderId: "A-1" }).item({ name: "Tea ", price: 120, quantity: 2, tax: "22 %" });
    expect(await store.enqueue(tea.payRest("cash").build(), { key: "r1" })).toMatchObject({ warnings: [] });
    const { warnings, receiptId } = await store.enqueue(tea.build(), { key: "r2" });
    const times = { path: "items[0].quantity", message: '"Tea" is returned 4 times in all, and was sold 2 times' };
    expect(warnings).toMatchObject([times]);
    expect(await store.findByReceiptId(receiptId)).toMatchObject({ key: "r2", warnings });
    expect(await store.enqueue(tea.build(), { key: "r2" })).toMatchObject({ isNew: false, warnings });
    const other = refund("A-1", "1.00", { name: "Coffee" });
    const found = (await store.enqueue(other, { key: "r3" })).warnings;
    expect(found).toContainEqual(
      expect.objectContaining({ path: "items[0].name", message: 'the sale has no "Coffee"' }),
    );
  });

  check("enqueueMany lists orders that were returned whole or have mistakes, and enqueues the rest", async () => {
    const { shared, store, queue } = shop();
    for (const order of [sale(), refund("A-1", "100.00")]) {
      await queue(order);
      await next();
    }
    const known = await queue(sale("A-2"));
    const wrong = { response: { orderId: "A-3", taskTable: [] } };
    const many = await store.enqueueMany([sale(), wrong, sale("A-2"), sale("A-4")]);
    expect(many).toMatchObject({
      added: [{ isNew: true, state: "queued" }],
      known: [{ receiptId: known, isNew: false, state: "queued" }],
      refused: [
        { order: sale(), fault: { code: "job.already-printed", details: { state: "printed" } } },
        { order: wrong },
      ],
    });
    const within = { within: shared.db } as never;
    await expect(store.enqueueMany([sale("A-5")], within)).rejects.toMatchObject({ code: "config.invalid" });
  });

  check("a receipt whose row is lost gets the same id again, and another id in another database", async () => {
    const { shared, clock, store, queue } = shop();
    const first = await queue(sale());
    await sql`delete from print_receipts`.execute(shared.db);
    expect(await store.enqueue(sale())).toMatchObject({ receiptId: first, isNew: true });
    const elsewhere = await openReceiptStore({ database: ":memory:", clock });
    expect((await elsewhere.enqueue(sale())).receiptId).not.toBe(first);
    await elsewhere.close();
  });

  check("a receipt of an older version of the kit is found by its content", async () => {
    const { shared, store, queue, handOutOne, report } = shop();
    const made = await queue(sale());
    const older = "0193a1b2-0000-7000-8000-000000000001";
    await sql`update print_receipts set receipt_id = ${older}, content_key = 'v1:of-old',
      receipt = replace(receipt, ${made}, ${older})`.execute(shared.db);
    expect(await store.enqueue(sale())).toMatchObject({ receiptId: older, isNew: false });
    expect(await store.enqueue(sale("A-1", "100.00", { receiptId: older }))).toMatchObject({ isNew: false });
    await report(await handOutOne(), { outcome: "failed" });
    expect(await store.enqueue(sale())).toMatchObject({ receiptId: older, isNew: true });
    expect(await store.findByOrder(toOrderId("A-1"))).toMatchObject([
      { receiptId: older, state: "queued", result: null, finishedAt: null },
    ]);
  });

  check("an order number with invisible characters is the same number, reported as sent, with a warning", async () => {
    const { store, logged, queue, handOutOne, report, stateOf } = shop();
    const shown = "A\u200b-1\u00ad";
    const first = await queue(sale());
    expect(await store.enqueue(sale(shown))).toMatchObject({ receiptId: first, isNew: false });
    const unseen = () => logged.filter((line) => line.includes("nobody sees"));
    expect(unseen()).toEqual([]);
    for (const _ of [1, 2]) await queue(refund(shown, "40.00"));
    expect(unseen()).toHaveLength(1);
    expect((await store.findByOrder(toOrderId(shown))).map(({ orderId }) => orderId)).toEqual(["A-1", shown]);
    await next();
    const back = await handOutOne();
    await report({ receiptId: null, orderId: toOrderId("A-1") }, { operation: "return" });
    expect(await stateOf(back.receiptId)).toBe("printed");
  });

  check("keys that differ only by outer blanks or invisible characters are the same key", async () => {
    const first = await shop().queue(sale(), { key: "r1" });
    for (const key of [" r1", "r1 ", "r\u200b1"]) expect(await shop().queue(sale(), { key })).toBe(first);
  });

  check("a settlement that a printed prepayment pays for is printed once", async () => {
    const { store, queue } = shop();
    const sofa = { name: "Sofa", price: "1000.00" };
    const prepaid = taskTable.prepayment({ orderId: "A-1" }).item(sofa).payRest("electronic").build();
    const settled = (name: string) =>
      taskTable
        .settlement({ orderId: "A-1" })
        .item({ ...sofa, name })
        .build();
    await queue(prepaid);
    await expect(store.enqueue(settled("Sofa"))).rejects.toMatchObject({ code: "job.being-printed" });
    await next();
    await queue(settled("Sofa"));
    await next();
    await expect(store.enqueue(settled("Chair"))).rejects.toMatchObject({ code: "job.already-printed" });
  });

  check("enqueue refuses what the till would refuse, and takes both formats and domain receipts", async () => {
    const { store, queue } = shop();
    const unpaid = [{ type: "OpenCheckSell" }, { type: "CloseCheck" }] as const;
    const refused = store.enqueue({ response: { orderId: "A-1", taskTable: unpaid } });
    await expect(refused).rejects.toMatchObject({ code: "receipt.no-items" });
    expect(await store.list()).toEqual([]);
    const builder = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "10.00" }).payRest("cash");
    expect(await queue(builder.build())).toBe(await queue(builder.receipt()));
  });

  check("enqueue refuses its own answer in place of a receipt's id, and says how to write the id", async () => {
    const { store } = shop();
    const answer = await store.enqueue(sale());
    for (const call of [store.findByReceiptId, store.release, store.withdraw]) {
      const called: Promise<unknown> = Reflect.apply(call, store, [answer]);
      const message = expect.stringContaining("`.receiptId`");
      await expect(called).rejects.toMatchObject({ code: "config.invalid", message });
    }
  });

  describe("receipts in a transaction of the site", () => {
    check("enqueue in the site's own transaction is committed or rolled back with that transaction", async () => {
      const { clock, shared, store } = shop();
      const failed = shared.transaction(async (tx) => {
        await store.enqueue(sale(), { within: tx });
        throw new Error("the payment failed");
      });
      await expect(failed).rejects.toThrow();
      expect(await store.list()).toEqual([]);
      const held = store.nextReceipt(pollBy("d1", { waitMs: 25_000 }));
      await waitFor("the poll is held", () => clock.pending > 0);
      await shared.transaction((tx) => store.enqueue(sale("A-2"), { within: tx }));
      expect(await held).toMatchObject({ orderId: "A-2" });
    });

    check("calls in one transaction see each other, so that one order keeps one sale", async () => {
      const { shared, store } = shop();
      const made = await shared.transaction((tx) => {
        const prices = ["100.00", "110.00", "120.00"];
        return Promise.all(prices.map((price) => store.enqueue(sale("A-1", price), { within: tx })));
      });
      const queued = (await store.list()).filter(({ state }) => state === "queued");
      expect(queued.map(({ receiptId }) => receiptId)).toEqual([made[2]?.receiptId]);
    });

    check("a database in place of a transaction is refused, and nothing is enqueued or withdrawn", async () => {
      const { shared, store, queue } = shop();
      const first = await queue(sale("A-0"));
      const within = { within: shared.db };
      const calls = Array.from({ length: 8 }, (_, index) =>
        Reflect.apply(store.enqueue, store, [sale("A-1", `${index + 1}.00`), within]),
      );
      for (const call of [...calls, Reflect.apply(store.withdraw, store, [first, within])]) {
        const message = expect.stringContaining("open transaction");
        await expect(call).rejects.toMatchObject({ code: "config.invalid", message });
      }
      expect(await store.list()).toMatchObject([{ receiptId: toReceiptId(first), state: "queued" }]);
    });

    // SQLite has one isolation level, and the kit's store has no plugins.
    if (kind.name === "PostgreSQL") {
      check(
        "content that is enqueued during the handing out is not lost, and the older content is not handed out",
        async () => {
          const { store, queue, handOut } = shop();
          await queue(soldAs({}).build());
          const newest = soldAs({ contact: "b@shop.example" });
          const caught = await store.nextReceipt(pollBy("d1"), async (receipt) => {
            await store.enqueue(newest.build());
            return receipt;
          });
          expect([caught, await handOut()]).toMatchObject([null, { contact: "b@shop.example" }]);
        },
      );

      let site: Kysely<Record<never, never>>;
      beforeEach(() => {
        const pool = new pg.Pool({ connectionString: shop().database.address });
        site = new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
      });
      afterEach(() => site.destroy());

      check("newer content of a job without an order number comes too late while the job is handed out", async () => {
        const { store, queue } = shop();
        const cash = (sum: number) => taskTable.service({ receiptId: ownIds.own }).cashIn(sum).build();
        const receiptId = await queue(cash(500));
        const isWaiting = async () => {
          const waits = sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%print_receipts%'`;
          return (await waits.execute(site)).rows.length > 0;
        };
        let late: ReturnType<typeof store.enqueue> | null = null;
        await site.transaction().execute(async (tx) => {
          await sql`update print_receipts set state = 'handed'`.execute(tx);
          late = store.enqueue(cash(600));
          await waitFor("the newer content waits for the hand-out", isWaiting);
        });
        expect(await late).toMatchObject({ receiptId, state: "handed", warnings: [{ path: "lines" }] });
        expect((await store.findByReceiptId(receiptId))?.receipt.lines).toMatchObject([{ sum: 50000 }]);
      });

      check("enqueue in the site's own Kysely reads its own rows, whatever plugins that Kysely has", async () => {
        const { store, queue } = shop();
        const enqueue = () => site.transaction().execute((tx) => queue(sale(), { within: tx }));
        const first = await enqueue();
        expect(await enqueue()).toBe(first);
        expect(await site.transaction().execute((tx) => store.withdraw(first, { within: tx }))).toBe(true);
      });

      check.each(["repeatable read", "serializable"] as const)(
        "enqueue refuses the isolation level %s, which does not see what is committed during the lock",
        async (level) => {
          const { store, queue } = shop();
          const begun = site.transaction().setIsolationLevel(level);
          await expect(begun.execute((tx) => queue(sale(), { within: tx }))).rejects.toMatchObject({
            code: "config.invalid",
            message: expect.stringContaining('.setIsolationLevel("read committed")'),
          });
          expect(await store.list()).toEqual([]);
        },
      );
    }
  });
});
