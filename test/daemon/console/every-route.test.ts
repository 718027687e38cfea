/** Every route of the console: who may call it, what it answers, and how it refuses wrong input. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "@fiscald/daemon/app.js";
import { defaultTimings } from "@fiscald/daemon/registers/register-settings.js";
import { type Database, openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { createJobStore, type JobStore } from "@fiscald/daemon/store/job-store.js";
import { ASKED, createJournal } from "@fiscald/daemon/store/journal.js";
import { toFnSerial, toInn, toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import { freePort } from "../../support/free-port.js";
import { makeDocument, makeReceipt, newJob } from "../../support/make-job.js";
import { appOn, configIn, rawRegister } from "../../support/raw-config.js";
import { askRaw } from "../../support/raw-request.js";
import { root } from "../../support/read-imports.js";
import { createTestLogger } from "../../support/test-logger.js";
import { startTestSite, type TestSite } from "../../support/test-site.js";
import { waitFor } from "../../support/wait-for.js";

interface Route {
  readonly method: "GET" | "POST";
  /** The path has `:job` and `:event` in place of ids. */
  readonly path: string;
  readonly body?: object;
  readonly status?: number;
  /** The state of the job in the right call. */
  readonly job?: "printed" | "refused" | "queued" | "held" | "unsure" | "asked";
  readonly type?: string;
  readonly isOpen?: boolean;
  /** A path, or a body for the right path, that must be refused. */
  readonly wrong: readonly (readonly [given: string | object, status: number])[];
}

const get = (path: string, rest: Omit<Route, "method" | "path">): Route => ({ method: "GET", path, ...rest });
const post = (path: string, rest: Omit<Route, "method" | "path">): Route => ({ method: "POST", path, ...rest });
const noSuchJob = (rest: string) => [[`/api/jobs/99999${rest}`, 404] as const, [`/api/jobs/x${rest}`, 400] as const];
const badReason = [{ reason: 5 }, 400] as const;
const refused = (...given: readonly (string | object)[]) => given.map((one) => [one, 400] as const);
const jobActions = {
  ...({ approve: "held", print: "held", "set-aside": "refused", cancel: "queued" } as const),
  ...({ "same-receipt": "asked", "print-anyway": "printed" } as const),
};
/** A settlement that the daemon knows nothing of, as `/api/repairs` takes it. */
const missed = {
  ...{ case: "missed", missed: { register: "till-1", order: "M-1" }, date: "2025-06-02", payments: [{ typeClose: 1 }] },
  added: [{ name: "Чай", price: "10", quantity: "1", vat: 2 }],
};
const text = "text/plain";
const events = "text/event-stream";

const routes: readonly Route[] = [
  get("/healthz", { isOpen: true, wrong: [["/healthz/x", 404]] }),
  get("/metrics", { type: text, wrong: [["/metrics/x", 404]] }),
  ...["registers", "now", "decisions", "today"].map((name) =>
    get(`/api/${name}`, { wrong: [[`/api/${name}/x`, 404]] }),
  ),
  ...["/api/retry", "/api/set-aside", "/api/print", "/api/as-correction"].map((path) =>
    post(path, { body: { jobs: [99_999] }, status: 404, wrong: refused({}, { jobs: ["x"] }) }),
  ),
  get("/api/orders", { wrong: [["/api/orders?page=0", 400]] }),
  get("/api/orders/:job", { job: "printed", wrong: [["/api/orders/99999", 404]] }),
  get("/api/day", { wrong: refused("/api/day?day=25.11.2026", "/api/day?day=2026-02-30") }),
  get("/api/day.csv", { type: "text/csv", wrong: [["/api/day.csv?lang=de", 400]] }),
  ...["links", "leave"].map((name) => post(`/api/${name}`, { wrong: [[`/api/${name}/x`, 404]] })),
  get("/api/jobs", {
    wrong: refused(...["state=lost", "page=0", "page=1e99", "site=a&site=b"].map((query) => `/api/jobs?${query}`)),
  }),
  get("/api/jobs/:job", { job: "printed", wrong: noSuchJob("") }),
  ...Object.entries({ "paper.png": "image/png", "qr.svg": "image/svg+xml" }).map(([name, type]) =>
    get(`/api/jobs/:job/${name}`, { job: "printed", type, wrong: noSuchJob(`/${name}`) }),
  ),
  get("/api/events", { wrong: refused("/api/events?state=lost", "/api/events?job=x") }),
  get("/api/live", { type: events, wrong: [["/api/live/x", 404]] }),
  post("/api/jobs/:job/retry", {
    job: "refused",
    wrong: [...noSuchJob("/retry"), badReason, [{ reson: "x" }, 400], [[], 400]],
  }),
  post("/api/jobs/:job/as-correction", {
    job: "held",
    body: { date: "2026-07-14" },
    wrong: [...noSuchJob("/as-correction"), badReason, ...refused({}, { date: "14.07.2026" }, { date: "2099-01-01" })],
  }),
  post("/api/jobs/:job/move", {
    job: "queued",
    body: { register: "till-1" },
    wrong: [...noSuchJob("/move"), [{}, 400], [{ register: "nowhere" }, 404], [{ register: "till-1", to: 1 }, 400]],
  }),
  post("/api/jobs/:job/resolve", {
    job: "unsure",
    body: { notPrinted: true },
    wrong: [
      ...noSuchJob("/resolve"),
      ...refused({}, { printed: 0 }, { printed: 1, notPrinted: true }),
      ...refused({ printed: 1, paper: { fn: "9", fiscalSign: "1", shift: 1, time: "now" } }),
    ],
  }),
  get("/api/jobs/:job/returnable", { job: "printed", wrong: noSuchJob("/returnable") }),
  post("/api/jobs/:job/return", {
    job: "printed",
    body: { lines: [{ position: 1, quantity: "0.5" }], fixes: true },
    status: 202,
    wrong: [
      ...[...noSuchJob("/return"), badReason, ...refused({ lines: [] }, { lines: [{ position: 2 }] })],
      ...refused({ lines: [{ position: 1, quantity: "-1" }] }, { all: true }),
    ],
  }),
  // No register here has the drive of the printed job.
  post("/api/jobs/:job/copy", { job: "printed", status: 503, wrong: [...noSuchJob("/copy"), badReason] }),
  ...Object.entries(jobActions).map(([name, job]) =>
    post(`/api/jobs/:job/${name}`, { job, wrong: [...noSuchJob(`/${name}`), badReason] }),
  ),
  ...["x-report", "z-report", "test-slip", "pause", "resume", "differences-mended"].map((name) =>
    post(`/api/registers/till-1/${name}`, {
      status: 202,
      wrong: [[`/api/registers/nowhere/${name}`, 404], badReason],
    }),
  ),
  post("/api/registers/till-1/accept-differences", {
    body: { tag: 1199, sent: "11", read: "1" },
    status: 202,
    wrong: [
      ...[["/api/registers/nowhere/accept-differences", 404] as const, badReason],
      ...refused({ tag: "1199" }, { tag: 1199, sent: "11" }),
    ],
  }),
  post("/api/sites/shop/poll", { status: 202, wrong: [["/api/sites/nowhere/poll", 400], badReason] }),
  post("/api/resend", { body: { events: [99_999] }, status: 400, wrong: refused({}, { events: [] }) }),
  post("/api/put-away", { body: { events: [99_999] }, wrong: refused({ events: ["x"] }, { order: 1 }) }),
  get("/api/repairs/form", { wrong: [["/api/repairs/form?job=99999", 404], ...refused("/api/repairs/form?job=x")] }),
  post("/api/repairs/preview", { body: missed, wrong: refused({}, { ...missed, date: "soon" }, { case: "missed" }) }),
  post("/api/repairs", {
    body: { case: "twice", job: 99_999, reason: "x" },
    status: 404,
    wrong: refused({}, { case: "twice", job: 1 }, { case: "lost", job: 1, reason: "x" }),
  }),
  post("/api/copy", { wrong: [badReason] }),
  // The command line did not start this daemon.
  post("/api/stop", { status: 400, wrong: [badReason] }),
  post("/api/support-file", { type: "application/zip", wrong: [badReason] }),
  post("/api/sites/shop/sync", { status: 202, wrong: [["/api/sites/nowhere/sync", 400], badReason] }),
  post("/api/events/:event/resend", { status: 202, wrong: [["/api/events/99999/resend", 400], badReason] }),
];

let folder: string;
let web: TestSite;
let app: App;
let address: URL;
let token: string;
let operatorToken: string;
let db: Database;
let jobs: JobStore;
let jobCount = 0;
const lines: string[] = [];

const till = toRegisterId("till-2");

/** `till-2` has no paper, so its jobs keep waiting. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-routes-"));
  web = await startTestSite();
  const control = `127.0.0.1:${await freePort()}`;
  const register = { group: "hall", moveAfterSeconds: 3600 };
  const blocked = { kind: "emulator", kkm: "0000000000000002", control };
  const config = configIn(folder, {
    sites: [{ id: "shop", urls: { orders: web.url, result: web.url, sync: web.url, activity: web.url } }],
    registers: [
      rawRegister({ ...register, id: "till-1", connection: { kind: "emulator" } }),
      rawRegister({ ...register, id: till, connection: blocked }),
    ],
    console: { port: 0, operatorTokenFile: "operator-token" },
  });
  app = appOn(config, {
    log: createTestLogger((line) => lines.push(line), "all"),
    timings: { ...defaultTimings, stateReadMs: 100 },
    makeSupportFile: async () => ({ name: "support.zip", data: Buffer.from("PK") }),
  });
  address = new URL(await app.start());
  token = readFileSync(config.console.tokenFile, "utf8").trim();
  operatorToken = readFileSync(join(folder, "operator-token"), "utf8").trim();
  db = openSqliteFile(config.database);
  jobs = createJobStore(db);
  await told(/^register changed .*"to":"ready"/, 2);
  const headers = { "content-type": "application/json" };
  const fault = { method: "POST", headers, body: JSON.stringify({ effect: "paper-out" }) };
  expect((await fetch(`http://${control}/faults`, fault)).ok).toBe(true);
  await told(/^register blocked/);
});

afterAll(async () => {
  db.close();
  await app.stop();
  await web.close();
  rmSync(folder, { recursive: true });
});

/** Every call of the console counts, so the log is read instead. */
function told(line: RegExp, times = 1): Promise<true> {
  const count = () => lines.filter((text) => line.test(text)).length;
  return waitFor(`the log says ${line}`, () => count() >= times, { timeoutMs: 60_000 });
}

interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
  /** An address of this machine. Wrong tokens are counted for each address. */
  readonly from?: string;
}

async function ask({ body, headers = {}, token: given = token, from: localAddress = "127.0.0.1", ...call }: Ask) {
  const authorization = given === null ? {} : { authorization: `Bearer ${given}` };
  const all = { ...authorization, "content-type": "application/json", ...headers };
  const answer = await askRaw(address, {
    ...{ ...call, headers: all, localAddress },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { ...answer, type: answer.headers["content-type"] ?? "" };
}

function makeJobFor(state: NonNullable<Route["job"]>): number {
  const printed = state === "asked" ? makeJobFor("printed") : null;
  const isRefused = state === "refused" || state === "asked";
  jobCount += 1;
  const receipt = makeReceipt({ orderId: toOrderId(`R-${jobCount}`) });
  const taxes = { taxes: [{ id: 1, vat: 11, title: null }], taxpayer: null } as const;
  const fault = { code: "receipt.framing", message: "" } as const;
  const asIs = isRefused
    ? ({ state: "refused", fault } as const)
    : ({ state: state === "held" ? state : "queued" } as const);
  const { id } = jobs.insertJob(newJob({ register: till, receipt, taxes, ...asIs, now: Date.now() }));
  if (state === "printed") jobs.markPrinted(id, makeDocument({ fn: toFnSerial("9999078900009999"), fd: id }), 0);
  const question = { asks: "return-again", earlier: printed };
  if (printed !== null) createJournal(db).add({ at: 0, actor: "daemon", what: ASKED, job: id, details: question });
  if (state === "unsure") jobs.markUnsure(id, { code: "job.outcome-unknown", message: "" }, 0);
  return id;
}

async function pathOf({ path, job }: Route): Promise<string> {
  const { events: told } = JSON.parse((await ask({ path: "/api/events" })).body);
  return path.replace(":job", job === undefined ? "1" : String(makeJobFor(job))).replace(":event", String(told[0]?.id));
}

function jobAt(path: string): unknown {
  const [, id] = /^\/api\/jobs\/(\d+)/.exec(path) ?? [];
  return id === undefined ? null : jobs.get(Number(id));
}

const parts = ({ method, body }: Route) => ({ method, ...(body === undefined ? {} : { body }) });
const named = routes.map((route) => [`${route.method} ${route.path}`, route] as const);

test("a retry of many jobs queues those that can be queued again, and names the others", async () => {
  const [one, two] = [makeJobFor("refused"), makeJobFor("refused")];
  const { status, body } = await ask({ method: "POST", path: "/api/retry", body: { jobs: [one, 99_999, two] } });
  expect([status, JSON.parse(body)]).toMatchObject([
    200,
    { jobs: 2, refused: [{ job: 99_999, error: { code: "job.not-found" } }] },
  ]);
  expect([jobs.stateOf(one), jobs.stateOf(two)]).not.toContain("refused");
});

test.each(["approve", "print"])(
  "%s leaves a site's correction held that its register can never print",
  async (name) => {
    const correction = { type: "self", date: "2026-07-14" } as const;
    const receipt = makeReceipt({ orderId: toOrderId(`C-${name}`), correction });
    const taxes = {
      taxes: [{ id: 1, vat: 11 as const, title: null }],
      taxpayer: { inn: toInn("7700000001"), taxSystems: 1 },
    };
    const asIs = { state: "held", fault: { code: "job.held-correction", message: "" } } as const;
    const { id } = jobs.insertJob(newJob({ register: till, receipt, taxes, ...asIs, now: Date.now() }));
    const { status, body } = await ask({ method: "POST", path: `/api/jobs/${id}/${name}`, body: {} });
    expect([status, JSON.parse(body)]).toMatchObject([409, { error: { code: "order.wrong-inn" } }]);
    expect(jobs.stateOf(id)).toBe("held");
  },
);

test.each(named)("the route %s answers only permitted callers", async (_name, route) => {
  const path = await pathOf(route);
  const host = address.host;
  const strangers = [{ host: "evil.example" }, { host: `evil.example:${address.port}` }];
  for (const headers of [...strangers, { origin: "https://evil.example" }, { origin: "null" }]) {
    expect([headers, (await ask({ ...parts(route), path, headers })).status]).toEqual([headers, 403]);
  }
  if (route.isOpen !== true) {
    const stranger = await ask({ ...parts(route), path, token: null, from: `127.0.1.${routes.indexOf(route) + 1}` });
    expect([stranger.status, JSON.parse(stranger.body)]).toEqual([401, { error: expect.any(Object) }]);
  }
  const { status, type, body } = await ask({ ...parts(route), path, headers: { host, origin: `http://${host}` } });
  expect([status, type]).toEqual([route.status ?? 200, expect.stringContaining(route.type ?? "application/json")]);
  expect(body).not.toBe("");
});

test("a call without the right token learns only that the daemon is up", async () => {
  const from = "127.0.2.1";
  const healthy = await ask({ path: "/healthz", token: null, from });
  expect([healthy.status, JSON.parse(healthy.body)]).toEqual([200, { up: true }]);
  for (const wrong of [null, `${token}x`]) {
    for (const path of ["/api/jobs", "/api/nonsense", "/nonsense"]) {
      expect([path, (await ask({ path, token: wrong, from })).status]).toEqual([path, 401]);
    }
  }
});

const words = { en: expect.any(String), ru: expect.any(String) };
const anyError = { error: { code: expect.any(String), message: expect.any(String), text: words, hint: words } };

test.each(named)("the route %s refuses wrong input with the reason and changes nothing", async (_name, route) => {
  const right = await pathOf(route);
  const before = jobAt(right);
  const { method } = route;
  const calls = route.wrong.map(([given, status]): [Ask, number] =>
    typeof given === "string"
      ? [{ ...parts(route), path: given }, status]
      : [{ method, path: right, body: given }, status],
  );
  const other = route.method === "GET" ? "DELETE" : "GET";
  for (const [wrong, status] of [...calls, [{ method: other, path: right }, 404] as const]) {
    const answer = await ask(wrong);
    expect([wrong, answer.status]).toEqual([wrong, status]);
    expect(JSON.parse(answer.body)).toMatchObject(anyError);
  }
  expect(jobAt(right)).toEqual(before);
});

/** Besides reading, the operator's role may make these calls. */
const operatorMay = [
  ...["/api/links", "/api/retry", "/api/jobs/:job/retry"],
  ...["/api/registers/till-1/x-report", "/api/registers/till-1/test-slip", "/api/sites/shop/poll"],
];
const posts = [
  ...routes.filter(({ method }) => method === "POST"),
  post("/api/registers/till-1/accept-identity", { wrong: [] }),
];
const byOperator = posts.map(
  (route) => [route.path, operatorMay.includes(route.path) ? "taken" : "refused", route] as const,
);

test.each(byOperator)(
  "POST %s by a caller in the operator's role is %s, and changes nothing when it is refused",
  async (_path, outcome, route) => {
    const path = await pathOf(route);
    const before = jobAt(path);
    const told = await ask({ ...parts(route), path, token: operatorToken });
    if (outcome === "taken") return expect(told.status).not.toBe(403);
    expect([told.status, JSON.parse(told.body)]).toMatchObject([403, { error: { code: "daemon.not-allowed" } }]);
    expect(jobAt(path)).toEqual(before);
  },
);

test("frames, which hold registers' passwords, are not shown to the operator's role", async () => {
  for (const path of ["/api/frames", "/api/Frames/"])
    expect([path, (await ask({ path, token: operatorToken })).status]).toEqual([path, 403]);
});

test("the console refuses a body of more than 64 kB and goes on serving", async () => {
  const tooLarge = await ask({ method: "POST", path: "/api/retry", body: { jobs: [1], reason: "x".repeat(65_536) } });
  expect([tooLarge.status, JSON.parse(tooLarge.body)]).toMatchObject([413, { error: { code: "usage.wrong" } }]);
  expect((await ask({ path: "/api/now" })).status).toBe(200);
});

const outside =
  "/../console-token /..%2f..%2fpackage.json /%2e%2e/%2e%2e/package.json /assets/..%5c..%5cconsole-server.js /....//....//package.json /%00 /.%2e/console-server.js //etc/passwd /%c0%ae%c0%ae/package.json";
test.each(outside.split(" "))("the console serves no file outside the page's folder under %s", async (path) => {
  const answer = await ask({ path });
  expect([400, 403, 404]).toContain(answer.status);
  expect(answer.body).not.toMatch(/"version"|createConsoleServer|root:/);
});

test("the guide of the commands names every route of the console", () => {
  const guide = readFileSync(join(root, "daemon/docs/commands.md"), "utf8");
  const words = routes.map(({ path }) => path.split("/").at(-1) ?? "");
  expect(words.filter((word) => !/^:/.test(word) && !guide.includes(word))).toEqual([]);
});

describe("too many requests in a minute", () => {
  test("too many requests without the token get 429 at every route, while requests with the token are served", async () => {
    for (let guess = 0; guess < 40; guess += 1) await ask({ path: "/api/jobs", token: "guess" });
    for (const { method, path, isOpen } of routes) {
      if (isOpen === true) continue;
      const { status, body } = await ask({ method, path, token: null });
      expect([path, status, JSON.parse(body)]).toMatchObject([path, 429, { error: { code: "usage.wrong" } }]);
    }
    expect((await ask({ path: "/api/jobs" })).status).toBe(200);
  });

  test("too many wrong links get 429, and a right link opens the page nevertheless", async () => {
    const { path }: { path: string } = JSON.parse((await ask({ method: "POST", path: "/api/links" })).body);
    const guesses: number[] = [];
    for (let guess = 0; guess < 40; guess += 1) guesses.push((await ask({ path: "/enter?key=x", token: null })).status);
    expect([guesses[0], guesses[39]]).toEqual([401, 429]);
    expect((await ask({ path, token: null })).status).toBe(303);
  });

  test("too many requests with the token get 429 at every route except the health check", async () => {
    const hurry = async (path: string) => {
      for (let call = 0; call < 1250; call += 50) await Promise.all(Array.from({ length: 50 }, () => ask({ path })));
    };
    await hurry("/healthz");
    await hurry("/api/nothing");
    for (const { method, path, isOpen } of routes) {
      expect([path, (await ask({ method, path })).status]).toEqual([path, isOpen === true ? 200 : 429]);
    }
  });
});
