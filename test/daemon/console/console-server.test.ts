import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { App } from "@fiscald/daemon/app.js";
import { exitCodeOf } from "@fiscald/daemon/cli/cli-context.js";
import { createDaemonClient } from "@fiscald/daemon/cli/daemon-client.js";
import { guardHost } from "@fiscald/daemon/console/access/console-guard.js";
import { Fault } from "@fiscald/shared/fault.js";
import express from "express";
import { z } from "zod";
import { appOn, configIn, rawSite } from "../../support/raw-config.js";
import { askRaw } from "../../support/raw-request.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { startTestSite, type TestSite } from "../../support/test-site.js";
import { waitFor } from "../../support/wait-for.js";

const folder = useTempFolder();
let web: TestSite;
let app: App;
let base: string;
let token: string;
let orders: unknown[];

const lines = [
  { type: "OpenCheckSell" },
  { type: "Registration", data: "Чай", param: { price: 10.5, quantity: 2, tax: 11 } },
  { type: "Payment", param: { summ: 21, typeClose: 0 } },
  { type: "CloseCheck" },
];
const order = (orderId: string, taskTable: readonly unknown[] = lines) => ({ response: { orderId, taskTable } });

beforeEach(async () => {
  orders = [];
  web = await startTestSite();
  web.answer((call) => ({ body: (call.json?.action === "order" ? orders.shift() : undefined) ?? { resultCode: 0 } }));
  const config = configAt(folder(), 0);
  app = appOn(config);
  base = await app.start();
  token = readFileSync(config.console.tokenFile, "utf8").trim();
  await waitFor("the register is ready", async () => {
    const { registers } = await get("/api/registers");
    return (registers as { phase: string }[])[0]?.phase === "ready";
  });
});

afterEach(async () => {
  await app.stop();
  await web.close();
});

const configAt = (place: string, port: number) => configIn(place, { sites: [rawSite(web.url)], console: { port } });

function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  return fetch(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function get(path: string): Promise<Record<string, unknown>> {
  return (await (await call("GET", path)).json()) as Record<string, unknown>;
}

async function post(path: string, body: object = {}): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await call("POST", path, body);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const statusWith = async (headers: Record<string, string>) => (await askRaw(`${base}/healthz`, { headers })).status;

function printedJob(orderId: string): Promise<Record<string, unknown>> {
  orders.push(order(orderId));
  return waitFor(`${orderId} is printed`, async () => {
    const { jobs } = await get(`/api/jobs?order=${orderId}&state=printed`);
    return (jobs as Record<string, unknown>[])[0];
  });
}

/** Every error of the API has this form. */
const words = { en: expect.any(String), ru: expect.any(String) };
const wrongUse = { error: { code: "usage.wrong", message: expect.any(String), text: words, hint: words } };

test.each([
  ["a port that another program uses", "127.0.0.1", "console.port", /^another program listens at 127\.0\.0\.1:\d+$/],
  ["an address that is not there yet", "192.0.2.7", "console.host", /EADDRNOTAVAIL.* 192\.0\.2\.7/],
])(
  "the console at %s does not start and fails with daemon.port-busy, after which a service tries again",
  async (_, host, place, message) => {
    const config = configAt(join(folder(), "other"), Number(new URL(base).port));
    const refused: unknown = await appOn({ ...config, console: { ...config.console, host } })
      .start()
      .catch((error) => error);
    expect(refused).toMatchObject({ code: "daemon.port-busy", place, message: expect.stringMatching(message) });
    expect(refused instanceof Fault && exitCodeOf(refused)).toBe(1);
  },
);

test("the console answers a body that is no JSON in the common error format", async () => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const broken = await fetch(`${base}/api/jobs/1/retry`, { method: "POST", headers, body: "{" });
  expect([broken.status, await broken.json()]).toMatchObject([400, wrongUse]);
});

describe("access to the console", () => {
  test("a console that listens on all addresses accepts only a host name that is the called address", async () => {
    const server = createServer(express().use(guardHost(["0.0.0.0"]), (_, response) => void response.end()));
    await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      // This address of this machine differs from the names that are always known.
      base = `http://127.0.0.2:${port}`;
      expect(await statusWith({ host: `127.0.0.2:${port}` })).toBe(200);
      expect(await statusWith({ host: `127.0.0.3:${port}` })).toBe(403);
      expect(await statusWith({ host: `evil.example:${port}` })).toBe(403);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

test("the console shows registers, sites, jobs, events and a job's history, and counts them all in metrics", async () => {
  const job = await printedJob("A-1");
  expect(job).toMatchObject({ order: "A-1", total: "21.00", operation: "sale", register: "till" });
  await waitFor("its result is delivered", async () => {
    const { events } = await get(`/api/events?job=${job.id}&state=delivered`);
    return (events as unknown[]).length === 1;
  });
  const story = await get(`/api/jobs/${job.id}`);
  expect(story).toMatchObject({
    job: { state: "printed", document: { fd: 3 } },
    order: { body: expect.stringContaining("taskTable") },
    attempts: [{ witness: "shift-open" }, { witness: "receipt", outcome: "printed", before: { lastFd: 2 } }],
    events: [{ kind: "result", state: "delivered", body: { orderId: "A-1", fdNumber: "3" } }],
  });
  expect((story.journal as { what: string }[]).map(({ what }) => what)).toEqual(
    expect.arrayContaining(["order accepted", "printed", "result delivered"]),
  );
  expect(await get("/api/registers")).toMatchObject({
    registers: [{ id: "till", phase: "ready", identity: { kkm: "0001234567012345" }, shift: { state: "open" } }],
  });
  expect(await get("/api/sites")).toMatchObject({
    sites: [
      {
        id: "shop",
        reachable: true,
        lostAnswers: 0,
        polled: [{ kkm: "0001234567012345", at: expect.stringMatching(/T/) }],
      },
    ],
  });
  const text = await (await call("GET", "/metrics")).text();
  expect(text).toContain('fiscald_jobs{state="printed"} 1');
  expect(text).toMatch(/fiscald_register_ready\{register="till",phase="(ready|busy)"\} 1/);
  expect(text).toContain('fiscald_site_reachable{site="shop"} 1');
  expect(text).toContain('fiscald_site_lost_answers{site="shop"} 0');
  expect(text).toMatch(/fiscald_events\{site="shop",state="pending"\} \d/);
});

test("the console masks buyers' contacts in the histories of jobs and in frames", async () => {
  orders.push(order("A-1", [lines[0], { type: "ClientContact", data: "ivan.petrov@mail.ru" }, ...lines.slice(1)]));
  const job = await waitFor("it is printed", async () => {
    const { jobs } = await get("/api/jobs?order=A-1&state=printed");
    return (jobs as Record<string, unknown>[])[0];
  });
  const story = await get(`/api/jobs/${job.id}`);
  expect(story).toMatchObject({ receipt: { contact: "i***@mail.ru" } });
  const { registers } = (await get("/api/frames")) as { registers: { register: string; frames: { hex: string }[] }[] };
  expect(registers).toMatchObject([{ register: "till" }]);
  const sent = registers.flatMap(({ frames }) => frames.map(({ hex }) => hex)).join("\n");
  expect(sent).toContain("** ** **");
  const hex = Buffer.from("ivan.petrov")
    .toString("hex")
    .toUpperCase()
    .replaceAll(/..(?=.)/g, "$& ");
  const everything = JSON.stringify([story, await get("/api/events"), await get("/api/jobs"), registers]);
  for (const text of ["ivan.petrov", hex]) expect(everything).not.toContain(text);
});

describe("an operator's action", () => {
  test("an operator's action goes into the journal with its reason, and is refused with a hint when the job's state does not allow it", async () => {
    const job = await printedJob("A-1");
    const { status, body } = await post(`/api/jobs/${job.id}/print-anyway`, { reason: "the buyer lost it" });
    expect(status).toBe(200);
    const again = body.job as Record<string, unknown>;
    expect(again).toMatchObject({ order: "A-1", forced: true });
    const { journal } = await get(`/api/jobs/${again.id}`);
    expect(journal).toContainEqual(
      expect.objectContaining({ actor: "operator", details: expect.objectContaining({ reason: "the buyer lost it" }) }),
    );
    const refused = await post(`/api/jobs/${job.id}/retry`);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ error: { code: "job.wrong-state", hint: { ru: expect.any(String) } } });
  });

  test("a second print-anyway of a receipt is refused for a minute, also when it names the job of the first print-anyway", async () => {
    const job = await printedJob("A-1");
    const { body } = await post(`/api/jobs/${job.id}/print-anyway`);
    const copy = body.job as { id: number };
    await waitFor("the copy is printed", async () => {
      const { job: seen } = (await get(`/api/jobs/${copy.id}`)) as { job: { state: string } };
      return seen.state === "printed";
    });
    for (const id of [job.id, copy.id]) {
      const again = await post(`/api/jobs/${id}/print-anyway`);
      expect(again).toMatchObject({ status: 409, body: { error: { code: "usage.repeated" } } });
    }
    const other = await printedJob("A-2");
    expect((await post(`/api/jobs/${other.id}/print-anyway`)).status).toBe(200);
  });

  test("accept-identity is refused for a minute after an accept-identity of the same register", async () => {
    expect((await post("/api/registers/till/accept-identity")).status).toBe(202);
    const again = await post("/api/registers/till/accept-identity");
    expect(again).toMatchObject({ status: 409, body: { error: { code: "usage.repeated" } } });
  });

  test("a Z report, a sync and a resend are carried out when the console asks for them", async () => {
    const job = await printedJob("A-1");
    const report = await post("/api/registers/till/z-report");
    expect(report.status).toBe(202);
    const { id } = report.body.job as { id: number };
    await waitFor("the shift is closed", async () => {
      const { job: closing } = (await get(`/api/jobs/${id}`)) as { job: { state: string } };
      return closing.state === "printed";
    });
    const before = web.calls.length;
    expect((await post("/api/sites/shop/sync")).status).toBe(202);
    const [event] = (await get(`/api/events?job=${job.id}`)).events as { id: number }[];
    expect((await post(`/api/events/${event?.id}/resend`)).status).toBe(202);
    await waitFor("the site has heard of both", () => {
      const actions = web.calls.slice(before).map(({ json }) => json?.action);
      return actions.includes("sync") && actions.includes("orderConfirm");
    });
  });
});

test("clients of the console's stream get changes as they happen", async () => {
  const abort = new AbortController();
  const response = await fetch(`${base}/api/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  let heard = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString("utf8");
  })().catch(() => undefined);
  await waitFor("the stream is open", () => heard.includes("event: alive"));
  await printedJob("A-1");
  await waitFor("the change is heard", () => heard.includes("event: change"));
  abort.abort();
  await reading;
});

test("an open event stream of the console does not keep the daemon from stopping", async () => {
  const response = await fetch(`${base}/api/live`, { headers: { authorization: `Bearer ${token}` } });
  await app.stop();
  await response.text();
});

test("with a console token that is too short nobody gets in, and printing goes on", async () => {
  await app.stop();
  const config = configAt(folder(), 0);
  writeFileSync(config.console.tokenFile, "short");
  app = appOn(config);
  base = await app.start();
  token = "short";
  expect((await call("GET", "/healthz")).status).toBe(200);
  const refused = await call("GET", "/api/jobs");
  expect(refused.status).toBe(401);
  const client = createDaemonClient(configAt(folder(), Number(new URL(base).port)));
  await expect(client.get("/api/jobs", z.unknown())).rejects.toMatchObject({
    ...{ code: "daemon.console-closed", message: expect.stringContaining(config.console.tokenFile) },
  });
  orders.push(order("A-1"));
  await waitFor("the site has its result", () =>
    web.calls.some(({ json }) => json?.orderId === "A-1" && json.resultCode === 0),
  );
});

test("logging out of the console ends every stream of the session", async () => {
  const stream = await call("GET", "/api/live");
  const heard = stream.text();
  expect((await call("POST", "/api/leave")).status).toBe(200);
  expect(await heard).toContain("event: alive");
});
