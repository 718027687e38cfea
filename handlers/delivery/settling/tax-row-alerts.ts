/** Alerts about receipts with a tax rate for which no register of the shop has a row. */
import { mapTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import type { OrderPoll } from "../../print-server/host-callbacks.js";
import { holderOf } from "../../print-server/print-callers.js";
import type { ReceiptTables } from "../../print-server/receipt-tables.js";
import { receiptOf } from "../../print-server/receipts/stored-receipt.js";
import { findByReceipt } from "../account/load-accounts.js";
import type { Backend } from "../backend/backend.js";
import { inChunks } from "../catalog/records.js";
import { allRegisterTables, codeTables } from "../catalog/tax-rates.js";
import { recordRegisterLog } from "../orders/fiscal-records.js";
import type { CommitScope } from "../orders/order-change.js";
import { lockShop, type Reader } from "../store/delivery-store.js";
import { commitOrders } from "./commit.js";

export interface Unfit {
  readonly resource: number;
  readonly poll: Pick<OrderPoll, "kkm" | "daemonId">;
  readonly receiptIds: readonly string[];
}

/** How long a receipt may wait for another register with a row for its rate. */
const PATIENCE_MS = 10 * 60_000;

/** The most alerts of one poll, because each needs the shop's lock. The next polls alert about the others. */
const AT_ONCE = 20;

/** Alerts once for each receipt and register: at once for a handed receipt, which can go to no other register. */
export async function alertOfMissingRows(backend: Backend, unfit: Unfit): Promise<void> {
  const { store } = backend;
  const { resource, poll } = unfit;
  const now = backend.clock.now();
  // Most polls find no new receipt, or leave it to another register; the shop's lock is taken only after that.
  const news = await toAlert(store.db, { ...unfit, receiptIds: await withoutAlert(store.db, unfit) }, now);
  if (news.length === 0) return;
  await store.transaction(async (tx) => {
    await lockShop(store.kind, tx, resource);
    const scope: CommitScope = { backend, tx, resource, source: "print server", now };
    for (const receiptId of await toAlert(tx, { ...unfit, receiptIds: news }, now))
      await alertOne(scope, poll, receiptId);
  });
}

/** The first receipts that belong to an order and that no other register can print. */
async function toAlert(db: Reader, unfit: Unfit, now: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const receiptId of await forNoOther(db, unfit, now)) {
    const entry = await findByReceipt(db, unfit.resource, receiptId);
    if (entry?.state === "queued" || entry?.state === "handed") found.push(receiptId);
    if (found.length === AT_ONCE) break;
  }
  return found;
}

async function alertOne(scope: CommitScope, poll: Unfit["poll"], receiptId: string): Promise<void> {
  const { kkm } = poll;
  const { backend, tx, resource, now } = scope;
  const entry = await findByReceipt(tx, resource, receiptId);
  if (entry === null) return;
  const { order, isActive } = entry;
  const text = `Register ${kkm} has no row for a tax rate of order ${order.orderId}: its receipt waits until a register that may have it has one.`;
  const refusal = { code: "device.tax-unknown", text };
  const frId = frIdOf(kkm, receiptId);
  if (!(await recordRegisterLog(tx, { resource, now, frId, order, result: null, refusal }))) return;
  const fields = { resource, order: order.orderId, receipt: receiptId, code: refusal.code };
  backend.store.afterCommit(tx, () => backend.logger.warn(text, fields));
  if (order.frReceiptStatusId === 2) return;
  await commitOrders(scope, [{ before: order, after: { ...order, frReceiptStatusId: 2 }, isHidden: !isActive }]);
}

/** Leaves out receipts that another daemon has, and young queued ones that another register has rows for. */
async function forNoOther(db: Reader, { resource, poll, receiptIds }: Unfit, now: number): Promise<readonly string[]> {
  const registers = receiptIds.length === 0 ? [] : await allRegisterTables(db, resource);
  const found: string[] = [];
  for (const ids of inChunks(receiptIds)) {
    const rows = await db
      .withTables<ReceiptTables>()
      .selectFrom("print_receipts")
      .select(["receipt_id", "receipt", "state", "holder", "created_at"])
      .where("resource", "=", String(resource))
      .where("receipt_id", "in", ids)
      .execute();
    for (const row of rows) {
      if (row.state === "handed" && row.holder !== holderOf(poll)) continue;
      const isPatient = row.state === "queued" && now - row.created_at <= PATIENCE_MS;
      if (!isPatient || !isFitFor(registers, row)) found.push(row.receipt_id);
    }
  }
  return found;
}

function isFitFor(registers: readonly RegisterTables[], row: { readonly receipt: string }): boolean {
  const receipt = receiptOf(row);
  if (receipt.kind !== "receipt") return true;
  return registers.some((to) => mapTaxes(receipt, codeTables, to) !== null);
}

async function withoutAlert(db: Reader, { resource, poll: { kkm }, receiptIds }: Unfit): Promise<readonly string[]> {
  const alerted: string[] = [];
  for (const ids of inChunks(receiptIds)) {
    const rows = await db
      .selectFrom("delivery_feed_records")
      .select("record_id")
      .where((is) => is.and({ resource, kind: "register" }))
      .where(
        "record_id",
        "in",
        ids.map((id) => frIdOf(kkm, id)),
      )
      .execute();
    alerted.push(...rows.map((row) => row.record_id));
  }
  return receiptIds.filter((id) => !alerted.includes(frIdOf(kkm, id)));
}

function frIdOf(kkm: string, receiptId: string): string {
  return `tax:${receiptId}:${kkm}`;
}
