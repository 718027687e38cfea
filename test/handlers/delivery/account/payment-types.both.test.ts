/** A payment type without `closeTypeId`: which payment of the register it is, nobody has said, and no receipt guesses it. */
import { sql } from "kysely";
import { openDelivery } from "#handlers/delivery/open-delivery.js";
import { createToken } from "#handlers/delivery/store/access-tokens.js";
import { byId, courierReceipt, paid, printAll } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("a payment type without closeTypeId", (newDatabase) => {
  const { money, logged } = useMoney(newDatabase);
  const unnamed = { paymentTypeId: 9, title: "Наличные" };
  const delivered = { statusId: 1, deliveryStatusId: 3 };
  const createType = async () => expect((await money.shop.post("/paymentTypes", [unnamed])).status).toBe(201);
  const create = async (changes: Readonly<Record<string, unknown>>) =>
    expect((await money.shop.post("/orders", [newOrder(changes)])).status).toBe(201);
  const status = async () => (await money.shop.get("/orders", { orderId: 1042 })).body.frReceiptStatusId;
  const expectAlert = async () => {
    expect(await printAll(money.till)).toEqual([]);
    expect(await status()).toBe(2);
    const { body } = await money.shop.get("/fiscalRegistratorLogs", { orderId: 1042, page: 1, count: 30 });
    const errorText = expect.stringContaining(
      "payment type 9 has no closeTypeId: which payment of the register is it?",
    );
    expect(body).toMatchObject([{ errorCode: "receipt.payment-type", errorText }]);
    expect(logged.filter((line) => line.includes("payment type 9"))).toHaveLength(1);
  };

  test.each([
    ["is delivered and paid", delivered],
    [
      "is delivered, was prepaid on the internet and is paid for the rest at the door",
      { ...delivered, ...paid, prePaymentSum: 200 },
    ],
  ])(
    "has no receipt of an order that %s, and the shop is told; with a closeTypeId the order is printed by itself",
    async (_how, how) => {
      await createType();
      await create({ ...how, paymentId: 9 });
      await expectAlert();
      expect((await money.shop.put("/paymentTypes", { closeTypeId: 0 }, { query: { paymentTypeId: 9 } })).status).toBe(
        204,
      );
      expect(await printAll(money.till)).toEqual(["sale 50100"]);
      expect(await status()).toBe(1);
    },
  );

  test("is not asked for by an order that is paid online: what was paid on the internet is electronic", async () => {
    await createType();
    await create({ ...paid, paymentId: 9 });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
    expect((await money.shop.get("/orderAccounts", byId.query)).body.entries).toMatchObject([
      { payments: [{ closeTypeId: 1, sum: "501.00" }] },
    ]);
    expect(await status()).toBe(1);
  });

  test("leaves its code at the order, by which the order is found again, whatever the alert says", async () => {
    await createType();
    await create({ ...delivered, paymentId: 9 });
    const { store } = money.world.backend;
    expect(await store.db.selectFrom("account_alerts").select("codes").execute()).toEqual([
      { codes: "receipt.payment-type" },
    ]);
    await store.transaction((tx) => tx.updateTable("account_alerts").set({ findings: "in other words" }).execute());
    await money.shop.put("/paymentTypes", { closeTypeId: 0 }, { query: { paymentTypeId: 9 } });
    expect(await printAll(money.till)).toEqual(["sale 50100"]);
  });

  test("is completed by a replacement, and each order that waited is printed once", async () => {
    await createType();
    for (const orderId of [1042, 1043]) await create({ orderId, ...delivered, paymentId: 9 });
    const completed = [{ ...unnamed, closeTypeId: 0 }];
    for (const _ of [1, 2]) expect((await money.shop.post("/paymentTypes/replace", completed)).status).toBe(204);
    expect(await printAll(money.till)).toEqual(["sale 50100", "sale 50100"]);
  });

  test("has a return of a sale that was paid in one form: the sale says it", async () => {
    await createType();
    await create({ statusId: 1, paymentId: 9 });
    const told = { orderId: 1042, deliveryStatusId: 3, receipt: courierReceipt };
    expect((await money.courier.post("/orders/status", told)).status).toBe(204);
    expect((await money.shop.put("/orders", { deliveryStatusId: 6 }, byId)).status).toBe(201);
    expect(await printAll(money.till)).toEqual(["return 50100"]);
  });

  test("has no receipt of an order whose money a courier took by it", async () => {
    await createType();
    await create({});
    const payments = [{ paymentId: "p1", paymentTypeId: "9", price: 501, paidIn: "2026-11-20 10:00:00" }];
    expect((await money.courier.post("/orders/payments", { orderId: 1042, payments })).status).toBe(204);
    expect((await money.courier.post("/orders/status", { orderId: 1042, deliveryStatusId: 3 })).status).toBe(204);
    await expectAlert();
  });

  test("keeps no document of a courier's own register away", async () => {
    await createType();
    await create({ statusId: 1, paymentId: 9 });
    const told = { orderId: 1042, deliveryStatusId: 3, receipt: courierReceipt };
    expect((await money.courier.post("/orders/status", told)).status).toBe(204);
    expect((await money.shop.get("/orderReceipts", { orderId: 1042 })).body.fn).toBe(courierReceipt.fn);
  });
});

describeOnBothStores("a payment type of an earlier version without closeTypeId", (newDatabase) => {
  test("stays electronic, and the register log of its shop lists it once", async () => {
    const database = await newDatabase();
    const open = () => openDelivery({ database: database.address });
    const before = await open();
    const { resource: shop } = await createToken(before.backend.store, "shop", Date.now());
    await createToken(before.backend.store, "a shop without such types", Date.now());
    const typeOf = (id: string, closeTypeId: object) => ({
      owner: shop.id,
      kind: "paymentTypes",
      record_id: id,
      sort_key: id,
      is_active: 1,
      body: JSON.stringify({ paymentTypeId: id, title: "Картой", ...closeTypeId }),
      updated_at: 1,
    });
    const types = [typeOf("1", {}), typeOf("2", { closeTypeId: null }), typeOf("3", { closeTypeId: "0" })];
    await before.backend.store.transaction(async (tx) => {
      await tx.insertInto("delivery_records").values(types).execute();
      await sql`alter table account_alerts drop column codes`.execute(tx);
      await sql`insert into account_alerts (resource, sale_id, findings, alerted_at)
        values (${shop.id}, '1042', 'payment type 9 has no closeTypeId', 1)`.execute(tx);
      await tx
        .withTables<{ schema_versions: { part: string; version: number } }>()
        .updateTable("schema_versions")
        .set({ version: 1 })
        .where("part", "=", "delivery")
        .execute();
    });
    await before.close();
    await (await open()).close();
    const after = await open();
    const { db } = after.backend.store;
    const bodies = await db.selectFrom("delivery_records").select("body").orderBy("record_id").execute();
    expect(bodies.map(({ body }) => JSON.parse(body).closeTypeId)).toEqual(["1", "1", "0"]);
    const told = await db.selectFrom("delivery_feed_records").select(["resource", "kind", "body"]).execute();
    expect(told).toEqual([{ resource: shop.id, kind: "register", body: expect.stringContaining("as before: 1, 2.") }]);
    const [alert] = await db.selectFrom("account_alerts").select("codes").execute();
    expect(alert?.codes).toBe("receipt.payment-type");
    await after.close();
    await database.drop();
  });
});
