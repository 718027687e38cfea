/** The set-up page changes only what `init` asks, and nothing else in the file. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type PlannedChange, planChange, readConfig, type WantedChange } from "@fiscald/daemon/setup/change-config.js";
import { registerAnswer } from "@fiscald/daemon/setup/setup-answers.js";
import { canRewrite, rewriteConfig } from "@fiscald/daemon/setup/write-config.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();

const written = `{
  "version": 1, "registers": [
    { "id": "till", "driver": "shtrih", "sites": ["shop"], "defaultTax": 11,
      "connection": {"kind": "tcp", "host": "10.0.0.5"}, "cashier": {"inn": "", "name": "Иванова"} },
    {"id": "spare", "driver": "reference", "sites": ["shop"], "connection": {"kind": "emulator"}}
  ],
  "sites": [{
    "id": "shop", "pollEverySeconds": 7,
    "urls": { "orders": "https://shop.example/fiscal", "result": "https://shop.example/result", "sync": "https://shop.example/fiscal" },
    "auth": { "kind": "bearer", "token": "as-it-was" }
  }]
}
`;

function plan(values: Record<string, string>, rest: Partial<WantedChange> = {}): PlannedChange {
  const path = join(folder(), "config.json");
  writeFileSync(path, written);
  const file = { path, env: {} };
  return planChange(file, readConfig(file), { values, add: [], remove: [], ...rest });
}

test("for each question of init the setup shows the value of the file or the default, and no secret", () => {
  const path = join(folder(), "config.json");
  writeFileSync(path, written);
  const { sections } = readConfig({ path, env: {} });
  const shown = sections.map(({ id, fields }) => [id, Object.fromEntries(fields.map((it) => [it.path, it.value]))]);
  expect(shown).toEqual([
    ["shop", { "sites[0].urls.orders": "https://shop.example/fiscal", "sites[0].auth.token": "" }],
    [
      "till",
      {
        ...{
          "registers[0].title": "",
          "registers[0].connection.host": "10.0.0.5",
          "registers[0].connection.port": "7778",
        },
        ...{ "registers[0].cashier.name": "Иванова", "registers[0].cashier.inn": "", "registers[0].taxSystem": "" },
        ...{ "registers[0].group": "", "registers[0].timeZone": "Europe/Moscow", "registers[0].closeShiftAt": "" },
      },
    ],
    ["spare", expect.objectContaining({ "registers[1].cashier.name": "" })],
  ]);
});

test.each<[string, Record<string, string>, readonly (readonly [string, string])[]]>([
  ["nothing", { "registers[0].group": "" }, []],
  ["a name", { "registers[0].cashier.name": "Петрова" }, [['"name": "Иванова"', '"name": "Петрова"']]],
  ["no cashier any more", { "registers[0].cashier.name": "" }, [['{"inn": "", "name": "Иванова"}', "null"]]],
  [
    "values that were not in the file",
    {
      "registers[0].connection.port": "7779",
      "registers[1].cashier.name": "Кассир",
      "registers[1].closeShiftAt": "23:50",
    },
    [
      ['"host": "10.0.0.5"}', '"host": "10.0.0.5", "port": 7779}'],
      ['{"kind": "emulator"}}', '{"kind": "emulator"}, "cashier": {"name":"Кассир"}, "closeShiftAt": "23:50"}'],
    ],
  ],
  [
    "the site's address, wherever the file has it",
    { "sites[0].urls.orders": "https://new.example/f" },
    [
      ['"orders": "https://shop.example/fiscal"', '"orders": "https://new.example/f"'],
      ['"sync": "https://shop.example/fiscal"', '"sync": "https://new.example/f"'],
    ],
  ],
])("a change in the setup changes only the asked values in the file: %s", (_, values, replaced) => {
  const { text, changes, secrets } = plan(values);
  const wanted = replaced.reduce((before, [old, now]) => before.replace(old, now), written);
  expect(JSON.parse(text)).toEqual(JSON.parse(wanted));
  expect([secrets, changes.map(({ path }) => path)]).toEqual([[], replaced.length === 0 ? [] : Object.keys(values)]);
});

test.each([
  ["is tried at its new address", "/fiscal", ["shop"]],
  ["with another address for lists is not tried at its new address, which might answer with an order", "/lists", []],
])("a site %s", (_, listPath, tried) => {
  const path = join(folder(), "config.json");
  writeFileSync(
    path,
    written.replace('"sync": "https://shop.example/fiscal"', `"sync": "https://shop.example${listPath}"`),
  );
  const file = { path, env: {} };
  const values = { "sites[0].urls.orders": "https://new.example/f" };
  const { toTry } = planChange(file, readConfig(file), { values, add: [], remove: [] });
  expect(toTry.map(({ id }) => id)).toEqual(tried);
});

const hall = { title: "Зал", driver: "reference", options: {}, group: "", taxSystem: "", login: {} } as const;

test("the setup adds a register with a free id and the first register's sites, cashier and zone, and removes another register", () => {
  const add = [{ ...hall, connection: { kind: "tcp" as const, host: "10.0.0.6" } }];
  const { text, changes } = plan({}, { add, remove: ["till"] });
  const { registers, sites } = JSON.parse(text);
  expect(registers).toEqual([
    expect.objectContaining({ id: "spare" }),
    {
      ...{ id: "till-3", title: "Зал", driver: "reference", connection: add[0]?.connection, sites: ["shop"] },
      ...{ cashier: { inn: "", name: "Иванова" }, timeZone: "Europe/Moscow" },
    },
  ]);
  expect(sites).toEqual(JSON.parse(written).sites);
  expect(changes).toEqual([
    { path: "registers[0]", kind: "text", section: "till", old: "till", new: "" },
    { path: "registers[2]", kind: "text", section: "till-3", old: "", new: "Зал" },
  ]);
  expect(() => plan({}, { remove: ["till", "spare"] })).toThrow(expect.objectContaining({ code: "config.invalid" }));
});

test("the setup refuses a new register that needs a cashier when none is given, at the question for the cashier", () => {
  const add = [
    { ...hall, driver: "atol" as const, connection: { kind: "http" as const, url: "http://127.0.0.1:16732" } },
  ];
  expect(() => plan({ "registers[0].cashier.name": "" }, { add })).toThrow(
    expect.objectContaining({
      code: "config.invalid",
      details: { problems: [expect.objectContaining({ path: "registers[0].cashier.name" })] },
    }),
  );
  expect(plan({}, { add }).changes).toHaveLength(1);
});

test("the setup keeps the password of a new register in a file, and accepts no other option for a login", () => {
  const login = { password: "OTHR", internetFlag: "1" };
  const connection = { kind: "tcp" as const, host: "10.0.0.6" };
  const { text, secrets } = plan({}, { add: [{ ...hall, driver: "pirit", connection, login }] });
  expect(JSON.parse(text).registers[2].options).toEqual({ password: { fromFile: "till-3-password" } });
  expect(secrets).toEqual([{ file: "till-3-password", value: "OTHR" }]);
});

test("the setup accepts no emulated register and no option that names a file", () => {
  const connection = { kind: "tcp", host: "10.0.0.6" };
  const takes = (answer: object) => registerAnswer.safeParse({ ...hall, ...answer }).success;
  expect([
    takes({ connection }),
    takes({ connection: { kind: "emulator", statePath: "/etc/passwd" } }),
    takes({ connection, options: { password: { fromFile: "/etc/passwd" } } }),
  ]).toEqual([true, false, false]);
});

test("a cashier's INN in the setup is written beside the name, even if the file has no cashier yet", () => {
  const { text } = plan({ "registers[1].cashier.name": "Петрова", "registers[1].cashier.inn": "500100732259" });
  expect(JSON.parse(text).registers[1].cashier).toEqual({ name: "Петрова", inn: "500100732259" });
  expect(JSON.parse(plan({ "registers[0].cashier.inn": "500100732259" }).text).registers[0].cashier).toEqual({
    inn: "500100732259",
    name: "Иванова",
  });
  expect(() => plan({ "registers[1].cashier.inn": "500100732259" })).toThrow(
    expect.objectContaining({ code: "config.invalid" }),
  );
});

test("a new secret is written into a file of its own, and the shown difference does not contain the secret", () => {
  writeFileSync(join(folder(), "shop-secret"), "of an earlier change\n");
  const { text, changes, secrets } = plan({ "sites[0].auth.token": "new-token-1" });
  expect(JSON.parse(text)).toEqual(JSON.parse(written.replace('"as-it-was"', '{"fromFile":"shop-secret-2"}')));
  expect(secrets).toEqual([{ file: "shop-secret-2", value: "new-token-1" }]);
  expect(JSON.stringify(changes)).not.toMatch(/new-token-1|as-it-was/);
  rewriteConfig(join(folder(), "config.json"), text, secrets);
  expect(readFileSync(join(folder(), "shop-secret-2"), "utf8")).toBe("new-token-1\n");
});

test("a wrong value in the setup is refused with its place, as the daemon would refuse it at its start", () => {
  const wrong = { "registers[0].connection.port": "x", "registers[0].closeShiftAt": "25:00" };
  expect(() => plan(wrong)).toThrow(
    expect.objectContaining({
      code: "config.invalid",
      details: { problems: Object.keys(wrong).map((path) => expect.objectContaining({ path })) },
    }),
  );
});

test.each(["registers[0].driver", "registers[0].id", "console.port", "registers[2].title"])(
  "a change of %s in the setup is refused",
  (path) => {
    expect(() => plan({ [path]: "x" })).toThrow(expect.objectContaining({ code: "usage.wrong" }));
  },
);

test("a rewritten config keeps its permissions, and a config that cannot be written stays whole and gives a fault", () => {
  const path = join(folder(), "config.json");
  writeFileSync(path, "old");
  chmodSync(path, 0o640);
  rewriteConfig(path, "new", []);
  expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["new", 0o640]);
  expect(canRewrite(path)).toBe(true);
  mkdirSync(join(folder(), "taken"));
  expect(canRewrite(join(folder(), "taken"))).toBe(false);
  expect(() => rewriteConfig(join(folder(), "taken"), "new", [])).toThrow(
    expect.objectContaining({ code: "config.not-written" }),
  );
});
