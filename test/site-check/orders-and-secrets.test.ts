/** What the checker leaves behind at a site, and what it shows. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createPrintServerRouter, openReceiptStore, taskTable } from "@fiscald/handlers";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { checkSite, runChecks } from "@fiscald/shared/site-check/check-site.js";
import { orderFromFlags, registerFromFlags } from "@fiscald/shared/site-check/command-flags.js";
import type { SiteReport } from "@fiscald/shared/site-check/site-report.js";
import { exampleRegister, type SiteToCheck } from "@fiscald/shared/site-check/site-to-check.js";
import { writeJunit } from "@fiscald/shared/site-check/write-junit.js";
import { writeText } from "@fiscald/shared/site-check/write-text.js";
import { startTestSite, type TestSite } from "../support/test-site.js";
import { waitFor } from "../support/wait-for.js";
import { siteAt } from "./start-broken-site.js";

let shop: TestSite;
beforeEach(async () => {
  shop = await startTestSite();
});
afterEach(() => shop.close());

function check(site: SiteToCheck, orderId: string | null = null, signal = new AbortController().signal) {
  const order = { orderId, total: null, operation: null };
  return checkSite({ site, register: exampleRegister, order, clock: systemClock, newId: randomUUID, signal });
}

const checkNamed = ({ checks }: SiteReport, name: string) => checks.find((check) => check.name === name);
const stateOf = (report: SiteReport, name: string) => checkNamed(report, name)?.state;

const tableOf = (orderId: string, name = "Tea") => ({
  response: {
    orderId,
    taskTable: [
      { type: "OpenCheckSell" },
      { type: "Registration", data: name, param: { price: 10, quantity: 1, tax: 11 } },
      { type: "Payment", param: { summ: 10, typeClose: 1 } },
      { type: "CloseCheck" },
    ],
  },
});

/** A shop that offers each order to its one register until the result comes. */
function sell(orderIds: readonly string[], name = "Tea", inTurn = false): readonly string[] {
  const waiting = [...orderIds];
  shop.answer(({ json }) => {
    const { action, orderId } = json ?? {};
    if (action === undefined) return { status: 400 };
    if (action === "checkSiteUnknown") return { body: { resultCode: 2 } };
    const at = action === "orderConfirm" ? waiting.indexOf(String(orderId)) : -1;
    if (at >= 0) waiting.splice(at, 1);
    const [first] = waiting;
    const isAsked = action === "order" && json?.kkm === exampleRegister.kkm;
    if (isAsked && inTurn && first !== undefined) waiting.push(...waiting.splice(0, 1));
    return { body: isAsked && first !== undefined ? tableOf(first, inTurn ? first : name) : { resultCode: 0 } };
  });
  return waiting;
}

const never = new AbortController().signal;
const refundOf = (orderId: string) => {
  const { response } = tableOf(orderId);
  const taskTable = response.taskTable.map((line) =>
    line.type === "OpenCheckSell" ? { type: "OpenCheckReturn" } : line,
  );
  return { response: { ...response, taskTable } };
};

const resultsOf = () => shop.calls.flatMap(({ json }) => (json?.action === "orderConfirm" ? [json] : []));

test("every order that a site offers to the check gets the result failed, even a second order", async () => {
  const waiting = sell(["A-1", "A-2"]);
  const report = await check(siteAt(shop.url));
  expect(report.orders).toEqual([
    { orderId: "A-1", reportedAs: "failed", taken: true },
    { orderId: "A-2", reportedAs: "failed", taken: true },
  ]);
  expect(waiting).toEqual([]);
  expect(resultsOf().filter(({ orderId }) => orderId === "A-2")).toMatchObject([{ outcome: "failed", resultCode: 4 }]);
  expect(resultsOf().filter(({ outcome }) => outcome === "printed")).toEqual([]);
  expect(report).toMatchObject({ ok: true });
  expect(stateOf(report, "late-result")).toBe("skipped");
});

test("the check reports an unreadable order as failed with its receiptId, by an emulated register", async () => {
  const receiptId = "6c1f4c1e-7d0a-4d61-9a3e-000000000001";
  const { response } = tableOf("A-1");
  shop.answer(({ json }) => {
    const isAsked = json?.action === "order" && json.kkm === exampleRegister.kkm;
    return { body: isAsked ? { response: { ...response, receiptId, taskTable: [] } } : { resultCode: 0 } };
  });
  const report = await check(siteAt(shop.url), "A-1");
  expect(stateOf(report, "order")).toBe("wrong");
  const results = resultsOf().filter(({ orderId }) => orderId === "A-1");
  expect(results).toMatchObject(results.map(() => ({ outcome: "failed", receiptId, emulated: true })));
  expect(results.length).toBeGreaterThan(0);
});

test("a site that offers an order again as soon as it has failed gets advice, which fails a strict check", async () => {
  shop.answer(({ json }) => {
    if (json?.action === undefined) return { status: 400 };
    if (json.action === "checkSiteUnknown") return { body: { resultCode: 2 } };
    const isAsked = json.action === "order" && json.kkm === exampleRegister.kkm;
    return { body: isAsked ? tableOf("A-1") : { resultCode: 0 } };
  });
  const report = await check(siteAt(shop.url));
  expect(checkNamed(report, "finished")).toMatchObject({
    ...{ state: "advice", findings: [{ name: "offered-after-failed" }] },
  });
  const target = { site: siteAt(shop.url), register: exampleRegister };
  const run = (strict: boolean) =>
    runChecks([target], {
      ...{ flags: { strict, json: true }, language: "en", out() {}, signal: never },
    });
  expect([await run(false), await run(true)]).toEqual([true, false]);
});

test("a site that offers its many orders in turn is not said to lose an order that has not come again yet", async () => {
  sell(["A-1", "A-2", "A-3", "A-4", "A-5", "A-6", "A-7"], "Tea", true);
  const report = await check(siteAt(shop.url));
  expect(stateOf(report, "repeat")).toBe("skipped");
});

test("a check that is stopped reports the order that the site offered as failed", async () => {
  sell(["A-1"]);
  const stopping = new AbortController();
  const site = siteAt(shop.url);
  const offered = shop.calls;
  const answered = check(site, "A-1", stopping.signal);
  await waitFor("the site has offered its order", () => offered.length >= 2);
  stopping.abort();
  const report = await answered;
  expect(report.orders).toEqual([{ orderId: "A-1", reportedAs: "failed", taken: true }]);
  expect(report.checks.at(-1)).toMatchObject({ name: "finished", state: "skipped" });
});

test("a test order that the site does not offer fails the check, and the orders that came are named", async () => {
  sell(["A-1"]);
  const report = await check(siteAt(shop.url), "B-1");
  expect(report.ok).toBe(false);
  expect(checkNamed(report, "order")?.findings).toMatchObject([
    { name: "test-order-missing", what: { en: "the order B-1 was not offered, but A-1" } },
  ]);
  expect(checkNamed(report, "late-result")?.skipped?.en).toMatch(/^the test order did not come/);
});

test("the check waits for a test order behind other orders, which get their results first", async () => {
  sell(["A-1", "A-2", "B-1"]);
  const report = await check(siteAt(shop.url), "B-1");
  expect(report.ok).toBe(true);
  expect(report.orders.map(({ orderId, reportedAs }) => [orderId, reportedAs])).toEqual([
    ["A-1", "failed"],
    ["A-2", "failed"],
    ["B-1", "printed"],
  ]);
});

test("another order with equal content and a number that only begins alike is not taken for the printed one", async () => {
  sell(["B-1", "B-10"]);
  const report = await check(siteAt(shop.url), "B-1");
  expect(report).toMatchObject({ ok: true, orders: [{ reportedAs: "printed" }, { orderId: "B-10" }] });
});

test("the finding about a test order that never comes names json_encode when every poll got an empty body", async () => {
  shop.answer(({ json }) => (json?.action === "order" ? {} : { body: { resultCode: json === undefined ? 1 : 0 } }));
  const report = await check(siteAt(shop.url), "A-1");
  const mend = { en: expect.stringContaining("json_last_error_msg"), ru: expect.stringContaining("json_encode") };
  expect(checkNamed(report, "order")?.findings).toMatchObject([{ name: "test-order-missing", mend }]);
  // What was not checked for lack of an order is not called right.
  const unseen = ["repeat", "foreign-register", "result", "finished"].map((name) => stateOf(report, name));
  expect(unseen).toEqual(["skipped", "skipped", "skipped", "skipped"]);
});

test("a site that reads form fields, and answers JSON as if no order waited, is called with form fields", async () => {
  const waiting = ["A-1"];
  shop.answer(({ headers, text }) => {
    const fields = new URLSearchParams(text);
    if (!headers["content-type"]?.includes("form")) return {};
    if (fields.get("action") === "orderConfirm" && fields.get("orderId") === "A-1") waiting.pop();
    const isOffered = fields.get("action") === "order" && fields.get("kkm") === exampleRegister.kkm;
    return { body: isOffered && waiting.length > 0 ? tableOf("A-1") : { resultCode: 0 } };
  });
  const report = await check(siteAt(shop.url), "A-1");
  expect(report).toMatchObject({ encoding: "form", orders: [{ orderId: "A-1", reportedAs: "printed" }] });
});

test("an emulated register's invented rows are not sent to a site whose register is real", async () => {
  sell([]);
  const site = siteAt(shop.url);
  const flags = { kkm: "0007000000000007" };
  const run = { site, order: orderFromFlags(flags), clock: systemClock, newId: randomUUID, signal: never };
  const withheld = await checkSite({ ...run, register: registerFromFlags(flags) });
  expect(stateOf(withheld, "sync")).toBe("skipped");
  expect(shop.calls.filter(({ json }) => json?.action === "sync")).toEqual([]);
  const stated = await checkSite({ ...run, register: registerFromFlags({ ...flags, taxes: [1, 40] }) });
  const [sync] = shop.calls.filter(({ json }) => json?.action === "sync");
  expect(sync?.json?.["data"]).toMatchObject([{ taxes: [{ id: 1, title: "НДС 20%" }, { id: 40 }] }]);
  expect(writeText(withheld, "ru")).not.toContain("fiscald sync");
  expect(writeText(stated, "ru").trimEnd()).toMatch(/\nТеперь .*`fiscald sync`.*$/);
});

test("a return in place of a sale is reported as a finding, and passes as a return", async () => {
  shop.answer(({ json }) => ({ body: json?.action === "order" ? refundOf("A-1") : { resultCode: 0 } }));
  const site = siteAt(shop.url);
  for (const [operation, found] of [
    ["sell", ["operation-differs"]],
    ["sell_refund", []],
  ] as const) {
    const order = orderFromFlags({ testOrder: "A-1", operation });
    const options = { site, register: exampleRegister, order, clock: systemClock, newId: randomUUID, signal: never };
    expect(checkNamed(await checkSite(options), "order")?.findings.map(({ name }) => name)).toEqual(found);
  }
});

test("an empty answer to a wrong secret is only advice while no order waits", async () => {
  shop.answer(({ json }) => {
    const isKnown = json !== undefined && json["action"] !== "checkSiteUnknown";
    return { body: { resultCode: isKnown ? 0 : 2 } };
  });
  const report = await check(siteAt(shop.url, { kind: "bearer", token: "secret" }));
  expect(report.ok).toBe(true);
  expect(checkNamed(report, "secrets")?.findings).toMatchObject([{ name: "secret-status" }, { name: "secret-status" }]);
});

test("a site without an order passes, and the checks of an order are skipped", async () => {
  sell([]);
  const report = await check(siteAt(shop.url));
  expect(report).toMatchObject({ ok: true, paper: null, orders: [] });
  const states = ["order", "result", "finished"].map((name) => stateOf(report, name));
  expect(states).toEqual(["skipped", "skipped", "skipped"]);
});

test("a name that a site has escaped for HTML is found at the place of the name", async () => {
  sell(["A-1"], "Чай &quot;Люкс&quot;");
  const report = await check(siteAt(shop.url));
  expect(report.ok).toBe(false);
  const what = { ru: expect.stringContaining("есть &quot;") };
  const found = { name: "html-in-name", level: "wrong", place: "taskTable[1].data", what };
  expect(checkNamed(report, "order")?.findings).toMatchObject([found]);
});

test("a list that PHP wrote as an object is found, and the finding names the function that mends the list", async () => {
  const { response } = tableOf("A-1");
  const taskTable = Object.fromEntries(response.taskTable.map((line, index) => [String(index + 1), line]));
  shop.answer(({ json }) => ({
    body: json?.action === "order" ? { response: { ...response, taskTable } } : { resultCode: 0 },
  }));
  const report = await check(siteAt(shop.url));
  expect(checkNamed(report, "order")?.findings).toMatchObject([
    { name: "receipt", place: "taskTable", mend: { en: expect.stringContaining("array_values") } },
  ]);
});

test("a site that cannot be reached is one finding, and the other checks are skipped", async () => {
  const { url } = shop;
  await shop.close();
  const report = await check(siteAt(url));
  expect(report.checks[0]?.findings).toMatchObject([{ name: "no-answer" }]);
  expect(report.checks.slice(1).map(({ state }) => state)).toEqual(report.checks.slice(1).map(() => "skipped"));
});

const secrets: readonly (readonly [string, SiteToCheck["auth"]])[] = [
  ["top/secret+word", { kind: "bearer", token: "top/secret+word" }],
  ["top/secret+word", { kind: "basic", user: "shop", password: "top/secret+word" }],
  ["top/secret+word", { kind: "header", name: "X-Key", value: "top/secret+word" }],
  ["dG9wL3NlY3JldCt3b3Jk", { kind: "signature", secret: "whsec_dG9wL3NlY3JldCt3b3Jk" }],
];

test.each(secrets)(
  "no report of a check shows the secret %s of %o, even if the site repeats the secret",
  async (secret, auth) => {
    shop.answer(({ headers, path }) => ({
      status: 401,
      headers: { "x-echo": JSON.stringify(headers).replaceAll(/[\r\n]/g, "") },
      body: `${JSON.stringify(headers)} ${path} ${secret}`,
    }));
    const report = await check(siteAt(`${shop.url}?key=another+secret`, auth));
    const texts = [
      writeText(report, "en"),
      writeText(report, "ru"),
      writeJunit([report], "en"),
      JSON.stringify(report),
    ];
    for (const text of texts) {
      expect(text).not.toMatch(/top\/secret|another.secret|dG9wL3NlY3JldCt3b3Jk|c2hvcDp0b3A/);
      expect(text).toContain("401");
    }
  },
);

const controlsIn = (text: string) => (text.match(/\p{Cc}/gu) ?? []).filter((char) => char !== "\n");

test("a finding is shown beside the request and the answer that show the mistake, in text and in JUnit", async () => {
  sell(["A-1"]);
  const toOthers = { resultCode: 4, resultInfo: "\u001B[2J" };
  shop.answer(({ json }) => {
    if (json?.action !== "order") return { body: "<b>Oops</b>" };
    return { body: json["kkm"] === exampleRegister.kkm ? tableOf("A-1", "\u0007<Tea> & \u0001") : toOthers };
  });
  const report = await check(siteAt(shop.url));
  const text = writeText(report, "en");
  expect(text).toContain('the site answered resultCode 4: "\uFFFD[2J"');
  expect(text).toMatch(
    /NOT SO: {3}it hears the list of registers \[sync\]\n {10}not-json: .*\n {10}mend: .*\n {10}request:\n {12}POST/,
  );
  expect(text).toContain("<b>Oops</b>");
  expect(controlsIn(text)).toEqual([]);
  const junit = writeJunit([report], "ru");
  expect(junit).toMatch(/<failure type="not-json" message="[^"]+ответ не JSON[^"]+">/);
  expect(writeText(report, "ru")).toMatch(
    /НЕ ТАК: {3}сайт принимает список касс \[sync\]\n {10}not-json: .* ответ не JSON: .*\n {10}исправить: /,
  );
  expect(junit).toContain("&lt;b&gt;Oops&lt;/b&gt;");
  expect(controlsIn(junit)).toEqual([]);
});

test("the kit's own router passes every check, and its test receipt is printed", async () => {
  const secret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=";
  const receipts = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  const auth = { kind: "signature", secret } as const;
  const server = createServer(createPrintServerRouter({ store: receipts, auth, logger: silentLogger }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: 10, quantity: 1, tax: 11 });
    const { receiptId: id } = await receipts.enqueue(order.payRest("electronic").build());
    const report = await check(siteAt(`http://127.0.0.1:${port}/`, auth), "A-1");
    expect(report.checks.map(({ name, state, findings }) => [name, state, findings])).toEqual(
      report.checks.map(({ name }) => [name, "right", []]),
    );
    expect(await receipts.findByReceiptId(id)).toMatchObject({ state: "printed" });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await receipts.close();
  }
});
