/** Nobody has said which form of payment a payment type without `closeTypeId` is, and no receipt guesses it. */
import { sql } from "kysely";
import { openDelivery } from "#handlers/delivery/open-delivery.js";
import { createToken } from "#handlers/delivery/store/access-tokens.js";
import { byId, courierReceipt, paid, tea } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

describeOnBothStores("a payment type without closeTypeId", (newDatabase) => {
  const { money, logged } = useMoney(newDatabase);
  const talk = talkOf(money);
  const unnamed = { paymentTypeId: 9, title: "Наличные" };
  const delivered = { statusId: 1, deliveryStatusId: 3 };
  const complete = () => talk.putRecord("paymentTypes", { paymentTypeId: 9 }, { closeTypeId: 0 });
  const expectAlert = async () => {
    expect(await talk.printed()).toEqual([]);
    expect((await talk.order()).frReceiptStatusId).toBe(2);
    const words = "payment type 9 has no closeTypeId: which payment of the register is it?";
    const errorText = expect.stringContaining(words);
    expect(await talk.alerts()).toMatchObject([{ errorCode: "receipt.payment-type", errorText }]);
    expect(logged.filter((line) => line.includes("payment type 9"))).toHaveLength(1);
  };

  beforeEach(() => talk.taken(money.shop.post("/paymentTypes", [unnamed])));

  test.each([
    ["paid", {}],
    ["prepaid on the internet and paid for the rest at the door", { ...paid, prePaymentSum: 200 }],
  ])("a delivered order that was %s gets no receipt until its payment type has a closeTypeId", async (_how, how) => {
    await talk.create({ ...delivered, ...how, paymentId: 9 });
    await expectAlert();
    await complete();
    expect(await talk.printed()).toEqual(["sale 50100"]);
    expect((await talk.order()).frReceiptStatusId).toBe(1);
  });

  test("an order paid online is printed as electronic money, with a warning and an alert until its payment type has a closeTypeId", async () => {
    const [{ warnings }] = await talk.create({ ...paid, paymentId: 9 });
    const said = "is of a type without closeTypeId: what is paid on the internet is printed as electronic";
    expect(warnings).toEqual([{ path: "paymentId", message: expect.stringContaining(said) }]);
    expect(await talk.printed()).toEqual(["sale 50100"]);
    expect((await talk.account()).entries).toMatchObject([{ payments: [{ closeTypeId: 1, sum: "501.00" }] }]);
    expect((await talk.order()).frReceiptStatusId).toBe(1);
    const [alert] = await talk.alerts();
    expect(alert).toMatchObject({ errorCode: "receipt.payment-type", errorText: expect.stringContaining(said) });
    await complete();
    expect((await talk.account()).isBalanced).toBe(true);
  });

  test("an internet sale that was printed as electronic is told while its payment type has another form, and not once the sale is back", async () => {
    const typeIs = (closeTypeId: number) => talk.putRecord("paymentTypes", { paymentTypeId: 9 }, { closeTypeId });
    const findings = async () => (await talk.account()).findings;
    const says = "says 501.00 on credit, and its receipt has 501.00 electronic";
    await talk.create({ ...paid, paymentId: 9 });
    expect(await talk.printed()).toEqual(["sale 50100"]);
    await typeIs(3);
    expect(await findings()).toEqual([expect.stringContaining(says)]);
    await typeIs(1);
    expect(await findings()).toEqual([]);
    await typeIs(3);
    await talk.put({ description: "again" });
    expect(await findings()).toEqual([expect.stringContaining(says)]);
    await talk.put({ deliveryStatusId: 6 });
    expect(await talk.printed()).toEqual(["return 50100"]);
    expect(await findings()).toEqual([]);
  });

  test.each([
    ["isInternetPayment", { isInternetPayment: 0 }, paid],
    ["goods", { goods: [] }, { goods: [tea(2)] }],
    ["prePaymentSum", { prePaymentSum: 200 }, { prePaymentSum: 0 }],
  ])("a PUT of %s that makes such an order due is answered with the warning", async (_field, before, change) => {
    await talk.create({ ...paid, ...before, paymentId: 9 });
    const { warnings } = await talk.put(change);
    expect(warnings).toEqual([{ path: "paymentId", message: expect.stringContaining("is printed as electronic") }]);
  });

  test.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ])(
    "an order paid online by a type with closeTypeId %i is printed with payment form %i, and comes back in it",
    async (closeTypeId, form) => {
      await talk.putRecord("paymentTypes", { paymentTypeId: 9 }, { closeTypeId });
      await talk.create({ ...paid, paymentId: 9 });
      expect((await talk.next()).payments).toEqual([{ typeClose: form, sum: 50100 }]);
      const edited = await money.shop.put("/orders", { paymentId: 1 }, { query: { orderId: 1042 } });
      expect(edited.status).toBe(form === 1 ? 201 : 422);
      const payments = [payment("named", form === 1 ? "2" : "1", 501)];
      await talk.put({ payments });
      expect((await talk.account()).findings).toEqual([expect.stringContaining("report 501.00")]);
      await talk.put({ payments: [payment("named", closeTypeId === 0 ? "1" : "9", 501)] });
      await talk.put({ deliveryStatusId: 6 });
      expect((await talk.next()).payments).toEqual([{ typeClose: form, sum: 50100 }]);
      expect(await talk.account()).toMatchObject({ isBalanced: true, prepaid: "0.00", used: "0.00" });
    },
  );

  test("a printed order paid by a certificate takes a PUT of prePaymentSum 0 where it names no prepayment, and refuses another sum", async () => {
    await talk.putRecord("paymentTypes", { paymentTypeId: 9 }, { closeTypeId: 2 });
    await talk.create({ ...paid, paymentId: 9 });
    expect(await talk.printed()).toEqual(["sale 50100"]);
    await talk.put({ prePaymentSum: 0 });
    for (const prePaymentSum of [200, 501]) {
      const { body } = await money.shop.put("/orders", { prePaymentSum }, byId);
      expect(body.message).toContain("prePaymentSum: order 1042 has a receipt that says otherwise");
    }
  });

  test("an order that waits for a closeTypeId is found by its stored error code, whatever the alert's text says", async () => {
    await talk.create({ ...delivered, paymentId: 9 });
    const { store } = money.world.backend;
    const codes = await store.db.selectFrom("account_alerts").select("codes").execute();
    expect(codes).toEqual([{ codes: "receipt.payment-type" }]);
    await store.transaction((tx) => tx.updateTable("account_alerts").set({ findings: "in other words" }).execute());
    await complete();
    expect(await talk.printed()).toEqual(["sale 50100"]);
  });

  test("after a replace request completes the payment type, each waiting order is printed once", async () => {
    for (const orderId of [1042, 1043]) await talk.create({ orderId, ...delivered, paymentId: 9 });
    const completed = [{ ...unnamed, closeTypeId: 0 }];
    for (const _ of [1, 2]) expect((await money.shop.post("/paymentTypes/replace", completed)).status).toBe(204);
    expect(await talk.printed()).toEqual(["sale 50100", "sale 50100"]);
  });

  test("a courier's own document is recorded without a closeTypeId, and its return has that document's payment form", async () => {
    await talk.create({ statusId: 1, paymentId: 9 });
    await talk.arrive(3, { receipt: courierReceipt });
    expect((await money.shop.get("/orderReceipts", { orderId: 1042 })).body.fn).toBe(courierReceipt.fn);
    await talk.put({ deliveryStatusId: 6 });
    expect(await talk.printed()).toEqual(["return 50100"]);
  });

  test("an order whose courier took the money by a payment type without closeTypeId gets no receipt", async () => {
    await talk.create();
    await talk.pay(payment("p1", "9", 501));
    await talk.arrive(3);
    await expectAlert();
  });
});

const indexesSince = [
  ...["delivery_outbox_due", "delivery_outbox_lanes", "delivery_locations_of_courier"],
  ...["delivery_feed_records_of_kind", "delivery_feed_records_of_courier"],
  ...["delivery_outbox_results", "delivery_sessions_of_device", "delivery_callbacks_by_url"],
];

describeOnBothStores("a payment type of an earlier version without closeTypeId", (newDatabase) => {
  test("a payment type of an earlier version without closeTypeId stays electronic, and the shop's log lists it once", async () => {
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
      await sql`alter table delivery_outbox drop column causes`.execute(tx);
      for (const index of indexesSince) await sql`drop index ${sql.ref(index)}`.execute(tx);
      await sql`create index delivery_outbox_waiting on delivery_outbox (state, lane, id)`.execute(tx);
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
