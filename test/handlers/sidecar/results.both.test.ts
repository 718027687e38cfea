/** What a shop without Node hears of its receipts: results at its address, lists, waiting, withdrawing. */
import { Webhook } from "standardwebhooks";
import { listCallbacks, replayCallbacks } from "#handlers/delivery/callbacks/callback-replay.js";
import type { ReceiptTables } from "#handlers/print-server/receipt-tables.js";
import { findReceipts } from "#handlers/print-server/receipts/list-receipts.js";
import { toWire } from "#handlers/sidecar/receipt-operations.js";
import { sendResult } from "#handlers/sidecar/send-results.js";
import { fullScans } from "../../support/full-scans.js";
import { databaseKinds } from "../../support/site-databases.js";
import { waitFor } from "../../support/wait-for.js";
import { openSidecarWorld, order, type SidecarWorld } from "./sidecar-world.js";

const receiptId = "6c1f4c1e-7d0a-4d61-9a3e-000000000001";

const leftOutAt = (path: string) => ({
  status: 200,
  body: { warnings: [{ path, message: expect.stringContaining("is left out") }] },
});

describe.each(databaseKinds)("results of a shop's receipts on $name", ({ skipped, create }) => {
  const check = skipped === null ? test : test.skip;
  let world: SidecarWorld;
  beforeEach(async () => {
    if (skipped === null) world = await openSidecarWorld(await create());
  });
  afterEach(async () => {
    if (skipped === null) await world.close();
  });

  const arrived = (count: number) => waitFor(`${count} results arrived`, () => world.receiver.received.length >= count);

  async function sold(orderId: string, outcome: "printed" | "failed" | "unknown", head: object = {}) {
    await world.post(order(orderId, head));
    const receipt = await world.till.poll();
    if (receipt === null) throw new Error("no receipt was handed out");
    await world.till.report(receipt, { outcome, resultInfo: `it is ${outcome}` });
    return receipt;
  }

  check("each result is sent to the shop's address, signed, in the form that GET shows", async () => {
    const { receiver, resource } = world;
    expect(await world.call("POST", "/receipts/callback", { url: receiver.url, isActive: 1 })).toEqual({
      status: 200,
      body: { url: receiver.url, isActive: 1, warning: null },
    });
    expect([receiver.tested, await world.get("/receipts/callback")]).toMatchObject([1, { body: { isActive: 1 } }]);
    const receipt = await sold("A-1", "unknown");
    await arrived(1);
    await world.till.report(receipt);
    await arrived(2);
    const bodies = receiver.received.map(({ text }) => JSON.parse(text));
    expect(bodies).toMatchObject([
      { orderId: "A-1", state: "unknown", resultInfo: "it is unknown", document: null },
      { orderId: "A-1", state: "printed", document: { fdNumber: expect.any(String), emulated: false } },
    ]);
    expect((await world.get(`/receipts/${receipt.receiptId}`)).body).toEqual(bodies[1]);
    const { headers, text = "" } = receiver.received[0] ?? {};
    const id = String(headers?.["webhook-id"]);
    const at = new Date(Number(headers?.["webhook-timestamp"]) * 1000);
    expect(headers?.["webhook-signature"]).toBe(new Webhook(resource.callbackSecret).sign(id, at, text));
  });

  check("a result has its receipt's key, its warnings, and the receipt that took a failed one's place", async () => {
    await world.call("POST", "/receipts/callback", { url: world.receiver.url, isActive: 1 });
    await world.post(order("A-1", { clientContct: "a@b.example" }), "?key=payment-1", { "accept-language": "ru" });
    const receipt = await world.till.poll();
    if (receipt === null) throw new Error("no receipt was handed out");
    await world.till.report(receipt, { outcome: "failed" });
    await arrived(1);
    const odd = [{ path: "clientContct", message: expect.stringContaining("did you mean `clientContact`") }];
    const said = { key: "payment-1", state: "failed", replacedBy: null, warnings: odd };
    expect(JSON.parse(world.receiver.received[0]?.text ?? "")).toMatchObject(said);
    const { body: mended } = await world.post(order("A-1", {}, 130));
    const listed = await world.call("GET", "/receipts?state=failed", undefined, { "accept-language": "ru" });
    const { receiptId: replacedBy } = Object(mended);
    const russian = [{ path: "clientContct", message: expect.stringContaining("возможно, нужен") }];
    expect(listed).toMatchObject({ status: 200, body: [{ replacedBy, warnings: russian }] });
  });

  check("a warning that both a receipt and its result have is shown once", async () => {
    await sold("A-1", "printed");
    const [stored] = await findReceipts(world.store.withTables<ReceiptTables>().db, { orderId: "A-1" });
    if (stored === undefined || stored.result === null) throw new Error("no result is stored");
    const own = { path: "taskTable[1].param.tax", message: "is missing", ru: "ставки нет" };
    const told = [
      { path: own.path, message: own.ru },
      { path: "taskTable[2].param.tax", message: own.ru },
      { path: own.path, message: "другая ставка" },
    ];
    const { warnings } = toWire({ ...stored, warnings: [own], result: { ...stored.result, warnings: told } }, "en");
    expect(warnings).toEqual([{ path: own.path, message: own.message }, ...told.slice(1)]);
  });

  check("a result that is recorded twice is put into the outbox of callbacks once", async () => {
    await world.call("POST", "/receipts/callback", { url: world.receiver.url, isActive: 1 });
    const receipt = await sold("A-1", "printed");
    const { result } = (await findReceipts(world.store.withTables<ReceiptTables>().db, { orderId: "A-1" }))[0] ?? {};
    if (result === null || result === undefined) throw new Error("the receipt has no result");
    const of = { clock: world.clock, shop: world.resource.id, language: "en" } as const;
    for (const _ of "12") await sendResult(world.store, of, { ...result, receiptId: receipt.receiptId });
    expect(await listCallbacks(world.store, {})).toHaveLength(1);
  });

  check("queuing, reporting and listing receipts scan no growing table as a whole", async () => {
    const { url } = world.receiver;
    const scans = await fullScans(world.store, async () => {
      await world.call("POST", "/receipts/callback", { url, isActive: 1 });
      await sold("A-1", "failed", { callback_url: `${url}/own` });
      await sold("A-2", "printed");
      await arrived(2);
      for (const query of ["state=failed", "orderId=A-2"]) await world.get(`/receipts?${query}`);
    });
    expect(scans).toEqual([]);
  });

  check("a shop without an address for results, or with a switched-off one, is sent nothing", async () => {
    await sold("A-1", "printed");
    await world.call("POST", "/receipts/callback", { url: world.receiver.url, isActive: 0 });
    await sold("A-2", "printed");
    expect(await listCallbacks(world.store, {})).toEqual([]);
  });

  check(
    "an address in a body gets the result if its origin is that of the shop's own address, and else gives a warning",
    async () => {
      const { receiver } = world;
      const ownUrl = `${receiver.url}/own?order=1`;
      const body = (url: string) => ({ ...order("A-1"), service: { callback_url: url } });
      for (const orderId of ["A-0", "B-0"]) {
        const posted = await world.post({ ...order(orderId), callback_url: "https://other.example/" });
        expect(posted).toMatchObject(leftOutAt("callback_url"));
        await world.till.printNext();
      }
      expect(world.warnings.filter((line) => line.includes("is left out"))).toHaveLength(1);
      await world.call("POST", "/receipts/callback", { url: receiver.url, isActive: 1 });
      for (const url of ["https://other.example/hook", "no address"]) {
        expect(await world.post(body(url))).toMatchObject(leftOutAt("service.callback_url"));
      }
      const inside = order("A-1", { callback_url: "https://other.example/" });
      expect(await world.post(inside)).toMatchObject(leftOutAt("response.callback_url"));
      expect(await world.post(body(ownUrl))).toMatchObject({ status: 200, body: { warnings: [] } });
      await world.till.printNext();
      await arrived(1);
      const [sent] = await listCallbacks(world.store, {});
      expect(sent?.kind).toBe(`receipt ${ownUrl}`);
    },
  );

  check("an address in a body gets nothing once the shop's own one is switched off or moved elsewhere", async () => {
    const { receiver } = world;
    const address = (url: string, isActive: 0 | 1) => world.call("POST", "/receipts/callback", { url, isActive });
    const put = (orderId: string) => world.post(order(orderId, { callback_url: `${receiver.url}/own` }));
    await address(receiver.url, 1);
    await put("A-1");
    await put("A-2");
    await address(receiver.url, 0);
    await world.till.printNext();
    expect(await listCallbacks(world.store, {})).toEqual([]);
    const moved = receiver.url.replace("127.0.0.1", "localhost");
    await address(moved, 1);
    await world.till.printNext();
    expect((await listCallbacks(world.store, {})).map(({ kind }) => kind)).toEqual(["receipt"]);
  });

  check("a result that is sent again by hand has the same content and an id of its own", async () => {
    const { receiver, store, clock } = world;
    await world.call("POST", "/receipts/callback", { url: receiver.url, isActive: 1 });
    await sold("A-1", "printed");
    await arrived(1);
    const [sent] = await listCallbacks(store, {});
    await waitFor("it is noted", async () => (await listCallbacks(store, { state: "delivered" })).length === 1);
    await replayCallbacks(store, { id: sent?.id ?? 0 }, clock.now());
    await arrived(2);
    const [first, second] = receiver.received;
    expect(second?.text).toBe(first?.text);
    expect(second?.headers["webhook-id"]).not.toBe(first?.headers["webhook-id"]);
  });

  check(
    "an address for results that can never be called is refused, and one that is not there is warned of",
    async () => {
      for (const [url, warning] of [
        ["http://127.0.0.1:9/", "it cannot be reached"],
        ["http://no-such-host.invalid/", "its name leads nowhere yet"],
      ]) {
        const stored = await world.call("POST", "/receipts/callback", { url, isActive: 1 });
        expect(stored).toMatchObject({ status: 200, body: { warning } });
      }
      for (const url of ["ftp://shop.example/", "here"]) {
        expect(await world.call("POST", "/receipts/callback", { url, isActive: 1 })).toMatchObject({
          status: 422,
          body: { path: "url" },
        });
      }
    },
  );

  check("GET /receipts lists what failed, is unknown or waits since a time, the earliest change first", async () => {
    const { clock } = world;
    await sold("A-1", "failed");
    await clock.advance(60_000);
    const since = new Date(clock.now()).toISOString();
    await sold("A-2", "failed");
    await sold("A-3", "unknown");
    await world.post(order("A-4"));
    const listed = async (query: string) => {
      const { status, body } = await world.get(`/receipts?${query}`);
      return [status, Array.isArray(body) ? body.map(({ orderId }) => orderId) : body];
    };
    expect(await listed("state=failed")).toEqual([200, ["A-1", "A-2"]]);
    expect(await listed(`state=failed&since=${since}`)).toEqual([200, ["A-2"]]);
    expect(await listed("state=unknown")).toEqual([200, ["A-3"]]);
    expect(await listed("state=queued")).toEqual([200, ["A-4"]]);
    expect(await listed(`since=${since}`)).toEqual([200, ["A-2", "A-3", "A-4"]]);
    expect(await listed("orderId=A-1&state=printed")).toEqual([200, []]);
    expect((await listed("since=yesterday"))[0]).toBe(400);
    expect((await listed("state=lost"))[0]).toBe(400);
  });

  check("a queued or failed receipt can be deleted, even twice, and a printed one cannot", async () => {
    await world.post(order("A-1", { receiptId }));
    const path = `/receipts/${receiptId}`;
    for (const _ of "12") {
      expect(await world.call("DELETE", path)).toMatchObject({ status: 200, body: { receiptId, state: "replaced" } });
    }
    expect(await world.till.poll()).toBeNull();
    expect(await world.post(order("A-1", { receiptId }))).toMatchObject({ body: { state: "queued" } });
    const handed = await world.till.poll();
    if (handed !== null) await world.till.report(handed, { outcome: "failed" });
    expect(await world.call("DELETE", path)).toMatchObject({ status: 200, body: { state: "replaced" } });
    expect(await world.get("/receipts?state=failed")).toMatchObject({ body: [] });
    await world.post(order("A-1", { receiptId }));
    await world.till.printNext();
    expect(await world.call("DELETE", path)).toMatchObject({
      status: 422,
      body: { code: "job.wrong-state", path: "receiptId", receiptId, fdNumber: "1" },
    });
    const unknown = `/receipts/${receiptId.replace(/1$/, "9")}`;
    expect(await world.call("DELETE", unknown)).toMatchObject({ status: 404, body: { code: "api.not-found" } });
  });

  check("a call that waits for a receipt is answered when the result comes, or at its time limit", async () => {
    const { clock } = world;
    await world.post(order("A-1", { receiptId }));
    const path = `/receipts/${receiptId}?wait=25`;
    const waiting = world.get(path);
    await waitFor("the call waits", () => clock.nextDueMs !== null && clock.nextDueMs <= 25_000);
    await world.till.printNext();
    expect(await waiting).toMatchObject({ status: 200, body: { state: "printed" } });
    expect(await world.get(path)).toMatchObject({ body: { state: "printed" } });
    await world.post(order("A-2", { receiptId: receiptId.replace(/1$/, "2") }));
    const late = world.get(`/receipts/${receiptId.replace(/1$/, "2")}?wait=3`);
    await waitFor("the call waits", () => clock.nextDueMs !== null && clock.nextDueMs <= 3000);
    await clock.advance(3000);
    expect(await late).toMatchObject({ status: 200, body: { state: "queued" } });
    expect(await world.get(`/receipts/${receiptId}?wait=51`)).toMatchObject({ status: 400 });
  });

  check("a call that waits for a receipt is answered at once when the server closes", async () => {
    await world.post(order("A-1", { receiptId }));
    const waiting = world.get(`/receipts/${receiptId}?wait=25`);
    await waitFor("the call waits", () => world.clock.nextDueMs !== null && world.clock.nextDueMs <= 25_000);
    await world.sidecar.close();
    expect(await waiting).toMatchObject({ status: 200, body: { state: "queued" } });
  });

  check("an error has a code, a place and the receipt that stands in the way, in the shop's language", async () => {
    await world.post(order("A-1", { receiptId }));
    await world.till.printNext();
    expect(await world.post(order("A-1", {}, 130))).toMatchObject({
      status: 422,
      body: {
        error: true,
        code: "job.already-printed",
        receiptId,
        fdNumber: "1",
        problems: [{ code: "job.already-printed" }],
      },
    });
    const wrong = order("A-2", { receiptId: "7" });
    const english = await world.post(wrong);
    expect(english).toMatchObject({ body: { code: "order.wrong-value", path: "receiptId" } });
    const russian = await world.post(wrong, "", { "accept-language": "ru-RU,ru;q=0.9" });
    expect(JSON.stringify(russian.body)).toMatch(/[а-я]{4}/);
    expect(JSON.stringify(english.body)).not.toMatch(/[а-я]/);
    const cloud = { external_id: "A-3", receipt: { client: {}, items: [], payments: [], total: 1 } };
    expect(await world.post(cloud, "", { "accept-language": "ru" })).toMatchObject({
      body: { code: "order.missing-value", path: "operation", message: expect.stringContaining("не указана") },
    });
    const stranger = await world.call("GET", "/receipts", undefined, {
      authorization: "Bearer x",
      "accept-language": "ru",
    });
    expect(stranger).toMatchObject({ status: 401, body: { error: true, code: "api.unauthorized" } });
    expect(JSON.stringify(stranger.body)).toMatch(/[а-я]{4}/);
    const unread = await world.call("GET", "/receipts?since=now", undefined, { "accept-language": "ru" });
    expect(unread).toMatchObject({ status: 400, body: { path: "since", message: expect.stringMatching(/[а-я]{4}/) } });
  });
});
