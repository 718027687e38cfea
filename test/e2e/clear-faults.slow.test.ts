/** Mistakes of a shop: a clear fault with its place, nothing lost, and the shop goes on. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "../support/child-process.js";
import { type DaemonProcess, fiscald, startDaemon, writeConfig } from "../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { waitFor } from "../support/wait-for.js";

const kkm = "0001234567012345";
let folder: string;
let emulator: EmulatorProcess;
let site: FakeSite;
let daemon: DaemonProcess;
let api: (method: string, path: string) => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-clear-"));
  emulator = await startEmulator({
    maker: "shtrih",
    listen: "tcp:127.0.0.1:0",
    statePath: join(folder, "emulator.json"),
    args: ["--kkm", kkm],
  });
  site = await startFakeSite();
  const connection = { kind: "tcp", host: "127.0.0.1", port: emulator.port };
  const configPath = writeConfig({
    folder,
    siteUrl: site.url,
    registers: [{ id: "till-1", driver: "shtrih", connection }],
  });
  mkdirSync(join(folder, "data/images"), { recursive: true });
  daemon = await startDaemon(configPath);
  const [, console = ""] = await daemon.child.line(/\bstarted\b.* console=(\S+)/);
  const token = readFileSync(join(folder, "console-token"), "utf8").trim();
  api = async (method, path) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${console}${path}`, { method, headers, ...(method === "POST" ? { body: "{}" } : {}) });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  await site.call("KKMConnected");
});

afterAll(async () => {
  expect(await daemon.stop()).toBe(0);
  await site.close();
  await emulator.stop();
  rmSync(folder, { recursive: true });
});

const sale = (orderId: string, ...more: readonly object[]) => ({
  response: {
    kkm,
    orderId,
    taskTable: [
      { type: "OpenCheckSell", data: "" },
      ...more,
      { type: "Registration", data: "Чай", param: { price: 10, quantity: 1, tax: 2 } },
      { type: "Payment", data: "", param: { summ: 10, typeClose: 0 } },
      { type: "CloseCheck", data: "" },
    ],
  },
});

async function printSale(orderId: string, ...more: readonly object[]): Promise<void> {
  site.offer(orderId, sale(orderId, ...more));
  expect(await site.result(orderId)).toMatchObject({ resultCode: 0, outcome: "printed" });
}

describe("mistakes in a config", () => {
  test.each([
    ["a wrong cron time", { closeShiftAt: "25:00" }, "registers[0].closeShiftAt", "HH:MM"],
    ["a closing time as a cron line", { closeShiftAt: "50 23 * * *" }, "registers[0].closeShiftAt", "HH:MM"],
    ["an unknown preset", { receiptLink: { preset: "some-ofd" } }, "registers[0].receiptLink.preset", "platforma-ofd"],
    ["two registers with one kkm", { expectKkm: kkm }, "registers[1].expectKkm", "registers[0]"],
  ])("check-config names the place of %s", async (_what, wrong, place, words) => {
    const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
    const [register] = config.registers;
    const other = { ...register, id: "till-2", connection: { ...register.connection, port: 7778 }, expectKkm: kkm };
    config.registers = [{ ...register, ...wrong }, other];
    const path = join(folder, "wrong.json");
    writeFileSync(path, JSON.stringify(config));
    const child = startChild([fiscald, "check-config", "--config", path]);
    expect(await child.ended).toBe(2);
    expect(child.output()).toContain(place);
    expect(child.output()).toContain(words);
  });
});

describe("mistakes in an order", () => {
  test.each([
    [
      "a price in letters",
      { type: "Registration", data: "Чай", param: { price: "ten", quantity: 1 } },
      "taskTable[1].param.price",
    ],
  ])("refuses an order that has %s with its place, prints nothing and holds nothing up", async (what, line, place) => {
    const before = (await emulator.receipts()).length;
    const orderId = `refused ${what}`;
    site.offer(orderId, sale(orderId, line));
    const result = await site.result(orderId);
    expect(result).toMatchObject({ resultCode: 1, outcome: "failed" });
    expect(String(result["resultInfo"])).toContain(place);
    await printSale(`after ${what}`);
    expect(await emulator.receipts()).toHaveLength(before + 1);
  });
});

test("a 30 MB picture is left out of a paid receipt, which is printed, and the log says so", async () => {
  const path = join(folder, "data/images/huge.png");
  writeFileSync(path, "");
  truncateSync(path, 30_000_000);
  await printSale("with a huge picture", { type: "Image", data: "huge.png" });
  await daemon.child.line(/WARN .*a picture is left out.*code=receipt\.image.*30000000/);
});

test("a Z report asked for while another runs fails with the reason, and sales go on", async () => {
  await printSale("before the Z reports");
  const closes = async () => (await emulator.documents()).filter(({ type }) => type === "shift-close").length;
  const before = await closes();
  const asked = await Promise.all([1, 2].map(() => api("POST", "/api/registers/till-1/z-report")));
  expect(asked.map(({ status }) => status)).toEqual([202, 202]);
  const ids = asked.map(({ body }) => (body["job"] as { id: number }).id);
  const jobs = await waitFor(
    "both are settled",
    async () => {
      const stories = await Promise.all(ids.map((id) => api("GET", `/api/jobs/${id}`)));
      const found = stories.map(({ body }) => body["job"] as { state: string; fault: { code: string } | null });
      return found.every(({ state }) => state === "printed" || state === "failed") ? found : null;
    },
    { timeoutMs: 60_000 },
  );
  expect(jobs.map(({ state, fault }) => [state, fault?.code ?? null]).sort()).toEqual([
    ["failed", "device.shift-closed"],
    ["printed", null],
  ]);
  expect(await closes()).toBe(before + 1);
  await printSale("after the Z reports");
});

test("the second of two registers that turn out to have one kkm is blocked and prints nothing", async () => {
  const own = mkdtempSync(join(tmpdir(), "fiscald-twins-"));
  const ownSite = await startFakeSite();
  const twins = await Promise.all(
    [1, 2].map((number) =>
      startEmulator({
        maker: "shtrih",
        listen: "tcp:127.0.0.1:0",
        statePath: join(own, `emulator-${number}.json`),
        args: ["--kkm", "0009999999012345"],
      }),
    ),
  );
  const registers = twins.map(({ port }, index) => ({
    id: `till-${index + 1}`,
    driver: "shtrih",
    connection: { kind: "tcp", host: "127.0.0.1", port },
  }));
  const ownDaemon = await startDaemon(writeConfig({ folder: own, siteUrl: ownSite.url, registers }));
  await ownDaemon.child.line(/register blocked .*code=register\.foreign-identity.*0009999999012345/);
  ownSite.offer("T-1", { response: { ...sale("T-1").response, kkm: "0009999999012345" } });
  // The first start waits half a minute for registers that nobody could ask, and the second of the twins is one.
  const result = await waitFor("the result of T-1", () => ownSite.results("T-1").at(-1), { timeoutMs: 60_000 });
  expect(result).toMatchObject({ outcome: "printed" });
  const receipts = await Promise.all(twins.map((twin) => twin.receipts()));
  expect(receipts.map(({ length }) => length).sort()).toEqual([0, 1]);
  expect(await ownDaemon.stop()).toBe(0);
  await ownSite.close();
  await Promise.all(twins.map((twin) => twin.stop()));
  rmSync(own, { recursive: true });
});
