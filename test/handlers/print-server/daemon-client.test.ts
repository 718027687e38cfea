/** The daemon's own client calls the kit's router with every kind of secret and in both encodings. */
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { createSiteClient, type SiteClient } from "@fiscald/daemon/sites/site-client.js";
import type { StoredEvent } from "@fiscald/daemon/store/outbox-store.js";
import { createPrintServerRouter, openReceiptStore, type PrintResult } from "@fiscald/handlers";
import { systemClock } from "@fiscald/shared/clock.js";
import { toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { post, type ServedSite, serveSite } from "../../support/fake-daemon.js";
import { kkm, sale } from "./receipt-world.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const auths = [
  { kind: "signature", secret },
  { kind: "basic", user: "till", password: "s3cret-of-16-signs" },
  { kind: "bearer", token: "s3cret-of-16-signs" },
  { kind: "header", name: "X-Fiscal-Key", value: "s3cret-of-16-signs" },
] as const;
const { signal } = new AbortController();

const open: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function clientOf({ url }: ServedSite, site: object): SiteClient {
  const urls = { orders: `${url}/`, result: `${url}/` };
  const till = { id: "till", driver: "reference", connection: { kind: "tcp", host: "x" }, sites: ["shop"] };
  const raw = { version: 1, sites: [{ id: "shop", urls, ...site }], registers: [till] };
  const surroundings = { folder: "/", env: {}, readFile: () => "" };
  const [config] = parseConfig(JSON.stringify(raw), "config.json", surroundings).sites;
  if (config === undefined) throw new Error("no site");
  let ids = 0;
  const newId = () => `poll-${++ids}`;
  const client = createSiteClient({ site: config, daemonId: "daemon-1", runId: "run-1", clock: systemClock, newId });
  open.push(client);
  return client;
}

function resultEvent(body: StoredEvent["body"]): StoredEvent {
  const times = { createdAt: 0, deliveredAt: null, revision: 1, tries: 0, refusals: 0, lastError: null } as const;
  const event = { id: 1, site: toSiteId("shop"), kind: "result", lane: "", job: null, register: null } as const;
  return { ...event, ...times, body, webhookId: "evt-1", state: "pending" };
}

async function openShopStore() {
  const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  open.push(store);
  return store;
}

async function serve(listener: Parameters<typeof serveSite>[0]): Promise<ServedSite> {
  const served = await serveSite(listener);
  open.unshift(served);
  return served;
}

describe.each(["json", "form"] as const)("the daemon's own client, sending %s", (bodyEncoding) => {
  test.each(auths.map((auth) => [auth.kind, auth] as const))("a daemon polls and reports with %s", async (_, auth) => {
    const store = await openShopStore();
    const seen: PrintResult[] = [];
    const onResult = (result: PrintResult) => void seen.push(result);
    const site = await serve(createPrintServerRouter({ store, auth, logger: silentLogger, onResult }));
    const client = clientOf(site, { auth, bodyEncoding });
    const { receiptId } = await store.enqueue(sale("A-1"));
    const poll = await client.poll(kkm, signal);
    expect(poll.leases).toBe(true);
    expect(JSON.parse(poll.body)).toMatchObject({ response: { orderId: "A-1", receiptId } });
    const document = { shiftNumber: "1", OFDLink: "", orderId: "A-1", receiptId, operation: "sell", total: 120 };
    const register = { kkm, inn: "7700000000", fn: "9999078900000001", resultCode: 0, resultInfo: "OK" };
    const result = resultEvent({ action: "orderConfirm", ...register, ...document, outcome: "printed" });
    for (const _ of [1, 2]) expect(await client.deliver(result, signal)).toMatchObject({ kind: "delivered" });
    expect(seen).toMatchObject([{ receiptId, outcome: "printed", totalKopecks: 12_000, operation: "sale" }]);
  });
});

test("a signed poll that is sent a second time, byte for byte, gets no receipt", async () => {
  const auth = { kind: "signature", secret } as const;
  const store = await openShopStore();
  const router = createPrintServerRouter({ store, auth, logger: silentLogger });
  const calls: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const site = await serve((request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => /^(webhook-|content-type|fiscald-)/.test(name));
    const sent = Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => calls.push({ headers: sent, body: Buffer.concat(chunks).toString() }));
    router(request, response);
  });
  const client = clientOf(site, { auth });
  await store.enqueue(sale("A-1"));
  expect((await client.poll(kkm, signal)).body).toContain("A-1");
  const [sent = { headers: {}, body: "" }] = calls;
  expect(JSON.parse(sent.body)).toMatchObject({ action: "order", daemon: "daemon-1", run: "run-1" });
  await store.enqueue(sale("A-2"));
  const replayed = await post(site.url, sent.body, { headers: sent.headers });
  expect(replayed.body).toEqual({ resultCode: 1, resultInfo: "The poll has been answered before." });
});
