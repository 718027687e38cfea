import { silentLogger } from "@fiscald/shared/logger.js";
import { Webhook } from "standardwebhooks";
import { keepDeadMs, keepDeliveredMs } from "#handlers/delivery/callbacks/callback-purge.js";
import { listCallbacks, replayCallbacks } from "#handlers/delivery/callbacks/callback-replay.js";
import { giveUpAfterMs, retryDelaysMs } from "#handlers/delivery/callbacks/deliver-callbacks.js";
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { openStore, type Store } from "#handlers/store/open-store.js";
import { waitFor } from "../../../support/wait-for.js";
import { openReceiver } from "../callback-receiver.js";
import { fillCatalog, newOrder, openWorld } from "../delivery-world.js";
import { describeOnBothStores } from "../use-world.js";
import { useCallbackWorld } from "./callback-world.js";

const HOUR_MS = 60 * 60 * 1000;

/** A store whose connection for signals is broken without an error. */
function deaf<Tables>(store: Store<Tables>): Store<Tables> {
  return {
    ...store,
    signals: { ...store.signals, subscribe: () => () => {} },
    withTables: <More extends object>() => deaf(store.withTables<More>()),
  };
}

describeOnBothStores("callbacks of the delivery API", (newDatabase) => {
  const used = useCallbackWorld(newDatabase);
  const { arrived, settled, timerSet, sendOut, store } = used;

  test("a callback reports the whole changed order, signed as Standard Webhooks says", async () => {
    await used.shop.post("/orders", [newOrder()]);
    await sendOut();
    await arrived(1);
    const [call] = used.receiver.received;
    const headers = Object.fromEntries(
      Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(headers["x-order-sequence"]).toBe("1");
    expect(headers["content-type"]).toBe("application/json");
    const order = (await used.shop.get("/orders", { orderId: 1042 })).body;
    expect(JSON.parse(call?.text ?? "")).toEqual({ items: [order] });
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${call?.text}`;
    expect(Number(headers["webhook-timestamp"])).toBe(Math.floor(used.clock.now() / 1000));
    const wanted = new Webhook(used.shop.access.resource.callbackSecret).sign(
      String(headers["webhook-id"]),
      new Date(Number(headers["webhook-timestamp"]) * 1000),
      call?.text ?? "",
    );
    expect(signed).not.toBe("");
    expect(headers["webhook-signature"]).toBe(wanted);
  });

  test("changes of an order within a second are one callback with the last state", async () => {
    await used.shop.post("/orders", [newOrder()]);
    await used.shop.put("/orders", { description: "раз" }, { query: { orderId: 1042 } });
    await used.shop.put("/orders", { description: "два" }, { query: { orderId: 1042 } });
    await sendOut();
    await settled("delivered");
    expect(used.receiver.received).toHaveLength(1);
    expect(JSON.parse(used.receiver.received[0]?.text ?? "").items[0].description).toBe("два");
  });

  test("a failing callback is repeated by the published schedule with one webhook-id, and can be replayed after the last try", async () => {
    used.receiver.status = 500;
    await used.shop.post("/orders", [newOrder()]);
    await sendOut();
    for (const [position, delay] of retryDelaysMs.entries()) {
      await arrived(position + 1);
      await waitFor("the failure is written", async () => {
        const [row] = await listCallbacks(store(), {});
        return row?.attempts === position + 1;
      });
      await timerSet(delay);
      await used.clock.advance(delay - 2000);
      expect(used.receiver.received).toHaveLength(position + 1);
      await used.clock.advance(2000);
    }
    await settled("dead");
    expect(used.receiver.received).toHaveLength(retryDelaysMs.length + 1);
    expect(new Set(used.receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(used.receiver.received.map(({ text }) => text)).size).toBe(1);
    used.receiver.status = 200;
    expect(await replayCallbacks(store(), { state: "dead" }, used.clock.now())).toBe(1);
    await settled("delivered");
    expect(used.receiver.received.at(-1)?.headers["webhook-id"]).toBe(used.receiver.received[0]?.headers["webhook-id"]);
  });

  test.each(["down", "answering 503"])(
    "a receiver that was %s for six hours gets all waiting callbacks at its first answer, and no try is counted",
    async (how) => {
      const port = Number(new URL(used.receiver.url).port);
      if (how === "down") used.receiver.close();
      else used.receiver.status = 503;
      await used.shop.post(
        "/orders",
        [1, 2, 3].map((orderId) => newOrder({ orderId })),
      );
      await sendOut();
      const failed = async () => (await listCallbacks(store(), {})).filter(({ lastError }) => lastError !== null);
      await waitFor("they failed", async () => (await failed()).length === 3);
      for (const hour of [1, 2, 3, 4, 5, 6]) {
        await timerSet(60_000);
        await used.shop.put("/orders", { cash: hour }, { query: { orderId: 1 } });
        await used.clock.advance(HOUR_MS);
      }
      // The last hour's call has failed too: the receiver that is up again did not get it.
      await timerSet(60_000);
      used.receiver.status = 200;
      if (how === "down") used.receiver = await openReceiver(port);
      const before = used.receiver.received.length;
      await used.clock.advance(60_000);
      await settled("delivered", 4);
      const told = used.receiver.received.slice(before).map(({ text }) => JSON.parse(text).items[0]);
      expect(told.map(({ orderId }) => orderId).sort()).toEqual([1, 1, 2, 3]);
      expect(told.filter(({ orderId }) => orderId === 1).map(({ cash }) => cash)).toEqual([null, 6]);
      expect((await listCallbacks(store(), {})).map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0]);
    },
  );

  test("a callback that its receiver always answers with 502 does not delay the receiver's other callbacks", async () => {
    used.receiver.refuses = { text: "тяжёлый", status: 502 };
    await used.shop.post("/orders", [newOrder({ orderId: 1, description: "тяжёлый" })]);
    await sendOut();
    await waitFor("it failed", async () => (await listCallbacks(store(), {}))[0]?.lastError != null);
    await used.shop.post("/orders", [newOrder({ orderId: 2 }), newOrder({ orderId: 3 })]);
    await timerSet(60_000);
    await used.clock.advance(60_000);
    await waitFor("the heavy one failed again", () => used.receiver.received.length >= 2);
    await timerSet(60_000);
    await used.clock.advance(60_000);
    await settled("delivered", 2);
    expect((await listCallbacks(store(), { state: "sending" })).map(({ subject }) => subject)).toHaveLength(1);
  });

  test("callbacks to a receiver that stays down end as dead once they are too old, and can be replayed", async () => {
    used.receiver.status = 503;
    await used.shop.post(
      "/orders",
      [1, 2, 3].map((orderId) => newOrder({ orderId })),
    );
    await sendOut();
    await waitFor("they failed", async () => {
      const rows = await listCallbacks(store(), {});
      return rows.length === 3 && rows.every(({ lastError }) => lastError !== null);
    });
    await used.shop.post("/orders", [newOrder({ orderId: 4 }), newOrder({ orderId: 5 })]);
    await timerSet(60_000);
    await used.clock.advance(giveUpAfterMs - 60_000);
    await used.shop.put("/orders", { cash: 5 }, { query: { orderId: 5 } });
    await timerSet(60_000);
    expect(await listCallbacks(store(), { state: "dead" })).toEqual([]);
    await used.clock.advance(120_000);
    await settled("dead", 4);
    await timerSet(60_000);
    used.receiver.status = 200;
    await used.clock.advance(60_000);
    await settled("delivered");
    expect(await replayCallbacks(store(), { state: "dead" }, used.clock.now())).toBe(4);
    await settled("delivered", 5);
  });

  test("a receiver that is down does not delay the callbacks of another shop", async () => {
    const [other, second] = [await used.world.shop(), await openReceiver()];
    await fillCatalog(other);
    await other.post("/orders/callback", { url: second.url, isActive: 1 });
    used.receiver.status = 503;
    const orders = (from: number) => Array.from({ length: 300 }, (_, index) => newOrder({ orderId: from + index }));
    await used.shop.post("/orders", orders(1));
    await sendOut();
    await arrived(1);
    await timerSet(60_000);
    await other.post("/orders", [newOrder()]);
    await sendOut();
    await waitFor("the other shop is told", () => second.received.length === 1);
    second.close();
  });

  test("callbacks are sent even when no database signal arrives, also callbacks that another process replays", async () => {
    const own = await newDatabase();
    const served = await openStore({ address: own.address });
    const running = await openWorld(own, { delivery: { database: deaf(served), coalesceMs: 0, replayCheckMs: 20 } });
    const command = await openStore({ address: own.address, logger: silentLogger });
    try {
      const other = await running.shop();
      await fillCatalog(other);
      await other.post("/orders/callback", { url: used.receiver.url, isActive: 1 });
      const before = used.receiver.received.length;
      await other.post("/orders", [newOrder()]);
      await arrived(before + 1);
      const delivered = () => listCallbacks(running.backend.store, { state: "delivered" });
      await waitFor("it is delivered", async () => (await delivered()).length === 1);
      expect(await replayCallbacks(command.withTables(), { id: (await delivered())[0]?.id ?? 0 }, Date.now())).toBe(1);
      await arrived(before + 2);
      // The receiver has taken the callback once, so its replay has a new id and sequence number.
      const [first, again] = used.receiver.received.slice(before).map(({ headers }) => headers);
      expect(again?.["webhook-id"]).not.toBe(first?.["webhook-id"]);
      expect([first, again].map((headers) => headers?.["x-order-sequence"])).toEqual(["1", "2"]);
    } finally {
      await command.close();
      await running.close();
      await served.close();
      await own.drop();
    }
  });

  test("callbacks of one order are sent one after the other with X-Order-Sequence, and do not delay other orders", async () => {
    used.receiver.status = 500;
    await used.shop.post("/orders", [newOrder({ orderId: 1 })]);
    await sendOut();
    await waitFor("it failed", async () => (await listCallbacks(store(), {}))[0]?.lastError != null);
    used.receiver.status = 200;
    await used.shop.put("/orders", { cash: 1 }, { query: { orderId: 1 } });
    await used.shop.post("/orders", [newOrder({ orderId: 2 })]);
    await waitFor("both wait", async () => (await listCallbacks(store(), { state: "fresh" })).length === 2);
    await sendOut();
    await settled("delivered");
    expect(used.receiver.received.map(({ text }) => JSON.parse(text).items[0].orderId)).toEqual([1, 2]);
    await used.clock.advance(60_000);
    await settled("delivered", 3);
    expect(used.receiver.received.slice(2).map(({ headers }) => headers["x-order-sequence"])).toEqual(["1", "2"]);
  });

  test("callbacks of a sale and of its refund order with the same id are numbered apart, and say which of these they are about", async () => {
    await used.shop.post("/orders", [newOrder({ statusId: 1 })]);
    await sendOut();
    await arrived(1);
    await used.shop.post("/orders", [newOrder({ isRefund: true })], { query: { isRefund: 1 } });
    await sendOut();
    await arrived(2);
    const told = used.receiver.received.map(({ headers }) => [
      headers["x-order-sequence"],
      headers["x-order-is-refund"],
    ]);
    expect(told).toEqual([
      ["1", "0"],
      ["1", "1"],
    ]);
  });

  test("a callback names the requests that caused it, and each answer has its request's id", async () => {
    const sent = { headers: { "idempotency-key": "key-1" } };
    const made = await used.shop.post("/orders", [newOrder()], sent);
    const byClient = { query: { orderId: 1042 }, headers: { "x-request-id": "client-2" } };
    await used.shop.put("/orders", { cash: 1 }, byClient);
    const third = await used.shop.put("/orders", { cash: 2 }, { query: { orderId: 1042 } });
    await sendOut();
    await arrived(1);
    const ownId = third.headers.get("x-request-id");
    expect(made.headers.get("x-request-id")).toBe("key-1");
    expect(ownId).toMatch(/^[0-9a-f-]{36}$/);
    expect(used.receiver.received[0]?.headers["x-caused-by"]).toBe(`key-1, client-2, ${ownId}`);
  });

  test("a delivered callback is deleted after 7 days, and a callback that failed for good after 90", async () => {
    await store().transaction(async (tx) => {
      for (const [state, age] of [
        ["delivered", keepDeliveredMs + 1],
        ["delivered", keepDeliveredMs - HOUR_MS],
        ["dead", keepDeliveredMs + 1],
        ["dead", keepDeadMs + 1],
        ["sending", keepDeadMs + 1],
      ] as const) {
        const row = { resource: 999, kind: "order", lane: `${state} ${age}`, subject: "sale:1", body: "{}" };
        const times = { attempts: 0, due_at: used.clock.now(), claimed_until: 0, created_at: used.clock.now() - age };
        await tx
          .insertInto("delivery_outbox")
          .values({ ...row, ...times, state, webhook_id: "msg_1", sequence: 1, last_error: null, causes: null })
          .execute();
      }
    });
    await used.shop.post("/orders", [newOrder()]);
    await sendOut();
    await waitFor("the old ones are gone", async () => (await listCallbacks(store(), {})).length === 4);
    const left = (await listCallbacks(store(), {})).filter(({ resource }) => resource === 999);
    expect(left.map(({ state, createdAt }) => [state, used.clock.now() - createdAt > keepDeadMs]).sort()).toEqual([
      ["dead", false],
      ["delivered", false],
      ["sending", true],
    ]);
  });

  test("the callback of a closed session has the session's times", async () => {
    await used.shop.post("/licenses/callback", { url: used.receiver.url, isActive: 1 });
    await store().transaction((tx) => setLicenseTotal(tx, 1));
    const login = { resourceId: used.shop.access.resource.id, courierId: 7, password: "letmein-2026" };
    const feed = used.world.api(null, "/courier/v1");
    const session = (await feed.post("/sessions", { ...login, deviceId: "a1", deviceTitle: "Pixel" })).body;
    await used.clock.advance(60_000);
    await used.shop.post("/licenses/close", undefined, { query: { deviceId: "a1" } });
    await arrived(1);
    expect(JSON.parse(used.receiver.received[0]?.text ?? "")).toEqual({
      sessionId: session.sessionId,
      courierId: 7,
      deviceId: "a1",
      deviceTitle: "Pixel",
      sessionStartAt: "2026-11-20 12:00:00",
      sessionFinishAt: "2026-11-20 12:01:00",
    });
  });
});
