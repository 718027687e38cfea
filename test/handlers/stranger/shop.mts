/** A shop's own TypeScript: every call of handlers/README.md, without a cast and without the kit's inner types. */
import { createServer } from "node:http";
import {
  type CallAuth,
  type Clock,
  createPrintServerHandler,
  createPrintServerPlugin,
  createPrintServerRouter,
  createTestTill,
  type Enqueued,
  fromCloudReceipt,
  isFault,
  type OrderAnswer,
  type OrderPoll,
  type OwnReceiptStore,
  onlineReceipt,
  openReceiptStore,
  openStore,
  type PlainReceipt,
  type PrintResult,
  preview,
  type ReceiptStage,
  type StoredReceipt,
  type TestedReceiptStore,
  taskTable,
  testReceiptStore,
} from "@fiscald/handlers";
import { mountDelivery } from "@fiscald/handlers/delivery";
import express from "express";
import { type Kysely, sql, type Transaction } from "kysely";
import type pg from "pg";

/** The kit's option `within` has to take a Kysely of the shop's own tables. */
interface ShopTables {
  orders: { id: string; paid: boolean; receipt_id: string | null };
}

/** What the shop reads from its database is plain text. */
const row: { readonly orderId: string; readonly receiptId: string } = { orderId: "A-1042", receiptId: "0b6f7a52" };

const auth: CallAuth = { kind: "signature", secret: process.env.FISCAL_SECRET ?? "" };
const sale = taskTable
  .sale({ orderId: row.orderId, contact: "buyer@example.ru" })
  .item({ name: "Tea", price: "120.00", quantity: 2, tax: "22 %" })
  .payRest("electronic");

export async function serve(): Promise<void> {
  const receipts = await openReceiptStore({ database: "data/receipts.sqlite", logger: console });
  const app = express();
  const events = {
    onPrinted: ({ orderId, receiptId, link, totalKopecks, stage }: PrintResult) =>
      save(orderId, receiptId, link, stage, totalKopecks),
    onFailed: ({ orderId, resultInfo }: { orderId: string | null; resultInfo: string }) =>
      console.log(orderId, resultInfo),
    onUnknown: ({ orderId }: { orderId: string | null }) => console.log(orderId),
    onShiftClosed: ({ closedShift, shiftTotalKopecks }: { closedShift: string; shiftTotalKopecks: number | null }) =>
      console.log(closedShift, shiftTotalKopecks),
  };
  app.use("/fiscal", createPrintServerRouter({ store: receipts, auth, logger: console, ...events }));
  const handler = createPrintServerHandler({ store: receipts, auth, allowedAddresses: ["10.0.0.0/8"] });
  const response: Response = await handler(new Request("http://127.0.0.1/"), { address: "10.0.0.1" });
  createPrintServerPlugin({ store: receipts, auth, paths: { order: "/orders", result: "/results" } });
  createPrintServerRouter({
    auth: [auth, { kind: "bearer", token: "x".repeat(32) }],
    nextReceipt: async () => sale.build(),
  });
  createPrintServerRouter({
    auth,
    nextReceipt: ({ kkm, daemonId, waitMs, signal }: OrderPoll) => next(kkm, daemonId, waitMs, signal),
  });
  await mountDelivery(app, { database: "data/site.sqlite", logger: console });
  createServer(createPrintServerRouter({ store: receipts, auth }));
  createPrintServerRouter({ auth, nextReceipt: () => null, onAnswerLost: onLost });
  console.log(response.status);
}

function save(
  order: string | null,
  id: string | null,
  link: string | null,
  stage: ReceiptStage | null,
  sum: number | null,
) {
  console.log(order, id, link, stage, sum);
}

function onLost(order: OrderAnswer, { kkm }: OrderPoll): void {
  console.log(order, kkm);
}

async function next(
  kkm: string,
  daemonId: string | null,
  waitMs: number,
  signal: AbortSignal,
): Promise<PlainReceipt | null> {
  return signal.aborted || kkm === "" || daemonId === null || waitMs < 0 ? null : sale.receipt();
}

export async function sell(db: Kysely<ShopTables>, pool: pg.Pool, tx: Transaction<ShopTables>): Promise<void> {
  const receipts = await openReceiptStore({ database: "postgres://127.0.0.1/shop", resource: "shop-1" });
  const { receiptId, isNew, state }: Enqueued = await receipts.enqueue(sale.build(), {
    key: "refund-17",
    printAnyway: true,
  });
  const many = await receipts.enqueueMany([sale.build(), sale.receipt()], { within: tx });
  for (const { order, fault } of many.refused) console.log(order, fault.code);
  await db.transaction().execute(async (own) => {
    await receipts.enqueue(sale.build(), { within: own, beyondSold: true });
    await own.updateTable("orders").set({ paid: true, receipt_id: receiptId }).where("id", "=", row.orderId).execute();
  });
  const client = await pool.connect();
  await receipts.enqueue(sale.build(), { within: client });
  await receipts.withdraw(row.receiptId, {
    within: { query: (text: string, values: unknown[]) => client.query(text, values) },
  });
  const rows = async (text: string) => ({ rows: (await sql<object>`${sql.raw(text)}`.execute(own(db))).rows });
  await receipts.enqueue(sale.build(), { within: { query: rows } });
  const found: StoredReceipt | null = await receipts.findByReceiptId(row.receiptId);
  const all: readonly StoredReceipt[] = await receipts.findByOrder(row.orderId);
  const text: string | undefined = found?.orderId ?? all[0]?.kkm ?? undefined;
  const kopecks: number = found?.totalKopecks ?? 0;
  const released: "queued" | "replaced" = await receipts.release(row.receiptId);
  const end = receipts.onChange((changed: string | null) => console.log(changed));
  console.log(isNew, state, text, kopecks, released, (await receipts.list({ limit: 5 })).length);
  end();
  await receipts.close();
}

const own = (db: Kysely<ShopTables>) => db;

export async function share(): Promise<void> {
  const shared = await openStore({ address: ":memory:", logger: console });
  const shopStore = shared.withTables<ShopTables>();
  for (const resource of ["one", "two"]) await openReceiptStore({ database: shopStore, resource });
  const receipts = await openReceiptStore({ database: shared });
  await shopStore.transaction(async (tx) => {
    await tx.updateTable("orders").set({ paid: true }).execute();
    await receipts.enqueue(sale.build(), { within: tx });
  });
  await shared.close();
}

export async function build(body: object): Promise<void> {
  const order = onlineReceipt
    .sale({ orderId: row.orderId, contact: "buyer@example.ru", internetUrl: "https://shop.example" })
    .item({ name: "Cup", price: "1250.00", tax: "22 %", discount: { percent: 10 } })
    .discount({ roubles: "100.00" })
    .delivery({ price: "300.00", tax: "none" })
    .giftCard({ price: "500.00", tax: "22/122" })
    .payment("prepayment", "500.00")
    .payRest("electronic");
  onlineReceipt.prepayment({ orderId: row.orderId }).item({ name: "Cup", price: 1, method: "prepayment" });
  taskTable
    .settlement({ orderId: row.orderId })
    .item({ name: "Cup", price: 1 })
    .payment("prepayment", 1)
    .payRest("cash");
  taskTable.return({ orderId: row.orderId, receiptId: row.receiptId }).text("Thanks", { bold: true }).trait().dash();
  taskTable.sale({ orderId: row.orderId }).barcode({ type: "QR", data: "x" }).image("logo.png").header().footer().cut();
  taskTable.service().cashIn("100.00").cashOut(5).report("z").syncTime().build();
  const svg: string = preview(order.build(), { columns: 32 }).svg;
  const cloud = await openReceiptStore({ database: ":memory:" });
  await cloud.enqueue(fromCloudReceipt(body, { operation: "sell" })).catch((error: unknown) => {
    if (isFault(error)) console.log(error.code, error.details.problems);
  });
  console.log(svg);
}

export async function test(result: PrintResult, poll: OrderPoll): Promise<void> {
  const store = await openReceiptStore({ database: ":memory:" });
  const till = createTestTill({
    site: createPrintServerRouter({ store, auth }),
    auth,
    kkm: "1",
    fn: "2",
    daemonId: null,
  });
  const receipt = await till.poll({ waitSeconds: 1 });
  if (receipt !== null) await till.report(receipt, { outcome: "unknown", resultInfo: "no answer" });
  const orderId: string | null = (await till.printNext())?.orderId ?? null;
  await till.call("sync", { action: "sync", data: [] });
  await till.close();
  const made: PrintResult = {
    ...result,
    orderId: row.orderId,
    receiptId: row.receiptId,
    kkm: "1",
    totalKopecks: 24_000,
  };
  await store.recordResult(made);
  await store.nextReceipt({ ...poll, kkm: "1" });
  console.log(orderId);
}

/** A store of the shop's own, typed by its own rows. */
export class OwnStore implements OwnReceiptStore, TestedReceiptStore {
  readonly rows = new Map<string, { readonly receipt: PlainReceipt; state: string; readonly holder: string | null }>();

  async enqueue(receipt: PlainReceipt): Promise<{ receiptId: string }> {
    const receiptId = `${this.rows.size}`;
    this.rows.set(receiptId, { receipt: { ...receipt, receiptId }, state: "queued", holder: null });
    return { receiptId };
  }

  async nextReceipt({ kkm, daemonId }: OrderPoll): Promise<PlainReceipt | null> {
    const [found] = [...this.rows.values()].filter(({ receipt, holder }) => receipt.kkm === kkm && holder === daemonId);
    return found?.receipt ?? null;
  }

  async recordResult({ receiptId, orderId, outcome }: PrintResult) {
    const found = this.rows.get(receiptId ?? "");
    if (found === undefined) return { standing: "unmatched", receipt: null } as const;
    found.state = outcome;
    return { standing: "applied", receipt: { orderId, receiptId: receiptId ?? "" } } as const;
  }

  async findByReceiptId(receiptId: string) {
    return this.rows.get(receiptId) ?? null;
  }

  async close(): Promise<void> {}
}

testReceiptStore({
  test: (title: string, run: () => Promise<void>) => console.log(title, run),
  newDatabase: async () => ({ open: async () => new OwnStore(), drop: async () => {} }),
});

export const clock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: async () => {},
  setTimer: () => ({ cancel() {} }),
  turn: async () => {},
};
