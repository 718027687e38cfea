/** What the checker leaves behind at a site, and what it shows. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createPrintServerRouter, openReceiptStore, taskTable } from "@fiscald/handlers";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { checkSite } from "@fiscald/shared/site-check/check-site.js";
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
  const order = { orderId, total: null };
  return checkSite({ site, register: exampleRegister, order, clock: systemClock, newId: randomUUID, signal });
}

const checkNamed = ({ checks }: SiteReport, name: string) => checks.find((check) => check.name === name);
const stateOf = (report: SiteReport, name: string) => checkNamed(report, name)?.state;

const tableOf = (orderId: string, name = "Tea") => ({
  response: {
    orderId,
    taskTable: [
      { type: "OpenCheckSell" },
      { type: "Registration", data: name, param: { price: 10, quantity: 1, tax: 1 } },
      { type: "Payment", param: { summ: 10, typeClose: 1 } },
      { type: "CloseCheck" },
    ],
  },
});

/** A shop that offers each order to its one register until the result comes. */
function sell(orderIds: readonly string[], name = "Tea"): readonly string[] {
  const waiting = [...orderIds];
  shop.answer(({ json }) => {
    const { action, orderId } = json ?? {};
    if (action === undefined) return { status: 400 };
    if (action === "checkSiteUnknown") return { body: { resultCode: 2 } };
    const at = action === "orderConfirm" ? waiting.indexOf(String(orderId)) : -1;
    if (at >= 0) waiting.splice(at, 1);
    const [first] = waiting;
    const isAsked = action === "order" && json?.kkm === exampleRegister.kkm;
    return { body: isAsked && first !== undefined ? tableOf(first, name) : { resultCode: 0 } };
  });
  return waiting;
}

const resultsOf = () => shop.calls.flatMap(({ json }) => (json?.action === "orderConfirm" ? [json] : []));

test("every order that a site offers to the check gets the result failed, also a second one", async () => {
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

test("a test order that the site does not offer is reported as missing, and not as unnamed", async () => {
  sell(["A-1"]);
  const report = await check(siteAt(shop.url), "B-1");
  expect(checkNamed(report, "late-result")?.skipped?.en).toMatch(/^the order that is named as a test/);
});

test("a site without an order passes, and the checks of an order are left out", async () => {
  sell([]);
  const report = await check(siteAt(shop.url));
  expect(report).toMatchObject({ ok: true, paper: null, orders: [] });
  const states = ["order", "result", "finished"].map((name) => stateOf(report, name));
  expect(states).toEqual(["skipped", "skipped", "right"]);
});

test("a name that a site has escaped for HTML is found as advice, at the place of the name", async () => {
  sell(["A-1"], "Чай &quot;Люкс&quot;");
  const report = await check(siteAt(shop.url));
  expect(report.ok).toBe(true);
  const what = { ru: expect.stringContaining("есть &quot;") };
  const found = { name: "odd-order", level: "advice", place: "taskTable[1].data", what };
  expect(checkNamed(report, "order")?.findings).toMatchObject([found]);
});

test("a site that gives one order a new number at each poll is found as order-changes", async () => {
  let polls = 0;
  shop.answer(({ json }) => {
    polls += json?.action === "order" ? 1 : 0;
    return { body: json?.action === "order" ? tableOf(`A-${polls}`) : { resultCode: 0 } };
  });
  const report = await check(siteAt(shop.url));
  expect(checkNamed(report, "repeat")?.findings).toMatchObject([{ name: "order-changes" }]);
});

test("a list that PHP wrote as an object is found with the function that mends the list", async () => {
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

test("a site that cannot be reached is one finding, and the other checks are left out", async () => {
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
  "no report of a check shows the secret %s of %o, even where the site repeats the secret",
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
  expect(text).toMatch(/WRONG {4}sync: .*\n {9}not-json: .*\n {9}mend: .*\n {9}request:\n {11}POST http/);
  expect(text).toContain("<b>Oops</b>");
  expect(controlsIn(text)).toEqual([]);
  const junit = writeJunit([report], "ru");
  expect(junit).toMatch(/<failure type="not-json" message="[^"]+ответ не JSON[^"]+">/);
  expect(writeText(report, "ru")).toMatch(/ОШИБКА {3}sync: .*\n {9}not-json: .* ответ не JSON: .*\n {9}исправить: /);
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
    const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Tea", price: 10, quantity: 1, tax: 1 });
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
