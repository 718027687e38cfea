import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { toKkm, toSiteId } from "@fiscald/shared/ids.js";
import { type Ended, startCommand } from "../../../support/command-line.js";
import { freePort } from "../../../support/free-port.js";
import { needing } from "../../../support/has-program.js";
import { makeReceipt, newJob } from "../../../support/make-job.js";
import { readZip } from "../../../support/read-zip.js";
import { startTestSite } from "../../../support/test-site.js";
import { useStores } from "../../../support/use-stores.js";
import { waitFor } from "../../../support/wait-for.js";

const { folder, open } = useStores();
const withPython = needing("python3");
const atHere = (name: string) => join(folder(), name);

const planted = {
  header: "header-secret-Zx81",
  environment: "environment-secret-Qw92",
  query: "query-secret-Mn57",
  password: "784512369",
  email: "ivan.petrov",
  phone: "9161234567",
  phoneInOrder: "9035556677",
  buyer: "Сидоров Пётр",
  recipient: "Козлов Игорь",
};
const hexOf = (text: string) =>
  Buffer.from(text)
    .toString("hex")
    .toUpperCase()
    .replaceAll(/..(?=.)/g, "$& ");

function writeConfig(rest: Record<string, unknown> = {}): void {
  const url = `https://shop.example/fiscal?key=${planted.query}`;
  const raw = {
    version: 1,
    database: "fiscald.sqlite",
    sites: [
      {
        id: "shop",
        urls: { orders: url, result: url },
        auth: { kind: "header", name: "X-Shop", value: planted.header },
      },
      {
        id: "other",
        urls: { orders: "https://o.example/a", result: "https://o.example/b" },
        auth: { kind: "bearer", token: { fromEnv: "OTHER_TOKEN" } },
      },
    ],
    registers: [
      {
        id: "till",
        driver: "shtrih",
        connection: { kind: "emulator", statePath: "till.json" },
        options: { operatorPassword: Number(planted.password) },
        sites: ["shop", "other"],
      },
    ],
    log: { folder: "logs" },
    console: { tokenFile: "console-token" },
    ...rest,
  };
  writeFileSync(atHere("config.json"), JSON.stringify(raw));
}

function writeLogs(): void {
  mkdirSync(atHere("logs"), { recursive: true });
  const head = "2026-11-20 14:03:22.118 ERROR registers register=till";
  const frame = `FF 0C 1E ${hexOf(planted.recipient)} 31 ${hexOf(`${planted.email}@mail.ru`)} 00 ${littleEndian(Number(planted.password))} 10`;
  const lines = [
    `${head} buyer ${planted.email}@mail.ru, +7${planted.phone} code=device.paper-out "no paper"`,
    `${head} a hand wrote ${planted.header} and ${planted.environment} here code=link.timeout "x"`,
    `${head} code=link.timeout "no answer" details={"frames":[{"hex":"${frame}"}]}`,
    "",
  ];
  writeFileSync(atHere("logs/fiscald-2026-11-20.log"), lines.join("\n"));
  writeFileSync(atHere("logs/fiscald-2026-11-19.log.gz"), gzipSync(`${head} older ${planted.email}@mail.ru\n`));
}

function littleEndian(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes
    .toString("hex")
    .toUpperCase()
    .replaceAll(/..(?=.)/g, "$& ");
}

function fillDatabase(): void {
  const { jobs, journal, close } = open();
  const site = toSiteId("shop");
  const body = JSON.stringify({
    orderId: "A-1",
    client: { name: planted.buyer },
    taskTable: [
      { type: "ClientContact", data: planted.phoneInOrder },
      { type: "String", data: `Получатель: ${planted.recipient}` },
      { type: "Registration", data: `call ${planted.email}@mail.ru` },
    ],
  });
  const raw = jobs.insertRaw({ site, polledKkm: toKkm("1"), receivedAt: 0, hash: "h", body });
  const fault = { code: "device.paper-out", message: `for ${planted.email}@mail.ru` } as const;
  const receipt = makeReceipt({ contact: `+7${planted.phone}` });
  const { id } = jobs.insertJob(newJob({ raw, polledKkm: toKkm("1"), receipt, state: "refused", fault }));
  jobs.requeueByOperator(id, { markDigits: null }, 0);
  jobs.markFailed(id, fault, 0);
  const details = { email: "x", to: `8${planted.phone}` };
  journal.add({ at: 0, actor: "operator", what: "order accepted", job: id, details });
  close();
}

async function makeBundle(): Promise<{ readonly ended: Ended; readonly files: Readonly<Record<string, string>> }> {
  const env = { OTHER_TOKEN: planted.environment };
  const ended = await startCommand(folder(), ["support-bundle", "--out", "bundle.zip"], { env }).ended;
  return { ended, files: readZip(atHere("bundle.zip")) };
}

function expectNothingPlanted(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    for (const [what, value] of Object.entries(planted)) {
      expect([name, what, text.includes(value), text.includes(hexOf(value))]).toEqual([name, what, false, false]);
    }
    expect([name, text.includes(littleEndian(Number(planted.password)))]).toEqual([name, false]);
  }
}

withPython.test(
  `a bundle without a daemon has config, versions, log, queue, histories and faults, all masked${withPython.reason}`,
  async () => {
    writeConfig();
    writeLogs();
    fillDatabase();
    writeFileSync(atHere("console-token"), "token-of-the-console\n");

    const { ended, files } = await makeBundle();
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(statSync(atHere("bundle.zip")).mode & 0o777).toBe(0o600);
    expectNothingPlanted(files);

    const json = (name: string) => JSON.parse(files[name] ?? "null");
    expect(json("bundle.json")).toMatchObject({ missing: [] });
    expect(json("config.json").file).toMatchObject({
      sites: [
        { auth: { kind: "header", name: "X-Shop", value: "***" } },
        { auth: { kind: "bearer", token: { fromEnv: "OTHER_TOKEN" } } },
      ],
      registers: [{ id: "till", driver: "shtrih", options: { operatorPassword: "***" } }],
      console: { tokenFile: "console-token" },
    });
    expect(json("versions.json")).toMatchObject({
      fiscald: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: expect.stringContaining(process.version),
      modules: {
        [Number.parseInt(process.versions.node, 10) < 22 ? "better-sqlite3-12" : "better-sqlite3"]:
          expect.stringMatching(/^\d/),
        serialport: expect.stringMatching(/^\d/),
      },
    });
    expect(json("queue.json")).toMatchObject({
      jobs: { failed: 1 },
      lastJobs: [{ order: "A-1", fault: { code: "device.paper-out" } }],
    });
    expect(json("stories-of-open-jobs.json")).toMatchObject([
      {
        receipt: { contact: expect.stringContaining("***") },
        order: { body: expect.stringContaining("ClientContact") },
      },
    ]);
    expect(json("database.json")).toMatchObject({
      bytes: { [atHere("fiscald.sqlite")]: expect.any(Number) },
      copies: [],
    });
    expect(json("fault-counts.json")).toMatchObject({ jobs: [{ code: "device.paper-out", count: 1 }] });
    expect(files["logs/fiscald-2026-11-20.log"]).toMatch(
      /buyer i\*\*\*@mail\.ru, \+7916\*\*\*67 code=device\.paper-out/,
    );
    expect(files["logs/fiscald-2026-11-19.log"]).toContain("older");
    expect(json("live/daemon-does-not-run.json")).toMatchObject({ message: expect.any(String) });
  },
);

withPython.test(
  `a bundle beside a running daemon also has its live state and each register's last frames${withPython.reason}`,
  async () => {
    const web = await startTestSite();
    web.answer(() => ({ body: "" }));
    const urls = { orders: web.url, result: web.url };
    const auth = { kind: "header", name: "X-Shop", value: planted.header };
    const registers = [
      {
        id: "till",
        driver: "shtrih",
        connection: { kind: "emulator", statePath: "till.json" },
        sites: ["shop"],
      },
    ];
    const port = await freePort();
    writeConfig({
      sites: [{ id: "shop", urls, auth, pollEverySeconds: 0.2 }],
      registers,
      console: { port, tokenFile: "console-token" },
    });
    const daemon = startCommand(folder(), "run");
    await waitFor("it is connected", () =>
      ["daemon started", "connected kkm="].every((line) => daemon.output().includes(line)),
    );

    const { ended, files } = await makeBundle();
    daemon.stop();
    expect((await daemon.ended).code).toBe(0);
    await web.close();

    expect(ended).toMatchObject({ code: 0, err: "" });
    expectNothingPlanted(files);
    expect(JSON.parse(files["live/registers.json"] ?? "")).toMatchObject({ registers: [{ id: "till" }] });
    const { registers: wires } = JSON.parse(files["live/frames.json"] ?? "");
    expect(wires).toMatchObject([{ register: "till" }]);
    expect(wires[0].frames).toContainEqual(
      expect.objectContaining({ direction: "in", hex: expect.stringMatching(/^[0-9A-F*]{2}( [0-9A-F*]{2})*$/) }),
    );
  },
);

withPython.test(
  `a bundle of an invalid config names its problems and masks a secret under a misspelt key${withPython.reason}`,
  async () => {
    writeConfig({
      sites: [{ id: "shop", urls: { orders: "x" }, auth: { kind: "header", name: "X-Shop", vlaue: planted.header } }],
    });
    const { ended, files } = await makeBundle();
    expect(ended).toMatchObject({
      code: 0,
      err: expect.stringContaining("missing in the bundle: the config: config.invalid"),
    });
    expectNothingPlanted(files);
    expect(files["bundle.json"]).toContain("sites[0].urls");
    expect(Object.keys(files)).toEqual(expect.arrayContaining(["config.json", "versions.json"]));

    writeFileSync(atHere("config.json"), `{"value":${planted.header}}`);
    const unreadable = await makeBundle();
    expect(unreadable.files["bundle.json"]).toContain("is no JSON: line 1, column 10");
    expect(unreadable.files["bundle.json"]).not.toContain(planted.header.slice(0, 8));
  },
);

withPython.test(`a bundle without a config has the versions${withPython.reason}`, async () => {
  const { ended, files } = await makeBundle();
  expect(ended.code).toBe(0);
  expect(files["bundle.json"]).toContain("config.not-found");
  expect(files["versions.json"]).toContain(process.version);
});

test("a support bundle that cannot be written is refused with usage.wrong", async () => {
  writeConfig();
  const ended = await startCommand(folder(), "support-bundle --out nowhere/bundle.zip").ended;
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining("usage.wrong") });
});
