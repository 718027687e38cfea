/** Sites as they were built before our kit: form fields, secrets in the address, Basic, certificates of their own. */
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createServer } from "node:https";
import { z } from "zod";
import { parseForm } from "#handlers/print-server/http/form-fields.js";
import { type Certificate, hasOpenssl, selfSigned, signedBy } from "../support/certificates.js";
import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import { type SiteCall, startTestSite, type TestSite } from "../support/test-site.js";
import { waitFor } from "../support/wait-for.js";
import { makeOrder } from "../tools/campaign/plan/orders.js";
import { tillOn, useShop } from "./use-shop.js";

const shop = useShop("each");
let emulator: EmulatorProcess;

beforeEach(async () => {
  emulator = await shop.emulate();
});

async function openSite(server?: Server): Promise<TestSite> {
  const site = await startTestSite(server);
  shop.undo(() => site.close());
  return site;
}

const bodySchema = z.looseObject({ action: z.string() });
type Body = z.infer<typeof bodySchema>;

/** Hands out one order to whoever `admits`, and refuses the others. */
function offerOnce(to: TestSite, read: (call: SiteCall) => unknown, admits: (call: SiteCall) => boolean = () => true) {
  const heard: Body[] = [];
  let offered = false;
  to.answer((call) => {
    if (!admits(call)) return { status: 401, body: "who are you" };
    const body = bodySchema.parse(read(call));
    heard.push(body);
    if (body.action !== "order" || offered) return { body: { resultCode: 0 } };
    offered = true;
    return { body: makeOrder({ orderId: "A-1", operation: "sale", prices: [10, 20.5] }).answer };
  });
  return heard;
}

function run(siteUrl: string, site: Readonly<Record<string, unknown>>): Promise<DaemonProcess> {
  return shop.run({ siteUrl, site, registers: [tillOn(emulator, { receiptLink: { preset: "1-ofd" } })] });
}

async function printed(heard: readonly Body[]): Promise<Body> {
  const result = await waitFor("the result arrives", () => heard.find(({ action }) => action === "orderConfirm"));
  expect(result).toMatchObject({ orderId: "A-1" });
  expect(Number(result["resultCode"])).toBe(0);
  expect(await emulator.receipts()).toHaveLength(1);
  return result;
}

test("an older site with form fields and a secret in its address gets its result, and the log has no secret", async () => {
  const site = await openSite();
  const heard = offerOnce(
    site,
    ({ text }) => parseForm(text),
    ({ path }) => path.endsWith("?key=s3cret-in-query"),
  );
  const { child } = await run(`${site.url}?key=s3cret-in-query`, { bodyEncoding: "form" });
  const result = await printed(heard);
  const [document] = await emulator.receipts();
  const link = Buffer.from(String(result["OFDLink"]), "base64").toString("utf8");
  expect(link).toMatch(
    new RegExp(
      `^https://consumer\\.1-ofd\\.ru/v1\\?t=\\d{8}T\\d{4}&s=30\\.50&fn=\\d{16}&i=${document?.fd}&fp=\\d+&n=1$`,
    ),
  );
  const sync = await waitFor("sync", () => heard.find(({ action }) => action === "sync"));
  expect(sync).toMatchObject({ data: expect.anything() });
  expect(
    site.calls.every(({ headers }) => headers["content-type"]?.startsWith("application/x-www-form-urlencoded")),
  ).toBe(true);
  expect(child.output()).not.toContain("s3cret-in-query");
});

const withOpenssl = hasOpenssl ? describe : describe.skip;

withOpenssl(`sites behind TLS${hasOpenssl ? "" : " (skipped: needs openssl)"}`, () => {
  function startTlsSite({ cert, key }: Certificate, clients: Certificate | null = null): Promise<TestSite> {
    const asked = { requestCert: true, rejectUnauthorized: true } as const;
    const server = { cert: readFileSync(cert), key: readFileSync(key) };
    return openSite(createServer(clients === null ? server : { ...server, ca: readFileSync(clients.cert), ...asked }));
  }

  test("a site that wants a client certificate refuses a wrong one, and gets its result after the right one", async () => {
    const authority = selfSigned(shop.folder, "shop-ca");
    const tills = selfSigned(shop.folder, "tills-ca");
    const till = signedBy(tills, shop.folder, "till");
    const stranger = selfSigned(shop.folder, "stranger");
    const tls = await startTlsSite(signedBy(authority, shop.folder, "shop"), tills);
    const heard = offerOnce(tls, ({ json }) => json);
    const wrong = { caFile: authority.cert, certFile: stranger.cert, keyFile: stranger.key };
    const refused = await run(tls.url, { tls: wrong });
    // TLS 1.3 refuses a client after it has begun to speak, so that the poll counts as sent to be safe.
    await refused.child.line(/site cannot be asked for orders|answer to an order poll lost/);
    expect(heard).toEqual([]);
    await refused.stop();
    await run(tls.url, { tls: { ...wrong, certFile: till.cert, keyFile: till.key } });
    await printed(heard);
    // What waited is delivered too.
    await waitFor("the list of registers arrives", () => heard.some(({ action }) => action === "sync"));
  });
});
