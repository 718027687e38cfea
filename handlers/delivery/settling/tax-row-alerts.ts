/** Alerts about receipts that wait for a register with a row for their tax rate. */
import { sql } from "kysely";
import type { OrderPoll } from "../../print-server/host-callbacks.js";
import { holderOf } from "../../print-server/print-callers.js";
import type { ReceiptTables } from "../../print-server/receipt-tables.js";
import { findByReceipt } from "../account/load-accounts.js";
import type { Backend } from "../backend/backend.js";
import { inChunks } from "../catalog/records.js";
import { recordRegisterLog } from "../orders/fiscal-records.js";
import type { CommitScope } from "../orders/order-change.js";
import { lockShop, type Reader } from "../store/delivery-store.js";
import { commitOrders } from "./commit.js";

export interface Unfit {
  readonly resource: number;
  readonly poll: Pick<OrderPoll, "kkm" | "daemonId">;
  readonly receiptIds: readonly string[];
}

/** How long a queued receipt may wait for another register, which may have the row. */
const PATIENCE_MS = 10 * 60_000;

/** Alerts of one poll: each needs the shop's lock. The next polls alert of the other receipts. */
const AT_ONCE = 20;

/** One alert for each receipt and register. A handed receipt can go to no other register, so its alert is at once. */
export async function alertOfMissingRows(backend: Backend, unfit: Unfit): Promise<void> {
  const { store } = backend;
  const { resource, poll } = unfit;
  const now = backend.clock.now();
  // Most polls find nothing to alert of, so the shop's lock is taken only after this check.
  const news = await toAlert(store.db, unfit, now);
  if (news.length === 0) return;
  await store.transaction(async (tx) => {
    await lockShop(store.kind, tx, resource);
    const scope: CommitScope = { backend, tx, resource, source: "print server", now };
    for (const receiptId of await toAlert(tx, { ...unfit, receiptIds: news }, now))
      await alertOne(scope, poll, receiptId);
  });
}

/** The first receipts without an alert that this daemon holds, or that have been queued for too long. */
async function toAlert(db: Reader, { resource, poll, receiptIds }: Unfit, now: number): Promise<readonly string[]> {
  const { kkm } = poll;
  const found: string[] = [];
  for (const ids of inChunks(receiptIds)) {
    const rows = await db
      .withTables<ReceiptTables>()
      .selectFrom("print_receipts")
      .select("receipt_id")
      .where("resource", "=", String(resource))
      .where("receipt_id", "in", ids)
      .where((is) => {
        const isOwn = is.and({ state: "handed", holder: holderOf(poll) });
        return is.or([isOwn, is.and([is("state", "=", "queued"), is("created_at", "<", now - PATIENCE_MS)])]);
      })
      .where(({ not, exists, selectFrom }) => {
        const alerts = selectFrom("delivery_feed_records as alert").select("alert.record_id");
        const frId = sql<string>`${"tax:"} || print_receipts.receipt_id || ${`:${kkm}`}`;
        return not(
          exists(
            alerts
              .where((is) => is.and({ "alert.resource": resource, "alert.kind": "register" }))
              .where("alert.record_id", "=", frId),
          ),
        );
      })
      .execute();
    for (const { receipt_id } of rows) {
      const entry = await findByReceipt(db, resource, receipt_id);
      if (entry?.state === "queued" || entry?.state === "handed") found.push(receipt_id);
      if (found.length === AT_ONCE) return found;
    }
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
  const frId = `tax:${receiptId}:${kkm}`;
  if (!(await recordRegisterLog(tx, { resource, now, frId, order, result: null, refusal }))) return;
  const fields = { resource, order: order.orderId, receipt: receiptId, code: refusal.code };
  backend.store.afterCommit(tx, () => backend.logger.warn(text, fields));
  if (order.frReceiptStatusId === 2) return;
  await commitOrders(scope, [{ before: order, after: { ...order, frReceiptStatusId: 2 }, isHidden: !isActive }]);
}
