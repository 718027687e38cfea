import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { messagesIn } from "@fiscald/daemon/messages/messages.js";
import { jobStates } from "@fiscald/daemon/store/rows/job-row.js";
import { type Ended, startCommand } from "../../support/command-line.js";
import { freePort } from "../../support/free-port.js";
import { latinWords } from "../../support/latin-words.js";
import { rawRegister, rawSite, writeRawConfig } from "../../support/raw-config.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { startTestSite } from "../../support/test-site.js";
import { waitFor } from "../../support/wait-for.js";

const folder = useTempFolder();

function run(line: string): Promise<Ended> {
  return startCommand(folder(), line, { env: { FISCALD_LANG: "ru" }, listPorts: async () => [] }).ended;
}

/** The ids of this test's config and orders, the register's model, and the code of a tax row in `check-config`. */
const ids = "shop till other nowhere A-1 A-2 ftp Reference reference emulator".split(" ").concat(jobStates, hostname());

/** A fault's code begins its line. A line below the code without a Cyrillic letter is a technical detail. */
function shown({ out, err }: Ended): string {
  const text = `${out}\n${err}`
    .replaceAll(/^(?:не вошло в файл: [^:]+: )?(?:[a-z]+\.[a-z-]+|internal): /gm, "")
    // These are names of commands in a usage and in the list of commands.
    .replaceAll(/^Использование: fiscald [a-z-]*|^ {2}[a-z][a-z-]*|команд[аеы] [a-z-]+|возможно, [a-z-]+/gm, "")
    // These are the system's words.
    .replaceAll(/: (?:Error: )?E[A-Z]+: .*$/gm, "");
  const lines = text.split("\n");
  return lines.filter((line) => /[а-яё]/i.test(line)).join("\n");
}

/** Commands that print a Latin word, an English sum or nothing in Russian, with their output. */
async function notRussian(lines: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const line of lines) {
    const text = shown(await run(line));
    // A sum such as 100.00 is written 100,00. 1.05 is a format.
    const words = [
      ...latinWords(text, [...ids, ...elsewhere]),
      ...(text.match(/(?<![\d.=]|; )(?!1\.05)\d+\.\d\d(?![\d.])/g) ?? []),
    ];
    if (words.length > 0) found.push(`${line}: ${words.join(" ")}`);
    if (text === "") found.push(`${line}: nothing`);
  }
  return found;
}

/**
 * Codes that have no sign of a code: the register's number, kinds of events and jobs, ways to sign, keys of the config.
 */
const elsewhere =
  "KKM kkm sale FN FD FP null result signature bearer basic header none sites registers register level error warn info debug wire".split(
    " ",
  );

const commands = Object.keys(messagesIn("ru").help.commands);

test("the Russian help of every command, and of a mistake in it, has no Latin word except keys, codes and names", async () => {
  const mistakes = ["bogus", "explain", "status now", "logs --days many", "move 1", "status --config", "emulator"];
  const lines = ["", ...commands].flatMap((command) => [`${command} --help`.trim(), `${command} --no-such-key`.trim()]);
  expect(await notRussian([...lines, ...mistakes])).toEqual([]);
});

const offline = [
  ...["init", "check-config", "check-config --on 2027-01-05", "status", "doctor", "console", "jobs"],
  ...["discover", "discover --host 127.0.0.1:1", "return A-1", "correct A-1 --case wrong --reason -"],
  ...["explain A-1", "restore nothing.sqlite", "service install", "retry 1", "approve 1", "set-aside 1", "cancel 1"],
  ...["same-receipt 1", "print-anyway 1", "copy 1", "x-report till", "z-report till", "test-slip till", "pause till"],
  ...["resume till", "accept-identity till", "accept-identity till --lost", "accept-differences till", "resend 1"],
  ...["differences-mended till", "sync", "sync nowhere", "move 1 till", "resolve 1", "resolve 1 --not-printed"],
  ...["resolve 1 --printed 5 --fn 1", "jobs --state lost", "retry", "service bogus", "status --config missing.json"],
  ...["support-bundle --out bundle.zip", "logs", "pause nowhere", "check-site ftp", "resend nowhere", "cancel A-2"],
  ...["export", "export --undo", "import nothing.sqlite", "export moved.sqlite", "doctor", "export --undo"],
  ...["import moved.sqlite", "import moved.sqlite", "export again.sqlite"],
  ...["export --undo --yes", "export fiscald.sqlite"],
];

test("without a daemon, every command answers in Russian with no Latin word except keys, codes and names", async () => {
  writeRawConfig(folder(), { console: { port: await freePort() } });
  expect(await notRussian(offline)).toEqual([]);
});

test("the Russian description of a config's mistakes has no Latin word except keys, codes and names", async () => {
  writeFileSync(
    join(folder(), "config.json"),
    '{ "version": 1, "sites": [], "register": [{}], "log": { "level": "nowhere" } }',
  );
  expect(await notRussian(["check-config"])).toEqual([]);
  writeFileSync(join(folder(), "config.json"), '{ "version": 1, ');
  expect(await notRussian(["check-config"])).toEqual([]);
});

const online = [
  ...["status", "doctor", "jobs", "explain A-1", "console", "copy A-1", "retry A-1", "approve A-1"],
  ...["return A-1", "return A-1 --items 1:0.5", "return A-1 --items 7", "correct A-1 --case twice --reason -"],
  ...[
    "correct A-1 --case wrong --reason - --set 1.price=9.00",
    "correct A-1 --case wrong --reason - --pay 0=1.00 --pay 1=1.00",
    "correct A-2 --case twice --at till --reason -",
  ],
  ...["set-aside A-1", "cancel A-1", "same-receipt A-1", "move A-1 till", "resolve A-1 --printed 5", "sync shop"],
  ...["print-anyway A-1", "print-anyway A-1 --yes", "print-anyway 1 --yes", "resolve 1 --not-printed --yes"],
  ...["test-slip till", "x-report till", "z-report till", "pause till", "status", "resume till", "resend 1"],
  ...["resend 99", "accept-differences till", "differences-mended till", "restore fiscald.sqlite"],
  ...["accept-identity till --yes", "accept-identity till --yes", "accept-identity till --lost", "jobs", "explain A-1"],
];

test("beside a running daemon, every command answers in Russian with no Latin word except keys, codes and names", async () => {
  const web = await startTestSite();
  const orders: unknown[] = [
    {
      response: {
        orderId: "A-1",
        taskTable: [
          { type: "OpenCheckSell" },
          { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax: 2 } },
          { type: "Payment", param: { summ: 10, typeClose: 0 } },
          { type: "CloseCheck" },
        ],
      },
    },
  ];
  web.answer((call) => ({ body: (call.json?.action === "order" ? orders.shift() : undefined) ?? "" }));
  const registers = [rawRegister({ title: "Зал" })];
  writeRawConfig(folder(), { sites: [rawSite(web.url)], registers, console: { port: await freePort() } });
  const daemon = startCommand(folder(), "run", { env: {} });
  await waitFor("the site has the result", () => web.calls.some(({ json }) => json?.orderId === "A-1"));
  try {
    expect(await notRussian(online)).toEqual([]);
    const { out } = await run("explain A-1");
    expect(out).toMatch(/ {2}10,00\u00A0₽ {2}касса Зал \(till\)\n/);
    expect(out).toMatch(/^ {2}\d\d\.\d\d\.\d{4}, \d\d:\d\d {2}получен опросом/m);
    expect(out).toMatch(/^ {2}Результат для shop \(событие \d+\): доставлен/m);
    expect(out).not.toMatch(/\{"|\d{4}-\d\d-\d\d/);
    const [, sign = ""] = / {2}ФП (\d+)/.exec(out) ?? [];
    expect((await run(`explain ${sign}`)).out).toMatch(new RegExp(`^заказ A-1\\nзадание 1 .*\\n.*ФП ${sign} `));
    expect((await run("status")).out).toMatch(/^Зал \(till\) +/m);
  } finally {
    daemon.stop();
    await daemon.ended;
    await web.close();
  }
});
