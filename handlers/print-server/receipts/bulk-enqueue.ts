/** Taking in the first receipts of many orders: a few statements for all of them. */
import { isFault } from "@fiscald/shared/fault.js";
import { type ReceiptId, toReceiptId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { Transaction } from "kysely";
import { insertRows } from "../../store/insert-rows.js";
import type { NoTables, Store } from "../../store/open-store.js";
import { toReceipt } from "../order-body.js";
import { type EnqueueReceiptOptions, receiptUuid } from "./enqueue-receipt.js";
import { lockOrders, ordersWithReceipts } from "./order-receipts.js";
import { changeChannel, changeSignal, wakeChannel, wakeSignal } from "./receipt-signals.js";
import type { ReceiptTables } from "./receipt-tables.js";
import { contentKeyOf, type QueuedRow, queuedRow } from "./stored-receipt.js";

export function createEnqueueFirst(kit: EnqueueReceiptOptions) {
  const { store, resource, rules, clock, newId = () => receiptUuid(clock.now()) } = kit;

  /**
   * Enqueues receipts of different orders within this transaction; returns their ids in the same order. Null where
   * `enqueue` has to decide or refuse: the order has receipts already, or the receipt has an id or is wrong.
   */
  return async (
    receipts: readonly SaleReceipt[],
    { within }: { readonly within: Transaction<NoTables> },
  ): Promise<readonly (ReceiptId | null)[]> => {
    const tx = within.withoutPlugins().withTables<ReceiptTables>();
    const orderIds = receipts.flatMap(({ orderId }) => orderId ?? []);
    await lockOrders(tx, { store, resource }, orderIds);
    const known = await ordersWithReceipts(tx, resource, orderIds);
    const rows = receipts.map((receipt) =>
      receipt.orderId === null || known.has(receipt.orderId) ? null : rowOf(receipt),
    );
    const added = rows.flatMap((row) => row ?? []);
    await insertRows({ tx, kind: store.kind, table: "print_receipts", rows: added });
    await tell(store, tx, { resource, added });
    return rows.map((row) => (row === null ? null : toReceiptId(row.receipt_id)));
  };

  function rowOf(given: SaleReceipt): QueuedRow | null {
    const now = clock.now();
    try {
      const receipt = toReceipt(given, now, rules);
      if (receipt.receiptId !== null) return null;
      const contentKey = contentKeyOf(resource, receipt);
      return queuedRow(
        { ...receipt, receiptId: toReceiptId(newId()) },
        {
          resource,
          contentKey,
          forced: false,
          holder: null,
          now,
        },
      );
    } catch (error) {
      if (!isFault(error)) throw error;
      return null;
    }
  }
}

async function tell(
  store: Store<ReceiptTables>,
  tx: Transaction<ReceiptTables>,
  { resource, added }: { readonly resource: string; readonly added: readonly QueuedRow[] },
): Promise<void> {
  const wakes = added.map(({ kkm = null }) => wakeSignal(resource, kkm).payload);
  const changes = added.map(({ receipt_id }) => changeSignal(receipt_id).payload);
  await store.notifyAtCommit(tx, wakeChannel, [...new Set(wakes)]);
  await store.notifyAtCommit(tx, changeChannel, changes);
}
