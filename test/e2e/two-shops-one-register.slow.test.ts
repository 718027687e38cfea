/** Two shops, each with a daemon of its own, whose order numbers meet on one register: each order gets its own receipt. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type DaemonProcess, startDaemon, writeConfig } from "../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { useTempFolder } from "../support/temp-folder.js";
import { makeOrder } from "../tools/campaign/plan/orders.js";

const folder = useTempFolder();
const NUMBERS = Array.from({ length: 10 }, (_, index) => String(1001 + index));
const PER_TURN = 5;
const toClose: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

interface Shop {
  readonly site: FakeSite;
  start(): Promise<DaemonProcess>;
}

async function openShop(name: string, register: Readonly<Record<string, unknown>>): Promise<Shop> {
  const site = await startFakeSite();
  toClose.push(() => site.close());
  mkdirSync(join(folder(), name));
  const config = writeConfig({
    folder: join(folder(), name),
    siteUrl: site.url,
    registers: [{ id: "till", ...register }],
  });
  return {
    site,
    async start() {
      const daemon = await startDaemon(config);
      toClose.push(() => daemon.stop());
      return daemon;
    },
  };
}

/** The content is equal, too: nothing but the shop tells the orders apart. */
async function printAll({ site }: Shop, numbers: readonly string[]): Promise<void> {
  for (const orderId of numbers) site.offer(orderId, makeOrder({ orderId, operation: "sale", prices: [100] }).answer);
  await Promise.all(numbers.map((orderId) => site.result(orderId)));
}

async function expectOwnReceipts(register: EmulatorProcess, shops: readonly Shop[]): Promise<void> {
  const receipts = (await register.documents()).filter(({ type }) => type === "receipt").map(({ fd }) => String(fd));
  const told = shops.flatMap(({ site }) => NUMBERS.map((orderId) => site.results(orderId)[0]));
  expect(told.filter((result) => result?.["outcome"] !== "printed" || result["resultCode"] !== 0)).toEqual([]);
  expect(receipts).toHaveLength(shops.length * NUMBERS.length);
  expect(told.map((result) => result?.["fdNumber"]).sort()).toEqual([...receipts].sort());
}

test("two shops with equal order numbers print by turns on one Shtrih register, each order once", async () => {
  const register = await startEmulator({
    maker: "shtrih",
    listen: "tcp:127.0.0.1:0",
    statePath: join(folder(), "device.json"),
    args: ["--protocol", "v1"],
  });
  toClose.push(() => register.stop());
  const connection = { kind: "tcp", host: "127.0.0.1", port: register.port };
  const till = { driver: "shtrih", connection, options: { link: "v1" } };
  const shops = [await openShop("one", till), await openShop("two", till)];
  for (let from = 0; from < NUMBERS.length; from += PER_TURN) {
    for (const shop of shops) {
      const daemon = await shop.start();
      await printAll(shop, NUMBERS.slice(from, from + PER_TURN));
      await daemon.stop();
    }
  }
  await expectOwnReceipts(register, shops);
});

test("two shops with equal order numbers print at the same time on one ATOL service, each order once", async () => {
  const service = await startEmulator({
    maker: "atol",
    listen: "http:127.0.0.1:0",
    statePath: join(folder(), "device.json"),
    args: [],
  });
  toClose.push(() => service.stop());
  const till = {
    driver: "atol",
    connection: { kind: "http", url: `http://127.0.0.1:${service.port}` },
    cashier: { name: "Иванова А.А." },
  };
  const shops = [await openShop("one", till), await openShop("two", till)];
  for (const shop of shops) await shop.start();
  await Promise.all(shops.map((shop) => printAll(shop, NUMBERS)));
  await expectOwnReceipts(service, shops);
});
