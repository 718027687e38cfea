import { toKkm } from "@fiscald/shared/ids.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { sql } from "kysely";
import { alertOfMissingRows } from "#handlers/delivery/settling/tax-row-alerts.js";
import type { Writer } from "#handlers/delivery/store/delivery-store.js";
import type { ReceiptTables } from "#handlers/print-server/receipt-tables.js";
import { byId, kkm, paid, printAll, sale, tillBeside } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

const tea = { id: 21, title: "НДС 22%" };
const bread = { id: 5, title: "НДС 10%" };
const hall = "0001234567099999";

describeOnBothStores("a receipt with a tax rate that the register has no row for", (newDatabase) => {
  const { money, logged } = useMoney(newDatabase);

  beforeEach(async () => {
    await sync(kkm, [tea]);
    const goods = [{ goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0 }];
    expect((await money.shop.post("/orders", [newOrder({ ...paid, goods, amountToPay: 60 })])).status).toBe(201);
  });

  const sync = (register: string, taxes: readonly object[]) =>
    money.till.call("sync", {
      action: "sync",
      data: [{ name: "Касса", kkm: register, inn: "7700000000", fn: "1", taxes, typeClose: [] }],
    });
  const logOf = async () => {
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    return body.map(({ errorCode, errorText }: { errorCode: string; errorText: string }) => [errorCode, errorText]);
  };
  /** Receipts have waited for more than ten minutes. */
  const waitedLong = () =>
    money.world.backend.store.db
      .withTables<ReceiptTables>()
      .updateTable("print_receipts")
      .set({ created_at: Date.now() - 11 * 60_000 })
      .execute();
  const frStatus = async () => (await money.shop.get("/orders", { orderId: 1042 })).body.frReceiptStatusId;

  test("a receipt whose tax row the register lacks goes to another register that has the row, without an alert", async () => {
    await sync(hall, [tea, bread]);
    expect(await money.till.poll()).toBeNull();
    const other = tillBeside(money, { kkm: hall, daemonId: "hall" });
    expect(itemsOf(sale(await other.printNext()))).toMatchObject([{ tax: 5, total: 6000 }]);
    expect([await frStatus(), await logOf()]).toEqual([1, [[null, null]]]);
  });

  test("a receipt that another register took meanwhile and is still printing gives no alert", async () => {
    await sync(hall, [tea, bread]);
    const other = tillBeside(money, { kkm: hall, daemonId: "hall" });
    const { receiptId } = sale(await other.poll());
    // The poll of the first register, which looked at the receipt earlier, ends now.
    const poll = { kkm: toKkm(kkm), daemonId: "till" };
    const resource = money.shop.access.resource.id;
    await alertOfMissingRows(money.world.backend, { resource, poll, receiptIds: [receiptId ?? ""] });
    expect([await frStatus(), await logOf()]).toEqual([0, []]);
  });

  test("a poll with many unprintable receipts locks the shop only for due alerts, and raises a few alerts at a time", async () => {
    const receiptIds: string[] = [];
    const { backend } = money.world;
    const goods = [{ goodId: 502, count: 1, price: 60, total: 60, discountTotal: 0 }];
    const orders = Array.from({ length: 30 }, (_, index) =>
      newOrder({ ...paid, orderId: 2000 + index, goods, amountToPay: 60 }),
    );
    expect((await money.shop.post("/orders", orders)).status).toBe(201);
    const queued = backend.store.db.withTables<ReceiptTables>().selectFrom("print_receipts").select("receipt_id");
    for (const row of await queued.execute()) receiptIds.push(row.receipt_id);
    const unfit = { resource: money.shop.access.resource.id, poll: { kkm: toKkm(kkm), daemonId: "till" }, receiptIds };
    let locks = 0;
    const { store } = backend;
    const transaction = <T>(work: (tx: Writer) => Promise<T>) => {
      locks += 1;
      return store.transaction(work);
    };
    const counted = { ...backend, store: { ...store, transaction } };
    const told = () => logged.filter((line) => line.includes("has no row")).length;
    await alertOfMissingRows(counted, unfit);
    expect([locks, told()]).toEqual([0, 0]);
    await waitedLong();
    await alertOfMissingRows(counted, unfit);
    expect([locks, told()]).toEqual([1, 20]);
    for (let polls = 0; polls < 3; polls += 1) await alertOfMissingRows(counted, unfit);
    expect([locks, told()]).toEqual([2, 31]);
  });

  test("a receipt that waits for its tax row for more than ten minutes gives one alert, delays no other receipt, and is printed when the row exists", async () => {
    await money.shop.post("/orders", [newOrder({ ...paid, orderId: 2 })]);
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    expect(await logOf()).toEqual([]);
    await waitedLong();
    for (const _ of "12") expect(await money.till.poll()).toBeNull();
    expect(await logOf()).toEqual([["device.tax-unknown", expect.stringContaining(kkm)]]);
    expect(logged.filter((line) => line.includes("has no row")).length).toBe(1);
    expect(await frStatus()).toBe(2);
    await sync(kkm, [tea, bread]);
    expect(itemsOf(sale(await money.till.printNext()))).toMatchObject([{ tax: 5 }]);
    expect(await frStatus()).toBe(1);
  });

  test("a receipt that was handed out before its tax row vanished is kept for that register, and gives an alert", async () => {
    await sync(kkm, [tea, bread]);
    const first = await money.till.poll();
    await sync(kkm, [tea]);
    expect(await money.till.poll()).toBeNull();
    expect(await logOf()).toMatchObject([["device.tax-unknown", expect.anything()]]);
    await sync(kkm, [tea, { ...bread, id: 7 }]);
    const again = sale(await money.till.poll());
    expect(again.receiptId).toBe(first?.receiptId);
    expect(itemsOf(again)).toMatchObject([{ tax: 7 }]);
  });

  test("an order whose receipt waits for a tax row may still be edited", async () => {
    expect(await money.till.poll()).toBeNull();
    const goods = [{ goodId: 501, count: 1, price: 250.5, total: 250.5, discountTotal: 0 }];
    expect((await money.shop.put("/orders", { goods, amountToPay: 250.5 }, byId)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["sale 25050"]);
  });
});

describeOnBothStores("a receipt that is handed out while the database fails", (newDatabase) => {
  const { money } = useMoney(newDatabase);

  beforeEach(() => money.shop.post("/orders", [newOrder(paid)]));

  /** The statement runs when a receipt is handed out, in the same transaction. */
  async function atHandOut(statement: string): Promise<void> {
    const { db, kind } = money.world.backend.store;
    const when = "update on print_receipts for each row when (new.state = 'handed')";
    if (kind === "sqlite") {
      await sql.raw(`create trigger spoil after ${when} begin ${statement}; end`).execute(db);
      return;
    }
    const body = `begin ${statement}; return new; end`;
    await sql.raw(`create function spoil() returns trigger language plpgsql as $$ ${body} $$`).execute(db);
    await sql.raw(`create trigger spoil after ${when} execute function spoil()`).execute(db);
  }

  test.each([
    ["while it is recorded", "insert into print_shifts (resource) values (null)"],
    ["right after it was recorded", "update delivery_register_tables set body = '{'"],
  ])("a receipt is handed out once although the database fails %s", async (_when, statement) => {
    const { db, kind } = money.world.backend.store;
    const [{ body } = { body: "" }] = await db.selectFrom("delivery_register_tables").select("body").execute();
    await atHandOut(statement);
    const got = await money.till.poll().catch(() => null);
    await sql.raw(kind === "sqlite" ? "drop trigger spoil" : "drop trigger spoil on print_receipts").execute(db);
    await db.updateTable("delivery_register_tables").set({ body }).execute();
    const other = tillBeside(money, { daemonId: "other" });
    expect(await printAll(other)).toEqual(got === null ? ["sale 50100"] : []);
    expect(await printAll(money.till)).toEqual(got === null ? [] : ["sale 50100"]);
  });
});
