/** The checker in shared/site-check has tests of its own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, startCommand } from "../../../support/command-line.js";
import { freePort } from "../../../support/free-port.js";
import { rawRegister, rawSite, writeRawConfig } from "../../../support/raw-config.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { startTestSite, type TestSite } from "../../../support/test-site.js";

const folder = useTempFolder();
let shop: TestSite;
let consolePort = 0;
beforeEach(async () => {
  shop = await startTestSite();
  consolePort = await freePort();
});
afterEach(() => shop.close());

function run(...words: readonly string[]): Promise<Ended> {
  return startCommand(folder(), ["check-site", ...words]).ended;
}

function writeConfig(site: Readonly<Record<string, unknown>> = {}): void {
  const auth = { kind: "bearer", token: "till-secret" };
  writeRawConfig(folder(), {
    sites: [rawSite(shop.url, { auth, ...site })],
    registers: [rawRegister({ expectKkm: "0007000000000007" })],
    console: { port: consolePort },
  });
}

test("check-site calls a site with the secret, the register and the addresses that the config has for the site", async () => {
  writeConfig();
  shop.answer(({ headers, json }) => {
    if (headers["authorization"] !== "Bearer till-secret") return { status: 401 };
    return json === undefined
      ? { status: 400 }
      : { body: { resultCode: json["action"] === "checkSiteUnknown" ? 2 : 0 } };
  });
  const { code, out } = await run("shop");
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("0007000000000007") });
  expect(out).not.toContain("till-secret");
  expect(shop.calls.filter(({ json }) => json?.["action"] === "ZReport")).toEqual([]);
  expect(shop.calls.filter(({ json }) => json?.["kkm"] === "0007000000000007").length).toBeGreaterThan(3);
});

test("check-site of a faulty site exits with 1 and writes a JUnit report in the requested language", async () => {
  writeConfig({ auth: { kind: "none" } });
  shop.answer(() => ({ body: "<html>" }));
  const { code, out } = await run("--lang", "ru", "--junit", join(folder(), "site.xml"));
  expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining("исправить: Это страница HTML") });
  expect(readFileSync(join(folder(), "site.xml"), "utf8")).toContain('<failure type="not-json"');
});

test("check-site of an address needs no config", async () => {
  shop.answer(() => ({ status: 302, headers: { location: "/login" } }));
  const { code, out } = await run(shop.url, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ ok: false, sites: [{ encoding: "json", checks: expect.any(Array) }] });
  expect(JSON.parse(out).sites[0].checks[0]).toMatchObject({ name: "address", state: "wrong" });
});

test.each([
  ["an unknown site", ["nowhere"], "there are: shop"],
  ["flags of an address for a site of the config", ["shop", "--kkm", "1"], "as the config says"],
  ["a total that is no sum", ["shop", "--total", "1 990,00"], "a sum such as"],
])("check-site refuses %s as wrong usage", async (_, words, message) => {
  writeConfig();
  const { code, err } = await run(...words);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  expect(shop.calls).toEqual([]);
});

test("check-site refuses to call a site of the config while the daemon runs", async () => {
  const daemon = await startTestSite();
  consolePort = Number(new URL(daemon.url).port);
  writeConfig();
  try {
    const { code, err } = await run("shop");
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("the daemon runs") });
    expect(shop.calls).toEqual([]);
  } finally {
    await daemon.close();
  }
});
