import type { SiteConfig } from "@fiscald/daemon/config/site-schema.js";
import { createSiteClient } from "@fiscald/daemon/sites/site-client.js";
import type { StoredEvent } from "@fiscald/daemon/store/outbox-store.js";
import { createPrintServerRouter, openReceiptStore, type PrintResult, taskTable } from "@fiscald/handlers";
import { MAX_SUM } from "@fiscald/shared/amounts.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toKkm, toOrderId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { post, type ServedSite, serveSite } from "../../support/fake-daemon.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const order = taskTable.sale({ orderId: "A-1" }).item({ name: "Чай & кофе", price: "120.00" }).payRest("cash").build();

const auths: readonly SiteConfig["auth"][] = [
  { kind: "signature", secret },
  { kind: "basic", user: "till", password: "s" },
  { kind: "bearer", token: "s" },
  { kind: "header", name: "X-Fiscal-Key", value: "s" },
];

function siteAt(url: string, auth: SiteConfig["auth"], bodyEncoding: SiteConfig["bodyEncoding"]): SiteConfig {
  return {
    id: toSiteId("shop"),
    urls: {
      orders: url,
      result: url,
      sync: url,
      activity: url,
      connected: null,
      disconnected: null,
      zreport: url,
      error: url,
    },
    pollEverySeconds: 5,
    receiptFormat: "auto",
    bodyEncoding,
    resultAction: "orderConfirm",
    resultExtras: true,
    sessionSumm: "net",
    reportFailedClose: false,
    requireContactForInternet: true,
    strictPaper: true,
    rates: { allow20: false },
    marked: { requirePermit: false },
    largestReceipt: MAX_SUM,
    inn: null,
    renamedFrom: null,
    issuer: null,
    formerAddresses: [],
    auth,
    tls: { caFile: null, certFile: null, keyFile: null },
  };
}

function event(kind: StoredEvent["kind"], body: StoredEvent["body"], webhookId: string): StoredEvent {
  return {
    id: 1,
    site: toSiteId("shop"),
    kind,
    lane: "",
    job: null,
    register: null,
    body,
    webhookId,
    state: "pending",
    revision: 1,
    tries: 0,
    refusals: 0,
    lastError: null,
    createdAt: 0,
    deliveredAt: null,
  };
}

const sites: ServedSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

describe.each(["json", "form"] as const)("the daemon's own client, sending %s", (bodyEncoding) => {
  test.each(auths.map((auth) => [auth.kind, auth] as const))("a daemon polls and reports with %s", async (_, auth) => {
    const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
    const seen: PrintResult[] = [];
    const router = createPrintServerRouter({
      store,
      auth,
      logger: silentLogger,
      onResult: (result) => void seen.push(result),
    });
    const served = await serveSite(router);
    sites.push(served);
    let ids = 0;
    const client = createSiteClient({
      site: siteAt(`${served.url}/`, auth, bodyEncoding),
      daemonId: "daemon-1",
      runId: "run-1",
      clock: systemClock,
      newId: () => {
        ids += 1;
        return `poll-${ids}`;
      },
    });
    const { signal } = new AbortController();
    const { receiptId } = await store.enqueue(order);
    const poll = await client.poll(toKkm("0001234567012345"), signal);
    expect(poll.leases).toBe(true);
    expect(JSON.parse(poll.body)).toMatchObject({ response: { orderId: "A-1", receiptId } });
    const result = {
      action: "orderConfirm",
      kkm: "0001234567012345",
      inn: "7700000000",
      fn: "9999078900000001",
      resultCode: 0,
      resultInfo: "OK",
      shiftNumber: "1",
      OFDLink: "",
      orderId: "A-1",
      receiptId,
      outcome: "printed",
      total: 120,
      operation: "sell",
    };
    expect(await client.deliver(event("result", result, "evt-1"), signal)).toMatchObject({ kind: "delivered" });
    expect(await client.deliver(event("result", result, "evt-1"), signal)).toMatchObject({ kind: "delivered" });
    expect(seen).toMatchObject([{ receiptId, outcome: "printed", total: 12_000, operation: "sale" }]);
    await client.close();
    await store.close();
  });
});

test("a signed poll that is sent a second time, byte for byte, gets no receipt", async () => {
  const auth = { kind: "signature", secret } as const;
  const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  const router = createPrintServerRouter({ store, auth, logger: silentLogger });
  const calls: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const served = await serveSite((request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => /^(webhook-|content-type|fiscald-)/.test(name));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () =>
      calls.push({
        headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
        body: Buffer.concat(chunks).toString(),
      }),
    );
    router(request, response);
  });
  sites.push(served);
  const client = createSiteClient({
    site: siteAt(`${served.url}/`, auth, "json"),
    daemonId: "daemon-1",
    runId: "run-1",
    clock: systemClock,
    newId: () => "poll-1",
  });
  await store.enqueue(order);
  const poll = await client.poll(toKkm("0001234567012345"), new AbortController().signal);
  expect(poll.body).toContain("A-1");
  const [sent = { headers: {}, body: "" }] = calls;
  expect(JSON.parse(sent.body)).toMatchObject({ action: "order", daemon: "daemon-1", run: "run-1" });
  await store.enqueue({ ...order, orderId: toOrderId("A-2") });
  const replayed = await post(served.url, sent.body, { headers: sent.headers });
  expect(replayed.body).toEqual({ resultCode: 1, resultInfo: "The poll has been answered before." });
  await client.close();
  await store.close();
});
