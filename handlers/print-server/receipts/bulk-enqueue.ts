/** Taking in the first receipts of many orders: a few statements for all of them. */
import { isFault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { Transaction } from "kysely";
import { insertRows } from "../../store/insert-rows.js";
import type { NoTables } from "../../store/open-store.js";
import { toReceipt } from "../order-body.js";
import { type EnqueueReceiptOptions, receiptUuid } from "./enqueue-receipt.js";
import { lockOrders, ordersWithReceipts } from "./order-receipts.js";
import { tellChanges, wakePolls } from "./receipt-signals.js";
import type { ReceiptTables } from "./receipt-tables.js";
import { contentKeyOf, type QueuedRow, queuedRow } from "./stored-receipt.js";

/**
 * Enqueues receipts of different orders within this transaction; returns their ids in the same order. Null where
 * `enqueue` has to decide or refuse: the order has receipts already, or the receipt has an id or is wrong.
 */
export async function enqueueFirst(
  kit: EnqueueReceiptOptions,
  receipts: readonly SaleReceipt[],
  { within }: { readonly within: Transaction<NoTables> },
): Promise<readonly (ReceiptId | null)[]> {
  const tx = within.withoutPlugins().withTables<ReceiptTables>();
  const orderIds = receipts.flatMap(({ orderId }) => orderId ?? []);
  await lockOrders(tx, kit, orderIds);
  const known = await ordersWithReceipts(tx, kit.resource, orderIds);
  const rows = receipts.map((receipt) =>
    receipt.orderId === null || known.has(receipt.orderId) ? null : rowOf(kit, receipt),
  );
  const added = rows.flatMap((row) => row ?? []);
  await insertRows({ tx, kind: kit.store.kind, table: "print_receipts", rows: added });
  await wakePolls(
    tx,
    kit,
    added.map(({ kkm = null }) => kkm),
  );
  await tellChanges(
    tx,
    kit,
    added.map(({ receipt_id }) => receipt_id),
  );
  return rows.map((row) => (row === null ? null : toReceiptId(row.receipt_id)));
}

function rowOf({ resource, clock, rules }: EnqueueReceiptOptions, given: SaleReceipt): QueuedRow | null {
  const now = clock.now();
  try {
    const receipt = toReceipt(given, now, rules);
    if (receipt.receiptId !== null) return null;
    const contentKey = contentKeyOf(resource, receipt);
    const facts = { resource, contentKey, forced: false, holder: null, now };
    return queuedRow({ ...receipt, receiptId: receiptUuid(now) }, facts);
  } catch (error) {
    if (!isFault(error)) throw error;
    return null;
  }
}
