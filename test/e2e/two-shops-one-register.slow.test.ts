/** Two shops, each with a daemon of its own, whose order numbers meet on one register: each order gets its own receipt. */
import type { DaemonProcess } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import type { FakeSite } from "../support/fake-site.js";
import { saleOf, tillOn, useShop } from "./use-shop.js";

const world = useShop("each");
const NUMBERS = Array.from({ length: 10 }, (_, index) => String(1001 + index));
const PER_TURN = 5;
interface OneOfTwo {
  readonly site: FakeSite;
  start(): Promise<DaemonProcess>;
}

async function openShop(name: string, register: Readonly<Record<string, unknown>>): Promise<OneOfTwo> {
  const site = await world.openSite();
  const config = world.configure({ siteUrl: site.url, registers: [{ id: "till", ...register }] }, name);
  return { site, start: () => world.start(config) };
}

/** The content is equal, too: nothing but the shop tells the orders apart. */
async function printAll({ site }: OneOfTwo, numbers: readonly string[]): Promise<void> {
  for (const orderId of numbers) site.offer(orderId, saleOf(orderId, 100));
  await Promise.all(numbers.map((orderId) => site.result(orderId)));
}

async function expectOwnReceipts(register: EmulatorProcess, shops: readonly OneOfTwo[]): Promise<void> {
  const receipts = (await register.documents()).filter(({ type }) => type === "receipt").map(({ fd }) => String(fd));
  const told = shops.flatMap(({ site }) => NUMBERS.map((orderId) => site.results(orderId)[0]));
  expect(told.filter((result) => result?.["outcome"] !== "printed" || result["resultCode"] !== 0)).toEqual([]);
  expect(receipts).toHaveLength(shops.length * NUMBERS.length);
  expect(told.map((result) => result?.["fdNumber"]).sort()).toEqual([...receipts].sort());
}

test("two shops with equal order numbers print by turns on one Shtrih-M register, each order once", async () => {
  const register = await world.emulate({ args: ["--protocol", "v1"] });
  const till = tillOn(register, { id: "till", options: { link: "v1" } });
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
  const service = await world.emulate({ maker: "atol" });
  const till = tillOn(service, { id: "till", driver: "atol", cashier: { name: "Иванова А.А." } });
  const shops = [await openShop("one", till), await openShop("two", till)];
  for (const shop of shops) await shop.start();
  await Promise.all(shops.map((shop) => printAll(shop, NUMBERS)));
  await expectOwnReceipts(service, shops);
});
