import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MAY_BE_PRINTED } from "@fiscald/daemon/registers/job-recorder.js";
import { createMetaStore, databaseMemory } from "@fiscald/daemon/store/database/meta-store.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createJobStore } from "@fiscald/daemon/store/job-store.js";
import { createJournal } from "@fiscald/daemon/store/journal.js";
import { createDocumentStore } from "@fiscald/daemon/store/unowned-documents.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { toFnSerial, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { Ajv } from "ajv";
import { type Ended, type StartedCommand, startCommand } from "../../support/command-line.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { freePort } from "../../support/free-port.js";
import { makeReceipt } from "../../support/make-job.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { startTestSite, type TestSite } from "../../support/test-site.js";
import { waitFor } from "../../support/wait-for.js";

const folder = useTempFolder();

/** Runs one command line; `stop` acts like SIGTERM. */
function start(line: string, env: Record<string, string> = {}): StartedCommand {
  return startCommand(folder(), line, { env });
}

function run(line: string, env: Record<string, string> = {}): Promise<Ended> {
  return start(line, env).ended;
}

async function runJson(line: string): Promise<Record<string, unknown>> {
  const { code, out, err } = await run(`${line} --json`);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

function writeConfig(rest: Record<string, unknown> = {}): void {
  const url = "https://shop.example/fiscal";
  const raw = {
    version: 1,
    database: "fiscald.sqlite",
    sites: [{ id: "shop", urls: { orders: url, result: url, sync: url }, pollEverySeconds: 0.2 }],
    registers: [
      { id: "till", driver: "reference", connection: { kind: "emulator", statePath: "till.json" }, sites: ["shop"] },
    ],
    log: { folder: "logs" },
    ...rest,
  };
  writeFileSync(join(folder(), "config.json"), JSON.stringify(raw));
}

function addQueuedJob(): number {
  const path = join(folder(), "fiscald.sqlite");
  const { db, close } = openDatabase({ path, clock: createFakeClock(), log: silentLogger, pid: 1 });
  const site = toSiteId("shop");
  const raw = { source: "site", site, raw: null, polledKkm: null, key: null, forced: false, state: "queued" } as const;
  const jobs = createJobStore(db);
  const { id } = jobs.insertJob({
    ...raw,
    receipt: makeReceipt(),
    register: toRegisterId("till"),
    fault: null,
    now: 0,
  });
  createJournal(db).add({ at: 0, actor: "daemon", what: "order accepted", job: id });
  close();
  return id;
}

test("accept-identity --lost before there is a database makes the first start one after a data loss", async () => {
  writeConfig();
  const { code, out } = await run("accept-identity till --lost --reason moved --lang ru");
  expect([code, out]).toEqual([0, expect.stringContaining("чеками, которые уже есть в кассе till")]);
  const path = join(folder(), "fiscald.sqlite");
  const { db, close } = openDatabase({ path, clock: createFakeClock(), log: silentLogger, pid: 1 });
  expect(databaseMemory(createMetaStore(db), { remembersAll: false }).isForgetful).toBe(true);
  close();
});

test("accept-identity changes nothing while orders wait since a lost database: it shows them beside the documents", async () => {
  writeConfig();
  addQueuedJob();
  const path = join(folder(), "fiscald.sqlite");
  const { db, close } = openDatabase({ path, clock: createFakeClock(), log: silentLogger, pid: 1 });
  const [fn, register] = [toFnSerial("9999078900000001"), toRegisterId("till")];
  createJobStore(db).markUnsure(1, { code: "job.outcome-unknown", message: "" }, 0);
  createDocumentStore(db).keep({ fn, register, document: unknownDocument(5), foundWhen: "afterLoss" }, 0);
  const details = { reason: "unreadable", candidates: [{ fn, fd: 5 }] };
  createJournal(db).add({ at: 0, actor: "daemon", what: MAY_BE_PRINTED, job: 1, details });
  close();
  const { code, out } = await run("accept-identity till --lang ru");
  expect(code).toBe(1);
  expect(out).toMatch(/^1 +A-1 .*Приход +100\.00 +\| +9999078900000001 +5 +не прочитан$/m);
  expect(out).toContain("fiscald accept-identity till --orders 1");
  for (const given of ["--orders 1", "--orders"]) {
    expect(await run(`accept-identity till ${given}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("daemon.unreachable"),
    });
  }
  expect(await run("accept-identity till --orders x")).toMatchObject({ code: 2 });
});

describe("commands with wrong usage", () => {
  test.each([
    ["resend x", "x is not the number"],
    ["resolve 1", "--printed FD or --not-printed"],
    ["resolve 1 --printed 5 --not-printed", "--printed FD or --not-printed"],
    ["resolve 1 --printed 5 --fn 9999078900000001", "--fn, --sign, --shift and --time must be given"],
    ["resolve 1 --not-printed --fn 1 --sign 2 --shift 3 --time 2026-11-20T14:03", "need --printed FD"],
    ["sync nowhere", "there are: shop"],
    ["jobs --state lost", "queued, held, printing"],
    ["jobs --site nowhere", "there is no site nowhere; there are: shop"],
    ["jobs --register nowhere", "there is no register nowhere; there are: till"],
    ["logs --register nowhere", "there is no register nowhere; there are: till"],
    ["x-report nowhere", "there is no register nowhere; there are: till"],
    ["z-report nowhere", "there is no register nowhere; there are: till"],
    ["move 1 nowhere", "there is no register nowhere; there are: till"],
    ["accept-identity nowhere", "there is no register nowhere; there are: till"],
    ["logs --level loud", "error, warn"],
  ])("`%s` exits with 2 and says: %s", async (line, text) => {
    writeConfig();
    addQueuedJob();
    mkdirSync(join(folder(), "logs"));
    const { code, err } = await run(line);
    expect([code, err]).toEqual([2, expect.stringContaining(text)]);
  });

  test("fiscald --version prints the version and exits with 0", async () => {
    expect(await run("--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

describe("the command check-config", () => {
  test("check-config of a valid config exits with 0 and says its number of registers", async () => {
    writeConfig();
    expect(await run("check-config")).toMatchObject({ code: 0, out: expect.stringContaining("1 register(s)") });
    expect(await runJson("check-config")).toMatchObject({ ok: true, problems: [] });
  });

  test("check-config speaks the language of the config or of its override, also when there are mistakes", async () => {
    writeConfig({ version: 2, log: { folder: "logs", language: "ru" } });
    expect(await run("check-config")).toMatchObject({ code: 2, err: expect.stringContaining("не то значение") });
    writeConfig({ version: 2 });
    const env = { FISCALD__log__language: "ru" };
    expect(await run("check-config", env)).toMatchObject({ code: 2, err: expect.stringContaining("не то значение") });
    expect(await run("check-config")).toMatchObject({ code: 2, err: expect.stringContaining("expected 1") });
  });

  test("check-config names registers whose sign of internet receipts is unproven, and none without it", async () => {
    const register = (id: string, driver: string, options: object = {}) => {
      return { id, driver, connection: { kind: "serial", path: id }, sites: ["shop"], options };
    };
    const off = register("off", "pirit", { internetFlag: null });
    writeConfig({ registers: [register("new", "pirit"), off, register("other", "shtrih")] });
    const { out } = await run("check-config");
    expect(out.split("\n").filter((line) => line.includes("1125"))).toEqual([
      expect.stringMatching(/^ {2}new: sign of internet receipts \(tag 1125\)\. No reference of the maker confirms/),
      expect.stringMatching(/^ {2}off: sign of internet receipts \(tag 1125\)\. Internet receipts are refused/),
    ]);
    expect(await runJson("check-config")).toMatchObject({
      internetSigns: [
        { register: "new", proof: "unconfirmed" },
        { register: "off", proof: "off" },
      ],
    });
  });

  test("check-config reports an ATOL register without a cashier as an error", async () => {
    const connection = { kind: "http", url: "http://127.0.0.1:16732" };
    const till = { id: "till-2", driver: "atol", connection, sites: ["shop"] };
    const named = { ...till, id: "till-3", options: { deviceId: "b" }, cashier: { name: "Кассир" } };
    writeConfig({ registers: [till, named] });
    const { code, err } = await run("check-config");
    expect([code, err]).toEqual([2, expect.stringMatching(/registers\[0\]\.cashier: .*prints nothing/)]);
    expect(err).not.toContain("registers[1]");
  });

  test("check-config --on DAY says what is refused, printed and changed then, and which row was not read", async () => {
    const till = { id: "till-2", driver: "shtrih", connection: { kind: "emulator" }, sites: ["shop"] };
    writeConfig({ registers: [till, { ...till, id: "till-3", defaultTax: 11 }] });
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

  test("check-config names the query parameters that are left out of the issuer", async () => {
    const url = "http://127.0.0.1:1/orders?shop=7&apiKey=x";
    writeConfig({ sites: [{ id: "shop", urls: { orders: url, result: url } }] });
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
    writeConfig({ sites: [], nonsense: 1 });
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

  test("check-config finds the config by --config, by FISCALD_CONFIG, or in the folder", async () => {
    writeConfig();
    const path = join(folder(), "config.json");
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
    writeConfig();
    const { readFileSync } = await import("node:fs");
    expect(validate(JSON.parse(readFileSync(join(folder(), "config.json"), "utf8")))).toBe(true);
    expect(validate({ version: 1, sites: [], registers: [], nonsense: 1 })).toBe(false);
  });
});

describe("commands without a running daemon", () => {
  test("a reading command without a database says that the daemon has not run yet", async () => {
    writeConfig();
    const { code, err } = await run("jobs");
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/store\.not-ready: .*has not run yet\n.*Start the daemon once/),
    ]);
  });

  test("the reading commands without a running daemon read the database", async () => {
    writeConfig();
    const job = addQueuedJob();
    expect(await runJson("jobs --state queued")).toMatchObject({ jobs: [{ id: job, order: "A-1", state: "queued" }] });
    expect(await runJson("jobs --register till --state failed")).toEqual({ jobs: [] });
    expect(await runJson("status")).toMatchObject({
      running: false,
      jobs: { queued: 1 },
      warnings: [{ kind: "daemon-down" }, { kind: "job-waits", fields: { job, register: "till" } }],
    });
    expect((await run("status")).out).toMatch(
      /WHY NOT PRINTED\n {2}Why not yet: The daemon does not run.*\n {2}What to do: Start it.*\n {4}Orders: A-1\n/,
    );
    expect((await run("status --lang ru")).out).toMatch(
      /ПОЧЕМУ НЕ ПЕЧАТАЕТСЯ\n.*Демон не запущен.*\n.*\n {4}Заказы: A-1\n/,
    );
    expect(await runJson("explain A-1")).toMatchObject({
      order: "A-1",
      jobs: [{ journal: [{ what: "order accepted" }] }],
    });
    for (const typed of [`${job}`, `#${job}`, "a-1"])
      expect(await run(`explain ${typed}`)).toMatchObject({ code: 0, out: expect.stringContaining(`job ${job} `) });
  });

  test("explain of an unknown order names the kkm that each site is polled for", async () => {
    writeConfig();
    addQueuedJob();
    const { code, out } = await run("explain A-2");
    expect(code).toBe(1);
    expect(out).toMatch(
      /^the order A-2 is not known: no site has offered it to this daemon\n.*The daemon does not run[\s\S]*Site shop is not polled.*till was never connected, its kkm is not known/,
    );
  });

  test("retry takes several jobs and filters, and a refused job does not stop the others", async () => {
    writeConfig();
    const [first, second] = [addQueuedJob(), addQueuedJob()];
    const { db, close } = openDatabase({
      path: join(folder(), "fiscald.sqlite"),
      clock: createFakeClock(),
      log: silentLogger,
      pid: 1,
    });
    const jobs = createJobStore(db);
    for (const [id, at] of [
      [first, 1_000],
      [second, 2_000_000_000_000],
    ] as const) {
      jobs.markFailed(id, { code: "device.unknown-error", message: "refused" }, at);
    }
    close();
    expect(await run("retry")).toMatchObject({ code: 2, err: expect.stringContaining("--since") });
    expect(await run("retry --state printed")).toMatchObject({ code: 2 });
    expect(await run("retry --state refused")).toMatchObject({ code: 0, out: "there is no such job\n" });
    expect(await run("retry --since 2030-01-01T00:00")).toMatchObject({
      code: 0,
      out: `job ${second} is queued again\n`,
    });
    const both = await run(`retry ${second} ${first}`);
    expect(both).toMatchObject({ code: 1, err: expect.stringContaining(`job ${second}: `) });
  });

  test("an action takes the id of an order with exactly one job, and is journalled with its reason", async () => {
    writeConfig();
    const job = addQueuedJob();
    expect(await run("cancel A-1 --reason mistake")).toMatchObject({ code: 0, out: `job ${job} is cancelled\n` });
    const { jobs } = await runJson("explain A-1");
    expect(jobs).toMatchObject([
      {
        job: { state: "cancelled" },
        events: [{ kind: "result", state: "pending", body: { outcome: "failed" } }],
        journal: expect.arrayContaining([
          expect.objectContaining({ actor: "operator", details: { reason: "mistake" } }),
        ]),
      },
    ]);
    expect(await run("retry A-1")).toMatchObject({ code: 1, err: expect.stringContaining("job.wrong-state") });
    expect((await run("resolve A-1 --not-printed")).err).toContain("daemon.unreachable");
    expect((await run("cancel A-2")).err).toContain("there is no job and no order A-2");
    const second = addQueuedJob();
    expect(await run("cancel A-1")).toMatchObject({
      code: 2,
      err: expect.stringContaining(`the order A-1 has several jobs: ${second} queued, ${job} cancelled`),
    });
    expect((await run(`cancel ${second}`)).code).toBe(0);
  });

  test("resend of an unknown event says where the event numbers are listed", async () => {
    writeConfig();
    addQueuedJob();
    const { code, err } = await run("resend 99");
    expect([code, err]).toEqual([2, expect.stringContaining("there is no event 99")]);
    expect(err).toContain(
      "`fiscald explain ORDER` shows the events of an order, `fiscald status` those that a site refused",
    );
  });

  test.each(["move 1 till", "x-report till", "resolve 1 --not-printed"])("%s needs a running daemon", async (line) => {
    writeConfig();
    addQueuedJob();
    expect(await run(line)).toMatchObject({ code: 1, err: expect.stringContaining("daemon.unreachable") });
  });

  test("cancel is refused while a daemon runs that does not answer", async () => {
    writeConfig();
    const job = addQueuedJob();
    const path = join(folder(), "fiscald.sqlite");
    const { close } = openDatabase({ path, clock: createFakeClock(), log: silentLogger, pid: 4711 });
    expect(await run(`cancel ${job}`)).toMatchObject({ code: 1, err: expect.stringContaining("process 4711") });
    close();
  });
});

describe("commands with a running daemon", () => {
  let web: TestSite;
  let daemon: ReturnType<typeof start>;
  let orders: unknown[];

  beforeEach(async () => {
    orders = [];
    web = await startTestSite();
    web.answer((call) => ({ body: (call.json?.action === "order" ? orders.shift() : undefined) ?? "" }));
    const urls = { orders: web.url, result: web.url, sync: web.url };
    writeConfig({ sites: [{ id: "shop", urls, pollEverySeconds: 0.2 }], console: { port: await freePort() } });
    daemon = start("run");
    await waitFor("the daemon has started", () => daemon.output().includes("daemon started"));
  });

  afterEach(async () => {
    daemon.stop();
    expect((await daemon.ended).code).toBe(0);
    await web.close();
  });

  test("an order that the running daemon prints and reports is shown by the commands", async () => {
    const taskTable = [
      { type: "OpenCheckSell" },
      { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax: 2 } },
      { type: "ClientContact", data: "ivan.petrov@mail.ru" },
      { type: "Payment", param: { summ: 10, typeClose: 0 } },
      { type: "CloseCheck" },
    ];
    orders.push({ response: { orderId: "A-7", taskTable } });
    await waitFor("the site has the result", () => web.calls.some(({ json }) => json?.orderId === "A-7"));

    expect((await run("status")).out).toMatch(/The daemon runs.[\s\S]*till +(ready|busy) +0001234567012345/);
    expect(await runJson("status")).toMatchObject({ running: true, registers: [{ id: "till" }] });
    const story = (await run("explain A-7")).out;
    for (const part of [
      "polled for kkm",
      "order accepted",
      "attempt began",
      "printed",
      "result delivered",
      "FD 3",
      "tax 2: НДС 10% (1199: 2)",
    ]) {
      expect(story).toContain(part);
    }
    expect((await run("explain A-7 --json")).out).not.toContain("ivan.petrov");
    const logged = (await run("logs --order A-7 --level info")).out;
    expect(logged).toMatch(/INFO intake .*accepted an order/);
    expect(logged).not.toContain("started");
    const { jobs } = (await runJson("jobs")) as { jobs: { id: number }[] };

    expect(await run(`retry ${jobs[0]?.id}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("job.wrong-state"),
    });
    expect(await run("x-report till")).toMatchObject({ code: 0 });
    expect((await run("jobs")).out).toMatch(/ operator .* till +x-report /);
    expect(await run("sync")).toMatchObject({ code: 0, out: "the list of registers goes to shop\n" });
    const { code, err, out } = await run("run", { FISCALD__console__port: String(await freePort()) });
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("code=store.locked");
  });
});
