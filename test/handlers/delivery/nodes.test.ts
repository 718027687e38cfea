/** Two nodes on one PostgreSQL: one callback per change, one receipt per order, one effect per Idempotency-Key. */
import { createServer } from "node:http";
import { createTestTill } from "@fiscald/handlers/print-server/test-till.js";
import { databaseKinds } from "../../support/site-databases.js";
import { waitFor } from "../../support/wait-for.js";
import { fillCatalog, listen, newOrder, openWorld } from "./delivery-world.js";

const postgres = databaseKinds.find(({ name }) => name === "PostgreSQL");
const describeNodes = postgres?.skipped === null ? describe : describe.skip;

describeNodes("two nodes on one PostgreSQL", () => {
  test("under parallel load double nothing and lose nothing", async () => {
    if (postgres === undefined) throw new Error("PostgreSQL is not among the databases");
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
        const rows = await one.delivery.backend.store.db.selectFrom("delivery_outbox").select("state").execute();
        return rows.length > 0 && rows.every(({ state }) => state === "delivered");
      },
      { timeoutMs: 20_000 },
    );
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
    const rows = await one.delivery.backend.store.db
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
  }, 60_000);
});
