import type { AddressInfo } from "node:net";
import { guardHost, guardToken } from "@fiscald/daemon/console/access/console-guard.js";
import { createConsoleSessions, refuseLink } from "@fiscald/daemon/console/access/console-sessions.js";
import type { Role } from "@fiscald/daemon/console/access/roles.js";
import { createMetaStore, type MetaStore } from "@fiscald/daemon/store/database/meta-store.js";
import express from "express";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.js";
import { askRaw } from "../../../support/raw-request.js";
import { useStores } from "../../../support/use-stores.js";

const { open } = useStores();
const token = "a-token-of-enough-letters";
const operatorToken = "an-operators-token-of-enough-letters";
const minute = 60_000;
let clock: FakeClock;
let port: number;
let memory: MetaStore;
let createLink: (role?: Role) => string;
let close: () => Promise<void>;

beforeEach(async () => {
  clock = createFakeClock();
  memory = createMetaStore(open().db);
  const sessions = createConsoleSessions({
    ...{ clock, secret: token, operatorSecret: operatorToken, isSecure: false },
    memory,
  });
  createLink = (role = "administrator") => sessions.createLink(role);
  const app = express();
  app.use(guardHost(["127.0.0.1"]));
  app.get("/enter", sessions.enter, refuseLink);
  app.use(
    guardToken({ administrator: token, operator: operatorToken }, sessions, (_request, _response, next) => next()),
  );
  app.post("/api/leave", sessions.leave);
  app.all(/^\/api/, (_request, response) => void response.json({ in: true }));
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  ({ port } = server.address() as AddressInfo);
  close = () => new Promise((resolve) => server.close(() => resolve()));
});

afterEach(() => close());

async function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET", body = "") {
  const answer = await askRaw(`http://localhost:${port}`, { path, method, headers, body });
  const { "set-cookie": cookies = [], location = "" } = answer.headers;
  return { status: answer.status, cookie: cookies.join(), location };
}

async function enter(): Promise<string> {
  const { cookie } = await ask(createLink());
  return cookie.split(";")[0] ?? "";
}

function roleUnder(secret: string, operatorSecret: string | null, cookie: string): Role | null {
  const sessions = createConsoleSessions({ clock, secret, operatorSecret, isSecure: false, memory });
  return sessions.roleOf({ headers: { cookie } });
}

test("a console link opens one session, whose cookie no script and no other site can use", async () => {
  const link = createLink();
  const answer = await ask(link);
  expect(answer).toMatchObject({ status: 303, location: "/" });
  expect(answer.cookie).toMatch(
    /^fiscald_administrator_[\w-]{8}=administrator\.\d+\.[\w-]{43};.*HttpOnly; SameSite=Strict$/,
  );
  expect(await ask("/api", { cookie: answer.cookie.split(";")[0] ?? "" })).toMatchObject({ status: 200 });
  expect(await ask(link)).toMatchObject({ status: 401, cookie: "" });
});

test.each([
  ["no key", "/enter"],
  ["an unknown key", "/enter?key=0"],
  ["two keys", "/enter?key=a&key=b"],
])("a console link with %s opens no session", async (_, path) => {
  expect(await ask(path)).toMatchObject({ status: 401, cookie: "" });
});

test.each([
  ["administrator", 1],
  ["operator", 30],
] as const)(
  "a console link can be used for five minutes, and the session of an %s lasts %i days",
  async (role, days) => {
    const link = createLink(role);
    const cookie = (await ask(createLink(role))).cookie.split(";")[0] ?? "";
    await clock.advance(5 * minute + 1);
    expect(await ask(link)).toMatchObject({ status: 401 });
    await clock.advance(days * 24 * 60 * minute - 6 * minute);
    expect(await ask("/api", { cookie })).toMatchObject({ status: 200 });
    await clock.advance(6 * minute);
    expect(await ask("/api", { cookie })).toMatchObject({ status: 401 });
  },
);

test("when an administrator logs out in the till's browser, the operator's session there goes on", async () => {
  const operators = (await ask(createLink("operator"))).cookie.split(";")[0] ?? "";
  const both = `${await enter()}; ${operators}`;
  const roleOf = (cookie: string) => roleUnder(token, operatorToken, cookie);
  expect([roleOf(both), roleOf(operators)]).toEqual(["administrator", "operator"]);
  const left = await ask("/api/leave", { cookie: both }, "POST");
  expect(left).toMatchObject({ status: 200, cookie: expect.stringMatching(/^fiscald_administrator_[\w-]{8}=;/) });
});

test("a copied cookie of an administrator opens nothing after the administrator has logged out, also after a restart", async () => {
  const copied = await enter();
  await clock.advance(1);
  const other = await enter();
  const operators = (await ask(createLink("operator"))).cookie.split(";")[0] ?? "";
  expect(await ask("/api", { cookie: copied })).toMatchObject({ status: 200 });
  await ask("/api/leave", { cookie: `${copied}; ${operators}` }, "POST");
  expect(await ask("/api", { cookie: copied })).toMatchObject({ status: 401 });
  const afterRestart = [copied, other, `${copied}; ${operators}`].map((cookie) =>
    roleUnder(token, operatorToken, cookie),
  );
  expect(afterRestart).toEqual([null, "administrator", "operator"]);
});

test("logged out sessions are remembered only until they would have expired", async () => {
  await ask("/api/leave", { cookie: await enter() }, "POST");
  await clock.advance(25 * 60 * minute);
  await ask("/api/leave", { cookie: await enter() }, "POST");
  expect(memory.withPrefix("").size).toBe(1);
});

test.each([
  ["the same tokens", token, operatorToken, ["administrator", "operator"]],
  ["another operator's token", token, "another-token-of-enough-letters", ["administrator", null]],
  ["no operator's token", token, null, ["administrator", null]],
  ["another administrator's token", "another-token-of-enough-letters", operatorToken, [null, null]],
] as const)(
  "after a restart with %s, a session stays open only if the token of its role is unchanged",
  async (_, secret, operatorSecret, roles) => {
    const cookies = [await enter(), (await ask(createLink("operator"))).cookie.split(";")[0] ?? ""];
    expect(cookies.map((cookie) => roleUnder(secret, operatorSecret, cookie))).toEqual(roles);
  },
);

test("a session is refused when its role or its time of expiry was changed in the cookie", async () => {
  const cookie = (await ask(createLink("operator"))).cookie.split(";")[0] ?? "";
  const [, until = ""] = cookie.split(".");
  for (const other of [
    cookie.replace("operator", "administrator"),
    cookie.replace(until, String(Number(until) + 1)),
    cookie.replace(until, "Infinity"),
    cookie.split(".").slice(0, 2).join("."),
  ]) {
    expect([other, (await ask("/api", { cookie: other })).status]).toEqual([other, 401]);
  }
  expect(await ask("/api", { cookie })).toMatchObject({ status: 200 });
});

test.each([
  ["nothing", {}, 401],
  ["the token", { authorization: `Bearer ${token}` }, 200],
  ["another token", { authorization: "Bearer a-token-of-enough-letterz" }, 401],
  ["a session that was never opened", { cookie: "fiscald_session=x" }, 401],
])("a call of the console with %s (%j) gets the status %i", async (_, headers, status) => {
  expect(await ask("/api", { ...headers })).toMatchObject({ status });
});

test.each([
  ["under another host name", { host: "evil.example" }, 403, ""],
  ["by a page of another site", { origin: "http://evil.example" }, 403, ""],
  ["by a form", { "content-type": "application/x-www-form-urlencoded", "content-length": "3" }, 415, "a=b"],
])("a call in an open session is refused when it comes %s", async (_, headers, status, body) => {
  const cookie = await enter();
  expect(await ask("/api", { cookie, ...headers }, "POST", body)).toMatchObject({ status });
});

test.each([
  ["GET", "/api/jobs", 200],
  ["POST", "/api/jobs/57/retry", 200],
  ["POST", "/api/retry", 200],
  ["POST", "/api/registers/till-1/x-report", 200],
  ["POST", "/api/registers/till-1/z-report", 403],
  ["POST", "/api/jobs/57/resolve", 403],
  ["POST", "/api/jobs/57/retry/resolve", 403],
])(
  "the operator's role, with its token or in a session by its link, gets for %s %s the status %i",
  async (method, path, status) => {
    expect(await ask(path, { authorization: `Bearer ${operatorToken}` }, method)).toMatchObject({ status });
    const cookie = (await ask(createLink("operator"))).cookie.split(";")[0] ?? "";
    expect(await ask(path, { cookie }, method)).toMatchObject({ status });
    expect(await ask(path, { authorization: `Bearer ${token}` }, method)).toMatchObject({ status: 200 });
  },
);
