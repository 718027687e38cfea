import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { post } from "../../support/fake-daemon.js";

const bin = fileURLToPath(import.meta.resolve("#handlers/cli/main.js"));
let folder: string;
const children: ChildProcess[] = [];
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fiscald-serve-"));
});

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
});

function run(...args: string[]) {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code, errors }));
  return { child, ended, lines: createInterface({ input: child.stdout }) };
}

async function serve() {
  const { child, ended, lines } = run("serve", "--port", "0", "--database", join(folder, "site.sqlite"), "--demo-shop");
  const said: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      said.push(line);
      const ready = /^ready (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    ended.then(({ errors }) => reject(new Error(`ended before it was ready: ${errors}`)));
  });
  return { child, ended, url, said };
}

test("fiscald-site serve serves the demo shop until it is stopped, and remembers its receipts", async () => {
  const first = await serve();
  expect(first.said.join("\n")).toContain("nothing fiscal");
  const cart = { items: [{ id: "tea", count: 1 }], payment: "cash", email: "" };
  const order = await post(`${first.url}/api/orders`, cart);
  expect(order.status).toBe(201);
  const held = post(`${first.url}/fiscal`, { action: "order", kkm: "0001" }, { headers: { prefer: "wait=25" } });
  expect((await held).body).toMatchObject({ response: order.body });
  first.child.kill("SIGTERM");
  expect(await first.ended).toEqual({ code: 0, errors: "" });

  const second = await serve();
  const till = createTestTill({ site: `${second.url}/fiscal`, kkm: "0001", daemonId: null });
  expect(await till.poll()).toMatchObject(order.body ?? {});
  second.child.kill("SIGINT");
  expect(await second.ended).toEqual({ code: 0, errors: "" });
});

test("fiscald-site serve ends at once although a poll is held", async () => {
  const { child, ended, url } = await serve();
  const headers = { prefer: "wait=25", "fiscald-daemon": "d1" };
  const held = post(`${url}/fiscal`, { action: "order", kkm: "0001" }, { headers }).catch(() => "cut off");
  await post(`${url}/fiscal`, { action: "order", kkm: "0001" }, { headers: { "fiscald-daemon": "d2" } });
  child.kill("SIGTERM");
  expect(await held).toBe("cut off");
  expect((await ended).code).toBe(0);
});

test("fiscald-site serve keeps to the limit of requests that it is given", async () => {
  const database = join(folder, "site.sqlite");
  const { lines, ended } = run("serve", "--port", "0", "--database", database, "--requests-per-minute", "2");
  const url = await new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => resolve(line.replace("ready ", "")));
    ended.then(({ errors }) => reject(new Error(errors)));
  });
  for (const base of ["/v1/goods", "/courier/v1/orders"]) {
    const seen = [await fetch(`${url}${base}`), await fetch(`${url}${base}`), await fetch(`${url}${base}`)];
    expect(seen.map(({ status }) => status)).toEqual([401, 401, 429]);
  }
});

test.each([
  ["an unknown command", ["dance"]],
  ["an unknown option", ["serve", "--prot", "1"]],
  ["a wrong port", ["serve", "--port", "99999"]],
  ["a limit of nothing", ["serve", "--requests-per-minute", "0"]],
  ["a limit that is no number", ["serve", "--body-limit-bytes", "5MB"]],
])("fiscald-site refuses %s as wrong usage, and tells where to look", async (_, args) => {
  const { code, errors } = await run(...args).ended;
  expect(code).toBe(2);
  expect(errors).toMatch(/^error: .+\n\(see --help\)\n$/s);
});

const sandbox = ["serve", "--port", "0", "--sandbox"];

test("refuses a sandbox at an address that other machines reach, with both ways out", async () => {
  const database = join(folder, "sandbox.sqlite");
  const { code, errors } = await run(...sandbox, "--host", "0.0.0.0", "--database", database).ended;
  expect([code, errors]).toEqual([
    2,
    expect.stringMatching(/0\.0\.0\.0 .*leave out --host, or add --allow-open-sandbox/),
  ]);
  expect(existsSync(database)).toBe(false);
});

test.each([
  ["at every address says that everybody sees its receipts", ["--host", "0.0.0.0", "--allow-open-sandbox"], true],
  ["at the address of this machine needs no further word", ["--host", "127.0.0.1"], false],
])("fiscald-site serve with a sandbox %s", async (_, words, isSaid) => {
  const { lines, ended } = run(...sandbox, ...words, "--database", join(folder, "sandbox.sqlite"));
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => (line.startsWith("ready ") ? resolve() : said.push(line)));
    ended.then(({ errors }) => reject(new Error(errors)));
  });
  expect(said.some((line) => line.startsWith("OPEN SANDBOX: whoever reaches 0.0.0.0"))).toBe(isSaid);
});

test("fiscald-site serve says so when its port is taken", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  servers.push(other);
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  const { code, errors } = await run("serve", "--port", port, "--database", join(folder, "site.sqlite")).ended;
  expect(code).not.toBe(0);
  expect(errors).toContain(port);
});

test.each([
  ["serve", "--database"],
  ["token", "create", "shop", "--database"],
])("fiscald-site takes no other option for the value of one: %j", async (...words) => {
  expect(await run(...words, "--help").ended).toEqual({ code: 0, errors: "" });
  const { code, errors } = await run(...words, "--port").ended;
  expect([code, errors]).toEqual([2, expect.stringContaining("argument missing: '--port' looks like an option")]);
});

test("--database before a command of fiscald-site works, and counts less than one behind it", async () => {
  const before = join(folder, "before.sqlite");
  const behind = join(folder, "behind.sqlite");
  const list = ["token", "list"];
  for (const words of [
    ["--database", behind, ...list],
    ["--database", before, ...list, "--database", behind],
    ["--database", behind, "receipts", "list"],
  ]) {
    const { code, errors } = await run(...words).ended;
    expect([code, errors]).toEqual([2, expect.stringContaining(`there is no database ${behind}`)]);
  }
  expect(await run("--database", "--help").ended).toEqual({ code: 0, errors: "" });
  expect(await run("--database", behind).ended).toMatchObject({ code: 2 });
});
