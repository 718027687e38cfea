/** Callbacks: signed, in order, coalesced, repeated by the published schedule, never into the private network. */
import { silentLogger } from "@fiscald/shared/logger.js";
import { Webhook } from "standardwebhooks";
import { keepDeadMs, keepDeliveredMs } from "#handlers/delivery/callbacks/callback-purge.js";
import { type CallbackState, listCallbacks, replayCallbacks } from "#handlers/delivery/callbacks/callback-replay.js";
import { giveUpAfterMs, retryDelaysMs } from "#handlers/delivery/callbacks/deliver-callbacks.js";
import { setLicenseTotal } from "#handlers/delivery/catalog/delivery-settings.js";
import { openStore, type Store } from "#handlers/store/open-store.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { waitFor } from "../../../support/wait-for.js";
import { openReceiver, type Receiver } from "../callback-receiver.js";
import { type DeliveryWorld, fillCatalog, newOrder, openWorld, type Shop } from "../delivery-world.js";
import { describeOnBothStores, useOwnWorlds } from "../use-world.js";

const HOUR_MS = 60 * 60 * 1000;

/** A store whose connection for signals is dead, and does not know it. */
function deaf<Tables>(store: Store<Tables>): Store<Tables> {
  return {
    ...store,
    signals: { ...store.signals, subscribe: () => () => {} },
    withTables: <More extends object>() => deaf(store.withTables<More>()),
  };
}

describeOnBothStores("callbacks of the delivery API", (newDatabase) => {
  const openOwn = useOwnWorlds(newDatabase);
  let database: TestDatabase;
  let clock: FakeClock;
  let world: DeliveryWorld;
  let shop: Shop;
  let receiver: Receiver;

  beforeEach(async () => {
    database = await newDatabase();
    clock = createFakeClock();
    world = await openWorld(database, { delivery: { clock, coalesceMs: 1000 } });
    shop = await world.shop();
    receiver = await openReceiver();
    await fillCatalog(shop);
    await shop.post("/orders/callback", { url: receiver.url, isActive: 1 });
  });
  afterEach(async () => {
    receiver.close();
    await world.close();
    await database.drop();
  });

  const store = () => world.backend.store;
  const arrived = (count: number) => waitFor(`${count} callbacks arrived`, () => receiver.received.length >= count);
  const settled = (state: CallbackState, count = 1) =>
    waitFor(`${count} callbacks are ${state}`, async () => (await listCallbacks(store(), { state })).length >= count);
  /** The sender has seen what is due by then: an older, later timer does not stand for it. */
  const timerSet = (withinMs: number) =>
    waitFor("the sender waits", () => clock.nextDueMs !== null && clock.nextDueMs <= withinMs);

  /** Mutex the clock over the time in which changes are gathered. */
  async function sendOut(): Promise<void> {
    await timerSet(1000);
    await clock.advance(1000);
  }

  test("a callback reports the whole changed order, signed as Standard Webhooks says", async () => {
    await shop.post("/orders", [newOrder()]);
    await sendOut();
    await arrived(1);
    const [call] = receiver.received;
    const headers = Object.fromEntries(
      Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(headers["x-order-sequence"]).toBe("1");
    expect(headers["content-type"]).toBe("application/json");
    const order = (await shop.get("/orders", { orderId: 1042 })).body;
    expect(JSON.parse(call?.text ?? "")).toEqual({ items: [order] });
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${call?.text}`;
    expect(Number(headers["webhook-timestamp"])).toBe(Math.floor(clock.now() / 1000));
    const wanted = new Webhook(shop.access.resource.callbackSecret).sign(
      String(headers["webhook-id"]),
      new Date(Number(headers["webhook-timestamp"]) * 1000),
      call?.text ?? "",
    );
    expect(signed).not.toBe("");
    expect(headers["webhook-signature"]).toBe(wanted);
  });

  test("changes of an order within a second are one callback with the last state", async () => {
    await shop.post("/orders", [newOrder()]);
    await shop.put("/orders", { description: "раз" }, { query: { orderId: 1042 } });
    await shop.put("/orders", { description: "два" }, { query: { orderId: 1042 } });
    await sendOut();
    await settled("delivered");
    expect(receiver.received).toHaveLength(1);
    expect(JSON.parse(receiver.received[0]?.text ?? "").items[0].description).toBe("два");
  });

  test("a failing callback is repeated by the published schedule with one webhook-id, and can be replayed after the last try", async () => {
    receiver.status = 500;
    await shop.post("/orders", [newOrder()]);
    await sendOut();
    for (const [position, delay] of retryDelaysMs.entries()) {
      await arrived(position + 1);
      await waitFor("the failure is written", async () => {
        const [row] = await listCallbacks(store(), {});
        return row?.attempts === position + 1;
      });
      await timerSet(delay);
      await clock.advance(delay - 2000);
      expect(receiver.received).toHaveLength(position + 1);
      await clock.advance(2000);
    }
    await settled("dead");
    expect(receiver.received).toHaveLength(retryDelaysMs.length + 1);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    receiver.status = 200;
    expect(await replayCallbacks(store(), { state: "dead" }, clock.now())).toBe(1);
    await settled("delivered");
    expect(receiver.received.at(-1)?.headers["webhook-id"]).toBe(receiver.received[0]?.headers["webhook-id"]);
  });

  test.each(["down", "answering 503"])(
    "a receiver that was %s for six hours gets all waiting callbacks at its first answer, without a counted try",
    async (how) => {
      const port = Number(new URL(receiver.url).port);
      if (how === "down") receiver.close();
      else receiver.status = 503;
      await shop.post(
        "/orders",
        [1, 2, 3].map((orderId) => newOrder({ orderId })),
      );
      await sendOut();
      const failed = async () => (await listCallbacks(store(), {})).filter(({ lastError }) => lastError !== null);
      await waitFor("they failed", async () => (await failed()).length === 3);
      for (const hour of [1, 2, 3, 4, 5, 6]) {
        await timerSet(60_000);
        await shop.put("/orders", { cash: hour }, { query: { orderId: 1 } });
        await clock.advance(HOUR_MS);
      }
      // The last hour's call has failed too: it does not reach a receiver that is there again.
      await timerSet(60_000);
      receiver.status = 200;
      if (how === "down") receiver = await openReceiver(port);
      const before = receiver.received.length;
      await clock.advance(60_000);
      await settled("delivered", 4);
      const told = receiver.received.slice(before).map(({ text }) => JSON.parse(text).items[0]);
      expect(told.map(({ orderId }) => orderId).sort()).toEqual([1, 1, 2, 3]);
      expect(told.filter(({ orderId }) => orderId === 1).map(({ cash }) => cash)).toEqual([null, 6]);
      expect((await listCallbacks(store(), {})).map(({ attempts }) => attempts)).toEqual([0, 0, 0, 0]);
    },
  );

  test("a callback to a receiver that stays down is given up at the age at which the schedule ends", async () => {
    receiver.status = 503;
    await shop.post("/orders", [newOrder()]);
    await sendOut();
    await waitFor("it failed", async () => (await listCallbacks(store(), {}))[0]?.lastError != null);
    await timerSet(60_000);
    await clock.advance(giveUpAfterMs - 2000);
    await arrived(2);
    await timerSet(60_000);
    expect(await listCallbacks(store(), { state: "dead" })).toEqual([]);
    await clock.advance(60_000);
    await settled("dead");
  });

  test("a callback that its receiver always answers with 502 does not delay the receiver's other callbacks", async () => {
    receiver.refuses = { text: "тяжёлый", status: 502 };
    await shop.post("/orders", [newOrder({ orderId: 1, description: "тяжёлый" })]);
    await sendOut();
    await waitFor("it failed", async () => (await listCallbacks(store(), {}))[0]?.lastError != null);
    await shop.post("/orders", [newOrder({ orderId: 2 }), newOrder({ orderId: 3 })]);
    await timerSet(60_000);
    await clock.advance(60_000);
    await waitFor("the heavy one failed again", () => receiver.received.length >= 2);
    await timerSet(60_000);
    await clock.advance(60_000);
    await settled("delivered", 2);
    expect((await listCallbacks(store(), { state: "sending" })).map(({ subject }) => subject)).toHaveLength(1);
  });

  test("callbacks to a receiver that stays down are given up together when they are too old, and can be replayed", async () => {
    receiver.status = 503;
    await shop.post(
      "/orders",
      [1, 2, 3].map((orderId) => newOrder({ orderId })),
    );
    await sendOut();
    await waitFor("they failed", async () => {
      const rows = await listCallbacks(store(), {});
      return rows.length === 3 && rows.every(({ lastError }) => lastError !== null);
    });
    await shop.post("/orders", [newOrder({ orderId: 4 }), newOrder({ orderId: 5 })]);
    await timerSet(60_000);
    await clock.advance(giveUpAfterMs - 60_000);
    await shop.put("/orders", { cash: 5 }, { query: { orderId: 5 } });
    await timerSet(60_000);
    await clock.advance(120_000);
    await settled("dead", 4);
    await timerSet(60_000);
    receiver.status = 200;
    await clock.advance(60_000);
    await settled("delivered");
    expect(await replayCallbacks(store(), { state: "dead" }, clock.now())).toBe(4);
    await settled("delivered", 5);
  });

  test("a receiver that is down does not delay the callbacks of another shop", async () => {
    const [other, second] = [await world.shop(), await openReceiver()];
    await fillCatalog(other);
    await other.post("/orders/callback", { url: second.url, isActive: 1 });
    receiver.status = 503;
    const orders = (from: number) => Array.from({ length: 300 }, (_, index) => newOrder({ orderId: from + index }));
    await shop.post("/orders", orders(1));
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
      await other.post("/orders/callback", { url: receiver.url, isActive: 1 });
      const before = receiver.received.length;
      await other.post("/orders", [newOrder()]);
      await arrived(before + 1);
      const delivered = () => listCallbacks(running.backend.store, { state: "delivered" });
      await waitFor("it is delivered", async () => (await delivered()).length === 1);
      expect(await replayCallbacks(command.withTables(), { id: (await delivered())[0]?.id ?? 0 }, Date.now())).toBe(1);
      await arrived(before + 2);
      // Its receiver has taken it once: by its id and its sequence it is another one now.
      const [first, again] = receiver.received.slice(before).map(({ headers }) => headers);
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
    receiver.status = 500;
    await shop.post("/orders", [newOrder({ orderId: 1 })]);
    await sendOut();
    await waitFor("it failed", async () => (await listCallbacks(store(), {}))[0]?.lastError != null);
    receiver.status = 200;
    await shop.put("/orders", { cash: 1 }, { query: { orderId: 1 } });
    await shop.post("/orders", [newOrder({ orderId: 2 })]);
    await waitFor("both wait", async () => (await listCallbacks(store(), { state: "fresh" })).length === 2);
    await sendOut();
    await settled("delivered");
    expect(receiver.received.map(({ text }) => JSON.parse(text).items[0].orderId)).toEqual([1, 2]);
    await clock.advance(60_000);
    await settled("delivered", 3);
    expect(receiver.received.slice(2).map(({ headers }) => headers["x-order-sequence"])).toEqual(["1", "2"]);
  });

  test("callbacks of a sale and of its refund order with the same id are numbered apart, and say which of these they are about", async () => {
    await shop.post("/orders", [newOrder({ statusId: 1 })]);
    await sendOut();
    await arrived(1);
    await shop.post("/orders", [newOrder({ isRefund: true })], { query: { isRefund: 1 } });
    await sendOut();
    await arrived(2);
    const told = receiver.received.map(({ headers }) => [headers["x-order-sequence"], headers["x-order-is-refund"]]);
    expect(told).toEqual([
      ["1", "0"],
      ["1", "1"],
    ]);
  });

  test("a callback names the requests that caused it, and each answer has its request's id", async () => {
    const sent = { headers: { "idempotency-key": "key-1" } };
    const made = await shop.post("/orders", [newOrder()], sent);
    const byClient = { query: { orderId: 1042 }, headers: { "x-request-id": "client-2" } };
    await shop.put("/orders", { cash: 1 }, byClient);
    const third = await shop.put("/orders", { cash: 2 }, { query: { orderId: 1042 } });
    await sendOut();
    await arrived(1);
    const ownId = third.headers.get("x-request-id");
    expect(made.headers.get("x-request-id")).toBe("key-1");
    expect(ownId).toMatch(/^[0-9a-f-]{36}$/);
    expect(receiver.received[0]?.headers["x-caused-by"]).toBe(`key-1, client-2, ${ownId}`);
  });

  test("a new callback address replaces the earlier address of the same kind", async () => {
    const second = await openReceiver();
    expect((await shop.post("/orders/callback", { url: second.url, isActive: 1 })).status).toBe(201);
    await shop.post("/orders", [newOrder()]);
    await sendOut();
    await waitFor("the second is told", () => second.received.length === 1);
    await settled("delivered");
    expect(receiver.received).toEqual([]);
    second.close();
  });

  test("a delivered callback is deleted after 7 days and a given-up callback after 90", async () => {
    await store().transaction(async (tx) => {
      for (const [state, age] of [
        ["delivered", keepDeliveredMs + 1],
        ["delivered", keepDeliveredMs - HOUR_MS],
        ["dead", keepDeliveredMs + 1],
        ["dead", keepDeadMs + 1],
        ["sending", keepDeadMs + 1],
      ] as const) {
        const row = { resource: 999, kind: "order", lane: `${state} ${age}`, subject: "sale:1", body: "{}" };
        const times = { attempts: 0, due_at: clock.now(), claimed_until: 0, created_at: clock.now() - age };
        await tx
          .insertInto("delivery_outbox")
          .values({ ...row, ...times, state, webhook_id: "msg_1", sequence: 1, last_error: null, causes: null })
          .execute();
      }
    });
    await shop.post("/orders", [newOrder()]);
    await sendOut();
    await waitFor("the old ones are gone", async () => (await listCallbacks(store(), {})).length === 4);
    const left = (await listCallbacks(store(), {})).filter(({ resource }) => resource === 999);
    expect(left.map(({ state, createdAt }) => [state, clock.now() - createdAt > keepDeadMs]).sort()).toEqual([
      ["dead", false],
      ["delivered", false],
      ["sending", true],
    ]);
  });

  test("a callback address with isActive 0 is stored and not called", async () => {
    const { status, body } = await shop.post("/orders/callback", { url: "http://nowhere.invalid/", isActive: 0 });
    expect(status).toBe(201);
    expect(body).toEqual({ url: "http://nowhere.invalid/", isActive: 0 });
    await shop.post("/orders", [newOrder()]);
    expect(await listCallbacks(store(), {})).toEqual([]);
  });

  test.each(["down", "answering 500"])(
    "a receiver that is %s at its registration is stored with a warning, and called when it is up",
    async (how) => {
      const late = await openReceiver();
      late.testStatus = 500;
      if (how === "down") late.close();
      const url = late.url;
      const what = how === "down" ? "it cannot be reached" : "The address answered with status 500.";
      const { status, body } = await shop.post("/orders/callback", { url, isActive: 1 });
      const warnings = [{ path: "url", message: `did not take the test call: ${what}` }];
      expect([status, body]).toEqual([201, { url, isActive: 1, warnings }]);
      await shop.post("/orders", [newOrder()]);
      await sendOut();
      if (how === "down") await waitFor("it failed", async () => (await listCallbacks(store(), {}))[0]?.lastError);
      else await waitFor("it has arrived", () => late.received.length === 1);
      late.close();
    },
  );

  test("a request without an address switches a callback off and keeps its address", async () => {
    expect(await shop.post("/orders/callback", { isActive: 0 })).toMatchObject({
      status: 201,
      body: { url: receiver.url, isActive: 0 },
    });
    expect(await shop.post("/licenses/callback", { isActive: 0 })).toMatchObject({ status: 201, body: { url: "" } });
    const { status, body } = await shop.post("/orders/callback", { isActive: 1 });
    expect([status, body.message]).toEqual([422, "url: is required where isActive is 1"]);
  });

  test.each(["dead", "by its number"])(
    "the log says that callbacks wait when their address is switched off, and they are replayed %s after it is on again",
    async (how) => {
      const logged: string[] = [];
      const logger = createTestLogger((line) => logged.push(line));
      const own = await openOwn({ delivery: { clock, coalesceMs: 1000, logger } });
      const other = await own.shop();
      await fillCatalog(other);
      await other.post("/orders/callback", { url: receiver.url, isActive: 1 });
      await other.post("/orders", [newOrder()]);
      await timerSet(1000);
      await other.post("/orders/callback", { isActive: 0 });
      expect(logged).toEqual([expect.stringMatching(/^an address is switched off: callbacks that wait /)]);
      await clock.advance(1000);
      const dead = () => listCallbacks(own.backend.store, { state: "dead" });
      await waitFor("it is given up", async () => (await dead()).length === 1);
      await other.post("/orders/callback", { url: receiver.url, isActive: 1 });
      const which = how === "dead" ? { state: "dead" as const } : { id: (await dead())[0]?.id ?? 0 };
      expect(await replayCallbacks(own.backend.store, which, clock.now())).toBe(1);
      await arrived(1);
      expect(JSON.parse(receiver.received[0]?.text ?? "")).toMatchObject({ items: [{ orderId: 1042 }] });
    },
  );

  test.each([
    ["is unknown", async () => Promise.reject(new Error("ENOTFOUND"))],
    ["has no address", async () => []],
  ])("a callback address whose name %s at its registration is stored with a warning", async (_how, resolve) => {
    const own = await openOwn({ delivery: { allowPrivateCallbacks: false, resolve } });
    const url = "https://not-yet.example/hook";
    const message = "did not take the test call: its name leads nowhere yet";
    const { status, body } = await (await own.shop()).post("/orders/callback", { url, isActive: 1 });
    expect([status, body]).toEqual([201, { url, isActive: 1, warnings: [{ path: "url", message }] }]);
  });

  test("a callback registration repeated with its Idempotency-Key makes no second test call and gets the same answer", async () => {
    const tried = await openReceiver();
    const keyed = { headers: { "idempotency-key": "registration" } };
    const body = { url: tried.url, isActive: 1 };
    const first = await shop.post("/orders/callback", body, keyed);
    expect([first.status, tried.tested]).toEqual([201, 1]);
    expect(await shop.post("/orders/callback", body, keyed)).toMatchObject({ status: 201, body: first.body });
    expect(tried.tested).toBe(1);
    tried.close();
    expect(await shop.post("/orders/callback", body, keyed)).toMatchObject({ status: 201, body: first.body });
    expect((await shop.post("/orders/callback", { ...body, isActive: 0 }, keyed)).status).toBe(422);
    await clock.advance(24 * HOUR_MS + 1);
    expect((await shop.post("/orders/callback", body, keyed)).body.warnings).toHaveLength(1);
  });

  test.each(["ftp://shop.example/", "shop.example", "javascript:alert(1)"])("the address %s gets 422", async (url) => {
    expect((await shop.post("/orders/callback", { url, isActive: 1 })).status).toBe(422);
  });

  test("the callback of a closed session has the session's times", async () => {
    await shop.post("/licenses/callback", { url: receiver.url, isActive: 1 });
    await store().transaction((tx) => setLicenseTotal(tx, 1));
    const login = { resourceId: shop.access.resource.id, courierId: 7, password: "letmein-2026" };
    const feed = world.api(null, "/courier/v1");
    const session = (await feed.post("/sessions", { ...login, deviceId: "a1", deviceTitle: "Pixel" })).body;
    await clock.advance(60_000);
    await shop.post("/licenses/close", undefined, { query: { deviceId: "a1" } });
    await arrived(1);
    expect(JSON.parse(receiver.received[0]?.text ?? "")).toEqual({
      sessionId: session.sessionId,
      courierId: 7,
      deviceId: "a1",
      deviceTitle: "Pixel",
      sessionStartAt: "2026-11-20 12:00:00",
      sessionFinishAt: "2026-11-20 12:01:00",
    });
  });

  describe("callbacks to a name whose address has changed", () => {
    let own: TestDatabase;
    let addresses: string[];
    let asked: string[];
    const worlds: DeliveryWorld[] = [];

    beforeEach(async () => {
      own = await newDatabase();
      addresses = ["127.0.0.1"];
      asked = [];
    });
    afterEach(async () => {
      for (const opened of worlds.splice(0)) await opened.close();
      await own.drop();
    });

    /** Name resolution answers the addresses one after another, the last one for ever. */
    async function openAt(allowPrivateCallbacks: boolean): Promise<DeliveryWorld> {
      const resolve = async (host: string) => {
        asked.push(host);
        const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? "";
        return [{ address, family: 4 as const }];
      };
      const opened = await openWorld(own, { delivery: { clock, allowPrivateCallbacks, resolve } });
      worlds.push(opened);
      return opened;
    }

    const named = (path = "/hook") => `http://callbacks.shop.example:${new URL(receiver.url).port}${path}`;

    test("a callback name that became private after its registration is not called", async () => {
      const open = await openAt(true);
      const other = await open.shop("other");
      await fillCatalog(other);
      expect((await other.post("/orders/callback", { url: named(), isActive: 1 })).status).toBe(201);
      for (const opened of worlds.splice(0)) await opened.close();
      const closed = await openAt(false);
      addresses = ["10.0.0.5"];
      await closed.api(other.access.token).post("/orders", [newOrder()]);
      const failure = async () => (await listCallbacks(closed.backend.store, {}))[0]?.lastError;
      await waitFor("it is refused", async () => (await failure())?.includes("private address 10.0.0.5"));
      expect(receiver.received).toEqual([]);
    });

    test("a callback resolves its name once and connects to the address that was checked (DNS rebinding)", async () => {
      const rebound = await openAt(true);
      const other = await rebound.shop("other");
      await fillCatalog(other);
      // No resolver of this machine knows the name: only the checked address can lead to the receiver.
      expect((await other.post("/orders/callback", { url: named(), isActive: 1 })).status).toBe(201);
      addresses = ["127.0.0.1", "203.0.113.9"];
      asked = [];
      await other.post("/orders", [newOrder()]);
      await arrived(1);
      expect(asked).toEqual(["callbacks.shop.example"]);
      expect(receiver.received[0]?.headers.host).toBe(new URL(named()).host);
    });
  });

  test("callback addresses in the private network are refused unless allowed, by address and by name", async () => {
    const resolve = async () => [
      { address: "93.184.216.34", family: 4 as const },
      { address: "10.0.0.5", family: 4 as const },
    ];
    const closed = await openOwn({ delivery: { allowPrivateCallbacks: false, resolve } });
    const other = await closed.shop();
    for (const url of [receiver.url, "http://[::1]/", "http://169.254.169.254/latest", "http://rebind.example/"]) {
      const { status, body } = await other.post("/orders/callback", { url, isActive: 1 });
      // What the name leads to is not told.
      expect([status, body.message]).toEqual([422, expect.stringMatching(/^url: is at no public address; [^\d]*$/)]);
    }
    expect(receiver.received).toEqual([]);
  });
});
