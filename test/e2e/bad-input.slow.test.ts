/** What a site, a config or a cable can get wrong: a clear message each time, and nothing is lost. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fiscald-bad-"));
  emulator = await startEmulator({
    maker: "shtrih",
    listen: "tcp:127.0.0.1:0",
    statePath: join(folder, "emulator.json"),
    args: ["--kkm", kkm],
  });
  site = await startFakeSite();
  const connection = { kind: "tcp", host: "127.0.0.1", port: emulator.port };
  daemon = await startDaemon(
    writeConfig({ folder, siteUrl: site.url, registers: [{ id: "till-1", driver: "shtrih", connection }] }),
  );
  await site.call("KKMConnected");
});

afterAll(async () => {
  expect(await daemon.stop()).toBe(0);
  await site.close();
  await emulator.stop();
  rmSync(folder, { recursive: true });
});

interface Line {
  readonly type: string;
  readonly data?: string;
  readonly param?: Readonly<Record<string, unknown>>;
}

const open = { type: "OpenCheckSell" };
const close = { type: "CloseCheck" };
const pay = (summ: number): Line => ({ type: "Payment", param: { summ, typeClose: 0 } });
const item = (price: unknown, more: Readonly<Record<string, unknown>> = {}): Line => ({
  type: "Registration",
  data: "Чай",
  param: { price, quantity: 1, tax: 2, ...more },
});
const table = (orderId: string, lines: readonly Line[], root: Readonly<Record<string, unknown>> = {}) => ({
  response: { kkm, orderId, ...root, taskTable: lines.map((line) => ({ data: "", ...line })) },
});
const online = (orderId: string, count: number) => ({
  timestamp: "20.11.2026 14:05:00",
  external_id: orderId,
  receipt: {
    items: Array.from({ length: count }, () => ({ name: "Чай", price: 1, quantity: 1, sum: 1, tax: 2 })),
    total: count,
    payments: [{ type: 0, sum: count }],
  },
});

const goodOrder = (orderId: string) => table(orderId, [open, item(10), pay(10), close]);

/** The shop goes on: a good order is printed after whatever came before. */
async function expectStillPrinting(orderId: string): Promise<void> {
  site.offer(orderId, goodOrder(orderId));
  expect(await site.result(orderId)).toMatchObject({ resultCode: 0, outcome: "printed" });
}

describe("an order with wrong input", () => {
  test.each([
    ["a price that is no number", table("E-1", [open, item("ten"), pay(10), close]), 1, "taskTable[1].param.price"],
    ["an unknown line type", table("E-2", [open, { type: "Dance" }, item(10), pay(10), close]), 1, "taskTable[1].type"],
    ["a total of zero", table("E-3", [open, item(0), pay(0), close]), 1, "сумма чека 0.00"],
    ["a negative price", table("E-4", [open, item(-5), pay(5), close]), 1, "taskTable[1].param.price"],
    ["a missing price", table("E-5", [open, item(undefined), pay(10), close]), 3, "taskTable[1].param.price"],
    ["payments below the total", table("E-6", [open, item(10), pay(9), close]), 1, "9.00"],
    [
      "an unknown kkm",
      table("E-7", [open, item(10), pay(10), close], { kkm: "0009999999999999" }),
      1,
      "0009999999999999",
    ],
    ["a tax row that the register lacks", table("E-8", [open, item(10, { tax: 77 }), pay(10), close]), 1, "77"],
    [
      "two receipts in one table",
      table("E-9", [open, item(10), pay(10), close, open, item(10), pay(10), close]),
      1,
      "taskTable",
    ],
    ["a text after the close", table("E-10", [open, item(10), pay(10), close, { type: "String" }]), 1, "taskTable"],
    ["101 items", online("E-11", 101), 1, "receipt.items"],
    ["a cart above its limit of digits", table("E-12", [open, item(999_999_999), pay(999_999_999), close]), 1, "price"],
  ])("an order with %s is refused with the place and the reason", async (_what, order, resultCode, place) => {
    const orderId = JSON.stringify(order).match(/E-\d+/)?.[0] ?? "";
    site.offer(orderId, order);
    const result = await site.result(orderId);
    expect(result).toMatchObject({ resultCode, outcome: "failed", OFDLink: "" });
    expect(String(result["resultInfo"])).toContain(place);
    expect(await emulator.receipts()).toEqual([]);
  });
});

test.each([
  ["broken JSON", '{"response": {'],
  ["a body of 5 MB", JSON.stringify({ response: { orderId: "big", note: "x".repeat(5_100_000) } })],
])("the daemon reports %s to the error address and goes on", async (what, body) => {
  const before = site.calls.length;
  site.onCall = (call) => (call.action === "order" ? { body } : undefined);
  // A late error call about an order of the cases above may still arrive: it names its order, this one can't.
  const told = await waitFor("the error call", () =>
    site.calls.slice(before).find((call) => call.action === "error" && call.body["orderId"] === null),
  );
  site.onCall = null;
  expect(told.body).toMatchObject({ action: "error", kkm, resultCode: 1 });
  expect(String(told.body["raw"]).length).toBeLessThanOrEqual(8192);
  await expectStillPrinting(what.includes("5 MB") ? "after-large" : "after-broken");
});

test("the daemon says that an answer of a site that hangs up in the middle may be lost, and goes on", async () => {
  site.onCall = (call) => (call.action === "order" ? "hang" : undefined);
  await site.call("order");
  const polls = site.calls.length;
  await waitFor("it is asked and hangs", () => site.calls.length > polls);
  site.dropConnections();
  site.onCall = null;
  await daemon.child.line(/site\.answer-lost/);
  await expectStillPrinting("after-hang");
});

test("check-config names every problem of a wrong config at once and exits with 2", async () => {
  const path = join(folder, "wrong.json");
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
  config.sites[0].pollEverySecond = 5;
  config.registers[0].driver = "strih";
  config.registers[0].sites = ["nowhere"];
  config.log.level = "loud";
  writeFileSync(path, JSON.stringify(config));
  const child = startChild([fiscald, "check-config", "--config", path]);
  expect(await child.ended).toBe(2);
  const output = child.output();
  const places = ["sites[0].pollEverySecond", "registers[0].driver", "registers[0].sites[0]", "log.level"];
  for (const place of places) expect(output).toContain(place);
  expect(output).toContain("pollEverySeconds");
});

test("the daemon says what is wrong with a port that does not exist, and ends properly anyway", async () => {
  const own = mkdtempSync(join(tmpdir(), "fiscald-bad-port-"));
  const ownSite = await startFakeSite();
  const connection = { kind: "serial", path: join(own, "no-such-port"), baudRate: 115_200 };
  const configPath = writeConfig({
    folder: own,
    siteUrl: ownSite.url,
    registers: [{ id: "till-9", driver: "shtrih", connection }],
  });
  const ownDaemon = await startDaemon(configPath);
  await ownDaemon.child.line(/link\.not-found/);
  expect(await ownDaemon.stop()).toBe(0);
  await ownSite.close();
  rmSync(own, { recursive: true });
});

test("the daemon says that a register of another maker is on the port", async () => {
  const own = mkdtempSync(join(tmpdir(), "fiscald-bad-maker-"));
  const ownSite = await startFakeSite();
  const reference = await startEmulator({
    maker: "reference",
    listen: "tcp:127.0.0.1:0",
    statePath: join(own, "emulator.json"),
  });
  const connection = { kind: "tcp", host: "127.0.0.1", port: reference.port };
  const configPath = writeConfig({
    folder: own,
    siteUrl: ownSite.url,
    registers: [{ id: "till-9", driver: "shtrih", connection }],
  });
  const ownDaemon = await startDaemon(configPath);
  await ownDaemon.child.line(/link\.timeout.*it is another maker.s/);
  expect(await reference.receipts()).toEqual([]);
  expect(await ownDaemon.stop()).toBe(0);
  await ownSite.close();
  await reference.stop();
  rmSync(own, { recursive: true });
});
