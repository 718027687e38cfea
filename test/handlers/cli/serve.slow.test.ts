import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { type Child, startChild } from "../../support/child-process.js";
import { post } from "../../support/fake-daemon.js";
import { useTempFolder } from "../../support/temp-folder.js";

const bin = fileURLToPath(import.meta.resolve("#handlers/cli/main.js"));
const folder = useTempFolder();
const database = () => join(folder(), "site.sqlite");
const children: Child[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.signal("SIGKILL");
});

function start(...args: readonly string[]): Child {
  const child = startChild([bin, ...args]);
  children.push(child);
  return child;
}

/** Resolves to the exit code and all output. */
async function run(...args: readonly string[]) {
  const child = start(...args);
  return { code: await child.ended, said: child.output() };
}

async function serve(...args: readonly string[]) {
  const child = start("serve", "--port", "0", "--database", database(), ...args);
  const [, url = ""] = await child.line(/^ready (http:\/\/\S+:\d+)$/);
  return { child, url };
}

test("fiscald-site serve serves the demo shop until it is stopped, and remembers its receipts", async () => {
  const first = await serve("--demo-shop");
  const lines = [expect.stringContaining("nothing fiscal"), expect.stringMatching("^demo shop "), `ready ${first.url}`];
  expect(first.child.output().split("\n")).toEqual(lines);
  const cart = { items: [{ id: "tea", count: 1 }], payment: "cash", email: "" };
  const order = await post(`${first.url}/api/orders`, cart);
  expect(order.status).toBe(201);
  const held = post(`${first.url}/fiscal`, { action: "order", kkm: "0001" }, { headers: { prefer: "wait=25" } });
  expect((await held).body).toMatchObject({ response: order.body });
  first.child.signal("SIGTERM");
  expect([await first.child.ended, first.child.output().split("\n")]).toEqual([0, lines]);

  const second = await serve("--demo-shop");
  const till = createTestTill({ site: `${second.url}/fiscal`, kkm: "0001", daemonId: null });
  expect(await till.poll()).toMatchObject(order.body ?? {});
  second.child.signal("SIGINT");
  expect(await second.child.ended).toBe(0);
});

test("fiscald-site serve has the page of receipt calls at its root, and errors in the language of --lang", async () => {
  const { child, url } = await serve("--lang", "ru");
  expect(await (await fetch(url)).text()).toContain('spec-url="/receipts/openapi.json"');
  const refused = await fetch(`${url}/receipts`);
  expect([refused.status, await refused.text()]).toEqual([401, expect.stringMatching(/[а-я]{4}/)]);
  const english = await fetch(`${url}/receipts`, { headers: { "accept-language": "en" } });
  expect(await english.text()).not.toMatch(/[а-я]/);
  child.signal("SIGTERM");
  expect(await child.ended).toBe(0);
});

test("fiscald-site serve answers an unknown path with an error of its API in the request's language", async () => {
  const { url } = await serve();
  const answer = await fetch(`${url}/receipt?x=1`, { method: "POST", headers: { "accept-language": "ru" } });
  const error = {
    error: true,
    code: "api.not-found",
    path: "",
    message: expect.stringMatching(/[а-я]{4}.*There is no address \/receipt; \/receipts is near it/),
  };
  expect([answer.status, await answer.json()]).toEqual([404, error]);
});

test("fiscald-site serve --strict refuses a receipt with a key that nothing reads", async () => {
  const shop = await run("token", "create", "shop", "--database", database());
  const token = shop.said.trim().split("\n").at(-1) ?? "";
  const { url } = await serve("--strict");
  const table = [
    { type: "OpenCheckSell" },
    { type: "Registration", data: "Tea", param: { price: 1, quantity: 1, vatt: "vat22" } },
    { type: "Payment", param: { summ: 1, typeClose: 1 } },
    { type: "CloseCheck" },
  ];
  const headers = { authorization: `Bearer ${token}` };
  const refused = await post(`${url}/receipts`, { response: { orderId: "A-1", taskTable: table } }, { headers });
  expect(refused).toMatchObject({ status: 422, body: { path: "taskTable[1].param.vatt" } });
});

test("fiscald-site serve ends at once on a signal, although a poll is waiting", async () => {
  const { child, url } = await serve("--demo-shop");
  const headers = { prefer: "wait=25", "fiscald-daemon": "d1" };
  const held = post(`${url}/fiscal`, { action: "order", kkm: "0001" }, { headers }).catch(() => "cut off");
  await post(`${url}/fiscal`, { action: "order", kkm: "0001" }, { headers: { "fiscald-daemon": "d2" } });
  child.signal("SIGTERM");
  expect(await held).toBe("cut off");
  expect(await child.ended).toBe(0);
});

test("fiscald-site serve refuses more requests than --requests-per-minute allows", async () => {
  const { url } = await serve("--requests-per-minute", "2");
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
])("fiscald-site refuses %s as wrong usage, and names the help", async (_, args) => {
  expect(await run(...args)).toEqual({ code: 2, said: expect.stringMatching(/^error: .+\n\(see --help\)$/s) });
});

test("a sandbox at an address that other machines reach is refused, and the refusal names both ways out", async () => {
  const refused = await run("serve", "--port", "0", "--sandbox", "--host", "0.0.0.0", "--database", database());
  const said = expect.stringMatching(/0\.0\.0\.0 .*leave out --host, or add --allow-open-sandbox/);
  expect(refused).toEqual({ code: 2, said });
  expect(existsSync(database())).toBe(false);
});

test.each([
  ["at every address warns that everybody sees its receipts", ["--host", "0.0.0.0", "--allow-open-sandbox"], true],
  ["at the address of this machine needs no further option", ["--host", "127.0.0.1"], false],
])("fiscald-site serve with a sandbox %s", async (_, words, isSaid) => {
  const { child } = await serve("--sandbox", ...words);
  expect(/^OPEN SANDBOX: whoever reaches 0\.0\.0\.0/m.test(child.output())).toBe(isSaid);
});

test("fiscald-site serve reports that its port is taken", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  const { code, said } = await run("serve", "--port", port, "--database", database());
  other.close();
  expect([code, said]).toEqual([2, expect.stringContaining(port)]);
});

test.each([
  ["serve", "--database"],
  ["token", "create", "shop", "--database"],
])("fiscald-site does not take the next option as the missing value of an option: %j", async (...words) => {
  expect(await run(...words, "--help")).toEqual({ code: 0, said: expect.stringContaining("Usage: ") });
  const said = expect.stringContaining("argument missing: '--port' looks like an option");
  expect(await run(...words, "--port")).toEqual({ code: 2, said });
});

test("fiscald-site accepts --database before and after the command, and the one after the command counts", async () => {
  const before = join(folder(), "before.sqlite");
  const behind = join(folder(), "behind.sqlite");
  const list = ["token", "list"];
  for (const words of [
    ["--database", behind, ...list],
    ["--database", before, ...list, "--database", behind],
    ["--database", behind, "receipts", "list"],
  ]) {
    expect(await run(...words)).toEqual({ code: 2, said: expect.stringContaining(`there is no database ${behind}`) });
  }
  expect(await run("--database", "--help")).toMatchObject({ code: 0 });
  expect(await run("--database", behind)).toMatchObject({ code: 2 });
});
