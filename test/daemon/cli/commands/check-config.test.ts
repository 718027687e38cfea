import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { type Ended, startCommand } from "../../../support/command-line.js";
import { rawConfig, rawSite, writeRawConfig } from "../../../support/raw-config.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();

function run(line: string, env: Record<string, string> = {}): Promise<Ended> {
  return startCommand(folder(), line, { env }).ended;
}

async function runJson(): Promise<unknown> {
  const { code, out, err } = await run("check-config --json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

test("check-config of a valid config exits with 0 and prints the number of registers", async () => {
  writeRawConfig(folder());
  expect(await run("check-config")).toMatchObject({ code: 0, out: expect.stringContaining("1 register(s)") });
  expect(await runJson()).toMatchObject({ ok: true, problems: [] });
});

test("check-config answers in the config's language, also when the config has mistakes", async () => {
  writeRawConfig(folder(), { version: 2, log: { folder: "logs", language: "ru" } });
  expect(await run("check-config")).toMatchObject({ code: 2, err: expect.stringContaining("не то значение") });
  writeRawConfig(folder(), { version: 2 });
  expect(await run("check-config")).toMatchObject({ code: 2, err: expect.stringContaining("expected 1") });
});

test("check-config answers in the config's language when the config's path has an equals sign", async () => {
  mkdirSync(join(folder(), "till=1"));
  writeRawConfig(join(folder(), "till=1"), { log: { folder: "logs", language: "ru" } });
  const { out } = await run("check-config --config=till=1/config.json");
  expect(out).toContain("ошибок нет");
});

test("check-config names only the registers that are not proven to write tag 1125 on internet receipts", async () => {
  const register = (id: string, driver: string, options: object = {}) => {
    return { id, driver, connection: { kind: "serial", path: id }, sites: ["shop"], options };
  };
  const off = register("off", "pirit", { internetFlag: null });
  writeRawConfig(folder(), { registers: [register("new", "pirit"), off, register("other", "shtrih")] });
  const { out } = await run("check-config");
  expect(out.split("\n").filter((line) => line.includes("1125"))).toEqual([
    expect.stringMatching(/^ {2}new: sign of internet receipts \(tag 1125\)\. No reference of the maker confirms/),
    expect.stringMatching(/^ {2}off: sign of internet receipts \(tag 1125\)\. Internet receipts are refused/),
  ]);
  expect(await runJson()).toMatchObject({
    internetSigns: [
      { register: "new", proof: "unconfirmed" },
      { register: "off", proof: "off" },
    ],
  });
});

test("check-config refuses an emulated register for a site that may be a real shop, until the config allows it", async () => {
  const sites = [rawSite("https://203.0.113.5/fiscal")];
  writeRawConfig(folder(), { sites });
  const { code, err } = await run("check-config --lang ru");
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("registers[0].connection.kind: касса — эмулятор, а сайт shop (203.0.113.5) не на этом"),
  ]);
  writeRawConfig(folder(), { sites, emulated: { allow: true } });
  expect((await run("check-config")).code).toBe(0);
});

test("check-config reports an ATOL register without a cashier as an error", async () => {
  const connection = { kind: "http", url: "http://127.0.0.1:16732" };
  const till = { id: "till-2", driver: "atol", connection, sites: ["shop"] };
  const named = { ...till, id: "till-3", options: { deviceId: "b" }, cashier: { name: "Кассир" } };
  writeRawConfig(folder(), { registers: [till, named] });
  const { code, err } = await run("check-config");
  expect([code, err]).toEqual([2, expect.stringMatching(/registers\[0\]\.cashier: .*prints nothing/)]);
  expect(err).not.toContain("registers[1]");
});

test("check-config --on DAY says which rates are refused or printed on that day, and which tax row was never read", async () => {
  const till = { id: "till-2", driver: "shtrih", connection: { kind: "emulator" }, sites: ["shop"] };
  writeRawConfig(folder(), { registers: [till, { ...till, id: "till-3", defaultTax: 11 }] });
  expect(await run("check-config --on 2025-12-31")).toMatchObject({
    code: 0,
    out: expect.stringContaining(
      [
        "VAT on 2025-12-31:",
        "  CHANGE: shop: sales at НДС 22%, НДС 22/122 are refused; refunds and method 7 are printed",
        "  till-2: a position without a tax is refused (`defaultTax` is not set)",
        "  till-3: row 11 (`defaultTax`) has not been read from the register yet",
      ].join("\n"),
    ),
  });
  expect(await run("check-config --on 31.12.2025")).toMatchObject({ code: 2, err: expect.stringContaining("--on") });
});

test("check-config names the query parameters that look like secrets and are left out of the site's identity", async () => {
  const url = "http://127.0.0.1:1/orders?shop=7&apiKey=x";
  writeRawConfig(folder(), { sites: [rawSite(url)] });
  const { code, out } = await run("check-config");
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /look at sites\[0\]\.urls\.orders: "apiKey" looks like a secret and is left out of the issuer/,
    ),
  ]);
  expect(out).not.toContain('"shop" is');
});

test("check-config of an invalid config exits with 2 and names all problems with their places", async () => {
  writeRawConfig(folder(), { sites: [], nonsense: 1 });
  const { code, err } = await run("check-config");
  expect(code).toBe(2);
  expect(err).toMatch(/sites: .*\n.*nonsense: /);
  const { code: jsonCode, out } = await run("check-config --json");
  expect(jsonCode).toBe(2);
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([{ path: "sites", message: expect.any(String), ru: expect.any(String) }]),
  });
});

test("check-config finds the config by --config, by FISCALD_CONFIG, or in the present folder", async () => {
  const path = writeRawConfig(folder());
  expect((await run(`check-config --config ${path}`)).code).toBe(0);
  expect((await run("check-config", { FISCALD_CONFIG: path })).code).toBe(0);
  expect(await run("check-config --config nowhere.json")).toMatchObject({
    code: 2,
    err: expect.stringContaining("nowhere.json"),
  });
});

test("check-config --schema prints a JSON Schema that the example config matches", async () => {
  const { out } = await run("check-config --schema");
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(out));
  expect(validate(rawConfig())).toBe(true);
  expect(validate({ version: 1, sites: [], registers: [], nonsense: 1 })).toBe(false);
});
