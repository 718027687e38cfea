import { randomUUID } from "node:crypto";
import { trySite } from "@fiscald/daemon/setup/try-site.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { freePort } from "../../support/free-port.js";
import { type SiteAnswer, startTestSite, type TestSite } from "../../support/test-site.js";

let site: TestSite;
beforeEach(async () => {
  site = await startTestSite();
});
afterEach(() => site.close());

interface Tried {
  readonly orders?: string;
  readonly isSecretNew?: boolean;
  readonly ownPort?: number;
  readonly auth?: "none";
  readonly bodyEncoding?: "json" | "form";
}

async function tried({ orders = site.url, isSecretNew = false, ownPort = 1, auth, ...encoding }: Tried = {}) {
  const signal = new AbortController().signal;
  const by = auth === "none" ? ({ kind: "none" } as const) : ({ kind: "bearer", token: "secret-1" } as const);
  const options = { signal, clock: systemClock, newId: randomUUID, ownPort };
  const findings = await trySite({ orders, auth: by, isSecretNew, ...encoding }, options);
  return findings.map(({ level, text, detail, next }) => ({ level, said: text.ru, detail, next: next?.ru ?? "" }));
}

const UNPROVEN = "Сайт ответил, но по ответу не видно, что он знает протокол.";

test("the test of an address sends the secret and an empty list of registers, and asks for no order", async () => {
  expect((await tried())[0]).toMatchObject({ level: "ok", said: "Сайт отвечает по протоколу, секрет принят." });
  expect(site.calls.map(({ json }) => json)).toEqual([{ action: "sync", data: [] }]);
  expect(site.calls[0]?.headers["authorization"]).toBe("Bearer secret-1");
  expect(await tried({ auth: "none" })).toContainEqual(
    expect.objectContaining({ said: "Сайт отвечает по протоколу." }),
  );
});

test.each<[string, SiteAnswer, string, string]>([
  ["a missing page", { status: 404, body: "<h1>404</h1>" }, "bad", "Такой страницы на сайте нет (404)."],
  ["a web page", { body: "<!doctype html><html></html>" }, "bad", "Сайт отвечает обычной страницей"],
  [
    "a web page with a receipt in its script",
    { body: '<html><script>const now = {"receipt":{"id":1}};</script></html>' },
    "bad",
    "Сайт отвечает обычной страницей",
  ],
  ["another text", { body: "OK" }, "bad", "Сайт отвечает, но не по протоколу."],
  ["another text with a receipt", { body: 'ok {"receipt":{"id":1}}' }, "bad", "Сайт отвечает, но не по протоколу."],
  [
    "a redirect, with its target",
    { status: 301, headers: { location: "/fiscal/?secret=1" } },
    "bad",
    "Сайт отправляет на другой адрес: http://127.0.0.1",
  ],
  ["a failure of the site", { status: 502 }, "bad", "Сайт ответил ошибкой."],
  ["a refused secret", { status: 401 }, "warning", "Сайт отвечает, но секрет ещё не принят."],
  ["a forbidden call", { status: 403 }, "warning", "Сайт отвечает, но секрет ещё не принят."],
  [
    "a site without lists of registers",
    { body: { resultCode: 2 } },
    "warning",
    "не принимает список касс (resultCode 2)",
  ],
  ["an empty answer", { body: "" }, "warning", UNPROVEN],
  ["an error in words of its own", { body: { status: "error", message: "no route" } }, "warning", UNPROVEN],
  ["a refusal of the call in words of its own", { body: { error: "Unauthorized" } }, "warning", UNPROVEN],
  ["a `resultCode` within another object", { body: { data: { resultCode: 5 } } }, "warning", UNPROVEN],
  ["an empty list", { body: [] }, "warning", UNPROVEN],
  ["a number", { body: "1" }, "warning", UNPROVEN],
  ["a text in JSON", { body: '"ok"' }, "warning", UNPROVEN],
  ["no letters of UTF-8", { body: Buffer.from('{"a":"\xff"}', "latin1") }, "bad", "Сайт отвечает, но не по протоколу."],
  [
    "a compressed answer",
    { body: "{}", headers: { "content-encoding": "gzip" } },
    "bad",
    "Сайт отвечает, но не по протоколу.",
  ],
])("the test of an address judges %s", async (_title, answer, level, words) => {
  site.answer(() => answer);
  const [first, ...others] = await tried();
  expect(first).toMatchObject({ level, said: expect.stringContaining(words) });
  expect(first?.said).not.toContain("secret=");
  expect(first?.next === "").toBe(level === "ok");
  expect(others.map(({ said }) => said)).toEqual(["Часы этого компьютера верны."]);
});

const order = { orderId: "A-1", taskTable: [{ type: "Registration", data: "Чай" }] };

test.each<[string, SiteAnswer, string]>([
  ["an order", { body: order }, ": заказ № A-1."],
  ["an order in `response`", { body: { resultCode: 0, response: order } }, ": заказ № A-1."],
  ["a list of orders in `response`", { body: { response: [{ ...order, orderId: "A-7" }] } }, ": заказ № A-7."],
  ["an order of the online format", { body: { external_id: "B-2", receipt: { items: [] } } }, ": заказ № B-2."],
  ["an order beside a refusal", { body: { resultCode: 2, ...order } }, ": заказ № A-1."],
  ["a body that contains an order", { body: { orders: [order] } }, ": заказ № A-1."],
  ["a receipt without an order's number", { body: { ok: true, receipt: { number: 5 } } }, "на проверку. Этот заказ"],
])("an address that answers the test with %s is bad, and is not called again", async (_title, answer, words) => {
  site.answer(() => answer);
  expect((await tried())[0]).toMatchObject({
    ...{ level: "bad", said: expect.stringMatching(/^Этот адрес отвечает заказом на проверку[:.].* не напечатан\.$/) },
    next: expect.stringContaining("Пусть разработчик сайта выдаст этот заказ ещё раз"),
  });
  expect((await tried())[0]?.said).toContain(words);
  expect(site.calls).toHaveLength(2);
});

test("an answer with an empty order counts as no order, and proves no more than an empty answer", async () => {
  site.answer(() => ({ body: { kkm: "1", orderId: "", taskTable: [] } }));
  expect((await tried())[0]).toMatchObject({ level: "warning", said: UNPROVEN });
});

test("the test of an address warns of a site that accepts a new secret, which the site cannot know", async () => {
  expect((await tried({ isSecretNew: true }))[0]).toMatchObject({
    level: "warning",
    said: expect.stringContaining("секрет не проверяет"),
  });
});

test("the test of an address reads from the answer how far this computer's clock is from the site's", async () => {
  const date = new Date(Date.now() + 20 * 60_000).toUTCString();
  site.answer(() => ({ body: { resultCode: 0 }, headers: { date } }));
  const clock = { level: "bad", said: "Часы этого компьютера расходятся на 20 мин." };
  expect((await tried()).at(-1)).toMatchObject(clock);
});

test("the test of an address does not ask for a secret that is shown only when the set-up ends", async () => {
  site.answer(() => ({ status: 401 }));
  expect((await tried())[0]?.next).toBe("Сверьте секрет с разработчиком сайта и проверьте снова.");
  expect((await tried({ isSecretNew: true }))[0]?.next).toContain("новый секрет появится в конце настройки");
});

test("the test of an address refuses fiscald's own page on this machine, and calls nothing there", async () => {
  const ownPort = Number(new URL(site.url).port);
  expect(await tried({ ownPort })).toEqual([
    expect.objectContaining({ level: "bad", said: "Это адрес этой же программы, а не сайта." }),
  ]);
  expect(await tried({ ownPort, orders: `http://localhost:${ownPort}/` })).toMatchObject([{ level: "bad" }]);
  expect(site.calls).toEqual([]);
});

test("the test of an address names a failure of the connection only once", async () => {
  expect(await tried({ orders: `http://127.0.0.1:${await freePort()}/` })).toEqual([
    {
      ...{ level: "bad", said: "Сайт недоступен.", detail: null },
      next: expect.stringMatching(/^Сверьте адрес по буквам/),
    },
  ]);
});
