/** Two nodes on one PostgreSQL: one callback per change, one receipt per order, one effect per Idempotency-Key. */
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import { postgres, type TestDatabase } from "../../support/site-databases.js";
import { waitFor } from "../../support/wait-for.js";
import { paid } from "../../tools/money-model/money-world.js";
import { openReceiver, type Receiver } from "./callback-receiver.js";
import { type Api, type DeliveryWorld, fillCatalog, logIn, newOrder, openWorld, type Shop } from "./delivery-world.js";

const describeNodes = postgres.skipped === null ? describe : describe.skip;

describeNodes("two nodes on one PostgreSQL", () => {
  let database: TestDatabase;
  let one: DeliveryWorld;
  let other: DeliveryWorld;
  let shop: Shop;
  let onOther: Api;
  let receiver: Receiver;
  /** One till at each node. */
  let tills: readonly TestTill[];

  beforeEach(async () => {
    database = await postgres.create();
    [one, other] = [await openWorld(database), await openWorld(database)];
    shop = await one.shop();
    onOther = other.api(shop.access.token);
    await fillCatalog(shop);
    receiver = await openReceiver();
    await shop.post("/orders/callback", { url: receiver.url, isActive: 1 });
    tills = await Promise.all([one, other].map(openTill));
  });
  afterEach(async () => {
    for (const till of tills) await till.close();
    receiver.close();
    for (const node of [one, other]) await node.close();
    await database.drop();
  });

  async function openTill(node: DeliveryWorld, position: number): Promise<TestTill> {
    const { id, handlerSecret } = shop.access.resource;
    const kkm = `000123456701234${position}`;
    const fn = `999907890000000${position}`;
    const auth = { kind: "bearer" as const, token: handlerSecret };
    const till = createTestTill({ site: `${node.origin}/fiscal/${id}`, kkm, fn, auth, daemonId: `till ${position}` });
    const taxes = [{ id: 11, title: "НДС 22%" }];
    const register = { name: "x", kkm, inn: "7700000000", fn, taxes, typeClose: [] };
    await till.call("sync", { action: "sync", data: [register] });
    return till;
  }

  /** The callbacks' bodies, by order and sequence number, once all are delivered. */
  async function toldOnce(): Promise<ReadonlyMap<string, unknown>> {
    await waitFor(
      "all callbacks are delivered",
      async () => {
        const rows = await one.backend.store.db.selectFrom("delivery_outbox").select("state").execute();
        return rows.length > 0 && rows.every(({ state }) => state === "delivered");
      },
      { timeoutMs: 60_000 },
    );
    const told = receiver.received.flatMap(({ headers, text }) => {
      const { items }: { items: readonly { orderId: number }[] } = JSON.parse(text);
      return items.map((order) => [`${order.orderId}/${headers["x-order-sequence"]}`, order] as const);
    });
    const seen = new Map<string, unknown>(told);
    expect(told).toHaveLength(seen.size);
    return seen;
  }

  async function expectEachChangeTold(seen: ReadonlyMap<string, unknown>, count: number): Promise<void> {
    const { db } = one.backend.store;
    const rows = await db.selectFrom("delivery_orders").select(["order_id", "callback_sequence"]).execute();
    expect(rows).toHaveLength(count);
    const wanted = rows.flatMap(({ order_id, callback_sequence }) =>
      Array.from({ length: callback_sequence }, (_, position) => `${order_id}/${position + 1}`),
    );
    expect([...seen.keys()].sort()).toEqual(wanted.sort());
  }

  const idsUpTo = (count: number) => Array.from({ length: count }, (_, orderId) => orderId);

  test("orders sent to two nodes at the same time are neither doubled nor lost", async () => {
    const count = 40;
    const replies = await Promise.all(
      idsUpTo(count).map((orderId) => {
        const headers = { "idempotency-key": `order ${orderId}` };
        const body = [newOrder({ orderId, ...paid })];
        return Promise.all([shop.post("/orders", body, { headers }), onOther.post("/orders", body, { headers })]);
      }),
    );
    expect(replies.flat().map(({ status }) => status)).toEqual(Array(2 * count).fill(201));

    const printed = await Promise.all(
      tills.map(async (till) => {
        const orders: (string | null)[] = [];
        for (let receipt = await till.printNext(); receipt !== null; receipt = await till.printNext())
          orders.push(receipt.orderId);
        return orders;
      }),
    );
    expect(printed.flat().sort()).toEqual(idsUpTo(count).map(String).sort());
    await expectEachChangeTold(await toldOnce(), count);
  });

  test("simultaneous changes and print results on two nodes give one callback for a change and one receipt for an order", async () => {
    const apis = [shop, onOther] as const;
    const session = await logIn(one, shop);
    const couriers = [session, other.api(session.token, "/courier/v1")] as const;

    const count = 16;
    /** Every fourth order is deleted at the end. */
    const isDeleted = (orderId: number) => orderId % 4 === 3;
    const statuses: number[] = [];
    async function liveThrough(orderId: number): Promise<void> {
      const side = orderId % 2;
      const [here, there] = side === 0 ? apis : [apis[1], apis[0]];
      const courier = couriers[1 - side];
      if (courier === undefined) throw new Error("there are two nodes");
      const query = { orderId };
      statuses.push((await here.post("/orders", [newOrder({ orderId })])).status);
      const changes = await Promise.all([
        here.put("/orders", { description: "один" }, { query }),
        there.put("/orders", { codeAlias: `A-${orderId}` }, { query }),
        courier.post("/orders/status", { orderId, deliveryStatusId: 2 }),
        there.put("/orders", paid, { query }),
        courier.post("/locations", [
          { createdAt: "2026-11-20 14:05:00", longitude: "37.6", latitude: "55.7", orderId },
        ]),
      ]);
      statuses.push(...changes.map(({ status }) => status));
      const payment = { paymentId: `p ${orderId}`, paymentTypeId: "1", price: 501, paidIn: "2026-11-20 14:05:00" };
      statuses.push((await courier.post("/orders/payments", { orderId, payments: [payment] })).status);
      statuses.push((await courier.post("/orders/status", { orderId, deliveryStatusId: 3 })).status);
      if (isDeleted(orderId)) statuses.push((await there.delete("/orders", query)).status);
    }
    /** The tills print while the orders are still changing, and afterwards print the rest. */
    const printed: string[] = [];
    let isOver = false;
    async function print(till: TestTill): Promise<void> {
      for (;;) {
        const wasOver = isOver;
        const receipt = await till.printNext();
        if (receipt !== null) printed.push(String(receipt.orderId));
        else if (wasOver) return;
      }
    }
    const printing = Promise.all(tills.map(print));
    await Promise.all(idsUpTo(count).map(liveThrough));
    isOver = true;
    await printing;
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    expect(printed.sort()).toEqual(idsUpTo(count).map(String).sort());

    const seen = await toldOnce();
    await expectEachChangeTold(seen, count);
    for (const orderId of idsUpTo(count)) {
      const query = { orderId };
      if (isDeleted(orderId)) {
        expect((await shop.get("/orders", query)).status).toBe(404);
        continue;
      }
      const order = (await shop.get("/orders", query)).body;
      expect(order).toMatchObject({
        description: "один",
        codeAlias: `A-${orderId}`,
        statusId: 1,
        frReceiptStatusId: 1,
      });
      // Nothing is lost: the last callback shows the order as it is.
      const last = [...seen.keys()].filter((key) => key.startsWith(`${orderId}/`)).length;
      expect(seen.get(`${orderId}/${last}`)).toEqual(order);
      expect((await shop.get("/orderReceipts", query)).status).toBe(200);
      expect((await shop.get("/fiscalRegistratorLogs", query)).body).toHaveLength(1);
    }
  });
});
