/** What a site, a config or a cable can get wrong: a clear message each time, and nothing is lost. */
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { waitFor } from "../support/wait-for.js";
import { KKM, saleOf, tillOn, useShop } from "./use-shop.js";

const shop = useShop();
let emulator: EmulatorProcess;
let site: FakeSite;
let daemon: DaemonProcess;

beforeAll(async () => {
  emulator = await shop.emulate();
  site = await shop.openSite();
  daemon = await shop.run({ siteUrl: site.url, registers: [tillOn(emulator)] });
  await site.call("KKMConnected");
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
  response: { kkm: KKM, orderId, ...root, taskTable: lines.map((line) => ({ data: "", ...line })) },
});
/** The shop goes on: a good order is printed after whatever came before. */
async function expectStillPrinting(orderId: string, ...more: readonly Line[]): Promise<void> {
  site.offer(orderId, table(orderId, [open, ...more, item(10), pay(10), close]));
  expect(await site.result(orderId)).toMatchObject({ resultCode: 0, outcome: "printed" });
}

test.each([
  ["a price that is no number", table("E-1", [open, item("ten"), pay(10), close]), 1, "taskTable[1].param.price"],
  ["a missing price", table("E-2", [open, item(undefined), pay(10), close]), 3, "taskTable[1].param.price"],
  [
    "an unknown kkm",
    table("E-3", [open, item(10), pay(10), close], { kkm: "0009999999999999" }),
    1,
    "0009999999999999",
  ],
  ["a tax row that the register lacks", table("E-4", [open, item(10, { tax: 77 }), pay(10), close]), 1, "77"],
])("an order with %s is refused with the place and the reason", async (_what, order, resultCode, place) => {
  const orderId = JSON.stringify(order).match(/E-\d+/)?.[0] ?? "";
  site.offer(orderId, order);
  const result = await site.result(orderId);
  expect(result).toMatchObject({ resultCode, outcome: "failed", OFDLink: "" });
  expect(String(result["resultInfo"])).toContain(place);
  expect(await emulator.receipts()).toEqual([]);
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
  expect(told.body).toMatchObject({ action: "error", kkm: KKM, resultCode: 1 });
  expect(String(told.body["raw"]).length).toBeLessThanOrEqual(8192);
  await expectStillPrinting(what.includes("5 MB") ? "after-large" : "after-broken");
});

test("the daemon says that an answer may be lost when the site hangs up in the middle, and goes on", async () => {
  site.onCall = (call) => (call.action === "order" ? "hang" : undefined);
  await site.call("order");
  const polls = site.calls.length;
  await waitFor("it is asked and hangs", () => site.calls.length > polls);
  site.dropConnections();
  site.onCall = null;
  await daemon.child.line(/site\.answer-lost/);
  await expectStillPrinting("after-hang");
});

test("a 30 MB picture is left out of a paid receipt, and the log says so", async () => {
  mkdirSync(join(shop.folder, "data/images"), { recursive: true });
  const path = join(shop.folder, "data/images/huge.png");
  writeFileSync(path, "");
  truncateSync(path, 30_000_000);
  await expectStillPrinting("with a huge picture", { type: "Image", data: "huge.png" });
  await daemon.child.line(/WARN .*a picture is left out.*code=receipt\.image.*30000000/);
});

/** A second daemon, with a site that is asked for nothing in particular. */
async function runOther(registers: readonly Readonly<Record<string, unknown>>[]) {
  const other = await shop.openSite();
  const config = shop.configure({ siteUrl: other.url, registers }, `other-${registers[0]?.id}`);
  return { other, own: await shop.start(config) };
}

test("the daemon says what is wrong with a port that does not exist, and still ends properly", async () => {
  const connection = { kind: "serial", path: join(shop.folder, "no-such-port"), baudRate: 115_200 };
  const { own } = await runOther([{ id: "till-8", driver: "shtrih", connection }]);
  await own.child.line(/link\.not-found/);
  expect(await own.stop()).toBe(0);
});

test("the daemon says that a register of another maker is on the port", async () => {
  const reference = await shop.emulate({ maker: "reference" });
  const { own } = await runOther([tillOn(reference, { id: "till-9" })]);
  await own.child.line(/link\.timeout.*it is another maker.s/);
  expect(await reference.receipts()).toEqual([]);
});

test("the second of two registers that prove to have one number (kkm) is blocked and prints nothing", async () => {
  const kkm = "0009999999012345";
  const twins = [await shop.emulate({ kkm, name: "one" }), await shop.emulate({ kkm, name: "two" })];
  const { other, own } = await runOther(twins.map((twin, index) => tillOn(twin, { id: `twin-${index}` })));
  await own.child.line(/register blocked .*code=register\.foreign-identity.*0009999999012345/);
  other.offer("T-1", saleOf("T-1", 10, kkm));
  expect(await other.result("T-1")).toMatchObject({ outcome: "printed" });
  const receipts = await Promise.all(twins.map((twin) => twin.receipts()));
  expect(receipts.map(({ length }) => length).sort()).toEqual([0, 1]);
});
