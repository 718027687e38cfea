/** The PHP of handlers/FROM-CLOUD.md and WITHOUT-NODE.md: the module for a shop, and the receiver of results. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { startPhp } from "../../site-check/start-broken-site.js";
import { startChild } from "../../support/child-process.js";
import { needing } from "../../support/has-program.js";
import { root } from "../../support/read-imports.js";
import { createSqliteFile } from "../../support/site-databases.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";
import { openSidecarWorld } from "./sidecar-world.js";

const blockOf = (page: string) =>
  /```php\n([\s\S]*?)```/.exec(readFileSync(join(root, "handlers", page), "utf8"))?.[1] ?? "";
const recipe = blockOf("FROM-CLOUD.md");
const folder = useTempFolder();

/** Calls the recipe as a module does: each line of the input is a call. */
const program = `${recipe}
while (($line = fgets(STDIN)) !== false) {
    [$number, $call, $given, $key] = json_decode($line, true) + [3 => ''];
    $token = $call === 'stranger' ? 'nobody' : getenv('FISCALD_TOKEN');
    $receipts = new FiscaldReceipts(getenv('FISCALD_URL'), $token);
    try {
        $answer = match ($call) {
            'token' => $receipts->getToken(),
            'sell', 'sell_refund' => $receipts->sell($given, $call, $key),
            'report', 'stranger' => $receipts->report($given),
            'posted' => FiscaldReceipts::inWords($given),
        };
    } catch (RuntimeException $error) {
        $answer = ['thrown' => $error->getMessage()];
    }
    echo "answer $number ", json_encode($answer, JSON_UNESCAPED_UNICODE), "\\n";
}
`;

const body = (external_id: string, rate = "vat22") => ({
  external_id,
  receipt: {
    client: { email: "buyer@example.ru" },
    company: { email: "shop@example.ru", sno: "osn", inn: "7700000000", payment_address: "https://shop.example" },
    items: [{ name: "Чай", price: 120.5, quantity: 2, sum: 241, vat: { type: rate } }],
    payments: [{ type: 1, sum: 241 }],
    total: 241,
  },
});

const php = needing("php");
php.test(`a cloud service's module in PHP sells, reports and refunds by the kit${php.reason}`, async () => {
  const world = await openSidecarWorld(await createSqliteFile());
  writeFileSync(join(folder(), "module.php"), program);
  const env = { FISCALD_URL: world.origin, FISCALD_TOKEN: world.token };
  const child = startChild(["module.php"], { program: "php", cwd: folder(), env });
  const answer = z.looseObject({ uuid: z.string().nullable().optional() });
  try {
    let calls = 0;
    async function call(...given: readonly unknown[]) {
      calls += 1;
      child.send(JSON.stringify([calls, ...given]));
      const [, json = ""] = await child.line(new RegExp(`^answer ${calls} (.*)$`));
      return answer.parse(JSON.parse(json));
    }
    expect(await call("token", null)).toEqual({ token: world.token, error: null });
    const longest = "A".repeat(128);
    const sold = await call("sell", body(longest));
    expect(sold).toEqual({
      ...{ uuid: expect.any(String), external_id: longest, status: "wait", error: null, payload: null },
    });
    expect(await call("sell", body(longest))).toEqual(sold);
    const receipt = await world.till.poll();
    if (receipt === null) throw new Error("no receipt was handed out");
    await world.till.report(receipt, { outcome: "unknown" });
    expect(await call("report", sold.uuid)).toMatchObject({ uuid: sold.uuid, status: "wait" });
    await world.till.report(receipt);
    const done = await call("report", sold.uuid);
    expect(done).toMatchObject({ uuid: sold.uuid, status: "done", error: null });
    expect(done.payload).toEqual({
      ...{ total: 241, fn_number: expect.stringMatching(/^\d{16}$/), shift_number: 1, fiscal_document_number: 1 },
      ...{ receipt_datetime: expect.stringMatching(/^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/), fiscal_receipt_number: 1 },
      ...{ fiscal_document_attribute: expect.any(Number), ecr_registration_number: "0000000000000001" },
      ofd_receipt_url: expect.stringMatching(/^https:/),
    });
    const { body: posted } = await world.get(`/receipts/${sold.uuid}`);
    expect(await call("posted", posted)).toEqual(done);
    expect(await call("sell", body("A-2", "vat18"))).toMatchObject({
      ...{ uuid: null, status: "fail" },
      error: { code: expect.any(String), text: expect.stringMatching(/^receipt\.items\[0\]\.vat.*[а-я]/) },
    });
    expect(await call("stranger", sold.uuid)).toEqual({ thrown: expect.stringMatching(/^fiscald answers HTTP 401/) });
    expect(await call("report", "nobody")).toEqual({ thrown: expect.stringMatching(/^fiscald answers HTTP 404/) });
    const refund = await call("sell_refund", body(longest), "refund-17");
    await world.till.printNext();
    expect(await call("report", refund.uuid)).toMatchObject({ status: "done" });
    expect(await call("sell_refund", body(longest), "refund-17")).toMatchObject({ uuid: refund.uuid, status: "done" });
    // A refusal names the receipt that stands in the way. The module must not take that receipt for this refund.
    expect(await call("sell_refund", body(longest), "refund-18")).toMatchObject({
      ...{ uuid: null, status: "fail", error: { code: "job.return-exceeds-sale" }, payload: null },
    });
    const failed = await call("sell", body("A-3"));
    const third = await world.till.poll();
    if (third === null) throw new Error("no receipt was handed out");
    await world.till.report(third, { outcome: "failed", resultInfo: "Нет бумаги" });
    expect(await call("report", failed.uuid)).toMatchObject({ status: "fail", error: { text: "Нет бумаги" } });
  } finally {
    child.signal("SIGKILL");
    await child.ended;
    await world.close();
  }
});

php.test(
  `the page's receiver saves only results with a right signature, and answers the test call${php.reason}`,
  async () => {
    const world = await openSidecarWorld(await createSqliteFile());
    mkdirSync(join(folder(), "data"));
    writeFileSync(join(folder(), "result.php"), blockOf("WITHOUT-NODE.md"));
    const env = { CALLBACK_SECRET: world.resource.callbackSecret };
    const { child, address } = await startPhp(join(folder(), "result.php"), env);
    const saved = join(folder(), "data/results.txt");
    try {
      const { body: set } = await world.call("POST", "/receipts/callback", { url: address, isActive: 1 });
      expect(set).toMatchObject({ warning: null });
      const { status } = await fetch(address, { method: "POST", body: JSON.stringify({ receiptId: "of a stranger" }) });
      expect([status, existsSync(saved)]).toEqual([401, false]);
      await world.post(body("A-1"), "?operation=sell");
      await world.till.printNext();
      await waitFor("the result is saved", () => existsSync(saved));
      expect(JSON.parse(readFileSync(saved, "utf8"))).toMatchObject({ orderId: "A-1", state: "printed" });
    } finally {
      child.signal("SIGTERM");
      await child.ended;
      await world.close();
    }
  },
);
