import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { type Ended, startCommand } from "../../../support/command-line.js";
import { fiscald } from "../../../support/daemon-process.js";
import { freePort } from "../../../support/free-port.js";
import { rawRegister, writeRawConfig } from "../../../support/raw-config.js";
import { hasSocat, needsSocat } from "../../../support/serial-pair.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { startTerminal } from "../../../support/terminal.js";
import { startTestSite } from "../../../support/test-site.js";

const folder = useTempFolder();
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function open(options: Parameters<typeof openEmulator>[0]): Promise<Emulator> {
  const emulator = await openEmulator(options);
  undo.push(() => emulator.close());
  return emulator;
}

/** All answers arrive at once, as from a pipe, and then the input ends. */
function run(line: string, answers: readonly string[] = [], env: Record<string, string> = {}): Promise<Ended> {
  const input = new PassThrough();
  input.end(answers.map((answer) => `${answer}\n`).join(""));
  return startCommand(folder(), line, { env, input, listPorts: async () => [] }).ended;
}

/** Nobody answers at this address of this machine. */
const url = "http://127.0.0.1:9/fiscal";
/** The answers about the site: address, authentication, secret, name. */
const site = [url, "", "", "shop"];
/** The answers about a register: connection, maker, file, name, group, no further register. */
const emulated = ["emulator", "reference", "", "", "", "n"];
/** The answers about the shop: cashier, INN, time zone, closing time. */
const shop = ["", "", "moscow", ""];
const usual = [...site, ...emulated, ...shop];
const written = (name = "config.json") => JSON.parse(readFileSync(join(folder(), name), "utf8"));
const addressOf = ({ listening }: Emulator) => (listening ?? "").replace(/^\w+:/, "");

describe("the command init", () => {
  test("init makes a valid config of the registers it found and of the user's answers", async () => {
    const shtrih = await open({ maker: "shtrih", listen: "tcp:127.0.0.1:0", kkm: "0000000000000001" });
    const atol = await open({ maker: "atol", listen: "http:127.0.0.1:0", kkm: "0000000000000002" });
    const registers = ["y", "Зал", "hall", "", "", "", "n"];
    const answers = ["Старший кассир Петрова", "12", "500100732259", "Nowhere", "omsk", "25:00", "21:30"];
    const line = `init --host ${addressOf(shtrih)} --host ${addressOf(atol)}`;
    const { code, out, err } = await run(line, [...site, ...registers, ...answers]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("kkm 0000000000000001, INN 7700000000");
    expect(out).toContain("No position without a tax is printed by till-1, till-2: the site names one");
    expect(out).toMatch(/^till-2: sign of internet receipts \(tag 1125\)\. No reference of the maker confirms/m);
    expect(out).not.toContain("till-1: sign of internet receipts");
    const config = written();
    const all = {
      cashier: { name: "Старший кассир Петрова", inn: "500100732259" },
      timeZone: "Asia/Omsk",
      closeShiftAt: "21:30",
    };
    expect(config.registers).toEqual([
      {
        id: "till-1",
        title: "Зал",
        driver: "shtrih",
        connection: { kind: "tcp", host: "127.0.0.1", port: Number(addressOf(shtrih).split(":")[1]) },
        sites: ["shop"],
        group: "hall",
        ...all,
      },
      {
        id: "till-2",
        title: "АТОЛ 30Ф",
        driver: "atol",
        connection: { kind: "http", url: `http://${addressOf(atol)}` },
        options: { deviceId: "kkt-1" },
        sites: ["shop"],
        group: "hall",
        ...all,
      },
    ]);
    expect(config.sites).toMatchObject([
      { id: "shop", urls: { orders: url, result: url, zreport: url }, auth: { secret: { fromFile: "shop-secret" } } },
    ]);
    expect(await run("check-config")).toMatchObject({ code: 0, out: expect.stringContaining("касс: 2") });
  });

  test("init puts an installed program's data into the folder that its package names", async () => {
    await run("init", usual, { FISCALD_DATA: "/var/lib/fiscald" });
    expect(written()).toMatchObject({
      database: "/var/lib/fiscald/fiscald.sqlite",
      images: { folder: "/var/lib/fiscald/images" },
      console: { tokenFile: "/var/lib/fiscald/console-token" },
      log: { folder: "/var/lib/fiscald/logs", language: "ru" },
    });
  });

  test("init makes a secret that only this user can read, and prints it once", async () => {
    const { out } = await run("init", usual);
    const path = join(folder(), "shop-secret");
    const secret = readFileSync(path, "utf8").trim();
    expect(secret).toMatch(/^whsec_/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(out.split(secret)).toHaveLength(2);
    expect(readFileSync(join(folder(), "config.json"), "utf8")).not.toContain(secret);
  });

  test("when no register is found, init adds an emulated register only if asked for it, and warns if the site may be real", async () => {
    const { code, out } = await run("init --out new/my.json", usual);
    expect(code).toBe(0);
    expect(out).toContain("No register was found. What to do");
    expect(out).toContain("nothing fiscal happens");
    expect(out).not.toContain("emulated.allow");
    expect(written("new/my.json").registers).toMatchObject([
      { driver: "reference", connection: { kind: "emulator", statePath: "data/emulator.json" }, sites: ["shop"] },
    ]);
    expect((await run("check-config --config new/my.json")).code).toBe(0);
    const real = ["http://shop.invalid/fiscal", ...usual.slice(1)];
    expect(await run("init --out real.json", real)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/registers\[0\]\.connection\.kind: this register is an emulator.*emulated\.allow/),
    });
    // Without the word `emulator` there is no register, and thus no config.
    const byEnter = await run("init --out none.json", [...site, "", "", ""]);
    expect([byEnter.code, existsSync(join(folder(), "none.json"))]).toEqual([2, false]);
  });

  test("init tests the site's address with the secret before its questions about registers, and takes no order", async () => {
    const tested = await startTestSite();
    undo.push(() => tested.close());
    const answers = [tested.url, "bearer", "secret-1", "shop", ...emulated, ...shop];
    const { code, out } = await run("init --lang ru", answers.with(-2, "москва"));
    expect([code, out]).toEqual([0, expect.stringContaining("[в порядке] сайт 127.0.0.1")]);
    expect(out).toContain("Сайт отвечает по протоколу, секрет принят.");
    const posted = tested.calls.filter(({ text }) => text !== "");
    expect(posted.map(({ json, headers }) => [json?.["action"], headers["authorization"]])).toEqual([
      ["sync", "Bearer secret-1"],
    ]);
    tested.answer(() => ({ status: 404 }));
    const missing = await run("init --lang ru --out other.json", answers.with(-2, "москва"));
    expect(missing.out).toContain("[ПЛОХО] сайт 127.0.0.1");
  });

  test("init accepts a register and a kind of authentication that the person types", async () => {
    const answers = [
      ...["ftp://no", url, "basic", "till", "hunter2", "my shop", "my-shop"],
      ...["tcp", "pirit", "192.0.2.7", "99999", "7778", "", "none", "n", "none", "moscow", "none"],
    ];
    const { code, out } = await run("init", answers);
    expect([code, out]).toEqual([0, expect.stringContaining("must be an address")]);
    expect(written()).toMatchObject({
      sites: [
        {
          id: "my-shop",
          urls: { orders: url, result: url, sync: url, activity: url, zreport: url },
          auth: { kind: "basic", user: "till", password: { fromFile: "my-shop-secret" } },
        },
      ],
      registers: [{ driver: "pirit", connection: { kind: "tcp", host: "192.0.2.7", port: 7778 } }],
    });
    expect(written().registers[0]).not.toMatchObject({ cashier: expect.anything() });
    expect(written().registers[0]).not.toHaveProperty("closeShiftAt");
    expect(readFileSync(join(folder(), "my-shop-secret"), "utf8")).toBe("hunter2\n");
    expect((await run("check-config")).code).toBe(0);
  });

  test("init asks for the password of a register that refused the default one, and writes it to a file", async () => {
    const emulator = await open({ maker: "pirit", listen: "tcp:127.0.0.1:0" });
    emulator.core.setMakerSetting("item.20.0", "OTHR");
    const answers = [...site, "y", "", "", "too long", "OTHR", "n", ...shop];
    const { code, out } = await run(`init --host ${addressOf(emulator)}`, answers);
    expect([code, out]).toEqual([0, expect.stringContaining("four characters")]);
    const password = { fromFile: "till-1-password" };
    expect(written().registers).toMatchObject([{ driver: "pirit", options: { password } }]);
    expect(readFileSync(join(folder(), "till-1-password"), "utf8")).toBe("OTHR\n");
    expect(statSync(join(folder(), "till-1-password")).mode & 0o777).toBe(0o600);
    expect((await run("check-config")).code).toBe(0);
  });

  test("a config may name a file with the numeric password of a Shtrih-M register", async () => {
    const emulator = await open({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    const answers = [...site, "y", "", "", "n", ...shop];
    expect((await run(`init --host ${addressOf(emulator)}`, answers)).code).toBe(0);
    writeFileSync(join(folder(), "operator"), "28\n");
    const config = written();
    config.registers[0].options = { operatorPassword: { fromFile: "operator" }, adminPassword: 29 };
    writeFileSync(join(folder(), "config.json"), JSON.stringify(config));
    expect(await run("check-config")).toMatchObject({ code: 0 });
    writeFileSync(join(folder(), "operator"), "secret\n");
    expect(await run("check-config")).toMatchObject({ code: 2, err: expect.stringContaining("нужно число от 0") });
  });

  const onTerminal = hasSocat ? test : test.skip;
  /** Answers all questions before the one for the secret. */
  async function untilSecret(path: string) {
    const terminal = startTerminal([fiscald, "init", "--out", path]);
    for (const [question, answer] of [
      ["Address of the site's handler", url],
      ["How the site recognises", "bearer"],
    ] as const) {
      await terminal.shows(new RegExp(`${question}.*: $`));
      terminal.type(`${answer}\r`);
    }
    await terminal.shows(/The secret that the site knows.*: $/);
    return terminal;
  }

  onTerminal(`init hides a secret that is typed on a terminal, and backspace works${needsSocat}`, async () => {
    const path = join(folder(), "config.json");
    const terminal = await untilSecret(path);
    terminal.type("hunter23\b\u007f2\r");
    await terminal.shows(/Short name.*: $/);
    terminal.type("shop\r");
    await terminal.shows(/\nLooking for registers/);
    // Registers that are connected to this machine are declined, and one is entered by hand.
    await terminal.shows(/: $/);
    while (!/How is the register connected[^\n]*: $/.test(terminal.shown())) {
      terminal.type("n\r");
      await terminal.shows(/: $/);
    }
    for (const answer of [...emulated, ...shop]) {
      terminal.type(`${answer}\r`);
      await terminal.shows(/: $|exit=/);
    }
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toContain(url);
    expect(terminal.shown()).not.toContain("hunter");
    expect(readFileSync(join(folder(), "shop-secret"), "utf8")).toBe("hunter2\n");
  });

  onTerminal(`Ctrl+C while a secret is typed ends init and writes no config${needsSocat}`, async () => {
    const path = join(folder(), "config.json");
    const terminal = await untilSecret(path);
    terminal.type("hun\u0003");
    expect(await terminal.ended).toBe(2);
    expect(existsSync(path)).toBe(false);
  });

  test("init replaces an existing config only after confirmation, and renames the old file", async () => {
    writeFileSync(join(folder(), "config.json"), "precious");
    expect(await run("init", [""])).toMatchObject({ code: 1, out: expect.stringContaining("Nothing was written") });
    expect(readFileSync(join(folder(), "config.json"), "utf8")).toBe("precious");
    expect((await run("init", ["y", ...usual])).code).toBe(0);
    expect(readFileSync(join(folder(), "config.json.old"), "utf8")).toBe("precious");
    expect(written().version).toBe(1);
    // The config that was just written has Russian as its language.
    expect((await run("init --lang en", ["y", ...usual])).code).toBe(0);
    expect(readFileSync(join(folder(), "config.json.old"), "utf8")).toBe("precious");
    expect(existsSync(join(folder(), "shop-secret-2"))).toBe(true);
  });

  test("on a full disk init leaves the config as it was, and prints a path with blanks as one types it in a shell", async () => {
    const path = join(folder(), "Мой магазин/config.json");
    const again = () => run("init --lang en", ["y", ...usual], { FISCALD_CONFIG: path });
    const first = await run("init", usual, { FISCALD_CONFIG: path });
    expect(first.out).toContain(`fiscald run --config "${path}"`);
    const before = readFileSync(path, "utf8");
    symlinkSync("/dev/full", `${path}.part`);
    expect(await again()).toMatchObject({ code: 2, err: expect.stringContaining("config.not-written") });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("init warns a user who may not see the config before it asks its questions", async () => {
    mkdirSync(join(folder(), "closed"), { mode: 0 });
    // The first run loads the modules, which another user may not read.
    await run("init");
    const user = process.geteuid?.() ?? 0;
    process.seteuid?.(user === 0 ? 65534 : user);
    try {
      const { code, err } = await run("init --out closed/config.json", [...site]);
      expect([code, err]).toEqual([2, expect.stringContaining("config.no-right")]);
    } finally {
      process.seteuid?.(user);
    }
  });

  test("init writes nothing if the input ends before the last answer", async () => {
    const { code, err } = await run("init", [url, ""]);
    expect([code, err]).toEqual([2, expect.stringContaining("nothing was written")]);
    expect(existsSync(join(folder(), "config.json"))).toBe(false);
    expect(existsSync(join(folder(), "shop-secret"))).toBe(false);
  });
});

describe("the command discover", () => {
  test("discover prints registers that answered as a table and as JSON", async () => {
    const emulator = await open({ maker: "pirit", listen: "tcp:127.0.0.1:0" });
    const line = `discover --host ${addressOf(emulator)}`;
    const table = await run(line);
    expect(table.code).toBe(0);
    expect(table.out).toMatch(/DRIVER +MODEL +KKM +INN +FN +CONNECTION\npirit .* 0001234567012345 +7700000000 /);
    const { code, out, err } = await run(`${line} --json`);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out).found).toMatchObject([
      { driver: "pirit", kkm: "0001234567012345", inn: "7700000000", fn: "9999078900000001", fault: null },
    ]);
  });

  test("discover does not probe ports of the running daemon's registers", async () => {
    const emulator = await open({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    const [host, port] = addressOf(emulator).split(":");
    const consolePort = await freePort();
    const connection = { kind: "tcp", host, port: Number(port) };
    writeRawConfig(folder(), {
      registers: [rawRegister({ driver: "shtrih", connection })],
      console: { port: consolePort },
    });
    const daemon = createServer((_request, response) => response.end("{}")).listen(consolePort, "127.0.0.1");
    undo.push(() => new Promise((resolve) => daemon.close(resolve)));
    await once(daemon, "listening");
    const line = `discover --json --host ${addressOf(emulator)}`;
    const { out } = await run(line);
    expect(JSON.parse(out).others).toContainEqual(
      expect.objectContaining({
        state: "busy",
        reason: expect.stringContaining("register till of the running daemon"),
      }),
    );
    expect(emulator.device.wire.counts.in).toBe(0);
  });

  test("discover without a register exits with 1 and says what to do", async () => {
    const { code, out, err } = await run("discover --host 127.0.0.1:9");
    expect([code, out]).toEqual([1, expect.stringContaining("127.0.0.1:9: there is no connection.")]);
    expect(err).toContain("What to do");
    // The advice about a maker comes from the driver's folder.
    expect(err).toContain("  - ATOL: start the print service (ATOL Web Requests, port 16732)");
    const asJson = await run("discover --json");
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.out).found).toEqual([]);
  });

  test.each([
    "discover --host http://till",
    "discover --host till:0",
    "discover --host till:70000",
    "discover --prt X",
  ])("`%s` is refused as wrong usage", async (line) => {
    const { code, err } = await run(line);
    expect([code, err.length > 0]).toEqual([2, true]);
  });
});

test("init and discover ask in Russian and take Russian answers with FISCALD_LANG as with --lang", async () => {
  const emulator = await open({ maker: "pirit", listen: "tcp:127.0.0.1:0" });
  const answers = ["нет адреса", ...site, "д", "", "", "может быть", "н", ...shop.with(2, "Омск")];
  const { code, out, err } = await run(`init --host ${addressOf(emulator)}`, answers, { FISCALD_LANG: "ru" });
  expect([code, err]).toEqual([0, ""]);
  const words = out.replaceAll(/`[^`]*`|--\w+|\([\w, -]+\)|\[[^\]]*\]|https?:\S+|\S*[/\\]\S*/g, "");
  expect(words.match(/\b[a-z]{4,} [a-z]{2,} [a-z]{2,}\b/g)).toBeNull();
  expect(out).toContain("нужен адрес, который начинается с http://");
  expect(out).toContain("ответьте д или н");
  const nothing = await run("discover --host 127.0.0.1:9 --lang ru");
  expect(nothing.out).toContain("127.0.0.1:9: соединения нет.");
  expect(nothing.err).toContain("  - АТОЛ: запустите службу печати");
});

test("a failed command explains its failure in the requested language", async () => {
  const { code, err } = await run("discover --host till:0 --lang ru");
  expect([code, err]).toEqual([2, expect.stringMatching(/^usage\.wrong: Неверное использование команды\.\n/)]);
  expect(err).toMatch(/\nСправка: `fiscald discover --help`\.\n$/);
  expect((await run("discover --lang de")).err).toContain("--lang must be one of en, ru");
});
