import { readdirSync } from "node:fs";
import { messagesIn } from "@fiscald/daemon/messages/messages.js";
import { flagTexts } from "@fiscald/shared/site-check/finding-texts.js";
import { type Ended, startCommand } from "../../support/command-line.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();

function run(...words: readonly string[]): Promise<Ended> {
  return startCommand(folder(), words).ended;
}

async function listCommands(): Promise<readonly string[]> {
  const { out } = await run("--help");
  const commands = out.slice(out.indexOf("Commands:"));
  return [...commands.matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name = ""]) => name).filter((name) => name !== "help");
}

async function listValueOptions(command: string): Promise<readonly string[]> {
  const { out } = await run(command, "--help");
  return [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+) </gm)].map(([, option = ""]) => option);
}

test("every command has --help and refuses an unknown option", async () => {
  const commands = await listCommands();
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands) {
    const help = { code: 0, out: expect.stringContaining(`Usage: fiscald ${command} `), err: "" };
    for (const option of ["--help", "-h"]) expect([command, await run(command, option)]).toEqual([command, help]);
    const needed = command === "emulator" ? ["--maker", "shtrih", "--listen", "tcp:127.0.0.1:0"] : [];
    const { code, out, err } = await run(command, ...needed, "--no-such-option");
    expect([command, code, out]).toEqual([command, 2, ""]);
    expect(err).toContain("unknown option '--no-such-option'");
  }
});

test("the Russian help describes each command and option in Russian, and uses every help text of the catalogue", async () => {
  const helps: string[] = [];
  for (const command of ["", ...(await listCommands())]) {
    const { code, out } = await run(...(command === "" ? [] : [command]), "--help", "--lang", "ru");
    expect([command, code]).toEqual([command, 0]);
    const [, options = "", commands = ""] = out.split(/^(?:Ключи|Команды):$/m);
    const described = [...options.split(/^ {2}(?=-)/m), ...commands.split(/^ {2}(?=[a-z])/m)];
    expect([command, described.filter((text) => text.trim() !== "" && !/[а-яё].*[а-яё]/is.test(text))]).toEqual([
      command,
      [],
    ]);
    expect(out).toMatch(/^Использование: fiscald .*\n\n.*[а-яё]/i);
    expect(out).not.toMatch(/default|choices|options/);
    helps.push(out.replaceAll(/\s+/g, " "));
  }
  const { options, emulator } = messagesIn("ru").help;
  const { sum, address, numbers, ...flags } = flagTexts;
  const texts = [...Object.values(options), ...Object.values(emulator), ...Object.values(flags).map(({ ru }) => ru)];
  expect(texts.filter((text) => !helps.some((help) => help.includes(text)))).toEqual([]);
});

test.each([
  ["bogus", "нет такой команды: 'bogus'"],
  ["statu", "(возможно, status?)"],
  ["status --jsn", "нет такого ключа: '--jsn'\n(возможно, --json?)"],
  ["status --config", "ключу '--config' нужно значение"],
  ["init --out --json", "нужно значение, а '--json' похоже на ключ (значение с дефисом в начале: --out=--json)"],
  ["logs --days many", "значение 'many' ключа '--days' не подходит."],
  ["explain", "команде explain не хватает аргумента"],
  ["status now", "лишние аргументы команды 'status': нужно 0, дано 1"],
  ["emulator --maker acme", "Возможные значения: shtrih, pirit"],
  ["emulator", "нужен ключ '--maker'"],
  ["--config a.json emulator --maker atol --listen tcp:a:1", "у команды emulator нет ключа '--config'"],
])("the mistake in `%s` is explained in Russian when FISCALD_LANG is ru", async (line, text) => {
  const { code, err } = await startCommand(folder(), line, { env: { FISCALD_LANG: "ru" } }).ended;
  expect([code, err]).toEqual([2, expect.stringContaining(text)]);
  expect(err).toMatch(/^ошибка: .*\(см\. --help\)\n$/s);
});

test("an option that is followed by another option has no value, so that no file named --help is written", async () => {
  let count = 0;
  for (const command of await listCommands()) {
    for (const option of await listValueOptions(command)) {
      count += 1;
      const help = await run(command, option, "--help");
      expect([command, option, help]).toEqual([
        command,
        option,
        { code: 0, out: expect.stringContaining(`Usage: fiscald ${command} `), err: "" },
      ]);
      const { code, out, err } = await run(command, option, "--json");
      expect([command, option, code, out]).toEqual([command, option, 2, ""]);
      expect(err).toContain(`argument missing: '--json' looks like an option`);
    }
  }
  expect(count).toBeGreaterThan(50);
  expect(readdirSync(folder())).toEqual([]);
});

test("an option's value with a leading dash is accepted after an equals sign", async () => {
  const { code, out } = await run("support-bundle", "--out=-bundle.zip");
  expect([code, out]).toEqual([0, expect.stringContaining("-bundle.zip")]);
  expect(readdirSync(folder())).toEqual(["-bundle.zip"]);
});

test("every word after -- is read as an argument, also --help", async () => {
  const { code, err } = await run("explain", "--", "--help");
  expect([code, err]).toEqual([2, expect.stringContaining("config.not-found")]);
});

describe("--config before the command", () => {
  const nowhere = (name: string) => expect.stringContaining(`${name}.json`);

  test("--config works before the command as after it, and the later of two --config options counts", async () => {
    for (const command of ["status", "jobs", "check-config", "run"]) {
      const { code, err } = await run("--config", "before.json", command);
      expect([command, code, err]).toEqual([command, 2, nowhere("before")]);
      expect(err).toContain("config.not-found");
    }
    expect((await run("--config=before.json", "explain", "A-1")).err).toEqual(nowhere("before"));
    expect((await run("--config", "before.json", "status", "--config", "behind.json")).err).toEqual(nowhere("behind"));
    expect((await run("--help")).out).toMatch(/--config <path> +config file/);
  });

  test("--config before a command that has no such option is refused", async () => {
    const { code, out, err } = await run(
      ...["--config", "before.json", "emulator", "--maker", "shtrih", "--listen", "tcp:127.0.0.1:0"],
    );
    expect([code, out, err]).toEqual([2, "", expect.stringContaining("unknown option '--config'")]);
  });

  test.each([
    [["--config"], "argument missing"],
    [["--config", "--json", "status"], "argument missing: '--json' looks like an option"],
    [["--config", "before.json"], "Usage: fiscald "],
    [["--config", "before.json", "bogus"], "unknown command 'bogus'"],
    [["--json", "status"], "unknown option '--json'"],
  ])("%j is refused as wrong usage of an option before the command", async (words, text) => {
    const { code, err } = await run(...words);
    expect([code, err]).toEqual([2, expect.stringContaining(text)]);
  });

  test("--config before the command with --help as its value prints the help", async () => {
    expect(await run("--config", "--help")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Usage: fiscald ["),
    });
  });
});
