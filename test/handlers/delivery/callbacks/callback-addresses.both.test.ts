import { listCallbacks, replayCallbacks } from "#handlers/delivery/callbacks/callback-replay.js";
import type { TestDatabase } from "../../../support/site-databases.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { waitFor } from "../../../support/wait-for.js";
import { openReceiver } from "../callback-receiver.js";
import { type DeliveryWorld, fillCatalog, newOrder, openWorld } from "../delivery-world.js";
import { describeOnBothStores, useOwnWorlds } from "../use-world.js";
import { useCallbackWorld } from "./callback-world.js";

const HOUR_MS = 60 * 60 * 1000;

describeOnBothStores("addresses of callbacks", (newDatabase) => {
  const used = useCallbackWorld(newDatabase);
  const openOwn = useOwnWorlds(newDatabase);
  const { arrived, settled, timerSet, sendOut, store } = used;

  test("a new callback address replaces the earlier address of the same kind", async () => {
    const second = await openReceiver();
    expect((await used.shop.post("/orders/callback", { url: second.url, isActive: 1 })).status).toBe(201);
    await used.shop.post("/orders", [newOrder()]);
    await sendOut();
    await waitFor("the second is told", () => second.received.length === 1);
    await settled("delivered");
    expect(used.receiver.received).toEqual([]);
    second.close();
  });

  test("a callback address with isActive 0 is stored and not called", async () => {
    const { status, body } = await used.shop.post("/orders/callback", { url: "http://nowhere.invalid/", isActive: 0 });
    expect(status).toBe(201);
    expect(body).toEqual({ url: "http://nowhere.invalid/", isActive: 0 });
    await used.shop.post("/orders", [newOrder()]);
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
      const { status, body } = await used.shop.post("/orders/callback", { url, isActive: 1 });
      const warnings = [{ path: "url", message: `did not take the test call: ${what}` }];
      expect([status, body]).toEqual([201, { url, isActive: 1, warnings }]);
      await used.shop.post("/orders", [newOrder()]);
      await sendOut();
      if (how === "down") await waitFor("it failed", async () => (await listCallbacks(store(), {}))[0]?.lastError);
      else await waitFor("it has arrived", () => late.received.length === 1);
      late.close();
    },
  );

  test("a request without an address switches a callback off and keeps its address", async () => {
    expect(await used.shop.post("/orders/callback", { isActive: 0 })).toMatchObject({
      status: 201,
      body: { url: used.receiver.url, isActive: 0 },
    });
    expect(await used.shop.post("/licenses/callback", { isActive: 0 })).toMatchObject({
      status: 201,
      body: { url: "" },
    });
    const { status, body } = await used.shop.post("/orders/callback", { isActive: 1 });
    expect([status, body.message]).toEqual([422, "url: is required where isActive is 1"]);
  });

  test.each(["dead", "by its number"])(
    "the log says that callbacks wait when their address is switched off, and they are replayed %s after it is on again",
    async (how) => {
      const logged: string[] = [];
      const logger = createTestLogger((line) => logged.push(line));
      const own = await openOwn({ delivery: { clock: used.clock, coalesceMs: 1000, logger } });
      const other = await own.shop();
      await fillCatalog(other);
      await other.post("/orders/callback", { url: used.receiver.url, isActive: 1 });
      await other.post("/orders", [newOrder()]);
      await timerSet(1000);
      await other.post("/orders/callback", { isActive: 0 });
      expect(logged).toEqual([expect.stringMatching(/^an address is switched off: callbacks that wait /)]);
      await used.clock.advance(1000);
      const dead = () => listCallbacks(own.backend.store, { state: "dead" });
      await waitFor("it is given up", async () => (await dead()).length === 1);
      await other.post("/orders/callback", { url: used.receiver.url, isActive: 1 });
      const which = how === "dead" ? { state: "dead" as const } : { id: (await dead())[0]?.id ?? 0 };
      expect(await replayCallbacks(own.backend.store, which, used.clock.now())).toBe(1);
      await arrived(1);
      expect(JSON.parse(used.receiver.received[0]?.text ?? "")).toMatchObject({ items: [{ orderId: 1042 }] });
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
    const first = await used.shop.post("/orders/callback", body, keyed);
    expect([first.status, tried.tested]).toEqual([201, 1]);
    expect(await used.shop.post("/orders/callback", body, keyed)).toMatchObject({ status: 201, body: first.body });
    expect(tried.tested).toBe(1);
    tried.close();
    expect(await used.shop.post("/orders/callback", body, keyed)).toMatchObject({ status: 201, body: first.body });
    expect((await used.shop.post("/orders/callback", { ...body, isActive: 0 }, keyed)).status).toBe(422);
    await used.clock.advance(24 * HOUR_MS + 1);
    expect((await used.shop.post("/orders/callback", body, keyed)).body.warnings).toHaveLength(1);
  });

  test.each(["ftp://shop.example/", "shop.example", "javascript:alert(1)"])("the address %s gets 422", async (url) => {
    expect((await used.shop.post("/orders/callback", { url, isActive: 1 })).status).toBe(422);
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

    /** Resolves the name to one address after another, then to the last address for ever. */
    async function openAt(allowPrivateCallbacks: boolean): Promise<DeliveryWorld> {
      const resolve = async (host: string) => {
        asked.push(host);
        const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? "";
        return [{ address, family: 4 as const }];
      };
      const opened = await openWorld(own, { delivery: { clock: used.clock, allowPrivateCallbacks, resolve } });
      worlds.push(opened);
      return opened;
    }

    const named = (path = "/hook") => `http://callbacks.shop.example:${new URL(used.receiver.url).port}${path}`;

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
      expect(used.receiver.received).toEqual([]);
    });

    test("a callback resolves its name once and connects to the address that was checked (DNS rebinding)", async () => {
      const rebound = await openAt(true);
      const other = await rebound.shop("other");
      await fillCatalog(other);
      // Only the checked address can lead to the receiver, because no resolver of this machine knows the name.
      expect((await other.post("/orders/callback", { url: named(), isActive: 1 })).status).toBe(201);
      addresses = ["127.0.0.1", "203.0.113.9"];
      asked = [];
      await other.post("/orders", [newOrder()]);
      await arrived(1);
      expect(asked).toEqual(["callbacks.shop.example"]);
      expect(used.receiver.received[0]?.headers.host).toBe(new URL(named()).host);
    });
  });

  test("callback addresses in the private network are refused unless allowed, by address and by name", async () => {
    const resolve = async () => [
      { address: "93.184.216.34", family: 4 as const },
      { address: "10.0.0.5", family: 4 as const },
    ];
    const closed = await openOwn({ delivery: { allowPrivateCallbacks: false, resolve } });
    const other = await closed.shop();
    for (const url of [used.receiver.url, "http://[::1]/", "http://169.254.169.254/latest", "http://rebind.example/"]) {
      const { status, body } = await other.post("/orders/callback", { url, isActive: 1 });
      expect([status, body.message]).toEqual([422, expect.stringMatching(/^url: is at no public address; [^\d]*$/)]);
    }
    expect(used.receiver.received).toEqual([]);
  });
});
