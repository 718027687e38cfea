import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@fiscald/shared/clock.js";
import { type Fault, isFault } from "@fiscald/shared/fault.js";
import { createPoster, encodeBody, encodeForm, type Poster, type PostRequest } from "@fiscald/shared/http/post-json.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { needing } from "../../support/has-program.js";
import { startTestSite, type TestSite } from "../../support/test-site.js";
import { waitFor } from "../../support/wait-for.js";

const limits = { timeoutMs: 5000, maxAnswerBytes: 1000 };
const hello = encodeBody({ action: "order", kkm: "0001" }, "json");

let site: TestSite;
let poster: Poster;

beforeEach(async () => {
  site = await startTestSite();
  poster = createPoster({ clock: systemClock });
});

afterEach(async () => {
  await site.close();
  poster.close();
});

function post(rest: Partial<PostRequest> = {}) {
  return poster.post({ url: site.url, body: hello, ...limits, ...rest });
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isFault(error)) throw new Error(`no fault but ${String(error)}`);
  return error;
}

describe("a whole answer to a posted request", () => {
  test("a posted request returns status, headers and text of the answer, whatever the status", async () => {
    site.answer(() => ({ status: 418, headers: { "X-Kind": "pot" }, body: "жду" }));
    const answer = await post({ headers: { "x-extra": "1" } });
    expect(answer).toMatchObject({ status: 418, text: "жду", headers: { "x-kind": "pot" } });
    expect(site.calls[0]).toMatchObject({
      json: { action: "order", kkm: "0001" },
      headers: { "content-type": "application/json; charset=utf-8", "x-extra": "1" },
    });
  });

  test("an answer that redirects is returned and not followed", async () => {
    site.answer(() => ({ status: 302, headers: { location: "/elsewhere" } }));
    expect((await post()).status).toBe(302);
    expect(site.calls).toHaveLength(1);
  });

  test("a posted request keeps the query of its address", async () => {
    await post({ url: `${site.url}?key=s%20cret&a=1` });
    expect(site.calls[0]?.path).toBe("/fiscal?key=s%20cret&a=1");
  });
});

describe("a posted request that never went out", () => {
  test("a request to a port without a listener is the fault site.unreachable", async () => {
    const url = site.url;
    await site.close();
    expect(await faultOf(poster.post({ url, body: hello, ...limits }))).toMatchObject({ code: "site.unreachable" });
  });

  test("a request whose connection fails at once is the fault site.unreachable", async () => {
    expect((await faultOf(post({ url: "http://255.255.255.255/" }))).code).toBe("site.unreachable");
  });

  test("a request to a name that does not exist is the fault site.dns", async () => {
    expect((await faultOf(post({ url: "http://nobody.invalid/" }))).code).toBe("site.dns");
  });

  test("a site that never ends the handshake of TLS is the fault site.timeout after ten seconds", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const accepted = once(silent, "connection") as Promise<[Socket]>;
    const clock = createFakeClock();
    const patient = createPoster({ clock });
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const lost = faultOf(patient.post({ url, body: hello, ...limits, timeoutMs: 60_000 }));
    const [socket] = await accepted;
    await clock.advance(10_000);
    expect((await lost).code).toBe("site.timeout");
    patient.close();
    socket.destroy();
    silent.close();
  });

  test("a request with an aborted signal is the fault site.unreachable, and the site hears nothing", async () => {
    expect((await faultOf(post({ signal: AbortSignal.abort() }))).code).toBe("site.unreachable");
    expect(site.calls).toHaveLength(0);
  });

  test("the fault of a request that failed never shows the query of its address, which may be a secret", async () => {
    const fault = await faultOf(post({ url: "http://nobody.invalid/x?key=secret" }));
    expect(`${fault.message} ${fault.place} ${JSON.stringify(fault.details)}`).not.toContain("secret");
  });
});

test.each([
  ["bytes beyond its length", 200, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}<!-- 12 ms -->", "{}"],
  ["a body that its status forbids", 204, "HTTP/1.1 204 No Content\r\n\r\n{}", ""],
])("an answer with %s is taken", async (_what, status, bytes, text) => {
  site.answer(() => (response) => void response.socket?.end(bytes));
  expect(await post()).toMatchObject({ status, text });
});

test("two requests to one site use one connection", async () => {
  const ports = new Set<number | undefined>();
  site.answer(() => (response) => {
    ports.add(response.socket?.remotePort);
    response.end("{}");
  });
  await post();
  await post();
  expect(ports.size).toBe(1);
});

describe("an answer to a posted request that is lost", () => {
  test.each([
    ["does not begin", (): Buffer | null => null],
    [
      "switches to another protocol",
      (): Buffer | null => Buffer.from("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    ],
    ["ends in the middle", (): Buffer | null => Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{")],
  ])("an answer that %s is the fault site.answer-lost", async (_how, bytes) => {
    site.answer(() => (response) => {
      const head = bytes();
      if (head !== null) response.socket?.write(head);
      response.socket?.end();
    });
    const fault = await faultOf(post());
    expect(fault.code).toBe("site.answer-lost");
    expect(fault.cause).toMatchObject({ code: "site.unreachable" });
  });

  test("an answer that does not come in time is the fault site.answer-lost, with the timeout as its cause", async () => {
    const clock = createFakeClock();
    const patient = createPoster({ clock });
    site.answer(() => () => undefined);
    const lost = faultOf(patient.post({ url: site.url, body: hello, ...limits }));
    await waitFor("the site was asked", () => site.calls.length === 1);
    await clock.advance(4999);
    await clock.advance(1);
    expect(await lost).toMatchObject({ code: "site.answer-lost", cause: { code: "site.timeout" } });
    expect(clock.pending).toBe(0);
    patient.close();
  });

  test("an answer that is too large is the fault site.answer-lost, and no more of the answer is read", async () => {
    site.answer(() => ({ body: "x".repeat(1001) }));
    expect(await faultOf(post())).toMatchObject({ code: "site.answer-lost", cause: { code: "site.bad-answer" } });
    site.answer(() => ({ body: "x".repeat(1000) }));
    expect((await post()).text).toHaveLength(1000);
  });

  test("an answer for which the caller no longer waits is the fault site.answer-lost", async () => {
    const abort = new AbortController();
    site.answer(() => () => abort.abort());
    expect((await faultOf(post({ signal: abort.signal }))).code).toBe("site.answer-lost");
  });
});

const withOpenssl = needing("openssl");

withOpenssl.describe(`a site with a certificate of its own${withOpenssl.reason}`, () => {
  let folder: string;
  let cert: string;
  let secure: TestSite;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "fiscald-tls-"));
    const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=shop", "-addext", "subjectAltName=IP:127.0.0.1"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...subject], {
      stdio: "ignore",
    });
    cert = readFileSync(join(folder, "cert.pem"), "utf8");
  });

  beforeEach(async () => {
    const key = readFileSync(join(folder, "key.pem"), "utf8");
    secure = await startTestSite(createTlsServer({ cert, key, requestCert: true, rejectUnauthorized: false }));
  });

  afterEach(() => secure.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  test("a site with an untrusted certificate is refused as site.tls before a request is sent", async () => {
    expect((await faultOf(post({ url: secure.url }))).code).toBe("site.tls");
    expect(secure.calls).toHaveLength(0);
  });

  const withFaketime = needing("faketime");
  withFaketime.test(
    `a site whose certificate is valid only later is refused as site.clock before anything is sent${withFaketime.reason}`,
    async () => {
      const [key, future] = [join(folder, "key.pem"), join(folder, "future.pem")];
      const args = ["req", "-x509", "-key", key, "-days", "2", "-out", future, "-subj", "/CN=shop"];
      const name = ["-addext", "subjectAltName=IP:127.0.0.1"];
      execFileSync("faketime", ["+30 days", "openssl", ...args, ...name], { stdio: "ignore" });
      const ca = readFileSync(future, "utf8");
      const ahead = await startTestSite(createTlsServer({ cert: ca, key: readFileSync(key, "utf8") }));
      const trusting = createPoster({ clock: systemClock, tls: { ca } });
      const fault = await faultOf(trusting.post({ url: ahead.url, body: hello, ...limits }));
      expect([fault.code, fault.details]).toEqual(["site.clock", { code: "CERT_NOT_YET_VALID" }]);
      expect(ahead.calls).toHaveLength(0);
      trusting.close();
      await ahead.close();
    },
  );

  test("a site with a private certificate is trusted when that certificate is given", async () => {
    const trusting = createPoster({ clock: systemClock, tls: { ca: cert } });
    expect((await trusting.post({ url: secure.url, body: hello, ...limits })).status).toBe(200);
    trusting.close();
  });
});

test.each([
  [{ action: "order", kkm: "0001" }, "action=order&kkm=0001"],
  [{ sum: 10.5, yes: true, no: false, none: null, absent: undefined }, "sum=10.5&yes=1&no=0&none="],
  [
    { name: "Чай & кофе=" },
    `name=${encodeURIComponent("Чай").replace(/%20/g, "+")}+%26+${encodeURIComponent("кофе")}%3D`,
  ],
  [
    {
      data: [
        { name: "a", taxes: [{ id: 1 }] },
        { name: "b", taxes: [] },
      ],
    },
    "data%5B0%5D%5Bname%5D=a&data%5B0%5D%5Btaxes%5D%5B0%5D%5Bid%5D=1&data%5B1%5D%5Bname%5D=b",
  ],
])("the body %j becomes form fields with PHP's brackets", (body, text) => {
  expect(encodeForm(body)).toBe(text);
});
