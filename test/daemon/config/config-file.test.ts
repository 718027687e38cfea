/** The file of a config: secrets and variables that it takes from elsewhere, JSON, encoding, and who may read it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@fiscald/daemon/config/load-config.js";
import iconv from "iconv-lite";
import { parseRaw as parse, problemsOf } from "../../support/parse-raw-config.js";
import { rawConfig, rawRegister, rawSite } from "../../support/raw-config.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();

const url = "https://shop.example/fiscal";

describe("secrets of a config", () => {
  const withToken = (token: unknown) => rawConfig({ sites: [rawSite(url, { auth: { kind: "bearer", token } })] });

  test("a secret of the config is read from the config itself, from an environment variable or from a file of its own", () => {
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
  ])("a secret of the config that cannot be found is refused: %j", (token, text) => {
    expect(problemsOf(withToken(token))["sites[0].auth.token"]).toContain(text);
  });

  test("a secret may be one of a register's driver options", () => {
    const withPassword = (password: unknown) => {
      const connection = { kind: "http", url: "http://127.0.0.1:16732" };
      return rawConfig({ registers: [rawRegister({ driver: "atol", connection, options: { user: "u", password } })] });
    };
    expect(parse(withPassword({ fromEnv: "P" }), { P: "abc" }).registers[0]?.options).toEqual({
      user: "u",
      password: "abc",
    });
    expect(problemsOf(withPassword({ fromEnv: "P" }))["registers[0].options.password"]).toContain("P is not set");
  });

  test("a secret never appears in a problem of the config", () => {
    const mail = { smtp: "till:geheim@mail.shop.example", from: "till", to: ["geheim"] };
    const raw = rawConfig({
      sites: [rawSite(url, { auth: { kind: "signature", secret: "geheim!" } })],
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

test.each([
  ["6000", 6000],
  ["0", 0],
  ["", 5481],
])("with the environment variable '%s' the console's port is %d, although the file has 5481", (port, used) => {
  const raw = rawConfig({ console: { port: 5481 } });
  expect(parse(raw, { FISCALD__console__port: port }).console.port).toBe(used);
});

test("an environment variable that looks like a config key but is not read is reported, and so is an invalid port", () => {
  const env = { FISCALD__database: "other.sqlite", FISCALD__console__port: "70000", FISCALD_CONFIG: "config.json" };
  expect(Object.keys(problemsOf(rawConfig(), env)).sort()).toEqual(["FISCALD__console__port", "FISCALD__database"]);
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
])("a config with %s, which is no JSON, is refused with line, column and likely cause", (_what, text, message) => {
  expect(problemsOf(text)[""]).toContain(`is no JSON: ${message}`);
});

test("the message about a config that is no JSON does not show the wrong line, which may hold a secret", () => {
  expect(problemsOf('{ "value": "geheim" "name": 1 }')[""]).toMatch(/^is no JSON: line 1, column 21: .*$/);
});

test("a config path with a control character is refused with advice to write each backslash twice", () => {
  expect(() => parse('{ "database": "C:\\temp\\fiscald" }')).toThrow(/database: .*backslash twice/);
});

test.each([
  ["windows-1251", (text: string) => iconv.encode(text, "win1251"), /not UTF-8 but .*windows-1251/],
  ["UTF-16", (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le"), /not UTF-8 but UTF-16/],
])("a config in %s is refused with the name of its encoding", (_, encode, message) => {
  const path = join(folder(), "config.json");
  writeFileSync(
    path,
    encode(JSON.stringify(rawConfig({ registers: [rawRegister({ cashier: { name: "Иванова" } })] }))),
  );
  expect(() => loadConfig({ path, env: {} })).toThrow(
    expect.objectContaining({ code: "config.invalid", message: expect.stringMatching(message) }),
  );
});

/** Runs `act` as a user who is not the administrator, because the administrator may read everything. */
function asAnotherUser<Result>(act: () => Result): Result {
  const user = process.geteuid?.() ?? 0;
  process.seteuid?.(user === 0 ? 65534 : user);
  try {
    return act();
  } finally {
    process.seteuid?.(user);
  }
}

test("a config that this user may not read is refused with config.no-right and the file's permissions", () => {
  const path = join(folder(), "config.json");
  writeFileSync(path, JSON.stringify(rawConfig()), { mode: 0 });
  expect(() => asAnotherUser(() => loadConfig({ path, env: {} }))).toThrow(
    expect.objectContaining({ code: "config.no-right", place: path, message: expect.stringContaining("permission") }),
  );
});

test("a missing config or a folder in its place is refused with config.not-found and the cause", () => {
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
  writeFileSync(path, `\uFEFF${JSON.stringify(rawConfig())}`);
  expect(loadConfig({ path, env: {} }).database).toBe(join(folder(), "fiscald.sqlite"));
});
