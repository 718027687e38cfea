/** The whole road: an order over the delivery API, paid, polled by the daemon, printed, its receipt read back by the API. */
import { join } from "node:path";
import { z } from "zod";
import { fetchChecked, fillCatalog, newOrder } from "../handlers/delivery/delivery-world.js";
import { startChild } from "../support/child-process.js";
import { root } from "../support/read-imports.js";
import { waitFor } from "../support/wait-for.js";
import { tillOn, useShop } from "./use-shop.js";

const fiscaldSite = join(root, "handlers/dist/cli/main.js");
const shop = useShop();
const fn = "9999078900000001";

interface Reply {
  readonly status: number;
  // The API's own documents describe the bodies; here only single fields are looked at.
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

test("an order of the delivery API that is paid and printed has its receipt record", async () => {
  const database = join(shop.folder, "site.sqlite");
  const made = startChild([fiscaldSite, "token", "create", "Shop", "--database", database]);
  expect(await made.ended).toBe(0);
  const lines = made.output().split("\n");
  const token = lines.at(-1) ?? "";
  const [, path = "", secret = ""] = /print server: (\S+), secret (\S+)/.exec(made.output()) ?? [];

  const site = startChild([fiscaldSite, "serve", "--port", "0", "--database", database]);
  const [, origin = ""] = await site.line(/^ready (http\S+)/);
  shop.undo(() => {
    site.signal("SIGTERM");
    return site.ended;
  });
  const emulator = await shop.emulate({ args: ["--fn", fn] });
  await shop.run({
    siteUrl: `${origin}${path}`,
    site: { auth: { kind: "bearer", token: secret } },
    registers: [tillOn(emulator)],
  });

  async function call(method: string, route: string, body?: unknown): Promise<Reply> {
    const response = await fetchChecked(`${origin}/v1${route}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: text === "" ? {} : z.looseObject({}).parse(firstOf(JSON.parse(text))) };
  }
  const api = {
    get: (route: string) => call("GET", route),
    post: (route: string, body?: unknown) => call("POST", route, body),
    put: (route: string, body?: unknown) => call("PUT", route, body),
    delete: (route: string) => call("DELETE", route),
  };

  await fillCatalog(api);
  const internet = { isInternetPayment: 1, internetPaymentUrl: "https://shop.example" };
  expect((await api.post("/orders", [newOrder({ ...internet, statusId: 1 })])).status).toBe(201);
  const record = await waitFor(
    "the order has its receipt record",
    async () => {
      const reply = await api.get("/orderReceipts?orderId=1042");
      return reply.status === 200 ? reply.body : null;
    },
    { timeoutMs: 60_000 },
  );
  const [document] = await emulator.receipts();
  expect(document).toMatchObject({
    operation: "sale",
    totalKopecks: 50_100,
    items: [{ name: "Чай зелёный", priceKopecks: 25_050, quantity: 2, sumKopecks: 50_100 }],
    payments: [{ typeClose: 1, sumKopecks: 50_100 }],
    contact: "anna@mail.example",
    internet: true,
    settlementPlace: "https://shop.example",
  });
  expect(record).toMatchObject({
    orderId: 1042,
    fn,
    fdNumber: String(document?.fd),
    receiptNumber: String(document?.receiptNumber),
    shiftNumber: String(document?.shift),
  });
  expect(Number(record["fiscalSign"])).toBe(Number(document?.fiscalSign));
  expect((await api.get("/orders?orderId=1042")).body).toMatchObject({ orderId: 1042, frReceiptStatusId: 1 });
  expect(await emulator.receipts()).toHaveLength(1);
});

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}
