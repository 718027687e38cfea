import { once } from "node:events";
import { request } from "node:http";
import { webhookHeaders } from "@fiscald/shared/http/webhook-headers.js";
import { type Logger, silentLogger } from "@fiscald/shared/logger.js";
import express, { type RequestHandler } from "express";
import { type CallAuth, type CallGuard, createCallGuard } from "#handlers/print-server/http/call-guard.js";
import { createPrintServerRouter } from "#handlers/print-server/http/create-router.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { post, type ServedSite, serveSite } from "../../../support/fake-daemon.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const authsOf = (text: string, signing: string): Readonly<Record<string, CallAuth>> => ({
  "a query key": { kind: "query", secret: text },
  "a query key of another name": { kind: "query", name: "token", secret: text },
  Basic: { kind: "basic", user: "till", password: text },
  Bearer: { kind: "bearer", token: text },
  "a header": { kind: "header", name: "X-Fiscal-Key", value: text },
  "a signature": { kind: "signature", secret: signing },
});
const wrongAuths = authsOf("wrong-one-of-16-signs", "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0");
const keyOfUsualName: CallAuth = { kind: "query", secret: "s3cret:more:of-16" };
const kinds = Object.entries(authsOf("s3cret:more:of-16", secret)).map(
  ([name, auth]): [string, CallAuth, CallAuth[]] => {
    const wrong = [wrongAuths[name] ?? auth, ...(name === "a query key" ? [] : [keyOfUsualName])];
    return [name, auth, wrong];
  },
);

const raw = express.raw({ type: () => true });

const sites: ServedSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function siteWith(
  options: { auth?: CallAuth | readonly CallAuth[]; allowedAddresses?: readonly string[] },
  parsers: readonly RequestHandler[] = [],
) {
  const lines: string[] = [];
  const write = (message: string, fields: unknown = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { ...silentLogger, error: write, warn: write };
  const app = express();
  app.use(...parsers, (_request, _response, next) => next());
  app.use("/fiscal", createPrintServerRouter({ nextReceipt: () => null, logger, ...options }));
  const site = await serveSite(app);
  sites.push(site);
  return { url: `${site.url}/fiscal`, lines };
}

describe("the secrets of a site", () => {
  test.each(kinds)("the secret %s opens a site, and another secret or none gets 401", async (_, auth, wrong) => {
    const { url, lines } = await siteWith({ auth });
    expect(await createTestTill({ site: url, auth }).poll()).toBeNull();
    for (const other of [...wrong, { kind: "none" } as const]) {
      await expect(createTestTill({ site: url, auth: other }).poll()).rejects.toThrow("401");
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toMatch(/s3cret|wrong-one|MfKQ9r8/);
  });

  test.each(kinds)("a call without the secret %s is refused before its body is read", async (_, auth) => {
    const { url } = await siteWith({ auth });
    const call = request(url, { method: "POST", headers: { "content-length": "1000" } });
    call.on("error", () => {});
    call.write("{");
    const [answer] = await once(call, "response");
    expect(answer).toMatchObject({ statusCode: 401, headers: { connection: "close" } });
    call.destroy();
  });

  test("a site with several secrets accepts a call with any one of them", async () => {
    const auths = ["old-secret-of-16", "new-secret-of-16"].map((token) => ({ kind: "bearer", token }) as const);
    const { url } = await siteWith({ auth: auths });
    for (const auth of auths) expect(await createTestTill({ site: url, auth }).poll()).toBeNull();
    await expect(createTestTill({ site: url }).poll()).rejects.toThrow("401");
  });

  test("a site without a secret gets one warning that its handlers are open", async () => {
    const { lines } = await siteWith({});
    expect(lines).toEqual([expect.stringContaining("open to everybody")]);
  });

  test("a query key is required at every path, and a path without the key is refused", () => {
    const guard = createCallGuard({ auth: { kind: "query", secret: "s3cret-of-16-signs" }, now: () => 0 });
    expect(guard.checkHead({ headers: {}, url: "//?key=s3cret-of-16-signs" })).toBe("proven");
    for (const url of ["//", "/%", "?", ""]) {
      expect(() => guard.checkHead({ headers: {}, url })).toThrow(
        expect.objectContaining({ code: "call.unauthorized" }),
      );
    }
  });

  test("a call that gets 401 is told how to prove its sender", async () => {
    const { url } = await siteWith({ auth: { kind: "basic", user: "till", password: "s3cret-of-16-signs" } });
    const answer = await post(url, {});
    expect(answer).toMatchObject({ status: 401, body: { resultCode: 4 } });
    expect(answer.headers.get("www-authenticate")).toContain("Basic");
  });
});

test("the log says why a signed call was refused, and the caller's answer is the same for every reason", async () => {
  const { url, lines } = await siteWith({ auth: { kind: "signature", secret } });
  const body = '{"action":"order","kkm":"0001"}';
  const other = "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0";
  const now = Date.now();
  const signed = (at: number, by: string) => ({ headers: webhookHeaders({ id: "msg_1", now: at, body, secret: by }) });
  const reasons = [
    [{}, "the call has neither a signature nor a secret that fits"],
    [signed(now - 600_000, secret), "the clocks of caller and site are 60\\d s apart, above 300"],
    [signed(now, other), "the signature was made by another secret, or of another body"],
  ] as const;
  const answers: unknown[] = [];
  for (const [how, reason] of reasons) {
    answers.push((await post(url, body, how)).body);
    expect(lines.splice(0).filter((line) => line.includes("refused"))).toEqual([expect.stringMatching(reason)]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

describe("the signatures of calls", () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const body = '{"action":"order","kkm":"0001"}';
  const headers = webhookHeaders({ id: "msg_1", now, body, secret });
  const callWith = (overrides: object = {}, rawText: string | null = body) => ({
    head: { headers: { ...headers, ...overrides }, url: "/" },
    rawText,
  });
  const prove = (guard: CallGuard, { head, rawText }: ReturnType<typeof callWith>) => {
    expect(guard.checkHead(head)).toBe("signature");
    return guard.checkSignature(head, rawText);
  };
  const guardAt = (time: number) => createCallGuard({ auth: { kind: "signature", secret }, now: () => time });

  test("a signed call whose body a parser has dropped is refused, with the right place of the router", () => {
    const message = expect.stringContaining("mount the router before express.urlencoded()");
    const refused = expect.objectContaining({ code: "call.unauthorized", message });
    expect(() => prove(guardAt(now), callWith({}, null))).toThrow(refused);
  });

  test.each([-299_999, 0, 299_999])("a signature is good when the sender's clock differs by %i ms", (shift) => {
    expect(prove(guardAt(now + shift), callWith())).toEqual({ id: "msg_1", sentAt: now });
  });

  test.each([
    ["six minutes old", 360_000, callWith()],
    ["six minutes from the future", -360_000, callWith()],
    ["of another body", 0, callWith({}, body.replace("0001", "0002"))],
    ["of another message", 0, callWith({ "webhook-id": "msg_2" })],
    ["of another time", 0, callWith({ "webhook-timestamp": String(now / 1000 + 1) })],
    ["sent without a time", 0, callWith({ "webhook-timestamp": undefined })],
    ["empty", 0, callWith({ "webhook-signature": "v1," })],
    [
      "behind ten others",
      0,
      callWith({ "webhook-signature": `${"v1,AAAA ".repeat(10)}${headers["webhook-signature"]}` }),
    ],
  ])("a signature is refused when it is %s", (_, shift, call) => {
    expect(() => prove(guardAt(now + shift), call)).toThrow(expect.objectContaining({ code: "call.unauthorized" }));
  });

  test("a header with several signatures is good when one of the signatures is right", () => {
    const signature = `v1,AAAA ${headers["webhook-signature"]}`;
    expect(prove(guardAt(now), callWith({ "webhook-signature": signature }))).toMatchObject({ id: "msg_1" });
  });

  test.each([
    ["express.json", express.json()],
    ["express.raw", raw],
    ["express.text", express.text({ type: () => true })],
  ])("a right signature is accepted and a forged one refused behind %s", async (_, parser) => {
    const auth = { kind: "signature", secret } as const;
    const { url } = await siteWith({ auth }, [parser]);
    expect(await createTestTill({ site: url, auth }).poll()).toBeNull();
    const forged = { ...webhookHeaders({ id: "m", now: Date.now(), body: "{}", secret }) };
    expect((await post(url, { action: "order", kkm: "0001" }, { headers: forged })).status).toBe(401);
  });
});

describe("the parsing of a signed body", () => {
  const hostileForm = `a${"[9999]".repeat(7)}=1`;

  test.each([
    ["JSON", "application/json", "{", []],
    ["a form", "application/x-www-form-urlencoded", hostileForm, []],
    ["a form whose bytes express.raw has read", "application/x-www-form-urlencoded", hostileForm, [raw]],
  ])(
    "%s that cannot be read is answered with 401, and with 400 when its signature is right",
    async (_, type, body, parsers) => {
      const { url } = await siteWith({ auth: { kind: "signature", secret } }, parsers);
      const statusOf = async (signed: string) => {
        const headers = webhookHeaders({ id: "m", now: Date.now(), body: signed, secret });
        return (await post(url, body, { headers: { ...headers, "content-type": type } })).status;
      };
      expect(await statusOf("another body")).toBe(401);
      expect(await statusOf(body)).toBe(400);
    },
  );
});

describe("the addresses of callers", () => {
  test.each([
    ["outside", ["10.0.0.0/8", "2001:db8::/32"], 403],
    ["inside", ["127.0.0.1"], 200],
  ])("a caller %s the allowed addresses %j gets status %i with any secret", async (_, allowedAddresses, status) => {
    const { url } = await siteWith({ auth: { kind: "none" }, allowedAddresses });
    expect((await post(url, { action: "order", kkm: "0001" })).status).toBe(status);
  });

  const guard = createCallGuard({
    auth: { kind: "none" },
    now: () => 0,
    allowedAddresses: ["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"],
  });

  test.each(["10.1.2.3", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8::1"])("the caller %s is let in", (address) => {
    expect(() => guard.checkAddress(address)).not.toThrow();
  });

  test.each(["11.0.0.1", "::ffff:11.0.0.1", "192.0.2.8", "2001:db9::1", "", "host", null])(
    "a caller at %s is outside the allowed networks and is refused",
    (address) => {
      expect(() => guard.checkAddress(address)).toThrow(expect.objectContaining({ code: "call.forbidden" }));
    },
  );

  test.each(["10.0.0.0/33", "host", "10.0.0.1/x", ""])("%j is refused as an allowed network", (network) => {
    expect(() => createCallGuard({ auth: { kind: "none" }, now: () => 0, allowedAddresses: [network] })).toThrow(
      expect.objectContaining({ code: "config.invalid" }),
    );
  });
});
