import { once } from "node:events";
import { request } from "node:http";
import { encodeForm } from "@fiscald/shared/http/post-json.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import express, { type Express } from "express";
import type { PrintResult } from "#handlers/print-server/host-callbacks.js";
import { createPrintServerRouter, type PrintServerRouterOptions } from "#handlers/print-server/http/create-router.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import { post, type ServedSite, serveSite } from "../../../support/fake-daemon.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { waitFor } from "../../../support/wait-for.js";

const sites: ServedSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function serve(app: Parameters<typeof serveSite>[0]): Promise<string> {
  const site = await serveSite(app);
  sites.push(site);
  return site.url;
}

type Extra = Partial<PrintServerRouterOptions> & { readonly store?: never };

function routerWith(extra: Extra = {}) {
  return createPrintServerRouter({ nextReceipt: () => null, logger: silentLogger, auth: { kind: "none" }, ...extra });
}

async function mount(extra: Extra = {}, prepare: (app: Express) => void = () => {}): Promise<string> {
  const app = express();
  prepare(app);
  app.use("/fiscal", routerWith(extra));
  return `${await serve(app)}/fiscal`;
}

const tea = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: "120.00" }).payRest("cash");
const orderCall = { action: "order", kkm: "0001" };
const result = { kkm: "0001", inn: "77", fn: "99", resultCode: 0, resultInfo: "", shiftNumber: "1", OFDLink: "" };
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

async function mountHearing(extra: Extra = {}) {
  const seen: PrintResult[] = [];
  return { seen, url: await mount({ onResult: (heard) => void seen.push(heard), ...extra }) };
}

describe("the mounting of the router", () => {
  test.each([
    ["below a mount path", (app: Express) => app.use("/fiscal", routerWith()), "/fiscal"],
    ["at the root", (app: Express) => app.use(routerWith()), "/"],
    ["as a route", (app: Express) => app.post("/fiscal", routerWith()), "/fiscal"],
    [
      "below an Express router",
      (app: Express) => app.use("/api", express.Router().use("/fiscal", routerWith())),
      "/api/fiscal?key=1",
    ],
  ])("the router answers a poll %s", async (_, use, path) => {
    const app = express();
    use(app);
    const url = await serve(app);
    expect(await post(`${url}${path}`, orderCall)).toMatchObject({
      status: 200,
      body: { resultCode: 0, resultInfo: "no orders" },
    });
  });

  test("the router leaves other paths to the site", async () => {
    const app = express();
    app.use(routerWith());
    app.get("/", (_, response) => void response.send("the shop"));
    app.post("/cart", (_, response) => void response.send("the cart"));
    const url = await serve(app);
    expect((await post(`${url}/cart`, {})).body).toBe("the cart");
  });

  test("a router with five paths accepts at each path only the calls of its kind", async () => {
    const seen: string[] = [];
    const url = await mount({
      paths: { order: "/orders", result: "/results", sync: "/sync", activity: "/activity", zreport: "/z" },
      onSync: () => void seen.push("sync"),
    });
    expect((await post(`${url}/sync`, { action: "sync", data: [] })).body).toMatchObject({ resultCode: 0 });
    expect((await post(`${url}/orders`, { action: "sync", data: [] })).body).toMatchObject({ resultCode: 2 });
    expect((await post(`${url}/orders`, orderCall)).body).toMatchObject({ resultCode: 0 });
    expect((await post(url, orderCall)).status).toBe(404);
    expect(seen).toEqual(["sync"]);
  });
});

describe("the bodies of calls", () => {
  const taxes = [1, 2].map((id) => ({ id, title: `row ${id}` }));
  const register = { name: "Hall", kkm: "0001", inn: "7700000000", fn: "99", taxes };
  const sync = { action: "sync", data: [register] };
  const asForm = { "content-type": "application/x-www-form-urlencoded" };
  const parsers: readonly [string, (app: Express) => void][] = [
    ["no parser has read", () => {}],
    [
      "express.json and urlencoded have parsed",
      (app) => app.use(express.json(), express.urlencoded({ extended: true })),
    ],
    ["a flat urlencoded parser has parsed", (app) => app.use(express.json(), express.urlencoded({ extended: false }))],
    ["express.raw has read", (app) => app.use(express.raw({ type: () => true }))],
    ["express.text has read", (app) => app.use(express.text({ type: () => true }))],
    [
      "an old parser has passed by, leaving an empty object",
      (app) =>
        app.use((request, _, next) => {
          request.body = {};
          next();
        }),
    ],
  ];

  test.each(parsers)("the router reads JSON and form fields that %s", async (_, prepare) => {
    const seen: unknown[] = [];
    const url = await mount({ onSync: (registers) => void seen.push(registers) }, prepare);
    expect((await post(url, sync)).body).toMatchObject({ resultCode: 0 });
    expect((await post(url, encodeForm(sync), { headers: asForm })).body).toMatchObject({ resultCode: 0 });
    const expected = [{ ...register, paymentTypes: [] }];
    expect(seen).toEqual([expected, expected]);
  });

  test.each([
    ["415 for another charset", 415, "{}", { headers: { "content-type": "application/json; charset=windows-1251" } }],
    ["415 for a compressed body", 415, "{}", { headers: { "content-encoding": "gzip" } }],
    ["400 for broken JSON", 400, '{"action":', {}],
    ["400 for broken UTF-8", 400, Uint8Array.from([0x22, 0xff, 0x22]), {}],
  ])("the router answers %s", async (_, status, body, options) => {
    expect(await post(await mount(), body, options)).toMatchObject({
      status,
      body: { resultCode: expect.any(Number), resultInfo: expect.any(String) },
    });
  });

  test("the router answers 413 to a body of unstated length at the limit, and 408 to a body that stops", async () => {
    const clock = createFakeClock();
    const url = await mount({ clock, limitBytes: 1000 });
    const begin = (body: string) => {
      const call = request(url, { method: "POST", headers: { "content-type": "application/json" } });
      call.on("error", () => {});
      call.write(body);
      return { call, answered: once(call, "response") };
    };
    const large = begin("x".repeat(1001));
    expect(await large.answered).toMatchObject([{ statusCode: 413 }]);
    const slow = begin("{");
    await waitFor("the body is awaited", () => clock.pending === 1);
    await clock.advance(8000);
    expect(await slow.answered).toMatchObject([{ statusCode: 408 }]);
    for (const { call } of [large, slow]) call.destroy();
  });

  test.each(parsers)("the router answers 400 to JSON that is nested too deeply and that %s", async (_, prepare) => {
    const lines: string[] = [];
    const logger = createTestLogger((line) => lines.push(line));
    const url = await mount({ logger }, prepare);
    const answer = await post(url, `{"action":"order","kkm":${deep(5000)},"KKM":${deep(5000)}}`);
    expect([answer.status, answer.body]).toMatchObject([400, { resultInfo: "The body is nested too deeply." }]);
    expect(lines).toEqual([expect.stringMatching(/^refused a call .*call\.unreadable/)]);
  });

  test("the router names the cause when another body parser has dropped the body", async () => {
    const url = await mount({}, (app) => {
      app.use((request, _, next) => {
        request.on("end", () => next());
        request.resume();
      });
    });
    expect(await post(url, orderCall)).toMatchObject({
      status: 400,
      body: { resultInfo: expect.stringContaining("mount the kit first") },
    });
  });
});

describe("the result codes of calls", () => {
  test.each([
    ["2 for an unknown action", 2, { action: "dance" }],
    ["3 without an action", 3, { kkm: "0001" }],
    ["3 without kkm", 3, { action: "order" }],
    ["1 for a wrong value", 1, { action: "order", kkm: 2 ** 60 }],
    ["1 for a body that is no object", 1, [1]],
  ])("the router answers the result code %s", async (_, resultCode, body) => {
    const url = await mount();
    expect(await post(url, body)).toMatchObject({ status: 200, body: { resultCode } });
  });

  test("the router answers the result code 4 for a throwing callback, and tells only the host the reason", async () => {
    const lines: string[] = [];
    const logger = createTestLogger((line) => lines.push(line));
    const url = await mount({
      logger,
      onSync: () => {
        throw new Error("database password is hunter2");
      },
    });
    const answer = await post(url, { action: "sync", data: [] });
    expect(answer).toMatchObject({ status: 200, body: { resultCode: 4 } });
    expect(JSON.stringify(answer.body)).not.toContain("hunter2");
    expect(lines).toHaveLength(1);
  });

  test("the router accepts the result call under the action that the site has set, in any letter case", async () => {
    const { seen, url } = await mountHearing({ resultActions: ["checkDone"] });
    expect((await post(url, { ...result, action: "CHECKDONE" })).body).toMatchObject({ resultCode: 0 });
    expect((await post(url, { ...result, action: "orderConfirm" })).body).toMatchObject({ resultCode: 2 });
    expect(seen).toHaveLength(1);
  });
});

describe("the callbacks of the host", () => {
  test("the host gets a receipt's link only when the link is a web address", async () => {
    const { seen, url } = await mountHearing();
    const links = ["https://ofd.example/1", "javascript:alert(1)"].map((link) => Buffer.from(link).toString("base64"));
    for (const OFDLink of [...links, "http://ofd.example/2", "ftp://x"]) {
      await post(url, { ...result, OFDLink, action: "orderConfirm" });
    }
    expect(seen.map(({ link }) => link)).toEqual(["https://ofd.example/1", null, "http://ofd.example/2", null]);
  });

  test.each<readonly [given: unknown, seen: string | null]>([
    ["", null],
    ["  ", null],
    ["17", "17"],
    [17, "17"],
    ["R-17/b", "R-17/b"],
    ["x".repeat(300), "x".repeat(300)],
    ["a\u0000b", "a?b"],
  ])("the host gets the receiptId %j of a result as %j", async (receiptId, expected) => {
    const { seen, url } = await mountHearing();
    await post(url, { ...result, action: "orderConfirm", outcome: "printed", receiptId });
    expect(seen).toMatchObject([{ receiptId: expected }]);
  });

  test("the host's callbacks get values of the domain types", async () => {
    const seen: unknown[] = [];
    const see = (value: unknown) => void seen.push(value);
    const url = await mount({ onResult: see, onActivity: see, onZReport: see, onError: see });
    const till = createTestTill({ site: url, kkm: "0001" });
    await till.call("activity", { action: "KKMDisconnected", kkm: "0001", device: "M", title: "Hall" });
    await till.call("zreport", { ...result, action: "ZReport", closedSession: "17", sessionSumm: 1520.5 });
    const errors = [{ path: "a", message: "b" }];
    await till.call("error", { action: "error", kkm: "0001", orderId: null, resultCode: 3, errors });
    await till.report(tea.receipt());
    expect(seen).toMatchObject([
      { kkm: "0001", connected: false, device: "M", title: "Hall" },
      { closedShift: "17", shiftTotalKopecks: 152_050 },
      { orderId: null, resultCode: 3, problems: errors },
      { orderId: "A-1", outcome: "printed", operation: "sale", totalKopecks: 12_000, fdNumber: "1", receiptId: null },
    ]);
  });

  test("the host learns from the list of registers and from each result whether the register is emulated", async () => {
    const seen: unknown[] = [];
    const see = (value: unknown) => void seen.push(value);
    const url = await mount({ onResult: see, onSync: see });
    const data = [{ kkm: "0001", inn: "7700000000", fn: "99", emulated: true }];
    await post(url, { action: "sync", data });
    await post(url, { ...result, action: "orderConfirm", emulated: true });
    await post(url, { ...result, action: "orderConfirm" });
    expect(seen).toMatchObject([[{ kkm: "0001", emulated: true }], { emulated: true }, {}]);
    expect(seen[2]).not.toHaveProperty("emulated");
  });

  test.each([
    [0, "printed"],
    [1, "failed"],
    [3, "failed"],
    [4, "unknown"],
  ])("a result with code %i and no outcome is reported as %s", async (resultCode, outcome) => {
    const { seen, url } = await mountHearing();
    await post(url, { action: "orderConfirm", kkm: "0001", resultCode, orderId: 7 });
    expect(seen).toMatchObject([{ outcome, orderId: "7" }]);
  });

  test.each([
    ["names its problems", [{ path: "receipt.total", code: "receipt.total-mismatch", message: "is 7" }], true],
    ["has errors of another form", "wrong", false],
  ])("the host gets a result that %s, and the problems if they can be read", async (_which, errors, isTold) => {
    const { seen, url } = await mountHearing();
    await post(url, { action: "orderConfirm", kkm: "0001", resultCode: 1, orderId: 7, errors });
    expect(seen.map(({ problems }) => problems)).toEqual([isTold ? errors : undefined]);
  });

  test("nextReceipt may return receipts of both formats and domain receipts", async () => {
    const queue = [tea.build(), tea.receipt()];
    // Plain JavaScript answers undefined where nothing waits.
    const host: object = { nextReceipt: () => queue.shift() };
    const url = await mount({ ...host });
    const till = createTestTill({ site: url });
    expect(await till.poll()).toEqual(tea.receipt());
    expect(await till.poll()).toEqual(tea.receipt());
    expect(await till.poll()).toBeNull();
  });

  test("a builder that nextReceipt returns unbuilt is named in the host's log", async () => {
    const logged: unknown[] = [];
    const host: object = { nextReceipt: () => tea };
    const url = await mount({ ...host, logger: { ...silentLogger, error: (_, fields) => void logged.push(fields) } });
    expect((await post(url, orderCall)).body).toMatchObject({ resultCode: 4 });
    const message = "What nextReceipt returned is a builder: end it with `.build()`.";
    expect(logged).toMatchObject([{ fault: { message } }]);
  });

  test("the host gets a message once, even if a repeat comes while the first one is being handled", async () => {
    const { seen, url } = await mountHearing();
    const till = createTestTill({ site: url });
    const reports = Array.from({ length: 5 }, () => till.report(tea.receipt(), { messageId: "m-1" }));
    await Promise.all(reports);
    await till.report(tea.receipt(), { messageId: "m-2" });
    expect(seen).toHaveLength(2);
  });

  test("the host gets a message again after its callback for the message has failed", async () => {
    const outcomes = [new Error("no"), null];
    let calls = 0;
    const url = await mount({
      onResult() {
        calls += 1;
        const error = outcomes.shift();
        if (error instanceof Error) throw error;
      },
    });
    const till = createTestTill({ site: url });
    const body = { action: "orderConfirm", kkm: "0001", resultCode: 0 };
    const headers = { "webhook-id": "m-1" };
    expect(await till.call("result", body, headers)).toMatchObject({ resultCode: 4 });
    expect(await till.call("result", body, headers)).toMatchObject({ resultCode: 0 });
    expect(calls).toBe(2);
  });
});

describe("slow callbacks of the host", () => {
  test("a call with a slow callback is answered in time, and its repeat gets the callback's outcome", async () => {
    const clock = createFakeClock();
    let finish = () => {};
    let calls = 0;
    const url = await mount({
      clock,
      answerWithinMs: 8000,
      onResult: () => {
        calls += 1;
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    });
    const body = { action: "orderConfirm", kkm: "0001", resultCode: 0 };
    const headers = { "webhook-id": "m-1" };
    const first = post(url, body, { headers });
    await waitFor("the callback runs", () => calls === 1);
    await clock.advance(8000);
    expect((await first).body).toMatchObject({ resultCode: 4 });
    const second = post(url, body, { headers });
    await waitFor("the repeat waits", () => clock.pending > 0);
    finish();
    expect((await second).body).toMatchObject({ resultCode: 0 });
    expect(calls).toBe(1);
  });

  test("a receipt that a slow callback finds too late is handed to the next poll", async () => {
    const clock = createFakeClock();
    let find = () => {};
    let calls = 0;
    const url = await mount({
      clock,
      nextReceipt: () => {
        calls += 1;
        return new Promise((resolve) => {
          find = () => resolve(calls === 1 ? tea.build() : null);
        });
      },
    });
    const till = createTestTill({ site: url, daemonId: "d1" });
    const first = till.poll();
    await waitFor("the callback runs", () => calls === 1);
    await clock.advance(8000);
    await expect(first).rejects.toMatchObject({ code: "site.refused" });
    find();
    expect(await till.poll()).toMatchObject({ orderId: "A-1" });
    expect(calls).toBe(1);
  });
});

describe("a router over a receipt store", () => {
  let clock: FakeClock;
  let store: ReceiptStore;
  beforeEach(async () => {
    clock = createFakeClock();
    store = await openReceiptStore({ database: ":memory:", clock, logger: silentLogger });
  });
  afterEach(() => store.close());

  /** `seen`: the results that the host got. */
  async function serveStore(maxWaitSeconds = 50) {
    const seen: PrintResult[] = [];
    const onResult = (told: PrintResult) => void seen.push(told);
    const options = { store, clock, onResult, maxWaitSeconds, auth: { kind: "none" }, logger: silentLogger } as const;
    return { seen, url: await serve(createPrintServerRouter(options)) };
  }

  test("a router over a receipt store does not tell the host a failure of a printed receipt", async () => {
    const { url, seen } = await serveStore();
    await store.enqueue(tea.build());
    const till = createTestTill({ site: url });
    const receipt = await till.printNext();
    if (receipt !== null) await till.report(receipt, { outcome: "failed" });
    expect(seen.map(({ outcome }) => outcome)).toEqual(["printed"]);
  });

  test("a router over a receipt store tells the host a receipt's ids when the print server sends none", async () => {
    const { url, seen } = await serveStore();
    const { receiptId } = await store.enqueue(tea.build());
    const till = createTestTill({ site: url, daemonId: null });
    await till.poll();
    await till.report({ ...tea.receipt(), receiptId: null });
    expect(seen).toMatchObject([{ receiptId, orderId: "A-1" }]);
  });

  test("a router over a store delays an empty answer until the caller's limit or a new receipt", async () => {
    const { url } = await serveStore();
    const answer = post(url, orderCall, { headers: { prefer: "respond-async, wait=25", "fiscald-daemon": "d1" } });
    // The two timers are the store's own one and the router's limit.
    await waitFor("the poll is held", () => clock.pending === 2);
    await store.enqueue(tea.build());
    const { headers, body } = await answer;
    expect([headers.get("preference-applied"), headers.get("fiscald-leases")]).toEqual(["wait=25", "1"]);
    expect(body).toMatchObject({ response: { orderId: "A-1" } });
  });

  test("a router over a receipt store delays an empty answer no longer than its own limit", async () => {
    const { url } = await serveStore(0);
    const answer = await post(url, orderCall, { headers: { prefer: "wait=25" } });
    expect(answer.body).toMatchObject({ resultCode: 0 });
    expect(answer.headers.get("preference-applied")).toBeNull();
  });
});
