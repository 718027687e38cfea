/** handlers/PROTOCOL.md: daemon and kit read its bodies, its samples run, and its site in PHP sells. */
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  activityCallSchema,
  orderCallSchema,
  resultCallSchema,
  syncCallSchema,
  zReportCallSchema,
} from "@fiscald/shared/exchange/calls.js";
import { headExtensions, headFields } from "@fiscald/shared/exchange/head-fields.js";
import { itemExtensions, methodAliases, subjectAliases } from "@fiscald/shared/exchange/item-fields.js";
import { encodeBody } from "@fiscald/shared/http/post-json.js";
import { webhookHeaders } from "@fiscald/shared/http/webhook-headers.js";
import { defaultRules, type ReceiptRules } from "@fiscald/shared/receipt/check-receipt.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { itemsOf, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { rateWords, taxIdOfRate, vatCodes, vatRates } from "@fiscald/shared/receipt/vat.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { siteSecret, startPhpSite } from "../site-check/start-broken-site.js";
import { needing } from "../support/has-program.js";
import { root } from "../support/read-imports.js";
import { typePage } from "../support/type-page.js";

const pages = ["PROTOCOL.md", "PROTOCOL.ru.md"].map((name) => readFileSync(join(root, "handlers", name), "utf8"));
const [page = "", russian = ""] = pages;
const folder = mkdtempSync(join(tmpdir(), "fiscald-protocol-"));
afterAll(() => rmSync(folder, { recursive: true }));

const blocksOf = (text: string) =>
  [...text.matchAll(/```([\w -]+)\n([\s\S]*?)```/g)].map(([, kind = "", code = ""]) => ({ kind, code }));
function block(kind: string): string {
  const found = blocksOf(page).find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`the page has no block ${kind}`);
  return found.code;
}

test("the Russian protocol page has the samples of the English page, and refers to that for the site in PHP", () => {
  const [take = "", ...others] = blocksOf(russian).flatMap(({ code }) => (code.startsWith("sed ") ? [code] : []));
  const isOnEnglishPage = ({ kind, code }: { kind: string; code: string }) =>
    kind === "python" || kind.startsWith("json recipe ") || code.startsWith("cat > site.php");
  expect(blocksOf(russian).filter(({ code }) => code !== take)).toEqual(
    blocksOf(page).filter((one) => !isOnEnglishPage(one)),
  );
  expect(others).toEqual([]);
  execFileSync("sh", ["-c", take.replace("node_modules/@fiscald/handlers", join(root, "handlers"))], { cwd: folder });
  const site = readFileSync(join(folder, "site.php"), "utf8");
  expect(blocksOf(page).map(({ code }) => code)).toContain(`cat > site.php <<'END'\n${site}END\n`);
});

test.each([
  ["sync", syncCallSchema],
  ["order", orderCallSchema],
  ["orderConfirm", resultCallSchema],
  ["KKMDisconnected", activityCallSchema],
  ["ZReport", zReportCallSchema],
])("the protocol page's call %s can be read by the kit", (action, schema) => {
  const body: unknown = JSON.parse(block(`json ${action}`));
  expect(body).toMatchObject({ action });
  expect(schema.safeParse(body).success).toBe(true);
});

test.each(["task-table", "online"])("the protocol page's order in the format %s is printed at 22 % VAT", (format) => {
  const order = readOrder(block(`json ${format}`), { format: "auto", today: "2026-11-20" });
  expect(order).toMatchObject({ kind: "receipt", warnings: [] });
  const items = order.kind === "receipt" && order.receipt.kind === "receipt" ? itemsOf(order.receipt) : [];
  expect(items.map(({ tax }) => tax)).toEqual([taxIdOfRate(11)]);
});

test("the protocol page's correction is accepted from a site that may order corrections", () => {
  const read = (rules: ReceiptRules) =>
    readOrder(block("json correction"), { format: "auto", today: "2026-11-20", rules });
  const correction = { type: "self", date: "2026-11-19" };
  expect(read({ ...defaultRules, corrections: true })).toMatchObject({
    ...{ kind: "receipt", warnings: [] },
    receipt: { operation: "sale", correction },
  });
  expect(read(defaultRules)).toMatchObject({ kind: "broken" });
});

test("the protocol page's answer for no order is read as no order", () => {
  expect(readOrder(block("json nothing"), { format: "auto" })).toEqual({ kind: "empty" });
});

test("the protocol page's body with form fields is the one that the daemon sends", () => {
  const data = [{ name: "Зал", kkm: "0001234567012345", taxes: [{ id: 11, title: "НДС 22%" }] }];
  const { text } = encodeBody({ action: "sync", data }, "form");
  expect(blocksOf(page).map(({ code }) => code)).toContain(`${decodeURIComponent(text)}\n`);
});

test("every field beyond the print server's original document is on the protocol page, in both languages", () => {
  const fields = [...Object.keys(headFields), ...Object.keys(headExtensions), ...Object.keys(itemExtensions)];
  for (const text of pages) expect(fields.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

const secret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=";
const signedBody = Buffer.from('{"action":"order","kkm":"1"}');

describe("the signature on the protocol page", () => {
  const good = Object.fromEntries(new Headers(sign(signedBody)).entries());
  const old = { ...good, "webhook-timestamp": String(Number(good["webhook-timestamp"]) - 3600) };
  const text = signedBody.toString();
  const byNobody = createHmac("sha256", "").update(`msg_1.${good["webhook-timestamp"]}.${text}`).digest("base64");
  const withSignature = (signature: string) => ({ ...good, "webhook-signature": signature });
  const tries = [
    ...[good, withSignature(`v1,AAAA ${good["webhook-signature"]}`), old, {}, withSignature("v1,\u00e9")].map(
      (headers) => ({ secret, headers, body: text }),
    ),
    { secret, headers: good, body: '{"action":"order","kkm":"2"}' },
    // The site has no secret, so a call that is signed with the empty secret is not from its print server.
    { secret: "", headers: withSignature(`v1,${byNobody}`), body: text },
  ];
  const wanted = [true, true, false, false, false, false, false];

  const inPhp = needing("php");
  inPhp.test(`the protocol page's PHP sample accepts right signatures and refuses wrong ones${inPhp.reason}`, () => {
    const [sample = ""] = /function isSigned[\s\S]*?\n}\n/.exec(page) ?? [];
    const check = `<?php
${sample}
$answers = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $one) {
    $_SERVER = [];
    foreach ($one['headers'] as $name => $value) $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
    $answers[] = isSigned($one['secret'], $one['body']);
}
echo json_encode($answers);`;
    expect(answers("php", "check.php", check)).toEqual(wanted);
  });

  const python = needing("python3");
  python.test(
    `the protocol page's Python sample accepts right signatures and refuses wrong ones${python.reason}`,
    () => {
      const check = `
import json, sys
print(json.dumps([is_signed(one["secret"], one["headers"], one["body"].encode()) for one in json.load(sys.stdin)]))`;
      expect(answers("python3", "check.py", `${block("python")}${check}`)).toEqual(wanted);
    },
  );

  function answers(program: string, name: string, code: string): unknown {
    const path = join(folder, name);
    writeFileSync(path, code);
    return JSON.parse(execFileSync(program, [path], { input: JSON.stringify(tries), encoding: "utf8" }));
  }
});

function sign(body: Buffer): Readonly<Record<string, string>> {
  return webhookHeaders({ secret, id: "msg_1", now: Date.now(), body: body.toString() });
}

const recipes = blocksOf(page).filter(({ kind }) => kind.startsWith("json recipe "));

test.each(recipes)("the protocol page's $kind is printed without a warning", ({ code }) => {
  const read = readOrder(code, { format: "auto", today: "2026-11-20" });
  expect(read).toMatchObject({ kind: "receipt", warnings: [], oversights: [] });
});

test("the samples in the protocol page's table of cases give the receipts that the table describes", () => {
  const facts = recipes.map(({ code }) => {
    const read = readOrder(code, { format: "auto" });
    if (read.kind !== "receipt" || read.receipt.kind !== "receipt") throw new Error(`no receipt: ${code}`);
    const { receipt } = read;
    const [first] = itemsOf(receipt);
    return {
      ...{
        operation: receipt.operation,
        total: totalOf(receipt),
        paidBy: receipt.payments.map((one) => one.typeClose),
      },
      ...{ method: first?.method, subjects: itemsOf(receipt).map(({ subject }) => subject) },
    };
  });
  expect(facts).toEqual([
    { operation: "return", total: 12_000, paidBy: [1], method: 4, subjects: [1] },
    { operation: "sale", total: 500_000, paidBy: [1], method: 1, subjects: [1] },
    { operation: "sale", total: 500_000, paidBy: [2], method: 4, subjects: [1] },
    { operation: "sale", total: 56_000, paidBy: [1], method: 4, subjects: [1, 1, 4] },
    { operation: "sale", total: 790_000, paidBy: [1], method: 4, subjects: [33] },
  ]);
});

test("every name of a VAT rate, a payment method and a kind of goods is on the protocol page with its meaning, in both languages", () => {
  const rates = vatCodes.map((code) => `\`${rateWords[code]}\` | ${vatRates[code].title} |`);
  const methods = Object.entries(methodAliases).map(([name, number]) => `\`${name}\` | ${number} |`);
  const subjects = Object.entries(subjectAliases).map(([name, number]) => `\`${name}\` ${number}`);
  for (const text of pages) {
    const oneLine = text.replaceAll(/\s+/g, " ");
    expect([...rates, ...methods, ...subjects].filter((name) => !oneLine.includes(name))).toEqual([]);
  }
});

const php = needing("php");
php.test(`a reader who types the commands of PROTOCOL.md gets a printed receipt at the end${php.reason}`, () =>
  typePage("handlers/PROTOCOL.md"),
);

describe("the protocol page's site in PHP", () => {
  let site: Awaited<ReturnType<typeof startPhpSite>> | null = null;
  afterEach(async () => {
    await site?.close();
    site = null;
  });
  /** Most shops number their orders like this. */
  const sale = ["sell", "77", "Чай", "120.00", "2"];
  const auth = { kind: "signature", secret: siteSecret } as const;

  php.test(`the PHP site sells, accepts the result, and refuses a call with a wrong secret${php.reason}`, async () => {
    site = await startPhpSite([sale]);
    const till = createTestTill({ site: site.site.urls.orders, auth });
    expect(await till.call("sync", JSON.parse(block("json sync")))).toEqual({ resultCode: 0 });
    const offered = await till.poll();
    const printed = await till.printNext();
    if (printed === null || offered === null) throw new Error("the site offers nothing");
    expect([printed.orderId, offered]).toEqual(["77", printed]);
    expect(await till.poll()).toBeNull();
    await till.report(printed, { outcome: "failed" });
    expect(JSON.parse(readFileSync(site.store, "utf8"))).toMatchObject([
      { orderId: "77", state: "printed", document: expect.any(String), link: expect.stringContaining("https://") },
    ]);
    const stranger = createTestTill({
      site: site.site.urls.orders,
      auth: { ...auth, secret: "whsec_b3RoZXItc2VjcmV0LW9mLWE=" },
    });
    await expect(stranger.poll()).rejects.toMatchObject({ code: "site.http-status" });
  });

  php.test(`the PHP site prints a sale and two equal refunds of one order as three receipts${php.reason}`, async () => {
    const refund = ["sell_refund", "77", "Чай", "120.00", "1"];
    site = await startPhpSite([sale, refund, refund]);
    const till = createTestTill({ site: site.site.urls.orders, auth });
    const printed = [await till.printNext(), await till.printNext(), await till.printNext()];
    expect(new Set(printed.map((receipt) => receipt?.receiptId)).size).toBe(3);
    expect(printed).toMatchObject([{ operation: "sale" }, { operation: "return" }, { operation: "return" }]);
    expect(await till.poll()).toBeNull();
  });

  php.test(`the PHP site offers another order while one waits for a person at the till${php.reason}`, async () => {
    site = await startPhpSite([sale, ["sell", "78", "Чай", "120.00", "1"]]);
    const till = createTestTill({ site: site.site.urls.orders, auth });
    const offered = [await till.poll(), await till.poll(), await till.poll()];
    expect(offered.map((receipt) => receipt?.orderId)).toEqual(["77", "78", "77"]);
  });

  php.test(`the PHP site answers a wrong command with a text that says how the site is used${php.reason}`, async () => {
    site = await startPhpSite([]);
    const { run } = site;
    for (const words of [[], ["list"], ["sell", "77"]]) {
      expect(() => run(...words)).toThrow("php site.php sell|sell_refund ORDER NAME PRICE QUANTITY");
    }
  });

  php.test.each(["unknown", "failed"])(
    `the PHP site goes on offering an order that is %s now, and may be printed later${php.reason}`,
    async (outcome) => {
      site = await startPhpSite([sale]);
      const till = createTestTill({ site: site.site.urls.orders, auth });
      const offered = await till.poll();
      if (offered === null) throw new Error("the site offers nothing");
      const { orderId, receiptId } = offered;
      const result = { action: "orderConfirm", kkm: "1", orderId, receiptId, outcome, resultCode: 4 };
      expect(await till.call("result", { ...result, again: true })).toEqual({ resultCode: 0 });
      expect(await till.poll()).toEqual(offered);
    },
  );

  php.test(`the PHP site offers no order while its result is unknown${php.reason}`, async () => {
    site = await startPhpSite([sale]);
    const till = createTestTill({ site: site.site.urls.orders, auth });
    const offered = await till.poll();
    if (offered === null) throw new Error("the site offers nothing");
    await till.report(offered, { outcome: "unknown" });
    expect(await till.poll()).toBeNull();
    expect(JSON.parse(readFileSync(site.store, "utf8"))).toMatchObject([{ state: "unknown" }]);
  });

  php.test(`the PHP site accepts a failed result without a receiptId, and lists the result${php.reason}`, async () => {
    site = await startPhpSite([sale]);
    const till = createTestTill({ site: site.site.urls.orders, auth });
    const failed = {
      action: "orderConfirm",
      kkm: "1",
      orderId: "77",
      outcome: "failed",
      resultCode: 3,
      resultInfo: "no",
    };
    expect(await till.call("result", failed)).toEqual({ resultCode: 0 });
    expect(await till.poll()).toBeNull();
    const listed = [site.run("list", "failed"), site.run("list", "paid")];
    expect(listed).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\+\d\d:\d\d {2}77 {2}no\n$/), ""]);
  });

  php.test(`a result without a receiptId ends neither of two waiting receipts of an order${php.reason}`, async () => {
    site = await startPhpSite([sale, ["sell_refund", "77", "Чай", "120.00", "1"]]);
    const till = createTestTill({ site: site.site.urls.orders, auth });
    await till.call("result", { action: "orderConfirm", kkm: "1", orderId: "77", outcome: "failed", resultCode: 3 });
    expect([await till.printNext(), await till.printNext()]).toMatchObject([{ orderId: "77" }, { orderId: "77" }]);
  });

  php.test.each([
    ["12,50", "1"],
    ["12.505", "1"],
    ["-1.00", "1"],
    ["1.00", "0"],
    ["1.00", "-2"],
  ])(`the PHP site refuses the price %s and the quantity %s when it sells${php.reason}`, async (price, quantity) => {
    site = await startPhpSite([sale]);
    const { run, store } = site;
    const before = readFileSync(store, "utf8");
    expect(() => run("sell", "78", "Чай", price, quantity)).toThrow();
    expect(readFileSync(store, "utf8")).toBe(before);
  });

  php.test(
    `the PHP site keeps its receipts when a text is no UTF-8, and when their file is broken${php.reason}`,
    async () => {
      site = await startPhpSite([sale]);
      const { run, store } = site;
      const before = readFileSync(store, "utf8");
      const broken = Buffer.from(before).subarray(0, -40);
      writeFileSync(store, broken);
      expect(() => run(...sale)).toThrow();
      const till = createTestTill({ site: site.site.urls.orders, auth });
      await expect(till.poll()).rejects.toMatchObject({ code: "site.http-status" });
      expect(readFileSync(store)).toEqual(broken);
      writeFileSync(store, before);
      const halved = "$argv = ['site.php', 'sell', '78', substr('Чай', 0, 5), '1.00', '1']; require 'site.php';";
      expect(() => execFileSync("php", ["-r", halved], { cwd: dirname(dirname(store)), stdio: "ignore" })).toThrow();
      expect(readFileSync(store, "utf8")).toBe(before);
    },
  );
});
