/** The shift of a register over its day: the built daemon, two sites, an emulated register with a clock of ours, real bytes. */
import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import { z } from "zod";
import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatedDocument, EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { waitFor } from "../support/wait-for.js";
import { makeOrder } from "../tools/campaign/plan/orders.js";
import { KKM, patience, saleOf, tillOn, useShop } from "./use-shop.js";

const inn = "7700000000";
const fn = "9999078900000001";
const clockSchema = z.object({ time: z.string() });
const world = useShop();
let emulator: EmulatorProcess;
let shop: FakeSite;
let cafe: FakeSite;
let configPath: string;
let daemon: DaemonProcess;

beforeAll(async () => {
  emulator = await world.emulate({ args: ["--inn", inn, "--fn", fn] });
  shop = await world.openSite();
  cafe = await world.openSite();
  const urls = { orders: cafe.url, result: cafe.url, zreport: cafe.url };
  const closing = { timeZone: "Europe/Moscow", closeShiftAt: "23:50" };
  configPath = world.configure({
    siteUrl: shop.url,
    moreSites: [{ id: "cafe", urls, sessionSumm: "sales", reportFailedClose: true }],
    registers: [tillOn(emulator, { sites: ["shop", "cafe"], ...closing })],
  });
});

const zReports = (site: FakeSite) => site.calls.filter(({ action }) => action === "ZReport").map(({ body }) => body);
const zReport = (site: FakeSite, session: string, resultCode = 0) =>
  site.call("ZReport", (body) => body["closedSession"] === session && body["resultCode"] === resultCode);
const closings = (documents: readonly EmulatedDocument[]) => documents.filter(({ type }) => type === "shift-close");

async function print(site: FakeSite, orderId: string, operation: "sale" | "return", price: number): Promise<void> {
  site.offer(orderId, makeOrder({ orderId, operation, prices: [price] }).answer);
  expect(await site.result(orderId)).toMatchObject({ resultCode: 0 });
}

/** Roubles of one kind of receipt in a shift. */
function sumOf(documents: readonly EmulatedDocument[], shift: number, operation: "sale" | "return"): number {
  const receipts = documents.filter((document) => document.shift === shift && document.operation === operation);
  return receipts.reduce((sum, { totalKopecks }) => sum + (totalKopecks ?? 0), 0) / 100;
}

test("a shift closes at its time by the register's own clock, and later orders are in the next shift", async () => {
  const { time } = clockSchema.parse(await emulator.post("/clock", { advanceSeconds: 0 }));
  const begin = `${time.slice(0, 10)}T23:49:40` as LocalTime;
  await emulator.post("/clock", { advanceSeconds: secondsBetween(time as LocalTime, begin) });
  daemon = await world.start(configPath);
  await print(shop, "first", "sale", 100.5);
  await print(cafe, "back", "return", 30.25);
  const orders: string[] = [];
  const printed: Promise<unknown>[] = [];
  while (zReports(shop).length === 0) {
    const orderId = `O-${orders.length}`;
    const site = orders.length % 2 === 0 ? shop : cafe;
    site.offer(orderId, saleOf(orderId, 10 + orders.length / 100));
    orders.push(orderId);
    printed.push(site.result(orderId));
    await waitFor(
      "some of them are printed",
      () => shop.results().length + cafe.results().length > orders.length - 3,
      patience,
    );
  }
  await print(shop, "last", "sale", 9);
  for (const result of await Promise.all(printed)) expect(result).toMatchObject({ resultCode: 0 });
  const documents = await emulator.documents();
  expect(closings(documents)).toHaveLength(1);
  const receipts = documents.filter(({ type }) => type === "receipt");
  expect(receipts).toHaveLength(orders.length + 3);
  expect(receipts.at(-1)).toMatchObject({ shift: 2 });
  // Only the two reports came between the last receipt of one shift and the first of the other.
  expect(documents.map(({ fd }) => fd)).toEqual(documents.map((_, index) => index + 1));
  const [net, sales] = [await zReport(shop, "1"), await zReport(cafe, "1")];
  const common = { action: "ZReport", kkm: KKM, inn, fn, resultCode: 0, resultInfo: "", closedSession: "1" };
  const sold = sumOf(documents, 1, "sale");
  expect(net.body).toEqual({ ...common, sessionSumm: Math.round((sold - 30.25) * 100) / 100 });
  expect(sales.body).toEqual({ ...common, sessionSumm: sold });
  expect(Number((await shop.result("first"))["shiftNumber"])).toBe(1);
  expect(await daemon.stop()).toBe(0);
});

test("X and Z reports are printed by command and by Report lines, and each Z report is sent to every site", async () => {
  await emulator.post("/shift", { action: "close" });
  daemon = await world.start(configPath);
  await print(shop, "A-1", "sale", 40);
  const shift = (await emulator.documents()).at(-1)?.shift ?? 0;
  const report = (orderId: string, reportType: number) => ({
    response: { kkm: KKM, orderId, taskTable: [{ type: "Report", data: "", param: { reportType } }] },
  });
  await daemon.command("x-report", "till-1", "--reason", "test");
  shop.offer("X-1", report("X-1", 2));
  expect(await shop.result("X-1")).toMatchObject({ resultCode: 0, OFDLink: "" });
  expect(closings(await emulator.documents()).every((document) => document.shift < shift)).toBe(true);
  await daemon.command("z-report", "till-1", "--reason", "test");
  for (const site of [shop, cafe]) expect((await zReport(site, String(shift))).body["sessionSumm"]).toBe(40);
  await print(cafe, "A-2", "sale", 50);
  shop.offer("Z-1", report("Z-1", 1));
  expect(await shop.result("Z-1")).toMatchObject({ resultCode: 0 });
  for (const site of [shop, cafe]) expect((await zReport(site, String(shift + 1))).body["sessionSumm"]).toBe(50);
  shop.offer("Z-2", report("Z-2", 1));
  expect(await shop.result("Z-2")).toMatchObject({ resultCode: 4 });
});
