/** Two nodes on one PostgreSQL: one callback per change, one receipt per order, one effect per Idempotency-Key. */
import { createServer } from "node:http";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { postgres } from "../../support/site-databases.js";
import { waitFor } from "../../support/wait-for.js";
import { fillCatalog, listen, newOrder, openWorld } from "./delivery-world.js";
import { logIn } from "./log-in.js";

const describeNodes = postgres.skipped === null ? describe : describe.skip;

describeNodes("two nodes on one PostgreSQL", () => {
  test("under parallel load double nothing and lose nothing", async () => {
    const database = await postgres.create();
    const nodes = [await openWorld(database), await openWorld(database)] as const;
    const [one, other] = nodes;
    const shop = await one.shop();
    const onOther = other.api(shop.access.token);
    await fillCatalog(shop);

    const seen = new Map<string, number>();
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        for (const order of JSON.parse(Buffer.concat(chunks).toString()).items) {
          const key = `${order.orderId}/${request.headers["x-order-sequence"]}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
        }
        response.end();
      });
    });
    await shop.post("/orders/callback", { url: await listen(receiver), isActive: 1 });
    const { id, handlerSecret } = shop.access.resource;
    const tills = nodes.map((node, position) =>
      createTestTill({
        site: `${node.origin}/fiscal/${id}`,
        kkm: `000123456701234${position}`,
        auth: { kind: "bearer", token: handlerSecret },
        daemonId: `till ${position}`,
      }),
    );
    const taxes = [{ id: 11, title: "НДС 22%" }];
    for (const [position, till] of tills.entries()) {
      const register = {
        name: "x",
        kkm: `000123456701234${position}`,
        inn: "7700000000",
        fn: `${position}`,
        taxes,
        typeClose: [],
      };
      await till.call("sync", { action: "sync", data: [register] });
    }

    const count = 40;
    const internet = { isInternetPayment: 1, internetPaymentUrl: "https://shop.example", statusId: 1 };
    const replies = await Promise.all(
      Array.from({ length: count }, (_, orderId) => {
        const headers = { "idempotency-key": `order ${orderId}` };
        const body = [newOrder({ orderId, ...internet })];
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
    expect(printed.flat().sort()).toEqual(Array.from({ length: count }, (_, orderId) => String(orderId)).sort());

    await waitFor(
      "all callbacks are delivered",
      async () => {
        const rows = await one.backend.store.db.selectFrom("delivery_outbox").select("state").execute();
        return rows.length > 0 && rows.every(({ state }) => state === "delivered");
      },
      { timeoutMs: 60_000 },
    );
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
    const rows = await one.backend.store.db
      .selectFrom("delivery_orders")
      .select(["order_id", "callback_sequence"])
      .execute();
    for (const { order_id, callback_sequence } of rows) {
      for (let sequence = 1; sequence <= callback_sequence; sequence += 1) {
        expect(seen.get(`${order_id}/${sequence}`)).toBe(1);
      }
    }
    expect(rows).toHaveLength(count);
    receiver.closeAllConnections();
    receiver.close();
    for (const node of nodes) await node.close();
    await database.drop();
  });

  test("under creations, edits, deletions, couriers and print results at once: one callback a change, one receipt an order", async () => {
    const database = await postgres.create();
    const nodes = [await openWorld(database), await openWorld(database)] as const;
    const [one, other] = nodes;
    const shop = await one.shop();
    const apis = [shop, other.api(shop.access.token)] as const;
    await fillCatalog(shop);
    const session = await logIn(one, shop);
    const couriers = [session, other.api(session.token, "/courier/v1")] as const;

    /** Deliveries by order and sequence, and what the last one of each order said. */
    const seen = new Map<string, number>();
    const lastTold = new Map<number, { readonly sequence: number; readonly order: unknown }>();
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const sequence = Number(request.headers["x-order-sequence"]);
        for (const order of JSON.parse(Buffer.concat(chunks).toString()).items) {
          const key = `${order.orderId}/${sequence}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
          if (sequence > (lastTold.get(order.orderId)?.sequence ?? 0)) lastTold.set(order.orderId, { sequence, order });
        }
        response.end();
      });
    });
    await shop.post("/orders/callback", { url: await listen(receiver), isActive: 1 });
    const { id, handlerSecret } = shop.access.resource;
    const tills = await Promise.all(
      nodes.map(async (node, position) => {
        const kkm = `000123456701234${position}`;
        const auth = { kind: "bearer" as const, token: handlerSecret };
        const fn = `999907890000000${position}`;
        const till = createTestTill({
          site: `${node.origin}/fiscal/${id}`,
          kkm,
          fn,
          auth,
          daemonId: `till ${position}`,
        });
        const taxes = [{ id: 11, title: "НДС 22%" }];
        const register = { name: "x", kkm, inn: "7700000000", fn, taxes, typeClose: [] };
        await till.call("sync", { action: "sync", data: [register] });
        return till;
      }),
    );

    const count = 16;
    const paid = { isInternetPayment: 1, internetPaymentUrl: "https://shop.example", statusId: 1 };
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
    /** The tills print what there is while the orders are still changing, and what is left when they are done. */
    const printed: string[] = [];
    let isOver = false;
    async function print(till: (typeof tills)[number]): Promise<void> {
      for (;;) {
        const wasOver = isOver;
        const receipt = await till.printNext();
        if (receipt !== null) printed.push(String(receipt.orderId));
        else if (wasOver) return;
      }
    }
    const printing = Promise.all(tills.map(print));
    await Promise.all(Array.from({ length: count }, (_, orderId) => liveThrough(orderId)));
    isOver = true;
    await printing;
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    expect(printed.sort()).toEqual(Array.from({ length: count }, (_, orderId) => String(orderId)).sort());

    const { db } = one.backend.store;
    await waitFor(
      "all callbacks are delivered",
      async () =>
        (await db.selectFrom("delivery_outbox").select("state").execute()).every((row) => row.state === "delivered"),
      { timeoutMs: 60_000 },
    );
    const rows = await db.selectFrom("delivery_orders").select(["order_id", "callback_sequence"]).execute();
    const wanted = rows.flatMap(({ order_id, callback_sequence }) =>
      Array.from({ length: callback_sequence }, (_, position) => `${order_id}/${position + 1}`),
    );
    expect([...seen.keys()].sort()).toEqual(wanted.sort());
    expect([...seen.values()].filter((times) => times !== 1)).toEqual([]);
    for (let orderId = 0; orderId < count; orderId += 1) {
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
      // Nothing is lost: the last callback tells the order as it is.
      expect(lastTold.get(orderId)?.order).toEqual(order);
      expect((await shop.get("/orderReceipts", query)).status).toBe(200);
      expect((await shop.get("/fiscalRegistratorLogs", query)).body).toHaveLength(1);
    }
    for (const till of tills) await till.close();
    receiver.closeAllConnections();
    receiver.close();
    for (const node of nodes) await node.close();
    await database.drop();
  });
});
