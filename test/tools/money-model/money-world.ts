/** A shop with its till and its courier, from which the tests of money and receipts start. */
import { readFile, writeFile } from "node:fs/promises";
import { itemsOf, type Receipt, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { OpenDeliveryOptions } from "#handlers/delivery/open-delivery.js";
import type { NewToken } from "#handlers/delivery/store/access-tokens.js";
import { createTestTill, type TestTill } from "#handlers/print-server/http/test-till.js";
import {
  type Api,
  type DeliveryWorld,
  fillCatalog,
  logIn,
  newOrder,
  openWorld,
  type Shop,
} from "../../handlers/delivery/delivery-world.js";
import { createSqliteFile, type TestDatabase } from "../../support/site-databases.js";

export const kkm = "0001234567012345";
const taxes = [
  { id: 21, title: "НДС 22%" },
  { id: 22, title: "НДС 10%" },
];
export const syncCall = {
  action: "sync",
  data: [{ name: "Касса", kkm, inn: "7700000000", fn: "1", taxes, typeClose: [] }],
};
export const paid = { isInternetPayment: 1, internetPaymentUrl: "https://shop.example", statusId: 1 };
export const byId = { query: { orderId: 1042 } };
export const asRefund = { query: { isRefund: 1 } };

/** The numbers of a receipt of the courier's own register. */
export const courierReceipt = {
  serialNumber: "00106700000001",
  shiftNumber: "12",
  fn: "9999078900000002",
  fdNumber: "318",
  receiptNumber: "4",
  fiscalSign: "1234567890",
  dateTimeReceipt: "2026-11-20 14:05:00",
};

export interface MoneyWorld {
  readonly world: DeliveryWorld;
  readonly shop: Shop;
  readonly till: TestTill;
  /** Logged in; carries every order of the shop. */
  readonly courier: Api;
  close(): Promise<void>;
}

/** The content of a filled database: the shop's access, and the session of its courier. */
interface Filled {
  readonly access: NewToken;
  readonly session: string;
}

export async function openMoneyWorld(
  database: TestDatabase,
  delivery: Partial<OpenDeliveryOptions> = {},
): Promise<MoneyWorld> {
  const copied = await copyFilled(database, delivery);
  const world = await openWorld(database, { delivery });
  const { access, session } = copied ?? (await fill(world));
  const till = tillOf(world, access, { daemonId: "till" });
  return {
    world,
    shop: world.shopOf(access),
    till,
    courier: world.api(session, "/courier/v1"),
    async close() {
      await till.close();
      await world.close();
    },
  };
}

async function fill(world: DeliveryWorld): Promise<Filled> {
  const shop = await world.shop();
  await fillCatalog(shop);
  const till = tillOf(world, shop.access, { daemonId: "till" });
  await till.call("sync", syncCall);
  await till.close();
  const { token } = await logIn(world, shop, "a");
  return { access: shop.access, session: token };
}

let filledOnce: Promise<Filled & { readonly file: Buffer }> | null = null;

/** SQLite: a test file fills one database, and its tests start from copies. Null: the database must be filled. */
async function copyFilled(database: TestDatabase, { clock }: Partial<OpenDeliveryOptions>): Promise<Filled | null> {
  if (database.address.startsWith("postgres:") || clock !== undefined) return null;
  filledOnce ??= fillOnce();
  const { file, ...filled } = await filledOnce;
  await writeFile(database.address, file);
  return filled;
}

async function fillOnce(): Promise<Filled & { readonly file: Buffer }> {
  const database = await createSqliteFile();
  const world = await openWorld(database);
  const filled = await fill(world);
  await world.close();
  const file = await readFile(database.address);
  await database.drop();
  return { ...filled, file };
}

function tillOf(
  world: DeliveryWorld,
  { resource: { id, handlerSecret } }: NewToken,
  options: { kkm?: string; daemonId: string },
): TestTill {
  const auth = { kind: "bearer" as const, token: handlerSecret };
  return createTestTill({ site: `${world.origin}/fiscal/${id}`, kkm, auth, ...options });
}

/** Another till of the same shop. Its site is only an address, so nothing has to be closed. */
export function tillBeside({ world, shop }: MoneyWorld, options: { kkm?: string; daemonId: string }): TestTill {
  return tillOf(world, shop.access, options);
}

export function sale(receipt: Receipt | null): SaleReceipt {
  if (receipt?.kind !== "receipt") throw new Error("there is no receipt");
  return receipt;
}

/** A position of good 501, which costs 250.50 a piece. */
export function tea(count: number, changes: object = {}) {
  return { goodId: 501, count, price: 250.5, total: count * 250.5, discountTotal: 0, ...changes };
}

/** A paid refund order of sale 1042, unless the changes say otherwise. */
export function refundOrder(count: number, changes: object = {}): Record<string, unknown> {
  const goods = [tea(count)];
  return newOrder({ ...paid, isRefund: true, amountToPay: count * 250.5, goods, payments: [], ...changes });
}

/** Prints all waiting receipts; returns `sale 50100`, `return 25050` in their order. */
export async function printAll(till: TestTill): Promise<readonly string[]> {
  const printed: string[] = [];
  for (let receipt = await till.printNext(); receipt !== null; receipt = await till.printNext()) {
    const { operation } = sale(receipt);
    printed.push(`${operation} ${itemsOf(sale(receipt)).reduce((sum, line) => sum + line.total, 0)}`);
  }
  return printed;
}
