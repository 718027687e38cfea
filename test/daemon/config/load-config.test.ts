import { readFileSync } from "node:fs";
import { configAdvice } from "@fiscald/daemon/config/cross-checks.js";
import { parseRaw as parse, problemsOf } from "../../support/parse-raw-config.js";

type Json = Record<string, unknown>;

function site(rest: Json = {}): Json {
  const urls = { orders: "https://shop.example/orders", result: "https://shop.example/result" };
  return { id: "shop", urls, ...rest };
}

function register(rest: Json = {}): Json {
  return { id: "till-1", driver: "shtrih", connection: { kind: "tcp", host: "10.0.0.5" }, sites: ["shop"], ...rest };
}

function tcpRegister(host: string, rest: Json = {}): Json {
  return register({ connection: { kind: "tcp", host }, ...rest });
}

function atol(id: string, deviceId: string): Json {
  const connection = { kind: "http", url: "http://till:16732" };
  return register({ id, driver: "atol", connection, options: { deviceId } });
}

const emulated = { kind: "emulator", statePath: "x" };
const shouted = site({ id: "b", urls: { orders: "HTTPS://shop.example:443/orders", result: "https://b.example" } });

function config(rest: Json = {}): Json {
  return { version: 1, sites: [site()], registers: [register()], ...rest };
}

// The schema's defaults are compared with CONFIG.md (test/docs). Here are the defaults that only reading makes.
test("the smallest config gets absolute paths in its own folder, and null or an empty value for each omitted key", () => {
  const parsed = parse(config());
  expect(parsed).toMatchObject({
    database: "/etc/fiscald/data/fiscald.sqlite",
    images: { folder: "/etc/fiscald/data/images" },
    console: { tokenFile: "/etc/fiscald/data/console-token", operatorTokenFile: null },
    log: { folder: "/etc/fiscald/data/logs" },
    sites: [{ auth: { kind: "none" }, tls: { caFile: null, certFile: null, keyFile: null } }],
    registers: [
      {
        ...{ connection: { kind: "tcp", host: "10.0.0.5", port: 7778 }, closeShiftAt: null },
        ...{ receiptLink: null, cashier: null, taxSystem: null },
      },
    ],
  });
});

test("the example config with every key is valid, with and without its alerts filled in", () => {
  const raw = readFileSync(new URL("../../../daemon/config/every-key.json", import.meta.url), "utf8");
  const env = { SHOP_SECRET: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" };
  const parsed = parse(raw, env);
  expect(parsed.console.tls).toEqual({ certFile: null, keyFile: null });
  expect(parsed.alerts).toEqual({ afterMinutes: 10, mail: null, url: null });
  const mail = { smtp: { fromEnv: "SMTP" }, from: "till@shop.example", to: "owner@shop.example" };
  const alerts = { afterMinutes: 10, mail, url: { fromFile: "bot" } };
  const url = "https://api.telegram.org/bot1:A/sendMessage?chat_id=-1";
  const smtp = "smtps://till:p%40ss@mail.shop.example";
  const filled = parse({ ...JSON.parse(raw), alerts }, { ...env, SMTP: smtp }, { "/etc/fiscald/bot": `${url}\n` });
  expect(filled.alerts).toEqual({ afterMinutes: 10, mail: { ...mail, smtp, to: ["owner@shop.example"] }, url });
});

test("config values such as a tax system or a cashier are converted to the program's own values", () => {
  const { registers } = parse(
    config({
      registers: [
        register({
          taxSystem: "usn-income",
          cashier: { name: "Иванова А.А.", inn: "" },
          receiptLink: { preset: "platforma-ofd" },
          expectKkm: " 0001234567012345 ",
          connection: { kind: "emulator", statePath: "data/e.json" },
        }),
      ],
    }),
  );
  expect(registers[0]).toMatchObject({
    taxSystem: 2,
    cashier: { name: "Иванова А.А.", inn: null },
    receiptLink: "https://lk.platformaofd.ru/web/noauth/cheque?fn={fn}&fp={fp}&i={fd}",
    expectKkm: "0001234567012345",
    connection: { statePath: "/etc/fiscald/data/e.json" },
  });
});

test("all problems of a config are reported at once, each with its place", () => {
  const problems = problemsOf({
    version: 2,
    sites: [
      site({ poleEverySeconds: 4, urls: { order: "x", orders: "ftp://x", result: "https://x.example" } }),
      site(),
    ],
    registers: [
      register({ driver: "shtrikh", closeShiftAt: "24:00", timeZone: "Europe/Moskva", sites: [] }),
      register({
        id: "till 2",
        receiptLink: { preset: "ofd" },
        options: { operatorPasword: 30 },
        sites: ["shop", "shpo"],
      }),
    ],
    console: { port: 99_999 },
    extra: true,
  });
  expect(Object.keys(problems).sort()).toEqual(
    [
      "version",
      "sites[0].poleEverySeconds",
      "sites[0].urls.order",
      "sites[0].urls.orders",
      "sites[1].id",
      "registers[1].connection",
      "registers[0].driver",
      "registers[0].closeShiftAt",
      "registers[0].timeZone",
      "registers[0].sites",
      "registers[1].id",
      "registers[1].receiptLink.preset",
      "registers[1].options.operatorPasword",
      "registers[1].sites[1]",
      "console.port",
      "extra",
    ].sort(),
  );
  expect(problems["sites[0].poleEverySeconds"]).toContain("did you mean `pollEverySeconds`?");
  expect(problems["registers[1].receiptLink.preset"]).toContain("platforma-ofd");
});

test("the message of a config with several problems has one line with place and text for each, in English and Russian", () => {
  const raw = config({ sites: [site(), site()], queue: { depth: 1 }, log: { keepDays: "many" } });
  expect(() => parse(raw)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^\d problems in config\.json:\n {2}[\w.[\]]+: /),
      ru: expect.stringMatching(/^Ошибок: \d, файл config\.json:\n(?: {2}[\w.[\]]+: [^\n]*[а-яё][^\n]*\n?)+$/i),
    }),
  );
});

test("a value that two config entries must not share is reported even when one of the entries has another wrong key", () => {
  const connection = { kind: "tcp", host: "10.0.0.5" };
  const problems = problemsOf(
    config({
      sites: [site({ nonsense: 1 }), site({ pollEverySeconds: "often" })],
      registers: [
        register({ connection, closeShiftAt: "late" }),
        register({ connection, title: "", sites: ["nowhere"], options: { deviceId: 1 } }),
      ],
    }),
  );
  expect(Object.keys(problems).sort()).toEqual(
    [
      "sites[0].nonsense",
      "sites[1].pollEverySeconds",
      "sites[1].id",
      "sites[1].urls.orders",
      "registers[0].closeShiftAt",
      "registers[1].title",
      "registers[1].id",
      "registers[1].connection",
      "registers[1].sites[0]",
      "registers[1].options.deviceId",
    ].sort(),
  );
});

test.each<[string, string, Json]>([
  ["two registers of one id", "registers[1].id", { registers: [register(), tcpRegister("b")] }],
  ["one orders address spelt in two ways", "sites[1].urls.orders", { sites: [site(), shouted] }],
  [
    "one host spelt in two ways",
    "registers[1].connection",
    { registers: ["till.local", "Till.LOCAL"].map((host, id) => tcpRegister(host, { id: String(id) })) },
  ],
  [
    "two registers on one device of a service",
    "registers[1].connection",
    { registers: [atol("a", "k"), atol("b", "k")] },
  ],
  [
    "two registers that expect one kkm",
    "registers[1].expectKkm",
    { registers: [register({ expectKkm: "1" }), tcpRegister("b", { id: "b", expectKkm: "1" })] },
  ],
  [
    "an emulator that stands in for a real register",
    "registers[1].group",
    { registers: [register({ group: "hall" }), register({ id: "b", group: "hall", connection: emulated })] },
  ],
  [
    "a connection that its driver cannot use",
    "registers[0].connection.kind",
    { registers: [tcpRegister("a", { driver: "atol" })] },
  ],
  [
    "an address of a site that holds a password",
    "sites[0].urls.orders",
    { sites: [site({ urls: { orders: "https://u:p@a.example", result: "https://a.example" } })] },
  ],
  ...["till:16732/api/v2/", "till:16732/?deviceID=2", "u@till:16732", ":p@till:16732"].map(
    (address): [string, string, Json] => {
      const connection = { kind: "http", url: `http://${address}` };
      const raw = { registers: [register({ driver: "atol", connection })] };
      return [`the address ${address} of a print service`, "registers[0].connection.url", raw];
    },
  ),
  ["a site renamed from one that is still here", "sites[0].renamedFrom", { sites: [site({ renamedFrom: "shop" })] }],
  [
    "a register renamed from one that is still here",
    "registers[1].renamedFrom",
    { registers: [register(), tcpRegister("b", { id: "b", renamedFrom: "till-1" })] },
  ],
  [
    "two registers renamed from one",
    "registers[1].renamedFrom",
    { registers: ["b", "c"].map((id) => tcpRegister(id, { id, renamedFrom: "a" })) },
  ],
  [
    "an emulator with a registration number of other digits",
    "registers[0].connection.kkm",
    { registers: [register({ connection: { kind: "emulator", kkm: "12345" } })] },
  ],
  [
    "a signing secret that is no base64",
    "sites[0].auth.secret",
    { sites: [site({ auth: { kind: "signature", secret: "пароль" } })] },
  ],
  [
    "a placeholder that does not exist",
    "registers[0].receiptLink.template",
    { registers: [register({ receiptLink: { template: "https://ofd.example/{fnn}" } })] },
  ],
  ["a certificate without its key", "sites[0].tls.certFile", { sites: [site({ tls: { certFile: "c.pem" } })] }],
  ...["0.0.0.0", "192.168.1.5", "till.local"].map((host): [string, string, Json] => {
    return [`a console at ${host} without TLS`, "console.host", { console: { host } }];
  }),
])("a config with %s is refused, and the problem names the key", (_what, place, raw) => {
  expect(Object.keys(problemsOf(config(raw)))).toEqual([place]);
});

test("one print service may serve several registers, each by its own device", () => {
  expect(parse(config({ registers: ["a", "b"].map((id) => atol(id, id)) })).registers).toHaveLength(2);
});

test("a config may have emulated registers beside an unreadable entry of their group or a real register of another group", () => {
  const emulated = (id: string, group: string) => register({ id, group, connection: { kind: "emulator" } });
  const unread = register({ id: "a", group: "hall", connection: { kind: "tcp" } });
  const registers = [register(), unread, emulated("b", "hall"), emulated("c", "hall")];
  expect(Object.keys(problemsOf(config({ registers })))).toEqual(["registers[1].connection.host"]);
});

test.each(["127.0.0.1", "127.0.0.2", "::1", "localhost"])("a console at %s needs no TLS", (host) => {
  expect(parse(config({ console: { host } })).console).toMatchObject({ host, tls: { certFile: null, keyFile: null } });
});

test("a console for other machines is refused without TLS and with certificate files that cannot be used", () => {
  expect(problemsOf(config({ console: { host: "0.0.0.0" } }))["console.host"]).toMatch(
    /without HTTPS everybody .* token/,
  );
  const console = { host: "0.0.0.0", tls: { certFile: "c.pem", keyFile: "k.pem" } };
  const files = { "/etc/fiscald/c.pem": "no certificate", "/etc/fiscald/k.pem": "no key" };
  expect(() => parse(config({ console }), {}, files)).toThrow(/console\.tls: this certificate and key cannot be used/);
  const halves = { ...console, tls: { certFile: "c.pem" } };
  expect(() => parse(config({ console: halves }), {}, files)).toThrow(/console\.tls: certFile and keyFile go together/);
});

test("the config check advises on a site that no register names and on a misspelt log namespace", () => {
  const other = site({ id: "other", urls: { orders: "https://other.example/o", result: "https://other.example/r" } });
  const log = { namespaces: { registers: "debug", registres: "debug" } };
  const registers = [register({ defaultTax: 11 })];
  expect(configAdvice(parse(config({ sites: [site(), other], registers, log })))).toEqual([
    { path: "sites[1]", message: expect.stringContaining("no register names this site"), ru: expect.any(String) },
    {
      path: "log.namespaces.registres",
      message: expect.stringContaining("known keys: daemon, intake"),
      ru: expect.stringContaining("известные ключи: daemon, intake"),
    },
  ]);
});

test("the config check advises a default tax for a register that refuses positions without a tax", () => {
  const shtrih = { driver: "shtrih", connection: { kind: "emulator" } };
  const registers = [register({ id: "a", ...shtrih }), register({ id: "b", ...shtrih, defaultTax: 11 })];
  expect(configAdvice(parse(config({ registers })))).toEqual([
    {
      path: "registers[0].defaultTax",
      message: "is missing: an order with a position without a tax is not printed",
      ru: "не задано: заказ, в котором есть позиция без ставки, не будет напечатан",
    },
  ]);
});

test("a cashier's name that no document can hold is refused with its place", () => {
  const raw = config({ registers: [register({ cashier: { name: "Иванова \uFFFD" } })] });
  expect(problemsOf(raw)["registers[0].cashier.name"]).toMatch(/U\+FFFD/);
});
