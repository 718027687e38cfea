import { silentLogger } from "@fiscald/shared/logger.js";
import { demoGoods } from "#handlers/demo-shop/demo-order.js";
import { startDemoSite } from "#handlers/demo-shop/start-demo-site.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { post } from "../../support/fake-daemon.js";
import { statusOf } from "../../support/raw-request.js";

type Site = Awaited<ReturnType<typeof startDemoSite>>;

let site: Site;
let failures: string[];
const tape = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);

beforeEach(async () => {
  failures = [];
  site = await startDemoSite({
    port: 0,
    host: "127.0.0.1",
    database: ":memory:",
    logger: { ...silentLogger, error: (message) => failures.push(message) },
    tapeOf: async (kkm, fdNumber) => (kkm === "0001" && Number(fdNumber) > 0 ? tape : null),
  });
});

afterEach(() => site.close());

const cart = { items: [{ id: "tea", count: 2 }], payment: "electronic", email: "buyer@example.ru" };

async function pay(order: object = cart): Promise<{ orderId: string; receiptId: string }> {
  const { body } = await post(`${site.url}/api/orders`, order);
  if (typeof body === "object" && body !== null && "orderId" in body && "receiptId" in body) {
    return { orderId: String(body.orderId), receiptId: String(body.receiptId) };
  }
  throw new Error(`the shop did not take the order: ${JSON.stringify(body)}`);
}

/** The events of a live receipt, until the shop ends the stream. */
async function* liveEvents(receiptId: string): AsyncGenerator<{ state: string; [field: string]: unknown }> {
  const answer = await fetch(`${site.url}/api/receipts/${receiptId}/live`);
  if (answer.body === null) throw new Error("no stream");
  let text = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      yield JSON.parse(text.slice("data: ".length, end));
      text = text.slice(end + 2);
    }
  }
}

/** The picture places each character by itself. */
function drawnText(svg: string): string {
  return [...svg.matchAll(/>([^<])<\/text>/g)].map(([, character]) => character).join("");
}

test("a paid cart in the demo shop becomes a receipt, whose number and link appear without a reload", async () => {
  const till = createTestTill({ site: `${site.url}/fiscal`, kkm: "0001" });
  const { orderId, receiptId } = await pay();
  const events = [];
  for await (const event of liveEvents(receiptId)) {
    events.push(event);
    if (events.length === 1) {
      expect(await till.printNext()).toMatchObject({
        orderId,
        receiptId,
        contact: "buyer@example.ru",
        payments: [{ typeClose: 1, sum: 64_000 }],
      });
    }
  }
  expect(events[0]).toMatchObject({ orderId, state: "queued", total: 64_000 });
  expect(events.at(-1)).toMatchObject({
    state: "printed",
    result: { kkm: "0001", fdNumber: "1", fiscalSign: "1000000001", link: "https://receipts.example/1" },
    hasTape: true,
  });
});

test("a receipt link that is no web address is not shown on the demo shop's page", async () => {
  const { orderId, receiptId } = await pay();
  const link = Buffer.from("javascript:alert(1)").toString("base64");
  const result = { action: "orderConfirm", kkm: "0001", resultCode: 0, orderId, receiptId, OFDLink: link };
  await post(`${site.url}/fiscal`, result);
  for await (const event of liveEvents(receiptId))
    expect(event).toMatchObject({ state: "printed", result: { link: null } });
});

test("the demo shop shows a receipt as drawn paper, or as the register's own tape if there is one", async () => {
  const { receiptId } = await pay();
  const paper = `${site.url}/api/receipts/${receiptId}/paper.svg`;
  const unprinted = drawnText(await (await fetch(paper)).text());
  expect(unprinted).toContain("НЕЗАРЕГИСТРИРОВАН");
  const tapeUrl = `${site.url}/api/receipts/${receiptId}/tape.png`;
  expect((await fetch(tapeUrl)).status).toBe(404);
  await createTestTill({ site: `${site.url}/fiscal`, kkm: "0001" }).printNext();
  const printed = drawnText(await (await fetch(paper)).text());
  expect(printed).not.toContain("НЕЗАРЕГИСТРИРОВАН");
  expect(printed).toContain("1000000001");
  expect(new Uint8Array(await (await fetch(tapeUrl)).arrayBuffer())).toEqual(tape);
});

test.each([
  ["an unknown product", { ...cart, items: [{ id: "car", count: 1 }] }],
  ["no things", { ...cart, items: [] }],
  ["half a product", { ...cart, items: [{ id: "tea", count: 0.5 }] }],
  ["a broken e-mail", { ...cart, email: "buyer@" }],
  ["another payment", { ...cart, payment: "gold" }],
])("the demo shop refuses a cart with %s", async (_, order) => {
  expect(await post(`${site.url}/api/orders`, order)).toMatchObject({
    status: 422,
    body: { error: expect.any(String) },
  });
});

test.each([
  ["a body that is no JSON", "{", 400],
  ["a body above the limit", `"${"x".repeat(20_000)}"`, 413],
])("the demo shop answers %s as the caller's mistake, and logs no failure", async (_, body, status) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${site.url}/api/orders`, { method: "POST", headers, body });
  expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }]);
  expect(failures).toEqual([]);
});

test("the demo shop's page says that nothing is real, and runs only scripts of its own files", async () => {
  const answer = await fetch(`${site.url}/`);
  const page = await answer.text();
  expect(page).toContain("фискальных документов не возникает");
  expect(answer.headers.get("content-security-policy")).toContain("script-src 'self'");
  expect(page).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=/);
  const pictures = demoGoods.map(({ id }) => `pictures/${id}.svg`);
  for (const file of ["shop.js", "shop.css", "icon.svg", ...pictures]) {
    expect((await fetch(`${site.url}/${file}`)).status).toBe(200);
  }
});

test("the demo shop answers 404 for an unknown receipt", async () => {
  for (const part of ["live", "paper.svg", "tape.png"]) {
    expect((await fetch(`${site.url}/api/receipts/none/${part}`)).status).toBe(404);
  }
});

test("the demo shop refuses an order with a foreign host or origin, or with a body that is no JSON", async () => {
  const { host } = new URL(site.url);
  const buy = (headers: Record<string, string>) => statusOf(`${site.url}/api/orders`, headers, JSON.stringify(cart));
  const type = "application/json";
  expect(await buy({ host: "evil.example", "content-type": type })).toBe(403);
  expect(await buy({ host, origin: "https://evil.example", "content-type": type })).toBe(403);
  expect(await buy({ host, "content-type": "text/plain" })).toBe(415);
  expect(await buy({ host, origin: `http://${host}`, "content-type": type })).toBe(201);
});
