import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MAY_BE_PRINTED } from "@fiscald/daemon/registers/job-recorder.js";
import { createMetaStore, databaseMemory } from "@fiscald/daemon/store/database/meta-store.js";
import { unknownDocument } from "@fiscald/drivers/codec/document-tags.js";
import { toFnSerial, toOrderId, toRegisterId } from "@fiscald/shared/ids.js";
import { type Ended, type StartedCommand, startCommand } from "../../support/command-line.js";
import { freePort } from "../../support/free-port.js";
import { makeReceipt, newJob } from "../../support/make-job.js";
import { type Raw, rawSite, writeRawConfig } from "../../support/raw-config.js";
import { startTestSite, type TestSite } from "../../support/test-site.js";
import { useStores } from "../../support/use-stores.js";
import { waitFor } from "../../support/wait-for.js";

const { folder, open } = useStores();

let port: number;
beforeEach(async () => {
  port = await freePort();
});
const configure = (over: Raw = {}) => writeRawConfig(folder(), { console: { port }, ...over });

/** `stop` acts like SIGTERM. */
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

function addJob(state: "queued" | "held" = "queued", order = "A-1"): number {
  const { jobs, journal, close } = open();
  const { id } = jobs.insertJob(newJob({ receipt: makeReceipt({ orderId: toOrderId(order) }), state }));
  journal.add({ at: 0, actor: "daemon", what: "order accepted", job: id });
  close();
  return id;
}

test("after accept-identity --lost without a database, the first start counts as a start after a data loss", async () => {
  configure();
  const { code, out } = await run("accept-identity till --lost --reason moved --lang ru");
  expect([code, out]).toEqual([0, expect.stringContaining("чеками, которые уже есть в кассе till")]);
  const { db, close } = open();
  expect(databaseMemory(createMetaStore(db), { remembersAll: false }).isForgetful).toBe(true);
  close();
});

test("while orders wait since a data loss, accept-identity only shows them beside the documents that may be theirs", async () => {
  configure();
  addJob();
  const { jobs, documents, journal, close } = open();
  const [fn, register] = [toFnSerial("9999078900000001"), toRegisterId("till")];
  jobs.markUnsure(1, { code: "job.outcome-unknown", message: "" }, 0);
  documents.keep({ fn, register, document: unknownDocument(5), foundWhen: "afterLoss" }, 0);
  const details = { reason: "unreadable", candidates: [{ fn, fd: 5 }] };
  journal.add({ at: 0, actor: "daemon", what: MAY_BE_PRINTED, job: 1, details });
  close();
  const { code, out } = await run("accept-identity till --lang ru");
  expect(code).toBe(1);
  expect(out).toMatch(/^1 +A-1 .*Приход +100,00\u00A0₽ +\| +9999078900000001 +5 +не прочитан$/m);
  expect(out).toContain("fiscald accept-identity till --orders 1");
  for (const given of ["--orders 1", "--orders"]) {
    expect(await run(`accept-identity till ${given} --yes`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("daemon.unreachable"),
    });
  }
  expect(await run("accept-identity till --orders x --yes")).toMatchObject({ code: 2 });
});

describe("commands with wrong usage", () => {
  test.each([
    ["resend x", "x is not the number"],
    ["resolve 1", "--printed FD or --not-printed"],
    // A script with an empty variable types this. A 0 would say that the receipt is printed without a document.
    ["resolve 1 --printed=", "a whole number"],
    ["correct A-1 --case missed --reason x --pay=", "is not like 0 or 1=50.00"],
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
    ["correct A-1 --reason x", "say with --case what happened: missed, wrong, twice or test"],
    ["correct A-1 --case wrong", "say with --reason who decided it and why"],
    ["correct A-1 --at nowhere --case twice --reason x", "there is no register nowhere; there are: till"],
    ["correct A-1 --case missed --reason x --add Honey", '"Honey" is not like'],
    ["correct A-1 --case missed --reason x --set 1.colour=red", "is not like 2.price=90.00"],
  ])("`%s` exits with 2 and says: %s", async (line, text) => {
    configure();
    addJob();
    mkdirSync(join(folder(), "logs"));
    const { code, err } = await run(line);
    expect([code, err]).toEqual([2, expect.stringContaining(text)]);
  });

  test("fiscald --version prints the version and exits with 0", async () => {
    expect(await run("--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

describe("commands without a running daemon", () => {
  test("a command that only shows something says without a database that the daemon has not run yet", async () => {
    configure();
    const { code, err } = await run("jobs");
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/store\.not-ready: .*has not run yet\n.*Run `fiscald run` once/),
    ]);
  });

  test("commands that only show something read the database when no daemon runs", async () => {
    configure();
    const job = addJob();
    expect(await runJson("jobs --state queued")).toMatchObject({ jobs: [{ id: job, order: "A-1", state: "queued" }] });
    expect(await runJson("jobs --register till --state failed")).toEqual({ jobs: [] });
    expect(await runJson("status")).toMatchObject({
      running: false,
      jobs: { queued: 1 },
      troubles: [{ kind: "daemon-down", count: 1, examples: [{ name: "A-1", job }] }],
    });
    expect((await run("status")).out).toMatch(
      /WHAT IS WRONG\n■ The daemon does not run.* 1 order waits: A-1\.\n(.*\n)? {2}What to do: Start it/,
    );
    expect((await run("status --lang ru")).out).toMatch(/ЧТО НЕ ТАК\n■ Программа не запущена.* Ждёт заказ A-1\.\n/);
    expect(await runJson("explain A-1")).toMatchObject({
      order: "A-1",
      jobs: [{ journal: [{ what: "order accepted" }] }],
    });
    for (const typed of [`${job}`, `#${job}`, "a-1"])
      expect(await run(`explain ${typed}`)).toMatchObject({ code: 0, out: expect.stringContaining(`job ${job} `) });
    const cyrillic = await run("explain А-1");
    expect(cyrillic).toMatchObject({ code: 0, out: expect.stringMatching(new RegExp(`^order A-1\njob ${job} `)) });
  });

  test("jobs lists the latest 50 jobs and says when there are more", async () => {
    configure();
    for (let number = 1; number <= 51; number += 1) addJob("queued", `B-${number}`);
    const { out, err } = await run("jobs");
    expect(out).toContain("B-51");
    expect(out).not.toMatch(/B-1 /);
    expect(err).toContain("Only the latest 50 are shown");
  });

  test("explain of an unknown order names the registers for which each site is polled", async () => {
    configure();
    addJob();
    const { code, out } = await run("explain A-2");
    expect(code).toBe(1);
    expect(out).toMatch(
      /^the order A-2 is not known: no site has offered it to this daemon\nThis may be why it did not come:\n.*The daemon does not run[\s\S]*shop: The site is not polled yet: register till has never answered/,
    );
  });

  test.each([
    ...["retry 1", "retry A-1", "approve 1", "cancel 1", "set-aside 1", "same-receipt 1", "copy 1"],
    ...[
      "move 1 till",
      "print-anyway 1 --yes",
      "resolve 1 --not-printed --yes",
      "resolve 1 --printed 5",
      "x-report till",
      "pause till",
      "accept-identity till --yes",
      "resend 1",
      "sync",
    ],
  ])("%s without a running daemon changes nothing and says to start the daemon", async (line) => {
    configure();
    addJob();
    const start = expect.stringMatching(/^daemon\.unreachable: no daemon answers at .*: start it, by its service/);
    expect(await run(line)).toMatchObject({ code: 1, out: "", err: start });
    expect(await runJson("explain A-1")).toMatchObject({ jobs: [{ job: { state: "queued" }, journal: [{}] }] });
  });

  test("accept-identity --lost is refused while a running daemon does not answer", async () => {
    configure();
    const { close } = open({ pid: 4711 });
    const refused = { code: 1, err: expect.stringContaining("process 4711") };
    expect(await run("accept-identity till --lost")).toMatchObject(refused);
    close();
  });

  test("cancel refuses an unknown order's id, and the id of an order with several jobs", async () => {
    configure();
    const [first, second] = [addJob(), addJob()];
    expect(await run("cancel A-1")).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        `the order A-1 has several jobs: #${second} Sale 100.00, waits, till, shop; #${first} Sale 100.00, waits, till, shop. Name one by its number in quotes, such as '#${second}'`,
      ),
    });
    expect((await run("cancel A-2")).err).toContain("there is no job and no order A-2");
    const missed = await run("correct A-2 --case missed --reason x");
    expect([missed.code, missed.err]).toEqual([1, expect.stringContaining("was never here: name its register")]);
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
    configure({ sites: [rawSite(web.url)] });
  });

  async function startDaemon(): Promise<void> {
    daemon = start("run");
    await waitFor("the daemon has started", () => daemon.output().includes("daemon started"));
  }

  afterEach(async () => {
    daemon.stop();
    expect((await daemon.ended).code).toBe(0);
    await web.close();
  });

  test("retry takes several jobs or a filter, and goes on after a refused job", async () => {
    const [first, second, held] = [addJob(), addJob("queued", "A-2"), addJob("held", "A-3")];
    const { jobs, close } = open();
    const fault = { code: "device.unknown-error", message: "refused" } as const;
    jobs.markFailed(first, fault, 1_000);
    jobs.markFailed(second, fault, 2_000_000_000_000);
    close();
    await startDaemon();
    expect(await run("retry")).toMatchObject({ code: 2, err: expect.stringContaining("--since") });
    expect(await run("retry --state printed")).toMatchObject({ code: 2 });
    expect(await run("retry --state refused")).toMatchObject({ code: 0, out: "there is no such job\n" });
    const again = { code: 0, out: `job ${second}: accepted, queued\n` };
    expect(await run("retry --since 2030-01-01T00:00")).toMatchObject(again);
    const both = await run(`retry ${held} ${first}`);
    const said = {
      code: 1,
      out: `job ${first}: accepted, queued\n`,
      err: expect.stringContaining(`job ${held}: `),
    };
    expect(both).toMatchObject(said);
  });

  test("return and correct take a number for an order's number first, and the commands that the daemon advises for a job's", async () => {
    const [first, second] = [addJob("held", "2"), addJob("held", "A-2")];
    expect([first, second]).toEqual([1, 2]);
    await startDaemon();
    expect((await run("return 2 --yes")).err).toContain("the order 2 has no printed sale");
    expect((await run("correct 2 --case wrong --reason x --yes")).err).toContain("the order 2 has no printed sale");
    expect((await run("correct 2 --case missed --reason x --site elsewhere")).err).toContain(
      "there is no site elsewhere",
    );
    expect((await run("cancel 2")).out).toContain(`job ${second}: accepted, cancelled`);
    expect((await run("cancel #1")).out).toContain(`job ${first}: accepted, cancelled`);
  });

  test("retry of a job that would fail again says so, with the cause", async () => {
    const job = addJob();
    const { jobs, close } = open();
    jobs.markFailed(job, { code: "device.zero-total", message: "refused" }, 1_000);
    close();
    await startDaemon();
    expect((await run(`retry ${job} --lang ru`)).out).toMatch(
      /^задание 1: принято, ждёт \(queued\)\nзадание 1: Снова не напечатается, если не устранено: [А-Я].*\.\n$/,
    );
  });

  test("an action takes the id of an order with exactly one job, and goes into the journal with its reason", async () => {
    const job = addJob("held");
    await startDaemon();
    expect(await run("cancel A-1 --reason mistake")).toMatchObject({
      code: 0,
      out: `job ${job}: accepted, cancelled\n`,
    });
    const { jobs } = await runJson("explain A-1");
    expect(jobs).toMatchObject([
      {
        job: { state: "cancelled" },
        events: [{ kind: "result", body: { outcome: "failed" } }],
        journal: expect.arrayContaining([
          expect.objectContaining({ actor: "operator", details: { reason: "mistake" } }),
        ]),
      },
    ]);
    expect(await run("retry A-1")).toMatchObject({ code: 1, err: expect.stringContaining("job.wrong-state") });
    const { code, err } = await run("resend 99");
    expect([code, err]).toEqual([2, expect.stringContaining("there is no event 99")]);
    expect(err).toContain(
      "`fiscald explain ORDER` shows the events of an order, `fiscald status` those that a site refused",
    );
  });

  const [begin, tea, contact, payment, end] = [
    { type: "OpenCheckSell" },
    { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax: 2 } },
    { type: "ClientContact", data: "ivan.petrov@mail.ru" },
    { type: "Payment", param: { summ: 10, typeClose: 0 } },
    { type: "CloseCheck" },
  ];

  async function sell(orderId: string, taskTable: readonly object[], outcome = "printed"): Promise<void> {
    orders.push({ response: { orderId, taskTable } });
    const isTold = () => web.calls.some(({ json }) => json?.orderId === orderId && json["outcome"] === outcome);
    await waitFor("the site has the result", isTold);
  }

  test("explain says of an order that could not be read why, what to do and who was told, and shows the later receipt", async () => {
    await startDaemon();
    await sell("A-8", [begin, tea, contact, end], "failed");
    const parts = [
      /^order A-8 {2}could not be read, nothing was printed for it\n {2}Cause: .*The receipt has no payment/,
      /receipt.no-payments: taskTable: there is no payment\n {2}What to do: No receipt was printed. Tell the site's/,
      /polled for kkm [\s\S]*order unreadable \(till\)[\s\S]*result delivered \(till\)[\s\S]*delivered after 1 tries/,
    ];
    await waitFor("it is told", async () => (await run("explain A-8")).out.includes("result delivered"));
    const story = (await run("explain A-8")).out;
    for (const part of parts) expect(story).toMatch(part);
    expect(story).not.toContain("result not delivered");
    const { jobs, unread } = await runJson("explain A-8");
    expect([jobs, unread]).toMatchObject([[], { answers: [{ body: expect.stringContaining("A-8") }] }]);
    expect(JSON.stringify(unread)).not.toContain("ivan.petrov");
    await sell("A-8", [begin, tea, payment, end]);
    expect((await run("explain A-8")).out).toMatch(/could not be read[\s\S]*\njob \d+ {2}printed/);
  });

  test("the commands show an order that the running daemon has printed and reported", async () => {
    await startDaemon();
    await sell("A-7", [begin, tea, contact, payment, end]);

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
    expect(await run("sync")).toMatchObject({ code: 0, out: "shop: accepted\n" });
    const { code, err, out } = await run("run", { FISCALD__console__port: String(await freePort()) });
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("code=store.locked");
  });
});
