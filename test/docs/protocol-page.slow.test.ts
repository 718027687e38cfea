/** handlers/PROTOCOL.md: its bodies are read as daemon and kit read them, its samples run, its PHP site sells. */
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  activityCallSchema,
  orderCallSchema,
  resultCallSchema,
  syncCallSchema,
  zReportCallSchema,
} from "@fiscald/shared/exchange/calls.js";
import { headExtensions, headFields } from "@fiscald/shared/exchange/head-fields.js";
import { itemExtensions } from "@fiscald/shared/exchange/item-fields.js";
import { encodeBody } from "@fiscald/shared/http/post-json.js";
import { webhookHeaders } from "@fiscald/shared/http/webhook-headers.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { taxIdOfRate } from "@fiscald/shared/receipt/vat.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { startChild } from "../support/child-process.js";
import { freePort } from "../support/free-port.js";
import { needing } from "../support/has-program.js";
import { root } from "../support/read-imports.js";
import { waitFor } from "../support/wait-for.js";

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

test("the protocol page has the same samples in both languages", () => {
  expect(blocksOf(russian)).toEqual(blocksOf(page));
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

test.each(["task-table", "return", "online"])(
  "the protocol page's order in the format %s is printed at 22 %",
  (format) => {
    const order = readOrder(block(`json ${format}`), { format: "auto", today: "2026-11-20" });
    expect(order).toMatchObject({ kind: "receipt", warnings: [] });
    const items = order.kind === "receipt" && order.receipt.kind === "receipt" ? itemsOf(order.receipt) : [];
    expect(items.map(({ tax }) => tax)).toEqual([taxIdOfRate(11)]);
  },
);

test("the protocol page's answer for no order is read as no order", () => {
  expect(readOrder(block("json nothing"), { format: "auto" })).toEqual({ kind: "empty" });
});

test("the protocol page's body as form fields is the one that the daemon sends", () => {
  const data = [{ name: "Зал", kkm: "0001234567012345", taxes: [{ id: 11, title: "НДС 22%" }] }];
  const { text } = encodeBody({ action: "sync", data }, "form");
  expect(blocksOf(page).map(({ code }) => code)).toContain(`${decodeURIComponent(text)}\n`);
});

test("every field beyond the print server's document is on the protocol page, in both languages", () => {
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
    // The site has no secret: whoever signs with the empty one is no print server.
    { secret: "", headers: withSignature(`v1,${byNobody}`), body: text },
  ];
  const wanted = [true, true, false, false, false, false, false];

  const inPhp = needing("php");
  inPhp.test(`the protocol page's PHP sample accepts right signatures and refuses wrong ones${inPhp.reason}`, () => {
    const [sample = ""] = /function isSigned[\s\S]*?\n}\n/.exec(block("php")) ?? [];
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

const php = needing("php");
php.test(
  `the protocol page's site in PHP sells, hears the result, and refuses a wrong secret${php.reason}`,
  async () => {
    writeFileSync(join(folder, "site.php"), block("php"));
    const [, orders = ""] = /begins as\n`(.*)`/.exec(page) ?? [];
    // Most shops number their orders like this.
    writeFileSync(join(folder, "orders.json"), orders.replace('"A-1"', "77"));
    const port = await freePort();
    const child = startChild(["-S", `127.0.0.1:${port}`, join(folder, "site.php")], {
      ...{ program: "php", cwd: folder, env: { FISCAL_SECRET: secret } },
    });
    const site = `http://127.0.0.1:${port}`;
    await waitFor("PHP listens", () =>
      fetch(site)
        .then(() => true)
        .catch(() => false),
    );
    const till = createTestTill({ site, auth: { kind: "signature", secret } });
    try {
      expect(await till.call("sync", JSON.parse(block("json sync")))).toEqual({ resultCode: 0 });
      const offered = await till.poll();
      const printed = await till.printNext();
      if (printed === null || offered === null) throw new Error("the site offers nothing");
      expect([printed.orderId, offered]).toEqual(["77", printed]);
      expect(await till.poll()).toBeNull();
      await till.report(printed, { outcome: "failed" });
      expect(JSON.parse(readFileSync(join(folder, "orders.json"), "utf8"))).toMatchObject([
        { id: 77, state: "printed", document: expect.any(String), link: expect.stringContaining("https://") },
      ]);
      const stranger = createTestTill({ site, auth: { kind: "signature", secret: "whsec_b3RoZXI=" } });
      await expect(stranger.poll()).rejects.toMatchObject({ code: "site.http-status" });
    } finally {
      child.signal("SIGTERM");
      await child.ended;
    }
  },
);
