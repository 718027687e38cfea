import { createSiteClient, type SiteClient } from "@fiscald/daemon/sites/site-client.js";
import type { EventKind, StoredEvent } from "@fiscald/daemon/store/outbox-store.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toKkm, toSiteId } from "@fiscald/shared/ids.js";
import iconv from "iconv-lite";
import { Webhook } from "standardwebhooks";
import { given } from "../../support/given.js";
import { siteAt } from "../../support/raw-config.js";
import { startTestSite, type TestSite } from "../../support/test-site.js";

const never = new AbortController().signal;
const kkm = toKkm("0001234567012345");
let web: TestSite;
const clients: SiteClient[] = [];

beforeEach(async () => {
  web = await startTestSite();
});
afterEach(async () => {
  await web.close();
  for (const client of clients.splice(0)) client.close();
});

function open(rest: Record<string, unknown> = {}, urls: Record<string, unknown> = {}): SiteClient {
  const site = siteAt(web.url, { urls: { orders: web.url, result: `${web.url}/result`, ...urls }, ...rest });
  let id = 0;
  const names = { daemonId: "daemon-1", runId: "run-1" };
  const client = createSiteClient({ site, ...names, clock: systemClock, newId: () => `call-${++id}` });
  clients.push(client);
  return client;
}

function event(kind: EventKind, body: Record<string, unknown> = { action: "x" }): StoredEvent {
  const times = { createdAt: 0, deliveredAt: null, revision: 0, tries: 0, refusals: 0, lastError: null } as const;
  const names = {
    id: 1,
    site: toSiteId("shop"),
    kind,
    lane: "l",
    job: null,
    register: null,
    webhookId: "msg-1",
  } as const;
  return { ...times, ...names, state: "pending", body };
}

describe("an order poll", () => {
  test("an order poll names the register and the daemon, and returns the answer as it came", async () => {
    web.answer(() => ({ body: ' {"response": null}\n' }));
    expect(await open().poll(kkm, never)).toEqual({ body: ' {"response": null}\n', leases: false });
    expect(web.calls[0]).toMatchObject({
      json: { action: "order", kkm },
      headers: { "fiscald-daemon": "daemon-1", "webhook-id": "call-1" },
    });
  });

  test("only a signed order poll names the daemon and its run in the body", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    await open({ auth: { kind: "signature", secret } }).poll(kkm, never);
    for (const auth of [{ kind: "none" }, { kind: "bearer", token: "t" }]) await open({ auth }).poll(kkm, never);
    expect(web.calls.map(({ json }) => json)).toEqual([
      { action: "order", kkm, daemon: "daemon-1", run: "run-1" },
      { action: "order", kkm },
      { action: "order", kkm },
    ]);
  });

  test("an order poll lets the site delay its answer only after the site has said that it leases orders", async () => {
    web.answer(() => ({ headers: { "fiscald-leases": "1" } }));
    const client = open();
    expect((await client.poll(kkm, never)).leases).toBe(true);
    await client.poll(kkm, never);
    expect(web.calls.map(({ headers }) => headers.prefer)).toEqual([undefined, "wait=25"]);
  });

  test.each([
    [401, "site.unauthorized"],
    [403, "site.unauthorized"],
    [500, "site.http-status"],
    [404, "site.http-status"],
    [302, "site.http-status"],
    [407, "site.proxy"],
    [511, "site.proxy"],
  ])("an order poll answered with %d fails with %s", async (status, code) => {
    web.answer(() => ({ status, body: "no" }));
    await expect(open().poll(kkm, never)).rejects.toMatchObject({ code });
  });

  test.each([
    [-6, "site.clock", "behind ours"],
    [6, "site.clock", "ahead of ours"],
    [4, "site.unauthorized", "401"],
  ])("an order poll refused by a site whose clock is %d minutes off fails with %s", async (minutes, code, text) => {
    const date = new Date(Date.now() + minutes * 60_000).toUTCString();
    web.answer(() => ({ status: 401, headers: { date }, body: "no" }));
    await expect(open().poll(kkm, never)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  test("an order poll that the site cuts off fails with site.answer-lost", async () => {
    web.answer(() => (response) => response.socket?.destroy());
    await expect(open().poll(kkm, never)).rejects.toMatchObject({ code: "site.answer-lost" });
  });

  test("an order of the largest size is read whole", async () => {
    const body = `{"pad":"${"x".repeat(5_000_000)}"}`;
    web.answer(() => ({ body }));
    expect((await open().poll(kkm, never)).body).toHaveLength(body.length);
  });
});

describe("the proof of who calls", () => {
  test.each<[Record<string, unknown>, string, string | undefined]>([
    [{ kind: "none" }, "authorization", undefined],
    [{ kind: "basic", user: "u", password: "п" }, "authorization", `Basic ${Buffer.from("u:п").toString("base64")}`],
    [{ kind: "bearer", token: "t" }, "authorization", "Bearer t"],
    [{ kind: "header", name: "X-Key", value: "v" }, "x-key", "v"],
  ])("a call to a site proves its sender by the config's `auth` %j", async (auth, header, value) => {
    await open({ auth }).poll(kkm, never);
    expect(web.calls[0]?.headers[header]).toBe(value);
  });

  test("a call to a site is signed over exactly the text that is sent, also as form fields", async () => {
    const secret = "C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    for (const bodyEncoding of ["json", "form"]) {
      await open({ auth: { kind: "signature", secret }, bodyEncoding }).deliver(
        event("result", { name: "Чай" }),
        never,
      );
      const call = given(web.calls.at(-1));
      new Webhook(secret).verify(call.text, { ...call.headers }, { jsonParse: false });
      expect(call.headers["webhook-id"]).toBe("msg-1");
    }
  });

  test("a call to a site is sent with the secret that the site's address holds", async () => {
    await open({}, { orders: `${web.url}?key=secret` }).poll(kkm, never);
    expect(web.calls[0]?.path).toBe("/fiscal?key=secret");
  });
});

test("an older site gets an event as form fields with PHP's brackets", async () => {
  await open({ bodyEncoding: "form" }, { sync: web.url }).deliver(
    event("sync", { action: "sync", data: [{ name: "a" }] }),
    never,
  );
  expect(web.calls[0]).toMatchObject({
    headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    text: "action=sync&data%5B0%5D%5Bname%5D=a",
  });
});

describe("the address of an event", () => {
  test.each<[EventKind, Record<string, unknown>, string]>([
    ["result", {}, "/fiscal/result"],
    ["connected", { activity: "/a" }, "/a"],
    ["connected", { activity: "/a", connected: "/c" }, "/c"],
    ["disconnected", { activity: "/a", connected: "/c" }, "/a"],
    ["disconnected", { disconnected: "/d" }, "/d"],
    ["zreport", { zreport: "/z" }, "/z"],
    ["error", { error: "/e" }, "/e"],
  ])("the event %s for a site with the addresses %j is sent to %s", async (kind, paths, path) => {
    const { origin } = new URL(web.url);
    const urls = Object.fromEntries(Object.entries(paths).map(([key, value]) => [key, `${origin}${String(value)}`]));
    expect(await open({}, urls).deliver(event(kind), never)).toEqual({ kind: "delivered" });
    expect(web.calls[0]?.path).toBe(path);
  });

  test("an event whose address was removed from the config counts as refused", async () => {
    expect(await open().deliver(event("zreport"), never)).toMatchObject({
      kind: "refused",
      fault: { code: "site.refused" },
    });
  });

  test("an event to a site that does not answer counts as an outage, not as a refusal", async () => {
    const client = open();
    await web.close();
    expect(await client.deliver(event("result"), never)).toMatchObject({
      kind: "outage",
      fault: { code: "site.unreachable" },
    });
  });
});

test.each([
  [
    301,
    "https://shop.example/новый?key=s",
    /points to https:\/\/shop\.example\/[^?]*, redirects are not followed: write/,
  ],
  [404, "", /answered 404: there is no such page, compare the address in `sites\[\]\.urls`/],
])("a poll that a site answers with %d fails and names what to change", async (status, location, message) => {
  const headers: Record<string, string> = location === "" ? {} : { location: encodeURI(location) };
  web.answer(() => ({ status, headers }));
  await expect(open().poll(kkm, never)).rejects.toMatchObject({ message: expect.stringMatching(message) });
});

test("a site's answer in windows-1251 is read by its declared charset, and is reported as not UTF-8 without one", async () => {
  const body = iconv.encode('{"response":{"orderId":"Заказ 7"}}', "win1251");
  const declared = { "content-type": "application/json; charset=windows-1251" };
  web.answer(({ path }) => ({ body, headers: path.includes("declared") ? declared : {} }));
  const read = await open({}, { orders: `${web.url}/declared` }).poll(kkm, never);
  expect(read.body).toContain("Заказ 7");
  expect(read).not.toHaveProperty("problem");
  expect(await open().poll(kkm, never)).toMatchObject({ problem: { en: expect.stringContaining("not UTF-8") } });
});
