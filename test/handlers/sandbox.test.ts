import { join } from "node:path";
import { silentLogger } from "@fiscald/shared/logger.js";
import { serveSite } from "#handlers/cli/serve-site.js";
import { migrated } from "#handlers/delivery/open-delivery.js";
import { createToken } from "#handlers/delivery/store/access-tokens.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { openStore } from "#handlers/store/open-store.js";
import { useTempFolder } from "../support/temp-folder.js";
import { waitFor } from "../support/wait-for.js";
import { fillCatalog, newOrder } from "./delivery/delivery-world.js";

const folder = useTempFolder();
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

async function serve({ sandbox = true } = {}) {
  const database = join(folder(), "sandbox.sqlite");
  const opened = await openStore({ address: database });
  const { token, resource } = await createToken(await migrated(opened), "team", Date.now());
  await opened.close();
  const site = await serveSite({
    port: 0,
    host: "127.0.0.1",
    database,
    demoShop: false,
    sandbox,
    logger: silentLogger,
  });
  closings.push(() => site.close());
  const page = async (path = "", init: RequestInit = {}) => {
    const answer = await fetch(`${site.url}/sandbox/${path}`, { redirect: "manual", ...init });
    return { status: answer.status, text: await answer.text(), policy: answer.headers.get("content-security-policy") };
  };
  async function call(path: string, init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body: unknown = await (await fetch(`${site.url}${path}`, { ...init, headers })).json();
    return body;
  }
  const sell = (orderId: string, head: object = {}) =>
    call("/receipts", { method: "POST", body: JSON.stringify(order(orderId, head)) });
  const becomes = (orderId: string, state: string) =>
    waitFor(`${orderId} is ${state}`, async () =>
      JSON.stringify(await call(`/receipts?orderId=${encodeURIComponent(orderId)}`)).includes(`"state":"${state}"`),
    );
  const turn = (mode: string) => page(`mode/${mode}`, { method: "POST" });
  return { site, database, resource, page, sell, becomes, turn, call };
}

function order(orderId: string, head: object) {
  const taskTable = [
    { type: "OpenCheckSell" },
    { type: "Registration", data: "<b>Чай</b>", param: { price: 120, quantity: 1, tax: 1 } },
    { type: "Payment", param: { summ: 120, typeClose: 1 } },
    { type: "CloseCheck" },
  ];
  return { response: { orderId, ...head, taskTable } };
}

test("the sandbox reports receipts of any register as printed, failed or unknown, as its switch says", async () => {
  const { sell, becomes, turn, call } = await serve();
  await sell("A-1");
  await sell("A-2", { kkm: "0001234567012345" });
  await becomes("A-1", "printed");
  expect(await call("/receipts?orderId=A-1")).toMatchObject([{ resultInfo: "", document: { emulated: true } }]);
  await becomes("A-2", "printed");
  expect((await turn("fails")).status).toBe(303);
  await sell("A-3");
  await becomes("A-3", "failed");
  await turn("unsure");
  await sell("A-4");
  await becomes("A-4", "unknown");
  await turn("no-paper");
  await sell("A-5");
  await becomes("A-5", "queued");
  await turn("prints");
  await becomes("A-4", "printed");
  await becomes("A-5", "printed");
  expect((await turn("dance")).status).toBe(404);
});

test("the sandbox's page escapes the texts of orders, and answers no other site and no other host", async () => {
  const { sell, becomes, page } = await serve();
  await sell('<img src=x onerror="a">');
  await becomes('<img src=x onerror="a">', "printed");
  const { text, policy } = await page();
  expect(text).toContain("&#60;img src=x onerror=&#34;a&#34;&#62;");
  expect(text).not.toContain("<img src=x");
  expect(policy).toContain("default-src 'none'");
  const [, image = ""] = /src="\/sandbox\/(receipts\/[\w-]+\.svg)"/.exec(text) ?? [];
  const paper = await page(image);
  expect(paper.text).toContain("<svg");
  expect(paper.text).not.toContain("<b>");
  expect((await page("receipts/none.svg")).status).toBe(404);
  expect((await page("mode/fails", { method: "POST", headers: { origin: "https://evil.example" } })).status).toBe(403);
});

test("an order of the delivery API is printed with the sandbox's tax rows", async () => {
  const { call, page } = await serve();
  const post = async (path: string, body: unknown) => {
    const answer = await call(`/v1${path}`, { method: "POST", body: JSON.stringify(body) });
    return { status: Array.isArray(answer) ? 201 : 500, body: answer, headers: new Headers() };
  };
  await fillCatalog({ post });
  const internet = { isInternetPayment: 1, internetPaymentUrl: "https://shop.example", statusId: 1 };
  await post("/orders", [newOrder({ orderId: 1042, ...internet })]);
  await waitFor("it is printed", async () => (await page()).text.includes("1042 · printed"));
  const printed = JSON.stringify(await call("/v1/orderReceipts?orderId=1042"));
  const [, date = "", time = ""] = /"dateTimeReceipt":"(\S+) (\S+)"/.exec(printed) ?? [];
  // The register's wall time is Moscow's, and the API's time is GMT.
  expect(Math.abs(Date.parse(`${date}T${time}Z`) - Date.now())).toBeLessThan(10 * 60_000);
});

test("a sandbox refuses a database that a print server has used", async () => {
  const { site, database, resource } = await serve({ sandbox: false });
  const till = createTestTill({
    site: `${site.url}/till/${resource.id}`,
    auth: { kind: "bearer", token: resource.handlerSecret },
  });
  await till.poll();
  await expect(
    serveSite({ port: 0, host: "127.0.0.1", database, demoShop: false, sandbox: true, logger: silentLogger }),
  ).rejects.toMatchObject({ code: "usage.wrong", message: expect.stringContaining("0000000000000001") });
});
