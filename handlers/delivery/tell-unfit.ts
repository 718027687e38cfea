/** Receipts that a register asked for and has no tax row for: the shop is told where no register of it can print them. */
import { mapTaxes } from "@fiscald/shared/receipt/map-tax.js";
import type { OrderPoll } from "../print-server/host-callbacks.js";
import { holderOf } from "../print-server/receipt-offers.js";
import type { ReceiptTables } from "../print-server/receipt-tables.js";
import { receiptOf } from "../print-server/stored-receipt.js";
import { findReceiptOwner } from "./fiscal-tasks.js";
import type { Backend, Reader } from "./operation.js";
import { type CommitScope, commitOrders } from "./order-commit.js";
import { findOrders, keyText } from "./order-rows.js";
import { inChunks } from "./records.js";
import { recordRegisterLog } from "./register-log.js";
import { allRegisterTables, codeTables } from "./register-tables.js";
import { lockShop } from "./shop-lock.js";

export interface Unfit {
  readonly resource: number;
  readonly poll: Pick<OrderPoll, "kkm" | "daemonId">;
  readonly receiptIds: readonly string[];
}

/** How long a receipt may wait for another register that has its rows. */
const PATIENCE_MS = 10 * 60_000;

/** Once for each receipt and register. What was handed out already nobody else may have: that is told in any case. */
export async function tellUnfit(backend: Backend, unfit: Unfit): Promise<void> {
  const { store } = backend;
  // Most polls that pass something by have passed it before: that costs no lock.
  const news = await untold(store.db, unfit);
  if (news.length === 0) return;
  await store.transaction(async (tx) => {
    await lockShop(store.kind, tx, unfit.resource);
    const { resource } = unfit;
    const scope = { backend, tx, resource, source: "print server", now: backend.clock.now() };
    for (const receiptId of news) await tellOne({ ...scope, isResult: true }, unfit.poll, receiptId);
  });
}

async function tellOne(scope: CommitScope, poll: Unfit["poll"], receiptId: string): Promise<void> {
  const { kkm } = poll;
  const { backend, tx, resource, now } = scope;
  const owner = await findReceiptOwner(tx, resource, receiptId);
  if (owner?.task?.state !== "queued" || owner.isEarlier) return;
  const known = (await findOrders(tx, resource, [owner.key.orderId])).get(keyText(owner.key));
  if (known === undefined || (await isForAnother(scope, poll, receiptId))) return;
  const { order, isActive } = known;
  const text = `Register ${kkm} has no row for a tax rate of order ${order.orderId}: its receipt waits until a register that may have it has one.`;
  const refusal = { code: "device.tax-unknown", text };
  const isNews = await recordRegisterLog(tx, {
    resource,
    now,
    frId: frIdOf(kkm, receiptId),
    order,
    result: null,
    refusal,
  });
  if (!isNews) return;
  const fields = { resource, order: order.orderId, receipt: receiptId, code: refusal.code };
  backend.store.afterCommit(tx, () => backend.logger.warn(text, fields));
  if (order.frReceiptStatusId === 2) return;
  await commitOrders(scope, [{ before: order, after: { ...order, frReceiptStatusId: 2 }, isHidden: !isActive }]);
}

/** Another caller has it; or nobody has it yet, and a register that the shop knows has the rows: unless that one is gone, it takes it soon. */
async function isForAnother(
  { tx: db, resource, now }: CommitScope,
  poll: Unfit["poll"],
  receiptId: string,
): Promise<boolean> {
  const row = await db
    .withTables<ReceiptTables>()
    .selectFrom("print_receipts")
    .select(["receipt", "state", "holder", "created_at"])
    .where("resource", "=", String(resource))
    .where("receipt_id", "=", receiptId)
    .executeTakeFirst();
  if (row === undefined || (row.state === "handed" && row.holder !== holderOf(poll))) return true;
  if (row.state !== "queued" || now - row.created_at > PATIENCE_MS) return false;
  const receipt = receiptOf(row);
  if (receipt.kind !== "receipt") return true;
  const registers = await allRegisterTables(db, resource);
  return registers.some((to) => mapTaxes({ receipt, from: codeTables, to }) !== null);
}

async function untold(db: Reader, { resource, poll: { kkm }, receiptIds }: Unfit): Promise<readonly string[]> {
  const told: string[] = [];
  for (const ids of inChunks(receiptIds)) {
    const rows = await db
      .selectFrom("delivery_feed_records")
      .select("record_id")
      .where("resource", "=", resource)
      .where("kind", "=", "register")
      .where(
        "record_id",
        "in",
        ids.map((id) => frIdOf(kkm, id)),
      )
      .execute();
    told.push(...rows.map((row) => row.record_id));
  }
  return receiptIds.filter((id) => !told.includes(frIdOf(kkm, id)));
}

function frIdOf(kkm: string, receiptId: string): string {
  return `tax:${receiptId}:${kkm}`;
}
