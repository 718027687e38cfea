import { createServer } from "node:http";
import { openAlerts } from "@fiscald/daemon/alerts/open-alerts.js";
import { alertsSchema } from "@fiscald/daemon/config/alerts-schema.js";
import { found, type SeenTrouble } from "@fiscald/daemon/console/troubles/found.js";
import { secretsIn } from "@fiscald/daemon/logging/mask.js";
import { toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { createTestLogger } from "../../support/test-logger.js";
import { waitFor } from "../../support/wait-for.js";
import { startSmtpServer } from "./smtp-server.js";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const token = "123456789:AAEabcdefghijklmnopqrstuvwxyz012345";
const files = new Map<string, string>();
const surroundings = {
  folder: "/etc",
  env: {},
  readFile: (path: string) => files.get(path) ?? "",
};
const seen = (trouble: ReturnType<typeof found>): SeenTrouble => ({ ...trouble, since: Date.UTC(2026, 10, 20, 12) });
const paperIn = (register: string) =>
  seen(
    found({
      ...{ kind: "register-blocked", needs: "person", register: toRegisterId(register) },
      say: () => ({ text: "Нет бумаги.", next: "Вставьте бумагу. Ответственный: ivanova@shop.example" }),
    }),
  );
const paper = paperIn("till-2");
const site = seen(
  found({
    ...{ kind: "site-unreachable", needs: "person", site: toSiteId("shop") },
    say: () => ({ text: "Сайт недоступен.", next: "" }),
  }),
);
const failed = (...orders: readonly string[]) =>
  seen(
    found({
      ...{ kind: "failed", needs: "person", register: toRegisterId("till-2"), isDecision: true },
      orders: orders.map((name, index) => ({ name, job: index })),
      say: ({ count, names, more }) => ({ text: `Не напечатаны: ${count}: ${names}; ещё ${more}.`, next: "" }),
    }),
  );

/** `memory` is left by an earlier run. */
function open(alerts: object, memory = new Map<string, string>(), emulated: readonly string[] = []) {
  const config = alertsSchema(surroundings).parse({ afterMinutes: 10, ...alerts });
  const clock = createFakeClock();
  const lines: string[] = [];
  let troubles: readonly SeenTrouble[] = [];
  const opened = openAlerts({
    ...{ config, emulated },
    words: { language: "ru", secrets: secretsIn({ alerts: config }) },
    troubles: () => troubles,
    titles: () => new Map([["till-2", "Касса 2"]]),
    memory: { get: (key) => memory.get(key) ?? null, set: (key, value) => void memory.set(key, value) },
    clock,
    random: () => 0.5,
    log: createTestLogger((line) => lines.push(line), "all"),
  });
  opened.start();
  undo.push(() => opened.stop());
  return {
    opened,
    lines,
    memory,
    set: (...now: readonly SeenTrouble[]) => {
      troubles = now;
    },
    /** Turns the clock minute by minute. After each minute the messages of that minute have arrived or failed. */
    async minutes(count: number) {
      for (let minute = 0; minute < count; minute += 1) {
        await clock.advance(60_000);
        await waitFor("the look is over", () => clock.pending > 0);
      }
    },
  };
}

interface MailWorld {
  readonly host?: string;
  readonly memory?: Map<string, string>;
  readonly emulated?: readonly string[];
}

async function mailWorld({ host = "127.0.0.1", memory, emulated }: MailWorld = {}) {
  const server = await startSmtpServer();
  undo.push(() => server.close());
  files.set("/etc/mail-server", `smtp://till:hunter%2F22@${host}:${server.port}\n`);
  const mail = {
    ...{ smtp: { fromFile: "mail-server" }, from: "till@shop.example" },
    to: ["owner@shop.example", "help@shop.example"],
  };
  const texts = () => server.mails.map(({ source }) => decoded(source));
  return { server, mail, texts, ...open({ mail }, memory, emulated) };
}

/** Decodes a mail in base64 or quoted-printable, with its subject. */
function decoded(source: string): string {
  const [head = "", ...rest] = source.split("\n\n");
  const body = rest.join("\n\n");
  const isBase64 = /transfer-encoding: base64/i.test(head);
  const quoted = body
    .replaceAll(/=\n/g, "")
    .replaceAll(/((?:=[0-9A-F]{2})+)/g, (hex) => Buffer.from(hex.replaceAll("=", ""), "hex").toString("utf8"));
  const subject = head.replaceAll(/\n[ \t]+/g, "").match(/=\?UTF-8\?[BQ]\?[^?]*\?=/gi) ?? [];
  const words = subject.map((word) => {
    const [, , kind = "", text = ""] = word.split("?");
    if (/b/i.test(kind)) return Buffer.from(text, "base64").toString("utf8");
    const bytes = text
      .replaceAll("_", " ")
      .replaceAll(/((?:=[0-9A-F]{2})+)/g, (hex) => Buffer.from(hex.replaceAll("=", ""), "hex").toString("utf8"));
    return bytes;
  });
  return `${words.join("")}\n${isBase64 ? Buffer.from(body, "base64").toString("utf8") : quoted}`;
}

/** The present troubles, for how many minutes they last, and the mails that come in that time. */
type Step = readonly [present: readonly SeenTrouble[], minutes: number, mails: readonly RegExp[]];
const look = { ...site, needs: "look" } as const;
const rows: readonly (readonly [title: string, steps: readonly Step[]])[] = [
  [
    "a trouble is mailed after the set minutes and again at its end, and a short trouble is not mailed",
    [
      [[paper], 9, []],
      [[paper], 2, [/нужен человек[\s\S]*■ Касса 2 \(till-2\): Нет бумаги\. Вставьте бумагу\./]],
      [[paper], 60, []],
      [[site], 5, [/Прошло: Касса 2 \(till-2\): Нет бумаги/]],
      [[], 30, []],
    ],
  ],
  [
    "an order that waits for a person is mailed without waiting for the set minutes",
    [[[seen({ ...failed("A-7"), kind: "held" })], 1, [/A-7/]]],
  ],
  [
    "orders that fail after others were put away are mailed when they are as many as the orders before",
    [
      [[failed("A-1", "A-2", "A-3", "A-4")], 12, [/./]],
      [[failed("A-4")], 12, []],
      [[failed("A-4", "A-5")], 12, [/Не напечатаны: 2: A-4, A-5/]],
    ],
  ],
  [
    "registers with one trouble are one line of a mail, and a further register is mailed later",
    [
      [[paper, paperIn("till-3")], 12, [/■ 2 кассы: Касса 2 \(till-2\), till-3: Нет бумаги\./]],
      [[paper, paperIn("till-3"), paperIn("till-4")], 20, [/■ till-4: Нет бумаги\./]],
    ],
  ],
  ["a trouble that needs no person is not mailed", [[[{ ...site, needs: "nobody" }], 30, []]]],
  [
    "a trouble that stops no printing is mailed as a warning, not as a call for a person",
    [[[look], 12, [/^(?![\s\S]*нужен человек)[\s\S]*нужно взглянуть/]]],
  ],
  [
    "an alert masks personal data and secrets",
    [
      [
        [paper, { ...site, say: () => ({ text: "Пароль hunter/22 не подошёл.", next: "" }) }],
        12,
        [/^(?![\s\S]*(?:ivanova|hunter))[\s\S]*i\*\*\*@shop\.example/],
      ],
    ],
  ],
];

test.each(rows)("%s", async (_, steps) => {
  const { server, texts, set, minutes } = await mailWorld();
  let before = 0;
  for (const [present, count, mails] of steps) {
    set(...present);
    await minutes(count);
    expect(texts().slice(before)).toEqual(mails.map((mail) => expect.stringMatching(mail)));
    before = texts().length;
  }
  const sent = { to: ["owner@shop.example", "help@shop.example"], login: "till hunter/22" };
  expect(server.mails).toMatchObject(server.mails.map(() => sent));
});

test("failed orders cause a further alert when their number has doubled, and none when a person puts some of them away", async () => {
  const { texts, set, minutes } = await mailWorld();
  const orders = Array.from({ length: 100 }, (_, index) => `A-${index + 1}`);
  const said = (count: number) => expect.stringContaining(`Не напечатаны: ${count}: A-1`);
  const expected = [];
  for (const [count, isSaid] of [
    [1, true],
    [2, true],
    [3, false],
    [4, true],
    [7, false],
    [94, true],
    [100, false],
  ] as const) {
    set(failed(...orders.slice(0, count)));
    await minutes(12);
    if (isSaid) expected.push(said(count));
    expect(texts()).toEqual(expected);
  }
  expect(texts().at(-1)).toContain("Не напечатаны: 94: A-1, A-2, A-3; ещё 91.");
  set();
  await minutes(30);
  expect(texts()).toHaveLength(expected.length);
});

test("a sent mail counts as sent even when the daemon cannot store that the mail was sent, as on a full disk", async () => {
  const memory = new Map<string, string>();
  memory.set = () => {
    throw new Error("database or disk is full");
  };
  const { texts, set, minutes, opened, lines } = await mailWorld({ memory });
  set(paper);
  await minutes(12);
  expect(texts()).toHaveLength(1);
  expect(opened.fault).toBeNull();
  expect(lines.join("\n")).not.toContain("an alert could not be sent");
});

test("an alert that the mail server refuses is logged once and sent again until the server accepts it", async () => {
  const { server, texts, set, minutes, lines, opened } = await mailWorld();
  server.refuse("451 try later");
  set(paper);
  await minutes(20);
  expect(lines.filter((line) => line.includes("an alert could not be sent"))).toHaveLength(1);
  expect(opened.fault).toMatchObject({ code: "daemon.alert-failed", message: expect.stringContaining("451") });
  server.refuse(null);
  await minutes(30);
  expect(texts()).toHaveLength(1);
  expect(opened.fault).toBeNull();
});

test("an alert is not mailed when the mail server is on another machine, has a password and offers no TLS", async () => {
  const { server, set, minutes, opened } = await mailWorld({ host: "0.0.0.0" });
  set(paper);
  await minutes(12);
  expect(opened.fault?.code).toBe("daemon.alert-failed");
  expect(server.mails).toEqual([]);
});

test("after a restart a trouble that was mailed before is mailed again only when it is over", async () => {
  const first = await mailWorld();
  first.set(paper);
  await first.minutes(12);
  first.opened.stop();
  const second = await mailWorld({ memory: first.memory });
  second.set(paper);
  await second.minutes(30);
  expect(second.texts()).toEqual([]);
  second.set();
  await second.minutes(6);
  expect(second.texts()).toMatchObject([expect.stringContaining("Прошло: Касса 2 (till-2)")]);
});

test("an alert names the registers that are emulated", async () => {
  const { set, minutes, texts } = await mailWorld({ emulated: ["Зал"] });
  set(paper);
  await minutes(12);
  expect(texts()).toEqual([expect.stringContaining("Эмулятор вместо кассы: Зал. Чеки ненастоящие")]);
});

test("an alert is sent as text to an HTTP address, such as a Telegram bot's, and no log line or fault shows the address", async () => {
  const calls: { readonly url: string; readonly type: string; readonly body: unknown }[] = [];
  let status = 500;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const type = request.headers["content-type"] ?? "";
    calls.push({ url: request.url ?? "", type, body: JSON.parse(text) });
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(() => server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  files.set("/etc/bot", `http://127.0.0.1:${port}/bot${token}/sendMessage?chat_id=-100123`);
  const { set, minutes, lines, opened } = open({ url: { fromFile: "bot" } });
  set(paper);
  await minutes(12);
  expect(opened.fault?.message).toBe("the address answered HTTP 500");
  status = 200;
  await minutes(10);
  expect(calls.at(-1)).toEqual({
    url: `/bot${token}/sendMessage?chat_id=-100123`,
    type: "application/json",
    body: { text: expect.stringMatching(/нужен человек\n\n■ Касса 2 /) },
  });
  expect(lines.join("\n")).not.toContain(token);
  expect(opened.fault).toBeNull();
});
