import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createNetServer } from "node:net";
import { join } from "node:path";
import { checkFiles } from "@fiscald/daemon/cli/doctor/check-machine.js";
import { openEmulator } from "@fiscald/emulators/open-emulator.js";
import { z } from "zod";
import { hasOpenssl, selfSigned, signedBy } from "../../../support/certificates.js";
import { type Ended, startCommand } from "../../../support/command-line.js";
import { startDaemon, writeConfig } from "../../../support/daemon-process.js";
import { serveSite } from "../../../support/fake-daemon.js";
import { freePort } from "../../../support/free-port.js";
import { rawRegister, rawSite, writeRawConfig } from "../../../support/raw-config.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { waitFor } from "../../../support/wait-for.js";

const folder = useTempFolder();
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function listen(server: Server | ReturnType<typeof createNetServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(() => server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

interface World {
  readonly site: string;
  readonly register?: object;
  readonly title?: string;
  readonly consolePort?: number;
  readonly tls?: object;
  readonly emulated?: object;
}

/** The register is emulated by default. */
async function doctor(world: World, args = "", env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { site, register, title, tls = {}, emulated = {}, consolePort = await freePort() } = world;
  const connection = register ?? { kind: "emulator", statePath: "till.json" };
  writeRawConfig(folder(), {
    sites: [rawSite(site, { tls })],
    registers: [rawRegister({ driver: "shtrih", connection, ...(title === undefined ? {} : { title }) })],
    ...{ console: { port: consolePort }, emulated },
  });
  return startCommand(folder(), ["doctor", ...args.split(" ").filter((word) => word !== "")], { env }).ended;
}

const answer = z.object({
  ok: z.boolean(),
  running: z.boolean().nullable(),
  findings: z.array(
    z.object({
      check: z.string(),
      about: z.string(),
      level: z.string(),
      text: z.object({ en: z.string(), ru: z.string() }),
      next: z.object({ ru: z.string() }).nullable(),
    }),
  ),
});

async function findings(world: World) {
  const { out, code } = await doctor(world, "--json");
  const { ok, running, findings: found } = answer.parse(JSON.parse(out));
  expect(code).toBe(ok ? 0 : 1);
  return { running, found, bad: found.filter(({ level }) => level === "bad") };
}

const wellSite: RequestListener = (_request, response) => response.end();

test("without a daemon, doctor asks the register and the site itself and takes no order", async () => {
  const asked: (string | undefined)[] = [];
  const port = await listen(
    createHttpServer((request, response) => {
      asked.push(request.method);
      response.end();
    }),
  );
  const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0", kkm: "0000000000000001" });
  undo.push(() => emulator.close());
  const [, host, till] = (emulator.listening ?? "").split(":");
  const register = { kind: "tcp", host, port: Number(till) };
  const { code, out } = await doctor({ site: `http://127.0.0.1:${port}/`, register }, "--lang ru");
  expect(out).toContain("касса till: Отвечает:");
  expect(out).toContain("рег. № ККТ 0000000000000001");
  expect(out).toContain("Демон не запущен");
  expect([code, asked]).toEqual([0, ["HEAD"]]);
});

test("doctor warns of an emulated register, and of a trial drive in a real register", async () => {
  const site = `http://127.0.0.1:${await listen(createHttpServer(wellSite))}/`;
  const driveOf = async (fn: string) => {
    const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0", fn });
    undo.push(() => emulator.close());
    const [, host, till] = (emulator.listening ?? "").split(":");
    const { found } = await findings({ site, register: { kind: "tcp", host, port: Number(till) } });
    return found.filter(({ text }) => text.ru.includes("отладочного"));
  };
  expect(await driveOf("9999078900000001")).toMatchObject([
    { check: "drive", level: "warning", text: { ru: expect.stringContaining("Номер 9999078900000001") } },
  ]);
  expect(await driveOf("9282000100000001")).toEqual([]);
  const { found } = await findings({ site });
  expect(found).toContainEqual(
    expect.objectContaining({ check: "register", level: "warning", text: expect.objectContaining({ ru: emulator }) }),
  );
});

const emulator = "Эмулятор: фискальных документов он не создаёт.";

test("doctor says why a daemon does not start with an emulated register whose site may be a real shop", async () => {
  const { bad } = await findings({ site: "http://shop.invalid/" });
  expect(bad).toContainEqual(
    expect.objectContaining({
      check: "settings",
      about: "registers[0].connection.kind",
      text: expect.objectContaining({ ru: expect.stringContaining("имя shop.invalid сайта shop не находится") }),
    }),
  );
});

test("doctor shows a missing defaultTax, and value and effect of each setting that changes receipts", async () => {
  const site = `http://127.0.0.1:${await listen(createHttpServer(wellSite))}/`;
  const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0", kkm: "0000000000000001" });
  undo.push(() => emulator.close());
  emulator.core.setMakerSetting("table.17.1.71", "01");
  emulator.core.setMakerSetting("table.6.1.1", "0807");
  const [, host, till] = (emulator.listening ?? "").split(":");
  const { found } = await findings({ site, register: { kind: "tcp", host, port: Number(till) } });
  const settings = found.filter(({ check }) => check === "settings");
  expect(settings.map(({ level, text }) => [level, text.ru])).toEqual([
    ["warning", "таблица 17, поле 71: 1."],
    ["ok", "таблица 1, поле 14: 0."],
    ["ok", expect.stringContaining("таблица 1, поле 23: 1. Касса не пробивает чек на 0,00")],
    ["ok", "таблица 21, поле 2: 1."],
    ["ok", "таблица 17, поле 17: 2."],
    ["ok", "таблица 17, поле 7: 0."],
    ["ok", expect.stringContaining("таблица 18, поле 14: Тестовый магазин. При регистрации")],
    ["warning", 'таблица 6, строка 1: "НДС 20%" (18 %).'],
    ["ok", expect.stringContaining("налогоплательщик по регистрации (ИНН): 7700000000.")],
    ["ok", expect.stringContaining("системы налогообложения по регистрации: ОСН.")],
    ["ok", expect.stringContaining("формат (ФФД): 1.05.")],
    ["warning", "Ставка по умолчанию не задана или её нет в кассе."],
  ]);
  expect(settings[0]?.next?.ru).toContain("Установите 2");
});

test.each([
  ["a name that is unknown", async () => "http://shop.invalid/", "не находится (DNS)"],
  ["a port where nothing listens", async () => `http://127.0.0.1:${await freePort()}/`, "Сайт недоступен."],
  [
    "a server that cannot speak TLS",
    async () => `https://127.0.0.1:${await listen(createHttpServer(wellSite))}/`,
    "Сертификат сайта не принят",
  ],
  [
    "a server that hangs up",
    async () => `http://127.0.0.1:${await listen(createNetServer((socket) => socket.destroy()))}/`,
    "Сайт недоступен.",
  ],
  [
    "a site with an error",
    async () =>
      `http://127.0.0.1:${await listen(createHttpServer((_request, response) => response.writeHead(502).end()))}/`,
    "Сайт отвечает ошибкой 502. Чеки ждут.",
  ],
])("doctor says of %s why the site cannot be called, and what to do", async (_title, open, words) => {
  const { bad } = await findings({ site: await open(), emulated: { allow: true } });
  expect(bad).toMatchObject([{ check: "site", text: { ru: expect.stringContaining(words) } }]);
  expect(bad[0]?.next?.ru).not.toBe("");
});

(hasOpenssl ? test : test.skip)(
  "doctor accepts a site's certificate that the certificate authority in the config has signed",
  async () => {
    const authority = selfSigned(folder(), "authority");
    const { cert, key } = signedBy(authority, folder(), "site");
    const served = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }, wellSite);
    const site = `https://127.0.0.1:${await listen(served)}/`;
    expect((await findings({ site })).bad).toMatchObject([
      { check: "site", text: { ru: "Сертификат сайта не принят." } },
    ]);
    expect((await findings({ site, tls: { caFile: authority.cert } })).bad).toEqual([]);
  },
);

test("doctor reports a difference between this computer's clock and the site's clock", async () => {
  const date = new Date(Date.now() - 20 * 60_000).toUTCString();
  const port = await listen(createHttpServer((_request, response) => response.setHeader("Date", date).end()));
  const { bad } = await findings({ site: `http://127.0.0.1:${port}/` });
  expect(bad).toMatchObject([{ check: "clock", text: { en: expect.stringContaining("differs by 20 min") } }]);
});

test("doctor distinguishes a missing register, a busy port and a proxy", async () => {
  const port = await listen(createHttpServer(wellSite));
  const site = `http://127.0.0.1:${port}/`;
  const missing = join(folder(), "ttyACM7");
  const { bad } = await findings({ site, register: { kind: "serial", path: missing }, consolePort: port });
  expect(bad).toMatchObject([
    { check: "console", about: `127.0.0.1:${port}` },
    { check: "port", about: `till ${missing}`, text: { ru: "Касса не отвечает." } },
  ]);
  const { out } = await doctor({ site }, "--lang ru", { HTTPS_PROXY: "http://proxy:3128" });
  expect(out).toContain("[ВНИМАНИЕ] прокси: Прокси задан (HTTPS_PROXY)");
});

test("beside a daemon with another token, doctor says that it cannot ask the daemon, and asks the site but no register", async () => {
  const consolePort = await listen(createHttpServer((_request, response) => response.end('{"proofs":[]}')));
  let calls = 0;
  const till = await listen(
    createNetServer((socket) => {
      calls += 1;
      socket.end();
    }),
  );
  mkdirSync(join(folder(), "data"));
  writeFileSync(join(folder(), "data", "console-token"), "a-token-of-the-administrator");
  const site = `http://127.0.0.1:${await listen(createHttpServer(wellSite))}/`;
  const world = { site, consolePort, register: { kind: "tcp", host: "127.0.0.1", port: till } };
  const { running, found, bad } = await findings(world);
  expect(bad).toMatchObject([{ check: "console", about: `127.0.0.1:${consolePort}`, next: expect.anything() }]);
  expect([running, calls, found.some(({ check }) => check === "site")]).toEqual([null, 0, true]);
  const { out } = await doctor(world, "--lang ru");
  expect(out).toContain("кассы не проверяются.");
});

test("while a daemon runs, doctor asks the daemon about registers and sites, and calls none of them itself", async () => {
  const asked = new Set<string | undefined>();
  const site = await serveSite(({ method }, response) => {
    asked.add(method);
    response.end('{"resultCode":0}');
  });
  undo.push(() => site.close());
  const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
  undo.push(() => emulator.close());
  const [, host, port] = (emulator.listening ?? "").split(":");
  const connection = { kind: "tcp", host, port: Number(port) };
  const registers = [{ id: "till", driver: "shtrih", connection }];
  const daemon = await startDaemon(writeConfig({ folder: folder(), siteUrl: site.url, registers }));
  undo.push(() => daemon.stop());
  await waitFor("the register answers", async () =>
    (await daemon.command("status", "--json")).includes('"phase": "ready"'),
  );
  const { running, findings: found } = answer.parse(JSON.parse(await daemon.command("doctor", "--json")));
  expect(running).toBe(true);
  const well = (check: string) => found.some((one) => one.check === check && one.level === "ok");
  expect(["console", "drive", "ofd", "clock", "settings"].filter((one) => !well(one))).toEqual([]);
  expect([...asked]).toEqual(["POST"]);
  // `doctor` names what waits for a person in the words of the page and of `status`.
  await daemon.command("pause", "till");
  await expect(daemon.command("doctor", "--lang", "ru")).rejects.toThrow(
    /\[ПЛОХО\] неполадка till: Касса на паузе и не печатает заказы\.\n.*\n {4}Что делать: Возобновите печать/,
  );
});

test("beside a daemon, doctor says once what status says of a site, a setting and a register, and names a trial drive", async () => {
  const site = await serveSite((_request, response) => response.writeHead(404).end());
  undo.push(() => site.close());
  const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0", fn: "9999078900000001" });
  undo.push(() => emulator.close());
  emulator.faults.add({ effect: "paper-out" });
  emulator.core.setMakerSetting("table.17.1.71", "01");
  const [, host, port] = (emulator.listening ?? "").split(":");
  const registers = [
    { id: "till", title: "Зал", driver: "shtrih", connection: { kind: "tcp", host, port: Number(port) } },
  ];
  const daemon = await startDaemon(writeConfig({ folder: folder(), siteUrl: site.url, registers }));
  undo.push(() => daemon.stop());
  const said = () =>
    daemon.command("doctor", "--lang", "ru").then(
      (out) => out,
      (error: unknown) => String(error),
    );
  await waitFor("both are in trouble", async () =>
    /ответ 404[\s\S]*отладочного|отладочного[\s\S]*ответ 404/.test(await said()),
  );
  const out = await said();
  expect(out).not.toMatch(/в порядке\] (сайт|опрос)/);
  for (const once of ["По адресу сайта нет нужной страницы (ответ 404). Чеки ждут.", "таблица 17, поле 71: 1."]) {
    expect(out.split(once)).toHaveLength(2);
  }
  expect(out).toContain("накопитель (ФН) Зал (till): Номер 9999078900000001");
});

test("doctor --json names a register by its id, and the text for people names the register by its title", async () => {
  const site = `http://127.0.0.1:${await listen(createHttpServer(wellSite))}/`;
  const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
  undo.push(() => emulator.close());
  const [, host, port] = (emulator.listening ?? "").split(":");
  const world = { site, title: "Зал", register: { kind: "tcp", host, port: Number(port) } };
  const { found } = await findings(world);
  const aboutOf = (wanted: string) => found.find(({ check }) => check === wanted)?.about;
  expect([aboutOf("register"), aboutOf("port"), aboutOf("drive")]).toEqual(["till", `till ${host}:${port}`, "till"]);
  const { out } = await doctor(world, "--lang ru");
  expect(out).toContain("касса Зал (till): Отвечает:");
  expect(out).toContain(`Зал (till) ${host}:${port}: `);
});

test("beside a daemon, doctor names each site that answers every poll with 301, and exits with 1 for a paused register", async () => {
  const moved = () =>
    serveSite((_request, response) => response.writeHead(301, { location: "https://moved.example/" }).end());
  const [shop, cafe] = [await moved(), await moved()];
  const emulator = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
  undo.push(...[shop, cafe, emulator].map((one) => () => one.close()));
  const [, host, port] = (emulator.listening ?? "").split(":");
  const connection = { kind: "tcp", host, port: Number(port) };
  const registers = [{ id: "till", title: "Зал", driver: "shtrih", sites: ["shop", "cafe"], connection }];
  const moreSites = [{ id: "cafe", urls: { orders: cafe.url, result: cafe.url, sync: cafe.url } }];
  const daemon = await startDaemon(writeConfig({ folder: folder(), siteUrl: shop.url, moreSites, registers }));
  undo.push(() => daemon.stop());
  const said = (...args: string[]) =>
    daemon.command(...args).then(
      (out) => out,
      (error: unknown) => String(error),
    );
  await waitFor("both sites fail", async () =>
    /shop: [^\n]*301[\s\S]*cafe: [^\n]*301|cafe: [^\n]*301[\s\S]*shop: [^\n]*301/.test(await said("status")),
  );
  await daemon.command("pause", "till");
  const out = await said("doctor", "--json");
  const { ok, findings: found } = answer.parse(JSON.parse(out.slice(out.indexOf("{"))));
  const troubles = found.filter(({ check }) => check === "trouble").map(({ about }) => about);
  expect({ ok, troubles: troubles.toSorted(), isExit1: out.includes("ended with 1") }).toEqual({
    ...{ ok: false, troubles: ["cafe", "shop", "till"], isExit1: true },
  });
  expect(await said("doctor", "--lang", "ru")).toContain("[ПЛОХО] неполадка Зал (till): Касса на паузе");
});

// Root may write everywhere, so `doctor` would find nothing.
if (process.geteuid?.() !== 0) {
  test("doctor reports a data folder that this user may not write", async () => {
    const port = await listen(createHttpServer(wellSite));
    mkdirSync(join(folder(), "data"));
    chmodSync(join(folder(), "data"), 0o500);
    const { bad } = await findings({ site: `http://127.0.0.1:${port}/` });
    expect(bad).toMatchObject([{ check: "files", about: join(folder(), "data") }]);
  });
}

test("doctor finds that a disk to which the daemon writes is nearly full", () => {
  const paths = { database: join(folder(), "d.sqlite"), log: { folder: folder() }, images: { folder: "/" } };
  const found = (free: number) =>
    checkFiles("/", { ...paths, console: { tokenFile: join(folder(), "token") } }, () => free).map(
      ({ level, text }) => `${level} ${text.en}`,
    );
  expect([found(19).at(-1), found(20).at(-1)]).toEqual([
    "bad The disk is full.",
    "ok This user may read and write there.",
  ]);
});
