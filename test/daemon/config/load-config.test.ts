import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@fiscald/daemon/config/config-schema.js";
import { configAdvice } from "@fiscald/daemon/config/cross-checks.js";
import { loadConfig, parseConfig } from "@fiscald/daemon/config/load-config.js";
import { isFault } from "@fiscald/shared/fault.js";
import iconv from "iconv-lite";
import { z } from "zod";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();
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
  return register({
    id,
    driver: "atol",
    connection: { kind: "http", url: "http://till:16732" },
    options: { deviceId },
  });
}

function config(rest: Json = {}): Json {
  return { version: 1, sites: [site()], registers: [register()], ...rest };
}

function parse(raw: unknown, env: Record<string, string> = {}, files: Record<string, string> = {}): Config {
  return parseConfig(typeof raw === "string" ? raw : JSON.stringify(raw), "config.json", {
    folder: "/etc/fiscald",
    env,
    readFile(path) {
      const text = files[path];
      if (text === undefined) throw new Error("no such file");
      return text;
    },
  });
}

/** Each is said in Russian too. */
const problemsSchema = z.array(z.object({ path: z.string(), message: z.string(), ru: z.string().regex(/[а-яё]{2}/i) }));

function problemsOf(raw: unknown, env: Record<string, string> = {}): Record<string, string> {
  try {
    parse(raw, env);
  } catch (error) {
    if (!isFault(error)) throw error;
    expect(error.code).toBe("config.invalid");
    const problems = problemsSchema.parse(error.details.problems);
    return Object.fromEntries(problems.map(({ path, message }) => [path, message]));
  }
  return {};
}

test("the smallest config has every default", () => {
  const parsed = parse(config());
  expect(parsed).toMatchObject({
    database: "/etc/fiscald/data/fiscald.sqlite",
    images: { folder: "/etc/fiscald/data/images" },
    console: { host: "127.0.0.1", port: 5480, tokenFile: "/etc/fiscald/data/console-token", operatorTokenFile: null },
    log: { folder: "/etc/fiscald/data/logs", level: "info", keepDays: 30 },
    warnings: {
      orderWaitsMinutes: 10,
      unsentToOfdHours: 24,
      driveDaysLeft: 30,
      driveDocumentsLeft: 5000,
      printingMinutes: 5,
    },
  });
  expect(parsed.sites[0]).toMatchObject({
    pollEverySeconds: 5,
    receiptFormat: "auto",
    bodyEncoding: "json",
    resultAction: "orderConfirm",
    resultExtras: true,
    sessionSumm: "net",
    requireContactForInternet: true,
    strictPaper: true,
    auth: { kind: "none" },
    tls: { caFile: null, certFile: null, keyFile: null },
  });
  expect(parsed.registers[0]).toMatchObject({
    connection: { kind: "tcp", host: "10.0.0.5", port: 7778 },
    moveAfterSeconds: 30,
    timeZone: "Europe/Moscow",
    closeShiftAt: null,
    receiptLink: null,
    orderMark: true,
    cashier: null,
    taxSystem: null,
  });
});

test("a config with every key is without a problem, also with its alerts filled in", () => {
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

test("the values of a config are read into what the program works with", () => {
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

test("a list of problems has a line for each behind its place, in Russian too", () => {
  const raw = config({ sites: [site(), site()], queue: { depth: 1 }, log: { keepDays: "many" } });
  expect(() => parse(raw)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^\d problems in config\.json:\n {2}[\w.[\]]+: /),
      ru: expect.stringMatching(/^Ошибок: \d, файл config\.json:\n(?: {2}[\w.[\]]+: [^\n]*[а-яё][^\n]*\n?)+$/i),
    }),
  );
});

test("a wrong key of an entry does not hide a value that the entry has in common with another one", () => {
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

test("a problem of one site does not hide an orders address that the sites share", () => {
  const problems = problemsOf(config({ sites: [site(), site({ id: "other" }), site({ id: "third", nonsense: 1 })] }));
  expect(Object.keys(problems).sort()).toEqual(["sites[1].urls.orders", "sites[2].nonsense", "sites[2].urls.orders"]);
});

test.each<[string, Json, string]>([
  [
    "two registers of one id",
    config({ registers: [register(), register({ connection: { kind: "tcp", host: "b" } })] }),
    "registers[1].id",
  ],
  [
    "one orders address spelt in two ways",
    config({
      sites: [
        site(),
        site({ id: "b", urls: { orders: "HTTPS://shop.example:443/orders", result: "https://b.example" } }),
      ],
    }),
    "sites[1].urls.orders",
  ],
  [
    "one host spelt in two ways",
    config({ registers: ["till.local", "Till.LOCAL"].map((host, id) => tcpRegister(host, { id: String(id) })) }),
    "registers[1].connection",
  ],
  [
    "two registers on one device of a service",
    config({ registers: ["a", "b"].map((id) => atol(id, "kassa")) }),
    "registers[1].connection",
  ],
  [
    "two registers that expect one kkm",
    config({
      registers: [register({ expectKkm: "1" }), tcpRegister("b", { id: "b", expectKkm: "1" })],
    }),
    "registers[1].expectKkm",
  ],
  [
    "an emulator that stands in for a real register",
    config({
      registers: [
        register({ group: "hall" }),
        register({ id: "b", group: "hall", connection: { kind: "emulator", statePath: "x" } }),
      ],
    }),
    "registers[1].group",
  ],
  [
    "a connection that its driver cannot use",
    config({ registers: [register({ driver: "atol", connection: { kind: "tcp", host: "a" } })] }),
    "registers[0].connection.kind",
  ],
  [
    "an address of a site that holds a password",
    config({ sites: [site({ urls: { orders: "https://u:p@a.example", result: "https://a.example" } })] }),
    "sites[0].urls.orders",
  ],
  ...["till:16732/api/v2/", "till:16732/?deviceID=2", "u@till:16732", ":p@till:16732"].map(
    (address): [string, Json, string] => {
      const connection = { kind: "http", url: `http://${address}` };
      const raw = config({ registers: [register({ driver: "atol", connection })] });
      return [`the address ${address} of a print service`, raw, "registers[0].connection.url"];
    },
  ),
  [
    "a site renamed from one that is still here",
    config({ sites: [site({ renamedFrom: "shop" })] }),
    "sites[0].renamedFrom",
  ],
  [
    "a register renamed from one that is still here",
    config({ registers: [register(), tcpRegister("b", { id: "b", renamedFrom: "till-1" })] }),
    "registers[1].renamedFrom",
  ],
  [
    "two registers renamed from one",
    config({ registers: ["b", "c"].map((id) => tcpRegister(id, { id, renamedFrom: "a" })) }),
    "registers[1].renamedFrom",
  ],
  [
    "an emulator with a registration number of other digits",
    config({ registers: [register({ connection: { kind: "emulator", kkm: "12345" } })] }),
    "registers[0].connection.kkm",
  ],
  [
    "a signing secret that is no base64",
    config({ sites: [site({ auth: { kind: "signature", secret: "пароль" } })] }),
    "sites[0].auth.secret",
  ],
  [
    "a placeholder that does not exist",
    config({ registers: [register({ receiptLink: { template: "https://ofd.example/{fnn}" } })] }),
    "registers[0].receiptLink.template",
  ],
  ["a certificate without its key", config({ sites: [site({ tls: { certFile: "c.pem" } })] }), "sites[0].tls.certFile"],
  ["a console for the whole network without TLS", config({ console: { host: "0.0.0.0" } }), "console.host"],
  ["a console for the shop's network without TLS", config({ console: { host: "192.168.1.5" } }), "console.host"],
  ["a console under the machine's name without TLS", config({ console: { host: "till.local" } }), "console.host"],
])("a config with %s is refused at its place", (_what, raw, place) => {
  expect(Object.keys(problemsOf(raw))).toEqual([place]);
});

test("one print service may serve several registers, each by its own device", () => {
  expect(parse(config({ registers: ["a", "b"].map((id) => atol(id, id)) })).registers).toHaveLength(2);
});

test("emulated registers may stand beside a real one of another group, or one that cannot be read", () => {
  const emulated = (id: string, group: string) => register({ id, group, connection: { kind: "emulator" } });
  const unread = register({ id: "a", group: "hall", connection: { kind: "tcp" } });
  const registers = [register(), unread, emulated("b", "hall"), emulated("c", "hall")];
  expect(Object.keys(problemsOf(config({ registers })))).toEqual(["registers[1].connection.host"]);
});

test.each(["127.0.0.1", "127.0.0.2", "::1", "localhost"])("a console at %s needs no TLS", (host) => {
  expect(parse(config({ console: { host } })).console).toMatchObject({ host, tls: { certFile: null, keyFile: null } });
});

test("a console beyond this machine is refused with why it needs TLS, and its certificate files are tried", () => {
  expect(problemsOf(config({ console: { host: "0.0.0.0" } }))["console.host"]).toMatch(
    /without HTTPS everybody .* token/,
  );
  const console = { host: "0.0.0.0", tls: { certFile: "c.pem", keyFile: "k.pem" } };
  const files = { "/etc/fiscald/c.pem": "no certificate", "/etc/fiscald/k.pem": "no key" };
  expect(() => parse(config({ console }), {}, files)).toThrow(/console\.tls: this certificate and key cannot be used/);
  const halves = { ...console, tls: { certFile: "c.pem" } };
  expect(() => parse(config({ console: halves }), {}, files)).toThrow(/console\.tls: certFile and keyFile go together/);
});

describe("secrets of a config", () => {
  const withToken = (token: unknown) => config({ sites: [site({ auth: { kind: "bearer", token } })] });

  test("a secret may stand in the config, in a variable or in a file of its own", () => {
    const read = (token: unknown) => {
      const { auth } =
        parse(withToken(token), { TOKEN: "abc" }, { "/etc/fiscald/token": "abc\nnot this\n" }).sites[0] ?? {};
      return auth;
    };
    for (const token of ["abc", { fromEnv: "TOKEN" }, { fromFile: "token" }]) {
      expect(read(token)).toEqual({ kind: "bearer", token: "abc" });
    }
  });

  test.each([
    [{ fromEnv: "NOT_SET" }, "NOT_SET"],
    [{ fromFile: "nowhere" }, "/etc/fiscald/nowhere"],
    [{ fromFil: "x" }, "fromFile"],
    ["", "too small"],
  ])("refuses a secret that cannot be found: %j", (token, text) => {
    expect(problemsOf(withToken(token))["sites[0].auth.token"]).toContain(text);
  });

  test("a secret may stand among a driver's options", () => {
    const withPassword = (password: unknown) => {
      const connection = { kind: "http", url: "http://127.0.0.1:16732" };
      return config({ registers: [register({ driver: "atol", connection, options: { user: "u", password } })] });
    };
    expect(parse(withPassword({ fromEnv: "P" }), { P: "abc" }).registers[0]?.options).toEqual({
      user: "u",
      password: "abc",
    });
    expect(problemsOf(withPassword({ fromEnv: "P" }))["registers[0].options.password"]).toContain("P is not set");
  });

  test("a secret never appears in a problem of the config", () => {
    const mail = { smtp: "till:geheim@mail.shop.example", from: "till", to: ["geheim"] };
    const raw = config({
      sites: [site({ auth: { kind: "signature", secret: "geheim!" } })],
      alerts: { mail, url: "geheim.example" },
    });
    const problems = problemsOf(raw);
    expect(problems).toMatchObject({
      "alerts.mail.smtp": expect.stringContaining("smtps://user:password@"),
      "alerts.mail.from": "must be a mail address",
      "alerts.mail.to[0]": "must be a mail address",
      "alerts.url": expect.stringContaining("https://"),
    });
    expect(JSON.stringify(problems)).not.toContain("geheim");
  });
});

describe("variables of the environment", () => {
  test("variables of the environment set single keys, in any letter case, and entries by id or number", () => {
    const parsed = parse(config(), {
      FISCALD__CONSOLE__PORT: "6000",
      FISCALD__sites__shop__pollEverySeconds: "0.5",
      FISCALD__registers__0__closeShiftAt: "23:50",
      FISCALD_CONFIG: "x",
    });
    expect(parsed.console.port).toBe(6000);
    expect(parsed.sites[0]?.pollEverySeconds).toBe(0.5);
    expect(parsed.registers[0]?.closeShiftAt).toBe("23:50");
  });

  test("variables of the environment are checked like the config file", () => {
    const env = { FISCALD__console__prot: "1", FISCALD__sites__shpo__id: "x" };
    expect(Object.keys(problemsOf(config(), env)).sort()).toEqual(["FISCALD__sites__shpo__id", "console.prot"]);
  });
});

test.each<[string, string, string]>([
  ["a word without quotes", '{\n  "version": 1,\n  "database": oops\n}', "line 3, column 15: a value is expected"],
  ["a backslash", '{\n  "database": "C:\\data\\d.sqlite"\n}', "line 2, column 18: a backslash is written twice"],
  ["a comment", '{\n  "version": 1, // ours\n}', "line 2, column 17: JSON has no comments"],
  ["a comment in a list", '{ "sites": [ /* none */ ] }', "line 1, column 14: JSON has no comments"],
  ["single quotes", "{ 'version': 1 }", "line 1, column 3: JSON has double quotes"],
  ["a comma too many", '{ "version": 1, }', "line 1, column 17: the comma before this is one too many"],
  ["a missing comma", '{ "version": 1\r\n  "sites": [] }', "line 2, column 3: a comma or } is missing"],
  ["a missing quote", '{ "database": "d\n}', "line 1, column 17: the closing double quote is missing"],
  ["its second half missing", '{ "sites": [', "line 1, column 13: the file ends too early"],
  [
    "a key twice",
    '{ "sites": [{ "id": 1 }, { "id": 2 }],\n  "sites": [] }',
    "line 2, column 3: this key is here twice",
  ],
  ["something behind it", "{}\n}", "line 2, column 1: the file should end here"],
])("a config with %s is no JSON: line, column and the likely cause are named", (_what, text, message) => {
  expect(problemsOf(text)[""]).toContain(`is no JSON: ${message}`);
});

test("a line of a config that is no JSON is not shown, because it may have a secret in it", () => {
  expect(problemsOf('{ "value": "geheim" "name": 1 }')[""]).toMatch(/^is no JSON: line 1, column 21: .*$/);
});

test("a site that no register names and a misspelt part of the log are advised against", () => {
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

test("a register that prints no position without a rate is advised to name its default tax", () => {
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

test("a config path with a control character is refused: it was written with single backslashes", () => {
  expect(problemsOf('{ "database": "C:\\temp\\fiscald" }').database).toMatch(/backslash twice/);
});

test.each([
  ["windows-1251", (text: string) => iconv.encode(text, "win1251"), /not UTF-8 but .*windows-1251/],
  ["UTF-16", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le"), /not UTF-8 but UTF-16/],
])("a config in %s is refused with the name of its encoding", (_, encode, message) => {
  const path = join(folder(), "config.json");
  writeFileSync(path, encode(JSON.stringify(config({ registers: [register({ cashier: { name: "Иванова" } })] }))));
  expect(() => loadConfig({ path, env: {} })).toThrow(
    expect.objectContaining({ code: "config.invalid", message: expect.stringMatching(message) }),
  );
});

test("a cashier's name that no document can hold is refused with its place", () => {
  const raw = config({ registers: [register({ cashier: { name: "Иванова \uFFFD" } })] });
  expect(problemsOf(raw)["registers[0].cashier.name"]).toMatch(/U\+FFFD/);
});

/** Acts as a user who is not the administrator, because that one may read all. */
function asAnotherUser<Result>(act: () => Result): Result {
  const user = process.geteuid?.() ?? 0;
  process.seteuid?.(user === 0 ? 65534 : user);
  try {
    return act();
  } finally {
    process.seteuid?.(user);
  }
}

test("a config of another user is refused with config.no-right, which says who may read it", () => {
  const path = join(folder(), "config.json");
  writeFileSync(path, JSON.stringify(config()), { mode: 0 });
  expect(() => asAnotherUser(() => loadConfig({ path, env: {} }))).toThrow(
    expect.objectContaining({ code: "config.no-right", place: path, message: expect.stringContaining("permission") }),
  );
});

test("a config that is not there, or cannot be read, is refused with config.not-found and says why", () => {
  const path = join(folder(), "config.json");
  expect(() => loadConfig({ path, env: {} })).toThrow(
    expect.objectContaining({
      code: "config.not-found",
      place: path,
      message: expect.stringContaining("no such file"),
    }),
  );
  expect(() => loadConfig({ path: folder(), env: {} })).toThrow(
    expect.objectContaining({ code: "config.not-found", message: expect.stringContaining("directory") }),
  );
  writeFileSync(path, `\uFEFF${JSON.stringify(config())}`);
  expect(loadConfig({ path, env: {} }).database).toBe(join(folder(), "data/fiscald.sqlite"));
});
